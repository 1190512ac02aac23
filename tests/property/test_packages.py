"""Replacing a part of a zip changes only this part, whatever the other parts and their compression."""

from __future__ import annotations

import io
import zipfile

from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.spreadsheets.repairs.packages import replace_part


class _Unseekable(io.BytesIO):
    """Makes zipfile write data descriptors after the parts, as streaming writers do."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise OSError


_METHODS = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
_PARTS = st.lists(st.tuples(st.binary(max_size=300), _METHODS), min_size=1, max_size=6)


@st.composite
def _packages(draw: st.DrawFn) -> bytes:
    content = _Unseekable() if draw(st.booleans()) else io.BytesIO()
    with zipfile.ZipFile(content, "w") as package:
        package.comment = draw(st.binary(max_size=20))
        for number, (part, method) in enumerate(draw(_PARTS)):
            package.writestr(str(number), part, method)
    return draw(st.binary(max_size=20)) + content.getvalue()


def _packed(content: bytes, entry: zipfile.ZipInfo) -> bytes:
    begin = entry.header_offset
    return content[begin : begin + 30 + len(entry.filename) + entry.compress_size]


@given(_packages(), st.integers(min_value=0), st.binary(max_size=300))
def test_only_the_replaced_part_of_a_package_changes(before: bytes, number: int, content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(before)) as old:
        entries = old.infolist()
    name = entries[number % len(entries)].filename

    after = replace_part(before, name, content)

    with zipfile.ZipFile(io.BytesIO(after)) as new:
        assert new.testzip() is None
        assert (new.namelist(), new.comment) == ([entry.filename for entry in entries], old.comment)
        assert new.read(name) == content
        others = [entry for entry in entries if entry.filename != name]
        assert [_packed(after, new.getinfo(each.filename)) for each in others] == [
            _packed(before, each) for each in others
        ]
