"""The commands that a person runs after an upload: to read its report, correct its rows, and undo it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ginuri.cli.terminal import localize
from ginuri.files.reports.remedies import name_upload, rollback_command
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from ginuri.cli.ports import Stack

_REFUSED = ".refused."
"""The name of a file with refused rows contains it."""
_CHANGED = ("registered", "changed")


def report_command(key: str, option: str) -> str:
    """Write the command that prints a report, or a file beside it, by its key."""
    upload, _, file = key.rpartition("/")
    command = "refused" if _REFUSED in file else "report"
    machine = " --json" if file.endswith(".json") else ""
    return f"ginuri {command} {name_upload(upload, file.partition('.')[0])}{option}{machine}"


def next_steps(report: Mapping[str, Any], stack: Stack) -> Iterator[str]:
    """Write what to do with the refused rows and the corrections, and how to undo the upload."""
    upload = report["upload"]
    named = name_upload(upload["key"], upload["version"])
    if report["refused_lines"]:
        # The rows of a spreadsheet are returned as CSV.
        stem = PurePosixPath(upload["key"].removesuffix(".gz")).stem
        output = shlex.quote(f"refused-{stem}{PurePosixPath(report['refused_lines']).suffix}")
        command = f"ginuri refused {named}{stack.option} --output {output}"
        yield localize(message("to correct the refused rows: {command}", command=command))
    if "repair_command" in report:
        yield localize(message("to write the corrections: {command}", command=report["repair_command"]))
    if not report["dry_run"] and any(report["counts"].get(outcome) for outcome in _CHANGED):
        command = rollback_command(upload["key"], upload["version"], stack.option)
        yield localize(message("to undo it: {command}", command=command))
