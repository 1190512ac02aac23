"""The inventory of requests: which addresses were requested with which `Accept`, and how often."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import IO

from ginuri.migration.inventories.extended_logs import FIELDS, ExtendedReader
from ginuri.migration.inventories.json_logs import read_json_line
from ginuri.migration.inventories.logged_request import LineReader, LoggedRequest
from ginuri.migration.inventories.text_logs import read_plain_line

_GZIP = b"\x1f\x8b"
_READING = {"GET", "HEAD"}


@dataclass(frozen=True, slots=True, order=True)
class RequestKind:
    """Requests for one address with one header."""

    host: str
    target: str
    accept: str | None
    """None if it is unknown; empty if none was sent."""


@dataclass(slots=True)
class Inventory:
    """Requests counted by address and header."""

    default_host: str
    """The host of requests whose log does not have it."""
    counts: dict[RequestKind, float] = field(default_factory=dict)
    requests: float = 0
    other_methods: Counter[str] = field(default_factory=Counter)
    """The lines with methods that do not read, by method."""
    unread: int = 0
    """The lines without a request."""

    def add(self, request: LoggedRequest | None) -> None:
        """Count a request; None for a line without one."""
        if request is None:
            self.unread += 1
        elif request.method not in _READING:
            self.other_methods[request.method] += 1
        else:
            kind = RequestKind(request.host or self.default_host, request.target, request.accept)
            self.counts[kind] = self.counts.get(kind, 0) + request.count
            self.requests += request.count

    def addresses(self) -> Iterator[tuple[str, str, Sequence[tuple[str | None, float]]]]:
        """Yield host, target and the headers with their counts, the most requested address first."""
        kinds = sorted(self.counts, key=_by_address)
        grouped = [
            (*address, [(kind.accept, self.counts[kind]) for kind in same])
            for address, same in groupby(kinds, key=_address)
        ]
        # The order of addresses that are requested equally often is that of their characters.
        return iter(sorted(grouped, key=lambda each: -sum(count for _, count in each[2])))

    def lines(self) -> Iterator[str]:
        """Write the inventory as JSON lines, which `read_log` reads."""
        for host, target, headers in self.addresses():
            for accept, count in sorted(headers, key=lambda header: -header[1]):
                known = {} if accept is None else {"accept": accept}
                number = int(count) if count == int(count) else count
                place = {"host": host} if host else {}
                yield json.dumps({**place, "path": target, **known, "count": number}, ensure_ascii=False)


def read_log(file: Path, stated: LineReader | None) -> Iterator[LoggedRequest | None]:
    """Read the requests of a log, compressed or not, in a stated format or in that of its first line."""
    with file.open("rb") as opened:
        begin = opened.read(len(_GZIP))
        opened.seek(0)
        lines: IO[bytes] | gzip.GzipFile = gzip.GzipFile(fileobj=opened) if begin == _GZIP else opened
        yield from _read_lines(lines, stated)


def files_under(path: Path) -> Iterator[Path]:
    """Yield a file, or the files in a folder and those below it, by name."""
    if path.is_dir():
        yield from sorted(each for each in path.rglob("*") if each.is_file())
    else:
        yield path


def _read_lines(lines: Iterable[bytes], stated: LineReader | None) -> Iterator[LoggedRequest | None]:
    reader = stated
    for line in lines:
        if not line.strip():
            continue
        if reader is None:
            reader = _reader_for(line)
        request = reader(line)
        if request is not None or not line.startswith(b"#"):
            yield request


def _reader_for(line: bytes) -> LineReader:
    if line.startswith((b"#Version:", b"#Software:", b"#Date:", FIELDS)):
        return ExtendedReader()
    return read_json_line if line.lstrip().startswith(b"{") else read_plain_line


def _address(kind: RequestKind) -> tuple[str, str]:
    return kind.host, kind.target


def _by_address(kind: RequestKind) -> tuple[str, str, str]:
    return kind.host, kind.target, kind.accept or ""
