"""`ginuri parse`: the parts of an identifier, or the reason why a text is not one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ginuri.cli.terminal import localize, say, write_json
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import prefix_to_folder
from ginuri.identifiers.stewards import folder_of

if TYPE_CHECKING:
    from ginuri.schemes.recognition import KnownName

_ABSENT = {
    "scheme": message("— (the identifier of a host has no scheme)"),
    "cited_by": message("on the first host that its authority trusts"),
}


@click.command("parse")
@click.argument("uri")
@click.option("--strict", is_flag=True, help="Accept only the ABNF of the specification, to the letter.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def parse_command(uri: str, *, strict: bool, as_json: bool) -> None:
    """Show the parts of URI, which may have any form and any host.

    Of a name of a well-known scheme, such as a DOI, also where it resolves (`ginuri schemes` lists them).
    """
    try:
        identifier = parse(uri, strict=strict)
    except MalformedIdentifier as error:
        describe_error(error, as_json=as_json)
        if not as_json and (known := _recognize(uri)) is not None:
            say(_describe_bare(known), err=True)
        sys.exit(1)
    parts = _parts(identifier)
    if not identifier.scheme.startswith("uri-"):  # such schemes are not well-known, and start fast
        parts |= _known(_recognize(str(identifier)))
    if as_json:
        click.echo(write_json(parts))
        return
    for name, value in parts.items():
        text = value or localize(_ABSENT.get(name, "—"))
        text = " / ".join(value) if name == "segments" and value else text
        click.echo(f"{name.replace('_', ' '):<15} {'  '.join(text) if isinstance(text, list) else text}")


def describe_error(error: MalformedIdentifier, *, as_json: bool) -> None:
    """Print the reason why a text is not an identifier: for people, or as JSON."""
    if as_json:
        members = {
            "message": str(error),
            "text": error.text,
            "rule": error.rule,
            "reason": str(error.reason),
            "segment": error.segment,
            "value": error.value,
            "position": error.position,
        }
        click.echo(write_json({"error": members}))
        return
    say(error.words, err=True)
    if error.text.isprintable():
        click.echo(f"  {error.text}\n  {' ' * error.position}^", err=True)


def _parts(identifier: Identifier) -> dict[str, Any]:
    steward = "namespace" if identifier.is_namespaced else "name_authority"
    return {
        "normal_form": identifier.normal_form,
        "written": identifier.written,
        "host": identifier.host,
        "scheme": identifier.scheme,
        steward: None if identifier.is_bound else identifier.name_authority,
        "segments": list(identifier.segments),
        "kind": str(identifier.kind),
        "root": identifier.root,
        "ancestors": list(identifier.ancestors),
        "folder": prefix_to_folder(folder_of(identifier)),
        "cited_by": _cited_by(identifier),
    }


def _recognize(text: str) -> KnownName | None:
    from ginuri.schemes.recognition import recognize

    return recognize(text)


def _known(known: KnownName | None) -> dict[str, Any]:
    """Return what is known of a name of a well-known scheme, whether or not a registry answers for it."""
    if known is None:
        return {}
    where = {"resolves_at": known.location} if known.location else {}
    return {"known_as": f"{known.identifier} ({known.scheme.title})", **where}


def _describe_bare(known: KnownName) -> Message:
    template = (
        "It looks like {identifier} ({title}), without its scheme; that resolves at {location}"
        if known.location
        else "It looks like {identifier} ({title})."
    )
    return message(
        template, identifier=known.identifier, title=known.scheme.title, location=known.location or ""
    )


def _cited_by(identifier: Identifier) -> str | None:
    if identifier.is_bound:
        return f"http:{identifier}"
    if identifier.is_namespaced:
        return identifier.normal_form
    # The registry has the trusted hosts; without one, only the host of the input is known.
    return identifier.uri(identifier.host) if identifier.host else None
