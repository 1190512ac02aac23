"""Reads AGLDWG's register: persistent identifiers in Turtle, each with its rules for Apache httpd.

Source: github.com/AGLDWG/pid-register, `pids/resources` and `pids/validator-pid.ttl`. The rules are the text
of `schema:location`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ginuri.files.rdf.graphs import read_graph
from ginuri.migration.entries import EntryPlace
from ginuri.registry.texts.ntriples import Literal, Term

_PID = "https://linked.data.gov.au/def/pid/PID"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_SCHEMA = "https://schema.org/"
_STATUSES = {
    "submitted": "reserved",
    "notAccepted": "reserved",
    "reserved": "reserved",
    "invalid": "retired",
    "retired": "retired",
    "superseded": "superseded",
    "deprecated": "superseded",
}
_METADATA = {
    "dateCreated": "created",
    "dateIssued": "issued",
    "dateModified": "modified",
    "creator": "creator",
    "sponsor": "publisher",
}
"""The properties of schema.org, and those of Dublin Core that they become."""


@dataclass(frozen=True, slots=True)
class RegisteredPid:
    """A persistent identifier with its metadata and its rules."""

    place: EntryPlace
    """Its line is that of the first rule."""
    url: str
    title: str
    status: str
    """The name of its status, such as `stable`."""
    rules: str
    metadata: Mapping[str, str]

    def fields(self) -> dict[str, Any]:
        """Return the fields of its registration, beside those of its answer."""
        fields: dict[str, Any] = {"title": self.title} if self.title else {}
        if self.metadata:
            fields["properties"] = dict(self.metadata)
        status = _STATUSES.get(self.status, "")
        if not status:
            return fields
        return fields | {"status": status, "reason": f"AGLDWG: {self.status}"}


def read_pids(file: str, content: bytes) -> Iterator[RegisteredPid]:
    """Read the persistent identifiers of a file. Raises UnreadableFile."""
    lines = content.decode("utf-8-sig", "replace").splitlines()
    for properties in read_graph(".ttl", content).values():
        url = _text(properties, "url")
        if _PID not in properties.get(_TYPE, ()) or not url:
            continue
        rules = _text(properties, "location")
        first = rules.partition("\n")[0]
        line = next((number for number, text in enumerate(lines, 1) if first and first in text), 1)
        metadata = {
            name: text for key, name in _METADATA.items() if (text := _text(properties, key).rstrip("/"))
        }
        status = _text(properties, "status").rpartition("/")[2]
        place = EntryPlace(file, line, f"PID {url}")
        yield RegisteredPid(place, url, _text(properties, "name"), status, rules, metadata)


def _text(properties: Mapping[str, Collection[Term]], name: str) -> str:
    term = next(iter(properties.get(f"{_SCHEMA}{name}", ())), "")
    return term.text if isinstance(term, Literal) else str(term)
