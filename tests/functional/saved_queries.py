"""Runs the queries that the stack saves, over lines of a log: the part of Logs Insights that they use.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

Row = Mapping[str, Any]
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "in": lambda left, right: left in right,
    "=": lambda left, right: bool(left == right),
    ">=": lambda left, right: bool(left is not None and left >= right),
}


def run_query(text: str, lines: Sequence[str]) -> list[Row]:
    """Return the rows of a query, in the order of its sort. Raises ValueError for an unknown command."""
    rows: list[Row] = [
        {"@timestamp": place, "@message": line, **dict(_flatten(json.loads(line)))}
        for place, line in enumerate(lines)
    ]
    for command in text.strip().split("\n"):
        verb, _, stated = command.strip().removeprefix("|").strip().partition(" ")
        rows = _COMMANDS[verb](rows, stated.strip())
    return rows


def _flatten(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the fields of a line: those of an inner object after a dot."""
    for name, each in value.items():
        if isinstance(each, dict):
            yield from _flatten(each, f"{above}{name}.")
        else:
            yield f"{above}{name}", each


def _fields(rows: list[Row], stated: str) -> list[Row]:
    names = [name.strip() for name in stated.split(",")]
    return [{**row, "shown": {name: row.get(name) for name in names}} for row in rows]


def _filter(rows: list[Row], stated: str) -> list[Row]:
    conditions = [_read_condition(part) for part in stated.split(" or ")]
    return [row for row in rows if any(holds(row) for holds in conditions)]


def _read_condition(text: str) -> Callable[[Row], bool]:
    if present := re.fullmatch(r"ispresent\(([\w.]+)\)", text):
        return lambda row: row.get(present[1]) is not None
    field, sign, value = text.split(" ", 2)
    return lambda row: _COMPARED[sign](row.get(field), json.loads(value))


def _sort(rows: list[Row], stated: str) -> list[Row]:
    field, order = stated.split()
    return sorted(rows, key=lambda row: row[field], reverse=order == "desc")


def _limit(rows: list[Row], stated: str) -> list[Row]:
    return rows[: int(stated)]


def _stats(rows: list[Row], stated: str) -> list[Row]:
    summed, _, grouped = stated.partition(" by ")
    names = [name.strip() for name in grouped.split(",")]
    found = re.findall(r"(\w+)\(([^)]*)\) as (\w+)", summed)

    def place(row: Row) -> tuple[str, ...]:
        return tuple(str(row.get(name)) for name in names)

    return [
        {**dict(zip(names, key, strict=True)), **_sum(list(members), found)}
        for key, members in groupby(sorted(rows, key=place), place)
    ]


def _sum(rows: list[Row], functions: list[tuple[str, str, str]]) -> Row:
    sums = {}
    for function, arguments, name in functions:
        field, *percent = arguments.split(", ")
        values = sorted(row[field] for row in rows if field in row)
        match function:
            case "count":
                sums[name] = len(rows)
            case "max" | "latest":
                sums[name] = values[-1]
            case "pct":
                sums[name] = values[min(len(values) - 1, len(values) * int(percent[0]) // 100)]
            case _:
                raise ValueError(f"{function} is no supported function")
    return sums


_COMMANDS: Mapping[str, Callable[[list[Row], str], list[Row]]] = {
    "fields": _fields,
    "filter": _filter,
    "limit": _limit,
    "sort": _sort,
    "stats": _stats,
}
