"""A workbook with several sheets: one is read, and all others are reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.ingest.collaborators import Limits
from tests.spreadsheets import Rows, open_document, workbook, written
from tests.steward import TABLE, Report, Steward, settled

Write = Callable[[Mapping[str, Rows], Collection[str]], bytes]
HEADING = ["identifier", "title"]
WELLS = [HEADING, ["uri-gin/azgs/doc/well/1", "Well 1"], ["uri-gin/azgs/doc/well/2", "Well 2"]]
MAPS = [["Maps of 2011"], HEADING, ["uri-gin/azgs/doc/map/1", "Map 1"]]
NOTES = [["Notes"], ["Checked by J."]]
FORMATS = pytest.mark.parametrize(("suffix", "write"), [("xlsx", workbook), ("ods", open_document)])
ONLY_WELLS = "Only the sheet 'Wells' was read"
_MAP = "uri-gin/azgs/doc/map/1"


def _upload(steward: Steward, suffix: str, content: bytes, **options: Any) -> Report:
    return steward.upload(f"uri-gin/azgs/wells.{suffix}", content, **write_options(UploadOptions(**options)))


def _about_sheets(report: Report) -> list[tuple[tuple[int, ...], str, str]]:
    return [
        (verdict.lines, finding["level"], finding["message"])
        for verdict in report.verdicts
        for finding in verdict.findings
        if finding["rule"] == "sheet"
    ]


@FORMATS
def test_a_second_sheet_with_identifiers_is_never_dropped_in_silence(suffix: str, write: Write) -> None:
    report = _upload(settled(), suffix, write({"Wells": WELLS, "Maps of 2011": MAPS}, ()))

    assert report.counts == {"registered": 2, "refused": 1}
    [(lines, level, message)] = _about_sheets(report)
    assert (lines, level) == ((), "refused")
    assert message == (
        f"{ONLY_WELLS}. There is a column `identifier` in 'Maps of 2011' as well: upload the file again for "
        'each of them, such as with --sheet "Maps of 2011", or for all of them with --sheet "*".'
    )
    assert report.whole["refused_lines"] is None


@FORMATS
@pytest.mark.parametrize("name", ["Maps", " maps "])
def test_a_sheet_is_chosen_by_its_name(suffix: str, write: Write, name: str) -> None:
    steward = settled()

    report = _upload(steward, suffix, write({"Wells": WELLS, "Maps": MAPS}, ()), sheet=name)

    assert report.counts == {"registered": 1, "warned": 1}
    assert steward.values(_MAP) is not None
    assert [(lines, level) for lines, level, _ in _about_sheets(report)] == [((), "warned")]


@FORMATS
def test_the_first_sheet_with_identifiers_is_read_at_any_position(suffix: str, write: Write) -> None:
    report = _upload(settled(), suffix, write({"Empty": [], "Notes": NOTES, "Maps": MAPS}, ()))

    assert report.counts == {"registered": 1, "warned": 1}
    [(_, _, message)] = _about_sheets(report)
    assert message == "Only the sheet 'Maps' was read. No column `identifier` was found in 'Notes'."


@FORMATS
def test_a_hidden_sheet_is_named_and_read_on_request(suffix: str, write: Write) -> None:
    content = write({"Old": MAPS, "Wells": WELLS}, ("Old",))

    passed_over, chosen = (
        _upload(settled(), suffix, content),
        _upload(settled(), suffix, content, sheet="Old"),
    )

    [(_, level, message)] = _about_sheets(passed_over)
    assert (passed_over.counts, level) == ({"registered": 2, "warned": 1}, "warned")
    assert message.startswith(f"{ONLY_WELLS}. Hidden: 'Old'.")
    assert chosen.counts == {"registered": 1, "warned": 1}


@FORMATS
def test_an_unknown_sheet_is_refused_with_the_names_of_all(suffix: str, write: Write) -> None:
    report = _upload(settled(), suffix, write({"Wells": WELLS, "Maps": MAPS}, ()), sheet="Mapps")

    assert report.counts == {"refused": 1}
    [(_, _, message)] = _about_sheets(report)
    assert message == "There is no sheet 'Mapps'. The sheets of the file are: 'Wells', 'Maps'."


def test_a_sheet_of_a_file_without_sheets_is_refused() -> None:
    options = write_options(UploadOptions(sheet="Wells"))

    report = settled().upload(TABLE, "identifier,title\n", **options)

    [(_, _, message)] = _about_sheets(report)
    assert message == "Only a spreadsheet has sheets (.xlsx, .xlsm, .ods). Leave out --sheet."


@FORMATS
def test_a_snapshot_retires_nothing_if_another_sheet_has_identifiers(suffix: str, write: Write) -> None:
    steward = settled()
    for sheet in ("Wells", "Maps"):
        _upload(steward, suffix, write({"Wells": WELLS, "Maps": MAPS}, ()), sheet=sheet)

    report = _upload(steward, suffix, write({"Wells": WELLS, "Maps": MAPS}, ()), snapshot="uri-gin/azgs/doc/")

    assert report.counts == {"unchanged": 2, "refused": 2}
    assert [each.broken for each in report.verdicts if each.verdict == "refused"] == [
        [("", "sheet")],
        [("", "snapshot")],
    ]
    assert (steward.values(_MAP) or {}).get("status") is None


def test_a_snapshot_of_a_chosen_sheet_retires_missing_identifiers() -> None:
    steward = settled()
    content = workbook({"Wells": WELLS, "Maps": MAPS})
    _upload(steward, "xlsx", content, sheet="Maps")

    report = _upload(steward, "xlsx", content, sheet="Wells", snapshot="uri-gin/azgs/doc/")

    assert report.counts == {"registered": 2, "changed": 1, "warned": 1}
    assert (steward.values(_MAP) or {})["status"] == "retired"


@pytest.mark.parametrize("limits", [Limits(), Limits(task_rows=1, chunk_rows=1, cut_seconds=0)])
def test_the_other_sheets_of_a_big_workbook_are_named_once(limits: Limits) -> None:
    steward = settled()
    steward.limits = limits

    report = _upload(steward, "xlsx", workbook({"Wells": WELLS, "Maps": MAPS, "Notes": NOTES}))

    assert [level for _, level, _ in _about_sheets(report)] == ["refused", "warned"]
    assert report.counts == {"registered": 2, "refused": 1, "warned": 1}


def test_columns_are_mapped_before_a_sheet_is_chosen() -> None:
    wells = [["Persistent ID", "title"], ["uri-gin/azgs/doc/well/1", "Well 1"]]

    report = _upload(
        settled(), "xlsx", workbook({"Notes": NOTES, "Wells": wells}), columns="identifier=Persistent ID"
    )

    assert report.counts == {"registered": 1, "warned": 1}


def test_other_sheets_are_named_if_no_sheet_has_identifiers() -> None:
    report = _upload(settled(), "xlsx", workbook({"Wells": [["PID", "Name"], ["x", "y"]], "Notes": NOTES}))

    [verdict] = report.verdicts
    assert [(finding["rule"], finding["level"]) for finding in verdict.findings] == [
        ("heading", "refused"),
        ("sheet", "warned"),
    ]


def test_an_unreadable_sheet_does_not_affect_the_others() -> None:
    report = _upload(settled(), "xlsx", workbook({"Sums": [["=1+1"]], "Wells": WELLS}))

    assert report.counts == {"registered": 2, "warned": 1}
    assert "'Sums'" in _about_sheets(report)[0][2]


def test_a_workbook_with_one_filled_sheet_gets_no_remark() -> None:
    one, empty = written(WELLS), workbook({"Wells": WELLS, "Sheet2": [], "Template": [HEADING]})

    assert [_about_sheets(_upload(settled(), "xlsx", content)) for content in (one, empty)] == [[], []]


TOGETHER = {
    "Wells": [["identifier", "title", "properties.depth"], ["uri-gin/azgs/doc/well/1", "Well 1", "17"]],
    "Notes": NOTES,
    "Maps": [
        ["Maps of 2011"],
        ["Title", "Identifier", "Scale"],
        ["Map 1", _MAP, "1:500"],
        ["Map 2", "x", ""],
    ],
}


@FORMATS
@pytest.mark.parametrize("sheet", ["*", "Wells/maps"])
def test_several_sheets_are_read_as_one_table(suffix: str, write: Write, sheet: str) -> None:
    steward = settled()

    report = _upload(steward, suffix, write(TOGETHER, ()), sheet=sheet, columns="properties.scale=Scale")

    assert (steward.values(_MAP) or {})["properties"] == {"scale": "1:500"}
    assert (steward.values("uri-gin/azgs/doc/well/1") or {})["properties"] == {"depth": "17"}
    assert report.refused == {(6,): [("identifier", "URIscheme")]}
    assert [message for _, level, message in _about_sheets(report) if level == "warned"] == [
        "Further sheets were not read: 'Notes'.",
        "The rows of the sheet 'Maps' begin after line 2: its row 2 is line 4.",
    ]


def test_refused_rows_of_several_sheets_have_the_columns_of_all() -> None:
    report = _upload(settled(), "xlsx", workbook(TOGETHER), sheet="*", columns="properties.scale=Scale")

    lines = (report.refused_lines or b"").decode("utf-8-sig").splitlines()
    assert lines == ["identifier,title,properties.depth,Scale", "x,Map 2,,"]


def test_sheets_are_read_in_the_order_of_the_option() -> None:
    report = _upload(
        settled(), "xlsx", workbook(TOGETHER), sheet="Maps/Wells", columns="properties.scale=Scale"
    )

    assert report.refused == {(4,): [("identifier", "URIscheme")]}


@pytest.mark.parametrize(
    ("sheet", "named"), [("Wells/Rocks", "Rocks"), ("Wells/Notes", "Notes"), ("/", "Wells")]
)
def test_a_list_with_a_wrong_sheet_refuses_the_file(sheet: str, named: str) -> None:
    report = _upload(settled(), "xlsx", workbook(TOGETHER), sheet=sheet)

    [(_, level, message)] = _about_sheets(report)
    assert (level, named in message) == ("refused", True)
