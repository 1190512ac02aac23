"""A small registry under its own authority, with something for every row of docs/reference/answers.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROWS = "uri-gin/rows/"
MAP = f"{ROWS}map/M/"
LARGE = f"{ROWS}map/large/large.tif"
REPORT = f"{ROWS}doc/report"
NOTE = f"{ROWS}note/first"
OLD = f"{ROWS}old/"
ACT, CHART = f"{ROWS}doc/act", f"{ROWS}map/chart/"
STATUTE = f"{ROWS}note/statute"
FIRST, SECOND, NEXT = "1991-02-01", "1997-06-01", "2931-01-01"
ARK = "ark:12345/x7rows"
UNREGISTERED_SCHEME = "uri-rows/"
ELSEWHERE = "https://data.example.org/"
CONTACT = "rows@example.org"
PDF = b"%PDF-1.4\n" + b"% and what else belongs to it\n" * 8
LICENSE, AUTHOR = "https://example.org/licenses/by/", "https://example.org/people/smith/"
LARGER_THAN_AN_ANSWER = 4_600_000
"""In bytes."""

_Line = Mapping[str, Any]


def _elsewhere(part: str, media_type: str, **fields: Any) -> _Line:
    return {"part": part, "media_type": media_type, "location": f"{ELSEWHERE}{part}", **fields}


def _version(day: str, **fields: Any) -> _Line:
    return {"media_type": "text/html", "valid_from": day, **(fields or {"location": f"{ELSEWHERE}{day}"})}


_HOST: Sequence[_Line] = (
    {"record": "authority", "identifier": ROWS, "title": "Rows", "contact": CONTACT,
     "trusted_hosts": ["id.example.org"]},
    {"record": "authority", "identifier": "uri-gin/away/", "title": "Away", "answered_by": "id.away.example"},
    {"record": "authority", "identifier": f"{UNREGISTERED_SCHEME}example/", "title": "An authority"},
)  # fmt: skip
_RESOURCES: Sequence[_Line] = (
    {"record": "resource-type", "identifier": f"{ROWS}map/", "title": "Map"},
    {"record": "delegation", "identifier": f"{ROWS}lent/", "answered_by": "maps.example.org"},
    {"record": "resource-type", "identifier": f"{ROWS}note/", "title": "Note", "dereference": "content"},
    {"identifier": MAP, "title": "The map", "part_of": f"{ROWS}map/", "properties": {"type": "Dataset"},
     "links": [{"rel": "license", "href": LICENSE}, {"rel": "author", "href": AUTHOR}],
     "representations": [
         {"part": "map.pdf", "media_type": "application/pdf", "file": "map.pdf", "language": "en"},
         _elsewhere("map.ttl", "text/turtle", quality=0.5)]},
    {"identifier": f"{ROWS}map/many/", "title": "In many places", "representations": [
        _elsewhere(f"to{code}.txt", "text/plain", profile=f"https://example.org/{code}", status_code=code)
        for code in (301, 302, 303, 307, 308)] + [_elsewhere("to.zip", "application/zip")]},
    {"identifier": f"{ROWS}map/large/", "title": "A large map", "representations": [
        {"part": "large.tif", "media_type": "image/tiff", "file": "large.tif"}]},
    {"identifier": f"{ROWS}map/lost/", "title": "A map that is lost", "representations": [
        {"part": "lost.pdf", "media_type": "application/pdf", "file": "lost.pdf"}]},
    {"identifier": f"{ROWS}map/withheld/", "title": "The hidden map", "status": "withheld",
     "reason": "By order of a court."},
    *({"identifier": f"{ROWS}map/until{day}/", "title": "The next map", "status": "embargoed", "until": day,
       "reason": "The article is not out yet.", "location": f"{ELSEWHERE}next.pdf"} for day in (FIRST, NEXT)),
    {"identifier": f"{ROWS}map/gone/", "title": "The former map", "status": "retired", "reason": "Redrawn.",
     "successor": MAP},
    {"identifier": f"{ROWS}map/planned/", "title": "The map to come", "status": "reserved"},
    {"identifier": f"{ROWS}map/halved/", "title": "The halved map", "representations": [
        _elsewhere("a.pdf", "application/pdf"), _elsewhere("b.html", "text/html")]},
    {"identifier": f"{ROWS}person/Smith/", "title": "Smith"},
    {"identifier": REPORT, "title": "The report", "representations": [
        _elsewhere(".pdf", "application/pdf"), _elsewhere(".html", "text/html")]},
    {"identifier": f"{ROWS}doc/Twin", "title": "One", "location": f"{ELSEWHERE}one"},
    {"identifier": f"{ROWS}doc/Twin/", "title": "The other"},
    {"identifier": NOTE, "title": "A note", "representations": [
        {"part": ".en.html", "media_type": "text/html", "language": "en", "file": "note.html"},
        {"part": ".pdf", "media_type": "application/pdf", "file": "map.pdf"},
        {"part": ".zip", "media_type": "application/zip", "file": "note.zip"}]},
    {"identifier": ACT, "title": "An act", "representations": [
        _version(FIRST, file="note.html"), _version(SECOND), _version(NEXT)]},
    {"identifier": STATUTE, "title": "A statute", "properties": {"created": "1985-10-30"},
     "representations": [
         {"media_type": "text/html", "file": "note.html", "valid_from": FIRST}]},
    {"identifier": CHART, "title": "A chart", "representations": [_version(FIRST), _version(SECOND)]},
    {"record": "alias", "identifier": f"{ROWS}map/synonym", "title": "The same", "stands_for": MAP},
    {"record": "alias", "identifier": f"{ROWS}map/current", "title": "The latest", "stands_for": MAP,
     "status_code": 302},
    {"record": "alias", "identifier": f"{ROWS}map/either", "title": "Either", "stands_for": [MAP, REPORT]},
    {"record": "rule", "identifier": f"{ROWS}id/", "title": "Things",
     "document": f"http://id.example.org/{ROWS}info/{{+rest}}"},
    {"record": "rule", "identifier": f"{ROWS}info/", "title": "Documents",
     "document_of": f"http://id.example.org/{ROWS}id/{{+rest}}"},
    {"identifier": f"{ROWS}id/7", "title": "Seven", "representations": [
        _elsewhere(".pdf", "application/pdf"), _elsewhere(".html", "text/html")]},
    {"identifier": f"{ROWS}id/8", "title": "Eight"},
    {"record": "rule", "identifier": OLD, "title": "Old", "location": f"{ELSEWHERE}old/{{+rest}}"},
    {"record": "rule", "identifier": OLD, "title": "Numbers", "pattern": "{id}/",
     "location": f"{ELSEWHERE}named/{{id}}"},
    {"record": "rule", "identifier": OLD, "title": "Wells", "pattern": "HP_{id}/",
     "location": f"{ELSEWHERE}wells/{{id}}"},
    {"record": "rule", "identifier": f"{OLD}maps/", "title": "Maps", "location": f"{ELSEWHERE}maps/{{+rest}}",
     "pass_query": True},
    {"record": "rule", "identifier": f"{OLD}none/", "title": "No maps", "status_code": 404,
     "reason": "None were drawn."},
    {"record": "rule", "identifier": f"{OLD}drafts/", "title": "Drafts", "status_code": 410,
     "reason": "Withdrawn.", "successor": MAP},
    {"record": "rule", "identifier": f"{OLD}later/", "title": "Maps to come", "status": "reserved"},
)  # fmt: skip
_ARKS: Sequence[_Line] = tuple(
    {"identifier": f"{ARK}/{status}", "title": f"A {status} box", "status": status, "reason": "A test."}
    for status in ("retired", "withheld", "reserved")
)
_LATER: Sequence[_Line] = (
    {
        "identifier": f"{ROWS}map/halved/",
        "representations": [{"part": "a.pdf", "status": "retired"}],
    },
)
_FILES = {
    "map.pdf": PDF,
    "lost.pdf": PDF,
    "large.tif": b"\0" * LARGER_THAN_AN_ANSWER,
    "note.html": b"<!doctype html><title>A note</title><style>p { color: green }</style>" + b"<p>A note" * 20,
    "note.zip": b"PK\x05\x06" + b"\0" * 18,
}


def write_rows(folder: Path) -> None:
    """Write the registry as a folder that is laid out like the uploads bucket."""
    under = folder / ROWS
    under.mkdir(parents=True)
    (folder / "_host").mkdir()
    (folder / "ark:12345").mkdir()
    for path, lines in (
        (folder / "_host" / "rows.jsonl", _HOST),
        (under / "1.jsonl", _RESOURCES),
        (under / "2.jsonl", _LATER),
        (folder / "ark:12345" / "rows.jsonl", _ARKS),
    ):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for name, content in _FILES.items():
        (under / name).write_bytes(content)
