"""Waits for the report on an upload, shows its progress, and finds the last one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from ginuri.cli.ports import Stack
from ginuri.cli.terminal import localize, say
from ginuri.files.reports.listed_uploads import find_last_attempt, read_reported
from ginuri.files.reports.progress import UploadProgress, describe_progress, progress_key, read_progress
from ginuri.files.reports.remedies import name_upload, rollback_command
from ginuri.files.reports.report import report_key, way_out_of
from ginuri.files.reports.summary import summary_key
from ginuri.identifiers.messages import Message, message

INTERRUPTED = 130
"""The exit code after Ctrl-C (`cli.__main__`)."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two requests for the report: the pause grows from the first to the longest."""
_WATCHING = 900
"""The seconds to wait in the command that watches an upload."""


def wait_for_report(  # noqa: PLR0913  the upload, and how it is waited for
    stack: Stack, key: str, version: str, seconds: float, *, quiet: bool = False, is_dry_run: bool = False
) -> dict[str, Any] | None:
    """Wait for the report on an upload, and show its progress; None if there is none in time.

    If a part was given up, or is not finished in time, the report names it. Ctrl-C ends the command, not the
    upload.
    """
    try:
        with show_progress(key.rpartition("/")[2], hidden=quiet) as show:
            return _wait(stack, key, version, seconds, show)
    except (KeyboardInterrupt, SystemExit) as ended:  # the command's own signal handler exits
        if isinstance(ended, SystemExit) and ended.code != INTERRUPTED:
            raise
        _explain_interruption(stack, key, version, is_dry_run=is_dry_run)
        sys.exit(INTERRUPTED)  # in place of the exception, which is explained already


def _wait(
    stack: Stack, key: str, version: str, seconds: float, show: Callable[[UploadProgress], None]
) -> dict[str, Any] | None:
    pause, deadline = _FIRST_PAUSE, time.monotonic() + seconds
    report: dict[str, Any] | None = None
    while time.monotonic() < deadline:
        report = read_reported(stack, report_key(key, version))
        if report is not None and not report["is_complete"] and report["unfinished"]["is_given_up"]:
            return report
        # The summary ends the upload: `ginuri uploads`, `history` and `refused` know it from then on.
        if report is not None and report["is_complete"] and _has_ended(stack, key, version):
            show(UploadProgress(100))
            return report
        if (progress := read_reported(stack, progress_key(key, version))) is not None:
            show(read_progress(progress))
        stack.work(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)
    return report


def _has_ended(stack: Stack, key: str, version: str) -> bool:
    return read_reported(stack, summary_key(key, version)) is not None


@contextmanager
def show_progress(label: str, *, hidden: bool = False) -> Iterator[Callable[[UploadProgress], None]]:
    """Show a progress bar on stderr, if that is a terminal, and yield the function that moves it."""
    hidden = hidden or not sys.stderr.isatty()
    with click.progressbar(
        length=100, label=label, hidden=hidden, file=sys.stderr, show_eta=False, show_percent=False, width=0
    ) as bar:

        def show(progress: UploadProgress) -> None:
            percent = int(progress.percent)
            # Two parts that end at once may write their figures in the wrong order.
            if percent:
                percent = max(percent, bar.pos)
            words = describe_progress(replace(progress, percent=percent))
            bar.label = f"{label}: {localize(words)}" if words else label
            bar.pos = percent
            bar.render_progress()

        yield show


def _explain_interruption(stack: Stack, key: str, version: str, *, is_dry_run: bool) -> None:
    """Print what happens to the upload, and the commands that watch and undo it."""
    watch = f"`ginuri report {name_upload(key, version)}{stack.option} --wait {_WATCHING}`"
    if stack.has_ingest:
        say(message("The upload continues. To watch it, run {command}", command=watch), err=True)
    else:
        waits = message(
            "The upload is kept. No server runs, so it continues with the next command: {command}",
            command=watch,
        )
        say(waits, err=True)
    if is_dry_run:
        say(message("It is a dry run, and changes nothing."), err=True)
    else:
        undo = f"`{rollback_command(key, version, stack.option)}`"
        say(message("To undo it when it is done, run {command}", command=undo), err=True)


def describe_unfinished(key: str, version: str, report: Mapping[str, Any]) -> Message:
    """Describe an upload that is not finished, the reason, and the way to finish it."""
    return message(
        "{upload} is not finished. {way_out}",
        upload=f"{key}#{version}",
        way_out=way_out_of(report["unfinished"]),
    )


def read_report(stack: Stack, key: str, version: str) -> dict[str, Any] | None:
    """Read the report on the last attempt at an upload; None if there is none."""
    return read_reported(stack, report_key(key, find_last_attempt(stack, key, version)))
