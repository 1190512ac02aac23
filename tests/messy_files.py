"""Registry files as spreadsheets write them, with one peculiarity each, named after it."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

from tests.spreadsheets import written

FOLDER = "uri-gin/azgs/"
_WELLS = "uri-gin/azgs/well"


def _table(*rows: str, end: str = "\r\n") -> bytes:
    return "".join(f"{row}{end}" for row in rows).encode()


FILES: Mapping[str, bytes] = {
    "titles-above-the-heading.csv": _table(
        "Arizona Geological Survey;;",
        ";;",
        "Wells of 2011;;",
        "Identifier;Title;Location",
        f"{_WELLS}/1/;Well 1;https://example.org/1",
        f"{_WELLS}/2/;Well 2;example.org/2",
    ),
    "other-names-of-columns.csv": _table(
        "Persistent ID;Name;Link",
        f"{_WELLS}/1/;Well 1;https://example.org/1",
        f"{_WELLS}/2/;Well 2;https://example.org/2",
    ),
    "no-heading.csv": _table(f"{_WELLS}/1/,Well 1,https://example.org/1", f"{_WELLS}/2/,Well 2,"),
    "a-heading-twice.csv": _table("identifier,title,Title,location", f"{_WELLS}/1/,Well 1,Pozo 1,"),
    "a-break-in-a-heading.csv": _table(
        'identifier,"Media\nType",location', f"{_WELLS}/1.pdf,PDF,https://example.org/1.pdf"
    ),
    "columns-without-a-name.csv": _table(
        "identifier,title,,,", f"{_WELLS}/1/,Well 1,,,", f"{_WELLS}/2/,Well 2,checked,,"
    ),
    "separated-by-bars.csv": _table("identifier|title", f"{_WELLS}/1/|Well 1"),
    "saved-in-windows-1252.csv": f"identifier;title\r\n{_WELLS}/1/;Übersicht\r\n".encode("cp1252"),
    "saved-as-unicode-text.csv": codecs.BOM_UTF16_LE
    + f"identifier\ttitle\tstatus\r\n{_WELLS}/1/\tÜbersicht\tdeleted\r\n".encode("utf-16-le"),
    "a-quotation-mark-that-is-not-closed.csv": _table(
        "identifier,title", f'{_WELLS}/1/,"Well 1', f"{_WELLS}/2/,Well 2"
    ),
    "web-addresses-as-people-write-them.csv": _table(
        "identifier,location",
        f"{_WELLS}/1/,www.example.org/1",
        f"{_WELLS}/2/,https://example.org/map 2",
        f"{_WELLS}/3/,https://example.org/Karte-Süd",
        f"{_WELLS}/4/,https:\\\\example.org\\4",
        f"{_WELLS}/5/,n/a",
        f"{_WELLS}/6/,htp://example.org/6",
        f"{_WELLS}/7/,C:\\maps\\7.pdf",
        f"{_WELLS}/8/,http://192.168.1.8/8",
        f"{_WELLS}/9/,https://example.org/9.",
    ),
    "identifiers-as-people-write-them.csv": _table(
        "identifier,title",
        "uri-gin/azgs/well 1/,Well 1",
        "uri-gin/azgs//well/2/,Well 2",
        "uri-gin/AZGS/well/3/,Well 3",
        "uri-gin\\azgs\\well\\4,Well 4",
        "uri-gin/usgs/well/5/,Well 5",
        "Well 6,Well 6",
        ",Well 7",
    ),
    "characters-that-nobody-sees.csv": _table(
        "identifier,location",
        f"\N{ZERO WIDTH SPACE}{_WELLS}/1/,https://example.org/1",
        f"{_WELLS}/2/\N{NO-BREAK SPACE},\N{NO-BREAK SPACE}https://example.org/2",
        f"{_WELLS}/3/,\N{LEFT DOUBLE QUOTATION MARK}https://example.org/3\N{RIGHT DOUBLE QUOTATION MARK}",
    ),
    "values-from-a-list-in-other-words.csv": _table(
        "identifier,status",
        f"{_WELLS}/1/,Retired",
        f"{_WELLS}/2/,deleted",
        f"{_WELLS}/3/,retird",
        f"{_WELLS}/4/,published",
    ),
    "dates-as-people-write-them.csv": _table(
        "identifier,location,valid_from",
        f"{_WELLS}/1,https://example.org/1,2011.08.25",
        f"{_WELLS}/2,https://example.org/2,25/08/2011",
        f"{_WELLS}/3,https://example.org/3,25 August 2011",
        f"{_WELLS}/4,https://example.org/4,40780",
    ),
    "media-types-and-languages-by-name.csv": _table(
        "identifier,location,media_type,language",
        f"{_WELLS}/1.pdf,https://example.org/1.pdf,PDF,English",
        f"{_WELLS}/2.pdf,https://example.org/2.pdf,aplication/pdf,en_US",
    ),
    "rows-that-disagree.csv": _table(
        "identifier,title", f"{_WELLS}/1/,Well 1", f"{_WELLS}/1/,Well one", f"{_WELLS}/2/,Well 2"
    ),
    "errors-of-formulas.csv": _table(
        "identifier,title,location",
        f"{_WELLS}/1/,#REF!,https://example.org/1",
        "#N/A,Well 2,https://example.org/2",
        f"{_WELLS}/3/,Well 3,#VALUE!",
    ),
    "a-sum-below-the-rows.csv": _table(
        "identifier,title", f"{_WELLS}/1/,Well 1", f"{_WELLS}/2/,Well 2", ",", "Total: 2,"
    ),
    "one-habit-in-ninety-rows.csv": _table(
        "identifier,title,location",
        *(f"{_WELLS}/{number}/,Well {number},www.example.org/{number}" for number in range(90)),
    ),
    "numbers-and-formulas.xlsx": written(
        [
            ["identifier", "title", "location"],
            [f"{_WELLS}/1/", 37, "https://example.org/1"],
            [2, "Well 2", "www.example.org/2"],
            [f"{_WELLS}/3/", "Well 3", "TBD"],
        ]
    ),
}
"""The content of the file, by its name."""
