"""The way of an upload, on one screen: object → rows → registrations → verdicts → registry → report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginuri.core.content import UploadStore
from ginuri.core.keeping import InspectingKeeper
from ginuri.core.preview import PreviewKeeper, PreviewRegistry
from ginuri.core.registering import Mapper, Origin, Registrar
from ginuri.core.registry import Registry
from ginuri.core.rows import Registration, combine
from ginuri.core.verdicts import Finding, Outcome, Verdict
from ginuri.documents.encodings import tell_once
from ginuri.documents.formats import Reader, fault_of, has_heading, read_lines, reader_for
from ginuri.documents.options import Options, read_options
from ginuri.documents.report_page import write_page
from ginuri.documents.reports import (
    Upload,
    count,
    page_key,
    progress_key,
    read_counts,
    refused_key,
    report_key,
    write_progress,
    write_refused,
    write_report,
    write_stored,
)

PROGRESS_SECONDS = 2.0
"""How often it is told how far an upload is."""


def take_in(  # noqa: PLR0913, PLR0917  collaborators arrive as arguments
    upload: Upload,
    uploads: UploadStore,
    registry: Registry,
    keeper: InspectingKeeper,
    clock: Callable[[], float],
    mapper: Mapper = map,
) -> dict[str, int]:
    """Take in one upload, report on it, and count what was done. Doing it twice changes nothing.

    `clock` counts seconds: every few of them it is told how far the upload is. Raises RegistryUnavailable:
    then nothing is lost, and the next delivery finishes it.
    """
    known = uploads.reported(report_key(upload.key, upload.version))
    if known is not None:  # the report is written last: all of it was done before
        return read_counts(known)
    read = reader_for(upload.key)
    if read is None:
        uploads.report(report_key(upload.key, upload.version), write_stored(upload))
        return count(())
    options = read_options(uploads.metadata(upload.key, upload.version))
    lines, verdicts = _read(upload, uploads, options)
    if not verdicts:
        registrar = _registrar(upload, registry, keeper, mapper, options)
        verdicts = _register(read, lines, registrar, _Progress(upload, uploads, clock))
    refused = write_refused(lines, verdicts, heading=has_heading(upload.key))
    where = refused_key(upload.key, upload.version) if refused else None
    if where:
        uploads.report(where, refused)
    page = write_page(upload, verdicts, is_dry_run=options.is_dry_run)
    uploads.report(page_key(upload.key, upload.version), page)
    report = write_report(upload, verdicts, where, is_dry_run=options.is_dry_run)
    uploads.report(report_key(upload.key, upload.version), report)
    return count(() if options.is_dry_run else verdicts)


def _read(upload: Upload, uploads: UploadStore, options: Options) -> tuple[list[bytes], Sequence[Verdict]]:
    fault = fault_of(upload.key, uploads.size(upload.key, upload.version))
    lines = fault or read_lines(upload.key, uploads.read(upload.key, upload.version), options)
    if isinstance(lines, Finding):
        return [], [Verdict(Outcome.REFUSED, (1,), None, (lines,))]
    return lines, ()


def _registrar(
    upload: Upload, registry: Registry, keeper: InspectingKeeper, mapper: Mapper, options: Options
) -> Registrar:
    origin = Origin(upload.put, upload.key, upload.version)
    if options.is_dry_run:
        return Registrar(PreviewRegistry(registry), PreviewKeeper(keeper), origin, mapper)
    return Registrar(registry, keeper, origin, mapper)


def _register(
    read: Reader, lines: Sequence[bytes], registrar: Registrar, progress: _Progress
) -> list[Verdict]:
    pieces = list(tell_once(combine(read(lines))))
    registrations = [piece for piece in pieces if isinstance(piece, Registration)]
    verdicts = [piece for piece in pieces if isinstance(piece, Verdict)]
    for done, verdict in enumerate(registrar.register(registrations), start=1):
        verdicts.append(verdict)
        progress.tell(done, len(registrations))
    return verdicts


class _Progress:
    """Tells how far an upload is, not more often than anybody looks."""

    def __init__(self, upload: Upload, uploads: UploadStore, clock: Callable[[], float]) -> None:
        self._key = progress_key(upload.key, upload.version)
        self._uploads = uploads
        self._clock = clock
        self._told = clock()

    def tell(self, done: int, of: int) -> None:
        now = self._clock()
        if now - self._told >= PROGRESS_SECONDS:
            self._told = now
            self._uploads.report(self._key, write_progress(done, of))
