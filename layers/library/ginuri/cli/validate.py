"""`ginuri validate`: what would become of every line of a registry file, without a stack."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from ginuri.adapters.memory import MemoryRegistry
from ginuri.cli.describing import describe_judged
from ginuri.cli.folder import Folder
from ginuri.core.model import RecordType, StoredFile
from ginuri.core.placing import HOST_FOLDER, opening
from ginuri.core.record import Record, apply
from ginuri.core.registering import Origin, Registrar
from ginuri.core.rows import Registration, combine
from ginuri.core.stamps import Stamp
from ginuri.core.verdicts import Finding, Outcome, Verdict
from ginuri.documents.encodings import tell_once
from ginuri.documents.formats import SUFFIXES, Reader, fault_of, read_lines, reader_for
from ginuri.documents.options import Options
from ginuri.documents.reports import Upload, write_report

_ONLY_KNOWN_THERE = {"resource type"}
"""The rules of findings that would be guesses without the registry."""


@click.command("validate")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option(
    "--under",
    required=True,
    type=Folder(),
    help="The identifier prefix to register under, such as uri-gin/azgs/.",
)
@click.option(
    "--map",
    "columns",
    default="",
    help="Which foreign names are which identifiers: http://x/{+rest}=uri-gin/…",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def validate_command(file: Path, *, under: str, columns: str, as_json: bool) -> None:
    """Judge FILE as an upload would be, without a stack and without sending anything.

    What only the registry knows is assumed: the name authority is there, the files that lines name as
    well, and nothing else. To hear what would change there, use `ginuri upload --dry-run`.

    Exits 0 when all is well, 1 when a line would be refused, 2 when it could not be carried out.
    """
    read = reader_for(file.name)
    if read is None:
        raise click.UsageError(f"{file.name} is no registry file, which ends in {', '.join(SUFFIXES)}")
    put = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    upload = Upload("", f"{under}{file.name}", "", put)
    written = write_report(
        upload,
        judge_offline(upload, read, file.read_bytes(), Options(columns=columns)),
        None,
        is_dry_run=True,
    )
    report = json.loads(written)
    click.echo(json.dumps(report, ensure_ascii=False, indent=1) if as_json else describe_judged(report))
    sys.exit(1 if report["counts"]["refused"] else 0)


def judge_offline(upload: Upload, read: Reader, body: bytes, options: Options) -> list[Verdict]:
    """Judge a registry file as if nothing were registered but the name authorities of what it names."""
    lines = fault_of(upload.key, len(body)) or read_lines(upload.key, [body], options)
    if isinstance(lines, Finding):
        return [Verdict(Outcome.REFUSED, (1,), None, (lines,))]
    pieces = list(tell_once(combine(read(lines))))
    verdicts = [piece for piece in pieces if isinstance(piece, Verdict)]
    registrations = [piece for piece in pieces if isinstance(piece, Registration)]
    origin, registry = Origin(upload.put, upload.key, upload.version), MemoryRegistry()
    _assume(registry, registrations, origin.folder)
    verdicts += Registrar(registry, _Assuming(), origin).register(registrations)
    return [_as_far_as_known(verdict) for verdict in verdicts]


def _assume(registry: MemoryRegistry, registrations: Sequence[Registration], folder: str) -> None:
    """Register the authorities of what is to be registered, and what opens sub-authorities to the folder."""
    if folder == HOST_FOLDER:  # from there the authorities are registered themselves
        return
    assumed: dict[str, RecordType] = {}
    for each in registrations:
        if len(names := (*each.identifier.ancestors, each.identifier.normal_form)) > 1:
            assumed[names[1]] = RecordType.AUTHORITY
        if opened_by := opening(each.identifier, folder):
            assumed[opened_by] = RecordType.RESOURCE
    stated = {each.identifier.normal_form for each in registrations if ("record",) in each.statements}
    for name in assumed.keys() - stated:
        statements = {("record",): str(assumed[name]), ("title", ""): "assumed"}
        registry.write(apply(Record(name, {}), statements, Stamp("", "", "", 0)))


class _Assuming:
    """Takes every file for uploaded."""

    @staticmethod
    def keep(name: str) -> StoredFile:
        """Pin a file that nobody has seen."""
        return StoredFile(name, "", 0, "", "")


def _as_far_as_known(verdict: Verdict) -> Verdict:
    known = [finding for finding in verdict.findings if finding.rule not in _ONLY_KNOWN_THERE]
    return replace(verdict, findings=known)
