"""A report in brief: the most important first, findings of one kind as one, in limited memory."""

from __future__ import annotations

from functools import partial

import pytest

from ginuri.files.reports.digest import MOST_LISTED, Reach, ReportDigest
from ginuri.files.reports.entries import Entry
from ginuri.files.reports.line_ranges import MOST_RANGES, LineRanges
from ginuri.files.reports.remedies import line_to_paste
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.wording import (
    write_corrections,
    write_counts,
    write_finding,
    write_lines,
    write_number,
    write_place,
    write_problem,
)
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, at, refuse, suggest, warn
from ginuri.registry.record.differences import Difference, FieldChange
from tests.builders import MAP

TYPE = '{"record": "resource-type", "identifier": "uri-gin/azgs/doc/wells/", "title": "wells"}'
ODD = warn("title", "missing", None, "A title helps people.")


def _bad(value: str) -> Finding:
    return refuse("status", "status", value, "The status {value} is unknown.", value=value)


def _refused(line: int, finding: Finding) -> Verdict:
    return Verdict(Outcome.REFUSED, (line,), f"{MAP}{line}", (finding,))


def _changed(identifier: str, field: str, after: str) -> Verdict:
    return Verdict(Outcome.CHANGED, (), identifier, (), Difference((FieldChange(field, "x", after),)))


def _written(digest: ReportDigest, level: Level) -> list[str]:
    return [_line(entry) for entry in digest.entries(level)]


def _line(entry: Entry) -> str:
    corrections = write_corrections(entry, 3)
    sentence = f"{corrections}: {write_problem(entry)}" if corrections else write_finding(entry.finding)
    pieces = (f"{write_place(entry, 10)}:", sentence, write_number(entry))
    return " ".join(str(piece) for piece in pieces if piece)


def test_one_mistake_in_ninety_rows_is_one_entry_with_lines() -> None:
    digest = ReportDigest(_refused(line, _bad("deleted")) for line in range(2, 92))

    assert _written(digest, Level.REFUSED) == [
        "lines 2–91: status (deleted): The status deleted is unknown. (90 rows)"
    ]


def test_a_finding_in_several_rows_has_its_cell() -> None:
    verdict = Verdict(Outcome.REFUSED, (2, 3, 4), MAP, (at(_bad("gone"), 3, "Status"),))

    assert _written(ReportDigest([verdict]), Level.REFUSED) == [
        "line 3, column Status: Status (gone): The status gone is unknown."
    ]


def test_cells_of_a_column_are_one_entry_despite_different_suggestions() -> None:
    suggestions = {line: "" if line % 2 else f"s-{line}" for line in range(2, 92)}
    digest = ReportDigest(
        _refused(line, suggest(at(_bad(f"s{line}"), line, "Status"), suggestion))
        for line, suggestion in suggestions.items()
    )

    [written] = _written(digest, Level.REFUSED)
    corrections = "s2 → s-2, s3 → nothing, s4 → s-4, …"
    assert written == f"lines 2–91, column Status: {corrections}: The status s2 is unknown. (90 rows)"


def test_findings_with_the_same_correction_are_one_line() -> None:
    corrections = {2: ("gone", "retired"), 9: ("draft", "reserved"), 12: ("gonee", "retired")}
    corrections |= {line: (f"s{line}", "valid") for line in range(20, 25)}
    corrections |= dict.fromkeys((5, 6, 7), ("gone", "retired"))
    digest = ReportDigest(
        _refused(line, suggest(at(_bad(value), line, "Status"), correction))
        for line, (value, correction) in sorted(corrections.items())
    )

    others = "draft → reserved, gonee → retired, s20 → valid"
    assert _written(digest, Level.REFUSED) == [
        "lines 2, 5–7, column Status: gone → retired: The status gone is unknown. (4 rows)",
        f"lines 9, 12, 20–24, column Status: {others}, …: The status draft is unknown. (7 rows)",
    ]


def test_findings_without_a_correction_are_not_among_corrected_ones() -> None:
    suggestions = {line: None if line % 2 else "valid" for line in range(2, 12)}
    digest = ReportDigest(
        _refused(line, suggest(at(_bad(f"s{line}"), line, "Status"), suggestion))
        for line, suggestion in suggestions.items()
    )

    assert [entry.count for entry in digest.entries(Level.REFUSED)] == [5, 5]
    assert [bool(entry.corrections) for entry in digest.entries(Level.REFUSED)] == [True, False]


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (warn("identifier", "resource type", None, "None."), TYPE),
        (
            refuse("identifier", "folder", "x", "To {folder}.", folder="uri-gin/usgs/"),
            "--under uri-gin/usgs/",
        ),
        (refuse("identifier", "URIscheme", "12", "No."), "--map 'identifier=uri-gin/azgs/{ID}'"),
        (refuse("identifier", "URIscheme", "a/12", "No."), ""),
        (suggest(refuse("status", "status", "gone", "No."), "retired"), ""),
        (refuse("title", "missing", "", "No."), ""),
    ],
)
def test_a_finding_about_every_row_has_the_line_to_paste(finding: Finding, line: str) -> None:
    cell = partial(at, finding, column="ID")
    digest = ReportDigest(
        Verdict(Outcome(finding.level), (number,), f"uri-gin/azgs/doc/wells/{number}", (cell(number),))
        for number in range(2, 9)
    )

    [entry] = digest.entries(finding.level)
    assert digest.reach_of(entry, 7) is Reach.ALL
    assert line_to_paste(entry, digest, Reach.ALL, "uri-gin/azgs/") == line
    assert line_to_paste(entry, digest, digest.reach_of(entry, 8), "uri-gin/azgs/") == ""


def test_a_warning_about_all_registered_rows_is_about_every_row() -> None:
    good = [Verdict(Outcome.REGISTERED, (line,), f"{MAP}{line}", (ODD,)) for line in (2, 3)]
    digest = ReportDigest([*good, _refused(4, _bad("gone"))])

    [refused], [warned] = digest.entries(Level.REFUSED), digest.entries(Level.WARNED)
    assert (digest.reach_of(refused, 3), digest.reach_of(warned, 3)) == (Reach.SOME, Reach.ACCEPTED)
    assert str(write_place(warned, 10, Reach.ACCEPTED)) == "all rows that are not refused"


def test_a_line_with_several_findings_of_one_kind_is_listed_once() -> None:
    findings = tuple(at(warn("title", "odd", value, "Odd."), 3, "Title") for value in "ab")

    assert _written(ReportDigest([Verdict(Outcome.REGISTERED, (3,), MAP, findings)]), Level.WARNED) == [
        "line 3, column Title: Title (a): Odd. (2 times)"
    ]


def test_the_columns_of_one_field_are_separate_entries() -> None:
    digest = ReportDigest(_refused(line, at(_bad("gone"), line, f"Status {line}")) for line in (2, 3))

    assert [str(write_place(entry, 10)) for entry in digest.entries(Level.REFUSED)] == [
        "line 2, column Status 2",
        "line 3, column Status 3",
    ]


def test_few_values_of_one_mistake_are_separate_entries() -> None:
    digest = ReportDigest(
        _refused(line, _bad(value)) for line, value in ((2, "gone"), (3, "off"), (4, "gone"))
    )

    assert _written(digest, Level.REFUSED) == [
        "lines 2, 4: status (gone): The status gone is unknown. (2 rows)",
        "line 3: status (off): The status off is unknown.",
    ]


def test_many_values_of_one_mistake_are_one_entry_listing_each() -> None:
    digest = ReportDigest(_refused(line, _bad(f"s{line}")) for line in range(2, 6))

    [entry] = digest.entries(Level.REFUSED)

    assert (entry.count, str(write_lines(entry.lines, 10))) == (4, "lines 2–5")
    assert [occurrence.finding.value for occurrence in entry.occurrences] == ["s2", "s3", "s4", "s5"]


def test_a_different_inner_sentence_makes_another_kind_of_finding() -> None:
    inner = [message("One reason, {value}.", value="1"), message("Another reason, {value}.", value="1")]
    findings = [refuse("", "rule", "", "Rule {rule}: {finding}", rule="a", finding=words) for words in inner]

    digest = ReportDigest(_refused(line, findings[line % 2]) for line in range(2, 20))

    assert len(digest.entries(Level.REFUSED)) == 2


def test_findings_on_the_whole_upload_come_first() -> None:
    whole = Verdict(Outcome.WARNED, (), None, (warn("", "snapshot", 1, "Some were spared."),))
    digest = ReportDigest(
        [
            Verdict(Outcome.REFUSED, (2,), MAP, (ODD, _bad("gone"))),
            Verdict(Outcome.REGISTERED, (3,), f"{MAP}3", (ODD,)),
            whole,
        ]
    )

    assert _written(digest, Level.REFUSED) == ["line 2: status (gone): The status gone is unknown."]
    assert _written(digest, Level.WARNED) == [
        "the whole upload: (1): Some were spared.",
        "lines 2, 3: title: A title helps people. (2 rows)",
    ]


def test_the_reason_for_refusing_everything_is_not_repeated_for_every_row() -> None:
    stopped = refuse("", "many", "", "Nothing of this upload was registered.")
    whole = Verdict(Outcome.REFUSED, (), None, (refuse("", "many", 20, "Too many."),))

    digest = ReportDigest([whole, *(_refused(line, stopped) for line in range(2, 22))])

    assert digest.is_stopped
    assert _written(digest, Level.REFUSED) == ["the whole upload: (20): Too many."]


def test_changes_are_in_the_order_of_identifiers_those_that_retire_first() -> None:
    digest = ReportDigest(
        [
            _changed("uri-gin/azgs/c", "title", "new"),
            _changed("uri-gin/azgs/d", "status", "retired"),
            _changed("uri-gin/azgs/a", "title", "new"),
            _changed("uri-gin/azgs/b", "representations[x.pdf].status", "retired"),
        ]
    )

    assert [str(verdict.identifier)[-1] for verdict in digest.changes()] == ["b", "d", "a", "c"]
    assert (digest.changed, digest.retiring) == (4, 2)


def test_a_large_report_is_counted_whole_and_listed_in_part() -> None:
    many = 3 * MOST_LISTED
    digest = ReportDigest()
    for number in range(many, 0, -1):
        digest.add(_changed(f"uri-gin/azgs/{number:06d}", "title", "new"))
        digest.add(_refused(2 * number, _bad(str(number))))
        digest.add(_refused(number, refuse(f"f{number}", "rule", "", "A kind of its own.")))

    kept = [entry for entry in digest.entries(Level.REFUSED) if entry.finding.field == "status"]
    assert len(digest.changes()) == MOST_LISTED
    assert str(digest.changes()[0].identifier) == "uri-gin/azgs/000001"
    assert (digest.changed, kept[0].count) == (many, many)
    assert sum(len(entry.occurrences) for entry in digest.entries(Level.REFUSED)) <= MOST_LISTED + 200
    assert digest.unlisted == many - 199


def test_line_numbers_in_any_order_are_merged_to_ranges() -> None:
    assert LineRanges([9, 3, 7, 4, 5, 8]).write(10) == ("3–5, 7–9", 0)
    assert LineRanges(range(0, 10 * MOST_RANGES, 2)).write(1) == ("0", 5 * MOST_RANGES - 1)


def test_counts_name_their_subject_with_the_most_important_first() -> None:
    counts = {"registered": 80, "changed": 9, "unchanged": 1, "refused": 8, "warned": 1_200}

    assert str(write_counts(counts, ReportScope(100, 98))) == (
        "98 identifiers in 100 rows: 8 refused, 1,200 warned, 9 changed, 80 registered, 1 unchanged"
    )
    assert str(write_counts({"registered": 1, "refused": 0}, ReportScope(1, 1, 20))) == (
        "1 identifier in 1 row, and 20 not in the file: 1 registered"
    )
    assert str(write_counts({"registered": 0, "refused": 0}, ReportScope())) == "0 registered"


def test_the_rules_of_a_prefix_count_as_one_identifier() -> None:
    scope = ReportScope()
    scope.add(Verdict(Outcome.WARNED, (1,), None, (ODD,)), 1)
    for line in (2, 3):
        scope.add(Verdict(Outcome.REGISTERED, (line,), MAP), 1)
    scope.add(Verdict(Outcome.REGISTERED, (3,), MAP), 0)
    scope.add(Verdict(Outcome.REFUSED, (4,), None, (_bad("gone"),)), 1)
    scope.add(_changed("uri-gin/azgs/absent", "status", "retired"), 0)

    assert (scope.rows, scope.identifiers, scope.absent) == (3, 2, 1)
