"""The names of RDF that are identifiers, and the suggested mapping for all others."""

from __future__ import annotations

import pytest

from ginuri.files.rdf.subjects import Subjects, read_mappings
from ginuri.identifiers.errors import UnreadableFile

FOLDER = "uri-gin/usgin/"
GEO = "http://vocab.example.org/geo/{+rest}=uri-gin/usgin/vocab/geo/{+rest}"
HASH = "http://vocab.example.org/lith#{+rest}=uri-gin/usgin/lith/{+rest}"


@pytest.mark.parametrize(
    ("mapping", "name", "identifier"),
    [
        (GEO, "http://vocab.example.org/geo/rock/granite", "uri-gin/usgin/vocab/geo/rock/granite"),
        (GEO, "http://vocab.example.org/geo/rock/", "uri-gin/usgin/vocab/geo/rock/"),
        (GEO, "http://vocab.example.org/geo/a%20b", "uri-gin/usgin/vocab/geo/a%20b"),
        (GEO, "http://vocab.example.org/geo/grès", "uri-gin/usgin/vocab/geo/gr%C3%A8s"),
        (GEO, "http://vocab.example.org/geo/", None),
        (GEO, "http://vocab.example.org/other/x", None),
        (GEO, "http://vocab.example.org/geo/vocab#Term", None),
        (HASH, "http://vocab.example.org/lith#slate", "uri-gin/usgin/lith/slate"),
        (HASH, "http://vocab.example.org/lith", None),
        (f"{GEO}, {HASH}", "http://vocab.example.org/lith#slate", "uri-gin/usgin/lith/slate"),
        (f"{GEO} {HASH}", "http://vocab.example.org/geo/x", "uri-gin/usgin/vocab/geo/x"),
        ("http://x.org/v=uri-gin/usgin/v/", "http://x.org/v", "uri-gin/usgin/v/"),
        ("http://x.org/v=uri-gin/usgin/v/", "http://x.org/v/w", None),
        (
            "http://x.org/{c}/HP_{n}=uri-gin/usgin/hp/{c}/{n}",
            "http://x.org/azgs/HP_7",
            "uri-gin/usgin/hp/azgs/7",
        ),
        ("http://x.org/?id={n}=http://r.org/uri-gin/usgin/{n}", "http://x.org/?id=7", "uri-gin/usgin/7"),
        ("urn:cgi:{+rest}=uri-gin/usgin/cgi/{+rest}", "urn:cgi:x:rock", "uri-gin/usgin/cgi/x:rock"),
        ("", "http://any.host/uri-gin/usgin/x", "uri-gin/usgin/x"),
        ("", "http://any.host/uri-gin/usgin.geo/x", "uri-gin/usgin.geo/x"),
        ("", "http://any.host/uri-gin/usgin/", None),
        ("", "http://any.host/uri-gin/azgs/x", None),
        ("", "http://any.host/uri-ginx/azgs/x", None),
        ("", "http://any.host/uri-gin/usgin/v#Term", None),
    ],
)
def test_a_mapped_name_is_an_identifier(mapping: str, name: str, identifier: str | None) -> None:
    assert Subjects(FOLDER, read_mappings(mapping)).identify(name) == identifier


def test_a_mapped_subject_without_a_valid_identifier_is_still_returned() -> None:
    subjects = Subjects(FOLDER, read_mappings("http://x.org/{+rest}=uri-gin/usgin/{+rest}"))

    assert subjects.identify("http://x.org/a//b") == "uri-gin/usgin/a//b"
    assert subjects.refer("http://x.org/a//b") is None


@pytest.mark.parametrize(
    ("mapping", "why"),
    [
        ("http://x.org/{+rest}", "does not lead to an identifier"),
        ("http://x.org/{+rest}=https://elsewhere.org/{+rest}", "does not lead to an identifier"),
        ("http://x.org/{a:digit}=uri-gin/usgin/{a}", "digit is no type"),
        ("http://x.org/{a}/{a}=uri-gin/usgin/{a}", "a name of its own"),
        ("http://x.org/{a}=uri-gin/usgin/{b}", "no piece called b"),
        ("http://x.org/{a}=uri-gin/usgin/{a", "Write names in braces"),
    ],
)
def test_an_unusable_mapping_is_refused_with_an_example(mapping: str, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why) as caught:
        read_mappings(mapping)

    assert "A mapping of names looks like" in str(caught.value.reason)


@pytest.mark.parametrize(
    ("name", "mapping", "identifier"),
    [
        (
            "http://x.org/vocab#Term",
            "http://x.org/vocab#{+rest}=uri-gin/usgin/vocab/{+rest}",
            "uri-gin/usgin/vocab/Term",
        ),
        (
            "http://x.org/def/geo/rock",
            "http://x.org/def/geo/{+rest}=uri-gin/usgin/geo/{+rest}",
            "uri-gin/usgin/geo/rock",
        ),
        ("http://x.org/rock", "http://x.org/{+rest}=uri-gin/usgin/{+rest}", "uri-gin/usgin/rock"),
        ("urn:cgi:rock", "urn:cgi:{+rest}=uri-gin/usgin/{+rest}", "uri-gin/usgin/rock"),
        (
            "http://r.org/uri-gin/usgin/v#Term",
            "http://r.org/uri-gin/usgin/v#{+rest}=uri-gin/usgin/v/{+rest}",
            "uri-gin/usgin/v/Term",
        ),
    ],
)
def test_a_suggested_mapping_works(name: str, mapping: str, identifier: str) -> None:
    subjects = Subjects(FOLDER, [])
    assert subjects.identify(name) is None

    assert subjects.suggest() == (mapping, name)
    assert Subjects(FOLDER, read_mappings(mapping)).identify(name) == identifier


def test_the_suggested_mapping_covers_most_names() -> None:
    subjects = Subjects(FOLDER, [])
    for name in ("http://one.org/a", "http://most.org/v#a", "http://most.org/v#b"):
        subjects.identify(name)

    assert subjects.suggest()[0].startswith("http://most.org/v#{+rest}=")
