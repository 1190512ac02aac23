"""The way of an upload, on one screen: object → rows → registrations → verdicts → registry → report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginuri.core.content import UploadStore
from ginuri.core.registering import Keeper, Mapper, Origin, Registrar
from ginuri.core.registration import HOST_FOLDER
from ginuri.core.registry import Registry
from ginuri.core.rows import Registration, combine
from ginuri.core.verdicts import Outcome, Verdict, refuse
from ginuri.documents.formats import Reader, reader_for
from ginuri.documents.lines import MOST_BYTES, MOST_ROWS, split_lines
from ginuri.documents.reports import (
    Upload,
    count,
    progress_key,
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
    keeper: Keeper,
    clock: Callable[[], float],
    mapper: Mapper = map,
) -> dict[str, int]:
    """Take in one upload, report on it, and count the verdicts. Doing it twice changes nothing.

    `clock` counts seconds: every few of them it is told how far the upload is. Raises RegistryUnavailable:
    then nothing is lost, and the next delivery finishes it.
    """
    read = reader_for(upload.key)
    if read is None:
        uploads.report(report_key(upload.key, upload.version), write_stored(upload))
        return count(())
    lines, verdicts = _read(upload, uploads)
    if not verdicts:
        origin = Origin(upload.put, upload.key, upload.version)
        registrar = Registrar(registry, keeper, origin, mapper)
        verdicts = _register(read, lines, registrar, _Progress(upload, uploads, clock))
    refused = write_refused(lines, verdicts, heading=upload.key.lower().endswith(".csv"))
    where = refused_key(upload.key, upload.version) if refused else None
    if where:
        uploads.report(where, refused)
    uploads.report(report_key(upload.key, upload.version), write_report(upload, verdicts, where))
    return count(verdicts)


def _read(upload: Upload, uploads: UploadStore) -> tuple[list[bytes], Sequence[Verdict]]:
    size = uploads.size(upload.key, upload.version)
    if size is None:
        return [], _whole("uploaded", upload.key, "this version of the file is not there any more")
    if size > MOST_BYTES:
        return [], _whole("size", size, f"a file has at most {MOST_BYTES:,} bytes; cut it into several")
    lines = list(split_lines(uploads.read(upload.key, upload.version)))
    if len(lines) > MOST_ROWS:
        return [], _whole("size", len(lines), f"a file has at most {MOST_ROWS:,} lines; cut it into several")
    if not lines:
        return [], _whole("empty", "", "the file is empty")
    if upload.folder == "":
        message = f"upload it into a folder: {HOST_FOLDER}, or that of a name authority such as uri-gin/azgs/"
        return [], _whole("folder", upload.key, message)
    return lines, ()


def _register(
    read: Reader, lines: Sequence[bytes], registrar: Registrar, progress: _Progress
) -> list[Verdict]:
    pieces = list(combine(read(lines)))
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


def _whole(rule: str, value: object, message: str) -> list[Verdict]:
    return [Verdict(Outcome.REFUSED, (1,), None, (refuse("", rule, value, message),))]
