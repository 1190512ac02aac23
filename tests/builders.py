"""Builders of values that tests need as input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ginuri.identifiers import Identifier, parse
from ginuri.registry.model import Registered, Representation, Resource, StoredFile
from ginuri.registry.ports import Found, Registry
from ginuri.registry.record.history import apply_with_history
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.serialization import Path, key_of, read_statements, write_statements
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST, JsonValue, Key, Statements

MAP = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/"
"""The policy document's own example of a thing."""
PUT = "2011-08-25T17:29:{:02d}.000Z"


def stamp(second: int = 0, *, line: int = 1) -> Stamp:
    """Stamp a statement; a later second is a later upload."""
    return Stamp(PUT.format(second), "uri-gin/azgs/maps.jsonl", f"v{second}", line)


def key(*path: str) -> Key:
    """Make a key from its short form: `key("title", "de")`."""
    return key_of(path)


def keyed(values: Mapping[Path, Any]) -> Statements:
    """Make statements from values by the short form of their keys."""
    return read_statements(values.items())


def short(statements: Mapping[Key, JsonValue]) -> dict[Path, Any]:
    """Return statements by the short form of their keys."""
    return dict(write_statements(statements))


def stated(values: Mapping[str, Any]) -> Statements:
    """Write nested values as the statements of one registration; representations are a list."""
    statements: dict[Path, Any] = {}
    for name, value in values.items():
        if name == "representations":
            for number, each in enumerate(value):
                statements |= _representation(str(each.get("part", number)), number, each)
        elif isinstance(value, Mapping):
            statements |= {(name, key): inner for key, inner in value.items()}
        else:
            statements[name,] = value
    return keyed(statements)


def _representation(key: str, number: int, values: Mapping[str, Any]) -> dict[Path, Any]:
    place = ("representations", key)
    return {(*place, FIRST): number, **{(*place, name): value for name, value in values.items()}}


def forms_of(record: Record) -> dict[str, dict[str, Any]]:
    """Return the nested values of the forms in force, in order."""
    values: dict[str, Any] = record.values()
    forms: dict[str, dict[str, Any]] = values.get("representations", {})
    return forms


def changed(identifier: str, second: int = 0, *, before: Record | None = None, **values: Any) -> Change:
    """Apply one registration to a record, or to a new one."""
    return apply(before or Record(identifier, {}), stated(values), stamp(second))


def register(registry: Registry, identifier: str, second: int = 0, **values: Any) -> Change:
    """Register an identifier in a registry."""
    change = changed(identifier, second, before=registry.read([identifier]).get(identifier), **values)
    registry.write(change)
    return change


def deliver(
    registry: Registry, statements: Mapping[Key, JsonValue], at: Stamp, identifier: str = MAP
) -> None:
    """Apply statements like those of uploads, at their place in the history."""
    held = registry.read([identifier]).get(identifier, Record(identifier, {}))
    change = apply_with_history(held, statements, at, lambda: registry.history(identifier))
    if change.touches:
        registry.write(change)


def resource(identifier: str = MAP, **fields: Any) -> Resource:
    """Return a registered resource."""
    return Resource(identifier=identifier, modified=PUT.format(0), **fields)


def representation(media_type: str | None = None, **fields: Any) -> Representation:
    """Return a representation on another server, or one with a file."""
    if not fields.keys() & {"file", "identifier", "location"}:
        fields["location"] = f"https://data.azgs.example/{fields.get('part', media_type)}"
    return Representation(media_type=media_type, **fields)


def stored(key: str = "maps/image.pdf", length: int = 11) -> StoredFile:
    """Pin a stored file."""
    return StoredFile(key, "v1", length, "ab" * 32, PUT.format(0))


def find(identifier: str | Identifier, *records: Registered) -> Found:
    """Find an identifier among the given records."""
    wanted = identifier if isinstance(identifier, Identifier) else parse(identifier)
    return Found(wanted, {record.identifier: record for record in records})


def rest_event(
    path: str,
    method: str = "GET",
    headers: Mapping[str, str | Sequence[str]] | None = None,
    query: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the proxy event of a regional REST API, stage `live`, as a gateway without TLS would send it."""
    stated = {"X-Forwarded-Proto": "http", **(headers or {})}
    sent = {name: [value] if isinstance(value, str) else list(value) for name, value in stated.items()}
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": {name: values[-1] for name, values in sent.items()},
        "multiValueHeaders": sent,
        "queryStringParameters": dict(query) if query else None,
        "multiValueQueryStringParameters": {name: [each] for name, each in query.items()} if query else None,
        "pathParameters": {"proxy": path.strip("/")},  # only here, the final slash is lost
        "stageVariables": None,
        "requestContext": {
            "resourcePath": "/{proxy+}",
            "httpMethod": method,
            "path": f"/live{path}",
            "stage": "live",
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
            "protocol": "HTTP/1.1",
            "identity": {"sourceIp": "192.0.2.1"},
        },
        "body": None,
        "isBase64Encoded": False,
    }


_LINK = re.compile(r'<([^<>]*)>((?:; [a-z]+="(?:[^"\\]|\\.)*")*)(?:, |$)')
_PARAMETER = re.compile(r'; ([a-z]+)="((?:[^"\\]|\\.)*)"')


def read_links(header: str) -> list[dict[str, str]]:
    """Parse the links of a Link header, one for each relation; the target is called `href`."""
    return [
        {**value, "rel": relation} for value in read_link_values(header) for relation in value["rel"].split()
    ]


def read_link_values(header: str) -> list[dict[str, str]]:
    """Parse the values of a Link header by RFC 8288 §3; one may have several relations."""
    links, at = [], 0
    while at < len(header):
        found = _LINK.match(header, at)
        assert found is not None, f"no link at {at}: {header}"
        parameters = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _PARAMETER.findall(found[2])}
        links.append({"href": found[1], **parameters})
        at = found.end()
    return links
