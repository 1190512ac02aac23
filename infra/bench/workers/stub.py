"""A stand-in for DynamoDB: reads canned records and discards writes, over HTTP, and counts the calls.

It runs in a process of its own, so that the handlers only wait for it.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import ssl
import sys
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from infra.bench.records import ADDRESSES, REGISTRY, Item, address_item, registry_item
from infra.bench.workers.own_process import stay_on

HOST = "127.0.0.1"
COUNTS = "/counts"
"""The path that returns the number of calls of each operation."""
TABLES: Mapping[str, Callable[[str], Item | None]] = {REGISTRY: registry_item, ADDRESSES: address_item}

_OPERATION = re.compile(rb"x-amz-target: *DynamoDB_20120810\.(\w+)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_END_OF_HEAD = b"\r\n\r\n"


def answer(operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a call like DynamoDB, as far as measured requests need. Raises KeyError for anything else."""
    match operation:
        case "GetItem":
            item = _get(request["TableName"], request["Key"], request.get("ProjectionExpression"))
            return {} if item is None else {"Item": item}
        case "BatchGetItem":
            responses = {
                table: _get_many(table, request_items)
                for table, request_items in request["RequestItems"].items()
            }
            return {"Responses": responses, "UnprocessedKeys": {}}
        case "Query":  # of the index `near`: there are no other spellings
            return {"Items": [], "Count": 0, "ScannedCount": 0}
        case "PutItem" | "TransactWriteItems":
            return {}
        case _:
            raise KeyError(operation)


def _get_many(table: str, request_items: Mapping[str, Any]) -> list[Item]:
    items = (_get(table, key, request_items.get("ProjectionExpression")) for key in request_items["Keys"])
    return [item for item in items if item is not None]


def _get(table: str, key: Mapping[str, Any], projection: str | None) -> Item | None:
    item = TABLES[table](key["identifier"]["S"])
    if item is None or projection is None:
        return item
    return {field: item[field] for field in projection.split(", ") if field in item}


class Connection(asyncio.Protocol):
    """The connection of one client; requests come one after the other."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._received = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport for answers."""
        self._transport = transport if isinstance(transport, asyncio.WriteTransport) else None

    def data_received(self, data: bytes) -> None:
        """Answer as soon as a request is whole."""
        self._received += data
        head, end, body = self._received.partition(_END_OF_HEAD)
        length = _LENGTH.search(head)
        if not end or len(body) < (int(length[1]) if length else 0):
            return
        self._received = b""
        if self._transport is not None:
            self._transport.write(self._respond(head, body))

    def _respond(self, head: bytes, body: bytes) -> bytes:
        if head.startswith(f"GET {COUNTS} ".encode()):
            return _response(200, self._counts)
        operation = _OPERATION.search(head)
        name = operation[1].decode() if operation else "nothing"
        self._counts[name] += 1
        try:
            return _response(200, answer(name, json.loads(body)))
        except KeyError as unknown:
            message = f"the stub does not know {unknown}"
            return _response(400, {"__type": "com.amazon.coral.service#UnknownOperation", "message": message})


def _response(status: int, document: Mapping[str, Any]) -> bytes:
    body = json.dumps(document, separators=(",", ":")).encode()
    head = (
        f"HTTP/1.1 {status} {'OK' if status < 400 else 'Bad Request'}\r\n"  # noqa: PLR2004  where errors begin
        "Server: Server\r\nDate: Fri, 17 May 2024 10:04:31 GMT\r\n"
        "Content-Type: application/x-amz-json-1.0\r\n"
        f"Content-Length: {len(body)}\r\nConnection: keep-alive\r\n"
        f"x-amzn-RequestId: {uuid.uuid4().hex.upper()}\r\nx-amz-crc32: {zlib.crc32(body)}\r\n\r\n"
    )
    return head.encode() + body


async def serve(certificate: str | None = None) -> None:
    """Serve on a free port until a signal comes; the port is the first and only line printed.

    With a file of a key and its certificate, serve over TLS.
    """
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    counts: Counter[str] = Counter()
    context = None
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
    server = await loop.create_server(lambda: Connection(counts), HOST, 0, ssl=context)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await stop.wait()


if __name__ == "__main__":
    stay_on(-1)
    asyncio.run(serve(*sys.argv[1:]))
