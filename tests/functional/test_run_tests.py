"""Are tests answered by the decision as the same requests are answered over HTTP?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ginuri.answer_tests.placed_tests import PlacedTest
from ginuri.answer_tests.runner import TestRunner
from ginuri.registry.record.answer_tests import AnswerTest
from ginuri.service.paths import Flow, flow_of
from tests.example_registry import upload_examples
from tests.front import HOST, NOW, Front

ACCEPTS = (None, "text/turtle", "text/html,application/xhtml+xml,*/*;q=0.8", "image/quokka")
PATHS = ("", "x", ".pdf", "/", "%7e", "%zz", "?info=1", "1997-06-01")


def cases(names: list[str]) -> Iterator[PlacedTest]:
    for number, name in enumerate(names):
        for accept in ACCEPTS:
            path, _, query = PATHS[number % len(PATHS)].partition("?")
            headers = {"Accept": accept} if accept else {}
            tests = (AnswerTest("", "", headers, 200), AnswerTest(path, query, headers, 200))
            placed = (PlacedTest(name, None, test) for test in tests)
            yield from (each for each in placed if flow_of(each.path) is Flow.RESOLVE)


@pytest.mark.functions
def test_tests_get_the_answers_of_requests(tmp_path: Path) -> None:
    steward = upload_examples()
    front = Front(steward.memory, tmp_path, steward.content)
    tests = list(cases(sorted(name for name, _ in steward.memory.standing(""))))
    results = TestRunner(steward.memory, HOST, NOW).run(tests)

    for test, result in zip(tests, results, strict=True):
        headers = {"Host": test.host or HOST, "X-Forwarded-Proto": "", **test.test.headers}
        answer = front.ask(test.path, query=test.test.query, headers=headers)
        assert (result.answer.status, result.answer.target) == (
            answer.status,
            answer.headers.get("Location"),
        ), (test, answer.headers)


def test_five_thousand_tests_are_read_in_few_calls() -> None:
    steward = upload_examples()
    names = sorted(name for name, _ in steward.memory.standing(""))
    tests = [
        PlacedTest(name, None, AnswerTest(status=303)) for name in names for _ in range(5_000 // len(names))
    ]
    steward.memory.calls = 0

    results = list(TestRunner(steward.memory, HOST, datetime(2027, 1, 1, tzinfo=UTC)).run(tests))

    assert len(results) == len(tests)
    assert steward.memory.calls < len(tests) / 5
