"""Byte ranges (RFC 9110 §14): one range is sent; several, or an invalid one, get the whole content."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ginuri.frozen import Frozen
from ginuri.web.conditional.conditions import Selected, range_holds

# RFC 9110 §14.1  range-unit = token   ; case-insensitive
# RFC 9110 §14.2  Range = ranges-specifier = range-unit "=" range-set
_UNIT = "bytes"
# RFC 9110 §14.1.1  int-range = first-pos "-" [ last-pos ]
_INT_RANGE = re.compile(r"(?P<first>[0-9]+)-(?P<last>[0-9]*)")
#                   suffix-range = "-" suffix-length
_SUFFIX_RANGE = re.compile(r"-(?P<length>[0-9]+)")
_MOST_DIGITS = 18
"""Positions with more digits are beyond any content; Python limits the digits it converts."""


class WholeContent(Frozen):
    """Send everything: 200."""


class PartialContent(Frozen):
    """Send the bytes from `first` to `last`, both included: 206."""

    first: int
    last: int
    complete: int
    """The length of the whole content, in bytes."""

    @property
    def length(self) -> int:
        """The number of sent bytes."""
        return self.last - self.first + 1

    @property
    def content_range(self) -> str:
        """RFC 9110 §14.4  range-resp = first-pos "-" last-pos "/" complete-length."""
        return f"bytes {self.first}-{self.last}/{self.complete}"


class UnsatisfiableRange(Frozen):
    """No byte of the range exists: 416."""

    complete: int
    """The length of the whole, in bytes."""

    @property
    def content_range(self) -> str:
        """RFC 9110 §14.4  unsatisfied-range = "*/" complete-length."""
        return f"bytes */{self.complete}"


Extent = WholeContent | PartialContent | UnsatisfiableRange


def choose_range(method: str, headers: Mapping[str, str], selected: Selected) -> Extent:
    """Choose the part of the selected representation to send; field names in lower case.

    Preconditions come first (RFC 9110 §13.2.2 step 5). A Range applies to GET only (§14.2), and only if
    If-Range holds.
    """
    wanted = headers.get("range")
    if wanted is None or method != "GET" or not range_holds(headers, selected):
        return WholeContent()
    return read_range(wanted, selected.length)


def read_range(header: str, length: int) -> Extent:
    """Read a Range header for content of `length` bytes; a malformed one, or another unit, is ignored."""
    unit, _, ranges = header.partition("=")
    # RFC 9110 §5.6.1: empty elements of a list are ignored
    specs = [spec for element in ranges.split(",") if (spec := element.strip(" \t"))]
    if unit.lower() != _UNIT or len(specs) != 1:
        return WholeContent()
    if found := _INT_RANGE.fullmatch(specs[0]):
        return _between(found["first"], found["last"], length)
    if found := _SUFFIX_RANGE.fullmatch(specs[0]):
        return _at_the_end(_number(found["length"]), length)
    return WholeContent()


def _between(first_digits: str, last_digits: str, length: int) -> Extent:
    first, last = _number(first_digits), _number(last_digits) if last_digits else length
    # §14.1.1: invalid if the last position is given and is less than the first
    if last_digits and last < first:
        return WholeContent()
    # §14.1.2: satisfiable if the first position is less than the length; the last one is clamped to the end
    return (
        PartialContent(first, min(last, length - 1), length) if first < length else UnsatisfiableRange(length)
    )


def _at_the_end(wanted: int, length: int) -> Extent:
    # §14.1.2: satisfiable if not zero; shorter content is sent whole
    if wanted == 0:
        return UnsatisfiableRange(length)
    # Content-Range cannot express a range of empty content.
    return PartialContent(max(length - wanted, 0), length - 1, length) if length else WholeContent()


def _number(digits: str) -> int:
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= _MOST_DIGITS else 10**_MOST_DIGITS
