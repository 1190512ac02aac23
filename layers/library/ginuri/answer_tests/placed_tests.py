"""A test at its place: the identifier that it is stated for, and the rule, if it belongs to one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ginuri.identifiers import Identifier, parse_path
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.roots import printable_name
from ginuri.registry.record.answer_tests import AnswerTest, Values, stated_tests
from ginuri.registry.record.rule_records import is_rule_record, values_by_prefix


@dataclass(frozen=True, slots=True)
class PlacedTest:
    """A test, and what it is stated for."""

    identifier: str
    """In normal form."""
    rule: str | None
    """The pattern of the rule; None for the other tests of the identifier."""
    test: AnswerTest

    @property
    def host(self) -> str:
        """The host that the identifier is bound to; empty for one of any host."""
        return self.identifier[2:].partition("/")[0] if self.identifier.startswith("//") else ""

    @property
    def path(self) -> str:
        """The requested path, as a client sends it."""
        name = self.identifier.removeprefix(f"//{self.host}/") if self.host else self.identifier
        return f"/{name}{self.test.path}"

    @property
    def target(self) -> str:
        """The requested path and query."""
        return f"{self.path}?{self.test.query}" if self.test.query else self.path

    @property
    def name(self) -> str:
        """The requested name for people, with its query."""
        query = f"?{self.test.query}" if self.test.query else ""
        return f"{printable_name(self.identifier)}{self.test.path}{query}"

    def requested(self) -> Identifier | MalformedIdentifier:
        """Return the requested identifier, or the error of reading it."""
        try:
            return parse_path(self.path, host=self.host)
        except MalformedIdentifier as error:
            return error


def place_tests(identifier: str, values: Values) -> Iterator[PlacedTest]:
    """Yield the tests in the values of a record by its name; rules in one of their own have their prefix."""
    several = values_by_prefix(values).items() if is_rule_record(identifier) else [(identifier, values)]
    for name, stated in several:
        for place, test in stated_tests(stated):
            yield PlacedTest(name, place.pattern, test)


def names_requested(placed: PlacedTest) -> tuple[str, ...]:
    """Return the names whose own record may answer a test: the requested one, and those it may be a part of.

    >>> names_requested(PlacedTest("uri-gin/azgs/map/1", None, AnswerTest(".pdf")))
    ('uri-gin/azgs/map/1.pdf', 'uri-gin/azgs/map/1')
    """
    requested = placed.requested()
    return (requested.normal_form, *requested.stems) if isinstance(requested, Identifier) else ()
