"""A history as JSON objects, one for each statement, as `ginuri export --history` and the API write it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from ginuri.registry.record.history import History, Statement
from ginuri.registry.record.serialization import key_of, path_of
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import JsonValue


class WrittenStatement(TypedDict):
    """A statement and its stamp as JSON."""

    put: str
    upload: str
    version: str
    line: int
    field: Sequence[str]
    value: JsonValue


def write_statement(statement: Statement) -> WrittenStatement:
    """Write a statement and its stamp."""
    stamp = statement.stamp
    return {
        "put": stamp.put,
        "upload": stamp.upload,
        "version": stamp.version,
        "line": stamp.line,
        "field": path_of(statement.key),
        "value": statement.value,
    }


def write_history(history: History) -> list[WrittenStatement]:
    """Write all statements of a history."""
    return list(map(write_statement, history.statements))


def read_history(identifier: str, statements: Iterable[WrittenStatement]) -> History:
    """Read what `write_history` wrote."""
    return History(identifier, tuple(map(_read_statement, statements)))


def _read_statement(written: WrittenStatement) -> Statement:
    stamp = Stamp(written["put"], written["upload"], written["version"], written["line"])
    return Statement(key_of(written["field"]), written["value"], stamp)
