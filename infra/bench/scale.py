"""`python -m infra.bench.scale`: the time of a request among 1,000 identifiers and among 1,000,000.

Both registries are tables in one DynamoDB Local, loaded in the adapter's own shape. They are queried in turn,
so that other work of the machine affects both.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import boto3

from ginuri.aws.botocore_clients import CONFIG
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry, as_attribute_values
from ginuri.identifiers import parse
from ginuri.registry.clock import BEGINNING
from ginuri.registry.lists.listing import MOST_LISTED, ListReader
from ginuri.registry.model import NameAuthority, ResourceType
from ginuri.registry.ports import Found
from ginuri.registry.record.items import items_of
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST, Statements, of_rule
from ginuri.resolution.finder import RememberingFinder
from infra.bench.dynamodb_local import NotHere, running_dynamodb_local
from infra.bench.machine import describe_machine
from infra.bench.records import UNDER, change, registered, unregistered
from infra.bench.table import write_machine, write_rows
from infra.local.template import expand

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    Request = Callable[["Table", int], None]

SMALL, LARGE = 1_000, 1_000_000
_ROOT = Path(__file__).parents[2]
_LOADERS = 2
_BATCH = 25
_PAIRS = 400
"""The number of requests of each kind to both."""
_RULED = "uri-gin/azgs/doc/old/"
_TYPE = ResourceType(identifier=UNDER, modified="")
_HEADERS = {
    "X-Amz-Target": "DynamoDB_20120810.BatchWriteItem",
    "Content-Type": "application/x-amz-json-1.0",
    # DynamoDB Local reads only the owner of a signature.
    "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20240517/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0",
}


class Table(NamedTuple):
    """One of the two registries."""

    reader: DynamoReader
    lister: DynamoMemberLister
    size: int


def _find(table: Table, name: str) -> None:
    RememberingFinder(table.reader, time.monotonic).find(parse(name), BEGINNING)  # a new finder is empty


def _miss(table: Table, name: str) -> None:
    _find(table, name)
    RememberingFinder(table.reader, time.monotonic).near(parse(name))


def _page(table: Table, after: str = "") -> None:
    # Ancestors of a type are usually in memory; only the calls of the page itself are measured.
    around = {"uri-gin/azgs/": NameAuthority(identifier="uri-gin/azgs/", modified="")}
    listing = ListReader(table.lister, table.reader).page(_TYPE, Found(parse(UNDER), around), after)
    if not listing.names:
        raise RuntimeError(f"nothing is listed after {after!r}")


def _last(table: Table) -> None:
    _page(table, registered(max(0, table.size - MOST_LISTED - 1)))


REQUESTS: dict[str, Request] = {
    "hit": lambda table, number: _find(table, registered(number)),
    "rule": lambda table, number: _find(table, f"{_RULED}{number}"),
    "miss": lambda table, number: _miss(table, unregistered(number)),
    "first page": lambda table, _: _page(table),
    "last page": lambda table, _: _last(table),
}
"""The reads of the registry for each kind of request."""


def table_of(size: int) -> str:
    """Name the table with so many identifiers."""
    return f"registry-{size}"


def make_table(client: DynamoDBClient, name: str) -> None:
    """Create a table as the template has it."""
    properties = expand(_ROOT / "template.yaml")["Resources"]["RegistryTable"]["Properties"]
    keys = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")
    client.create_table(TableName=name, **{key: properties[key] for key in keys})


def load(client: DynamoDBClient, endpoint: str, table: str, number: int) -> float:
    """Load a registry of so many maps and their ancestors, and return the seconds."""
    registry, started = DynamoRegistry(client, table), time.perf_counter()
    for name in ("uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/", UNDER):
        registry.write(change(name))
    registry.write(_rule())
    batches = [range(start, min(start + _BATCH, number)) for start in range(0, number, _BATCH)]
    with ThreadPoolExecutor(_LOADERS) as pool:
        item = json.dumps(as_attribute_values(items_of(change(registered(0)))[0]))
        list(pool.map(lambda some: _load(endpoint, table, item, some), _dealt(batches)))
    return time.perf_counter() - started


def _rule() -> Change:
    form = Statements(place=of_rule(""), form="form")
    form |= {form.key(FIRST): 0, form.key("location"): "https://maps.example.org/{+rest}"}
    stamp = Stamp("2013-05-17T10:04:31.120Z", "uri-gin/azgs/rules.csv", "v1", 2)
    return apply(Record(_RULED, {}), form, stamp)


def _dealt(batches: Sequence[range]) -> Iterator[Sequence[range]]:
    return (batches[first::_LOADERS] for first in range(_LOADERS))


def _load(endpoint: str, table: str, item: str, batches: Sequence[range]) -> None:
    # Written as text: a client would take ten times as long to serialize the same items.
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=60)
    zero = f"{0:07d}"
    for batch in batches:
        post_batch(connection, table, (item.replace(zero, f"{number:07d}") for number in batch))
    connection.close()


def post_batch(connection: http.client.HTTPConnection, table: str, items: Iterable[str]) -> None:
    """Write at most 25 items, which are JSON already, in one call."""
    puts = (f'{{"PutRequest":{{"Item":{item}}}}}' for item in items)
    body = f'{{"RequestItems":{{"{table}":[{",".join(puts)}]}}}}'
    connection.request("POST", "/", body.encode(), _HEADERS)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != http.client.OK or json.loads(content).get("UnprocessedItems"):
        raise RuntimeError(f"DynamoDB Local did not take a batch: {content[:500]!r}")


def compare(client: DynamoDBClient, sizes: Sequence[int], pairs: int = _PAIRS) -> list[tuple[str, ...]]:
    """Query both tables in turn, and return a row for each kind of request."""
    tables = [
        Table(DynamoReader(client, name), DynamoMemberLister(client, name), size)
        for name, size in ((table_of(size), size) for size in sizes)
    ]
    operations: list[str] = []
    client.meta.events.register("before-call.dynamodb", lambda model, **_: operations.append(model.name))
    chosen = random.Random(1)  # noqa: S311  the same identifiers in each run
    rows = []
    for name, request in REQUESTS.items():
        spent: list[list[float]] = [[], []]
        calls = [0, 0]
        for _ in range(pairs):
            for place, table in enumerate(tables):
                number, before, started = chosen.randrange(table.size), len(operations), time.perf_counter()
                request(table, number)
                spent[place].append(time.perf_counter() - started)
                calls[place] += len(operations) - before
        few, many = (median(times[pairs // 10 :]) * 1e6 for times in spent)  # the first tenth warms up
        rows.append(
            (
                name,
                f"{few:.0f} µs",
                f"{many:.0f} µs",
                f"{many / few:.2f}",
                *(f"{number / pairs:g}" for number in calls),
            )
        )
    return rows


def _resident(process: int) -> str:
    status = Path(f"/proc/{process}/status")
    found = (
        re.search(r"^VmRSS:\s+(\d+) kB$", status.read_text(encoding="ascii"), re.MULTILINE)
        if status.exists()
        else None
    )
    return f"{int(found[1]) / 1e6:.1f} GB" if found else "unknown"


def main(arguments: list[str] | None = None) -> int:
    """Load, query and print the table."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.scale", description=__doc__)
    parser.add_argument(
        "sizes", type=int, nargs="*", default=(SMALL, LARGE), help="identifiers in each of the two"
    )
    sizes = parser.parse_args(arguments).sizes
    try:
        with running_dynamodb_local(is_brief=False) as running:
            session = boto3.Session("bench", "bench", region_name="us-east-1")
            client = session.client("dynamodb", endpoint_url=running.endpoint, config=CONFIG)
            print(write_machine(describe_machine()))
            for size in sizes:
                make_table(client, table_of(size))
                seconds = load(client, running.endpoint, table_of(size), size)
                print(
                    f"{size:,} identifiers in {seconds:.0f} s; java then has {_resident(running.process)}",
                    flush=True,
                )
            rows = compare(client, sizes)
    except NotHere as why:
        print(why, file=sys.stderr)
        return 1
    print("\n" + write_rows([("", *(f"{size:,}" for size in sizes), "ratio", "calls", "calls"), *rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
