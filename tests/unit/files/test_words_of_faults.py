"""Every fault that pydantic finds has a message of our own, with the field's name for stewards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from ginuri.files.json_lines import read_json_line
from ginuri.files.schema.fields import NESTED_FIELDS, RegistrationFields
from ginuri.files.schema.statements import read_statements
from ginuri.registration.verdicts import Finding, Level
from tests.builders import short

MAP = "uri-gin/azgs/doc/map"
HALF = "\ud83d"
FAULTS = {
    "bool": {"bool_type", "bool_parsing"},
    "dict": {"dict_type"},
    "enum": {"enum"},
    "float": {"float_type", "float_parsing", "less_than_equal", "greater_than_equal"},
    "list": {"list_type"},
    "literal": {"literal_error"},
    "model": {"model_type"},
    "model-fields": {"extra_forbidden", "missing"},
    "str": {"string_type", "string_unicode", "string_too_short", "string_pattern_mismatch"},
    **{f"function-{place}": {"value_error"} for place in ("after", "before", "plain", "wrap")},
    **{name: set[str]() for name in ("any", "default", "model-field", "nullable", "definitions", "chain")},
}
"""The possible faults of each part of the types, by pydantic's names for both."""
VALUES: tuple[Any, ...] = (
    *(None, True, 1, 17.5, -1, float("inf"), "", " ", "x", "a b", HALF, "1" * 5_000),
    *(
        [],
        [None],
        [1],
        ["x"],
        [""],
        [[]],
        [{}],
        [HALF],
        {},
        {"": ""},
        {"a b": "x"},
        {"x": True},
        {HALF: HALF},
    ),
    *({"x": None}, {"x": 1}, {"x": []}, {"x": [1]}, {"x": ["x"]}, {"x": [{}]}, {"x": {}}, {"x": HALF}),
)
NESTED = {name for fields in NESTED_FIELDS.values() for name in fields} | {"x"}


def _parts(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str) and schema["type"] != "function":
            yield schema["type"]
        for name, part in schema.items():
            if name not in {"metadata", "serialization", "expected", "members", "function", "default"}:
                yield from _parts(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from _parts(part)


def _given(field: str) -> Iterator[dict[str, Any]]:
    yield from ({"identifier": MAP, field: value} for value in VALUES)
    if field in NESTED_FIELDS:
        yield from (
            {"identifier": MAP, field: [{name: value}]} for name in sorted(NESTED) for value in VALUES
        )


def _refused(given: dict[str, Any]) -> list[Finding]:
    return [finding for finding in read_statements(1, given).findings if finding.level is Level.REFUSED]


@pytest.fixture(scope="module")
def found() -> dict[str, set[tuple[str, str, str]]]:
    """Set every field to every value; return the field, our message and pydantic's by type of fault."""
    faults: dict[str, set[tuple[str, str, str]]] = {}
    for field in [*RegistrationFields.model_fields, "x"]:
        for given in _given(field):
            try:
                RegistrationFields.model_validate(given)
            except ValidationError as error:
                if isinstance(given["identifier"], str) and given["identifier"] == MAP:
                    problems = error.errors(include_url=False)[:20]
                    findings = _refused(given)[-len(problems) :]
                    for problem, finding in zip(problems, findings, strict=True):
                        words = (finding.field, str(finding.message), problem["msg"])
                        faults.setdefault(problem["type"], set()).add(words)
    return faults


def test_every_part_of_the_types_has_known_faults() -> None:
    assert set(_parts(RegistrationFields.__pydantic_core_schema__)) <= FAULTS.keys()


def test_every_fault_that_the_types_can_have_is_found(found: dict[str, set[tuple[str, str, str]]]) -> None:
    parts = set(_parts(RegistrationFields.__pydantic_core_schema__))

    assert set(found) == {fault for part in parts for fault in FAULTS[part]}


def test_no_fault_is_written_as_pydantic_writes_it(found: dict[str, set[tuple[str, str, str]]]) -> None:
    foreign = ("Input should", "Value error", "String should", "Field required", "Extra inputs", "<", "codec")
    for faults in found.values():
        for field, words, theirs in faults:
            assert theirs not in words
            assert not any(text in words for text in foreign), (field, words)


def test_no_fault_names_a_type_instead_of_a_field(found: dict[str, set[tuple[str, str, str]]]) -> None:
    fields = {field for faults in found.values() for field, _, _ in faults}

    assert not [field for field in fields if any(sign in field for sign in "[]()")]


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        (
            {"title": HALF},
            "title",
            "The text has half of a character, such as \\ud83d without its other half.",
        ),
        ({"properties": {"a": {}}}, "properties.a", "The value must be a text, or a list of texts."),
        (
            {"properties": {"a": ["b", 1, {}]}},
            "properties.a",
            "The value must be a text, or a list of texts.",
        ),
        ({"properties": {"a": " "}}, "properties.a", "The text is empty."),
        ({"properties": {"a": [HALF]}}, "properties.a", "The text has half of a character"),
        ({"representations": [{"status": "gone"}]}, "representations.0.status", "one of: valid, retired."),
        ({"links": [{"rel": "up", "href": "a:b", "role": "x"}]}, "links.0.href", "Write a URI"),
        ({"services": [{"ref": "x"}]}, "services.0.ref", "Did you mean href?"),
        ({"title": {"not a tag": "x"}}, "title.not a tag", "Write a language tag"),
        ({"spatial": HALF}, "spatial", "The value is not valid."),
    ],
)
def test_a_fault_describes_the_value(given: dict[str, Any], field: str, words: str) -> None:
    finding = next(finding for finding in _refused({"identifier": MAP, **given}) if finding.field == field)

    assert words in str(finding.message)


def test_a_number_of_thousands_of_digits_is_refused_in_plain_words() -> None:
    [finding] = read_json_line(1, b'{"identifier": %b}' % (b"1" * 5_000)).findings

    assert str(finding.message) == "A number may have at most 1,000 digits. Write it as a text."


@pytest.mark.parametrize(
    ("field", "given", "stated"),
    [
        ("status", "Retired", "retired"),
        ("record", "Resource Type", "resource-type"),
        ("record", "RESOURCE_TYPE", "resource-type"),
        ("kind", "Non-Information Resource", "thing"),
        ("kind", "information resource", "document"),
        ("dereference", " Content ", "content"),
        ("syntax", "Strict", "strict"),
        ("case", "LOWER", "lower"),
    ],
)
def test_a_word_of_a_list_matches_in_any_case_and_punctuation(field: str, given: str, stated: str) -> None:
    row = read_statements(1, {"identifier": f"{MAP}/", field: given})

    assert (row.findings, short(row.statements)[field,]) == ((), stated)


def test_words_in_lists_are_matched_the_same() -> None:
    form = {"file": "a.pdf", "role": "Canonical, DEFAULT", "status": "Retired"}
    row = read_statements(1, {"identifier": MAP, "representations": [form]})

    values = {path[-1]: value for path, value in short(row.statements).items()}
    assert (values["role"], values["status"]) == (["canonical", "default"], "retired")


def test_a_rule_is_recognised_in_any_case() -> None:
    row = read_statements(
        1,
        {"record": "Rule", "identifier": f"{MAP}/", "pattern": "{id}", "location": "https://a.example/{id}"},
    )

    assert (row.rule, row.findings) == ("{id}", ())
