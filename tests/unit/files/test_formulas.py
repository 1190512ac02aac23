"""Formulas are guarded in refused lines, and read back unchanged."""

from __future__ import annotations

import re

import pytest

from ginuri.files.reports.report import LineMarks, write_refused
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.formulas import guard, unguard
from ginuri.files.tables.heading import HeadingReader
from ginuri.registration.verdicts import Outcome, Verdict, refuse
from tests.builders import short

MARK = b"\xef\xbb\xbf"


def is_computed(cell: str) -> bool:
    """Return whether a spreadsheet would compute a cell."""
    return re.match(r"\s*([=+@\uff1d\uff0b\uff20]|[-\uff0d]\s*\S)", cell) is not None


@pytest.mark.parametrize(
    ("row", "separator", "guarded"),
    [
        ("=1+1,b\n", ",", "'=1+1,b\n"),
        ("a,+1,-1,@x\r\n", ",", "a,'+1,'-1,'@x\r\n"),
        ('a,"=HYPERLINK(""x"",""y"")"\n', ",", 'a,"\'=HYPERLINK(""x"",""y"")"\n'),
        ('"a\n=b","\n=c"\n', ",", '"a\n=b","\'\n=c"\n'),
        ("a; =1;b=2\n", ";", "a;' =1;b=2\n"),
        ("a\t=1\t\n", "\t", "a\t'=1\t\n"),
        ('"\t=1","\r=1",x\n', ",", '"\'\t=1","\'\r=1",x\n'),
        ("a,-,b\n", ",", "a,-,b\n"),
        ("a,'=1,''=1\n", ",", "a,'=1,''=1\n"),
        ("a;=1,b\n", ",", "a;=1,b\n"),
        ('=1,"never closed,=2\n', ",", "'=1,\"never closed,'=2\n"),
        ('a,"b"c,"=2\n', ",", 'a,"b"c,"\'=2\n'),
        ("a\n,,\n=1\n", ",", "a\n,,\n'=1\n"),
        ('a,"b"c,-\n', ",", 'a,"b"c,\'-\n'),
        ("a,\uff1d1\n", ",", "a,'\uff1d1\n"),
    ],
)
def test_only_a_cell_with_a_formula_gets_an_apostrophe(row: str, separator: str, guarded: str) -> None:
    assert guard(row.encode(), separator) == guarded.encode()


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    assert guard(b"=\xff,\x00\n", ",") == b"'=\xff,\x00\n"


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("'=1", "=1"),
        ("' =1", " =1"),
        (" '=1", "=1"),
        ("''=1", "'=1"),
        ("'-", "-"),
        ("'a", "'a"),
        ("a'=1", "a'=1"),
    ],
)
def test_one_apostrophe_is_removed_before_a_formula(cell: str, read: str) -> None:
    assert unguard(cell) == read


def test_a_guarded_cell_is_registered_with_its_original_value() -> None:
    lines = [b"identifier,title\n", b'uri-gin/azgs/a,"\'=1+1"\n']

    _, row = read_delimited(lines)

    assert ("title", "") in short(row.statements)
    assert short(row.statements)["title", ""] == "=1+1"


def test_the_heading_and_a_byte_order_mark_are_guarded_too() -> None:
    lines = [MARK + b"=id,identifier\n", b"@x,uri-gin/azgs/a\n"]
    refused = [Verdict(Outcome.REFUSED, (2,), None, (refuse("", "test", "", "no"),))]

    assert (
        b"".join(write_refused(lines, LineMarks(refused), HeadingReader()))
        == MARK + b"'=id,identifier\n'@x,uri-gin/azgs/a\n"
    )


def test_only_the_separator_of_the_file_divides_cells() -> None:
    lines = [b"sep=|\n", b"identifier|title\n", b"a|=1,=2\n"]
    refused = [Verdict(Outcome.REFUSED, (3,), None, (refuse("", "test", "", "no"),))]

    assert b"".join(write_refused(lines, LineMarks(refused), HeadingReader())).endswith(b"a|'=1,=2\n")


def test_json_lines_are_no_table() -> None:
    refused = [Verdict(Outcome.REFUSED, (1,), None, (refuse("", "test", "", "no"),))]

    assert b"".join(write_refused([b"=1\n"], LineMarks(refused), None)) == b"=1\n"
