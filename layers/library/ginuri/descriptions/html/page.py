"""A description as a page; the templates are in `templates/` and compiled once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ginuri.descriptions.citation import CITATION_WRITERS, cite, write_sentence
from ginuri.descriptions.description import MOST_UPLOADS, Description, FormatDescription, Register, Text
from ginuri.descriptions.html.opened_forms import choose_opened, name_button, note_form
from ginuri.descriptions.html.ruler import parts_of_uri, step_up
from ginuri.descriptions.json.registration import record_type
from ginuri.descriptions.json.schema_org import write_schema_org
from ginuri.descriptions.labels import others, refer_elsewhere, refer_to_contact
from ginuri.i18n import labels
from ginuri.i18n.translation import translate
from ginuri.identifiers.messages import Message, counted, message, translatable
from ginuri.identifiers.roots import path_of, printable_name
from ginuri.identifiers.service_paths import (
    description_path,
    explanation_path,
    members_path,
    qr_code_path,
    timemap_path,
)
from ginuri.registry.lists.memberships import BROADER, NARROWER, SKOS
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.statuses import STATUSES
from ginuri.registry.texts.reasons import read_reason
from ginuri.registry.texts.titles import shorten
from ginuri.registry.version_names import PROSPECTIVE, is_day, version_path
from ginuri.resolution.descriptions.formats import HTML, LIST_FORMATS, formats_of, is_cited
from ginuri.resolution.descriptions.paths import address
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.line_breaks import break_long_names

if TYPE_CHECKING:
    from jinja2 import Environment

    from ginuri.registry.metadata.geometry import Geometry

_ORDERS = (
    ("identifier", translatable("Identifier")),
    ("title", translatable("Title")),
    ("modified", translatable("Last changed")),
)
_PREVIEWED = frozenset({"image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp"})
"""The image formats of browsers in which no script runs and which load nothing (SVG 2 §2.2)."""
_MOST_PREVIEWED = 2_000_000
"""The longest file, in bytes, that a page loads."""

_IN_HIERARCHY = {f"{SKOS}{BROADER}", f"{SKOS}{NARROWER}"}
_ALTERNATIVE = "alternative"


@cache
def page_environment(language: str) -> Environment:
    """Return the environment of the templates of descriptions, and of all other pages of the service."""
    environment = make_environment(language, "ginuri.descriptions.html")
    environment.filters |= {
        "kind_note": _kind_note,
        "role_name": labels.role_name,
        "status_name": labels.status_name,
        "status_note": labels.status_note,
        "format_size": labels.format_size,
        "format_day": labels.format_day,
        "format_place": labels.format_place,
        "version_name": labels.version_name,
        "property_name": _property_name,
        "language_name": labels.language_name,
        "media_type_name": labels.media_type_name,
        "form_button": name_button,
        "form_notes": note_form,
        "contact": refer_to_contact,
        "elsewhere": refer_elsewhere,
        "version_path": lambda name, day: path_of(version_path(name, day)),
        "timemap": timemap_path,
        "about": description_path,
        "members": members_path,
        "explain": explanation_path,
        "qr_code": qr_code_path,
        "shortened": shorten,
        "spelled": printable_name,
        "reason": read_reason,
    }
    environment.globals |= {"others": others, "HTML": HTML}
    return environment


def _property_name(name: str) -> Message:
    label = labels.property_name(name)
    return replace(label, values={key: break_long_names(str(value)) for key, value in label.values.items()})


def _kind_note(description: Description) -> Message:
    language = description.language
    if description.kind is None:
        return labels.record_type_note(record_type(description.record))
    titles = [type_.title for type_ in description.types[:1] if type_.identifier]
    nouns = [title.text for title in titles if title.language in {language, ""}]
    return labels.kind_note(description.kind, nouns[0] if nouns else "", language)


def write_page(description: Description) -> bytes:
    """Write a description as a page, in UTF-8."""
    return _render(description.language, record_type(description.record), _page_values(description))


def write_list_page(register: Register) -> bytes:
    """Write a page of a list, in UTF-8."""
    short = Text(shorten(register.title.text), register.title.language)
    title = message("List: {title}", title=short.text)
    values = {
        "register": replace(register, title=short),
        "formats": LIST_FORMATS,
        "title": title,
        "here": f"{register.first}{register.page.removeprefix(register.address)}",
        "count": _count(register),
        "orders": _ORDERS,
        "is_searched": all(
            member.record.identifier.startswith(register.identifier) for member in register.members
        ),
    }
    return _render(register.language, "list", values)


def _count(register: Register) -> Message:
    number = len(register.members)
    if register.is_whole:
        return counted("{number} identifier", "{number} identifiers", number)
    if register.total is not None:
        return counted(
            "{number} identifier in the last publication",
            "{number} identifiers in the last publication",
            register.total,
        )
    return counted("{number} identifier on this page", "{number} identifiers on this page", number)


def _title(description: Description) -> Message:
    title, status = description.title.text, description.record.status
    if not STATUSES[status].notice:
        return message("{title}", title=title)
    return message("{status}: {title}", status=labels.status_name(status), title=title)


def _render(language: str, name: str, values: Mapping[str, Any]) -> bytes:
    return page_environment(language).get_template(f"{name}.html").render(values).encode()


def _page_values(description: Description) -> Mapping[str, Any]:
    record = description.record
    formats = formats_of(record)
    days = {form.representation.valid_from for form in description.forms}
    citation = cite(description) if is_cited(record) else None
    return {
        "description": description,
        "title": _title(description),
        "here": description_path(description.identifier.normal_form),
        "count": _count(description.register) if description.register else None,
        "ruler": parts_of_uri(description),
        "above": step_up(description),
        "formats": formats,
        "addresses": {extension: address(description.identifier, extension) for extension in formats},
        **_draw_place(description.spatial),
        "opened": choose_opened(description),
        "preview": _choose_preview(description),
        "preview_title": message("Preview: {title}", title=description.title.text),
        "schema_org": write_schema_org(description),
        "links": [link for link in description.links if link.relation not in _IN_HIERARCHY],
        "other_names": tuple(_other_names(description)),
        "properties": {
            name: values
            for name, values in description.properties.items()
            if name.partition("@")[0] not in {_ALTERNATIVE, BROADER, NARROWER}
        },
        "versions": sorted(day for day in days if day and is_day(day)),
        "is_prospective": PROSPECTIVE in days,
        "uploads": _uploads(description),
        "reference": write_sentence(citation) if citation else "",
        "citations": {name: write(citation) for name, write in CITATION_WRITERS.items()} if citation else {},
        "problem_report": _problem_report(description),
    }


def _choose_preview(description: Description) -> FormatDescription | None:
    """Return the first form that is a stored image, whose own address leads to it on any host."""
    if not STATUSES[description.record.status].leads_on:
        return None
    for form in description.forms:
        stated = form.representation
        is_image = (stated.media_type or "").partition(";")[0] in _PREVIEWED
        has_address = stated.part or stated.valid_from or len(description.forms) == 1
        is_here = not form.href.startswith("//")
        if is_image and stated.file and stated.file.length <= _MOST_PREVIEWED and has_address and is_here:
            return form
    return None


def _draw_place(spatial: Geometry | None) -> Mapping[str, Any]:
    if spatial is None:
        return {"place": None}
    from ginuri.web.maps.place_map import draw_map

    return {
        "place": draw_map(spatial),
        "map_title": message("Map of the place: {place}", place=labels.format_place(spatial)),
    }


def _other_names(description: Description) -> Iterator[Text]:
    for name, values in description.properties.items():
        term, _, language = name.partition("@")
        if term == _ALTERNATIVE:
            yield from (Text(value.title.text, language) for value in values)


def _uploads(description: Description) -> tuple[Stamp, ...]:
    # The newest first; the first registration is always listed last.
    first, later = description.uploads[:1], description.uploads[1:]
    return (*reversed(later[-MOST_UPLOADS:]), *first)


def _problem_report(description: Description) -> str | None:
    """Return the address for reporting a problem: the contact's page, or a mailto URI with a subject."""
    stated = description.record.contact or (description.steward.contact if description.steward else None)
    where = refer_to_contact(stated).href if stated else None
    if where is None or not where.lower().startswith("mailto:"):
        return where
    # RFC 6068 §2: a space is %20, never a plus sign
    subject = translate(message("Problem with {uri}", uri=description.uri), description.language)
    return f"{where}{'&' if '?' in where else '?'}subject={quote(subject, safe='')}"
