"""`ginuri parse`: what an identifier is made of, or why it is none."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers import Identifier, parse


@click.command("parse")
@click.argument("uri")
@click.option("--strict", is_flag=True, help="Hold it to the ABNF of the specification to the letter.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def parse_command(uri: str, *, strict: bool, as_json: bool) -> None:
    """Say what URI, written in any form and with any host, is made of."""
    try:
        identifier = parse(uri, strict=strict)
    except MalformedIdentifier as error:
        if as_json:
            click.echo(json.dumps({"error": _error(error)}, ensure_ascii=False))
        else:
            click.echo(str(error), err=True)
            _point(error)
        sys.exit(1)
    parts = _parts(identifier)
    if as_json:
        click.echo(json.dumps(parts, ensure_ascii=False))
        return
    for name, value in parts.items():
        text = " / ".join(value) if isinstance(value, list) else str("—" if value is None else value)
        click.echo(f"{name.replace('_', ' '):<15} {text}")


def _parts(identifier: Identifier) -> dict[str, Any]:
    return {
        "normal_form": identifier.normal_form,
        "written": identifier.written,
        "host": identifier.host,
        "scheme": identifier.scheme,
        "name_authority": identifier.name_authority,
        "segments": list(identifier.segments),
        "kind": str(identifier.kind),
    }


def _error(error: MalformedIdentifier) -> dict[str, Any]:
    return {
        "message": str(error),
        "text": error.text,
        "rule": error.rule,
        "reason": error.reason,
        "segment": error.segment,
        "value": error.value,
        "position": error.position,
    }


def _point(error: MalformedIdentifier) -> None:
    if error.text.isprintable():
        click.echo(f"  {error.text}\n  {' ' * error.position}^", err=True)
