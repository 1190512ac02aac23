"""Large JSON files are read member by member, with their lines."""

from __future__ import annotations

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.json_members import read_members, text_at


def test_members_of_a_nested_array_are_read_from_its_start() -> None:
    text = '{"a": 1,\n "data": [\n  {"b": "]"},\n\n  2]\n}'

    _, data = read_members(text)

    assert [(each.value, each.line) for each in read_members(text, data.start)] == [({"b": "]"}, 3), (2, 5)]


def test_an_empty_object_has_no_members() -> None:
    assert list(read_members(" { } ")) == []


@pytest.mark.parametrize("text", ["", "1", "[1", '{"a"', '{"a" 1}', "[1 2]", "{1: 2}"])
def test_invalid_json_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableFile, match="not valid JSON"):
        list(read_members(text))


@pytest.mark.parametrize(
    ("value", "text"), [({"a": {"b": 302}}, "302"), ({"a": {"b": True}}, ""), ({"a": []}, ""), ("a", "")]
)
def test_only_texts_and_numbers_are_texts(value: object, text: str) -> None:
    assert text_at(value, "a", "b") == text
