"""The registries under one suite: memory, SQLite, moto, and DynamoDB Local, which refuses what AWS refuses.

Those in DynamoDB run it twice: through botocore, and through libcurl like the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, cast

import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.dynamodb.table import NOW
from ginuri.aws.dynamodb.table_scan import DynamoTableScan
from ginuri.aws.dynamodb.upload_stamps import DynamoStampReader
from ginuri.memory import MemoryRegistry
from ginuri.registry.ports import (
    Archive,
    MemberLister,
    NearNameReader,
    RecordScan,
    StampReader,
    UploadRegistry,
)
from ginuri.registry.record.serialization import read_field_entries
from ginuri.server.sockets import listen
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.records import SqliteReader, SqliteRegistry
from infra.local.aws.moto_server import MotoServer
from tests.aws import curl_client, dynamodb_client, new_table
from tests.services import Asked, HttpService, Service

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


Serve = Callable[..., tuple["DynamoDBClient", Asked]]
"""Makes a client whose service returns some answers, the last one repeatedly."""


ClientAt = Callable[[str], "DynamoDBClient"]
"""Makes a client for an address."""


@dataclass(frozen=True)
class Stand:
    """A registry, and its observable state."""

    registry: UploadRegistry
    reader: NearNameReader
    """The reader of the same registry for requests."""
    calls: Callable[[], int]
    """The number of its calls so far."""
    history: Callable[[str], dict[str, list[Any]]]
    """The values in the history of an identifier, by stamp."""
    archive: Archive
    """The reader of the history and of the whole registry."""
    lister: MemberLister
    """The lister of the same registry."""
    stamps: StampReader
    """The reader of the uploads behind its records."""
    scan: RecordScan
    """Reads all its records for the publication."""


def _values(stamps: str) -> list[Any]:
    return [entry.value for entry in read_field_entries(stamps, {}).values()]


def _in_memory() -> Stand:
    registry = MemoryRegistry()

    def history(identifier: str) -> dict[str, list[Any]]:
        kept = registry._history.get(identifier, {})  # noqa: SLF001  the stored form, which no port returns
        return {stamp: _values(stamps) for stamp, stamps in kept.items()}

    return Stand(registry, registry, lambda: registry.calls, history, registry, registry, registry, registry)


class _CountingDatabase(Database):
    """A database, and the number of its queries and transactions."""

    calls = 0

    def read(self, query: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        self.calls += 1
        return super().read(query, parameters)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        self.calls += 1
        with super().write() as connection:
            yield connection


def _in_sqlite(folder: Path) -> Stand:
    database = _CountingDatabase(folder)
    archive = SqliteArchive(database)

    def history(identifier: str) -> dict[str, list[Any]]:
        kept = database.read("SELECT version, stamps FROM history WHERE identifier = ?", (identifier,))
        return {stamp: _values(stamps) for stamp, stamps in kept}

    return Stand(
        SqliteRegistry(database),
        SqliteReader(database),
        lambda: database.calls,
        history,
        archive,
        SqliteMemberLister(database),
        archive,
        archive,
    )


class _Counting:
    """A client, and the number of its calls."""

    def __init__(self, client: DynamoDBClient) -> None:
        self._client = client
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        self.calls += 1
        return getattr(self._client, name)


def _in_dynamodb(client: DynamoDBClient, called: DynamoDBClient) -> Stand:
    """Return a registry whose calls go through a client, beside one with all permissions."""
    table = new_table(client)
    counting = _Counting(called)
    used = cast("DynamoDBClient", counting)

    def history(identifier: str) -> dict[str, list[Any]]:
        items = client.query(
            TableName=table,
            KeyConditionExpression="identifier = :identifier",
            ExpressionAttributeValues={":identifier": {"S": identifier}},
        )["Items"]
        past = [item for item in items if item["version"]["S"] != NOW]
        return {item["version"]["S"]: _values(item["stamps"]["S"]) for item in past}

    return Stand(
        DynamoRegistry(used, table),
        DynamoReader(used, table),
        lambda: counting.calls,
        history,
        DynamoArchive(client, table),
        DynamoMemberLister(used, table),
        DynamoStampReader(used, table),
        DynamoTableScan(client, table),
    )


@pytest.fixture(scope="session")
def moto_endpoint() -> Iterator[str]:
    """Run moto as a server, and return its address."""
    server = MotoServer(listen(0))
    server.start()
    yield server.endpoint
    server.stop()


_STANDS = ["memory", "sqlite", "moto", "moto by libcurl", "dynamodb-local", "dynamodb-local by libcurl"]


@contextmanager
def _open_stand(request: pytest.FixtureRequest) -> Iterator[Stand]:
    service, _, library = request.param.partition(" by ")
    if service == "memory":
        yield _in_memory()
    elif service == "sqlite":
        yield _in_sqlite(request.getfixturevalue("tmp_path_factory").mktemp("registry"))
    elif service == "moto" and not library:
        with mock_aws():
            client = dynamodb_client()
            yield _in_dynamodb(client, client)
    else:
        fixtures = {"moto": "moto_endpoint", "dynamodb-local": "dynamodb_local"}
        endpoint: str = request.getfixturevalue(fixtures[service])
        client = dynamodb_client(endpoint)
        yield _in_dynamodb(client, curl_client(endpoint) if library else client)
        client.close()


@pytest.fixture(params=_STANDS)
def stand(request: pytest.FixtureRequest) -> Iterator[Stand]:
    """Yield one registry after the other."""
    with _open_stand(request) as stand:
        yield stand


@pytest.fixture(params=_STANDS, scope="module")
def kept_stand(request: pytest.FixtureRequest) -> Iterator[Stand]:
    """Yield one registry after the other, each for all tests of a module that only read."""
    with _open_stand(request) as stand:
        yield stand


def _serve_botocore(*answers: tuple[int, dict[str, Any]]) -> tuple[DynamoDBClient, Asked]:
    client = dynamodb_client()
    return client, Service(client, *answers)


def _serve_libcurl(*answers: tuple[int, dict[str, Any]]) -> tuple[DynamoDBClient, Asked]:
    service = HttpService(*answers)
    return curl_client(service), service


@pytest.fixture(params=[_serve_botocore, _serve_libcurl], ids=["botocore", "libcurl"])
def serve(request: pytest.FixtureRequest) -> Serve:
    """Return a client, of one kind after the other, whose service returns these answers."""
    made: Serve = request.param
    return made


@pytest.fixture(params=[dynamodb_client, curl_client], ids=["botocore", "libcurl"])
def client_at(request: pytest.FixtureRequest) -> Iterator[ClientAt]:
    """Return a client, of one kind after the other, for an address."""
    with ExitStack() as to_close:

        def make(endpoint: str) -> DynamoDBClient:
            client: DynamoDBClient = request.param(endpoint)
            if request.param is dynamodb_client:
                to_close.callback(client.close)
            return client

        yield make
