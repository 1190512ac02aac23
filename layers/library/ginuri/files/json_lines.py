"""JSON lines: one registration an object, one object a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any

from ginuri.files.columns import Columns, rename_members
from ginuri.files.encodings import ENCODING
from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.statements import read_statements
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import refuse, shown


def read_json_lines(
    lines: Iterable[bytes], after: int = 0, mapped: Columns = MappingProxyType({})
) -> Iterator[Row]:
    """Read each line by itself, with the members that are mapped.

    Blank lines are passed over, a bad one never stops a good one. So are the lines up to `after`: they were
    read before.
    """
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if number > after and text.strip():
            yield read_json_line(number, text, mapped)


def read_json(text: str) -> Any:  # noqa: ANN401  JSON is what it is
    """Read JSON as RFC 8259 has it: names once, no NaN. Raises ValueError, for depth as well."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except RecursionError:
        told = (
            "it is nested deeper than JSON is read here, and no field is as deep; look for brackets left open"
        )
        raise ValueError(told) from None


def read_json_line(number: int, line: bytes, mapped: Columns = MappingProxyType({})) -> Row:
    """Read one line, of that number, by itself."""
    if len(line) > MOST_LINE_BYTES:
        too_long = f"a line has at most {MOST_LINE_BYTES:,} bytes, this one {len(line):,}"
        return Row(
            number, None, findings=(refuse("", "length", line[:80].decode(errors="replace"), too_long),)
        )
    try:
        given = read_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"
        return Row(number, None, findings=(refuse("", ENCODING, line.decode(errors="replace"), message),))
    except json.JSONDecodeError as error:
        told = f"{error.msg} at character {error.pos + 1}"
        return Row(number, None, findings=(refuse("", "JSON", line.decode(errors="replace"), told),))
    except ValueError as error:
        return Row(number, None, findings=(refuse("", "JSON", line.decode(errors="replace"), str(error)),))
    if not isinstance(given, dict):
        message = 'a line is one JSON object, such as {"identifier": "uri-gin/…"}'
        return Row(number, None, findings=(refuse("", "object", given, message),))
    return read_statements(number, rename_members(given, mapped) if mapped else given)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    given = dict(pairs)
    if len(given) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {shown(twice)!r} stands twice in one object")
    return given


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
