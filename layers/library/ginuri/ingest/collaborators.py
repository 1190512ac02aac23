"""Everything that taking in an upload needs, and how much is done at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ginuri.ingest.queue_messages import PartQueue
from ginuri.registration.registrar import Mapper
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.content import UploadStore
from ginuri.registry.ports import MemberLister, Registry

PROGRESS_SECONDS = 2.0
"""How often it is told how far an upload is."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one call does."""

    task_rows: int = 3_000
    """How many rows one part takes in."""
    chunk_rows: int = 3_000
    """How many rows are put aside at once."""
    chunk_bytes: int = 4 * 1024 * 1024
    """And how much they may amount to."""
    cut_seconds: float = 120.0
    """After how long another call goes on reading the file."""
    names: int = 4_000
    """How many names of what stands are put aside at once."""
    wait_seconds: float = 60.0
    """For how long since it was put an upload waits for what it needs of another."""
    wait_step: float = 10.0
    """After how many seconds it is looked whether that has come."""


@dataclass(frozen=True, slots=True)
class IngestCollaborators:
    """What an upload is taken in with."""

    uploads: UploadStore
    registry: Registry
    lister: MemberLister
    keeper: InspectingFileKeeper
    queue: PartQueue
    clock: Callable[[], float]
    """Counts seconds."""
    mapper: Mapper = map
    limits: Limits = Limits()
    now: Clock = utc_now
    canonical_host: str = ""
    """Is ours, as are the hosts that are registered."""


class Progress:
    """Tells how far an upload is, not more often than anybody looks."""

    def __init__(self, tell: Callable[[int, int], None], clock: Callable[[], float]) -> None:
        self._tell = tell
        self._clock = clock
        self._told = clock()

    def tell(self, done: int, of: int) -> None:
        """Tell it when somebody may look again."""
        now = self._clock()
        if now - self._told >= PROGRESS_SECONDS:
            self._told = now
            self._tell(done, of)
