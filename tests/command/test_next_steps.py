"""The commands after an upload are ready to be pasted."""

from __future__ import annotations

import pytest

from ginuri.cli.next_steps import next_steps
from tests.stacks import MemoryStack
from tests.steward import Steward


@pytest.mark.parametrize(
    ("name", "refused", "output"),
    [
        ("wells.csv", "csv", "refused-wells.csv"),
        ("wells.xlsx", "csv", "refused-wells.csv"),
        ("wells 1.ods.gz", "csv", "'refused-wells 1.csv'"),
        ("wells.jsonl.gz", "jsonl", "refused-wells.jsonl"),
    ],
)
def test_refused_rows_get_a_name_of_their_own_format(name: str, refused: str, output: str) -> None:
    key = f"uri-gin/azgs/{name}"
    report = {
        "upload": {"key": key, "version": "v1"},
        "refused_lines": f"{key}/v1.refused.{refused}",
        "dry_run": True,
        "counts": {},
    }

    [step] = next_steps(report, MemoryStack(Steward()))

    assert step.endswith(f" --output {output}")


def test_a_report_with_corrections_for_a_command_prints_it() -> None:
    command = "ginuri repair wells.csv --under uri-gin/azgs/"
    report = {
        "upload": {"key": "uri-gin/azgs/wells.csv", "version": "v1"},
        "refused_lines": None,
        "repair_command": command,
        "dry_run": True,
        "counts": {},
    }

    assert list(next_steps(report, MemoryStack(Steward()))) == [f"to write the corrections: {command}"]
