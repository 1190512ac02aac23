"""The imports of a command before its work begins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ginuri.cli.help.command_list import COMMANDS, GROUPS
from ginuri.cli.main import main

HEAVY = ("boto3", "botocore", "pydantic", "rdflib", "uritools", "yaml")
MOST_MODULES_OF_HELP = 17
"""The help may take twice the CPU of importing click; it took 1.35 times with 17 modules of our own."""
REPORT_IMPORTS = """
import sys
from ginuri.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
print("imported:", *sorted(name for name in sys.modules if "." not in name))
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("parse", "uri-gin/azgs/"),
        ("parse", "info:pmid/12376099", "--json"),
        ("compare", "uri-gin/azgs/", "http://resources.usgin.org/uri-gin/azgs/"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_for_identifiers_import_no_heavy_library(arguments: tuple[str, ...]) -> None:
    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", REPORT_IMPORTS, *arguments], capture_output=True, text=True, check=True
    )

    imported = ran.stdout.rpartition("imported:")[2].split()
    assert "click" in imported
    assert not set(HEAVY).intersection(imported)


@pytest.mark.parametrize(
    ("missing", "command", "extra"),
    [
        ("yaml", "import", "migration"),
        ("ginuri.migration.verification.probe", "verify", "migration"),
        ("pydantic", "validate", "cli"),
    ],
)
def test_a_command_with_missing_libraries_explains_how_to_install_them(
    missing: str, command: str, extra: str
) -> None:
    refused = _run_without(missing, command, "some", "--file")

    assert refused.returncode == 2
    assert refused.stderr.endswith(
        f"Error: `ginuri {command}` needs {missing}, which is not installed. "
        f"To install it, run `pip install 'ginuri[{extra}]'`.\n"
    )


def test_a_server_without_its_libraries_explains_how_to_install_them(tmp_path: Path) -> None:
    ran = _run_without("uvicorn", "serve", str(tmp_path))

    assert ran.returncode == 2
    assert ran.stderr == (
        "Error: `ginuri serve` needs uvicorn, which is not installed. To install it, run `pip install "
        "'ginuri[serve]'`.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_stack_in_aws_without_boto3_explains_how_to_install_it() -> None:
    ran = _run_without("boto3", "uploads", "--stack", "production")

    assert ran.returncode == 2
    assert ran.stderr == (
        "Error: A stack in AWS needs boto3, which is not installed. To install it, run `pip install "
        "'ginuri[cli]'`. For a registry on this machine, name its folder with --registry.\n"
    )


def _run_without(missing: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.modules[{missing!r}] = None; from ginuri.cli.main import main; main()"
    return subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_the_help_imports_little_beyond_click() -> None:
    code = REPORT_IMPORTS.replace('if "." not in name', 'if name.startswith("ginuri")')
    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True, env={"LANG": "C"}
    )

    imported = ran.stdout.rpartition("imported:")[2].split()
    assert "ginuri.cli.help.command_list" in imported
    assert len(imported) <= MOST_MODULES_OF_HELP


def test_the_help_lists_every_command_once_in_a_group() -> None:
    context = click.Context(main)
    listed = main.list_commands(context)

    for name in listed:
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
    assert {entry.group for entry in COMMANDS.values()} == GROUPS.keys()
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("typed", "meant"), [("uplaod", "upload"), ("serach", "search"), ("Validate", "validate")]
)
def test_a_mistyped_command_gets_the_likeliest_one(typed: str, meant: str) -> None:
    ran = CliRunner().invoke(main, [typed], env={"LANG": "C"})

    assert ran.exit_code == 2
    assert f"There is no command {typed!r}. Did you mean `ginuri {meant}`?" in ran.stderr


def test_an_unknown_command_leads_to_the_help() -> None:
    assert "`ginuri --help` lists all." in CliRunner().invoke(main, ["quokka"], env={"LANG": "C"}).stderr
