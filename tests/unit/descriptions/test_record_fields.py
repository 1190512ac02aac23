"""Every field of every kind of record is on a page, and a field of one kind is no error on another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ginuri.descriptions import html
from ginuri.descriptions.composer import compose
from ginuri.descriptions.html.page import write_page
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import Kind
from ginuri.registry.lists.listing import Listing
from ginuri.registry.model import (
    Delegation,
    Dereference,
    Host,
    LetterCase,
    Registered,
    Representation,
    Resource,
    Rule,
    Status,
)
from ginuri.registry.reading import RECORD_TYPES
from ginuri.registry.rules.patterns import Pattern
from ginuri.resolution.descriptions.decision import Describe, ListMembers
from tests.builders import PUT, find, stored

HREF = "https://quokka.example/"
SAMPLES: Mapping[str, Any] = {
    "titles": {"en": "Quokka", "de": "Kurzschwanzkänguru"},
    "descriptions": {"": "Quokkas"},
    "status": Status.SUPERSEDED,
    "successor": "uri-gin/azgs/new/",
    "reason": "Quokkas",
    "requested_by": "A court",
    "until": "2027-01-01",
    "opened": Resource(identifier="uri-gin/azgs/", modified=""),
    "properties": {"creator": "Quokka", "alternative@de": ["One", "Two"]},
    "contact": "quokka@example.org",
    "rules": (
        Rule(Pattern("{one}/"), Resource(identifier="uri-gin/azgs/", modified="", titles={"en": "Ruled"})),
    ),
    "delegation": Delegation("quokka.example", {"en": "Handed"}, {}, {}, {"": "uri-gin/usgin/"}),
    "size": 1,
    "is_tested": True,
    "trusted_hosts": ["quokka.example"],
    "homepage": HREF,
    "syntax": "strict",
    "answered_by": "quokka.example",
    "fallback": "quokka.example",
    "query_arguments": {"_mediatype": "media_type", "_profile": {"quokka": HREF}},
    "pages": False,
    "featured": ["uri-gin/azgs/new/", "uri-gin/azgs/doc/"],
    "theme_color": "#0a5a78",
    "specification": HREF,
    "authority": "uri-gin/usgin/",
    "spatial": {"type": "Point", "coordinates": [-110.3, 31.5]},
    "registrant": "Quokka",
    "grammar": "Quokkas",
    "normalization": "Quokkas",
    "case": LetterCase.UPPER,
    "services": [{"href": HREF}],
    "documentation": [{"href": HREF}],
    "dereference": Dereference.CONTENT,
    "canonical_media_type": "image/quokka",
    "default_media_type": "image/quokka",
    "valid_media_types": ["image/quokka", "text/*"],
    "pattern": "{quokka}",
    "broader": "uri-gin/azgs/doc/",
    "definition": "Quokkas",
    "kind": Kind.DOCUMENT,
    "representations": [
        Representation(part="q.png", media_type="image/png", file=stored(), roles=frozenset({"default"})),
        Representation(location=HREF, language="de", profile=HREF, titles={"": "Quokka"}),
        Representation(location=HREF, valid_from="2001-01-01"),
    ],
    "retired_parts": frozenset({"p"}),
    "part_of": "uri-gin/azgs/all/",
    "links": {"license": [{"href": HREF}]},
    "triples": "",
    "stands_for": ["uri-gin/azgs/new/", "uri-gin/azgs/other/"],
    "status_code": 302,
}
"""A value for every field, by its name."""
CASES = [
    (kind, name) for kind in RECORD_TYPES for name in kind._fields if name not in {"identifier", "modified"}
]


def _record(kind: type[Registered], /, **fields: Any) -> Registered:
    name = "//quokka.example/" if kind is Host else f"uri-gin/azgs/{kind.__name__}/"
    return kind(identifier=name, modified=PUT.format(0), **fields)


def _full(kind: type[Registered]) -> Registered:
    return _record(kind, **{name: SAMPLES[name] for name in kind._fields if name in SAMPLES})


def _describe(record: Registered) -> Describe:
    found = find(record.identifier, record)
    return Describe(found.identifier, record, found, "ids.example.org", "html", negotiated=False)


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_a_page_is_written_with_any_one_field(kind: type[Registered], name: str) -> None:
    page = write_page(compose(_describe(_record(kind, **{name: SAMPLES[name]}))))

    assert page.endswith(b"</html>")


@pytest.mark.parametrize("kind", RECORD_TYPES)
def test_a_page_is_written_with_all_fields_of_a_record(kind: type[Registered]) -> None:
    assert write_page(compose(_describe(_full(kind)))).endswith(b"</html>")


def test_a_list_page_is_written_with_every_kind_of_record() -> None:
    members = {record.identifier: record for record in map(_full, RECORD_TYPES)}
    authority = _describe(_full(Host))
    listing = Listing(tuple(members), records=members)
    outcome = ListMembers(
        authority.identifier,
        authority.record,
        authority.found,
        authority.canonical_host,
        "html",
        negotiated=False,
        listing=listing,
    )

    assert DescriptionWriter().write(outcome).endswith(b"</html>")


def test_a_description_has_the_fields_of_all_kinds_of_records() -> None:
    known = {frozenset(vars(compose(_describe(_record(kind))).fields)) for kind in RECORD_TYPES}
    folder = Path(html.__file__).parent / "templates"
    read = {
        name
        for template in folder.glob("*.html")
        for name in re.findall(r"description\.fields\.(\w+)", template.read_text(encoding="utf-8"))
    }

    assert known == {frozenset({*SAMPLES, "identifier", "modified"})}
    assert read < {*SAMPLES, "identifier", "modified"}
