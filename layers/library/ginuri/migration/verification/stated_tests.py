"""Tests over HTTP: the requests that registrations state, sent to a resolver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ginuri.answer_tests.placed_tests import PlacedTest
from ginuri.answer_tests.results import GivenAnswer, TestResult
from ginuri.migration.verification.probe import RateLimit, Resolver
from ginuri.registration.rows import Row
from ginuri.registry.record.answer_tests import TESTS, read_test


@dataclass(frozen=True, slots=True)
class TestedResolver:
    """A resolver that is tested, and the rate at which it is asked."""

    __test__ = False  # no class of tests, for pytest

    resolver: Resolver
    limit: RateLimit

    def ask(self, placed: PlacedTest) -> TestResult:
        """Send the request of a test, with its headers only."""
        self.limit.wait()
        answer = self.resolver.ask(placed.host or None, placed.target, list(placed.test.headers.items()))
        given = GivenAnswer(answer.status, answer.location, answer.error)
        return TestResult(placed, given, self.resolver.host)


def read_row_tests(row: Row) -> Iterator[PlacedTest]:
    """Yield the tests that a row of a registry file states."""
    name = row.identifier.normal_form if row.identifier is not None else ""
    for key, value in row.statements.items():
        if key.field == TESTS and isinstance(value, list):
            yield from (PlacedTest(name, key.place.pattern, read_test(test)) for test in value)
