"""Writes repaired cells into a row of a table, in its dialect; the rest of the row is unchanged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ginuri.files.tables.formulas import unguard


def repair_row(row: bytes, separator: str, texts: Mapping[int, str], width: int) -> bytes | None:
    r"""Replace cells, numbered from 0, in a row of `width` cells and any number of lines.

    Returns None if the row does not have this number of cells.

    >>> repair_row(b'a;"b;c" ;d\r\n', ";", {2: 'x"y'}, 3) is None
    True
    >>> repair_row(b'a; "b;"\r\n', ";", {1: "c;d"}, 3) is None
    True
    >>> repair_row(b'a,"b, c","d",e\r\n', ",", {1: "x", 2: "y", 3: 'z"z'}, 4)
    b'a,x,"y","z""z"\r\n'
    """
    content = row.decode(errors="surrogateescape")
    pattern, spans, at = _cell(separator), list[tuple[int, int]](), 0
    while (found := pattern.match(content, at)) is not None:
        spans.append(found.span())
        at = found.end()
        if content[at : at + 1] != separator:
            break
        at += 1
    if len(spans) != width or content[at:].strip("\r\n"):
        return None
    all_quoted = all(content[begin : begin + 1] == '"' for begin, _ in spans)
    for number in sorted(texts, reverse=True):
        begin, end = spans[number]
        written = _write(texts[number], content[begin:end], separator, all_quoted=all_quoted)
        content = f"{content[:begin]}{written}{content[end:]}"
    return content.encode(errors="surrogateescape")


@lru_cache(maxsize=8)
def _cell(separator: str) -> re.Pattern[str]:
    # RFC 4180 §2.5 to 2.7; quotes within an unquoted cell are literal.
    return re.compile(rf'"(?:[^"]|"")*+"|(?!")[^{re.escape(separator)}\r\n]*+')


def _write(text: str, before: str, separator: str, *, all_quoted: bool) -> str:
    guarded = text if unguard(text) == text else f"'{text}"
    # Unnecessary quotes are the style of the file, and stay.
    is_habit = all_quoted or (before.startswith('"') and not _needs_quotes(before[1:-1], separator))
    return (
        '"{}"'.format(guarded.replace('"', '""'))
        if is_habit or _needs_quotes(guarded, separator)
        else guarded
    )


def _needs_quotes(text: str, separator: str) -> bool:
    return any(character in text for character in f'{separator}"\r\n')
