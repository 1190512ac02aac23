"""The collaborators of ingesting an upload, and the limits of one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from ginuri.files.reports.verdict_lines import MOST_DETAIL_BYTES
from ginuri.ingest.principals import Principal
from ginuri.ingest.queue_messages import PartQueue
from ginuri.registration.registrar import Mapper
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.content import UploadStore
from ginuri.registry.ports import MemberLister, UploadRegistry


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one call."""

    task_rows: int = 3_000
    """The number of rows that one part registers."""
    chunk_rows: int = 3_000
    chunk_bytes: int = 4 * 1024 * 1024
    """The greatest size of a chunk."""
    cut_seconds: float = 120.0
    """The seconds after which another call continues to read the file."""
    names: int = 4_000
    """The number of registered names in a chunk."""
    wait_seconds: float = 60.0
    """The most seconds after its upload that a file waits for its prerequisites."""
    detail_bytes: int = MOST_DETAIL_BYTES
    """The bytes of a report, and of its verdicts on disk, for verdicts with findings or changes."""
    wait_step: float = 10.0
    """The seconds between two checks of the prerequisites."""


def never_revoked(_: str) -> bool:
    """Return False: the tokens of uploads that were processed before, or that have none, do not matter."""
    return False


@dataclass(frozen=True, slots=True)
class IngestCollaborators:
    """The adapters and limits that ingesting an upload uses."""

    uploads: UploadStore
    registry: UploadRegistry
    lister: MemberLister
    keeper: InspectingFileKeeper
    queue: PartQueue
    clock: Callable[[], float]
    """Returns monotonic seconds."""
    mapper: Mapper = map
    limits: Limits = Limits()
    now: Clock = utc_now
    is_revoked: Callable[[str], bool] = never_revoked
    """Returns whether the access token of an upload was revoked, by its identifier."""
    canonical_host: str = ""
    """The canonical host, besides the registered ones."""
    make_spool: Callable[[], IO[bytes]] = TemporaryFile
    """Makes the file on disk that holds the verdicts of an upload while its report is written."""
    is_offline: bool = False
    """Whether registered records are unknown: no tests are run then."""
    reports_address: str = ""
    """The address of the list of reports, if they are served beside the service."""
    option: str = ""
    """The option of printed commands that names the stack, after a space; empty for a stack in AWS."""
    api_identity: str = ""
    """The unique id of the API's role, `AROA…`; on one machine `api`; empty if there is no API."""
    note_principal: Callable[[Principal], None] = lambda _: None
    """Receives the principal of each upload, for the log."""
