"""`ginuri compare`: whether two URIs are equivalent, with the reasons."""

from __future__ import annotations

import sys
from typing import Any

import click

from ginuri.cli.identifiers.parse import describe_error
from ginuri.cli.terminal import localize, write_json
from ginuri.identifiers.comparison.equivalence import Comparison, Remark, compare, name_piece
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.grammars.generic import split
from ginuri.identifiers.messages import Message, message

SAME, DIFFERENT, NOT_READABLE = 0, 1, 2


@click.command("compare")
@click.argument("one")
@click.argument("other")
@click.option("--base", help="Resolve both against this URI first (RFC 3986 §5).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare_command(one: str, other: str, *, base: str | None, as_json: bool) -> None:
    """Compare ONE and OTHER, and say why they are the same identifier or not.

    Each is a URI or an identifier in any form; fragments are compared as well. Exit codes: 0 the same, 1
    different, 2 one of them cannot be read.
    """
    try:
        if base is not None:
            one, other = (resolve_reference(uri, base) for uri in (one, other))
        comparison = compare(one, other, _fold)
    except MalformedIdentifier as error:
        describe_error(error, as_json=as_json)
        sys.exit(NOT_READABLE)
    if as_json:
        click.echo(write_json(_as_json(one, other, comparison)))
    else:
        _print(comparison)
    sys.exit(SAME if comparison.is_same else DIFFERENT)


def _fold(name: str) -> str:
    from ginuri.schemes.recognition import fold_known

    return fold_known(name)


def resolve_reference(reference: str, base: str) -> str:
    """Resolve a reference against a base (RFC 3986 §5.2). Raises MalformedIdentifier without a base URI.

    The reference, and so the URI, need not be well-formed.

    >>> resolve_reference("../g", "magic://a/b/c//d/e/f")
    'magic://a/b/c//d/g'
    """
    from uritools import urijoin

    split(base)
    return str(urijoin(base, reference, strict=True))


def _print(comparison: Comparison) -> None:
    if comparison.is_same:
        click.echo(f"{localize(message('the same'))}: {comparison.one}")
    else:
        label = f"{localize(message('different'))}: "
        click.echo(f"{label}{comparison.one}\n{' ' * len(label)}{comparison.other}")
    for remark in comparison.remarks:
        click.echo(f"  {localize(_describe(remark))}")


def _describe(remark: Remark) -> Message:
    one, other = (message("none") if piece is None else repr(piece) for piece in (remark.one, remark.other))
    return message(
        "{part}: {one} and {other}: {reason}",
        part=name_piece(remark.piece),
        one=one,
        other=other,
        reason=remark.reason,
    )


def _as_json(one: str, other: str, comparison: Comparison) -> dict[str, Any]:
    return {
        "same": comparison.is_same,
        "one": {"uri": one, "name": str(comparison.one)},
        "other": {"uri": other, "name": str(comparison.other)},
        "remarks": [
            {
                "piece": remark.piece,
                "one": remark.one,
                "other": remark.other,
                "same": remark.is_same,
                "why": remark.why,
            }
            for remark in comparison.remarks
        ],
    }
