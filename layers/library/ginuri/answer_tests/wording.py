"""The wording of the results of tests, on pages and terminals."""

from __future__ import annotations

from ginuri.answer_tests.results import TestResult, TestSummary
from ginuri.identifiers.messages import Message, counted, message
from ginuri.registration.verdicts import shown


def write_summary(summary: TestSummary) -> Message:
    """Write the numbers of tests: those that were run, passed, failed and were left out."""
    written = counted(
        "{number} test run: {passed} passed, {failed} failed",
        "{number} tests run: {passed} passed, {failed} failed",
        summary.number,
        passed=f"{summary.passed:,}",
        failed=f"{summary.failed:,}",
    )
    if not summary.left_out:
        return written
    return message("{tests}; {number} more were not run", tests=written, number=f"{summary.left_out:,}")


def write_failure(result: TestResult) -> Message:
    """Write a failure: its request, the expected answer, and the given one."""
    expected, answer = result.placed.test, result.answer
    if answer.error:
        return message(
            "{request}: expected {expected}; there was no answer: {error}",
            request=write_request(result),
            expected=_write_answer(expected.status, expected.target),
            error=answer.error,
        )
    return message(
        "{request}: expected {expected}; the answer is {answer}",
        request=write_request(result),
        expected=_write_answer(expected.status, expected.target),
        answer=_write_answer(answer.status, answer.target),
    )


def write_request(result: TestResult) -> str:
    """Write the request of a test: its name, its headers and its label.

    >>> from ginuri.answer_tests.placed_tests import PlacedTest
    >>> from ginuri.answer_tests.results import GivenAnswer
    >>> from ginuri.registry.record.answer_tests import AnswerTest
    >>> test = AnswerTest("1", "x", {"Accept": "text/turtle"}, 303, label="a well")
    >>> write_request(TestResult(PlacedTest("uri-gin/azgs/well/", None, test), GivenAnswer(404)))
    'uri-gin/azgs/well/1?x [Accept: text/turtle] (a well)'
    """
    placed = result.placed
    headers = "; ".join(f"{name}: {value}" for name, value in placed.test.headers.items())
    label = f" ({shown(placed.test.label)})" if placed.test.label else ""
    return f"{shown(placed.name)}{f' [{shown(headers)}]' if headers else ''}{label}"


def _write_answer(status: int | None, target: str | None) -> str:
    return " ".join([*([str(status)] if status else []), *([f"→ {shown(target)}"] if target else [])])
