"""The results of the tests of a pass, as its parts store them."""

from __future__ import annotations

import json

from ginuri.answer_tests.results import TestSummary, summary_members
from ginuri.answer_tests.results import read_summary as read_members
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.queue_messages import Pass
from ginuri.ingest.test_runs.affected import holders_prefix


def is_to_test(checkpoints: Checkpoints, through: Pass) -> bool:
    """Return whether a pass affects tests that were not run yet. Raises RegistryUnavailable."""
    return bool(checkpoints.names(holders_prefix(through))) and not checkpoints.names(_name(through))


def write_results(checkpoints: Checkpoints, through: Pass, summary: TestSummary) -> None:
    """Store the results of the tests of a pass. Raises RegistryUnavailable."""
    checkpoints.write(_name(through), json.dumps(summary_members(summary), ensure_ascii=False).encode())


def read_results(checkpoints: Checkpoints, through: Pass) -> TestSummary:
    """Read the results of the tests of a pass; empty before they were run. Raises RegistryUnavailable."""
    name = _name(through)
    return read_members(json.loads(checkpoints.read(name))) if checkpoints.names(name) else TestSummary()


def _name(through: Pass) -> str:
    return f"test-results/{through}"
