"""Logs of JSON lines: Caddy's, CloudFront's, formats of nginx and Apache httpd, and inventories."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ginuri.migration.inventories.extended_logs import read_extended
from ginuri.migration.inventories.logged_request import LoggedRequest, make_request, read_request_line

_TARGETS = ("request_uri", "requesturi", "uri", "path", "url", "request")
_HOSTS = ("host", "http_host", "server_name")
_ACCEPTS = ("accept", "http_accept")
_METHODS = ("method", "request_method")


def read_json_line(line: bytes) -> LoggedRequest | None:
    """Read a line; None without a request."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    if "cs-uri-stem" in values:
        return read_extended({name: str(value) for name, value in values.items()}, is_escaped=True)
    return _read(dict(_members(values)))


def _members(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the members by name in lower case; those of Caddy's `request` as well."""
    for name, value in values.items():
        if name == "request" and isinstance(value, dict):
            yield from _members(value)
        elif name == "headers" and isinstance(value, dict):
            sent = next((value[header] for header in value if header.lower() == "accept"), "")
            yield "accept", sent
        else:
            yield name.lower(), value


def _read(values: Mapping[str, Any]) -> LoggedRequest | None:
    target = _first(values, _TARGETS)
    if target is None:
        return None
    method = _first(values, _METHODS) or "GET"
    read = read_request_line(target)
    if read is not None:
        method, target = read
    query = _first(values, ("query",))
    if query and "?" not in target:
        target += f"?{query.removeprefix('?')}"
    count = values.get("count", 1)
    return make_request(
        target,
        host=_first(values, _HOSTS),
        accept=_first(values, _ACCEPTS),
        method=method,
        count=count if isinstance(count, int | float) and count > 0 else 1,
    )


def _first(values: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    value = next((values[name] for name in names if values.get(name) is not None), None)
    if isinstance(value, list):  # several headers of a name, RFC 9110 §5.3
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else None
