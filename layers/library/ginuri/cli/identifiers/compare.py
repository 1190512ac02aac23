"""`ginuri compare`: whether two texts name the same, and why."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from ginuri.cli.identifiers.parse import describe_error
from ginuri.identifiers.equivalence import Comparison, Remark, compare
from ginuri.identifiers.errors import MalformedIdentifier

SAME, DIFFERENT, NOT_READABLE = 0, 1, 2


@click.command("compare")
@click.argument("one")
@click.argument("other")
@click.option("--base", help="Resolve both against this URI first (RFC 3986 §5); what is a whole URI stays.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare_command(one: str, other: str, *, base: str | None, as_json: bool) -> None:
    """Say whether ONE and OTHER name the same, and why.

    Either is any URI, or an identifier in any form; fragments take part. Exit codes: 0 the same, 1 different,
    2 one of them cannot be read.
    """
    try:
        if base is not None:
            from ginuri.cli.identifiers.references import resolve_reference  # noqa: PLC0415  only this needs uritools

            one, other = (resolve_reference(each, base) for each in (one, other))
        comparison = compare(one, other)
    except MalformedIdentifier as error:
        describe_error(error, as_json=as_json)
        sys.exit(NOT_READABLE)
    if as_json:
        click.echo(json.dumps(_as_json(one, other, comparison), ensure_ascii=False))
    else:
        _tell(comparison)
    sys.exit(SAME if comparison.is_same else DIFFERENT)


def _tell(comparison: Comparison) -> None:
    if comparison.is_same:
        click.echo(f"the same: {comparison.one}")
    else:
        click.echo(f"different: {comparison.one}\n           {comparison.other}")
    for each in comparison.remarks:
        click.echo(f"  {each.piece}: {_written(each)}: {each.why}")


def _written(remark: Remark) -> str:
    one, other = (each if each is None else repr(each) for each in (remark.one, remark.other))
    return f"{one or 'none'} and {other or 'none'}"


def _as_json(one: str, other: str, comparison: Comparison) -> dict[str, Any]:
    return {
        "same": comparison.is_same,
        "one": {"uri": one, "name": str(comparison.one)},
        "other": {"uri": other, "name": str(comparison.other)},
        "remarks": [
            {"piece": each.piece, "one": each.one, "other": each.other, "same": each.is_same, "why": each.why}
            for each in comparison.remarks
        ],
    }
