"""Proposes the code page of a text that is not UTF-8, for a person to confirm."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ginuri.files.code_pages import decode

# In the order of preference among those that read the text equally well.
_PROPOSED = (
    *("windows-1252", "macintosh", "cp850", "windows-1250", "cp852", "windows-1251", "windows-1253"),
    *("koi8-r", "cp866", "shift_jis", "gb18030", "euc-kr", "big5"),
)
_MOST_SHOWN = 60
_MOST_LINES = 200
"""The lines outside ASCII by which a code page is chosen."""
_WORD = re.compile(r"[^\W\d_]+")
# A character that is neither a letter nor usual within a word, such as the ³ of "Wa³brzych".
_BROKEN = re.compile(r"(?<=[^\W\d_])(?:[^\w\s!-~·\u2018\u2019–—…]|[\x80-\x9f¹²³])(?=[^\W\d_])")
# Hardly any word has three letters outside ASCII one after the other, unless its script is another one.
_FOREIGN = re.compile("[µªº\u00c0-\u024f]{3}|[\uff61-\uff9f]{3}")
_SYMBOLS = re.compile(r"[^\w\s!-~]{2}")
_CAPITALS = re.compile(r"(?<=[^\W\d_])[^\W\d_]")
_SEPARATORS = re.compile(rb"[,;\t\"]")


@dataclass(frozen=True, slots=True)
class ProposedEncoding:
    """A code page in which a text is readable, with a sample."""

    name: str
    before: str
    """A piece of the file as UTF-8, with U+FFFD for each byte that is none."""
    after: str
    """The same piece in this code page."""


def propose_encoding(head: bytes) -> ProposedEncoding | None:
    """Propose the code page of a text, from its first bytes; None for UTF-8, UTF-16 and binary files."""
    if head.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in head:
        return None
    *whole, last = re.split(rb"[\r\n]+", head)
    lines = [line for line in whole if not _is_utf8(line)][:_MOST_LINES]
    if not _is_utf8(last, is_cut=True):
        lines.append(last)
    faults = {
        name: _count_faults(text)
        for name in (_PROPOSED if lines else ())
        if (text := decode(b"\n".join(lines), name)) is not None
    }
    if not faults:
        return None
    name = min(faults, key=faults.__getitem__)
    piece = next(cell for cell in _SEPARATORS.split(lines[0]) if not _is_utf8(cell)).strip()
    after = decode(piece, name) or ""
    return ProposedEncoding(name, piece.decode(errors="replace")[:_MOST_SHOWN], after[:_MOST_SHOWN])


def _is_utf8(line: bytes, *, is_cut: bool = False) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(line, final=not is_cut)
    except UnicodeDecodeError:
        return False
    return True


def _count_faults(text: str) -> int:
    """Count the places where a text is no words: in the wrong code page, letters become other characters."""
    words = [word for word in _WORD.findall(text) if not (word.isascii() or word.isupper())]
    capitals: int = sum(
        letter.isupper() and not letter.isascii() for word in words for letter in _CAPITALS.findall(word)
    )
    return capitals + sum(len(pattern.findall(text)) for pattern in (_BROKEN, _FOREIGN, _SYMBOLS))
