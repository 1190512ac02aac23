"""For every workbook: one sheet is read, and every other sheet that is not empty is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.spreadsheets.csv_lines import AS_WRITTEN
from ginuri.files.spreadsheets.several_sheets import format_of
from ginuri.files.tables.heading import HeadingReader
from ginuri.registration.verdicts import Finding, Level
from tests.spreadsheets import open_document, workbook


class _Kind(Enum):
    EMPTY = 0
    NOTES = 1
    HEADING = 2
    REGISTRATIONS = 3


_LOST = {_Kind.NOTES, _Kind.REGISTRATIONS}
_SHEETS = st.lists(st.tuples(st.sampled_from(_Kind), st.booleans()), min_size=1, max_size=6).filter(
    lambda sheets: not all(is_hidden for _, is_hidden in sheets)
)
_WRITE = {".xlsx": workbook, ".ods": open_document}


_LAST_LINE: Mapping[_Kind, Callable[[str], list[str]]] = {
    _Kind.EMPTY: lambda _: [],
    _Kind.NOTES: lambda name: [f"on,{name}"],
    _Kind.HEADING: lambda _: ["\ufeffidentifier,title"],
    _Kind.REGISTRATIONS: lambda name: [f"uri-gin/azgs/{name},{name}"],
}


def _rows(name: str, kind: _Kind) -> list[list[str]]:
    rows = {
        _Kind.EMPTY: [],
        _Kind.NOTES: [["Notes", ""], ["on", name]],
        _Kind.HEADING: [["identifier", "title"]],
        _Kind.REGISTRATIONS: [["Wells"], ["identifier", "title"], [f"uri-gin/azgs/{name}", name]],
    }
    return rows[kind]


@pytest.mark.parametrize("suffix", _WRITE)
@given(sheets=_SHEETS)
def test_every_sheet_of_a_workbook_is_read_or_named(suffix: str, sheets: list[tuple[_Kind, bool]]) -> None:
    named = {f"Sheet {number}": sheet for number, sheet in enumerate(sheets)}
    content = _WRITE[suffix](
        {name: _rows(name, kind) for name, (kind, _) in named.items()},
        [name for name, (_, is_hidden) in named.items() if is_hidden],
    )
    remarks: list[Finding] = []

    read = format_of(suffix).read(content, HeadingReader(), "", remarks.append, AS_WRITTEN)
    lines = b"".join(read).decode()

    visible = {name: kind for name, (kind, is_hidden) in named.items() if not is_hidden}
    chosen = max(visible, key=lambda name: visible[name].value)
    assert lines.splitlines()[-1:] == _LAST_LINE[visible[chosen]](chosen)
    others = {name for name, (kind, _) in named.items() if kind in _LOST and name != chosen}
    assert {name for name in named if any(f"'{name}'" in _sheets(remark) for remark in remarks)} == others
    is_lost = any(kind is _Kind.REGISTRATIONS for name, kind in visible.items() if name != chosen)
    assert any(remark.level is Level.REFUSED for remark in remarks) == is_lost


def _sheets(remark: Finding) -> str:
    return str(remark.message.values["sheets"])
