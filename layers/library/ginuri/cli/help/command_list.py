"""The commands in groups, each with its module and a line of help; no command is imported for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ginuri.identifiers.messages import translatable


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: its group, its module below `ginuri.cli`, and its line of help."""

    group: str
    module: str
    summary: str


INTRODUCTION = (
    translatable("Read persistent identifiers, look them up, and register them."),
    translatable(
        "Exit codes: 0 all is well, 1 the answer is no (not an identifier, not the same, not found, a line "
        "was refused), 2 the command was not understood or could not be carried out, 130 it was interrupted."
    ),
)
GROUPS: Mapping[str, str] = {
    "look": translatable("Look identifiers up"),
    "register": translatable("Register and correct"),
    "undo": translatable("Look back and undo"),
    "run": translatable("Run and keep a registry"),
    "move in": translatable("Move in from another resolver"),
}
"""The titles of the groups."""
COMMANDS: Mapping[str, Entry] = {
    "get": Entry("look", "lookup.get", translatable("Show what an identifier names and leads to.")),
    "explain": Entry("look", "lookup.explain", translatable("Explain the answer to an identifier.")),
    "search": Entry("look", "lookup.search", translatable("Search titles for words.")),
    "parse": Entry("look", "identifiers.parse", translatable("Show the parts of an identifier.")),
    "compare": Entry("look", "identifiers.compare", translatable("Compare two identifiers.")),
    "validate": Entry("register", "uploads.validate", translatable("Check a file before its upload.")),
    "repair": Entry("register", "uploads.repair", translatable("Correct what validate finds in a file.")),
    "upload": Entry("register", "uploads.upload", translatable("Upload a file, and print its report.")),
    "report": Entry("register", "reports.report", translatable("Print the report on an upload.")),
    "refused": Entry("register", "reports.refused", translatable("Fetch the refused rows of an upload.")),
    "apply": Entry("register", "apply.apply", translatable("Bring a registry to the state of a folder.")),
    "relocate": Entry("register", "undo.relocate", translatable("Move all locations that start with a URL.")),
    "schemes": Entry("register", "uploads.schemes", translatable("List well-known schemes, and add them.")),
    "uploads": Entry("undo", "uploads.uploads", translatable("List the last uploads.")),
    "history": Entry("undo", "registry.history", translatable("Show the changes of an identifier.")),
    "rollback": Entry("undo", "undo.rollback", translatable("Undo an upload.")),
    "export": Entry("undo", "registry.export", translatable("Write registrations as a file to upload.")),
    "diff": Entry("undo", "registry.diff", translatable("Compare two exports.")),
    "serve": Entry("run", "serve", translatable("Serve a registry on this machine.")),
    "backup": Entry("run", "registry.backup", translatable("Back up a registry on this machine.")),
    "check": Entry("run", "registry.check", translatable("Check a registry on this machine completely.")),
    "move": Entry("run", "registry.move", translatable("Copy a whole registry to an empty one.")),
    "token": Entry("run", "access.token", translatable("Create, list and revoke access tokens.")),
    "hosts": Entry("run", "registry.hosts", translatable("List the hosts that the edge has to answer.")),
    "redrive": Entry("run", "uploads.redrive", translatable("Process failed uploads once more.")),
    "replay": Entry("run", "registry.replay", translatable("Process all uploads once more.")),
    "import": Entry("move in", "migration.import_", translatable("Convert the entries of another resolver.")),
    "inventory": Entry("move in", "migration.inventory", translatable("Count the requests in its logs.")),
    "verify": Entry("move in", "migration.verify", translatable("Compare the answers of both resolvers.")),
}
"""The commands in the order of help; `<name>_command` in its module is the command itself."""
EXAMPLES_TITLE = translatable("Examples")
EXAMPLES = (
    ("ginuri serve my-registry --examples", translatable("a registry to try")),
    ("ginuri upload wells.xlsx", translatable("register the rows of a spreadsheet")),
    ("ginuri get uri-gin/azgs/", translatable("what an identifier leads to")),
    ("ginuri upload --help", translatable("the options of a command")),
)
