"""Draws files as stewards and attackers upload them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from ginuri.files.options import UploadOptions, write_options
from infra.attack.drawn.workbooks import write_workbook, write_zip
from infra.attack.targets.hostile_registry import CONTROLS, FOLDER, MARK
from infra.attack.targets.stores import write_lines

_WELLS = f"{FOLDER}doc/"
_CELLS = (
    *("", " ", "n/a", "#REF!", "=1+1", "\u200b", "\ufeff", "TBD", MARK, "x" * 5000, "1e400", "\t"),
    *(
        "www.example.org/1",
        "https://example.org/map 1",
        "htp://example.org/",
        "javascript:x7k()",
        "C:\\a.pdf",
    ),
    *("http://a..b/", "http://a.example:99999/", "http://-a.example/", "http://999.1.1.1/", "http://[::g]/"),
    *(
        "2011.08.25",
        "soon",
        "en_US",
        "English",
        "retird",
        "application\\pdf",
        "180 0 -170 10",
        "POINT Z (1 2 3)",
    ),
)
_HEADING = ("identifier", "title", "location", "language", "status", "valid_from", "spatial", "links.license")
_TEXTS = (
    CONTROLS,
    "a\x1b]0;owned\x07b",
    "\x9b31m",
    "e\u0301",
    "\u202eabc",
    "\u2066abc",
    "a\ud800b",
    "\uffff",
)
_BOMB_BYTES = 40 * 1024 * 1024
ROWS, FAULTY_ROWS = 30, 400

Rows = list[list[str]]


@dataclass(frozen=True)
class HostileFile:
    """A file, and its expected result."""

    name: str
    body: bytes
    names: Mapping[str, str] = field(default_factory=dict)
    """The identifiers in it, each with a word that may represent it in the report, such as its sheet."""
    rows: int = 0
    looks_like_registrations: bool = False
    is_bomb: bool = False
    is_legal: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return its name and the beginning of its content."""
        return f"{self.name} ({len(self.body):,} bytes) {self.body[:200]!r}"


def draw_files(chance: Random) -> Iterator[HostileFile]:
    """Draw a file of each sort."""
    for draw in SORTS:
        yield draw(chance)


def _table_rows(chance: Random, start: int, number: int) -> Rows:
    rows = []
    for place in range(start, start + number):
        row = [f"{_WELLS}w{place}/", f"Well {place}", f"https://a.example/{place}", "", "", "", "", ""]
        if chance.random() < 0.4:  # noqa: PLR2004  the others are in order
            row[chance.randrange(1, len(row))] = chance.choice(_CELLS)
        rows.append(row)
    return rows


def _csv(chance: Random) -> HostileFile:
    rows = _table_rows(chance, 0, ROWS)
    separator = chance.choice((",", ";", "\t"))
    lines = [separator.join(_HEADING)]
    lines += [separator.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    text = chance.choice(("\r\n", "\n")).join(lines)
    body = text.encode(chance.choice(("utf-8", "utf-8-sig", "utf-16")), "replace")
    packed = chance.random() < 0.3  # noqa: PLR2004  some are packed
    name = "table.csv.gz" if packed else "table.csv"
    return HostileFile(name, gzip.compress(body) if packed else body, _same(row[0] for row in rows), ROWS)


def _workbook(chance: Random) -> HostileFile:
    first, second = _table_rows(chance, 0, 5), _table_rows(chance, 5, 5)
    notes = [["Notes", ""], ["Ask Jane", "2011"]]
    named = {row[0]: "Wells of 2011" for row in first} | {row[0]: "Wells of 2012" for row in second}
    sheets = [
        ("Wells of 2011", [[*_HEADING], *first]),
        ("Wells of 2012", [[*_HEADING], *second]),
        ("Notes", notes),
    ]
    chance.shuffle(sheets)
    body = write_workbook(dict(sheets))
    return HostileFile("two-sheets.xlsx", body, named)


def _array(chance: Random) -> HostileFile:
    lines = [{"identifier": f"{_WELLS}a{number}/", "title": "Well"} for number in range(3)]
    feature = [
        {"type": "Feature", "geometry": None, "properties": {key: line[key] for key in line}}
        for line in lines
    ]
    collection = {"type": "FeatureCollection", "features": feature}
    table = "\n".join(f"{line['identifier']},Well" for line in lines)
    name, body = chance.choice(
        (
            ("wells.json", json.dumps(lines).encode()),
            ("wells.geojson", json.dumps(collection).encode()),
            ("wells.zip", write_zip({"wells.csv": f"identifier,title\n{table}\n"})),
        )
    )
    return HostileFile(name, body, looks_like_registrations=True)


def _texts(chance: Random) -> HostileFile:
    lines = [
        {"identifier": f"{_WELLS}t{number}/", "title": f"a{text}b", "description": text}
        for number, text in enumerate(chance.sample(_TEXTS, 4))
    ]
    return _json_lines("texts.jsonl", lines)


def _places(chance: Random) -> HostileFile:
    west, south = chance.choice((180, 170.5, -180, 0)), chance.randrange(-90, 80)
    east, north = chance.choice((-170, 180, -179.5, 10)), south + chance.choice((0, 5))
    ring = [[170, 0], [-170, 0], [-170, 10], [170, 10], [170, 0]]
    places = (
        [west, south, east, north],
        {"type": "Polygon", "coordinates": [ring]},
        {"type": "Polygon", "coordinates": [ring[::-1]]},
        {"type": "LineString", "coordinates": [[179, 0], [-179, 1]]},
    )
    lines = [
        {"identifier": f"{_WELLS}p{n}/", "title": "P", "spatial": place} for n, place in enumerate(places)
    ]
    return _json_lines("places.jsonl", lines)


def _heights(chance: Random) -> HostileFile:
    """Draw points as devices record them."""
    height = chance.randrange(4000)
    places = ({"type": "Point", "coordinates": [-110.3, 31.5, height]}, f"POINT Z (-110.3 31.5 {height})")
    lines = [
        {"identifier": f"{_WELLS}h{n}/", "title": "H", "spatial": place} for n, place in enumerate(places)
    ]
    return replace(_json_lines("heights.jsonl", lines), is_legal=True)


def _circles(chance: Random) -> HostileFile:
    length = chance.randrange(1, 4)
    around = [f"{_WELLS}c{number}/" for number in range(length)]
    lines: list[dict[str, Any]] = [
        {"identifier": name, "title": "C", "status": "superseded", "successor": around[(place + 1) % length]}
        for place, name in enumerate(around)
    ]
    chance.shuffle(lines)
    lines.append({"record": "alias", "identifier": f"{_WELLS}l", "stands_for": f"{_WELLS}m"})
    lines.append({"record": "alias", "identifier": f"{_WELLS}m", "stands_for": f"{_WELLS}l"})
    return _json_lines("circles.jsonl", lines)


def _deep(chance: Random) -> HostileFile:
    depth = chance.choice((100, 5_000, 200_000))
    nested = "[" * depth + "]" * depth
    good = json.dumps({"identifier": f"{_WELLS}d/", "title": "D"})
    bad = f'{{"identifier": "{_WELLS}e/", "title": {chance.choice((nested, "1e400", "NaN", "9" * 5000))}}}'
    return HostileFile("deep.jsonl", f"{good}\n{bad}\n".encode(), _same([f"{_WELLS}d/"]), 2)


def _bomb(chance: Random) -> HostileFile:
    zeros = "0" * _BOMB_BYTES
    heading = [["identifier", "title"], [f"{_WELLS}b/", "B"]]
    entities = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
    laughs = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "x">{entities}]><x>&a9;</x>'
    name, body = chance.choice(
        (
            (
                "bomb.xlsx",
                write_workbook({"A": heading}, {"xl/worksheets/sheet0.xml": f"<worksheet>{zeros}"}),
            ),
            ("bomb.xlsx", write_workbook({"A": heading}, {"xl/sharedStrings.xml": f"<sst>{zeros}"})),
            ("bomb.ods", write_zip({"content.xml": f"<office>{zeros}"})),
            ("bomb.csv.gz", gzip.compress(f"identifier,title\n{_WELLS}b/,{zeros}".encode())),
            ("laughs.rdf", laughs.encode()),
            ("laughs.xlsx", write_workbook({"A": heading}, {"xl/workbook.xml": laughs})),
            ("bomb.zip", write_zip({"a.csv": f"identifier,title\n{_WELLS}b/,{zeros}"})),
        )
    )
    return HostileFile(name, body, is_bomb=True)


def _faulty(chance: Random) -> HostileFile:
    form = {"location": "htp://a.example/", "media_type": "aplication", "language": "English please"}
    forms = [{"part": f"{part}.pdf", "valid_from": "soon", **form} for part in range(chance.randrange(4, 6))]
    lines = [
        {"identifier": f"{_WELLS}f{n}/", "title": "F", "representations": forms} for n in range(FAULTY_ROWS)
    ]
    return HostileFile("faulty.jsonl", write_lines(lines), rows=FAULTY_ROWS)


def _snapshot(chance: Random) -> HostileFile:
    lines = [{"identifier": f"{_WELLS}s{chance.randrange(9)}/", "title": "S"}]
    options = write_options(UploadOptions(snapshot=_WELLS, is_many=True))
    return HostileFile("snapshot.jsonl", write_lines(lines), metadata=options)


def _concepts(chance: Random) -> HostileFile:
    number = chance.randrange(1000)
    body = (
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        f'<http://ids.example.org/{_WELLS}concept{number}> a skos:Concept ; skos:prefLabel "One"@en .\n'
    )
    return HostileFile("concepts.ttl", body.encode())


def _json_lines(name: str, lines: list[dict[str, Any]]) -> HostileFile:
    return HostileFile(name, write_lines(lines), _same(line["identifier"] for line in lines), len(lines))


def _same(names: Iterable[str]) -> Mapping[str, str]:
    return {name: name for name in names}


SORTS: tuple[Callable[[Random], HostileFile], ...] = (
    *(_csv, _workbook, _array, _texts, _places, _heights, _circles, _deep, _bomb, _faulty),
    *(_concepts, _snapshot),
)
"""The sorts of files; the snapshot is last, because it retires the registrations of the others."""
