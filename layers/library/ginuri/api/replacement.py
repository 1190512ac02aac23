"""Completes a registration that replaces another: what it leaves out is cleared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ginuri.registry.metadata.fields import PER_LANGUAGE

Registration = Mapping[str, Any]
"""A registration as a line of JSON states it."""
_KEPT = frozenset(("record", "identifier", "kind"))
"""What an identifier always keeps."""
_FORMS, _LINKS, _PROPERTIES = "representations", "links", "properties"
_SHORT = frozenset(("location", "status_code", "media_type"))
"""Short for one representation without a part."""
_OF_FORM = ("media_type", "language", "profile")


def complete(stated: Registration, current: Registration) -> dict[str, Any]:
    """Add the clearing of all that a registration leaves out, but the current one states.

    >>> complete({"title": "Map"}, {"title": {"de": "Karte"}, "reason": "new"})
    {'title': {'': 'Map', 'de': None}, 'reason': None}
    """
    completed = dict(stated)
    for name, value in current.items():
        if name in _KEPT:
            continue
        if name in PER_LANGUAGE:
            completed[name] = _complete_members(_texts(stated.get(name)), _texts(value))
        elif name == _PROPERTIES:
            completed[name] = _complete_members(stated.get(name) or {}, value)
        elif name == _FORMS:
            completed |= _complete_forms(stated, value)
        elif name == _LINKS:
            completed[name] = _complete_links(stated.get(name) or (), value)
        elif name not in stated:
            completed[name] = None
    return completed


def _texts(value: Any) -> Mapping[str, Any]:  # noqa: ANN401  as a registration writes it
    return value if isinstance(value, Mapping) else {} if value is None else {"": value}


def _complete_members(stated: Any, current: Any) -> Any:  # noqa: ANN401  a wrong value is left to its check
    if not isinstance(stated, Mapping) or not isinstance(current, Mapping):
        return stated
    return {**stated, **dict.fromkeys(name for name in current if name not in stated)}


def _complete_forms(stated: Registration, current: Sequence[Registration]) -> Mapping[str, Any]:
    given = stated.get(_FORMS)
    if _FORMS in stated and not isinstance(given, list):  # null, or a wrong value
        return {}
    known = {_name_of(form) for form in given or () if isinstance(form, Mapping)}
    if _SHORT & stated.keys():
        known.add(_name_of({name: stated[name] for name in _OF_FORM if name in stated}))
    retired = [
        _retire(form) for form in current if _name_of(form) not in known and form.get("status") != "retired"
    ]
    return {_FORMS: [*(given or ()), *retired]} if given or retired else {}


def _name_of(form: Registration) -> tuple[object, ...]:
    # A representation is matched by its part, or else by these fields.
    return ("part", form["part"]) if form.get("part") else tuple(form.get(name) for name in _OF_FORM)


def _retire(form: Registration) -> Mapping[str, Any]:
    named = ("part",) if form.get("part") else _OF_FORM
    return {**{name: form[name] for name in named if name in form}, "status": "retired"}


def _complete_links(stated: Any, current: Iterable[Registration]) -> Any:  # noqa: ANN401  a wrong value is left to its check
    if not isinstance(stated, list | tuple):
        return stated
    known = {link.get("rel") for link in stated if isinstance(link, Mapping)}
    absent = dict.fromkeys(link["rel"] for link in current if link["rel"] not in known)
    return [*stated, *({"rel": rel, "href": None} for rel in absent)]
