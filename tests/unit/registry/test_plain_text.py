"""The allowed characters of a text (Unicode 17, §23; UAX #9)."""

from __future__ import annotations

import pytest

from ginuri.registry.texts.plain_text import MOST_CHARACTERS, fault_of, plain, plain_values


@pytest.mark.parametrize(
    "text",
    [
        "Map",
        "Two lines\nand a\ttab",
        "Übersicht, Huérfano, 地図, \U0001f5fa\ufe0f",
        "\u200eleft, \u200fright, \u061cArabic",
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937",
        "\u2067\u0645\u062b\u0627\u0644\u2069 and \u2068nested \u2066pairs\u2069\u2069",
    ],
)
def test_a_plain_text_stays_unchanged(text: str) -> None:
    assert fault_of(text) is None
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[31mMap", "[31mMap"),
        ("a\x00b\x7f", "ab"),
        ("\x93Map\x94 of \x85\x81", "\u201cMap\u201d of \u2026"),
        ("a\x0bb\x0cc", "a\nb\nc"),
        ("a\ufdd0\ufffe\U0010ffffb", "ab"),
        ("fdp.\u202exls\u202c", "fdp.xls"),
        ("\u2066a\u2067b\u2069", "a\u2067b\u2069"),
        ("a\u2069", "a"),
        ("\u2066a\nb\u2069", "a\nb"),
    ],
)
def test_a_character_outside_plain_text_is_a_fault_and_removed(text: str, cleaned: str) -> None:
    assert fault_of(text) is not None
    assert plain(text) == cleaned
    assert fault_of(cleaned) is None


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("Cafe\u0301", "Café"), ("a\r\nb\rc", "a\nb\nc"), ("\u212b", "Å"), ("\t", "\t"), (" ", " ")],
)
def test_normal_form_and_line_ends_are_no_faults(text: str, cleaned: str) -> None:
    assert fault_of(text) is None
    assert plain(text) == cleaned


def test_a_text_of_one_line_has_spaces_instead_of_line_breaks() -> None:
    assert plain("Map \r\n of\tit", has_lines=False) == "Map of it"


def test_a_text_without_any_plain_character_becomes_a_replacement_character() -> None:
    assert plain("\x00\x07") == "\ufffd"


def test_a_text_is_no_longer_than_a_spreadsheet_cell() -> None:
    assert fault_of("x" * MOST_CHARACTERS) is None
    assert "32,768" in str(fault_of("x" * (MOST_CHARACTERS + 1)))


def test_the_texts_of_a_record_are_cleaned_but_not_its_names() -> None:
    form = {"title": {"to": "\x07Map"}, "file": {"key": "Cafe\u0301.pdf"}, "part": "\x07"}
    values = {
        "representations": {"part x": form},
        "rules": {"{a}": {"representations": {"form": form}, "reason": "a\r\nb"}},
        "delegation": {"to": {"": "\x07"}, "description": {"en": "\x07a"}},
        "links": {"contact": [{"href": "\x07", "title": "a\nb"}]},
        "properties": {"identifier": ["\x07a", "b"], "part": "\x07c"},
        "identifier": "\x07",
    }
    cleaned = {"title": {"to": "Map"}, "file": {"key": "Cafe\u0301.pdf"}, "part": "\x07"}

    assert plain_values(values) == {
        "representations": {"part x": cleaned},
        "rules": {"{a}": {"representations": {"form": cleaned}, "reason": "a\nb"}},
        "delegation": {"to": {"": "\x07"}, "description": {"en": "a"}},
        "links": {"contact": [{"href": "\x07", "title": "a b"}]},
        "properties": {"identifier": ["a", "b"], "part": "c"},
        "identifier": "\x07",
    }
