"""Uploads that a command writes itself: tried out, shown, asked about and handed in as any other."""

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

from ginuri.cli.stack import Stack, explaining_failures
from ginuri.cli.terminal import localize
from ginuri.cli.uploads.report_text import describe, describe_preview
from ginuri.cli.uploads.upload import confirm, is_terminal, submit
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import message

PACKED_FROM = 1024 * 1024
"""From how many bytes on a file is packed with gzip."""
_Command = TypeVar("_Command", bound=Callable[..., None])


@dataclass(slots=True)
class Draft:
    """A file of registrations that is not handed in yet: on disk, as long as `open_files` is open."""

    key: str
    open_files: ExitStack
    file: IO[bytes] = field(init=False)
    lines: int = 0

    def __post_init__(self) -> None:
        opened = tempfile.TemporaryFile()  # noqa: SIM115  it is closed with the others
        self.file = self.open_files.enter_context(opened)

    def add(self, lines: Iterable[str]) -> None:
        """Write lines to it."""
        for line in lines:
            self.file.write(f"{line}\n".encode())
            self.lines += 1

    def packed(self) -> Draft:
        """Give it as it is handed in: packed, where it is large."""
        if self.file.tell() < PACKED_FROM:
            return self
        smaller = Draft(f"{self.key}.gz", self.open_files, lines=self.lines)
        self.file.seek(0)
        with gzip.GzipFile(fileobj=smaller.file, mode="wb", mtime=0) as packing:
            shutil.copyfileobj(self.file, packing)
        return smaller


def submit_options(command: _Command) -> _Command:
    """Give a command the options that an upload has, of those that it needs."""
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
                help="Let it change more than a tenth of what stands there.",
            ),
            click.option("--wait", default=900, show_default=True, help="Seconds to wait for the report."),
            click.option(
                "--json",
                "as_json",
                is_flag=True,
                help="Print the reports, and what was passed over, as JSON.",
            ),
        )
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class SubmitOptions:
    """How drafts are handed in."""

    is_dry_run: bool
    is_sure: bool
    as_json: bool
    wait: int


def submit_drafts(  # noqa: PLR0913, PLR0917  what is handed in, and how
    stack: Stack,
    drafts: Sequence[Draft],
    options: UploadOptions,
    manner: SubmitOptions,
    told: Sequence[str] = (),
    first: Callable[[], None] = lambda: None,
) -> Sequence[dict[str, Any]]:
    """Hand in files, on a terminal after a look at what would come of them, and give the reports.

    `told` is said before anything else; `first` is done before anything is handed in for good. Raises
    click.UsageError where the stack did not take them.
    """
    drafts = [draft.packed() for draft in drafts]
    tried = replace(options, is_dry_run=True)
    if not manner.as_json:
        for line in told:
            click.echo(line)
    with explaining_failures(message("The upload failed")):
        if not (manner.is_dry_run or manner.is_sure or manner.as_json) and is_terminal():
            previews = [submit(stack, each.key, each.file, tried, manner.wait) for each in drafts]
            confirm("\n".join(describe_preview(preview, stack) for preview in previews))
        if not manner.is_dry_run:
            first()
        how = tried if manner.is_dry_run else options
        reports = [
            submit(stack, each.key, each.file, how, manner.wait, quiet=manner.as_json) for each in drafts
        ]
    tell = describe_preview if manner.is_dry_run else describe
    if not manner.as_json:
        for report in reports:
            click.echo(tell(report, stack))
            if not manner.is_dry_run and (report["counts"]["changed"] or report["counts"]["registered"]):
                upload = report["upload"]
                undo = f"ginuri rollback '{upload['key']}#{upload['version']}'"
                click.echo(localize(message("to undo it: {command}", command=undo)))
    return reports


def leave(reports: Sequence[dict[str, Any]], *, is_whole: bool = True) -> None:
    """End with 1 where a line was refused, or something was passed over."""
    sys.exit(1 if not is_whole or any(report["counts"]["refused"] for report in reports) else 0)
