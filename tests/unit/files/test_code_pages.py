"""Text in a code page is converted, and written back unchanged."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.code_pages import ENCODINGS, read_encoding, to_code_page
from ginuri.files.encodings import to_utf8
from ginuri.files.guesses.encodings import propose_encoding
from ginuri.files.options import UploadOptions
from ginuri.files.repairs.writer import write_repaired
from ginuri.identifiers.errors import UnreadableFile

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)


def _pieces(content: bytes, size: int) -> list[bytes]:
    return [content[at : at + size] for at in range(0, len(content), size)]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_ascii_means_the_same_in_every_code_page(encoding: str) -> None:
    text = b'identifier,title\r\n"uri-gin/azgs/x",A~B\\C\n'

    assert b"".join(to_utf8([text], encoding)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("windows-1252", "Übersicht – „Größe“ 5 €"),
        ("Macintosh", "Übersicht – „Größe“"),
        ("cp437", "Übersicht ½"),
        ("ISO-8859-15", "Größe 5 €"),
        ("windows-1250", "Łódź, Příbram"),
        ("Shift_JIS", "地質図、東京"),
        ("GB2312", "地质图"),
    ],
)
def test_text_in_small_pieces_is_converted(encoding: str, text: str) -> None:
    name = read_encoding(encoding)
    assert name is not None
    content = b"".join(to_code_page([text.encode()], name))

    assert len(content) != len(text.encode())
    assert b"".join(to_utf8(_pieces(content, 5), encoding)).decode() == text


# With a byte order mark it is read as UTF-16 or UTF-8, whatever code page was stated.
@given(st.binary(max_size=80).filter(lambda content: not (content.isascii() or content.startswith(_MARKS))))
def test_any_bytes_are_written_back_unchanged(content: bytes) -> None:
    try:
        lines = list(to_utf8([content], "windows-1252"))
    except UnreadableFile:
        return
    assert b"".join(to_code_page(lines, "windows-1252")) == content


def test_a_word_in_two_alphabets_is_no_reading() -> None:
    proposed = propose_encoding("Tytuł;Odnośnik\nŻółć;Wałbrzych, Złoże\n".encode("cp1250"))

    assert proposed is not None
    assert (proposed.name, proposed.after) == ("windows-1250", "Tytuł")


def test_a_byte_order_mark_outweighs_the_stated_code_page() -> None:
    marked = codecs.BOM_UTF8 + "Größe".encode()

    converted = list(to_utf8([marked], "windows-1252"))

    assert converted == list(to_code_page(converted, "windows-1252")) == [marked]
    assert b"".join(to_utf8(["Größe".encode("utf-16")], "windows-1252")) == marked


def test_utf8_is_not_read_in_a_code_page() -> None:
    with pytest.raises(UnreadableFile, match=r"is UTF-8 and not windows-1252.*without --encoding"):
        list(to_utf8([b"identifier\n", "Größe".encode()], "windows-1252"))


def test_a_short_text_may_look_like_utf8_by_chance() -> None:
    assert b"".join(to_utf8(["联通".encode("gb18030")], "gbk")).decode() == "联通"


@pytest.mark.parametrize("name", ["wells.csv", "wells.jsonl"])
def test_a_repaired_file_keeps_its_code_page(name: str) -> None:
    table = "identifier;title;status\nuri-gin/azgs/doc/1;Größe;valide\n"
    line = '{"identifier": "uri-gin/azgs/doc/1", "title": "Größe", "status": "valide"}\n'
    content = (table if name.endswith("csv") else line).encode("cp1252")
    number = 2 if name.endswith("csv") else 1
    options = UploadOptions(encoding="windows-1252")

    repaired, cells = write_repaired(
        name, content, {(number, "status"): "valid", (number, "title"): "地質図"}, options
    )

    assert (repaired, cells) == (content.replace(b"valide", b"valid"), {(number, "status")})


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("Nr;Ort\n1;München\n", "windows-1252", "München"),
        ("Puits d\u2019Été – coût\n", "windows-1252", "Puits d\u2019Été – coût"),
        ("x;MÜNCHEN\n", "windows-1252", "MÜNCHEN"),
        ("1,München\n", "macintosh", "München"),
        ("1,São Paulo\n", "cp850", "São Paulo"),
        ("1,Łódź,Wałbrzych\n", "windows-1250", "Łódź"),
        ("1,Скважина\n", "windows-1251", "Скважина"),
        ("1,Скважина\n", "koi8-r", "Скважина"),
        ("1,Αθήνα\n", "windows-1253", "Αθήνα"),
        ("1,地質図,東京\n", "shift_jis", "地質図"),
        ("1,Vrt č. 3 v Žďáru\n", "windows-1250", "Vrt č. 3 v Žďáru"),
        ("1,Győri kút fűtéshez\n", "windows-1250", "Győri kút fűtéshez"),
        ("1,Eskişehir\n", "windows-1254", "Eskişehir"),
        ("1,Borhola við Þingvelli\n", "windows-1252", "Borhola við Þingvelli"),
        ("1,Põhjavesi\n", "windows-1252", "Põhjavesi"),
        ("1,Identifikátor vrtu\n", "windows-1252", "Identifikátor vrtu"),
        ("1,온천 우물 조사 보고서\n", "euc-kr", "온천 우물 조사 보고서"),
    ],
)
def test_the_proposed_code_page_makes_words(text: str, encoding: str, shown: str) -> None:
    proposed = propose_encoding(b"".join(to_code_page([text.encode()], encoding)))

    assert proposed is not None
    assert (proposed.name, proposed.after) == (encoding, shown)
    assert "\ufffd" in proposed.before


def test_a_code_page_is_proposed_however_late_it_shows() -> None:
    content = b"identifier;title\n" * 100_000 + "1;Größe\n".encode("cp1252") + b"x;y\n" * 100_000

    proposed = propose_encoding(content)

    assert proposed is not None
    assert (proposed.name, proposed.after) == ("windows-1252", "Größe")


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"identifier\n",
        "Größe\nGröß".encode(),
        "Größe\nGröß".encode()[:-1],
        "Größe\nMünchen\n".encode() + "Zürich\n".encode("cp1252"),
        "Größe".encode("utf-16"),
        "Größe".encode("utf-16-le"),
        b"PK\x03\x04\0\xff",
    ],
)
def test_no_code_page_is_proposed_for_utf8_and_binary_files(head: bytes) -> None:
    assert propose_encoding(head) is None
