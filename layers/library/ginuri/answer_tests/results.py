"""The results of tests: what was expected, and what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ginuri.answer_tests.placed_tests import PlacedTest
from ginuri.frozen import replace
from ginuri.identifiers.messages import Words
from ginuri.identifiers.roots import path_of, printable_name
from ginuri.registry.record.answer_tests import AnswerTest
from ginuri.registry.targets import Target, read_target

MOST_FAILURES = 1_000
"""The most failures that are listed; all are counted."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer to the request of a test."""

    status: int = 0
    """0 without an answer."""
    target: str | None = None
    """The `Location`, as it was sent."""
    error: Words = ""
    """The reason why there is no answer."""
    is_hidden: bool = False
    """Whether the answering record is withheld or embargoed, so that nobody may learn where it leads."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test with the answer to its request."""

    __test__ = False  # no class of tests, for pytest

    placed: PlacedTest
    answer: GivenAnswer
    host: str = ""
    """The requested host, unless the identifier is bound to one."""

    @property
    def passes(self) -> bool:
        """Whether the answer is what the test expects."""
        expected, answer = self.placed.test, self.answer
        if answer.error or (expected.status is not None and expected.status != answer.status):
            return False
        if expected.target is None:
            return True
        uri = f"http://{self.placed.host or self.host or 'localhost'}{self.placed.target}"
        return answer.target is not None and is_same_target(expected.target, answer.target, uri)


def is_same_target(expected: str, location: str, uri: str) -> bool:
    """Return whether a `Location` in the answer to a URI is the target that a test expects.

    >>> is_same_target("https://id.example/b", "/b", "http://id.example/a")
    True
    >>> is_same_target("uri-gin/azgs/b", "http://id.example/uri-gin/azgs/b", "http://id.example/a")
    True
    """
    written = expected if expected.startswith("/") or "://" in expected else path_of(expected)
    one, other, asked = (read_target(each, uri) for each in (written, location, uri))
    return one is not None and asked is not None and _on(one, asked) == (other and _on(other, asked))


def _on(target: Target, asked: Target) -> Target:
    """Return a target without its scheme if it is on the requested host."""
    return replace(target, scheme="") if target.host == asked.host else target


@dataclass(slots=True)
class TestSummary:
    """The numbers of a run of tests, and its first failures."""

    __test__ = False  # no class of tests, for pytest

    passed: int = 0
    failed: int = 0
    left_out: int = 0
    """The number of tests that were not run, because there are too many."""
    failures: list[TestResult] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        """Whether there were any tests."""
        return bool(self.number or self.left_out)

    @property
    def number(self) -> int:
        """The number of tests that were run."""
        return self.passed + self.failed

    def add_all(self, results: Iterable[TestResult]) -> None:
        """Add results."""
        for result in results:
            if result.passes:
                self.passed += 1
                continue
            self.failed += 1
            if len(self.failures) < MOST_FAILURES:
                self.failures.append(result)


def summary_members(summary: TestSummary) -> dict[str, Any]:
    """Return a summary as the member `tests` of a report."""
    return {
        "run": summary.number,
        "passed": summary.passed,
        "failed": summary.failed,
        "left_out": summary.left_out,
        "failures": list(map(failure_members, summary.failures)),
    }


def read_summary(members: Mapping[str, Any]) -> TestSummary:
    """Read the result of `summary_members`."""
    failures = list(map(_read_failure, members["failures"]))
    return TestSummary(members["passed"], members["failed"], members["left_out"], failures)


def failure_members(result: TestResult) -> dict[str, Any]:
    """Return a failure as JSON: nobody learns from it where a withheld or embargoed identifier leads."""
    placed, answer = result.placed, result.answer
    test = AnswerTest(placed.test.path, placed.test.query) if answer.is_hidden else placed.test
    return {
        "identifier": printable_name(placed.identifier),
        "rule": placed.rule,
        "label": test.label or None,
        "request": {"path": test.path, "query": test.query, "headers": dict(test.headers)},
        "expected": {"status": placed.test.status, "target": test.target},
        "answer": {
            "status": answer.status or None,
            "target": answer.target,
            "error": str(answer.error) or None,
        },
    }


def _read_failure(members: Mapping[str, Any]) -> TestResult:
    request, expected, answer = (members[name] for name in ("request", "expected", "answer"))
    test = AnswerTest(
        request["path"],
        request["query"],
        request["headers"],
        expected["status"],
        expected["target"],
        members["label"] or "",
    )
    name = members["identifier"]
    placed = PlacedTest(
        name.removeprefix("http:") if name.startswith("http://") else name, members["rule"], test
    )
    return TestResult(placed, GivenAnswer(answer["status"] or 0, answer["target"], answer["error"] or ""))
