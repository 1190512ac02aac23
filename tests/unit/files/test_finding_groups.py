"""Groups of findings, sets of lines, and the listed parts of each verdict."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.reports.finding_groups import MOST_KINDS, FindingGroups
from ginuri.files.reports.line_ranges import LineRanges, LineSet
from ginuri.files.reports.verdict_lines import VerdictWriter, group_of, read_verdict, write_groups
from ginuri.ingest.reports.streams import open_pieces
from ginuri.registration.verdicts import Finding, Outcome, Verdict, at, refuse, warn
from ginuri.registry.record.differences import Difference, FieldChange

LINES = st.lists(st.integers(1, 300) | st.integers(1, 20_000))


def _finding(column: str = "location", line: int | None = None) -> Finding:
    finding = refuse("location", "location", "ftp://a.example", "a location is http or https")
    return finding if line is None else at(finding, line, column)


@given(LINES)
def test_the_ranges_of_a_set_of_lines_are_its_lines_in_order(numbers: list[int]) -> None:
    lines = LineSet()
    for number in numbers:
        lines.add(number)

    ranges = list(lines.ranges())

    assert [number for first, last in ranges for number in range(first, last + 1)] == sorted(set(numbers))
    assert all(last + 1 < first for (_, last), (first, _) in pairwise(ranges))


@given(LINES)
def test_ranges_are_added_as_their_lines_are(numbers: list[int]) -> None:
    lines = LineSet()
    for number in numbers:
        lines.add(number)
    ranges = list(lines.ranges())
    by_line, by_range = LineRanges(sorted(set(numbers))), LineRanges()

    by_range.extend(ranges)

    assert by_range.count == by_line.count
    assert by_range.write(100) == by_line.write(100)


@given(st.lists(st.lists(st.integers(0, 3), max_size=4)), st.integers(0, 5_000))
def test_listed_and_grouped_findings_are_all_findings(rows: list[list[int]], most_bytes: int) -> None:
    verdicts = [
        Verdict(Outcome.REFUSED, (line,), None, tuple(_finding(f"c{each}", line) for each in row))
        for line, row in enumerate(rows, start=2)
    ]
    writer = VerdictWriter(most_bytes)

    written = [read_verdict(writer.write(verdict)) for verdict in verdicts]

    grouped = sum(group.count for group in writer.groups)
    assert sum(len(verdict.findings) for verdict in written) + grouped == sum(map(len, rows))
    assert sum(verdict.more_findings for verdict in written) == grouped
    assert all(not (verdict.findings and verdict.more_findings) for verdict in written)


def test_later_verdicts_are_grouped_after_one_is_too_long() -> None:
    writer = VerdictWriter(1_000)
    long, short = (Verdict(Outcome.REFUSED, (n,), "x" * n, (_finding(line=n),)) for n in (400, 2))

    assert read_verdict(writer.write(long)).more_findings == 1
    assert read_verdict(writer.write(short)).more_findings == 1


def test_a_later_finding_joins_the_grouped_ones_of_its_verdict() -> None:
    verdict = Verdict(Outcome.REFUSED, (2,), None, (_finding(line=2),), more_findings=3)

    assert read_verdict(VerdictWriter().write(verdict)).more_findings == 4


def test_a_verdict_on_the_whole_upload_is_always_in_full() -> None:
    verdict = Verdict(Outcome.REFUSED, (), None, (_finding(),))

    assert read_verdict(VerdictWriter(0).write(verdict)) == verdict


def test_changes_beyond_the_bound_are_counted_and_retirements_listed() -> None:
    changes = (FieldChange("status", None, "retired"), FieldChange("title", "a", "b"))
    verdict = Verdict(Outcome.CHANGED, (2,), "uri-gin/azgs/a", (), Difference(changes, 5))

    kept = read_verdict(VerdictWriter(0).write(verdict)).difference

    assert kept == Difference(changes[:1], 6)


def test_groups_are_written_and_read() -> None:
    groups, others = FindingGroups(), FindingGroups()
    for line in (2, 3, 4, 9):
        groups.add(Verdict(Outcome.REFUSED, (line,), None, (_finding(line=line),)))

    for written in write_groups(groups):
        others.merge(group_of(json.loads(written)))

    [group] = others
    assert (group.finding, group.count) == (_finding(line=2), 4)
    assert list(group.lines.ranges()) == [(2, 4), (9, 9)]


def test_beyond_two_hundred_columns_findings_are_grouped_by_rule_and_sentence() -> None:
    groups = FindingGroups()

    for number in range(MOST_KINDS + 50):
        groups.add(Verdict(Outcome.REFUSED, (number + 1,), None, (_finding(f"c{number}", number + 1),)))

    *_, last = groups
    assert len(list(groups)) == MOST_KINDS + 1
    assert (last.finding.column, last.count) == ("", 50)


def test_warnings_and_refusals_have_half_of_the_space_each() -> None:
    writer = VerdictWriter(2_000)
    warned = Verdict(Outcome.REGISTERED, (2,), "a", (warn("title", "title", "", "There is no title."),))
    for _ in range(20):
        writer.write(warned)

    assert read_verdict(writer.write(Verdict(Outcome.REFUSED, (2,), None, (_finding(),)))).findings


@given(st.lists(st.binary(max_size=20)), st.integers(1, 50))
def test_pieces_are_read_as_one_file(pieces: list[bytes], size: int) -> None:
    file = open_pieces(pieces)

    read = list(iter(lambda: file.read(size), b""))

    assert b"".join(read) == b"".join(pieces)
    assert all(len(each) == size for each in read[:-1])


def test_a_failure_between_two_pieces_fails_the_reader() -> None:
    def pieces() -> object:
        yield b"a"
        raise LookupError

    with pytest.raises(LookupError):
        open_pieces(pieces()).read()  # type: ignore[arg-type]
