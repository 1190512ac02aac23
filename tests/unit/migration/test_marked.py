"""YAML is read as plain values with their line numbers."""

from __future__ import annotations

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.marked import MOST_BYTES, read_located


def test_a_value_has_its_line_and_a_text_is_unchanged() -> None:
    read = read_located(b"# a remark\na: 017\nb:\n- x\n- c: yes\n  d:\n")

    second = read.fields["b"].items[1]
    assert (read.fields["a"].text, read.fields["a"].line) == ("017", 2)
    assert (second.line, second.fields["c"].text, second.fields["d"].text) == (5, "yes", "")


def test_json_is_read_too() -> None:
    read = read_located(b'[{"pattern": "\\\\d+$",\n "on": true, "none": []}]')

    assert read.items[0].fields["pattern"].text == "\\d+$"
    assert read.items[0].fields["on"].line == 2
    assert read.items[0].fields["none"].items == []


def test_a_value_without_list_or_object_has_no_members() -> None:
    read = read_located(b"text")

    assert (read.items, read.fields, read_located(b"[]").text) == ((), {}, None)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a: &x [1]\nb: *x\n", r"Line 2 has an alias, \*x"),
        (b"a: &x [*x]\n", "alias"),
        (b"[" * 30 + b"]" * 30, "nested deeper than 20"),
        (b"[" + b"1," * 100_001 + b"]", "100,000 values"),
        (b" " * (MOST_BYTES + 1), "Split it"),
        (b"a: [\n", "not valid YAML: line 2"),
        (b"a: 1\na: 2\n", "Line 2: a key must be a text, and occur once"),
        (b"[1]: 2\n", "Line 1: a key must be a text"),
        (b"a: 1\n---\nb: 2\n", "one YAML document"),
        (b"", "one YAML document"),
        (b"\xff\xff", "not UTF-8"),
    ],
)
def test_an_unreadable_file_is_reported_with_its_line(content: bytes, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why):
        read_located(content)


def test_a_tag_makes_no_object() -> None:
    read = read_located(b"a: !!python/object/apply:os.system [x]\n")

    assert read.fields["a"].items[0].text == "x"
