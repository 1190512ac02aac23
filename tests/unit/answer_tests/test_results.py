"""Is a result what its test expects, and is it written and read without a loss?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.answer_tests.placed_tests import PlacedTest, names_requested
from ginuri.answer_tests.results import (
    MOST_FAILURES,
    GivenAnswer,
    TestResult,
    TestSummary,
    is_same_target,
    read_summary,
    summary_members,
)
from ginuri.registry.record.answer_tests import AnswerTest

HERE = "http://id.example/obo/HP_1"


def placed(identifier: str = "//id.example/obo/", rule: str | None = None, **expected: Any) -> PlacedTest:
    return PlacedTest(identifier, rule, AnswerTest("HP_1", **expected))


@pytest.mark.parametrize(
    ("expected", "location"),
    [
        ("https://hp.example/1", "https://hp.example/1"),
        ("https://hp.example/%7e1", "HTTPS://hp.example:443/~1"),
        ("/about/x", "/about/x"),
        ("http://id.example/about/x", "/about/x"),
        ("https://id.example/about/x", "//id.example/about/x"),
        ("uri-gin/azgs/x", "/uri-gin/azgs/x"),
        ("uri-gin/azgs/x", "https://id.example/uri-gin/azgs/x"),
    ],
)
def test_equivalent_targets_are_the_same(expected: str, location: str) -> None:
    assert is_same_target(expected, location, HERE)


@pytest.mark.parametrize(
    ("expected", "location"),
    [
        ("https://hp.example/1", "http://hp.example/1"),
        ("https://hp.example/1", "https://hp.example/1/"),
        ("https://hp.example/1?a", "https://hp.example/1"),
        ("/about/x", "https://hp.example/about/x"),
        ("https://hp.example/1", "https://[broken"),
    ],
)
def test_other_targets_are_not_the_same(expected: str, location: str) -> None:
    assert not is_same_target(expected, location, HERE)


@pytest.mark.parametrize(
    ("test", "answer", "passing"),
    [
        (placed(status=302), GivenAnswer(302, "https://a.example/"), True),
        (placed(status=302), GivenAnswer(303, "https://a.example/"), False),
        (placed(target="https://a.example/"), GivenAnswer(303, "https://a.example/"), True),
        (placed(target="https://a.example/"), GivenAnswer(404), False),
        (placed(status=302, target="https://a.example/"), GivenAnswer(302, "https://b.example/"), False),
        (placed(status=404), GivenAnswer(404), True),
        (placed(status=404), GivenAnswer(error="no answer"), False),
    ],
)
def test_a_result_is_compared_with_the_stated_expectations(
    test: PlacedTest, answer: GivenAnswer, *, passing: bool
) -> None:
    assert TestResult(test, answer).passes is passing


def test_the_results_of_a_run_are_read_as_they_were_written() -> None:
    test = placed(rule="HP_{id}", status=303, label="a term", headers={"Accept": "text/turtle"})
    summary = TestSummary(left_out=7)
    summary.add_all([TestResult(test, GivenAnswer(302, "/x")), TestResult(test, GivenAnswer(303))])

    read = read_summary(json.loads(json.dumps(summary_members(summary))))

    assert (read.number, read.passed, read.failed, read.left_out) == (2, 1, 1, 7)
    assert read.failures == summary.failures


def test_a_summary_lists_a_limited_number_of_failures() -> None:
    summary = TestSummary()
    summary.add_all([TestResult(placed(status=303), GivenAnswer(404))] * (MOST_FAILURES + 1))

    assert (summary.failed, len(summary.failures)) == (MOST_FAILURES + 1, MOST_FAILURES)


def test_a_failure_of_a_hidden_identifier_has_no_target_and_no_label() -> None:
    test = placed(status=303, target="https://secret.example/", label="Secret", headers={"Accept": "a/b"})
    summary = TestSummary()
    summary.add_all([TestResult(test, GivenAnswer(403, is_hidden=True))])

    assert "ecret" not in json.dumps(summary_members(summary))
    assert summary_members(summary)["failures"][0]["expected"]["status"] == 303


@pytest.mark.parametrize(
    ("identifier", "path", "name", "target"),
    [
        ("//id.example/obo/", "HP_1", "http://id.example/obo/HP_1?x", "/obo/HP_1?x"),
        ("uri-gin/azgs/map/1", ".pdf", "uri-gin/azgs/map/1.pdf?x", "/uri-gin/azgs/map/1.pdf?x"),
        ("ark:/12345/x", "", "ark:/12345/x?x", "/ark:/12345/x?x"),
    ],
)
def test_a_test_requests_a_name_under_its_identifier(
    identifier: str, path: str, name: str, target: str
) -> None:
    test = PlacedTest(identifier, None, AnswerTest(path, "x", status=303))

    assert (test.name, test.target) == (name, target)


def test_a_malformed_path_requests_no_name() -> None:
    assert names_requested(PlacedTest("uri-gin/azgs/", None, AnswerTest("%zz", status=400))) == ()
