"""Texts are plain: in uploads, in the registry, and in all output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ginuri.files.schema.fields import LinkFields, RegistrationFields, RepresentationFields, ServiceFields
from ginuri.registry.texts.plain_text import LINES, fault_of
from tests.builders import key, register
from tests.example_registry import Descriptions
from tests.steward import LINES as KEY
from tests.steward import TABLE, Steward, line, recent, settled

WELL = "uri-gin/azgs/doc/well"
RAW = "\x1b[31mCafe\u0301\x93 \u202emap\ufffe"
CLEAN = "[31mCafé\u201c map"
FORMATS = ("html", "json", "jsonld", "ttl", "rdf", "nt", "erc", "geojson")


def _stored(**values: Any) -> Steward:
    """Return a registry with a record from before texts were plain."""
    steward = recent()
    register(steward.memory, WELL, **values)
    return steward


@pytest.mark.parametrize(
    "stated",
    [
        {"title": RAW},
        {"title": {"en": RAW}},
        {"description": RAW},
        {"reason": RAW},
        {"contact": "a\x1b@a.example"},
        {"properties": {"creator": RAW}},
        {"properties": {"creator": ["x", RAW]}},
        {"links": [{"rel": "up", "href": "https://a.example/", "title": RAW}]},
        {"representations": [{"location": "https://a.example/", "title": {"en": RAW}}]},
    ],
)
def test_a_text_that_is_not_plain_is_refused_with_its_repair(stated: Mapping[str, Any]) -> None:
    steward = recent()

    report = steward.upload(KEY, line(WELL, **stated))

    [finding] = [each for each in report.verdicts[0].findings if each["rule"] == "plain text"]
    assert report.counts["refused"] == 1
    assert "U+001B" in finding["message"]
    assert finding["suggestion"] in {CLEAN, "a@a.example"}
    assert finding["column"].split(".")[0] in stated


def test_a_name_of_a_property_that_is_not_plain_is_refused() -> None:
    report = recent().upload(KEY, line(WELL, properties={"a\x1b": "x"}))

    assert report.verdicts[0].broken == [("properties", "plain text")]


def test_a_literal_of_a_triple_that_is_not_plain_is_refused() -> None:
    triples = '<http://a.example/> <http://b.example/> "\\u001Bx" .'

    report = recent().upload(KEY, line(WELL, triples=triples))

    assert report.verdicts[0].broken == [("triples", "plain text")]


def test_line_breaks_in_a_title_are_replaced_with_a_warning() -> None:
    steward = recent()

    report = steward.upload(TABLE, f'identifier,title,description\n{WELL},"Well\nof it","Two\r\nlines"\n')

    assert report.verdicts[0].warned == [("title", "plain text")]
    assert (steward.values(WELL) or {})["title"] == {"": "Well of it"}
    assert (steward.values(WELL) or {})["description"] == {"": "Two\nlines"}


def test_an_upload_from_before_the_rule_is_cleaned_without_a_finding() -> None:
    steward = settled()

    report = steward.upload(KEY, line(WELL, title=RAW, properties={"a\x1b": "x"}))

    assert report.counts == {"registered": 1}
    assert report.verdicts[0].findings == []
    assert (steward.values(WELL) or {})["title"] == {"": CLEAN}


def test_a_word_for_no_value_is_refused_from_its_day_on() -> None:
    table = f"identifier,title\n{WELL},NaN\n"

    assert settled().upload(TABLE, table).counts == {"registered": 1}
    assert recent().upload(TABLE, table).refused == {(2,): [("title", "missing value")]}


def test_half_a_surrogate_pair_is_refused_at_any_upload_time() -> None:
    report = settled().upload(KEY, json.dumps({"identifier": WELL, "title": "\ud83d"}))

    assert report.verdicts[0].broken == [("title", "string_unicode")]


@pytest.mark.parametrize("text", [RAW, "Cafe\u0301", "a\r\nb"])
def test_restating_a_stored_text_in_plain_text_changes_nothing(text: str) -> None:
    steward = _stored(title={"": text})
    restated = (steward.values(WELL) or {})["title"][""]

    report = steward.upload(KEY, json.dumps({"identifier": WELL, "title": restated}))

    assert report.counts == {"unchanged": 1}


def test_an_export_of_stored_texts_is_registered_again_as_unchanged() -> None:
    steward = _stored(title={"": RAW}, reason=RAW, properties={"x": [RAW]})

    report = steward.upload(KEY, "".join(steward.exported("uri-gin/azgs/")), many="true")

    assert report.counts.keys() <= {"unchanged", "warned"}


def test_the_past_of_a_stored_text_is_read_in_plain_text() -> None:
    steward = _stored(title={"": RAW})
    steward.upload(KEY, line(WELL, title="New"))

    statements = steward.memory.history(WELL).statements

    assert {each.value for each in statements if each.key == key("title", "")} == {CLEAN, "New"}


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_writes_a_stored_text_without_control_characters(extension: str) -> None:
    triples = f'<http://a.example/{RAW[-1]}> <http://purl.org/dc/terms/type> "\\u001B{RAW[-1]}x" .'
    steward = _stored(
        title={"": RAW},
        description={"en": RAW},
        properties={"creator": RAW},
        triples=triples,
        spatial={"type": "Point", "coordinates": [0, 0]},
    )

    text = Descriptions(steward.memory).write(extension, WELL).decode()

    assert fault_of(text) is None
    assert "Caf" in text
    if extension == "rdf":
        assert ET.fromstring(text).tag.endswith("RDF")  # noqa: S314  our own


def test_every_field_with_free_text_is_listed_as_one() -> None:
    fields = {
        name
        for model in (RegistrationFields, RepresentationFields, LinkFields, ServiceFields)
        for name, field in model.model_fields.items()
        if "Text"
        in str(model.__annotations__[name]).replace("IdentifierText", "").replace("MediaTypeText", "")
    }

    assert fields - {"part", "pattern"} <= LINES.keys()
