"""Checks the tests of a registration: they are about what is registered, and one request has one answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import printable_name
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.record.answer_tests import (
    MOST_TEST_BYTES,
    MOST_TESTS,
    TESTS,
    AnswerTest,
    Values,
    stated_tests,
)
from ginuri.registry.record.statements import OF_RECORD, RECORD_FIRST, Key, RecordPlace, Statements


def is_about_tests(stated: Statements) -> bool:
    """Return whether statements about a place are about its tests only."""
    return stated.states(TESTS) and all(key.field == TESTS or key.is_first for key in stated)


def is_registered_itself(in_force: Iterable[Key]) -> bool:
    """Return whether a record has fields besides tests, its rules and its delegation."""
    return any(key.place == OF_RECORD and key != RECORD_FIRST and key.field != TESTS for key in in_force)


def judge_tested(identifier: Identifier, stated: Statements, in_force: Iterable[Key]) -> Iterator[Finding]:
    """Refuse tests, stated alone, of an identifier or of a rule that is not registered."""
    place = stated.place
    if is_about_tests(stated) and not any(_is_registered(key, place) for key in in_force):
        name = f"{printable_name(identifier.normal_form)}{place.pattern or ''}"
        yield refuse(
            TESTS,
            "registered",
            name,
            "{identifier} is not registered, so that it has no tests. State its other fields too, or state "
            "the test for the prefix or the rule that answers for it.",
            identifier=name,
        )


def _is_registered(key: Key, place: RecordPlace) -> bool:
    # A prefix is registered by its rules and its delegation.
    return not key.is_first and key.field != TESTS and place in {OF_RECORD, key.place}


def refuse_contradiction(field: str, test: AnswerTest) -> Finding:
    """Refuse a test that makes the request of another one, and expects another answer."""
    return refuse(
        field,
        "one answer",
        test.path or test.label,
        "Two tests make this request and expect different answers. Keep one of them.",
    )


def find_excess_of_tests(tests: Values) -> Finding | None:
    """Return a finding if the tests of a record, in the shape of its values, are too many."""
    if not tests:
        return None
    number, size = sum(1 for _ in stated_tests(tests)), len(json.dumps(tests, ensure_ascii=False).encode())
    if number <= MOST_TESTS and size <= MOST_TEST_BYTES:
        return None
    return refuse(
        TESTS,
        "size",
        number,
        message(
            "The record would have {number} tests in {size} bytes; at most {most} in {most_bytes} bytes are "
            "allowed. State some of them with the identifiers or rules under it.",
            number=f"{number:,}",
            size=f"{size:,}",
            most=f"{MOST_TESTS:,}",
            most_bytes=f"{MOST_TEST_BYTES:,}",
        ),
    )
