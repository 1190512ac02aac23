"""The forms that a page offers to open first: the default one, and a few others."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from ginuri.descriptions.description import Description, FormatDescription
from ginuri.i18n import labels
from ginuri.identifiers.messages import Words, message
from ginuri.registry.model import Role
from ginuri.registry.statuses import STATUSES
from ginuri.registry.version_names import is_day

MOST_OPENED = 4


def choose_opened(description: Description) -> Sequence[FormatDescription]:
    """Return the forms to open, the main one first: the default, else the canonical, else the first.

    Of several versions it is the latest one, and no other.
    """
    if not STATUSES[description.record.status].leads_on:
        return ()
    dated = [form for form in description.forms if is_day(form.representation.valid_from or "")]
    if dated:
        return (max(dated, key=lambda form: form.representation.valid_from or ""),)
    return sorted(description.forms, key=_rank)[:MOST_OPENED]


def name_button(form: FormatDescription, *, is_main: bool) -> Words:
    """Name the button that opens a form by its format, else by its file."""
    stated = form.representation
    name: Words = form.href.rpartition("/")[2] if stated.part else ""
    if stated.media_type:
        name = labels.media_type_name(stated.media_type) or stated.media_type
    if not name:
        return message("Open")
    return message("Open {format}", format=name) if is_main else name


def note_form(form: FormatDescription) -> Sequence[Words]:
    """Return what a reader wants to know before opening a form: language, role, size or host."""
    stated = form.representation
    notes: list[Words] = []
    if stated.language:
        notes.append(labels.language_name(stated.language))
    if Role.CANONICAL in stated.roles:
        notes.append(message("the authoritative form"))
    if stated.file:
        notes.append(labels.format_size(stated.file.length))
    elif (host := urlsplit(form.leads_to).hostname) and form.leads_to != form.name:
        notes.append(host)
    return notes


def _rank(form: FormatDescription) -> int:
    roles = form.representation.roles
    return 0 if Role.DEFAULT in roles else 1 if Role.CANONICAL in roles else 2
