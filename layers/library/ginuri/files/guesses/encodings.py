"""Proposes the code page of a text that is not UTF-8, for a person to confirm."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ginuri.files.code_pages import decode

# In the order of preference among those that read the text equally well.
_PROPOSED = (
    *(
        "windows-1252",
        "windows-1254",
        "macintosh",
        "cp850",
        "windows-1250",
        "cp852",
        "windows-1251",
        "windows-1253",
    ),
    *("koi8-r", "cp866", "shift_jis", "euc-kr", "gb18030", "big5"),
)
_MOST_SHOWN = 60
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_READ = 64 * 1024
"""The bytes to look at before and after the first one that is not UTF-8."""
_MOST_LINES = 200
"""The lines outside ASCII by which a code page is chosen."""
_MOST_MIXED = 0.25
"""The lines that may look like UTF-8 by chance, for each one that does not."""
_WORD = re.compile(r"[^\W\d_]+")
# A character that is neither a letter nor usual within a word, such as the ³ of "Wa³brzych".
_BROKEN = re.compile(r"(?<=[^\W\d_])(?:(?<!l)·|[^\w\s!-~·\u2018\u2019–—…]|[\x80-\x9f¹²³º])(?=[^\W\d_])")
# Hardly any word has three letters outside ASCII one after the other, unless its script is another one, or
# in Czech: Žďár.
_FOREIGN = re.compile("(?:(?![ČčĎďĚěŇňŘřŠšŤťŮůŽž])[µªº\u00c0-\u024f]){3}|[\uff61-\uff9f]{3}")
# Two letters of Turkish in Windows-1252: in Icelandic, þ begins a word, and ý is hardly there twice.
_TURKISH = re.compile(r"(?<=[^\W\d_])[þÞ]|ý(?=\w*ý)", re.IGNORECASE)
# No word is in two alphabets.
_TWO_ALPHABETS = re.compile(
    "(?<=[A-Za-z])[\u0370-\u052f]|(?<=[\u0370-\u052f])[A-Za-z]"
    "|(?<=[\u4e00-\u9fff])[\uac00-\ud7a3]|(?<=[\uac00-\ud7a3])[\u4e00-\u9fff]"
)
# The letters ě and ů of Czech in Windows-1252: ì and ù end a word.
_CZECH = re.compile(r"(?<=[^\W\d_])[ìù](?=[^\W\d_])", re.IGNORECASE)
# Letters that only Czech and Slovak, or Hungarian, would have beside the first ones, in Windows-1252.
_SELDOM_BOTH = (
    (re.compile("[šž]", re.IGNORECASE), re.compile("[èïòùøì]", re.IGNORECASE)),
    (re.compile("[áíóú]", re.IGNORECASE), re.compile("õ(?!e)|û", re.IGNORECASE)),
)
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


def propose_encoding(content: bytes) -> ProposedEncoding | None:
    """Propose the code page of a text, whole or its beginning; None for UTF-8, UTF-16 and binary files.

    None as well for a text of which many lines are UTF-8: it is in several encodings.
    """
    if content.startswith(_MARKS) or b"\0" in content:
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)  # the last character may be cut
    except UnicodeDecodeError as error:
        begin = content.find(b"\n", max(0, error.start - _READ)) + 1 if error.start > _READ else 0
    else:
        return None
    lines = [line for line in re.split(rb"[\r\n]+", content[begin : begin + 2 * _READ]) if not line.isascii()]
    others = [line for line in lines if not _is_utf8(line)]
    if not others or len(lines) - len(others) > len(others) * _MOST_MIXED:
        return None
    faults = {
        name: _count_faults(text)
        for name in _PROPOSED
        if (text := decode(b"\n".join(others[:_MOST_LINES]), name)) is not None
    }
    if not faults:
        return None
    name = min(faults, key=faults.__getitem__)
    piece = next(cell for cell in _SEPARATORS.split(others[0]) if not _is_utf8(cell)).strip()
    after = decode(piece, name) or ""
    return ProposedEncoding(name, piece.decode(errors="replace")[:_MOST_SHOWN], after[:_MOST_SHOWN])


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _count_faults(text: str) -> int:
    """Count the places where a text is no words: in the wrong code page, letters become other characters."""
    words = [word for word in _WORD.findall(text) if not (word.isascii() or word.isupper())]
    capitals: int = sum(
        letter.isupper() and not letter.isascii() for word in words for letter in _CAPITALS.findall(word)
    )
    faults = [_BROKEN, _FOREIGN, _TURKISH, _CZECH, _TWO_ALPHABETS, _SYMBOLS]
    faults += [beside for first, beside in _SELDOM_BOTH if first.search(text)]
    return capitals + sum(len(pattern.findall(text)) for pattern in faults)
