"""The units of the table that registrations and changes use: the examples, and a new title of each.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import mean

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload
from ginuri.files.upload_order import is_registry_file, stages
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.record.items import Item, items_of
from ginuri.registry.record.record import Change
from infra.local import ROOT

EXAMPLES = ROOT / "layers" / "library" / "ginuri" / "examples"
INDEXED = ("folded", "steward", "collection", "broader")
"""The attributes of a record that an index has; an entry is far below a kilobyte."""
_WRITE_UNIT, _READ_UNIT = 1024, 4096
_TRANSACTION = 2
"""The units of a unit in a transaction, which prepares and commits each write."""
_MANY = write_options(UploadOptions(is_many=True))
_PUT = "2024-05-{:02d}T{:02d}:{:02d}:00.000Z"


@dataclass(frozen=True, slots=True)
class Written:
    """The units of a record, with its entries in indexes and in the history, and of the read before it."""

    writes: int
    reads: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Units:
    """The mean units of a record, and its mean size."""

    records: int
    writes: float
    reads: float
    bytes: float


class _WeighingRegistry(MemoryRegistry):
    """A registry in memory that weighs each change of one record; others are those of records with rules."""

    def __init__(self) -> None:
        super().__init__()
        self.written: dict[str, Written] = {}
        """By identifier, since it was last cleared."""

    def write(self, *changes: Change) -> None:
        """Write and weigh."""
        super().write(*changes)
        if len(changes) == 1 and not changes[0].judged_by:
            [change] = changes
            self.written[change.after.identifier] = weigh(change)


def weigh(change: Change) -> Written:
    """Return the units of a change that depends on no other record."""
    now, past, listed = items_of(change)
    size = size_of({"version": "now", **now})
    items = [size, *map(size_of, [past] if past else []), *map(size_of, listed)]
    units = sum(math.ceil(each / _WRITE_UNIT) for each in items) * (_TRANSACTION if len(items) > 1 else 1)
    is_new = change.before.revision == 0
    entries = sum(name in now for name in INDEXED) if is_new else 0  # their attributes stay as they are
    read = 1 if is_new else math.ceil(size / _READ_UNIT)
    return Written(units + entries, read, size)


def size_of(item: Item) -> int:
    """Return the bytes of an item: of its names and values."""
    return sum(len(name) + len(value.encode()) for name, value in item.items())


def count_writes() -> tuple[Units, Units]:
    """Register the examples, then change the title of each; return the units of both."""
    steward = _Steward()
    new: list[Written] = []
    changed: list[Written] = []
    for stage in stages(EXAMPLES):
        for key, path in stage:
            written = steward.upload(key, path.read_bytes(), is_registry=is_registry_file(key))
            new += written.values()
            if lines := "".join(steward.retitled(written)):
                folder = key.rpartition("/")[0]
                again = steward.upload(f"{folder}/changed.jsonl", lines.encode(), is_registry=True)
                changed += again.values()
    return _average(new), _average(changed)


def _average(written: list[Written]) -> Units:
    return Units(
        len(written),
        mean(each.writes for each in written),
        mean(each.reads for each in written),
        mean(each.bytes for each in written),
    )


class _Steward:
    """Uploads files a minute after each other, and ingests them."""

    def __init__(self) -> None:
        self._registry = _WeighingRegistry()
        self._files = MemoryUploads()
        self._queue = MemoryQueue()
        self._puts = 0

    def upload(self, key: str, content: bytes, *, is_registry: bool) -> Mapping[str, Written]:
        """Upload a file, and return the units of each record that it wrote."""
        self._puts += 1
        hours, minute = divmod(self._puts, 60)
        put = _PUT.format(1 + hours // 24, hours % 24, minute)
        upload = Upload("uploads", key, f"v{self._puts}", put)
        place = (key, upload.version)
        self._files.uploads[place], self._files.puts[place] = content, put
        self._files.metadata_of[place] = _MANY
        self._registry.written = {}
        if is_registry:
            stores = (self._files, self._registry, self._registry, self._files, self._queue)
            collaborators = IngestCollaborators(*stores, time.monotonic)
            ingest_part(upload, collaborators)
            while self._queue.waiting:
                ingest_part(read_part(json.loads(self._queue.waiting.pop(0))), collaborators)
        return self._registry.written

    def retitled(self, written: Mapping[str, Written]) -> Iterator[str]:
        """Yield a registration of each record with a title, that changes it in every language."""
        for name, record in self._registry.read(list(written)).items():
            match record.values().get("title"):
                case str(text):
                    title: object = f"{text} (2)"
                case dict(texts):
                    title = {language: f"{text} (2)" for language, text in texts.items()}
                case _:
                    continue
            address = f"http:{name}" if name.startswith("//") else name
            yield f"{json.dumps({'identifier': address, 'title': title})}\n"
