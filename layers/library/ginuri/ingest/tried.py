"""The records as a dry run leaves them, which its tasks store for later steps, and for tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.queue_messages import RegisterRows
from ginuri.registration.dry_run import EarlierRecords, write_records
from ginuri.registry.record.record import Record

_LATER, _TESTED = "tried/", "tried-tests/"
"""The prefixes of the files with records that later steps depend on, and with those that tests request."""


def write_tried(
    checkpoints: Checkpoints, part: RegisterRows, records: Mapping[str, Record], *, for_tests: bool
) -> None:
    """Store the records of a task that tests request, or later steps. Raises RegistryUnavailable."""
    if records:
        folder = _TESTED if for_tests else _LATER
        checkpoints.write(f"{folder}{part.step:06d}/{part.number:06d}", write_records(records.values()))


def read_tried_before(part: RegisterRows, checkpoints: Checkpoints, *, is_last: bool) -> EarlierRecords:
    """Read the records of the tasks before a task. Raises PartsMissing and RegistryUnavailable."""
    earlier = EarlierRecords()
    for name in checkpoints.names(_LATER):
        step, number = map(int, name.split("/")[1:])
        # The tasks of the last step run in sequence; those of other steps are independent.
        if step < part.step or (is_last and step == part.step and number < part.number):
            earlier.add(checkpoints.read(name))
    return earlier


def read_tried(checkpoints: Checkpoints, requested: Collection[str]) -> EarlierRecords:
    """Read the records of all tasks that may answer for requested names. Raises RegistryUnavailable."""
    earlier = EarlierRecords()
    for file in checkpoints.names(_TESTED):
        earlier.add(checkpoints.read(file), requested)
    for file in checkpoints.names(_LATER):
        earlier.add(checkpoints.read(file))
    return earlier
