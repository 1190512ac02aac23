"""The lower bounds of a resolver: a dictionary in memory, and the two system calls of a query to a table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from socket import socket

from infra.bench.peers.rules import rules
from infra.bench.records import REGISTRY, registered
from infra.bench.workers import events

_MOST_BYTES = 65536
Spend = Callable[[Sequence[int]], float]
"""Requests the names with these numbers and returns the CPU a request in microseconds."""


def spend_in_a_dictionary(size: int) -> Spend:
    """Look up the event's path among all rules, and return only its location."""
    locations = {f"/{name}": f"{location}.html" for name, location in rules(size)}

    def spend(numbers: Sequence[int]) -> float:
        batch = [events.get(registered(number)) for number in numbers]
        started = time.process_time_ns()
        for event in batch:
            _ = {"statusCode": 303, "headers": {"Location": locations[event["path"]]}}
        return _microseconds(started, len(batch))

    return spend


def spend_in_system_calls(connection: socket) -> Spend:
    """Send a prepared `GetItem`, and receive the answer without parsing it."""

    def spend(numbers: Sequence[int]) -> float:
        batch = [_get_item(registered(number)) for number in numbers]
        started = time.process_time_ns()
        for request in batch:
            connection.sendall(request)
            connection.recv(_MOST_BYTES)
        return _microseconds(started, len(batch))

    return spend


def _microseconds(started: int, requests: int) -> float:
    return (time.process_time_ns() - started) / 1_000 / requests


def _get_item(name: str) -> bytes:
    key = {"identifier": {"S": name}, "version": {"S": "now"}}
    body = json.dumps({"TableName": REGISTRY, "Key": key})
    head = (
        f"POST / HTTP/1.1\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()
