"""Is a warning for many rows listed once, with all lines, and nothing lost?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.cli.uploads.report_text import describe_judged
from ginuri.files.reports.finding_groups import without_numbers
from ginuri.files.reports.repeated_warnings import (
    MOST_COUNTED,
    RepeatedWarnings,
    WarningCounter,
    find_repeated,
    mark_of,
)
from ginuri.files.reports.report import page_key
from ginuri.ingest.collaborators import Limits
from ginuri.registration.verdicts import Finding, Outcome, Verdict, at, refuse, suggest, warn
from tests.steward import LINES, settled

DOC = "uri-gin/azgs/doc/"
ODD = warn("title", "missing", None, "A title helps people.")
IN_PARTS = Limits(task_rows=3, chunk_rows=4)


def verdict(line: int, *findings: Finding) -> Verdict:
    return Verdict(Outcome.REGISTERED, (line,), f"{DOC}{line}/", findings)


def rows(number: int, **fields: Any) -> str:
    lines = ({"identifier": f"{DOC}{at}/", **fields} for at in range(number))
    return "".join(f"{json.dumps(each)}\n" for each in lines)


@pytest.mark.parametrize("limits", [Limits(), IN_PARTS])
def test_a_warning_for_every_row_is_once_in_the_report(limits: Limits) -> None:
    steward = settled()
    steward.limits = limits

    whole = steward.upload(LINES, rows(20)).whole

    [group] = whole["finding_groups"]
    assert (group["count"], group["lines"], group["identical"]) == (20, [[1, 20]], True)
    assert (group["finding"]["rule"], group["finding"]["line"]) == ("missing", 1)
    assert {(len(each["findings"]), each["more_findings"]) for each in whole["verdicts"]} == {(0, 1)}
    assert json.dumps(whole).count("Add a title") == 1
    assert whole["counts"]["warned"] == 20


def test_the_terminal_and_the_page_show_it_once() -> None:
    steward = settled()
    put = steward.put(LINES, rows(20))
    report = steward.deliver(put).whole
    page = steward.files.reports[page_key(put.key, put.version)].decode()

    assert describe_judged(report).count("Add a title") == 1
    assert "all rows: warned: title (20 rows)" in describe_judged(report)
    assert "only listed in" not in describe_judged(report)
    assert (page.count("Add a title"), "(20 rows)" in page) == (1, True)


def test_a_warning_for_one_row_stays_with_its_verdict() -> None:
    other = json.dumps({"identifier": f"{DOC}other/", "title": "It"})
    whole = settled().upload(LINES, f"{rows(1)}{other}\n").whole

    assert "finding_groups" not in whole
    assert [each["rule"] for each in whole["verdicts"][0]["findings"]] == ["missing"]


def test_missing_resource_types_are_one_warning() -> None:
    content = "".join(
        json.dumps({"identifier": f"uri-gin/azgs/x{at}/", "title": "It"}) + "\n" for at in range(9)
    )
    whole = settled().upload(LINES, content).whole

    assert [(each["finding"]["rule"], each["count"]) for each in whole["finding_groups"]] == [
        ("resource type", 9)
    ]


@pytest.mark.parametrize(
    "finding",
    [
        refuse("title", "missing", None, "A title helps people."),
        suggest(warn("title", "plain", "A\tB", "No tabs."), "A B"),
    ],
)
def test_refusals_and_corrections_have_no_mark(finding: Finding) -> None:
    assert mark_of(finding) == ""


def test_warnings_with_different_values_have_different_marks() -> None:
    marks = {mark_of(warn("x", "odd", value, "It is {value}.", value=value)) for value in "abc"}

    assert len(marks) == 3
    assert mark_of(at(ODD, 7)) == mark_of(at(ODD, 8)) == mark_of(ODD)


def test_other_findings_of_a_verdict_are_kept() -> None:
    own = warn("status", "following", "x", "The status is unusual.")
    counter = WarningCounter()
    verdicts = [verdict(2, ODD), verdict(3, own, ODD), verdict(4)]
    for each in verdicts:
        counter.add(each)
    warnings = RepeatedWarnings(find_repeated(counter.counts))

    taken = [warnings.take(each) for each in verdicts]

    assert [(each.findings, each.more_findings) for each in taken] == [((), 1), ((own,), 1), ((), 0)]
    [group] = warnings
    assert (group.count, list(group.lines.ranges())) == (2, [(2, 3)])


def test_a_limited_number_of_warnings_is_counted() -> None:
    counter = WarningCounter()
    for number in range(MOST_COUNTED + 5):
        counter.add(verdict(2, warn("x", "odd", number, "It is odd."), ODD))

    assert len(counter.counts) == MOST_COUNTED


def test_the_items_of_lists_are_one_field() -> None:
    forms = [{"part": f".{at}", "location": f"https://a.example/{at}."} for at in range(5)]
    report = settled().upload(
        LINES, json.dumps({"identifier": f"{DOC}1", "title": "It", "representations": forms})
    )

    text = describe_judged(report.whole)
    assert "column representations.location" in text
    assert "(5 times)" in text
    assert without_numbers("representations.0.title.de") == "representations.title.de"
