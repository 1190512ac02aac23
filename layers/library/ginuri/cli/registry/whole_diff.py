"""The differences between two whole registries, for `ginuri diff --history`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ginuri.cli.places import open_two
from ginuri.cli.terminal import format_value, write_json
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import shown
from ginuri.transfer.comparison import RegistryDifference, compare_registries

_SIGNS = {(True, False): "-", (False, True): "+"}


def print_differences(before: str, after: str, *, as_json: bool) -> bool:
    """Print each difference when it is found; return whether there is one."""
    is_different = False
    failure = message("{before} and {after} cannot be compared", before=before, after=after)
    with open_two(before, after, failure) as registries:
        for difference in compare_registries(*registries):
            is_different = True
            click.echo(write_json(_as_json(difference)) if as_json else _describe(difference))
    return is_different


def _sign(difference: RegistryDifference) -> str:
    if difference.field:
        return "~"
    return _SIGNS[difference.before is not None, difference.after is not None]


def _describe(difference: RegistryDifference) -> str:
    line = f"{_sign(difference)} {difference.part} {shown(difference.name)}"
    if not difference.field:
        return line
    values = f"{format_value(difference.before)} → {format_value(difference.after)}"
    return f"{line}  {shown(difference.field)}: {values}"


def _as_json(difference: RegistryDifference) -> Mapping[str, Any]:
    return {
        "difference": _sign(difference),
        "part": difference.part,
        "name": difference.name,
        "field": difference.field or None,
        "from": difference.before,
        "to": difference.after,
    }
