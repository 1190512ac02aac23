"""The schema of reports is strict: it refuses members that it does not describe."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema_rs import ValidationError, meta

from ginuri.files.options import UploadOptions
from ginuri.files.reports.report import Upload, count, write_report, write_stored, write_unfinished
from ginuri.files.reports.scope import ReportScope
from ginuri.registration.verdicts import Outcome, Verdict, at, refuse, suggest
from ginuri.registry.record.differences import Difference, FieldChange
from infra.docs import FOLDER
from tests.builders import MAP, PUT
from tests.report_schema import SCHEMA, read_report

UPLOAD = Upload("uploads", "uri-gin/azgs/wells.csv", "v1", PUT.format(0))


def _report() -> bytes:
    finding = suggest(
        at(refuse("status", "enum", "gone", "One of {words}.", words="a, b"), 3, "Status"), "retired"
    )
    difference = Difference((FieldChange("title", None, "Well"),), 2)
    verdicts = [
        Verdict(Outcome.REFUSED, (2, 3), MAP, (finding,)),
        Verdict(Outcome.CHANGED, (4,), MAP, (), difference),
    ]
    options = UploadOptions(submitter="Jane Doe", reason="The new server")
    return b"".join(
        write_report(UPLOAD, options, verdicts, count(verdicts), ReportScope(3, 2), "refused.csv")
    )


@pytest.mark.parametrize(
    "body", [_report(), write_stored(UPLOAD), write_unfinished(UPLOAD, "part 1", 5, "the table is away")]
)
def test_every_kind_of_report_satisfies_the_schema(body: bytes) -> None:
    meta.validate(SCHEMA)

    assert read_report(body)["upload"]["key"] == UPLOAD.key


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.pop("counts"),
        lambda report: report.update(unknown=1),
        lambda report: report.update(is_complete=False),
        lambda report: report["counts"].update(refused=-1),
        lambda report: report["counts"].update(others=1),
        lambda report: report["verdicts"][0].update(verdict="maybe"),
        lambda report: report["verdicts"][0]["findings"][0].pop("line"),
        lambda report: report["verdicts"][0]["findings"][0].update(line=0),
        lambda report: report["verdicts"][0]["findings"][0].update(cell="C5"),
        lambda report: report["verdicts"][0]["findings"][0]["values"].update(finding=5),
        lambda report: report["verdicts"][1]["changes"][0].pop("before"),
    ],
)
def test_an_altered_report_violates_the_schema(change: Callable[[dict[str, Any]], object]) -> None:
    report = json.loads(_report())
    change(report)

    with pytest.raises(ValidationError):
        read_report(json.dumps(report))


def test_the_page_on_reports_names_every_member_of_a_finding() -> None:
    page = (FOLDER / "reference" / "reports.md").read_text("utf-8")

    members = SCHEMA["$defs"]["finding"]["properties"]
    assert [name for name in members if f'"{name}"' not in page] == []
