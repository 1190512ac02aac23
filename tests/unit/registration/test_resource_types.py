"""Do identifiers and their forms fit the pattern and the media types of their resource types?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ginuri.identifiers import parse
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.checks.resource_types import judge_typed
from ginuri.registry.model import RecordType, ResourceType
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import Statements
from tests.builders import PUT, changed, keyed

MAP = "uri-gin/azgs/doc/map/"
FORM = "0"


def _type(identifier: str = MAP, **fields: Any) -> ResourceType:
    return ResourceType(identifier=identifier, modified=PUT.format(0), **fields)


def _judge(
    identifier: str,
    *types: ResourceType,
    stated: Statements | None = None,
    before: Record | None = None,
    record_type: RecordType = RecordType.RESOURCE,
) -> list[tuple[str, str, str]]:
    context = JudgingContext("uri-gin/azgs/", before, None, types)
    findings = judge_typed(parse(identifier), record_type, stated or Statements(), context)
    return [(finding.level, finding.field, finding.value) for finding in findings]


def _formed(media_type: str, **fields: str) -> Statements:
    stated: Mapping[str, str] = {"media_type": media_type, **fields}
    return keyed({("representations", FORM, name): value for name, value in stated.items()})


@pytest.mark.parametrize(
    "text",
    [
        "DGM37-Huachuca",
        "DGM37-Huachuca/",
        "DGM37-Huachuca/map.v1.pdf",
        "DGM37-Huachuca/map",
        "DGM37-Huachuca.pdf",
    ],
)
def test_a_pattern_takes_names_with_a_slash_or_a_part(text: str) -> None:
    assert _judge(f"{MAP}{text}", _type(pattern="{series:upper}{number:digits}-{title:letters}")) == []


@pytest.mark.parametrize("text", ["DGM-Huachuca/", "x/DGM37-Huachuca/", "DGM37-Huachuca/a/b.pdf", "dgm37-x"])
def test_a_name_without_the_form_of_the_pattern_is_warned_of(text: str) -> None:
    found = _judge(f"{MAP}{text}", _type(pattern="{series:upper}{number:digits}-{title:letters}"))

    assert found == [("warned", "identifier", text)]


@pytest.mark.parametrize(
    ("text", "fits"), [("7/", True), ("7/log.pdf", True), ("7", False), ("7.pdf", False)]
)
def test_a_pattern_with_a_final_slash_takes_only_things(text: str, *, fits: bool) -> None:
    assert (_judge(f"{MAP}{text}", _type(pattern="{id:digits}/")) == []) is fits


def test_a_type_inherits_the_pattern_and_the_strictness_of_its_broader_type() -> None:
    broader = _type("uri-gin/usgin/doc/", pattern="{id:digits}", syntax="strict")

    assert _judge(f"{MAP}x/", _type(broader=broader.identifier), broader) == [("refused", "identifier", "x/")]
    assert _judge(f"{MAP}x/", _type(syntax="lenient"), broader) == [("warned", "identifier", "x/")]
    assert _judge(f"{MAP}x/", _type(pattern="{id}"), broader) == []


def test_a_strict_type_only_warns_of_a_registered_identifier() -> None:
    strict = _type(pattern="{id:digits}", syntax="strict")
    before = changed(f"{MAP}x/", title={"": "Map"}).after

    assert _judge(f"{MAP}x/", strict, before=before) == [("warned", "identifier", "x/")]
    assert _judge(f"{MAP}x/", strict, before=Record(f"{MAP}x/", {})) == [("refused", "identifier", "x/")]


@pytest.mark.parametrize(
    ("media_type", "valid", "fits"),
    [
        ("image/png", ["application/pdf", "image/png"], True),
        ("image/png", ["image/*"], True),
        ("image/png", ["*/*"], True),
        ("text/html;level=1", ["text/html"], True),
        ("text/html;level=1", ["text/html ; level=1"], True),
        ("text/html", ["text/html;level=1"], False),
        ("image/png", ["application/pdf"], False),
    ],
)
def test_a_form_has_one_of_the_valid_media_types(
    media_type: str, valid: Sequence[str], *, fits: bool
) -> None:
    found = _judge(f"{MAP}x/", _type(valid_media_types=valid), stated=_formed(media_type))

    assert found == ([] if fits else [("warned", "media_type", media_type)])


def test_forms_without_a_media_type_or_removed_are_not_judged() -> None:
    pdf = _type(valid_media_types=["application/pdf"], syntax="strict")

    assert _judge(f"{MAP}x/", pdf, stated=_formed("image/png", status="retired")) == []
    assert _judge(f"{MAP}x/", pdf, stated=keyed({("representations", FORM, "location"): "https://a/"})) == []


def test_a_strict_type_refuses_new_forms_and_only_warns_of_registered_ones() -> None:
    pdf = _type(valid_media_types=["application/pdf"], syntax="strict")
    before = changed(f"{MAP}x/", representations=[{"media_type": "image/png"}]).after

    assert _judge(f"{MAP}x/", pdf, stated=_formed("image/png")) == [("refused", "media_type", "image/png")]
    assert _judge(f"{MAP}x/", pdf, stated=_formed("image/png"), before=before) == [
        ("warned", "media_type", "image/png")
    ]
    assert _judge(f"{MAP}x/", pdf, stated=_formed("image/gif"), before=before) == [
        ("refused", "media_type", "image/gif")
    ]


def test_the_roles_of_a_type_are_among_its_valid_media_types() -> None:
    before = changed(MAP, record="resource-type", valid_media_types=["image/*"]).after
    stated = keyed({("canonical_media_type",): "image/png", ("default_media_type",): "text/html"})

    found = _judge(MAP, stated=stated, before=before, record_type=RecordType.RESOURCE_TYPE)

    assert found == [("warned", "default_media_type", "text/html")]
