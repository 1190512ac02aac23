"""Byte ranges: RFC 9110 §14, row by row."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ginuri.web.conditional.conditions import Selected
from ginuri.web.conditional.ranges import (
    Extent,
    PartialContent,
    UnsatisfiableRange,
    WholeContent,
    choose_range,
    read_range,
)

LENGTH = 10_000
"""Bytes, as in the examples of §14.1.2."""
SELECTED = Selected('"xyzzy"', datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC), LENGTH)


def _part(first: int, last: int) -> PartialContent:
    return PartialContent(first, last, LENGTH)


@pytest.mark.parametrize(
    ("header", "extent"),
    [
        # §14.1.2: its own examples
        ("bytes=0-499", _part(0, 499)),
        ("bytes=500-999", _part(500, 999)),
        ("bytes=-500", _part(9500, 9999)),
        ("bytes=9500-", _part(9500, 9999)),
        ("bytes=0-0", _part(0, 0)),
        ("bytes=-1", _part(9999, 9999)),
        # the whole file, requested as a range
        ("bytes=0-", _part(0, 9999)),
        ("bytes=0-9999", _part(0, 9999)),
        # a last position beyond the end is the end; a longer suffix is the whole file
        ("bytes=9990-10000", _part(9990, 9999)),
        ("bytes=0-99999999999999999999999999", _part(0, 9999)),
        ("bytes=-10001", _part(0, 9999)),
        ("bytes=-99999999999999999999999999", _part(0, 9999)),
        ("bytes=0000000000000000000001-0002", _part(1, 2)),
        # §14.1: names of units have no case; §5.6.1: empty elements count for nothing
        ("BYTES=0-499", _part(0, 499)),
        ("bytes=, 0-499 ,", _part(0, 499)),
    ],
)
def test_a_single_range_gives_a_partial_response(header: str, extent: Extent) -> None:
    assert read_range(header, LENGTH) == extent


@pytest.mark.parametrize(
    "header",
    ["bytes=10000-", "bytes=10000-10000", "bytes=20000-30000", "bytes=-0", "bytes=99999999999999999999-"],
)
def test_a_range_beyond_the_end_cannot_be_satisfied(header: str) -> None:
    assert read_range(header, LENGTH) == UnsatisfiableRange(LENGTH)


@pytest.mark.parametrize(
    "header",
    [
        "bytes=0-499,500-999",  # §14.1.2's example of several
        "bytes=0-0,-1",
        "bytes=500-600, 601-999",
        "bytes=0-499, 20000-",
        "bytes=0-1, bytes=2-3",
    ],
)
def test_a_request_for_several_ranges_gets_the_whole(header: str) -> None:
    assert read_range(header, LENGTH) == WholeContent()


@pytest.mark.parametrize(
    "header",
    [
        "",
        "bytes",
        "bytes=",
        "bytes=,",
        "bytes=-",
        "bytes=a-b",
        "bytes=1",
        "bytes=1 - 2",
        "bytes=1--2",
        "bytes=--1",
        "bytes=+1-2",
        "bytes=1.0-2",
        "bytes=0x1-2",
        "bytes=\u0661-\u0662",
        "bytes=1-2;x=y",
        "bytes==1-2",
        "bytes:1-2",
        "bytes =1-2",
        "0-499",
        "bytes=500-499",  # §14.1.1: the last position is less than the first
        "bytes=99999999999999999999-0",
        "items=0-499",  # §14.2: a unit that is not understood
        "none=0-1",
        "seconds=1-2",
    ],
)
def test_a_malformed_or_foreign_range_is_ignored(header: str) -> None:
    # §14.2
    assert read_range(header, LENGTH) == WholeContent()


@pytest.mark.parametrize(
    ("header", "extent"),
    [
        ("bytes=0-", UnsatisfiableRange(0)),
        ("bytes=0-0", UnsatisfiableRange(0)),
        ("bytes=-0", UnsatisfiableRange(0)),
        ("bytes=-1", WholeContent()),  # satisfiable by §14.1.2, but an empty file has no part
    ],
)
def test_empty_content_has_no_ranges(header: str, extent: Extent) -> None:
    assert read_range(header, 0) == extent


def test_a_position_may_have_any_number_of_digits() -> None:
    assert read_range(f"bytes=0-{'9' * 9000}", LENGTH) == _part(0, 9999)
    assert read_range(f"bytes={'0' * 9000}1-1", LENGTH) == _part(1, 1)
    assert read_range(f"bytes={'9' * 9000}-", LENGTH) == UnsatisfiableRange(LENGTH)


def test_content_range_has_the_part_and_the_whole() -> None:
    # §14.4: its own example, and that of §15.5.17
    assert PartialContent(42, 1233, 1234).content_range == "bytes 42-1233/1234"
    assert PartialContent(42, 1233, 1234).length == 1192
    assert UnsatisfiableRange(47022).content_range == "bytes */47022"


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "get", ""])
def test_a_range_counts_for_get_only(method: str) -> None:
    # §14.2
    assert choose_range(method, {"range": "bytes=0-499"}, SELECTED) == WholeContent()
    assert choose_range(method, {"range": "bytes=20000-"}, SELECTED) == WholeContent()


@pytest.mark.parametrize(
    ("headers", "extent"),
    [
        ({}, WholeContent()),
        ({"if-range": '"xyzzy"'}, WholeContent()),
        ({"range": "bytes=0-499"}, _part(0, 499)),
        ({"range": "bytes=0-499", "if-range": '"xyzzy"'}, _part(0, 499)),
        ({"range": "bytes=0-499", "if-range": "Sun, 06 Nov 1994 08:49:37 GMT"}, _part(0, 499)),
        ({"range": "bytes=0-499", "if-range": '"other"'}, WholeContent()),
        ({"range": "bytes=0-499", "if-range": 'W/"xyzzy"'}, WholeContent()),
        ({"range": "bytes=0-499", "if-range": "unreadable"}, WholeContent()),
        # §13.1.5: a Range that is ignored cannot be unsatisfiable either
        ({"range": "bytes=20000-", "if-range": '"other"'}, WholeContent()),
        ({"range": "bytes=20000-", "if-range": '"xyzzy"'}, UnsatisfiableRange(LENGTH)),
    ],
)
def test_a_range_applies_only_if_if_range_holds(headers: dict[str, str], extent: Extent) -> None:
    assert choose_range("GET", headers, SELECTED) == extent
