"""Guards cells that a spreadsheet would compute, and removes the guard when they are read.

A spreadsheet treats a cell with an initial apostrophe as text. Reading removes one apostrophe before a
formula, so every value can be written. OWASP, "CSV Injection", lists the cells that are computed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ginuri.files.lines import MOST_LINE_BYTES

# The full-width forms of East Asian keyboards count as well.
_SIGN = r"[=+@\uff1d\uff0b\uff20\-\uff0d]"
_BEGINS = rf"\s*+{_SIGN}"
_IS_COMPUTED = re.compile(
    rf"(?!\s*+[\-\uff0d]\s*+\Z){_BEGINS}"
)  # a minus alone is no formula and clears a field
_GUARDED = re.compile(rf"\s*+'(?='*+{_BEGINS})")


def unguard(cell: str) -> str:
    """Read a cell without the apostrophe before a formula.

    >>> [unguard(cell) for cell in ("'=1+1", "''=1+1", "'t Zand", "-")]
    ['=1+1', "'=1+1", "'t Zand", '-']
    """
    found = _GUARDED.match(cell) if "'" in cell else None
    return cell[found.end() :] if found else cell


def guard(row: bytes, separator: str) -> bytes:
    r"""Guard the formulas of a row, which may have several lines; other cells are unchanged.

    An unreadable row, with an unclosed quote or over the limit, is guarded wherever a cell could begin.

    >>> guard(b'a;"=1+1";\'=2;-3;-\r\n', ";")
    b'a;"\'=1+1";\'=2;\'-3;-\r\n'
    """
    text = row.decode(errors="surrogateescape")
    table, cells = _patterns(separator)
    is_read = len(row) <= MOST_LINE_BYTES and table.fullmatch(text)
    guarded = (
        cells.sub(_guard_cell, text) if is_read else formula_prefixes(separator).sub(_guard_beginning, text)
    )
    return guarded.encode(errors="surrogateescape")


@lru_cache(maxsize=8)
def formula_prefixes(separator: str) -> re.Pattern[str]:
    """Match wherever a cell could begin: the blanks and quotes before it, and the sign of a formula, if any.

    The sign is optional on purpose: without a match, the search would start again at each of many blanks and
    take quadratic time.
    """
    return re.compile(rf'((?:\A|[\r\n,;\t{re.escape(separator)}])[\s"]*+)({_SIGN}?)')


@lru_cache(maxsize=8)
def _patterns(separator: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    between = re.escape(separator)
    # RFC 4180 §2.5 to 2.7; quotes within an unquoted cell are literal.
    cell = rf'(?:"(?:[^"]|"")*+"|(?!")[^{between}\r\n]*+)'
    return (
        re.compile(rf"{cell}(?:(?:{between}|[\r\n]++){cell})*+"),
        re.compile(rf"(\A|{between}|[\r\n]++)({cell})"),
    )


def _guard_beginning(found: re.Match[str]) -> str:
    before, sign = found.groups()
    return f"{before}'{sign}" if sign else found[0]


def _guard_cell(found: re.Match[str]) -> str:
    before, cell = found.groups()
    if cell.startswith('"'):
        return f"{before}\"'{cell[1:]}" if _IS_COMPUTED.match(cell[1:-1]) else found[0]
    return f"{before}'{cell}" if _IS_COMPUTED.match(cell) else found[0]
