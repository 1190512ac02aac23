"""The summary of a report repeats its input."""

from __future__ import annotations

import json

import pytest

from ginuri.files.options import UploadOptions
from ginuri.files.reports.summary import ReportSummary, read_summary, summarize, write_summary


@pytest.mark.parametrize(
    "summary",
    [
        ReportSummary("2011-08-25T17:29:00.000Z", {"registered": 2, "refused": 0}),
        ReportSummary("", {}, is_dry_run=True, is_stored=True, submitter="Jané", reason='a "b"\n'),
    ],
)
def test_a_summary_is_read_as_it_was_written(summary: ReportSummary) -> None:
    assert read_summary(json.loads(write_summary(summary))) == summary


def test_a_summary_has_the_options_of_the_upload() -> None:
    options = UploadOptions(is_dry_run=True, submitter="Jane", reason="why")

    assert summarize("now", {"registered": 1}, options) == ReportSummary(
        "now", {"registered": 1}, is_dry_run=True, submitter="Jane", reason="why"
    )


def test_an_empty_summary_has_defaults() -> None:
    assert read_summary({}) == ReportSummary("", {})
