"""Converts N2T's registry of name assigning authority numbers (NAANs) and shoulders to rules for ARKs.

Source: github.com/CDLUC3/naan_reg_public, `naan_records.json` and `magic/*.json`; github.com/CDLUC3/resolver,
`split_identifier_string`, says what the variables of a target are. An ARK belongs to the longest shoulder of
its NAAN that its name starts with, else to the NAAN. The query of a request is passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Template
from typing import Any

from ginuri.identifiers import parse, read_identifier
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import (
    ConvertedEntry,
    EntryPlace,
    Files,
    Outcome,
    RefusedEntry,
    Registration,
    reject_location,
)
from ginuri.migration.json_members import JsonMember, decode_json, read_members, text_at
from ginuri.registry.locations import is_location
from ginuri.registry.rules.grammar import ALL_THE_REST

_TYPES = {"PublicNAAN", "PublicNAANShoulder"}
_UNKNOWN = ":unkn"
_DAY = re.compile(r"(?!1970-01-01)\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A NAAN or a shoulder: the fields that are imported."""

    place: EntryPlace
    naan: str
    shoulder: str
    target: str
    status_code: int
    example: str
    value: Any

    @property
    def namespace(self) -> str:
        return f"ark:{self.naan}/"

    def text(self, *names: str) -> str:
        return text_at(self.value, *names)


def import_n2t(files: Files) -> Iterator[Outcome]:
    """Convert the NAANs and shoulders of these files. Raises UnreadableFile."""
    for file, content in files.items():
        for member in _records(file, decode_json(content)):
            yield _convert(_read(file, member))


def _records(file: str, text: str) -> Iterator[JsonMember]:
    """Read the records of a whole registry, or the only one of a file in `magic`."""
    members = {member.name: member for member in read_members(text)}
    if "data" in members:
        yield from read_members(text, members["data"].start)
    elif {"what", "target"} <= members.keys():
        yield JsonMember("", {name: member.value for name, member in members.items()}, 0, 1)
    else:
        raise UnreadableFile("N2T", file, "{file} is not a registry of N2T: `data` is missing.", file=file)


def _read(file: str, member: JsonMember) -> _Entry:
    what = text_at(member.value, "what")
    naan, _, shoulder = what.partition("/")
    kind = text_at(member.value, "rtype")
    name = f"{'shoulder' if shoulder else 'NAAN'} {what}" if kind in _TYPES else f"{kind} {what}"
    return _Entry(
        EntryPlace(file, member.line, name),
        naan,
        shoulder,
        text_at(member.value, "target", "url"),
        int(text_at(member.value, "target", "http_code") or 302),
        text_at(member.value, "test_identifier"),
        member.value,
    )


def _convert(entry: _Entry) -> Outcome:
    rule = _rule(entry)
    if isinstance(rule, Message):
        return RefusedEntry(entry.place, rule)
    return ConvertedEntry(entry.place, [rule] if entry.shoulder else [_namespace(entry), rule])


def _rule(entry: _Entry) -> Registration | Message:
    try:
        parse(f"{entry.namespace}{entry.shoulder}")
    except MalformedIdentifier as error:
        return error.words
    location = Template(entry.target).safe_substitute(_variables(entry))
    if "$" in location:
        return message("The location has variables that N2T does not have: {url}", url=repr(entry.target))
    if not is_location(location.replace(ALL_THE_REST, "x")):
        return reject_location(entry.target)
    name = entry.text("who", "name")
    rule: dict[str, Any] = {
        "record": "rule",
        "identifier": entry.namespace,
        "title": name,
        "location": location,
        "status_code": entry.status_code,
        "kind": "document",  # a thing would always be answered with 303
        "pass_query": True,
    }
    if entry.shoulder:
        rule["pattern"] = f"{entry.shoulder}[{ALL_THE_REST}]"
    if tests := list(_tests(entry, location)):
        rule["tests"] = tests
    return rule


def _tests(entry: _Entry, location: str) -> Iterator[Mapping[str, Any]]:
    name = read_identifier(entry.example)
    if name is not None and name.normal_form.startswith(f"{entry.namespace}{entry.shoulder}"):
        path = name.normal_form.removeprefix(entry.namespace)
        target = location.replace(ALL_THE_REST, path.removeprefix(entry.shoulder))
        yield {"path": path, "status": entry.status_code, "target": target}


def _variables(entry: _Entry) -> Mapping[str, str]:
    value = f"{entry.shoulder}{ALL_THE_REST}"
    content = f"{entry.naan}/{value}"
    return {
        "pid": f"ark:{content}",
        "scheme": "ark",
        "content": content,
        "prefix": entry.naan,
        "value": value,
        "suffix": ALL_THE_REST,
    }


def _namespace(entry: _Entry) -> Registration:
    name, where = entry.text("who", "name"), entry.text("where")
    line: dict[str, Any] = {
        "record": "namespace",
        "identifier": entry.namespace,
        "title": name,
        "registrant": name,
    }
    if is_location(where):
        line["homepage"] = where
    if is_location(explained := entry.text("na_policy", "policy_url")):
        line["documentation"] = [{"href": explained}]
    policy = entry.text("na_policy", "policy")
    if policy and _UNKNOWN not in policy:
        line["description"] = f"Policy: {policy}"
    if properties := _properties(entry):
        line["properties"] = properties
    return line


def _properties(entry: _Entry) -> Mapping[str, str | list[str]]:
    names = dict.fromkeys(entry.text("who", field) for field in ("name_native", "acronym"))
    properties: dict[str, str | list[str]] = {}
    if given := [name for name in names if name and name != entry.text("who", "name")]:
        properties["alternative"] = given
    if day := _DAY.match(entry.text("when")):
        properties["created"] = day[0]
    return properties
