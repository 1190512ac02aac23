"""`ginuri schemes`: the well-known schemes, and their registration in a registry."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import language_option, write_json, wrong_value
from ginuri.cli.uploads.upload import submit_sure
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import message
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.schemes.catalogue import KnownScheme, known_schemes

FILE = f"{HOST_FOLDER}well-known-schemes.jsonl"
"""The key of the upload; each is a version of it."""


def _read_name(name: str) -> KnownScheme:
    schemes = {scheme.name: scheme for scheme in known_schemes().values()}
    scheme = schemes.get(name.rstrip(":/").lower())
    if scheme is None:
        raise wrong_value(
            message(
                "{name} is none of the well-known schemes: {schemes}. Any other scheme is registered with a "
                "file.",
                name=repr(name),
                schemes=", ".join(schemes),
            )
        )
    return scheme


_names_argument = click.argument("schemes", nargs=-1, required=True, type=_read_name, metavar="SCHEME...")


@click.group("schemes", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def schemes_command(context: click.Context, *, as_json: bool) -> None:
    """Show the well-known schemes that a registry can answer, such as DOIs, and where their names resolve.

    `ginuri schemes add` registers some of them, `ginuri schemes show` prints their registrations.
    """
    if context.invoked_subcommand is None:
        schemes = list(known_schemes().values())
        click.echo(write_json(list(map(_as_json, schemes)), indent=1) if as_json else _table(schemes))


@schemes_command.command("show")
@_names_argument
def show_command(schemes: Sequence[KnownScheme]) -> None:
    """Print the registrations of schemes, as JSON lines for a file in the folder _host/."""
    click.echo("".join(scheme.registrations for scheme in schemes), nl=False)


@schemes_command.command("add")
@_names_argument
@stack_option
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Show what would change; change nothing.")
@click.option("--reason", default="", help="The reason for people; it is kept with the upload.")
@click.option("--submitter", default="", help="The name of the submitter; it is kept with the upload.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not show what would change and ask first.")
@language_option
@click.option("--wait", default=900, show_default=True, help="Seconds to wait for the report.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def add_command(  # noqa: PLR0913  the options of a command
    schemes: Sequence[KnownScheme],
    *,
    name: str | None,
    is_dry_run: bool,
    reason: str,
    submitter: str,
    is_sure: bool,
    language: str,
    wait: int,
    as_json: bool,
) -> None:
    """Register schemes with their rules, so that the registry answers all their names.

    Uploads the registrations to the folder _host/, waits for the report and prints it. On a terminal, shows
    what would change and asks you to confirm; scripts, --yes and --json skip the question. A scheme that is
    registered already is brought to the state of the file; other rules of it stay.

    Exits 0 when all is well, 1 when a line was refused or you declined, and 2 when it could not be carried
    out.
    """
    options = UploadOptions(is_dry_run, is_many=True, reason=reason, submitter=submitter, language=language)
    body = "".join(scheme.registrations for scheme in schemes).encode()
    with open_stack(name, message("The schemes cannot be registered")) as stack:
        report = submit_sure(stack, FILE, body, options, wait, is_sure=is_sure, as_json=as_json)
    sys.exit(1 if report["counts"]["refused"] else 0)


def _table(schemes: Sequence[KnownScheme]) -> str:
    names, titles = (
        max(map(len, texts)) for texts in zip(*((each.name, each.title) for each in schemes), strict=True)
    )
    return "\n".join(
        f"{scheme.name:<{names}}  {scheme.title:<{titles}}  {', '.join(_hosts(scheme))}" for scheme in schemes
    )


def _hosts(scheme: KnownScheme) -> list[str]:
    """Return the hosts where the names of a scheme resolve."""
    return sorted({rule.location.split("/")[2] for rule in scheme.rules})


def _as_json(scheme: KnownScheme) -> dict[str, Any]:
    return {
        "name": scheme.name,
        "identifier": scheme.identifier,
        "title": scheme.title,
        "homepage": scheme.homepage,
        "rules": [{"pattern": rule.pattern.text, "location": rule.location} for rule in scheme.rules],
    }
