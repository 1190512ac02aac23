"""Rewrite rules for single names: those of a record, and what follows a name or a delegated prefix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.migration.apache_rules.changes import Values
from ginuri.migration.apache_rules.directives import for_address, on, write_replies
from ginuri.migration.apache_rules.expressions import escape
from ginuri.migration.apache_rules.replies import Inexpressible, Replies
from ginuri.migration.apache_rules.subjects import RegistryView, host_of, path_expression
from ginuri.registry.record.record import RETIRED_PARTS
from ginuri.registry.record.statements import FORMS

_REST = "zzrestzz"
"""A text in place of what follows a name, which no escape changes."""


def names_of(identifier: str, values: Values) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the names of a record, its forms' included, each with the media types that it is offered in."""
    forms: Sequence[Values] = list((values.get(FORMS) or {}).values())
    yield identifier, _media_types(forms)
    stems: dict[str, list[Values]] = {}
    for form in forms:
        if part := form.get("part"):
            stems.setdefault(part.split(".", 1)[0], []).append(form)
    parts = dict.fromkeys(
        [*(form["part"] for form in forms if form.get("part")), *values.get(RETIRED_PARTS, ())]
    )
    for part in parts:
        yield f"{identifier}{part}", ()
    for stem, of_stem in stems.items():
        if stem and stem not in parts:
            yield f"{identifier}{stem}", _media_types(of_stem)


def _media_types(forms: Sequence[Values]) -> Sequence[str]:
    return list(dict.fromkeys(form["media_type"] for form in forms if form.get("media_type")))


def write_name(name: str, media_types: Sequence[str], view: RegistryView) -> Sequence[str] | Inexpressible:
    """Write the rules for one name."""
    replies = view.replies(name, media_types)
    if isinstance(replies, Inexpressible):
        return replies
    host = host_of(name)
    return list(write_replies(replies, [*on(host), for_address(path_expression(name))], {}, host))


def write_below(name: str, view: RegistryView) -> Sequence[str]:
    """Write the rules for the names below one that answers for them: an ARK, or a prefix handed to a host."""
    lines: list[str] = []
    host = host_of(name)
    for separator in ("",) if name.endswith("/") else ("/", ".") if name.startswith("ark:") else ():
        replies = view.replies(f"{name}{separator}{_REST}")
        if isinstance(replies, Replies) and _REST in (replies.default.location or ""):
            address = for_address(f"{path_expression(name)}{escape(separator)}([^?# ]+)")
            lines += write_replies(replies, [*on(host), address], {_REST: 1}, host)
    return lines
