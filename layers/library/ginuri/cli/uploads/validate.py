"""`ginuri validate`: checks a registry file without a stack."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import click

from ginuri.cli.options import folder_option, read_as_option, reading_options
from ginuri.cli.terminal import fault, language_option, refusal, write_json
from ginuri.cli.uploads.report_text import describe_judged
from ginuri.cli.uploads.stored_file import mistaken_for_registry
from ginuri.cli.uploads.waiting import show_progress
from ginuri.files.formats import SUFFIXES, reader_for
from ginuri.files.lines import MOST_BYTES, MOST_ROWS
from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.progress import UploadProgress, progress_key, read_progress
from ginuri.files.reports.report import Upload, report_key
from ginuri.identifiers import parse
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import root_of
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.memory import MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.clock import utc_now, write_moment
from ginuri.registry.model import RecordType, Registered, StoredFile
from ginuri.registry.reading import read_registered
from ginuri.registry.record.rule_records import is_rule_record

AT_ONCE = Limits(
    task_rows=MOST_ROWS,
    chunk_rows=MOST_ROWS,
    chunk_bytes=MOST_BYTES,
    detail_bytes=sys.maxsize,
    wait_seconds=0,
)
"""The file is processed in one part, without waiting for other uploads, and all findings are listed."""


@click.command("validate")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@folder_option(
    "--under",
    required=True,
    help="The identifier prefix to register under, such as uri-gin/azgs/.",
)
@reading_options
@read_as_option
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def validate_command(
    file: Path,
    *,
    under: str,
    language: str,
    as_json: bool,
    reading: UploadOptions,
) -> None:
    """Check FILE as an upload would be checked, without a stack and without sending anything.

    Assumes that the name authority is registered, that the files that lines name were uploaded, and that
    nothing else is registered. To see what would change in a registry, use `ginuri upload --dry-run`.

    Exits 0 when all is well, 1 when a line or the file would be refused, 2 when it could not be carried out.
    """
    options = replace(reading, is_dry_run=True, language=language)
    if mistaken := mistaken_for_registry(file, under, options):
        raise refusal(mistaken)
    if reader_for(file.name, options) is None:
        raise fault(
            message(
                "{file} is not a registry file. The name of a registry file ends in one of: {suffixes}.",
                file=file.name,
                suffixes=", ".join(SUFFIXES),
            )
        )
    with show_progress(file.name, hidden=as_json) as show:
        report = judge_offline(f"{under}{file.name}", file.read_bytes(), options, show)
        show(UploadProgress(100))
    click.echo(write_json(report, indent=1) if as_json else describe_judged(report))
    sys.exit(1 if report["counts"]["refused"] else 0)


def _ignore(_: UploadProgress) -> None:
    pass


def judge_offline(
    key: str, body: bytes, options: UploadOptions, show: Callable[[UploadProgress], None] = _ignore
) -> dict[str, Any]:
    """Check a registry file as if only the records above it were registered, and return the report.

    `show` receives the progress.
    """
    put = write_moment(utc_now())
    upload, uploads = Upload("", key, "", put), _AssumedFiles(progress_key(key, ""), show)
    registry = MemoryRegistry() if upload.folder == HOST_FOLDER else _AssumedRegistry(upload.prefix)
    uploads.uploads[key, ""] = body
    uploads.metadata_of[key, ""] = write_options(options)
    ingest_part(
        upload,
        IngestCollaborators(
            uploads,
            registry,
            registry,
            uploads,
            MemoryQueue(),
            time.monotonic,
            limits=AT_ONCE,
            is_offline=True,
        ),
    )
    report: dict[str, Any] = json.loads(uploads.reports[report_key(key, "")])
    return report


class _AssumedRegistry(MemoryRegistry):
    """A registry in which the records above the new identifiers are registered already.

    The only host is that of the folder: hosts in locations are not assumed.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._root = root_of(prefix)

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records, and assume those that are not registered."""
        return {**_assume(names, self._root), **super().fetch(names)}


def _assume(names: Sequence[str], root: str) -> Mapping[str, Registered]:
    assumed = {}
    for name in names:
        if is_rule_record(name):
            continue
        identifier = parse(name)
        match identifier.segments if identifier.is_terminated else ():
            case () if name == root and identifier.is_bound:
                assumed[name] = RecordType.HOST
            case (_,):
                assumed[name] = RecordType.AUTHORITY
            case (_, "authority", _):  # the record of a sub-authority (`checks.authorization.opening`)
                assumed[name] = RecordType.RESOURCE
            case (_, _, *_):
                assumed[name] = RecordType.RESOURCE_TYPE
            case () if not identifier.is_terminated:  # the successor of another
                assumed[name] = RecordType.RESOURCE
    return {
        name: read_registered(name, {"record": str(record_type), "title": {"": "assumed"}}, "")
        for name, record_type in assumed.items()
    }


class _AssumedFiles(MemoryUploads):
    """Assumes that every file that a line names was uploaded, and shows the progress."""

    def __init__(self, progress: str, show: Callable[[UploadProgress], None]) -> None:
        super().__init__()
        self._progress = progress
        self._show = show

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        """Write a report; the progress is shown as well."""
        super().report(key, body)
        if key == self._progress:
            self._show(read_progress(json.loads(self.reports[key])))

    def inspect(self, name: str, put: str) -> StoredFile:  # noqa: ARG002  it is assumed to exist
        """Pin a file without reading it."""
        return StoredFile(name, "", 0, "", "")
