"""`python -m infra.bench.many_rules`: the cost of a rule among 10 rules of one prefix and among 1,000,000.

Both registries are tables in one DynamoDB Local, loaded in the adapter's own shape. They are queried in turn,
so that other work of the machine affects both.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import boto3

from ginuri.aws.botocore_clients import CONFIG
from ginuri.aws.dynamodb.record_writer import DynamoRegistry, as_attribute_values
from ginuri.files.json_lines import read_json_lines
from ginuri.identifiers import parse
from ginuri.memory import MemoryUploads
from ginuri.registration.registrar import Registrar
from ginuri.registration.rows import Origin, Registration, combine
from ginuri.registration.verdicts import Outcome
from ginuri.registry.clock import BEGINNING
from ginuri.registry.lists.rules import read_rules
from ginuri.registry.record.items import items_of
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.rule_records import add_cuts, put_under, raise_revision
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST, Statements, of_rule
from ginuri.registry.rules.beginnings import cover_of, record_of_rule
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.rules import find_rule
from infra.bench.dynamodb_local import NotHere, running_dynamodb_local
from infra.bench.machine import describe_machine
from infra.bench.records import change
from infra.bench.scale import make_table, post_batch
from infra.bench.table import write_machine, write_rows

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

FEW, MANY = 10, 1_000_000
PREFIX = "uri-gin/azgs/id/"
_ABOVE = ("uri-gin/", "uri-gin/azgs/")
_STAMP = Stamp("2013-05-17T10:04:31.120Z", "uri-gin/azgs/rules.csv", "v1", 2)
_LOADERS = 2
_BATCH = 12
"""The rules of one call, which has an item for each rule and one for its beginning."""
_PAIRS = 200
"""The number of requests of each kind to both."""


class LocalRegistry(DynamoRegistry):
    """A registry in DynamoDB Local, whose transactions have at most ten items."""

    most_written = 10


class Ruled(NamedTuple):
    """One of the two registries."""

    registry: LocalRegistry
    size: int
    warm: RememberingFinder


class Spent(NamedTuple):
    """The cost of one request."""

    seconds: float
    processor: float
    calls: int


def pattern_of(number: int) -> str:
    """Return the pattern of a loaded rule, such as `X0000017_{id}`."""
    return f"X{number:07d}_{{id}}"


def _answer(finder: RememberingFinder, name: str, *, is_ruled: bool) -> None:
    if (find_rule(finder.find(parse(name), BEGINNING)) is not None) != is_ruled:
        raise RuntimeError(f"{name} has another answer")


def _cold(ruled: Ruled, number: int) -> None:
    finder = RememberingFinder(ruled.registry, time.monotonic)  # a new finder is empty
    _answer(finder, f"{PREFIX}X{number:07d}_{time.perf_counter_ns()}", is_ruled=True)


def _warm(ruled: Ruled, number: int) -> None:
    _answer(ruled.warm, f"{PREFIX}X{number:07d}_{time.perf_counter_ns()}", is_ruled=True)


def _unruled(ruled: Ruled, _: int) -> None:
    _answer(ruled.warm, f"{PREFIX}none_{time.perf_counter_ns()}", is_ruled=False)


def _page(ruled: Ruled, _: int) -> None:
    record = ruled.registry.fetch([PREFIX])[PREFIX]
    if not read_rules(record, ruled.registry, ruled.registry).rules:
        raise RuntimeError("no rule is listed")


def _register(ruled: Ruled, *patterns: str) -> None:
    stated = {"record": "rule", "identifier": PREFIX, "location": "https://a.example/{rest}"}
    lines = [json.dumps({**stated, **({"pattern": pattern} if pattern else {})}) for pattern in patterns]
    rows = read_json_lines([f"{line}\n".encode() for line in lines])
    origin = Origin("2026-11-24T12:00:00.000Z", "uri-gin/azgs/rules.jsonl", str(time.perf_counter_ns()))
    registrations = [each for each in combine(rows) if isinstance(each, Registration)]
    verdicts = list(Registrar(ruled.registry, MemoryUploads(), origin).register(registrations))
    if [verdict.outcome for verdict in verdicts] != [Outcome.REGISTERED] * len(patterns):
        raise RuntimeError(f"{patterns} were not registered: {verdicts}")


REQUESTS: dict[str, Callable[[Ruled, int], None]] = {
    "answer by a rule, nothing in memory": _cold,
    "answer by a rule, the rest in memory": _warm,
    "no rule, the rest in memory": _unruled,
    "first page of the rules": _page,
}
"""The reads of the registry for each kind of request."""
REGISTERED: dict[str, Callable[[Ruled, int], None]] = {
    "register a rule, `Y1_{id}`": lambda ruled, number: _register(ruled, f"Y{number}_{{id}}"),
    "register a rule, `Y1_{id}/page`": lambda ruled, number: _register(ruled, f"V{number}_{{id}}/page"),
    "register ten rules": lambda ruled, number: _register(
        ruled, *(f"Z{number}-{each}_{{id}}" for each in range(10))
    ),
}
"""Rules with a literal beginning, which are other ones for each number."""
ONCE: dict[str, Callable[[Ruled, int], None]] = {
    "register a catch-all": lambda ruled, _: _register(ruled, ""),
    "register `{+rest}.pdf`": lambda ruled, _: _register(ruled, "{+rest}.pdf"),
}
"""Rules without one, which meet all others of the prefix."""


def load(client: DynamoDBClient, endpoint: str, table: str, number: int) -> float:
    """Load a prefix with so many rules and its ancestors, and return the seconds."""
    registry, started = LocalRegistry(client, table), time.perf_counter()
    for name in _ABOVE:
        registry.write(change(name))
    registry.write(raise_revision(Record(PREFIX, {}), _STAMP))
    cuts = add_cuts(Record(cover_of(_ABOVE[0]), {}), [(PREFIX, pattern_of(0))], _STAMP)
    if cuts is not None:
        registry.write(cuts)
    now, _, listed = items_of(rule_change(0))
    items = [json.dumps(as_attribute_values(item)) for item in (now, *listed)]
    batches = [range(start, min(start + _BATCH, number)) for start in range(0, number, _BATCH)]
    with ThreadPoolExecutor(_LOADERS) as pool:
        dealt = [batches[first::_LOADERS] for first in range(_LOADERS)]
        list(pool.map(lambda some: _load(endpoint, table, items, some), dealt))
    return time.perf_counter() - started


def rule_change(number: int) -> Change:
    """Return the registration of a loaded rule."""
    pattern = pattern_of(number)
    form = Statements(place=of_rule(pattern), form="form   ")
    form |= {form.key(FIRST): 0, form.key("location"): "https://a.example/{rest}"}
    return apply(Record(record_of_rule(PREFIX, pattern), {}), put_under(PREFIX, form), _STAMP)


def _load(endpoint: str, table: str, items: Sequence[str], batches: Sequence[range]) -> None:
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=60)
    zero = f"{0:07d}"
    for batch in batches:
        post_batch(
            connection,
            table,
            (item.replace(zero, f"{number:07d}") for number in batch for item in items),
        )
    connection.close()


def compare(client: DynamoDBClient, sizes: Sequence[int], pairs: int = _PAIRS) -> Iterator[tuple[str, ...]]:
    """Query both tables in turn, and yield a row for each kind of request."""
    operations: list[str] = []
    client.meta.events.register("before-call.dynamodb", lambda model, **_: operations.append(model.name))
    both = []
    for size in sizes:
        registry = LocalRegistry(client, table_of(size))
        both.append(Ruled(registry, size, RememberingFinder(registry, time.monotonic)))
    chosen = random.Random(1)  # noqa: S311  the same rules in each run
    for name, request in REQUESTS.items():
        yield _row(name, [_time(operations, request, both, chosen) for _ in range(pairs)])
    for name, request in REGISTERED.items():
        yield _row(name, [_time(operations, request, both, number) for number in range(pairs)])
    for name, request in ONCE.items():
        yield _row(name, [_time(operations, request, both, 0)])


def _time(
    operations: list[str],
    request: Callable[[Ruled, int], None],
    both: Sequence[Ruled],
    chosen: random.Random | int,
) -> list[Spent]:
    spent = []
    for ruled in both:
        number = chosen if isinstance(chosen, int) else chosen.randrange(ruled.size)
        before = len(operations), time.process_time(), time.perf_counter()
        request(ruled, number)
        after = len(operations), time.process_time(), time.perf_counter()
        spent.append(Spent(after[2] - before[2], after[1] - before[1], after[0] - before[0]))
    return spent


def _row(name: str, spent: Sequence[Sequence[Spent]]) -> tuple[str, ...]:
    kept = spent[len(spent) // 10 :]  # the first tenth warms up
    sides = list(zip(*kept, strict=True))
    seconds = [median(each.seconds for each in side) * 1e3 for side in sides]
    processor = [median(each.processor for each in side) * 1e3 for side in sides]
    calls = [f"{sum(each.calls for each in side) / len(side):g}" for side in sides]
    cells = [f"{wall:.2f} ms, {own:.2f} ms" for wall, own in zip(seconds, processor, strict=True)]
    return name, *cells, *calls


def table_of(size: int) -> str:
    """Name the table with so many rules."""
    return f"rules-{size}"


def main(arguments: list[str] | None = None) -> int:
    """Load, query and print the table."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.many_rules", description=__doc__)
    parser.add_argument("sizes", type=int, nargs="*", default=(FEW, MANY), help="rules in each of the two")
    sizes = parser.parse_args(arguments).sizes
    try:
        with running_dynamodb_local(is_brief=False) as running:
            session = boto3.Session("bench", "bench", region_name="us-east-1")
            client = session.client("dynamodb", endpoint_url=running.endpoint, config=CONFIG)
            print(write_machine(describe_machine()))
            for size in sizes:
                make_table(client, table_of(size))
                seconds = load(client, running.endpoint, table_of(size), size)
                print(f"{size:,} rules in {seconds:.0f} s", flush=True)
            rows = list(compare(client, sizes))
    except NotHere as why:
        print(why, file=sys.stderr)
        return 1
    heading = ("time, CPU", *(f"{size:,}" for size in sizes), "calls", "calls")
    print("\n" + write_rows([heading, *rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
