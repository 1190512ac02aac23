"""gzip → bytes: all its members, in any pieces, up to a limit."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.packing import unpack
from ginuri.identifiers.errors import UnreadableFile

MOST = 64 * 1024 * 1024
TEXT = b"identifier,title\nuri-gin/azgs/doc/well,Well\n" * 40


def _unpack(*chunks: bytes, most: int = MOST) -> bytes:
    return b"".join(unpack(chunks, most))


@given(st.lists(st.binary(max_size=50), max_size=5), st.integers(1, 60))
def test_what_was_packed_comes_out_however_it_was_cut(members: list[bytes], size: int) -> None:
    packed = b"".join(gzip.compress(member) for member in (b"first", *members))
    chunks = [packed[start : start + size] for start in range(0, len(packed), size)]

    assert _unpack(*chunks) == b"".join((b"first", *members))


def test_a_file_may_be_filled_up_with_zeros() -> None:
    assert _unpack(gzip.compress(TEXT) + bytes(512), bytes(512), gzip.compress(TEXT)) == TEXT * 2


def test_as_much_as_may_come_out_comes_out() -> None:
    assert _unpack(gzip.compress(TEXT), most=len(TEXT)) == TEXT


def test_more_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"at most 1,000 bytes\. Split it into several files"):
        _unpack(gzip.compress(TEXT[:1001]), most=1000)


@pytest.mark.parametrize("length", range(1, len(gzip.compress(TEXT))))
def test_a_file_that_is_cut_off_is_refused_wherever_it_is_cut(length: int) -> None:
    with pytest.raises(UnreadableFile, match="The file is incomplete"):
        _unpack(gzip.compress(TEXT)[:length])


@pytest.mark.parametrize(
    "content",
    [
        b"identifier,title",
        gzip.compress(TEXT) + b"and more",
        gzip.compress(TEXT)[:-8] + bytes(8),
        gzip.compress(TEXT)[:10] + b"\xff" * 40,
    ],
    ids=["no gzip", "more behind it", "another checksum", "other bytes"],
)
def test_what_is_damaged_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="The file is not gzip, or is damaged"):
        _unpack(content)


def test_what_would_be_too_large_is_never_held() -> None:
    bomb = gzip.compress(bytes(MOST)) * 20
    tracemalloc.start()

    with pytest.raises(UnreadableFile):
        for _ in unpack([bomb], MOST):
            pass

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MOST // 2
