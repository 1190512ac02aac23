"""Runs the tests that an upload affects, once, on the registry as the upload leaves it or would leave it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.answer_tests.placed_tests import PlacedTest, names_requested, place_tests
from ginuri.answer_tests.results import TestSummary
from ginuri.answer_tests.runner import TestRunner
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.queue_messages import Pass, RunTests
from ginuri.ingest.test_runs.affected import TestHolder, read_holders
from ginuri.ingest.test_runs.results import write_results
from ginuri.ingest.tried import read_tried
from ginuri.registration.dry_run import DryRunRegistry
from ginuri.registry.ports import MOST_FETCHED, Registry

MOST_RUN = 10_000
"""The most tests that are run for an upload; the others are counted."""


def run_tests(part: RunTests, checkpoints: Checkpoints, collaborators: IngestCollaborators) -> None:
    """Run the tests that a pass affects, and store their results. Raises RegistryUnavailable."""
    holders, left_out = _choose(read_holders(checkpoints, part.through))
    summary = TestSummary(left_out=left_out)
    registry: Registry = collaborators.registry
    if part.through is Pass.TRY:
        names = {holder.name for holder in holders}
        tests = _read(holders, DryRunRegistry(registry, read_tried(checkpoints, names)))
        names |= {name for placed in tests for name in names_requested(placed)}
        registry = DryRunRegistry(registry, read_tried(checkpoints, names))
    runner = TestRunner(registry, collaborators.canonical_host, collaborators.now())
    summary.add_all(runner.run(_read(holders, registry)))
    write_results(checkpoints, part.through, summary)


def _choose(all_holders: Iterator[TestHolder]) -> tuple[list[TestHolder], int]:
    """Choose the records whose tests are run, each once, and count the tests of the others."""
    holders: dict[str, TestHolder] = {}
    number = left_out = 0
    for holder in all_holders:
        if (known := holders.get(holder.name)) is not None:
            holders[holder.name] = known.together_with(holder)
        elif number + holder.count > MOST_RUN:
            left_out += holder.count
        else:
            holders[holder.name] = holder
            number += holder.count
    return list(holders.values()), left_out


def _read(holders: Sequence[TestHolder], registry: Registry) -> Iterator[PlacedTest]:
    """Read the chosen tests as they are after the upload."""
    for start in range(0, len(holders), MOST_FETCHED):
        some = holders[start : start + MOST_FETCHED]
        records = registry.read([holder.name for holder in some])
        for holder in some:
            if (record := records.get(holder.name)) is not None:
                yield from holder.tests(place_tests(holder.name, record.values()))
