"""The report on an upload: a verdict for every line, and the refused lines as a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ginuri.files.options import UploadOptions
from ginuri.files.reports.progress import UploadProgress, progress_key, read_progress, write_progress
from ginuri.files.reports.report import (
    LineMarks,
    Upload,
    count,
    page_key,
    refused_key,
    report_key,
    write_refused,
    write_report,
    write_stored,
)
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.verdict_lines import read_verdict, verdict_of, write_verdict
from ginuri.files.tables.cells import HeadingTest
from ginuri.files.tables.heading import HeadingReader
from ginuri.registration.verdicts import MOST_SHOWN, Finding, Outcome, Verdict, at, refuse, shown, warn
from ginuri.registry.record.differences import Difference, FieldChange
from tests.builders import MAP, PUT
from tests.report_schema import read_report

UPLOAD = Upload("uploads", "uri-gin/azgs/wells.csv", "v1", PUT.format(0))
BAD = refuse("location", "location", "ftp://a.example", "a location is http or https")
ODD = warn("title", "missing", None, "a title lets people know")


TABLE = HeadingReader()


def _verdict(outcome: Outcome, *lines: int, findings: tuple[Finding, ...] = ()) -> Verdict:
    return Verdict(outcome, lines, MAP, findings)


def _refused(*lines: int) -> Verdict:
    return _verdict(Outcome.REFUSED, *lines, findings=(BAD,))


def _refused_lines(
    lines: Sequence[bytes], verdicts: Sequence[Verdict], *, heading: HeadingTest | None
) -> bytes:
    return b"".join(write_refused(lines, LineMarks(verdicts), heading))


def _report(verdicts: Sequence[Verdict], refused: str | None = None) -> dict[str, Any]:
    written = b"".join(
        write_report(UPLOAD, UploadOptions(), verdicts, count(verdicts), ReportScope(), refused)
    )
    report: dict[str, Any] = read_report(written)
    return report


def _read(written: bytes) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(written)
    return read


def test_a_report_has_every_line() -> None:
    verdicts = [
        _verdict(Outcome.CHANGED, 2, findings=(ODD,)),
        _refused(4, 11),
        _verdict(Outcome.REGISTERED, 9),
    ]

    report = _report(verdicts, "where")

    assert report["upload"] == {
        "bucket": "uploads",
        "key": "uri-gin/azgs/wells.csv",
        "version": "v1",
        "put": PUT.format(0),
    }
    assert [(each["lines"], each["verdict"]) for each in report["verdicts"]] == [
        ([2], "changed"),
        ([4, 11], "refused"),
        ([9], "registered"),
    ]
    assert report["refused_lines"] == "where"


def test_a_finding_has_field_rule_value_and_remedy() -> None:
    [verdict] = _report([_refused(4)])["verdicts"]

    assert verdict["identifier"] == MAP
    assert verdict["findings"] == [
        {
            "level": "refused",
            "field": "location",
            "rule": "location",
            "value": "ftp://a.example",
            "message": "a location is http or https",
            "line": None,
            "column": "",
            "suggestion": None,
        }
    ]


def test_a_report_keeps_the_cell_of_a_finding_and_its_remedy() -> None:
    finding = replace(at(BAD, 4, "Link\x07"), suggestion="")

    line = write_verdict(_verdict(Outcome.REFUSED, 4, 5, findings=(finding,)))

    assert (finding.line, finding.column) == (4, "Link\N{REPLACEMENT CHARACTER}")
    assert read_verdict(line).findings == (finding,)


def test_changes_are_written_as_texts() -> None:
    difference = Difference(
        (
            FieldChange("reason", None, "new\x1b"),
            FieldChange("links.up", [{"href": "é"}], None),
            FieldChange("quality", 0.5, "x" * 2_000),
        ),
        untold=3,
    )

    [told] = _report([Verdict(Outcome.CHANGED, (2,), MAP, (), difference)])["verdicts"]

    assert told["changes"] == [
        {"field": "reason", "before": None, "after": "new\N{REPLACEMENT CHARACTER}"},
        {"field": "links.up", "before": '[{"href": "é"}]', "after": None},
        {"field": "quality", "before": "0.5", "after": "x" * MOST_SHOWN + "…"},
    ]
    assert told["more_changes"] == 3


def test_a_verdict_is_read_as_it_was_written() -> None:
    difference = Difference((FieldChange("reason", None, "x" * 2_000), FieldChange("quality", 0.5, None)), 3)
    verdict = Verdict(Outcome.CHANGED, (2, 3), MAP, (ODD,), difference)

    once = write_verdict(verdict)

    assert write_verdict(read_verdict(once)) == once
    assert read_verdict(once).findings == (ODD,)


def test_a_report_has_its_submitter_and_reason() -> None:
    options = UploadOptions(is_dry_run=True, submitter="A. Steward", reason="the annual review")

    whole = read_report(b"".join(write_report(UPLOAD, options, [], count([]), ReportScope())))

    assert (whole["submitter"], whole["reason"]) == ("A. Steward", "the annual review")
    assert (whole["dry_run"], whole["is_complete"], whole["verdicts"]) == (True, True, [])


def test_verdicts_are_counted_and_warnings_beside_them() -> None:
    verdicts = [
        _verdict(Outcome.REGISTERED, 1, findings=(ODD,)),
        _verdict(Outcome.REGISTERED, 2),
        _verdict(Outcome.CHANGED, 3),
        _verdict(Outcome.UNCHANGED, 4, findings=(ODD,)),
        _refused(5),
        _verdict(Outcome.WARNED, 6, findings=(ODD,)),
    ]

    assert count(verdicts) == {"registered": 2, "changed": 1, "unchanged": 1, "refused": 1, "warned": 3}


def test_a_report_can_be_written_in_another_language() -> None:
    finding = refuse("spatial", "shape", "", "A line must have at least two positions.")
    verdict = Verdict(Outcome.REFUSED, (2,), None, (finding,))
    options = UploadOptions(language="es")
    report = read_report(b"".join(write_report(UPLOAD, options, [verdict], count([verdict]), ReportScope())))

    [written] = report["verdicts"][0]["findings"]
    assert report["language"] == "es"
    assert written["message"] == "Una línea debe tener al menos dos posiciones."
    assert written["template"] == "A line must have at least two positions."
    assert verdict_of(report["verdicts"][0]) == verdict


def test_a_stored_file_has_a_report_too() -> None:
    report = read_report(write_stored(UPLOAD))

    assert (report["stored"], report["verdicts"], report["refused_lines"]) == (True, [], None)
    assert set(report["counts"].values()) == {0}


def test_the_progress_of_an_upload_can_be_read() -> None:
    progress = UploadProgress(30.5, 3, 10, "2011-08-25T17:29:00.000Z", 7, ("uri-gin/azgs/",))

    assert read_progress(_read(write_progress(progress))) == progress
    assert read_progress({"done": 3, "of": 10}) == UploadProgress(30, 3, 10)


def test_the_documents_of_an_upload_have_adjacent_keys() -> None:
    assert report_key("uri-gin/azgs/a.csv", "v1") == "uri-gin/azgs/a.csv/v1.json"
    assert page_key("uri-gin/azgs/a.csv", "v1") == "uri-gin/azgs/a.csv/v1.html"
    assert page_key("uri-gin/azgs/a.csv", "v1", "es") == "uri-gin/azgs/a.csv/v1.es.html"
    assert progress_key("uri-gin/azgs/a.csv", "v1") == "uri-gin/azgs/a.csv/v1.progress.json"
    assert refused_key("uri-gin/azgs/a.csv", "v1") == "uri-gin/azgs/a.csv/v1.refused.csv"
    assert refused_key("uri-gin/azgs/a.xlsx", "v1") == "uri-gin/azgs/a.xlsx/v1.refused.csv"
    assert refused_key("uri-gin/azgs/a.ods", "v1") == "uri-gin/azgs/a.ods/v1.refused.csv"
    assert refused_key("uri-gin/azgs/a.XLSM.gz", "v1") == "uri-gin/azgs/a.XLSM.gz/v1.refused.csv"
    assert refused_key("uri-gin/azgs/a.csv.GZ", "v1") == "uri-gin/azgs/a.csv.GZ/v1.refused.csv"
    assert refused_key("uri-gin/a.zgs/b.jsonl", "v1") == "uri-gin/a.zgs/b.jsonl/v1.refused.jsonl"


def _lines(text: str) -> list[bytes]:
    return [f"{line}\n".encode() for line in text.split()]


@pytest.mark.parametrize(
    ("refused", "kept"),
    [
        ([], ""),
        ([3], "heading c"),
        ([2, 5], "heading b e"),
        ([5, 2], "heading b e"),
        ([1], "heading"),
        ([1, 2, 3, 4, 5], "heading b c d e"),
    ],
)
def test_refused_lines_are_below_the_heading_in_their_order(refused: list[int], kept: str) -> None:
    lines = _lines("heading b c d e")
    verdicts = [
        _refused(number) if number in refused else _verdict(Outcome.REGISTERED, number)
        for number in (2, 3, 4, 5)
    ] + ([_refused(1)] if 1 in refused else [])

    assert _refused_lines(lines, verdicts, heading=TABLE) == b"".join(_lines(kept))


def test_all_rows_that_are_refused_together_are_kept() -> None:
    verdicts = [_refused(2, 5), _verdict(Outcome.REGISTERED, 3, 4)]

    assert _refused_lines(_lines("h b c d e"), verdicts, heading=TABLE) == b"h\nb\ne\n"


def test_json_lines_have_no_heading() -> None:
    verdicts = [_verdict(Outcome.REGISTERED, 1), _refused(2)]

    assert _refused_lines(_lines("a b"), verdicts, heading=None) == b"b\n"


def test_a_row_over_several_lines_is_kept_whole() -> None:
    lines = _lines('h a,"b c" d,"e f"')
    verdicts = [_refused(2), _verdict(Outcome.REGISTERED, 4)]

    assert _refused_lines(lines, verdicts, heading=TABLE) == b'h\na,"b\nc"\n'


def test_a_heading_over_several_lines_is_kept_whole() -> None:
    lines = _lines('identifier,"depth (m)" a b')
    about_the_heading = Verdict(Outcome.WARNED, (1,), None, (ODD,))
    verdicts = [about_the_heading, _refused(3), _verdict(Outcome.REGISTERED, 4)]

    assert _refused_lines(lines, verdicts, heading=TABLE) == b'identifier,"depth\n(m)"\na\n'


@pytest.mark.parametrize(("refused", "kept"), [(4, "sep=; h b"), (2, "sep=; h")])
def test_the_heading_is_below_the_separator_line(refused: int, kept: str) -> None:
    verdicts = [_refused(refused), _verdict(Outcome.REGISTERED, 3)]

    assert _refused_lines(_lines("sep=; h a b"), verdicts, heading=TABLE) == b"".join(_lines(kept))


def test_a_last_line_without_an_end_gets_one() -> None:
    assert _refused_lines([b"h\n", b"a\n", b"b"], [_refused(3), _refused(2)], heading=TABLE) == b"h\na\nb\n"


def test_bytes_outside_utf8_are_kept() -> None:
    assert _refused_lines([b"h\n", b"\xff\x00\r\n"], [_refused(2)], heading=TABLE) == b"h\n\xff\x00\r\n"


@pytest.mark.parametrize("heading", [TABLE, None])
def test_a_file_refused_as_a_whole_has_no_lines_to_correct(heading: HeadingTest | None) -> None:
    assert _refused_lines([], [_refused(1)], heading=heading) == b""


def test_the_lines_above_the_heading_are_returned_with_it() -> None:
    lines = [b"Wells of Arizona;;\n", b"\n", b"Identifier;Title\n", b"a;b\n", b"c;=1\n"]
    verdicts = [_verdict(Outcome.REGISTERED, 4), _refused(5)]

    refused = _refused_lines(lines, verdicts, heading=TABLE)

    assert refused == b"Wells of Arizona;;\n\nIdentifier;Title\nc;'=1\n"


@pytest.mark.parametrize(
    ("value", "repeated"),
    [
        (None, ""),
        (17, "17"),
        ("Brünnen", "Brünnen"),
        ("a\x1b[2Jb\n\ud800", "a\N{REPLACEMENT CHARACTER}[2Jb" + "\N{REPLACEMENT CHARACTER}" * 2),
        ("\u202eevil", "\N{REPLACEMENT CHARACTER}evil"),
        ("x" * MOST_SHOWN, "x" * MOST_SHOWN),
        ("x" * 2_000, "x" * MOST_SHOWN + "…"),
    ],
)
def test_a_value_is_shown_shortened_without_control_characters(value: object, repeated: str) -> None:
    assert shown(value) == repeated
