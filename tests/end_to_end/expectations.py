"""The documented answer for each identifier under a folder of registry files, derived from its rows alone.

A small oracle that shares no code with the tested library: no grammar, no negotiation, no decision.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Form = Mapping[str, Any]
_OF_FORM = (
    "part",
    "media_type",
    "language",
    "profile",
    "quality",
    "role",
    "location",
    "file",
    "status_code",
    "valid_from",
)
_STATUSES = {"reserved": 404, "retired": 410, "withheld": 451}
"""The effect of a status on any request."""
_DESCRIBED = {"scheme", "authority", "resource-type"}


@dataclass(frozen=True)
class Expected:
    """An answer: its status, its target, and its content."""

    status: int
    location: str | None = None
    content_location: str | None = None
    media_type: str | None = None
    body: bytes | None = None


NOT_REGISTERED = Expected(404)


@dataclass
class Row:
    """All statements of the files about one identifier."""

    said: dict[str, Any] = field(default_factory=dict)
    forms: list[Form] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)


class Examples:
    """A folder that is laid out like the uploads bucket."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.rows: dict[str, Row] = {}
        self.of_file: dict[str, list[str]] = {}
        for path in sorted(filter(self._is_known, folder.rglob("*"))):
            read = _json_lines if path.suffix == ".jsonl" else _table
            for number, given in read(path):
                self._take(path, number, given)

    def _is_known(self, path: Path) -> bool:
        # Names of other schemes, and of hosts, have their own tests.
        start = path.relative_to(self._folder).parts[0]
        is_of_gin = start == "uri-gin" or path.name in {"schemes.jsonl", "authorities.jsonl", "hosts.jsonl"}
        return is_of_gin and path.suffix in {".jsonl", ".csv"}

    def _take(self, path: Path, number: int, given: Mapping[str, Any]) -> None:
        name = re.sub(r"^https?://[^/]+/(?=.)", "", given["identifier"])
        row = self.rows.setdefault(name, Row())
        row.lines.append(number)
        row.titles |= {given["title"]} if isinstance(given.get("title"), str) else set()
        row.said |= {key: value for key, value in given.items() if key not in _OF_FORM or key == "location"}
        forms = given.get("representations") or [{key: given[key] for key in _OF_FORM if key in given}]
        row.forms += [dict(form, folder=path.parent) for form in forms if {"location", "file"} & form.keys()]
        named = self.of_file.setdefault(path.relative_to(self._folder).as_posix(), [])
        if name not in named:
            named.append(name)

    def names(self, file: str) -> Iterator[str]:
        """Return the identifiers of a file, and those of their parts."""
        for name in self.of_file[file]:
            yield name
            for form in self.rows[name].forms if not self._is_refused(name) else ():
                if "part" in form:
                    yield f"{name}{form['part']}"
                    yield f"{name}{form['part'].partition('.')[0]}"
            yield from (f"{name.removesuffix('/')}/{day}" for day in _days(self.rows[name]))

    def offered(self, name: str) -> Sequence[Form]:
        """Return the forms among which a registered thing or document is negotiated."""
        row = self.rows.get(name)
        is_told = row is None or row.said.get("record", "resource") != "resource" or row.said.get("status")
        return (
            () if row is None or is_told or _days(row) or _kind(name, row) == "representation" else row.forms
        )

    def expect(  # noqa: PLR0911  one answer a row of the table
        self, name: str, accept: str | None = None, language: str | None = None
    ) -> Expected:
        """Return the answer to a GET, with at most one preferred media type or language."""
        row = self.rows.get(name)
        if row is None:
            return self._in_namespace(name) or self._part(name)
        if self._is_refused(name):
            return NOT_REGISTERED
        if (status := row.said.get("status")) in _STATUSES:
            return Expected(_STATUSES[status])
        described = Expected(303, f"/about/{name}")
        if row.said.get("record") in _DESCRIBED or not row.forms:
            return described
        kind = _kind(name, row)
        if _days(row):
            current = f"{name}current" if kind == "thing" else f"{name}/{_in_force(row)}"
            return Expected(303 if kind == "thing" else 302, f"/{current}")
        chosen = self._choose(name, row.forms, accept, language)
        if chosen is None:
            return Expected(406)
        return self._lead(name, name, chosen, 303 if kind == "thing" else 302)

    def _is_refused(self, name: str) -> bool:
        return len(self.rows[name].titles) > 1

    def _part(self, name: str) -> Expected:
        for holder, row in self.rows.items():
            rest = name[len(holder) :]
            if name.startswith(holder) and row.said.get("status") == "withheld" and "/" not in rest:
                return Expected(451)
            if not name.startswith(holder) or row.said.get("status") in _STATUSES:
                continue
            day = [form for form in row.forms if form.get("valid_from") == rest.removeprefix("/")]
            if day:
                return self._lead(name, holder, self._choose(holder, day, None, None) or day[0], 302)
            exact = [form for form in row.forms if form.get("part") == rest]
            if exact and "." in rest:
                return _give(exact[0]) if "file" in exact[0] else _redirect(exact[0], 302)
            same = [form for form in row.forms if rest and form.get("part", "").partition(".")[0] == rest]
            if same:
                chosen = self._choose(holder, same, None, None)
                return self._lead(name, holder, chosen, 302) if chosen else Expected(406)
        return self._other_writing(name)

    def _in_namespace(self, name: str) -> Expected | None:
        """Return the answer of RFC 4452 for an unregistered name; None for a name of another scheme."""
        scheme, colon, rest = name.partition(":")
        if scheme != "info" or not colon:
            return None
        namespace, slash, given_out = rest.partition("/")
        row = self.rows.get(f"info:{namespace}/")
        if not namespace or not slash:
            return Expected(400)
        if row is None:
            return NOT_REGISTERED
        if row.said.get("case") == "upper" and given_out != given_out.upper():  # no example has escapes there
            return Expected(301, f"/info:{namespace}/{given_out.upper()}")
        return Expected(303, f"/about/{name}")

    def _other_writing(self, name: str) -> Expected:
        same = [each for each in self.rows if _loosely(each) == _loosely(name) and not self._is_refused(each)]
        if not same or name.endswith("//"):
            return NOT_REGISTERED
        return Expected(302, f"/{same[0]}") if len(same) == 1 else Expected(300)

    def _lead(self, name: str, holder: str, form: Form, status: int) -> Expected:
        address = f"/{holder}{form['part']}" if "part" in form else None
        is_content = status == 302 and self._inherited(holder, "dereference") == "content"
        if "file" in form and (address is None or is_content):
            return _give(form, address or f"/{name}")
        return Expected(status, address) if address else _redirect(form, status)

    def _choose(
        self, name: str, forms: Sequence[Form], accept: str | None, language: str | None
    ) -> Form | None:
        fit = [form for form in forms if accept in {None, form.get("media_type")}]
        spoken = [form for form in fit if language is not None and form.get("language") == language]
        for wanted in (spoken, *(self._in_role(name, fit, role) for role in ("default", "canonical"))):
            if wanted:
                return _best(wanted)
        return _best(fit) if fit else None

    def _in_role(self, name: str, forms: Sequence[Form], role: str) -> Sequence[Form]:
        own = [form for form in forms if role in form.get("role", ())]
        typical = self._inherited(name, f"{role}_media_type")
        return own or [form for form in forms if typical and form.get("media_type") == typical]

    def _inherited(self, name: str, key: str) -> Any:
        if key in self.rows[name].said:
            return self.rows[name].said[key]
        above = [each for each, row in self.rows.items() if name != each and name.startswith(each)]
        types = [each for each in above if self.rows[each].said.get("record") == "resource-type"]
        nearest = max(types, key=len, default=None)
        while nearest is not None:
            said = self.rows[nearest].said
            if key in said:
                return said[key]
            under = [each for each in types if each != nearest and nearest.startswith(each)]
            nearest = said.get("broader") or max(under, key=len, default=None)
        return None


def _json_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if text.strip():
            yield number, json.loads(text)


def _table(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        begins = reader.reader.line_num + 2
        for cells in reader:
            given: dict[str, Any] = {name: cell for name, cell in cells.items() if cell}
            if "quality" in given:
                given["quality"] = float(given["quality"])
            yield begins, given
            begins = reader.line_num + 1


def _kind(name: str, row: Row) -> str:
    syntax = (
        "thing"
        if name.endswith("/") or name.startswith("info:")
        else "representation"
        if "." in name.rpartition("/")[2]
        else "document"
    )
    return str(row.said.get("kind", syntax))


def _best(forms: Sequence[Form]) -> Form:
    return max(
        forms, key=lambda form: form.get("quality", 1.0)
    )  # max returns the first of several equal ones


def _redirect(form: Form, status: int) -> Expected:
    return Expected(status if status == 303 else form.get("status_code", status), form["location"])


def _give(form: Form, address: str | None = None) -> Expected:
    body = (form["folder"] / form["file"]).read_bytes()
    return Expected(200, None, address, form.get("media_type"), body)


def _days(row: Row) -> list[str]:
    return sorted({form["valid_from"] for form in row.forms if "valid_from" in form})


def _in_force(row: Row) -> str:
    return max(day for day in _days(row) if day <= datetime.now(UTC).date().isoformat())


def _loosely(name: str) -> str:
    return name.lower().rstrip("/")
