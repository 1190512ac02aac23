"""The code pages of uploads outside UTF-8: text in one of them to UTF-8, and back."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Mapping
from encodings import normalize_encoding
from encodings.aliases import aliases

from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Finding, refuse

RULE = "encoding"
UTF_8 = "utf-8"
_CODECS: Mapping[str, str] = {
    **{f"windows-{number}": f"cp{number}" for number in range(1250, 1259)},
    "windows-874": "cp874",
    **{f"iso-8859-{number}": f"iso8859_{number}" for number in (1, 2, 3, 4, 5, 7, 8, 9, 10, 13, 14, 15, 16)},
    "macintosh": "mac_roman",
    "mac-centraleurope": "mac_latin2",
    "mac-cyrillic": "mac_cyrillic",
    **{f"cp{number}": f"cp{number}" for number in (437, 850, 852, 858, 866)},
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
    "gb18030": "gb18030",
    "big5": "big5",
    "euc-kr": "cp949",
}
"""The codec of Python for each name, which is that of IANA where it has one."""
_SEVERAL_BYTES = {"shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"}
ENCODINGS = tuple(_CODECS)
"""The names of the code pages that an upload may state."""
_BY_NAME = {normalize_encoding(each): each for each in ENCODINGS}
_BY_CODEC = {
    **{codec: name for name, codec in _CODECS.items()},
    "utf_8": UTF_8,
    "utf_8_sig": UTF_8,
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "latin_1": "iso-8859-1",
    "shift_jis": "shift_jis",
    "euc_kr": "euc-kr",
}
# In a code page of several bytes a character, a short text may be UTF-8 by chance.
_MOST_BY_CHANCE = 8


def read_encoding(stated: str) -> str | None:
    """Return the name of a stated code page, in any usual spelling; None if it is not in the list.

    >>> read_encoding("Latin-1"), read_encoding("CP1252"), read_encoding("UTF8"), read_encoding("rot13")
    ('iso-8859-1', 'windows-1252', 'utf-8', None)
    """
    name = normalize_encoding(stated.strip().casefold()) if stated.isascii() else ""
    return _BY_NAME.get(name) or _BY_CODEC.get(aliases.get(name, name))


def fault_of_encoding(stated: str) -> Finding | None:
    """Return the finding against a stated code page that is not in the list."""
    if not stated or read_encoding(stated):
        return None
    return refuse(
        "",
        RULE,
        stated,
        "There is no code page {name} in the list: {names}.",
        name=repr(stated),
        names=", ".join((UTF_8, *ENCODINGS)),
    )


def is_code_page(stated: str) -> bool:
    """Return whether text in a stated encoding has to be converted."""
    return read_encoding(stated) not in {None, UTF_8}


def decode(content: bytes, name: str) -> str | None:
    """Return text in a code page of the list; None if a byte is no character there."""
    try:
        return content.decode(_CODECS[name])
    except UnicodeDecodeError:
        return None


def from_code_page(chunks: Iterable[bytes], stated: str) -> Iterator[bytes]:
    """Convert text to UTF-8; a byte that is no character of the code page stays, and is not UTF-8.

    Raises UnreadableFile if the text is UTF-8 already.
    """
    name = read_encoding(stated) or UTF_8
    decoder = codecs.getincrementaldecoder(_CODECS[name])("surrogateescape")
    is_judged = False
    for chunk in chunks:
        if not is_judged and not chunk.isascii():
            is_judged = True
            _refuse_utf8(chunk, name)
        yield _encode(decoder.decode(chunk))
    yield _encode(decoder.decode(b"", final=True))


def _encode(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _refuse_utf8(chunk: bytes, name: str) -> None:
    # A character may be cut at either end.
    begun = chunk.lstrip(bytes(range(0x80, 0xC0))) if chunk[:1] > b"\x7f" else chunk
    try:
        text = codecs.getincrementaldecoder(UTF_8)().decode(begun)
    except UnicodeDecodeError:
        return
    characters = sum(not character.isascii() for character in text)
    if characters > (_MOST_BY_CHANCE if name in _SEVERAL_BYTES else 0):
        raise UnreadableFile(
            RULE,
            name,
            "The file is UTF-8 and not {name}. Upload it again without {option}.",
            name=name,
            option=f"--encoding {name}",
        )


def to_code_page(pieces: Iterable[bytes], stated: str) -> Iterator[bytes]:
    """Write the lines of a file, converted when it was read, in its own code page again.

    A file with a byte order mark was not in that code page, and stays.
    """
    name, has_mark = read_encoding(stated) or UTF_8, False
    for number, piece in enumerate(pieces):
        has_mark = has_mark or (number == 0 and piece.startswith(codecs.BOM_UTF8))
        if has_mark:
            yield piece
        else:
            yield piece.decode(errors="surrogateescape").encode(_CODECS[name], errors="surrogateescape")


def is_writable(text: str, stated: str) -> bool:
    """Return whether a stated code page has all characters of a text."""
    try:
        text.encode(_CODECS[read_encoding(stated) or UTF_8])
    except UnicodeEncodeError:
        return False
    return True
