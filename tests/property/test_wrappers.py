"""Every identifier comes out of its wrappers; and unwrapping twice changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.identifiers.wrappers import unwrap
from tests.property.strategies import IDENTIFIERS

_AROUND = st.sampled_from(
    [
        ("<", ">"),
        ('"', '"'),
        ("'", "'"),
        ("<URL:", ">"),
        ("URL: ", ""),
        ("url:", " "),
        (" \t", "\u00a0"),
        ("\r\n", "\n"),
        ("\u201c", "\u201d"),
        ("\u00ab ", " \u00bb"),
    ]
)
_BREAKS = st.sampled_from(["\n", "\r\n  ", " \n\t", "\n\n", "\x85"])
_URIS = st.builds(
    str.__add__, st.sampled_from(["", "/", "http://a.example/", "https://a.example:8443/"]), IDENTIFIERS
)
_ANYTHING = st.text() | st.text("<>\"'\u201c\u201d url:URL./ahtp\n")


@given(_URIS, st.lists(_AROUND, max_size=4), st.lists(st.tuples(st.integers(0, 80), _BREAKS), max_size=3))
def test_a_wrapped_identifier_is_unwrapped(
    uri: str, around: list[tuple[str, str]], breaks: list[tuple[int, str]]
) -> None:
    wrapped = uri
    for at, line_break in breaks:
        wrapped = wrapped[:at] + line_break + wrapped[at:]
    for before, after in around:
        wrapped = f"{before}{wrapped}{after}"

    assert unwrap(wrapped) == uri
    assert parse(unwrap(wrapped)) == parse(uri)


@given(_ANYTHING)
def test_unwrapping_is_idempotent(text: str) -> None:
    assert unwrap(unwrap(text)) == unwrap(text)


@given(_URIS)
def test_an_unwrapped_identifier_stays_the_same(uri: str) -> None:
    assert unwrap(uri) == uri
