"""Wrappers that people put around identifiers, and text that is no wrapper."""

from __future__ import annotations

import pytest

from ginuri.identifiers.wrappers import unwrap

URI = "http://resources.usgin.org/uri-gin/azgs/doc/report"


@pytest.mark.parametrize(
    "wrapped",
    [
        URI,
        # RFC 3986 appendix C
        f'"{URI}"',
        f"<{URI}>",
        f"<URL:{URI}>",
        f"<URL: {URI}>",
        f"URL:{URI}",
        f"url: {URI}",
        f"<{URI[:30]}\n{URI[30:]}>",
        f"<{URI[:30]}\r\n     {URI[30:]}\n>",
        f"\t{URI[:30]}  \n\n  {URI[30:]} ",
        # other text around copied identifiers
        f"'{URI}'",
        f"\u201c{URI}\u201d",
        f"\u2018{URI}\u2019",
        f"\u201e{URI}\u201c",
        f"\u00ab\u00a0{URI}\u00a0\u00bb",
        f"<'{URI}'>",
        # RFC 3986 §3.2.2
        URI.replace(".org", ".org."),
        f"<{URI.replace('.org', '.org.')}>",
    ],
)
def test_wrappers_around_an_identifier_are_removed(wrapped: str) -> None:
    assert unwrap(wrapped) == URI


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("//example.org./x", "//example.org/x"),
        ("https://example.org.:8443", "https://example.org:8443"),
        ("HTTP://example.org.", "HTTP://example.org"),
        ("http://example.org.#a", "http://example.org#a"),
        ("<urn:isbn:0451450523>", "urn:isbn:0451450523"),
        ("", ""),
        (" \n ", ""),
        ("<>", ""),
        ("URL:", ""),
    ],
)
def test_only_wrappers_outside_the_identifier_are_removed(text: str, same: str) -> None:
    assert unwrap(text) == same


@pytest.mark.parametrize(
    "text",
    [
        "uri-gin/azgs/o'neill'",  # RFC 3986 §2.2: an apostrophe is a sub-delim
        "uri-gin/azgs/a b",
        "uri-gin/azgs/a//b./c",
        "uri-gin/azgs/doc.",
        "http://example.org../x",
        "http://[::1]./x",
        "<uri-gin/azgs/",
        "uri-gin/azgs/>",
        "<",
        '"',
        "info:url:x",
    ],
)
def test_ambiguous_text_around_an_identifier_stays(text: str) -> None:
    assert unwrap(text) == text


def test_reading_time_is_linear_in_the_length_of_a_text() -> None:
    """Counts steps, not seconds: each character is visited a few times, however the wrappers are nested."""
    deep = "<" * 200_000 + " " * 100_000 + URI + ">" * 200_000

    assert unwrap(deep) == URI
    assert unwrap("//" + "a." * 200_000 + "/") == "//" + "a." * 199_999 + "a/"
