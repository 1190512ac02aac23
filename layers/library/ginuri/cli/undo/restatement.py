"""Uploads that a command writes itself: previewed, confirmed and submitted like any other."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import IO, Any, TypeVar

import click

from ginuri.cli.ports import Stack
from ginuri.cli.stack import explaining_failures
from ginuri.cli.terminal import asked_language, is_terminal
from ginuri.cli.uploads.report_text import describe
from ginuri.cli.uploads.upload import confirm, submit
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import message

PACKED_FROM = 1024 * 1024
"""The size in bytes from which a file is compressed with gzip."""
_Command = TypeVar("_Command", bound=Callable[..., None])


@dataclass(slots=True)
class Draft:
    """A file of registrations that is not submitted yet: on disk, as long as `open_files` is open."""

    key: str
    open_files: ExitStack
    file: IO[bytes] = field(init=False)
    lines: int = 0

    def __post_init__(self) -> None:
        self.file = self.open_files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  it closes it

    def add(self, lines: Iterable[str]) -> None:
        """Append lines."""
        for line in lines:
            self.file.write(f"{line}\n".encode())
            self.lines += 1

    def packed(self) -> Draft:
        """Return the draft as it is submitted: compressed if it is large."""
        if self.file.tell() < PACKED_FROM:
            return self
        smaller = Draft(f"{self.key}.gz", self.open_files, lines=self.lines)
        self.file.seek(0)
        with gzip.GzipFile(fileobj=smaller.file, mode="wb", mtime=0) as compressed:
            shutil.copyfileobj(self.file, compressed)
        return smaller


def submit_options(command: _Command) -> _Command:
    """Add the options of an upload to a command that submits drafts."""
    for option in reversed(
        (
            click.option(
                "--dry-run", "is_dry_run", is_flag=True, help="Show what would change; change nothing."
            ),
            click.option(
                "--yes", "is_sure", is_flag=True, help="Do not show what would change and ask first."
            ),
            click.option(
                "--many",
                "is_many",
                is_flag=True,
                help="Allow it to change more than a tenth of the folder.",
            ),
            click.option("--wait", default=900, show_default=True, help="Seconds to wait for the report."),
            click.option(
                "--json",
                "as_json",
                is_flag=True,
                help="Print the reports, and what was left unchanged, as JSON.",
            ),
        )
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class SubmitOptions:
    """The options for submitting drafts."""

    is_dry_run: bool
    is_sure: bool
    as_json: bool
    wait: int


def submit_drafts(  # noqa: PLR0913, PLR0917  the drafts, and how they are submitted
    stack: Stack,
    drafts: Sequence[Draft],
    options: UploadOptions,
    submitting: SubmitOptions,
    summary: Sequence[str] = (),
    prepare: Callable[[], None] = lambda: None,
) -> Sequence[dict[str, Any]]:
    """Submit drafts, on a terminal after a preview and a confirmation, and return the reports.

    `summary` is printed first; `prepare` is called before the drafts are submitted, not before a dry run.
    Raises CommandFailed if the stack did not accept them.
    """
    drafts, options = [draft.packed() for draft in drafts], replace(options, language=asked_language())
    dry_run = replace(options, is_dry_run=True)
    if not submitting.as_json:
        for line in summary:
            click.echo(line)
    with explaining_failures(message("The upload failed"), stack.explain):
        if not (submitting.is_dry_run or submitting.is_sure or submitting.as_json) and is_terminal():
            previews = [submit(stack, draft.key, draft.file, dry_run, submitting.wait) for draft in drafts]
            confirm("\n".join(describe(preview, stack) for preview in previews))
        if not submitting.is_dry_run:
            prepare()
        used = dry_run if submitting.is_dry_run else options
        reports = [
            submit(stack, draft.key, draft.file, used, submitting.wait, quiet=submitting.as_json)
            for draft in drafts
        ]
    if not submitting.as_json:
        for report in reports:
            click.echo(describe(report, stack))
    return reports


def leave(reports: Sequence[dict[str, Any]], *, is_whole: bool = True) -> None:
    """Exit with 1 if a line was refused or a value was left unchanged; else with 0."""
    sys.exit(1 if not is_whole or any(report["counts"]["refused"] for report in reports) else 0)
