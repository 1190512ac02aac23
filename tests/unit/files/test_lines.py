"""Bytes → lines, which joined give the same file; the choice of registry files."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ginuri.files.formats import SUFFIXES, reader_for
from ginuri.files.json_lines import read_json_lines
from ginuri.files.lines import sort_lines, split_at_returns, split_lines
from ginuri.files.tables.delimited import read_delimited


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", []),
        (b"a", [b"a"]),
        (b"a\n", [b"a\n"]),
        (b"a\n\nb", [b"a\n", b"\n", b"b"]),
        (b"a\r\nb\r\n", [b"a\r\n", b"b\r\n"]),
        (b"a\rb\x0bc\x85d\n", [b"a\rb\x0bc\x85d\n"]),
        ("a\u2028b\n".encode(), ["a\u2028b\n".encode()]),
    ],
)
def test_a_line_ends_in_a_line_feed_and_keeps_it(text: bytes, lines: list[bytes]) -> None:
    assert list(split_lines([text])) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", []),
        (b"a\r", [b"a\r"]),
        (b"a\rb\r\nc\nd", [b"a\r", b"b\r\n", b"c\n", b"d"]),
        (b"\r\r\n\r", [b"\r", b"\r\n", b"\r"]),
    ],
)
def test_lines_of_a_table_may_end_in_a_carriage_return(text: bytes, lines: list[bytes]) -> None:
    assert list(split_at_returns(split_lines([text]))) == lines


def test_lines_are_independent_of_network_chunks() -> None:
    text = b"one\r\n\ntwo\nthree"
    whole = list(split_lines([text]))

    for first, second in itertools.combinations(range(len(text) + 1), 2):
        assert list(split_lines([text[:first], text[first:second], text[second:]])) == whole


@pytest.mark.parametrize("name", ["wells.jsonl", "uri-gin/azgs/WELLS.JSONL", "a.csv.jsonl", "wells.jsonl.gz"])
def test_json_lines_are_recognised_by_their_ending(name: str) -> None:
    assert reader_for(name) is read_json_lines


@pytest.mark.parametrize(
    "name",
    [
        "wells.csv",
        "uri-gin/azgs/Wells.CSV",
        "wells.csv.gz",
        "Wells.Csv.GZ",
        "a.tsv",
        "a.xlsx",
        "a.XLSM",
        "a.ods",
    ],
)
def test_tables_are_recognised_by_their_ending(name: str) -> None:
    assert reader_for(name) is read_delimited


@pytest.mark.parametrize(
    "name",
    ["wells", "wells.pdf", "csv", "wells.csv/map.png", ".csv", "wells.csvx", "a.tif.gz", ".csv.gz", "csv.gz"],
)
def test_any_other_file_is_no_registry_file(name: str) -> None:
    assert reader_for(name) is None


def test_every_listed_ending_of_registry_files_has_a_reader() -> None:
    assert all(reader_for(f"wells{ending}") for ending in SUFFIXES)


def test_lines_beyond_memory_are_sorted_on_disk(tmp_path: Path) -> None:
    lines = [f"uri-gin/azgs/{number * 7919 % 1009:04d}\t\u2028\r" for number in range(1009)]

    assert list(sort_lines(lines, tmp_path, 500)) == sorted(lines)
    assert not list(tmp_path.iterdir())
