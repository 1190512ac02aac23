"""Rules are parsed only when a request looks for one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.reading import read_registered, read_stored
from ginuri.registry.record.serialization import write_values
from ginuri.registry.texts.plain_text import plain_values

PREFIX, PUT = "uri-gin/azgs/", "2013-05-17T10:04:31.120Z"
RULES = {
    "HP_{id}": {"representations": {"a": {"location": "https://a.example/{id}"}}},
    "": {"status_code": 410},
}
TRICKY = st.sampled_from([' "rules":{}}', '"document":', '", "rules":{"', "\\", '\\"', " ", "é"]) | st.text()


def test_rules_are_parsed_on_first_use() -> None:
    body = write_values({"record": "authority", "rules": RULES})
    record = read_stored(PREFIX, body.replace('"HP_{id}":', "no JSON"), PUT)

    assert record.rules
    assert not record.has_pairs
    with pytest.raises(json.JSONDecodeError):
        list(record.rules)


@given(
    st.dictionaries(st.sampled_from(["en", "", "rules"]), TRICKY),
    TRICKY,
    st.sampled_from(["rules", "rules and more"]),
)
def test_body_and_values_give_the_same_record(titles: dict[str, str], rest: str, stated: str) -> None:
    values: dict[str, Any] = {"rules": {"x": {"title": {"": rest}}, **RULES}}
    if stated != "rules":
        values |= {"title": titles, "properties": {"rules": rest, "document": rest}}

    body = write_values(values)

    assert json.loads(body) == values
    assert read_stored(PREFIX, body, PUT) == read_registered(PREFIX, plain_values(values), PUT)


def test_a_body_with_rules_before_other_fields_is_read_too() -> None:
    values = {"rules": RULES, "title": {"en": "Maps"}}

    assert read_stored(PREFIX, json.dumps(values, separators=(",", ":")), PUT) == read_registered(
        PREFIX, values, PUT
    )


@pytest.mark.parametrize("field", ["document", "document_of"])
def test_a_prefix_of_pairs_is_recognised_by_its_body(field: str) -> None:
    values = {"rules": {"": {field: "https://a.example/uri-gin/azgs/doc/{+rest}"}}}

    assert read_stored(PREFIX, write_values(values), PUT).has_pairs
    assert not read_stored(PREFIX, write_values({"rules": RULES}), PUT).has_pairs
    assert not read_stored(PREFIX, write_values({"properties": {field: "x"}, "rules": RULES}), PUT).has_pairs
