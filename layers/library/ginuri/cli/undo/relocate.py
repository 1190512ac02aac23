"""`ginuri relocate`: replaces the start of locations, by uploads that can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any

import click

from ginuri.cli.options import folder_option
from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import fault, localize, with_progress, write_json, wrong_value
from ginuri.cli.undo.restatement import Draft, SubmitOptions, leave, submit_drafts, submit_options
from ginuri.files.export import authority_folder, write_restatement
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import counted, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.undo.relocation import relocate
from ginuri.registry.locations import is_location


def _read_url(value: str) -> str:
    if not is_location(value):
        raise wrong_value(
            message(
                "{url} is not a URL that starts with http:// or https:// and has no spaces or characters "
                "beyond ASCII.",
                url=repr(value),
            )
        )
    return value


@click.command("relocate")
@click.option(
    "--from",
    "old",
    required=True,
    type=_read_url,
    metavar="URL",
    help="The start of the locations to move, such as http://a.example/maps.",
)
@click.option("--to", "new", required=True, type=_read_url, metavar="URL", help="Their new start.")
@folder_option("--under", "folder", help="Only move locations of identifiers under this prefix.")
@stack_option
@submit_options
def relocate_command(
    *,
    old: str,
    new: str,
    folder: str | None,
    name: str | None,
    is_many: bool,
    **submitting: Any,  # noqa: ANN401  the fields of SubmitOptions
) -> None:
    """Move every location that starts with one URL to another, by an upload for each name authority.

    http://a.example/x matches http://a.example/x/1 and http://a.example/x?1, not http://a.example/xy; a URL
    that ends in a slash matches everything below it. Locations of rules move as well. On a terminal, shows
    what would change and asks you to confirm.

    Exits 1 if there is no such location, a line was refused, or you declined.
    """
    if old.endswith("/") != new.endswith("/"):
        raise fault(message("Either both URLs must end in a slash, or neither."))
    stack, submission = find_stack(name), SubmitOptions(**submitting)
    options = UploadOptions(is_many=is_many, reason=f"relocated from {old} to {new}")
    with ExitStack() as open_files:
        with explaining_failures(message("The registry cannot be read"), stack.explain):
            standing = stack.archive.standing(folder_to_prefix(folder or ""))
            records = with_progress(standing, old, hidden=submission.as_json)
            drafts = _draft(records, old, new, folder, open_files)
        none = message("No location starts with {address}.", address=old)
        summary = [
            counted("{number} line for {file}", "{number} lines for {file}", draft.lines, file=draft.key)
            for draft in drafts
        ]
        reports = submit_drafts(stack, drafts, options, submission, list(map(localize, summary or [none])))
        if submission.as_json:
            click.echo(write_json({"reports": reports}, indent=1))
        leave(reports, is_whole=bool(drafts))


def _draft(
    records: Iterable[tuple[str, Mapping[str, Any]]],
    old: str,
    new: str,
    folder: str | None,
    open_files: ExitStack,
) -> list[Draft]:
    """Write a file for the folder, or else one for the folder of each name authority."""
    drafts: dict[str, Draft] = {}
    for identifier, values in records:
        restatement = relocate(identifier, values, old, new)
        if restatement is None:
            continue
        where = folder or authority_folder(identifier)
        if where not in drafts:
            drafts[where] = Draft(f"{where}relocate.jsonl", open_files)
        drafts[where].add(write_restatement(restatement, where))
    return [drafts[where] for where in sorted(drafts)]
