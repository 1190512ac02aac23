"""For every cell: a repair is valid, and the repaired file differs only in that cell."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.repairs.json_lines import repair_line
from ginuri.files.repairs.locations import find_oddities, repair_identifier, repair_location
from ginuri.files.repairs.tables import repair_row
from ginuri.files.repairs.words import repair_day, repair_language, repair_media_type
from ginuri.files.tables.formulas import unguard
from ginuri.identifiers import parse
from ginuri.registry.locations import is_location
from ginuri.registry.version_names import is_day

_PIECES = st.sampled_from(
    ("http", "https", "htp", "www.", "example.org", ":", "/", "//", "\\", " ", "\n", "%", "%20", "#", "?")
) | st.sampled_from(
    (
        "ü",
        "\u200b",
        "<",
        '"',
        "uri-gin",
        "azgs",
        "{",
        "[",
        "@",
        ",",
        ".",
        "PDF",
        "2011",
        "-08",
        "n/a",
        "\ud800",
    )
)
_WRITTEN = st.text() | st.lists(_PIECES, max_size=12).map("".join)
_CELLS = st.text(st.sampled_from("ab;,\t\"'=-\r\n éß"), max_size=6)


@given(_WRITTEN)
def test_a_suggestion_is_valid(written: str) -> None:
    location, identifier = repair_location(written).suggestion, repair_identifier(written)
    day, language = repair_day(written), repair_language(written)
    repair_media_type(written)

    assert location is None or is_location(location)
    assert identifier is None or parse(identifier) is not None
    assert day is None or is_day(day)
    assert language is None or language.isascii()


@given(_WRITTEN.map(lambda written: f"https://example.org/{written}"))
def test_a_repair_removes_the_oddity_of_an_address(location: str) -> None:
    for oddity in find_oddities(location):
        assert oddity.suggestion is None or len(oddity.suggestion) < len(location)


@given(
    st.lists(_CELLS, min_size=2, max_size=5),
    st.integers(0, 4),
    _CELLS.map(str.strip),  # suggestions are valid too
    st.sampled_from(";,\t"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_only_the_repaired_cell_of_a_row_changes(
    cells: list[str], number: int, text: str, separator: str, quoting: Any
) -> None:
    at = number % len(cells)
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=separator, quoting=quoting).writerow(cells)

    row = repair_row(written.getvalue().encode(), separator, {at: text}, len(cells))

    assert row is not None
    [read] = csv.reader(io.StringIO(row.decode(), newline=""), delimiter=separator, strict=True)
    assert [*read[:at], unguard(read[at]), *read[at + 1 :]] == [*cells[:at], text, *cells[at + 1 :]]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab", min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    members=st.dictionaries(st.text("cd.", min_size=1, max_size=2), _JSON, max_size=3),
    text=st.text(max_size=5),
    is_ascii=st.booleans(),
)
def test_only_the_repaired_member_of_an_object_changes(
    members: dict[str, Any], text: str, *, is_ascii: bool
) -> None:
    before = {**members, "x": [{"y": "old"}]}
    written = json.dumps(before, ensure_ascii=is_ascii).encode(errors="surrogatepass")

    repaired = repair_line(written, "x.0.y", text)

    assert repaired is not None
    assert json.loads(repaired) == {**members, "x": [{"y": text} if text else {}]}
