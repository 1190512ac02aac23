"""`ginuri explain`: the answer to an identifier, and the steps that lead to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import click

from ginuri.cli.lookup.asking import ask, read_name, service_options
from ginuri.identifiers.service_paths import explanation_path


@click.command("explain")
@click.argument("identifier")
@click.option("--accept", metavar="TYPES", help="The preferred media types, as in the header Accept.")
@click.option(
    "--accept-language", metavar="LANGUAGES", help="The preferred languages, as in Accept-Language."
)
@service_options
def explain_command(
    identifier: str,
    accept: str | None,
    accept_language: str | None,
    name: str | None,
    *,
    as_json: bool,
) -> None:
    r"""Explain the answer to IDENTIFIER, without following it.

    \b
    Examples:
      ginuri explain uri-gin/azgs/ --service http://127.0.0.1:8000
      ginuri explain uri-gin/azgs/doc/map/1/ --accept application/pdf
    """
    stated = {"Accept": accept or "*/*", "Accept-Language": accept_language}
    parameters = {header: value for header, value in stated.items() if value}
    document = ask(explanation_path(read_name(identifier)), parameters, name, as_json=as_json)
    if not as_json:
        click.echo("\n".join(_write(document)))


def _write(document: Mapping[str, Any]) -> Iterator[str]:
    yield str(document.get("uri") or document.get("identifier", ""))
    status = document.get("status")
    if status is not None:
        location = document.get("location")
        yield f"{status} {HTTPStatus(status).phrase}{f'  {location}' if location else ''}"
    for number, step in enumerate(document.get("steps", ()), 1):
        yield f"{number}. {step['step']}: {_outline(step['result'])}"


def _outline(result: object) -> str:
    """Write the result of a step on one line: the reason of a decision, else its values."""
    match result:
        case {"because": str(reason)}:
            return reason
        case {"identifier": {"identifier": str(name), "registered": bool(known)}, "ancestors": [*above]}:
            known_above = [each["identifier"] for each in above if each["registered"]]
            return f"{name} {'registered' if known else 'not registered'}; above: {', '.join(known_above)}"
        case dict():
            return ", ".join(f"{key} {_outline(value)}" for key, value in result.items())
        case list():
            return "; ".join(map(_outline, result)) or "—"
        case None:
            return "—"
        case _:
            return str(result)
