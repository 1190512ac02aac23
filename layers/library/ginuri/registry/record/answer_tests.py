"""Tests: the field `tests` of a record, of one of its rules or of its delegation.

A test is a request about the identifier or a name under it, and what is expected of the answer. To answer a
request, tests are not needed: they are the last member of a stored body, which that reader cuts off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ginuri.registry.record.statements import OF_DELEGATION, OF_RECORD, JsonValue, RecordPlace, of_rule

TESTS = "tests"
"""The field; also the member of a body that holds all tests of a record, in the shape of its values."""
MOST_TESTS = 500
"""The most tests of a record, with those of its rules."""
MOST_TEST_BYTES = 64_000
"""The most bytes of the tests of a record as JSON."""
HEADERS = ("Accept", "Accept-Language", "Accept-Profile", "Accept-Datetime")
"""The headers that a test may state; no other changes the status or the target of an answer."""
Values = Mapping[str, JsonValue]
"""The nested values of a record (`Record.values`)."""
_RULES, _DELEGATION = "rules", OF_DELEGATION.name
_WITH_TESTS = frozenset({TESTS, _RULES, _DELEGATION})


@dataclass(frozen=True, slots=True)
class AnswerTest:
    """A request, and what is expected of its answer; a stated test expects a status, a target, or both."""

    path: str = ""
    """The text after the identifier of the registration, as a client sends it."""
    query: str = ""
    """Without the question mark."""
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None
    target: str | None = None
    """A location, a path from the root, or an identifier."""
    label: str = ""

    @property
    def request(self) -> tuple[str, str, frozenset[tuple[str, str]]]:
        """The request, to compare it with those of other tests."""
        return self.path, self.query, frozenset(self.headers.items())


def read_test(written: JsonValue) -> AnswerTest:
    """Read a test from the value of the field."""
    values = _object(written)
    path, query, target, label = (values.get(name) for name in ("path", "query", "target", "label"))
    status = values.get("status")
    return AnswerTest(
        str(path or ""),
        str(query or ""),
        {name: str(value) for name, value in _object(values.get("headers")).items()},
        status if isinstance(status, int) else None,
        str(target) if target else None,
        str(label or ""),
    )


def write_test(test: AnswerTest) -> dict[str, JsonValue]:
    """Write a test without absent values.

    >>> write_test(AnswerTest("HP_1", headers={"Accept": "text/turtle"}, status=303))
    {'path': 'HP_1', 'headers': {'Accept': 'text/turtle'}, 'status': 303}
    """
    values: dict[str, JsonValue] = {
        "path": test.path,
        "query": test.query,
        "headers": dict(test.headers),
        "status": test.status,
        "target": test.target,
        "label": test.label,
    }
    return {name: value for name, value in values.items() if value}


def stated_tests(values: Values) -> Iterator[tuple[RecordPlace, AnswerTest]]:
    """Yield the tests in the values of a record, or in its tests alone, with the place that each is about."""
    rules = ((of_rule(pattern), _object(rule)) for pattern, rule in _object(values.get(_RULES)).items())
    for place, stated in ((OF_RECORD, values), *rules, (OF_DELEGATION, _object(values.get(_DELEGATION)))):
        tests = stated.get(TESTS)
        for written in tests if isinstance(tests, list) else ():
            yield place, read_test(written)


def part_tests(values: Values) -> tuple[Values, Values]:
    """Part the values of a record into those for answering requests, and its tests in the same shape.

    >>> part_tests({"title": {"": "Map"}, "tests": [{"status": 303}]})
    ({'title': {'': 'Map'}}, {'tests': [{'status': 303}]})
    """
    if values.keys().isdisjoint(_WITH_TESTS):
        return values, {}
    others = _without_tests(values)
    tests: dict[str, JsonValue] = {TESTS: values[TESTS]} if TESTS in values else {}
    delegation = _object(values.get(_DELEGATION))
    if TESTS in delegation:
        tests[_DELEGATION], others[_DELEGATION] = {TESTS: delegation[TESTS]}, _without_tests(delegation)
    rules = {pattern: _object(rule) for pattern, rule in _object(values.get(_RULES)).items()}
    if tested := {pattern: {TESTS: rule[TESTS]} for pattern, rule in rules.items() if TESTS in rule}:
        answered = {pattern: _without_tests(rule) for pattern, rule in rules.items()}
        others[_RULES] = {pattern: rule for pattern, rule in answered.items() if rule}
        tests[_RULES] = tested
    return others, tests


def join_tests(values: Values, tests: Values) -> dict[str, JsonValue]:
    """Return the values of a record with its tests: the inverse of `part_tests`."""
    joined = {**values, **tests}
    if _DELEGATION in tests:
        joined[_DELEGATION] = {**_object(values.get(_DELEGATION)), **_object(tests[_DELEGATION])}
    if _RULES in tests:
        rules, tested = _object(values.get(_RULES)), _object(tests[_RULES])
        joined[_RULES] = {
            pattern: {**_object(rules.get(pattern)), **_object(tested.get(pattern))}
            for pattern in dict.fromkeys((*rules, *tested))
        }
    return joined


def merge_tests(*several: Iterable[JsonValue]) -> list[JsonValue]:
    """Return the tests of several rows as one value, without repeated ones."""
    merged: list[JsonValue] = []
    for tests in several:
        merged += (test for test in tests if test not in merged)
    return merged


def find_contradiction(tests: Iterable[AnswerTest]) -> AnswerTest | None:
    """Return the first test that expects another answer than an earlier one to its request; else None."""
    by_request: dict[object, AnswerTest] = {}
    for test in tests:
        earlier = by_request.setdefault(test.request, test)
        if (earlier.status, earlier.target) != (test.status, test.target):
            return test
    return None


def _object(value: JsonValue) -> Values:
    return value if isinstance(value, dict) else {}


def _without_tests(values: Values) -> dict[str, JsonValue]:
    return {name: value for name, value in values.items() if name != TESTS}
