"""Moves locations together: those that start with one URL start with another afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ginuri.registration.undo.rollback import Restatement
from ginuri.registry.record.record import REPRESENTATIONS, RULES, Path, Value

_ENDS_A_PIECE = re.compile(r"[/?#=&]\Z")
_GOES_ON = re.compile(r"\Z|[/?#]|\{[/?#]")
_NAMING = ("part", "media_type", "language", "profile", "valid_from")


def moved_location(location: str, old: str, new: str) -> str | None:
    """Return a location after a move; None if it does not start with the old URL.

    An old URL that does not end in `/ ? # =` or `&` matches whole segments only: the rest must start with
    `/ ? #`, or with a template expression that does.

    >>> moved_location("http://a.example/x/1.pdf", "http://a.example/x", "https://b.example/y")
    'https://b.example/y/1.pdf'
    >>> moved_location("http://a.example/xy", "http://a.example/x", "https://b.example/y") is None
    True
    """
    rest = location.removeprefix(old)
    if rest == location or not (_ENDS_A_PIECE.search(old) or _GOES_ON.match(rest)):
        return None
    return f"{new}{rest}"


def relocate(identifier: str, values: Mapping[str, Any], old: str, new: str) -> Restatement | None:
    """Make the statements that move the locations of a record; None if none moves."""
    statements = dict(_forms((), values, old, new))
    for pattern, rule in values.get(RULES[0], {}).items():
        statements |= _forms((*RULES, pattern), rule, old, new)
    return Restatement(identifier, statements, values.get("record")) if statements else None


def _forms(place: Path, values: Mapping[str, Any], old: str, new: str) -> dict[Path, Value]:
    statements: dict[Path, Value] = {}
    for key, form in values.get(REPRESENTATIONS[0], {}).items():
        location = moved_location(form.get("location") or "", old, new)
        if location is not None:
            naming = _NAMING[:1] if form.get("part") else _NAMING
            named = {name: form[name] for name in naming if name in form}
            statements |= {
                (*place, *REPRESENTATIONS, key, name): value
                for name, value in (named | {"location": location}).items()
            }
    return statements
