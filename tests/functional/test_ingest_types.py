"""Uploads are judged by the pattern and the media types of the resource types in the registry."""

from __future__ import annotations

import json
from typing import Any

from tests.steward import Steward, settled

KEY = "uri-gin/azgs/x.jsonl"
DOC, MAP = "uri-gin/azgs/doc/", "uri-gin/azgs/doc/map/"
PDF = {"media_type": "application/pdf", "location": "https://a.example/"}
PNG = {"media_type": "image/png", "location": "https://a.example/"}


def _line(identifier: str, **fields: Any) -> str:
    return f"{json.dumps({'identifier': identifier, 'title': 'It', **fields})}\n"


def _type(identifier: str = DOC, **fields: Any) -> str:
    return _line(identifier, record="resource-type", **fields)


def _typed(**fields: Any) -> Steward:
    steward = settled()
    assert steward.upload(KEY, _type(**fields)).refused == {}
    return steward


def test_an_identifier_beside_the_pattern_is_registered_with_a_warning() -> None:
    steward = _typed(pattern="{id:digits}")
    report = steward.upload(KEY, _line(f"{DOC}7/") + _line(f"{DOC}x/"))

    assert [(each.verdict, each.warned) for each in report.verdicts] == [
        ("registered", []),
        ("registered", [("identifier", "pattern")]),
    ]


def test_a_strict_type_refuses_new_identifiers_and_keeps_registered_ones() -> None:
    steward = settled()
    steward.upload(KEY, _line(f"{DOC}x/"))
    steward.upload(KEY, _type(pattern="{id:digits}", syntax="strict"))
    report = steward.upload(KEY, _line(f"{DOC}x/", title="Again") + _line(f"{DOC}y/"))

    assert [(each.verdict, each.warned, each.broken) for each in report.verdicts] == [
        ("changed", [("identifier", "pattern")], []),
        ("refused", [], [("identifier", "pattern")]),
    ]
    assert steward.values(f"{DOC}y/") is None


def test_a_strict_type_refuses_forms_with_other_media_types() -> None:
    steward = _typed(valid_media_types=["application/pdf"], syntax="strict")
    report = steward.upload(KEY, _line(f"{DOC}7/", **PDF) + _line(f"{DOC}8/", **PNG))

    assert report.refused == {(2,): [("media_type", "valid media type")]}


def test_a_rule_below_a_type_has_its_media_types() -> None:
    steward = _typed(valid_media_types=["application/pdf"], syntax="strict")
    rules = _line(DOC, record="rule", pattern="a-{id}", **PDF) + _line(
        DOC, record="rule", pattern="b-{id}", **PNG
    )
    below = _line(f"{DOC}wells/", record="rule", **PNG)
    report = steward.upload(KEY, rules + below)

    assert report.refused == {
        (2,): [("media_type", "valid media type")],
        (3,): [("media_type", "valid media type")],
    }


def test_a_type_inherits_from_a_broader_type_of_another_authority() -> None:
    steward = settled()
    steward.upload("uri-gin/usgin/1.jsonl", _type("uri-gin/usgin/a/", pattern="{id:digits}", syntax="strict"))
    steward.upload("uri-gin/usgin/2.jsonl", _type("uri-gin/usgin/b/", broader="uri-gin/usgin/a/"))
    report = steward.upload(
        KEY, _type(MAP, broader="uri-gin/usgin/b/") + _line(f"{MAP}x/") + _line(f"{MAP}7/")
    )

    assert report.refused == {(2,): [("identifier", "pattern")]}


def test_a_type_that_an_upload_changes_judges_the_rest_of_it() -> None:
    steward = _typed(pattern="{id:digits}", syntax="strict")
    report = steward.upload(KEY, _line(f"{DOC}x/") + _type(pattern="{id:letters}") + _type(MAP))

    assert report.refused == {}
    assert steward.upload(KEY, _line(f"{DOC}7/")).refused == {(1,): [("identifier", "pattern")]}


def test_another_delivery_of_an_upload_has_the_same_verdicts() -> None:
    steward = _typed(pattern="{id:digits}", syntax="strict")
    upload = steward.put(KEY, _line(f"{DOC}x/") + _line(f"{DOC}7/"))
    first = steward.deliver(upload)

    assert steward.deliver(upload).refused == first.refused == {(1,): [("identifier", "pattern")]}


def test_a_sheet_states_the_fields_of_a_type() -> None:
    steward = settled()
    sheet = (
        "record,identifier,title,pattern,valid_media_types,syntax\n"
        f'resource-type,{DOC},Document,"{{id:digits(1,3)}}","application/pdf, image/*",strict\n'
    )
    assert steward.upload("uri-gin/azgs/x.csv", sheet).refused == {}

    values = steward.values(DOC) or {}
    assert (values["pattern"], values["syntax"]) == ("{id:digits(1,3)}", "strict")
    assert values["valid_media_types"] == ["application/pdf", "image/*"]
