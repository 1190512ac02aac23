"""The built wheel in an empty environment: bare, and with each extra that is for users."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from ginuri.cli.help.command_list import COMMANDS
from tests.installation import Environment
from tests.stacks import settle_folder

if TYPE_CHECKING:
    from tests.command.conftest import Served

ROWS = "identifier,title,location\nuri-gin/azgs/doc/a/,A map,https://example.org/a.pdf\n"
OBO = "idspace: EX\nbase_url: /obo/ex\nproducts:\n- ex.owl: https://example.org/ex.owl\n"
CALLS: dict[str, tuple[int, str]] = {
    "apply": (0, "files --plan"),
    "backup": (2, "none backup"),  # there is no registry
    "check": (2, "none"),
    "move": (2, "none other"),
    "serve": (2, "rows.csv"),  # a file is no folder
    "compare": (0, "uri-gin/azgs/ http://resources.usgin.org/uri-gin/azgs/"),
    "diff": (0, "rows.jsonl rows.jsonl"),
    "get": (2, "uri-gin/azgs/ --service http://127.0.0.1:1"),  # nothing answers there
    "explain": (2, "uri-gin/azgs/ --service http://127.0.0.1:1"),
    "search": (2, "map --service http://127.0.0.1:1"),
    "hosts": (0, ""),
    "import": (0, "obo obo.yml"),
    "inventory": (2, "identifiers.txt"),  # it is no log
    "parse": (0, "uri-gin/azgs/"),
    "repair": (0, "rows.csv --under uri-gin/azgs/"),
    "schemes": (0, ""),
    "validate": (0, "rows.csv --under uri-gin/azgs/"),
    "upload": (0, "rows.csv --under uri-gin/azgs/ --yes"),
    "uploads": (0, ""),
    "report": (0, "uri-gin/azgs/rows.csv"),
    "refused": (1, "uri-gin/azgs/rows.csv"),  # the table has no row
    "rollback": (2, "uri-gin/azgs/rows.csv"),  # the version is not given
    "history": (0, "uri-gin/azgs/doc/a/"),
    "export": (0, "--under uri-gin/azgs/"),
    "token": (2, "list"),  # this stack has no table of tokens
    "relocate": (0, "--from https://example.org/ --to https://example.com/ --dry-run"),
    "replay": (2, "--drill"),  # this stack has no archive
    "redrive": (2, "--dry-run"),  # this stack has no queue
    "verify": (
        1,
        "identifiers.txt --service http://127.0.0.1:1 --against http://127.0.0.1:1",
    ),  # neither resolver answers
}
"""The exit code of each command, and its arguments."""
MIGRATION = {"import", "inventory", "verify"}
"""The commands with an extra of their own."""
SERVER = {"backup", "check", "serve"}
"""The commands on a registry folder only."""
IN_FOLDER = {"redrive": 0, "replay": 0, "token": 0}
"""The exit codes that differ on a registry folder."""
RUN_EACH = """
import json, sys
from click.testing import CliRunner
from ginuri.cli.main import main
for call in json.loads(sys.argv[1]):
    ran = CliRunner().invoke(main, call)
    crash = ran.exception if ran.exc_info and ran.exc_info[0] is not SystemExit else None
    print(json.dumps([call, ran.exit_code, ran.output, crash and repr(crash)]))
"""
IMPORT_EACH = """
import importlib, pkgutil, sys, ginuri
for module in pkgutil.walk_packages(ginuri.__path__, "ginuri."):
    if not module.name.startswith(tuple(sys.argv[1:])):
        importlib.import_module(module.name)
"""


def test_the_bare_package_parses_identifiers(installed: Callable[[str], Environment]) -> None:
    ran = installed("").run("python", "-c", "import ginuri; print(ginuri.parse('uri-gin/azgs/doc/%2D'))")

    assert ran.stdout == "uri-gin/azgs/doc/-\n"
    assert not ran.stderr


def test_the_command_of_the_bare_package_names_the_extra(installed: Callable[[str], Environment]) -> None:
    ran = installed("").run("ginuri", "--help")

    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "pip install 'ginuri[cli]'" in ran.stderr


@pytest.mark.parametrize("extra", ["cli", "migration", "serve"])
def test_every_command_of_an_extra_runs(
    installed: Callable[[str], Environment], served: Served, extra: str
) -> None:
    environment, variables, codes = installed(extra), served.environment, dict[str, int]()
    if extra == "serve":
        settle_folder(environment.folder / "registry")
        variables, codes = {"GINURI_REGISTRY": "registry"}, dict(IN_FOLDER)
    for name, content in {
        "rows.csv": ROWS,
        "files/uri-gin/azgs/rows.csv": ROWS,
        "rows.jsonl": "",
        "obo.yml": OBO,
        "identifiers.txt": "http://127.0.0.1/uri-gin/azgs/doc/a/\n",
    }.items():
        (environment.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (environment.folder / name).write_text(content, encoding="utf-8")
    without = {"cli": SERVER | MIGRATION, "migration": CALLS.keys() - MIGRATION, "serve": MIGRATION}[extra]
    ours = [name for name in CALLS if name not in without]
    calls = [[name, *arguments] for name in ours for arguments in (CALLS[name][1].split(), ["--help"])]

    ran = environment.run("python", "-c", RUN_EACH, json.dumps(calls), **variables)

    assert not ran.stderr
    results = [json.loads(line) for line in ran.stdout.splitlines()]
    codes |= {name: code for name, (code, _) in CALLS.items() if name not in codes}
    wrong = [
        (call, code, output)
        for call, code, output, crash in results
        if crash or code != (0 if call[1:] == ["--help"] else codes[call[0]]) or "ginuri[" in output
    ]
    assert wrong == []
    assert len(results) == len(calls)


def test_every_command_has_an_example_call() -> None:
    assert CALLS.keys() == COMMANDS.keys()


@pytest.mark.parametrize(
    ("extra", "others"),
    [
        ("functions", ["cli", "migration", "server"]),
        ("migration", ["api", "aws.dynamodb_http", "server"]),
        (
            "serve",
            ["aws", "cli.replays.aws_replay", "cli.aws_stack", "cli.failures", "cli.migration", "migration"],
        ),
    ],
)
def test_every_module_of_an_extra_can_be_imported(
    installed: Callable[[str], Environment], extra: str, others: list[str]
) -> None:
    """`others` have the modules that need another extra."""
    ran = installed(extra).run("python", "-c", IMPORT_EACH, *(f"ginuri.{other}" for other in others))

    assert not ran.stderr
