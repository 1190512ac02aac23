"""The tables of docs/explanation/performance-one-machine.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from infra.bench.one_machine.busy import Busy
from infra.bench.one_machine.hits import CLOSED, KEPT, Hits
from infra.bench.one_machine.paced import Latency
from infra.bench.table import write_rows

_NONE = "-"
_HEADINGS = {KEPT: "Kept connections", CLOSED: "A connection for each request"}


@dataclass(frozen=True, slots=True)
class Watched:
    """One registry folder and its server."""

    ready: float
    """Seconds."""
    folder: float
    """MiB."""
    memory: Sequence[float]
    """MiB of each process at rest."""
    busy: Busy | None
    memory_after: Sequence[float]
    """The same after the upload."""


def write_hits(hits: Mapping[int, Mapping[str, Hits]]) -> str:
    """Write a table of CPU for each kind of connection, with a row for each server."""
    names = list(dict.fromkeys(name for by_name in hits.values() for name in by_name))
    tables = []
    for kind, heading in _HEADINGS.items():
        columns = [column for size in hits for column in (f"{size:,}", "range", "ratio")]
        rows = [
            (name, *(cell for by_name in hits.values() for cell in _cells(by_name.get(name), kind)))
            for name in names
        ]
        tables.append(f"{heading}:\n\n{write_rows([('', *columns), *rows])}")
    return "\n\n".join([*tables, f"Memory:\n\n{_write_memory(hits, names)}"])


def _cells(hits: Hits | None, kind: str) -> tuple[str, str, str]:
    if hits is None:
        return _NONE, _NONE, _NONE
    spent = hits.spent[kind]
    return f"{spent.cpu:.0f} µs", f"{spent.least:.0f}-{spent.most:.0f}", f"{spent.ratio:.2f}"


def _write_memory(hits: Mapping[int, Mapping[str, Hits]], names: Sequence[str]) -> str:
    rows = [
        (
            name,
            *(_mebibytes([by_name[name].memory]) if name in by_name else _NONE for by_name in hits.values()),
        )
        for name in names
    ]
    return write_rows([("", *(f"{size:,}" for size in hits)), *rows])


def write_watched(watched: Mapping[int, Watched]) -> str:
    """Write a table with a column for each number of identifiers."""
    columns = watched.values()
    rows = [
        ("", *(f"{size:,}" for size in watched)),
        ("ready", *(f"{each.ready:.2f} s" for each in columns)),
        ("the folder", *(_mebibytes([each.folder]) for each in columns)),
        ("memory at rest", *(_mebibytes(each.memory) for each in columns)),
        ("redirects at rest", *(_busy(each, lambda busy: _latency(busy.rest)) for each in columns)),
        (
            "redirects during the upload",
            *(_busy(each, lambda busy: _latency(busy.during)) for each in columns),
        ),
        ("rows of the upload", *(_busy(each, _speed) for each in columns)),
        ("memory after the upload", *(_mebibytes(each.memory_after) for each in columns)),
    ]
    return write_rows(rows)


def _busy(watched: Watched, write: Callable[[Busy], str]) -> str:
    return _NONE if watched.busy is None else write(watched.busy)


def _latency(latency: Latency) -> str:
    return f"median {latency.median:.1f} ms, p99 {latency.p99:.1f} ms, most {latency.most:.0f} ms"


def _speed(busy: Busy) -> str:
    return f"{busy.rows:,}: {busy.rows / busy.seconds:,.0f} a second, {busy.cpu:.0f} µs CPU each"


def _mebibytes(parts: Sequence[float]) -> str:
    return f"{' + '.join(f'{part:.0f}' for part in parts)} MiB"
