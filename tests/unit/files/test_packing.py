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
def test_compressed_data_decompress_the_same_however_they_are_cut(members: list[bytes], size: int) -> None:
    packed = b"".join(gzip.compress(member) for member in (b"first", *members))
    chunks = [packed[start : start + size] for start in range(0, len(packed), size)]

    assert _unpack(*chunks) == b"".join((b"first", *members))


def test_a_file_may_be_padded_with_zeros() -> None:
    assert _unpack(gzip.compress(TEXT) + bytes(512), bytes(512), gzip.compress(TEXT)) == TEXT * 2


def test_the_allowed_size_is_decompressed() -> None:
    assert _unpack(gzip.compress(TEXT), most=len(TEXT)) == TEXT


def test_a_larger_size_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"at most 1,000 bytes\. Split it into several files"):
        _unpack(gzip.compress(TEXT[:1001]), most=1000)


@pytest.mark.parametrize("length", range(1, len(gzip.compress(TEXT))))
def test_a_file_cut_off_anywhere_is_refused(length: int) -> None:
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
def test_damaged_data_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="The file is not gzip, or is damaged"):
        _unpack(content)


def test_oversized_data_are_never_held_in_memory() -> None:
    bomb = gzip.compress(bytes(MOST)) * 20
    tracemalloc.start()

    with pytest.raises(UnreadableFile):
        for _ in unpack([bomb], MOST):
            pass

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MOST // 2
