"""Values with only one possible meaning are repaired; all others stay."""

from __future__ import annotations

import json

import pytest

from ginuri.files.repairs.locations import find_oddities, repair_identifier, repair_location
from ginuri.files.repairs.words import (
    is_nothing,
    nearest,
    repair_day,
    repair_language,
    repair_media_type,
)
from ginuri.files.repairs.writer import write_repaired
from ginuri.files.schema.statements import read_statements
from ginuri.files.tables.delimited import read_delimited
from ginuri.registry.locations import is_location
from tests.spreadsheets import written

DOC = "uri-gin/azgs/doc/1"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("www.example.org", "https://www.example.org"),
        ("example.org/a.pdf", "https://example.org/a.pdf"),
        ("example.org:8080/a", "https://example.org:8080/a"),
        ("http:/example.org/a", "http://example.org/a"),
        ("http//example.org/a", "http://example.org/a"),
        ("https//example.org/a", "https://example.org/a"),
        ("https:example.org/a", "https://example.org/a"),
        ("https;//example.org/a", "https://example.org/a"),
        ("htp://example.org/a", "http://example.org/a"),
        ("htpps://example.org/a", "https://example.org/a"),
        ("hhttp://example.org/a", "http://example.org/a"),
        ("ttps://example.org/a", "https://example.org/a"),
        ("http:/https://example.org/a", "https://example.org/a"),
        ("://example.org/a", "https://example.org/a"),
        ("//example.org/a", "https://example.org/a"),
        ("https: //example.org/a", "https://example.org/a"),
        ("https:\\\\example.org\\a\\b.pdf", "https://example.org/a/b.pdf"),
        ("https://example.org/a b.pdf", "https://example.org/a%20b.pdf"),
        ("https://example.org/Übersicht", "https://example.org/%C3%9Cbersicht"),
        ("https://example.org/U\u0308bersicht", "https://example.org/%C3%9Cbersicht"),
        ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
        ("https://www. example.org/a", "https://www.example.org/a"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/a[1].pdf", "https://example.org/a%5B1%5D.pdf"),
        ("https://example.org/a#b#c d", "https://example.org/a#b%23c%20d"),
        ("<https://example.org/a>", "https://example.org/a"),
        ('"https://example.org/a"', "https://example.org/a"),
        ("\u201chttps://example.org/a\u201d,", "https://example.org/a"),
        ("\u00a0https://example.org/a\u00a0", "https://example.org/a"),
        ("https://example.org/\u200ba", "https://example.org/a"),
        ("https://example.org/a\nb.pdf", "https://example.org/ab.pdf"),
        ("URL: https://example.org/a b", "https://example.org/a%20b"),
        ("htp:/www.example.org\\Übersicht 1.pdf.", "http://www.example.org/%C3%9Cbersicht%201.pdf"),
    ],
)
def test_an_address_is_repaired(written: str, meant: str) -> None:
    assert not is_location(written)
    assert repair_location(written).suggestion == meant
    assert is_location(meant)


@pytest.mark.parametrize(
    "written",
    [
        *("C:\\maps\\a.pdf", "\\\\server\\maps\\a.pdf", "file:///a.pdf", "/home/a.pdf", "./a.pdf"),
        *("a.pdf", "see the archive", "htp", "ftp://example.org/a", "mailto:a@example.org", "https://"),
        *("https://user:secret@example.org/a b", "https://a.example/a; https://b.example/b", "x" * 2_001),
        *("https://example.org/\ud800", "https://intranet/a b", "https://.../a b"),
    ],
)
def test_an_ambiguous_address_gets_no_suggestion(written: str) -> None:
    assert repair_location(written).suggestion is None


@pytest.mark.parametrize(
    ("location", "rule", "suggestion"),
    [
        ("https://example.org/a.pdf,", "punctuation", "https://example.org/a.pdf"),
        ("https://example.org/a%2520b", "encoded twice", "https://example.org/a%20b"),
        ("http://https://example.org/a", "protocol", "https://example.org/a"),
        ("https://example.org/?a=1&amp;b=2", "entity", "https://example.org/?a=1&b=2"),
        *(
            (f"http://{host}/a", "public address", None)
            for host in (
                "localhost",
                "127.0.0.1",
                "10.1.2.3",
                "192.168.0.1",
                "169.254.1.1",
                "[::1]",
                "a.local",
            )
        ),
        *((f"http://{host}/a", None, None) for host in ("8.8.8.8", "example.org", "3com.example", "1.2.3")),
    ],
)
def test_a_valid_but_unlikely_address_is_a_warning(
    location: str, rule: str | None, suggestion: str | None
) -> None:
    expected = [] if rule is None else [(rule, suggestion)]

    assert [(oddity.rule, oddity.suggestion) for oddity in find_oddities(location)] == expected


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("uri-gin/azgs/doc/a b", "uri-gin/azgs/doc/a%20b"),
        ("uri-gin/azgs//doc/a", "uri-gin/azgs/doc/a"),
        ("uri-gin\\azgs\\doc", "uri-gin/azgs/doc"),
        ("URI-GIN/azgs/doc", "uri-gin/azgs/doc"),
        ("\u200buri-gin/azgs/doc", "uri-gin/azgs/doc"),
        ("uri-gin/azgs/doc/é", "uri-gin/azgs/doc/%C3%A9"),
        ("htp://example.org/uri-gin/azgs/doc", "http://example.org/uri-gin/azgs/doc"),
        ("uri-gin/azgs/doc/100%", "uri-gin/azgs/doc/100%25"),
        ("azgs/doc", None),
        ("", None),
        ("uri-gin/azgs/\ud800", None),
    ],
)
def test_an_identifier_is_repaired(written: str, meant: str | None) -> None:
    assert repair_identifier(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("English", "en"), ("DEUTSCH", "de"), ("español", "es"), ("en_US", "en-US"), ("en gb", "en-gb")),
        *(("Klingon", None), ("en, de", None)),
    ],
)
def test_the_name_of_a_language_is_its_tag(written: str, meant: str | None) -> None:
    assert repair_language(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("PDF", "application/pdf"), (".pdf", "application/pdf"), ("PDF file", "application/pdf")),
        *(("text/html;charset", "text/html"), ("text/html; charset=utf-8;", "text/html;charset=utf-8")),
        *(("aplication/pdf", "application/pdf"), ("text \\ html", "text/html"), ("image/x y", "image/x")),
        *(("nothing/known?", None), ("something", None)),
    ],
)
def test_the_name_of_a_format_is_its_media_type(written: str, meant: str | None) -> None:
    assert repair_media_type(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("2011.08.25", "2011-08-25"), ("2011/8/5", "2011-08-05"), ("20110825", "2011-08-25")),
        *(("2011-08-25T12:00:00Z", "2011-08-25"), ("25 August 2011", "2011-08-25")),
        *(("Aug. 25th, 2011", "2011-08-25"), ("25/08/2011", None), ("08/09/2011", None)),
        *(("2011-02-30", None), ("25 Foo 2011", None), ("2011", None)),
    ],
)
def test_a_day_is_repaired_if_its_parts_are_known(written: str, meant: str | None) -> None:
    assert repair_day(written) == meant


@pytest.mark.parametrize("written", ["n/a", " N/A ", "unknown", "not available", "–", "sin datos", "#N/A"])
def test_a_word_for_an_absent_value_is_no_value(written: str) -> None:
    assert is_nothing(written)
    assert not is_nothing(f"{written} x")


def test_an_unrecognisable_code_is_not_guessed() -> None:
    assert nearest("", ("valid",)) is None
    assert nearest("deleted", ("valid",)) is None


def test_every_field_suggests_a_likely_value() -> None:
    row = read_statements(
        1,
        {
            "identifier": DOC,
            "status": "deleted",
            "language": "English",
            "homepage": "www.example.org",
            "successor": f"<{DOC}>/",
            "valid_from": "n/a",
            "title": {"English": "x"},
            "representations": [
                {"media_type": "PDF", "valid_from": "2011.8.1", "profile": "www.example.org/p"}
            ],
            "trusted_hosts": ["https://a.example/"],
        },
    )

    assert {finding.field: finding.suggestion for finding in row.findings} == {
        "language": None,
        "status": "retired",
        "homepage": "https://www.example.org",
        "successor": f"{DOC}%3E/",
        "title.English": None,
        "valid_from": "",
        "representations.0.media_type": "application/pdf",
        "representations.0.valid_from": "2011-08-01",
        "representations.0.profile": "https://www.example.org/p",
        "trusted_hosts.0": "a.example",
    }


def test_the_suggestion_is_for_the_whole_cell() -> None:
    rows = read_delimited(
        [
            b"identifier,record,stands_for,trusted_hosts,services\n",
            f'{DOC},alias,"{DOC}\\2 | {DOC}//3",,"[{{""media_type"": ""PDF""}}]"\n'.encode(),
            f'{DOC},authority,,"http://a.example/, b.example; n/a",\n'.encode(),
        ]
    )

    _, alias, authority = rows

    suggestions = {finding.field: finding.suggestion for finding in (*alias.findings, *authority.findings)}
    assert suggestions["stands_for.0"] == suggestions["stands_for.1"] == f"{DOC}/2 | {DOC}/3"
    assert suggestions["trusted_hosts.0"] == "a.example, b.example;"
    assert all(text is None for field, text in suggestions.items() if field.startswith("services"))


def test_a_repaired_identifier_is_named_in_the_message() -> None:
    [finding] = read_statements(1, json.loads(f'{{"identifier": "{DOC} x"}}')).findings

    assert str(finding.message).endswith(f"must be percent-encoded. Did you mean {DOC}%20x?")


@pytest.mark.parametrize("name", ["wells.csv", "wells.xlsx"])
def test_a_cell_of_two_columns_with_the_same_name_stays(name: str) -> None:
    rows = [["identifier", "Map  of", "Map of"], ["uri-gin/azgs/doc/1", "a", "b"]]
    content = written(rows) if name.endswith("xlsx") else "\n".join(map(",".join, rows)).encode()

    repaired, cells = write_repaired(name, content, {(2, "Map of"): "c"})

    assert (repaired, cells) == (content, set())
