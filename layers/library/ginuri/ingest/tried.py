"""The records as a dry run leaves them, which its tasks store for later steps, and for tests."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping

from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.queue_messages import RegisterRows
from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import read_record, write_stamps

_LATER, _TESTED = "tried/", "tried-tests/"
"""The prefixes of the files with records that later steps depend on, and with those that tests request."""


def write_tried(checkpoints: Checkpoints, part: RegisterRows, records: Mapping[str, Record]) -> None:
    """Store the records of a task that later steps depend on. Raises RegistryUnavailable."""
    _write(checkpoints, f"{_LATER}{part.step:06d}/{part.number:06d}", records)


def write_tried_for_tests(
    checkpoints: Checkpoints, part: RegisterRows, records: Mapping[str, Record]
) -> None:
    """Store the records of a task that tests request. Raises RegistryUnavailable."""
    _write(checkpoints, f"{_TESTED}{part.step:06d}/{part.number:06d}", records)


def read_tried_before(part: RegisterRows, checkpoints: Checkpoints, *, is_last: bool) -> dict[str, Record]:
    """Read the records of the tasks before a task. Raises PartsMissing and RegistryUnavailable."""
    written: dict[str, Record] = {}
    for name in checkpoints.names(_LATER):
        step, number = map(int, name.split("/")[1:])
        # The tasks of the last step run in sequence; those of other steps are independent.
        if step < part.step or (is_last and step == part.step and number < part.number):
            written |= dict(_read(checkpoints.read(name)))
    return written


def read_tried(checkpoints: Checkpoints, requested: Collection[str]) -> dict[str, Record]:
    """Read the records of all tasks that may answer for requested names. Raises RegistryUnavailable."""
    written: dict[str, Record] = {}
    for file in checkpoints.names(_TESTED):
        written |= {name: record for name, record in _read(checkpoints.read(file)) if name in requested}
    for file in checkpoints.names(_LATER):
        written |= dict(_read(checkpoints.read(file)))
    return written


def _write(checkpoints: Checkpoints, name: str, records: Mapping[str, Record]) -> None:
    lines = (
        json.dumps([identifier, record.revision, write_stamps(record.entries, {})])
        for identifier, record in records.items()
    )
    if records:
        checkpoints.write(name, "".join(f"{line}\n" for line in lines).encode())


def _read(body: bytes) -> Iterator[tuple[str, Record]]:
    for line in body.splitlines():
        name, revision, stamps = json.loads(line)
        yield name, read_record(name, "{}", stamps, revision)
