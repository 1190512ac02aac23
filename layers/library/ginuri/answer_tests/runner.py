"""Runs tests by the decision itself, as a request over HTTP would be answered, without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice

from ginuri.answer_tests.placed_tests import PlacedTest
from ginuri.answer_tests.results import GivenAnswer, TestResult
from ginuri.registry.ports import NearNameReader
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.finder import Mapper, RememberingFinder
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import Decision, Refused
from ginuri.resolution.resolve_many import resolve_many
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.query import read_parameters
from ginuri.web.request import Request, ask_about

AT_ONCE = 100
"""The number of tests that are decided together: their records are read in as few calls as possible."""


class TestRunner:
    """Runs tests on the records of a reader, all of them at one moment."""

    __test__ = False  # no class of tests, for pytest

    def __init__(
        self, reader: NearNameReader, canonical_host: str, moment: datetime, mapper: Mapper = map
    ) -> None:
        self._reader, self._mapper = reader, mapper
        self._host = canonical_host
        self._moment = moment
        self._responses = IdentifierResponses(_NoContent(), canonical_host)

    def run(self, tests: Iterable[PlacedTest]) -> Iterator[TestResult]:
        """Run tests, and yield their results in order. Raises RegistryUnavailable."""
        finder = RememberingFinder(self._reader, lambda: 0.0, self._mapper)  # one moment: nothing expires
        rest = iter(tests)
        while some := list(islice(rest, AT_ONCE)):
            requests = [self._request(placed) for placed in some]
            questions = [
                ask_about(placed.requested(), request, self._host)
                for placed, request in zip(some, requests, strict=True)
            ]
            resolutions = resolve_many(questions, finder)
            for placed, request, resolution in zip(some, requests, resolutions, strict=True):
                yield TestResult(placed, self._answer(request, resolution.decision), self._host)

    def _request(self, placed: PlacedTest) -> Request:
        headers = placed.test.headers
        return Request(
            "HEAD",
            placed.path,
            placed.host or self._host,
            Preferences(
                headers.get("Accept"),
                headers.get("Accept-Language"),
                headers.get("Accept-Profile"),
                headers.get("Accept-Datetime"),
            ),
            parameters=read_parameters(placed.test.query),
            query=placed.test.query,
            is_query_as_sent=True,
            headers={name.lower(): value for name, value in headers.items()},
            moment=self._moment,
        )

    def _answer(self, request: Request, decision: Decision) -> GivenAnswer:
        response = self._responses.write(decision, request)
        location = next((value for name, value in response.headers if name == "Location"), None)
        is_hidden = isinstance(decision, Refused) and STATUSES[decision.status].is_hidden
        return GivenAnswer(int(response.status), location, is_hidden=is_hidden)


class _NoContent:
    """Stored files whose content nobody reads: a test expects a status, not content."""

    def read(self, *_: object, **__: object) -> bytes:
        """Return nothing."""
        return b""

    def chunks(self, *_: object, **__: object) -> Iterator[bytes]:
        """Return nothing."""
        return iter(())
