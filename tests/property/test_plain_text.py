"""For every text: the cleaned text is plain, and cleaning it again changes nothing."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.reading import read_values
from ginuri.registry.texts.plain_text import fault_of, plain, plain_values

_ODD = st.sampled_from(
    "\x00\x1b\x0b\x0c\r\n\t\x7f\x85\x93\u202a\u202e\u2066\u2067\u2068\u2069\ufdd0\uffff\u0301ea "
)
TEXTS = st.text(_ODD | st.characters(codec="utf-8"), max_size=40)


@given(TEXTS, st.booleans())
def test_a_cleaned_text_has_no_fault(text: str, has_lines: bool) -> None:  # noqa: FBT001  drawn
    cleaned = plain(text, has_lines=has_lines)

    assert fault_of(cleaned) is None
    assert plain(cleaned, has_lines=has_lines) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert has_lines or not {"\n", "\t"} & {*cleaned}


@given(TEXTS)
def test_only_texts_with_a_fault_lose_characters(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")

    assert (fault_of(text) is not None) or plain(text) == unicodedata.normalize("NFC", lines)


@given(TEXTS)
def test_two_spellings_of_one_text_are_cleaned_the_same(text: str) -> None:
    assert plain(unicodedata.normalize("NFD", text)) == plain(unicodedata.normalize("NFC", text))


@given(st.dictionaries(st.sampled_from(["title", "description", "reason"]), TEXTS))
def test_stored_values_are_read_with_plain_texts(values: dict[str, str]) -> None:
    for is_ascii in (True, False):
        assert read_values(json.dumps(values, ensure_ascii=is_ascii)) == plain_values(values)
