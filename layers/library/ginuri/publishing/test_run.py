"""The daily run of all tests that registrations state, and the published list of failures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ginuri.answer_tests.placed_tests import PlacedTest, place_tests
from ginuri.answer_tests.results import TestSummary, summary_members
from ginuri.answer_tests.runner import TestRunner
from ginuri.identifiers.service_paths import TESTS
from ginuri.published.publications import PublishedFile, PublishedStore
from ginuri.publishing.files import FileWriter
from ginuri.registry.ports import NearNameReader
from ginuri.registry.record.answer_tests import read_test, write_test

MOST_RUN = 50_000
"""The most tests of a run; of more, each day runs the next ones."""


class AllTests:
    """The tests of a registry, in a file while its records pass, and run when all have passed."""

    def __init__(self, folder: Path, most: int = MOST_RUN) -> None:
        self._path = folder / "stated-tests"
        self._file = self._path.open("w", encoding="utf-8")
        self._number = 0
        self._folder, self._most = folder, most

    def add(self, identifier: str, values: Mapping[str, Any]) -> None:
        """Add the tests in the values of a record."""
        for placed in place_tests(identifier, values):
            written = [placed.identifier, placed.rule, write_test(placed.test)]
            self._file.write(f"{json.dumps(written)}\n")
            self._number += 1

    def run(self, reader: NearNameReader, canonical_host: str, moment: datetime) -> TestSummary:
        """Run the tests on the records of a reader. Raises RegistryUnavailable."""
        self._file.close()
        summary = TestSummary(left_out=max(0, self._number - self._most))
        summary.add_all(TestRunner(reader, canonical_host, moment).run(self._choose(moment)))
        self._path.unlink()
        return summary

    def write(self, summary: TestSummary, store: PublishedStore, run: str, made: str) -> PublishedFile:
        """Publish the results; the lines of the file are the failures. Raises RegistryUnavailable."""
        file = FileWriter(self._folder, TESTS)
        members = {"made": made, **summary_members(summary)}
        file.write(json.dumps(members, ensure_ascii=False, indent=1).encode())
        file.lines = summary.failed
        return file.finish(store, run, "application/json")

    def _choose(self, moment: datetime) -> Iterator[PlacedTest]:
        """Choose the tests of a day, so that each has its turn."""
        first = moment.toordinal() * self._most % self._number if self._number > self._most else 0
        with self._path.open(encoding="utf-8") as lines:
            for at, line in enumerate(lines):
                if (at - first) % self._number < self._most:
                    identifier, rule, test = json.loads(line)
                    yield PlacedTest(identifier, rule, read_test(test))
