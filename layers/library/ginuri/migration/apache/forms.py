"""The answers for a name, or for the names of a pattern, as the forms of a registration.

A media type whose answer differs from that of unknown types is a form of its own, and so is one that a
condition names. The answer for unknown types is a form without a media type. The answer without preferences
is the default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ginuri.migration.apache.answers import Cell, Table
from ginuri.migration.apache.contexts import ANYTHING, NOTHING, TYPES, UNKNOWN, Client, Context
from ginuri.migration.apache.requests import Applied
from ginuri.migration.apache.rules import RewriteRule

Form = dict[str, Any]
_ENDINGS = {
    ".html": "text/html",
    ".htm": "text/html",
    ".ttl": "text/turtle",
    ".owl": "application/rdf+xml",
    ".rdf": "application/rdf+xml",
    ".jsonld": "application/ld+json",
    ".json": "application/json",
    ".nt": "application/n-triples",
    ".xml": "application/xml",
}
_ENDING = re.compile(r"\.[a-z]+(?=$|[?#])")


def write_forms(table: Table) -> Sequence[Form]:
    """Write the redirects of a table as forms."""
    forms = [_form(cell, context) for context, cell in _typed(table)]
    forms += [_form(cell, context) for context, cell in _profiled(table)]
    if table[UNKNOWN].is_redirect:
        forms.append(_form(table[UNKNOWN], UNKNOWN))
    return _with_default(forms, table)


def _typed(table: Table) -> Sequence[tuple[Context, Cell]]:
    """Return the media types with a form, in the order of their directives."""
    chosen = [
        (context, cell)
        for context, cell in table.items()
        if context.client is Client.TYPE and not context.profile and cell.is_redirect
        if _target(cell) != _target(table[UNKNOWN]) or context.media_type in _named(cell.applied)
    ]
    return sorted(chosen, key=lambda pair: pair[1].applied[-1].place.line if pair[1].applied else 0)


def _profiled(table: Table) -> Iterator[tuple[Context, Cell]]:
    """Yield the profiles with an answer of their own, and the media types that differ within them."""
    for context, cell in table.items():
        base = (
            context.without_profile if not context.media_type else replace(NOTHING, profile=context.profile)
        )
        if (
            context.profile
            and cell.is_redirect
            and _target(cell)
            not in {
                _target(table[context.without_profile]),
                _target(table[base]),
            }
        ):
            yield context, cell


def _named(applied: Sequence[Applied]) -> set[str]:
    """Return the media types that the conditions of the last directive name."""
    last = applied[-1] if applied else None
    if not isinstance(last, RewriteRule):
        return set()
    plain = (
        condition.pattern.replace("\\", "") for condition in last.conditions if not condition.is_negative
    )
    return {found.lower() for text in plain for found in TYPES.findall(text)}


def _form(cell: Cell, context: Context) -> Form:
    stated = {"media_type": context.media_type, "profile": context.profile}
    fields = {name: value for name, value in stated.items() if value}
    return {**fields, "location": cell.template, "status_code": cell.status}


def _target(cell: Cell) -> tuple[int, str]:
    return cell.status, cell.template


def _with_default(forms: Sequence[Form], table: Table) -> Sequence[Form]:
    default = next((table[context] for context in (NOTHING, ANYTHING) if table[context].is_redirect), None)
    if default is None:
        return forms
    order = sorted(
        range(len(forms)), key=lambda at: "media_type" in forms[at]
    )  # the form for all types first
    chosen = next((at for at in order if _leads(forms[at]) == _target(default)), None)
    if chosen is None:
        return [*forms, *_extra(default, forms)]
    if len(forms) == 1:
        return forms
    return [{**form, "role": "default"} if at == chosen else form for at, form in enumerate(forms)]


def _leads(form: Form) -> tuple[int, str]:
    return form["status_code"], form["location"]


def _extra(default: Cell, forms: Sequence[Form]) -> Iterator[Form]:
    """Yield a form that is only given without preferences, of a media type that no other form has."""
    ending = _ENDING.search(default.template.lower().rpartition("/")[2])
    guess = _ENDINGS.get(ending[0], "") if ending is not None else ""
    taken = {form.get("media_type", "") for form in forms if "profile" not in form}
    if not {guess, ""} <= taken:
        yield {
            **_form(default, replace(NOTHING, media_type="" if guess in taken else guess)),
            "role": "default",
        }
