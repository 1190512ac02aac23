"""Converts geoconnex's tables of identifiers and targets to registrations.

Source: github.com/internetofwater/geoconnex.us, `namespaces/**/*.csv` with a `metadata.json` beside each, and
github.com/internetofwater/pids.geoconnex.us, `regex-in-urls/plugin.php`. An `id` with two slashes after the
host and a `$` at its end is a regular expression for the path, with `$1`, … in its target; other names come
first. Each table becomes a resource that its names are part of.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import PurePosixPath
from typing import Any

from ginuri.files.expressions.targets import write_rules
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import (
    ConvertedEntry,
    EntryPlace,
    Files,
    Obstacle,
    Outcome,
    RefusedEntry,
    Registration,
)
from ginuri.migration.faults import refuse_faulty
from ginuri.migration.json_members import decode_json, read_members
from ginuri.registry.locations import is_location
from ginuri.registry.rules.grammar import ALL_THE_REST

_COLUMNS = {"id", "target"}
_METADATA = "metadata.json"
_NAME = re.compile(r"https?://(?P<host>[^/]+)/(?P<mark>/?)(?P<path>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Row:
    place: EntryPlace
    host: str
    path: str
    is_expression: bool
    target: str

    @property
    def folder(self) -> str:
        """The folder that its names are in."""
        literal = re.split(r"[(\[\\*]", self.path, maxsplit=1)[0] if self.is_expression else self.path
        return literal.rpartition("/")[0]


def import_geoconnex(files: Files) -> Iterator[Outcome]:
    """Convert the rows of these tables. Raises UnreadableFile."""
    seen: dict[str, _Row] = {}
    for file, content in files.items():
        if PurePosixPath(file).name != _METADATA:
            rows = list(_read(file, content))
            table = _describe_table(rows, _metadata(files, file))
            for row in rows:
                outcome = _convert(row, table, seen)
                if table is not None and row is rows[0] and isinstance(outcome, ConvertedEntry):
                    outcome = replace(outcome, registrations=[table, *outcome.registrations])
                yield outcome


def _read(file: str, content: bytes) -> Iterator[_Row]:
    try:
        table = csv.DictReader(StringIO(content.decode("utf-8-sig"), newline=""))
    except UnicodeDecodeError as error:
        raise UnreadableFile("UTF-8", "", "The file is not UTF-8. Save it as UTF-8.") from error
    if not _COLUMNS.issubset(table.fieldnames or ()):
        raise UnreadableFile(
            "geoconnex",
            file,
            "{file} is not a table of geoconnex: it needs columns `id` and `target`.",
            file=file,
        )
    for row in table:
        name, target = (row["id"] or "").strip(), (row["target"] or "").strip()
        place = EntryPlace(file, table.line_num, f"id {name}")
        found = _NAME.fullmatch(name)
        path = found["path"] if found else name
        is_expression = found is not None and bool(found["mark"]) and path.endswith("$")
        yield _Row(place, found["host"] if found else "", path, is_expression, target)


def _metadata(files: Files, file: str) -> Mapping[str, Any]:
    name = str(PurePosixPath(file).with_name(_METADATA))
    if name not in files:
        return {}
    return {member.name: member.value for member in read_members(decode_json(files[name]))}


def _describe_table(rows: Sequence[_Row], metadata: Mapping[str, Any]) -> Registration | None:
    """Return the resource of a whole table, named after the folder of all its names; None without a name."""
    folders = {(row.host, row.folder) for row in rows}
    hosts = {host for host, _ in folders}
    title = metadata.get("dataset_description")
    if len(hosts) != 1 or not isinstance(title, str):
        return None
    folder = _common([path.split("/") for _, path in folders])
    if not folder or any(f"{path}/".startswith(f"{row.path}/") for row in rows for _, path in folders):
        return None
    line: dict[str, Any] = {
        "identifier": f"http://{hosts.pop()}/{folder}",
        "kind": "thing",
        "title": title,
    }
    if isinstance(contact := metadata.get("contact_email"), str):
        line["contact"] = f"mailto:{contact}"
    if is_location(documentation := str(metadata.get("dataset_documentation_link"))):
        line["links"] = [{"rel": "describedby", "href": documentation}]
    return line


def _common(paths: Sequence[Sequence[str]]) -> str:
    shared = []
    for segments in zip(*paths, strict=False):
        if len(set(segments)) > 1:
            break
        shared.append(segments[0])
    return "/".join(shared)


def _convert(row: _Row, table: Registration | None, seen: dict[str, _Row]) -> Outcome:
    lines = refuse_faulty(_rules(row) if row.is_expression else [_name(row, table)])
    if isinstance(lines, Message):
        return RefusedEntry(row.place, lines)
    other = seen.setdefault(f"//{row.host}/{row.path}", row)
    return ConvertedEntry(row.place, lines) if other is row else _repeated(row, other)


def _repeated(row: _Row, other: _Row) -> Outcome:
    where = other.place.describe()
    if row.target == other.target:
        return ConvertedEntry(row.place, [], [message("{entry} has the same name and target.", entry=where)])
    return RefusedEntry(
        row.place,
        message("{entry} has the same name and another target.", entry=where),
        Obstacle(other.place, message("Keep one of the two.")),
    )


def _name(row: _Row, table: Registration | None) -> Registration:
    line = {"identifier": f"http://{row.host}/{row.path}", "location": row.target}
    return line if table is None else {**line, "part_of": table["identifier"]}


def _rules(row: _Row) -> list[Registration] | Message:
    found = write_rules(f"^{row.path}", row.target)
    if isinstance(found, Message):
        return found
    lines: list[Registration] = []
    for rule in found.rules:
        line = {"identifier": f"http://{row.host}/{rule.prefix}", "location": rule.location}
        if rule.is_name:
            lines.append({**line, "identifier": f"{line['identifier']}{rule.pattern}"})
            continue
        pattern = {} if rule.pattern == ALL_THE_REST else {"pattern": rule.pattern}
        lines.append({"record": "rule", **line, **pattern})
    return lines
