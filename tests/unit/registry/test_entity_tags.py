"""The entity tag of a record changes with its values, and with nothing else."""

from __future__ import annotations

import re
from typing import Any

from ginuri.registry.record.entity_tags import entity_tag
from ginuri.registry.record.record import Record
from tests.steward import Steward, line, settled

NAME, PREFIX = "uri-gin/azgs/well/1", "uri-gin/azgs/old/"


def _tag(steward: Steward) -> str:
    return entity_tag(steward.registry.read([NAME]).get(NAME))


def _registered(**fields: Any) -> Steward:
    steward = settled()
    steward.upload("uri-gin/azgs/wells.jsonl", line(NAME, **fields))
    return steward


def test_an_entity_tag_is_strong_and_of_the_values_only() -> None:
    steward = _registered(reason="new")
    tag = _tag(steward)
    steward.upload("uri-gin/azgs/again.jsonl", line(NAME, reason="new"))

    assert re.fullmatch(r'"[0-9a-f]{32}"', tag)
    assert _tag(steward) == tag
    assert _tag(_registered(reason="old")) != tag


def test_an_entity_tag_changes_with_every_change() -> None:
    steward = _registered()
    tags = [_tag(steward)]
    for fields in (
        {"title": "Spring"},
        {"title": {"de": "Quelle"}},
        {"status": "retired"},
        {"status": "valid"},
    ):
        steward.upload("uri-gin/azgs/again.jsonl", line(NAME, **fields))
        tags.append(_tag(steward))

    assert len({*tags}) == 5


def test_an_entity_tag_depends_on_the_order_of_representations() -> None:
    forms = [
        {"media_type": each, "location": f"https://a.example/{each}"} for each in ("text/html", "text/csv")
    ]

    assert _tag(_registered(representations=forms)) != _tag(_registered(representations=forms[::-1]))
    assert _tag(_registered(representations=forms)) == _tag(_registered(representations=forms))


def test_an_entity_tag_covers_the_rules_of_the_record() -> None:
    tags = set[str]()
    for location in ("https://a.example/{+rest}", "https://b.example/{+rest}"):
        steward = settled()
        steward.upload("uri-gin/azgs/rules.jsonl", line(PREFIX, record="rule", location=location))
        tags.add(entity_tag(steward.registry.read([PREFIX])[PREFIX]))

    assert len(tags - {""}) == 2


def test_a_record_without_values_has_no_entity_tag() -> None:
    steward = settled()
    rule = line(PREFIX, record="rule", pattern="HP_{id}", location="https://a.example/{id}")
    steward.upload("uri-gin/azgs/rules.jsonl", rule)

    assert entity_tag(steward.registry.read([PREFIX])[PREFIX]) == ""


def test_an_entity_tag_is_of_one_identifier() -> None:
    record = _registered().registry.read([NAME])[NAME]

    assert entity_tag(Record("uri-gin/azgs/well/2", record.entries)) != entity_tag(record)
    assert entity_tag(None) == ""


def test_an_entity_tag_is_independent_of_the_version_of_a_file() -> None:
    tags = set[str]()
    for number in range(2):
        steward = settled()
        for _ in range(number):
            steward.put("uri-gin/azgs/other.pdf", b"other")
        steward.put("uri-gin/azgs/map.pdf", b"%PDF")
        row = line(NAME, representations=[{"file": "map.pdf", "media_type": "application/pdf"}])
        steward.upload("uri-gin/azgs/wells.jsonl", row)
        tags.add(_tag(steward))

    assert len(tags) == 1
