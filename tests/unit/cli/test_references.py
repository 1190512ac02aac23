"""Relative references: every example of RFC 3986 §5.4 and the table of the URI draft of 1994."""

from __future__ import annotations

import pytest

from ginuri import MalformedIdentifier
from ginuri.cli.identifiers.compare import resolve_reference

BASE = "http://a/b/c/d;p?q"
# RFC 3986 §5.4.1
NORMAL = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
}
# RFC 3986 §5.4.2, the last one "for strict parsers"
ABNORMAL = {
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}
# URI draft of 1994, "Partial (relative) form"
DRAFT = {
    "g": "magic://a/b/c//d/e/g",
    "/g": "magic://a/g",
    "//g": "magic://g",
    "../g": "magic://a/b/c//d/g",
    "g:a": "g:a",
}


@pytest.mark.parametrize(("reference", "target"), [*NORMAL.items(), *ABNORMAL.items()])
def test_a_reference_is_resolved_as_in_every_example_of_rfc_3986(reference: str, target: str) -> None:
    assert resolve_reference(reference, BASE) == target


@pytest.mark.parametrize("base", ["magic://a/b/c//d/e/f", "magic://a/b/c//d/e/"])
@pytest.mark.parametrize(("reference", "target"), DRAFT.items())
def test_a_reference_is_resolved_as_in_the_draft_of_1994(base: str, reference: str, target: str) -> None:
    assert resolve_reference(reference, base) == target


# The mistakes of other libraries (docs/explanation/decisions/0019-references-are-resolved-by-uritools.md)
@pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("http://a/b?x", "?", "http://a/b?"),  # §5.3: an empty query is defined
        ("http://a/b", "#", "http://a/b#"),
        ("http://a/b", "//g?", "http://g?"),
        ("http://a", "g", "http://a/g"),  # §5.2.3: an authority and an empty path
        ("http://a/b/c//d", "..//g", "http://a/b/c//g"),  # empty segments are segments
        ("http://a/b%2fc", "%2e%2e/g", "http://a/%2e%2e/g"),  # escapes are not undone before dots are removed
        ("http://a/b", "g%2Fh%2d", "http://a/g%2Fh%2d"),  # nor rewritten
        ("info:pmid/1", "2", "info:pmid/2"),
        ("urn:isbn:1", "#x", "urn:isbn:1#x"),
        ("uri-x://h/uri-gin/azgs/map/1/", "../2/", "uri-x://h/uri-gin/azgs/map/2/"),
    ],
)
def test_a_reference_outside_the_algorithms_cases_stays_unchanged(
    base: str, reference: str, target: str
) -> None:
    assert resolve_reference(reference, base) == target


@pytest.mark.parametrize("base", ["uri-gin/azgs/", "//a/b", "", "http://a/%zz", "http://a/b c"])
def test_a_base_is_a_whole_uri(base: str) -> None:
    with pytest.raises(MalformedIdentifier):
        resolve_reference("g", base)
