"""The use of one request: read units of the table, bytes of the answer and of the log, all counted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.upload_stamps import DynamoStampReader
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore
from ginuri.resolution.finder import ANCESTOR_SECONDS, RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.log_line import write_log_line
from ginuri.web.response import write_gateway
from infra.bench.cases import Case
from infra.bench.records import REGISTRY, Item, registered, registry_item, unregistered
from infra.bench.workers.events import get

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

HOST = "resources.usgin.org"
_UNIT = 4096  # bytes of a read request unit; eventually consistent reads get twice as many
_TYPICAL_SECONDS = 0.006
_LOG_EVENT = 26  # bytes that CloudWatch adds for each line
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/capacity-unit-calculations.html


class Kind(StrEnum):
    """A kind of request, with its name on the page."""

    MEMORY = "a hit from memory"
    HIT = "a hit from the table"
    LATE = "a hit, a minute after the last"
    """Its ancestors, and the places of rules, are read again in the same call."""
    MISS = "a miss, as a page"
    PAGE = "a description, as a page"

    @property
    def case(self) -> Case:
        """The measured case with its CPU."""
        return Case.HIT if self is Kind.LATE else Case[self.name]

    @property
    def function(self) -> str:
        """The function that answers it."""
        return "describe" if self is Kind.PAGE else "resolve"


class CountingTable:
    """The canned records of the bench, behind the client calls of the reader."""

    def __init__(self) -> None:
        self.calls = 0
        self.units = 0.0

    def get_item(self, *, Key: Mapping[str, Any], **_: object) -> dict[str, Any]:  # noqa: N803  boto3's name
        """Read an item."""
        self.calls += 1
        item = self._read(Key)
        return {"Item": item} if item else {}

    def batch_get_item(self, *, RequestItems: Mapping[str, Any]) -> dict[str, Any]:  # noqa: N803  boto3's name
        """Read items."""
        self.calls += 1
        items = [self._read(key) for key in RequestItems[REGISTRY]["Keys"]]
        return {"Responses": {REGISTRY: [item for item in items if item]}}

    def query(self, **_: object) -> dict[str, Any]:
        """Find nothing in an index."""
        self.calls += 1
        self.units += 0.5
        return {"Items": [], "Count": 0}

    def _read(self, key: Mapping[str, Any]) -> Item | None:
        item = registry_item(key["identifier"]["S"])
        self.units += max(1, math.ceil(_size(item) / _UNIT)) / 2  # absent items count as well
        return item


@dataclass(frozen=True, slots=True)
class Counts:
    """The use of one request of a kind."""

    calls: int
    read_units: float
    answer_bytes: int
    log_bytes: int


def count() -> dict[Kind, Counts]:
    """Count each kind, after a first request that reads its ancestors."""
    table, seconds = CountingTable(), [0.0]
    client = cast("DynamoDBClient", table)
    reader = DynamoReader(client, REGISTRY)
    finder = RememberingFinder(reader, lambda: seconds[-1])
    responses = IdentifierResponses(MemoryContentStore(), HOST)
    collaborators = Collaborators(
        finder=RememberingFinder(reader, lambda: 0.0),
        reader=reader,
        lister=DynamoMemberLister(client, REGISTRY),
        answers=DescriptionResponses(DescriptionWriter().write),
        canonical_host=HOST,
        stamps=DynamoStampReader(client, REGISTRY),
    )

    def resolved(name: str) -> Counts:
        answered = resolve(read_request(get(name)), finder, responses)
        return _count(table, "resolve", answered.outcome, name, answered)

    def described(name: str) -> Counts:
        answered = describe(read_request(get(name)), collaborators)
        return _count(table, "describe", answered.outcome, name, answered)

    resolved(registered(0))
    described(f"about.html/{registered(0)}")
    counts = {
        Kind.HIT: resolved(registered(1)),
        Kind.MEMORY: resolved(registered(1)),
        Kind.MISS: resolved(unregistered(1)),
        Kind.PAGE: described(f"about.html/{registered(1)}"),
    }
    seconds.append(ANCESTOR_SECONDS + 1.0)
    return {**counts, Kind.LATE: resolved(registered(1))}


def _count(table: CountingTable, function: str, outcome: object, name: str, answered: Any) -> Counts:  # noqa: ANN401  of either flow
    calls, units, table.calls, table.units = table.calls, table.units, 0, 0.0
    response, event = answered.response, get(name)
    line = write_log_line(
        function,
        outcome,
        _TYPICAL_SECONDS,
        status=int(response.status),
        method="GET",
        path=f"/{name}",
        request_id=event["requestContext"].get("requestId"),
        stack="ginuri",
    )
    return Counts(calls, units, _answer_bytes(write_gateway(response, "GET")), len(line) + _LOG_EVENT)


def _answer_bytes(answer: Mapping[str, Any]) -> int:
    headers: Mapping[str, Sequence[str]] = answer["multiValueHeaders"]
    lines = sum(len(name) + len(value) + 4 for name, values in headers.items() for value in values)
    body = answer["body"] or ""
    return lines + (len(body) * 3 // 4 if answer.get("isBase64Encoded") else len(body))


def _size(item: Item | None) -> int:
    return sum(len(name) + len(*value.values()) for name, value in item.items()) if item else 0
