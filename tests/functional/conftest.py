"""A table in moto, and the commands that read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from click.testing import CliRunner, Result
from moto.server import ThreadedMotoServer

from ginuri.adapters.dynamodb import DynamoRegistry
from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.core.record import Path as FieldPath
from ginuri.core.record import Record, apply
from ginuri.core.stamps import Stamp
from tests.aws import new_table
from tests.builders import stated

DOC = "uri-gin/azgs/doc/a"


@dataclass
class Kept:
    """A table in moto, and where the command finds it."""

    registry: DynamoRegistry
    environment: dict[str, str]

    def state(self, day: str, identifier: str = DOC, **values: Any) -> None:
        """Register something on a day."""
        self.say(day, stated(values), identifier)

    def say(self, day: str, statements: dict[FieldPath, Any], identifier: str) -> None:
        """Register statements as they stand in the registry."""
        held = self.registry.read([identifier]).get(identifier, Record(identifier, {}))
        stamp = Stamp(f"{day}T12:00:00.000Z", "uri-gin/azgs/docs.csv", f"v {day}", 7)
        self.registry.write(apply(held, statements, stamp))

    def run(self, *arguments: str) -> Result:
        """Run the command."""
        return CliRunner().invoke(main, arguments, env=self.environment, prog_name="ginuri")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Run moto as a server."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def kept(endpoint: str, tmp_path: Path) -> Iterator[Kept]:
    """Give a table that the command can read."""
    access: dict[str, Any] = {
        "aws_access_key_id": "testing",
        "aws_secret_access_key": "testing",
        "region_name": "us-east-1",
    }
    client = boto3.Session(**access).client("dynamodb", endpoint_url=endpoint)
    table = new_table(client)
    told = {
        "service": "http://127.0.0.1:8000",
        "endpoint": endpoint,
        "region": "us-east-1",
        "access_key": "testing",
        "secret_key": "testing",
        "registry_table": table,
    }
    (tmp_path / "stack.json").write_text(json.dumps(told))
    environment = {LOCAL_STACK_VARIABLE: str(tmp_path / "stack.json"), "GINURI_STACK": ""}
    yield Kept(DynamoRegistry(client, table), environment)
    client.close()
