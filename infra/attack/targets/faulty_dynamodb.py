"""A DynamoDB that misbehaves, and an S3 without objects, on one port: each call meets a planned fault."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum, auto
from typing import Any, NamedTuple

from infra.bench.workers.stub import HOST, answer
from infra.local.servers.loop_thread import LoopThread

_OPERATION = re.compile(rb"x-amz-target: *DynamoDB_20120810\.(\w+)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_AGES = 3600.0
_NO_KEY = b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>none</Message></Error>"


class Behaviour(StrEnum):
    """The fault of a call."""

    ANSWER = auto()
    DROP = auto()
    """The connection is closed without an answer."""
    SILENCE = auto()
    """The connection stays open without an answer."""
    THROTTLE = auto()
    BREAK = auto()
    """500."""
    UNPROCESSED = auto()
    """Half of the keys of a batch are not processed."""
    TRUNCATE = auto()
    """The connection is closed in the middle of the answer."""
    GARBLE = auto()
    """The answer does not match its checksum."""


class Meeting(NamedTuple):
    """The fault of a call, and the seconds before it."""

    behaviour: Behaviour = Behaviour.ANSWER
    seconds: float = 0.0


Plan = Callable[[int, int], Meeting]
"""Chooses the fault of a call by its number and that of its connection, both from 0."""


class FaultyDynamoDB:
    """The server."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._calls = self._connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        connection, self._connections = self._connections, self._connections + 1
        try:
            while (request := await _receive(reader)) is not None:
                call, self._calls = self._calls, self._calls + 1
                if not await _respond(writer, self._plan(call, connection), *request):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@contextmanager
def running(plan: Plan) -> Iterator[int]:
    """Run the server as long as the block lasts; yield its port."""
    loop = LoopThread()
    faulty = FaultyDynamoDB(plan)

    async def start() -> asyncio.Server:
        return await asyncio.start_server(faulty.serve, HOST, 0)

    async def close() -> None:
        server.close()

    server = loop.run(start())
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.run(close())
        loop.stop()


async def _receive(reader: asyncio.StreamReader) -> tuple[bytes, bytes] | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    length = _LENGTH.search(head)
    return head, await reader.readexactly(int(length[1])) if length else b""


async def _respond(writer: asyncio.StreamWriter, meeting: Meeting, head: bytes, body: bytes) -> bool:
    """Answer a call or leave it; return whether the connection stays open."""
    behaviour, seconds = meeting
    await asyncio.sleep(_AGES if behaviour is Behaviour.SILENCE else seconds)
    if behaviour is Behaviour.DROP:
        return False
    written = _write(behaviour, head, body)
    if behaviour is Behaviour.TRUNCATE:
        written = written[: len(written) - 10]
    writer.write(written)
    await writer.drain()
    return behaviour is not Behaviour.TRUNCATE


def _write(behaviour: Behaviour, head: bytes, body: bytes) -> bytes:
    if behaviour is Behaviour.BREAK:
        return _response(500, {"__type": "com.amazon.coral.service#InternalServerError", "message": "no"})
    operation = _OPERATION.search(head)
    if operation is None:  # a request to S3
        return _response(404, _NO_KEY, kind="application/xml")
    if behaviour is Behaviour.THROTTLE:
        kind = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
        return _response(400, {"__type": kind, "message": "slow down"})
    request = json.loads(body)
    if behaviour is Behaviour.UNPROCESSED and operation[1] == b"BatchGetItem":
        return _response(200, _process_half(request))
    document = answer(operation[1].decode(), request)
    return _response(200, document, garbled=behaviour is Behaviour.GARBLE)


def _process_half(request: Mapping[str, Any]) -> Mapping[str, Any]:
    processed, left = {}, {}
    for table, wanted in request["RequestItems"].items():
        half = len(wanted["Keys"]) // 2
        processed[table] = {**wanted, "Keys": wanted["Keys"][:half]}
        left[table] = {**wanted, "Keys": wanted["Keys"][half:]}
    return {**answer("BatchGetItem", {"RequestItems": processed}), "UnprocessedKeys": left}


def _response(
    status: int,
    document: Mapping[str, Any] | bytes,
    *,
    kind: str = "application/x-amz-json-1.0",
    garbled: bool = False,
) -> bytes:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    checksum = zlib.crc32(body) + garbled
    head = (
        f"HTTP/1.1 {status} Whatever\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        f"x-amz-crc32: {checksum}\r\n\r\n"
    )
    return head.encode() + body
