"""Converts the fixtures of usgin/uriredirect, Django's dump of its tables, to registrations.

Source: github.com/usgin/uriredirect, models/ and views/Resolver.py. A rewrite rule is a regular expression
for the rest of the path after `/<register>/`, matched from its start; its accept mappings are negotiated and
answered with 303. A register on another host is answered with 301.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginuri.files.tables.expressions import read_expression
from ginuri.identifiers import parse
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
from ginuri.migration.marked import LocatedValue, read_located
from ginuri.migration.order import Claim, claim, overlaps
from ginuri.registration.verdicts import Finding
from ginuri.registry.locations import is_location
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

_MODEL = "uriredirect."
_PLAIN = re.compile(r"(?:[^\\\[\](){}*+?|^$]|\\[./-])*")
_REFERENCE = re.compile(r"\$[1-9]")
_PIECE = re.compile(r"\{[^{}]*\}")
# urls.py: an ending of this form selects the mapping of its media type.
_ENDING = re.compile(r"\.[A-Za-z]{3,4}")


@dataclass(frozen=True, slots=True)
class _Row:
    file: str
    line: int
    key: str
    fields: Mapping[str, str]

    def place(self, name: str) -> EntryPlace:
        return EntryPlace(self.file, self.line, name)


@dataclass(frozen=True, slots=True)
class _Mapping:
    media_type: str
    ending: str
    location: str


def import_uriredirect(files: Files, host: str = "") -> Iterator[Outcome]:
    """Convert the rewrite rules, and the registers on other hosts. Raises UnreadableFile.

    A register whose label is not a scheme `uri-…` is bound to the host.
    """
    tables = _read(files)
    registers = {row.key: row for row in tables.get("uriregister", ())}
    for row in registers.values():
        if row.fields.get("can_be_resolved") == "false":
            yield _elsewhere(row, host)
    rules = tables.get("rewriterule", ())
    uses = Counter((row.fields.get("register"), row.fields.get("pattern")) for row in rules)
    earlier: list[tuple[Claim, Message]] = []
    for row in rules:
        place = row.place(f"rewriterule {row.fields.get('label', '')}")
        register = registers.get(row.fields.get("register", ""))
        lines = _rule(row, register, _mappings(row, tables), host)
        if uses[row.fields.get("register"), row.fields.get("pattern")] > 1:
            lines = message("Several rules have this pattern, which uriredirect answered with status 500.")
        yield RefusedEntry(place, lines) if isinstance(lines, Message) else _accept(place, lines, earlier)


def _read(files: Files) -> Mapping[str, Sequence[_Row]]:
    tables: dict[str, list[_Row]] = {}
    for file, content in files.items():
        for item in read_located(content).items:
            model = _text(item, "model")
            if not model.startswith(_MODEL):
                raise UnreadableFile(
                    "uriredirect",
                    model,
                    "{file}, line {line}: {model} is not a row of uriredirect.",
                    file=file,
                    line=str(item.line),
                    model=repr(model),
                )
            fields = item.fields["fields"].fields if "fields" in item.fields else {}
            texts = {name: (value.text or "").strip() for name, value in fields.items()}
            row = _Row(file, item.line, _text(item, "pk"), texts)
            tables.setdefault(model.removeprefix(_MODEL), []).append(row)
    return tables


def _text(row: LocatedValue, name: str) -> str:
    return (row.fields[name].text or "") if name in row.fields else ""


def _mappings(rule: _Row, tables: Mapping[str, Sequence[_Row]]) -> Sequence[_Mapping]:
    types = {row.key: row.fields for row in tables.get("mediatype", ())}
    return [
        _Mapping(
            types.get(row.fields.get("media_type", ""), {}).get("mime_type", ""),
            types.get(row.fields.get("media_type", ""), {}).get("file_extension", ""),
            row.fields.get("redirect_to", ""),
        )
        for row in tables.get("acceptmapping", ())
        if row.fields.get("rewrite_rule") == rule.key
    ]


def _base(label: str, host: str) -> str | None:
    if label.startswith("uri-"):
        return f"{label}/"
    return f"http://{host}/{label}/" if host else None


def _elsewhere(row: _Row, host: str) -> Outcome:
    label, url = row.fields.get("label", ""), row.fields.get("url", "")
    place, base = row.place(f"uriregister {label}"), _base(label, host)
    if base is None:
        return RefusedEntry(place, _without_host())
    if not base.startswith("http"):
        return RefusedEntry(
            place,
            message(
                "Register the scheme {scheme} with `answered_by`, the host of {url}.", scheme=base, url=url
            ),
        )
    location = f"{url.rstrip('/')}/{ALL_THE_REST}"
    line = {"record": "rule", "identifier": base, "title": label, "location": location, "status_code": 301}
    fault = _find_fault([line])
    return RefusedEntry(place, fault) if fault else ConvertedEntry(place, [line])


def _rule(
    row: _Row, register: _Row | None, mappings: Sequence[_Mapping], host: str
) -> Sequence[Registration] | Message:
    base = None if register is None else _base(register.fields.get("label", ""), host)
    if register is None or register.fields.get("can_be_resolved") == "false":
        return message("The register of the rule is missing, or is on another host.")
    if base is None:
        return _without_host()
    if not mappings:
        return message("The rule has no accept mapping, which uriredirect answered with status 406.")
    media_types = {mapping.media_type for mapping in mappings}
    if len(media_types) < len(mappings) or "" in media_types:
        return message(
            "Two accept mappings of the rule have the same media type, or one has none, which uriredirect "
            "answered with status 500."
        )
    written = row.fields.get("pattern", "").removeprefix("^")
    common = {"title": row.fields.get("label", "")}
    if row.fields.get("description"):
        common["description"] = row.fields["description"]
    lines = []
    for expression in [written.removesuffix("$")] + ([] if written.endswith("$") else [f"{written}(.*)"]):
        rules = _expressed(f"{base}{expression}", mappings)
        if isinstance(rules, Message):
            return rules
        lines += [{**rule, **common} for rule in rules]
        if expression.endswith(("(.*)", "(.+)")):
            break
    return _find_fault(lines) or lines


def _expressed(expression: str, mappings: Sequence[_Mapping]) -> Sequence[dict[str, Any]] | Message:
    """Write the rule for an expression, and one for each ending that selects a mapping."""
    subjects: list[dict[str, Any]] = []
    forms: list[dict[str, Any]] = []
    for mapping in mappings:
        meaning = _read_mapping(expression, mapping.location)
        if isinstance(meaning, Message):
            return meaning
        subject, location = meaning
        subjects.append(subject)
        forms.append({"media_type": mapping.media_type, "location": location, "status_code": 303})
    subject = subjects[0]
    lines = [{**subject, "representations": forms}]
    where = "pattern" if subject.get("record") == "rule" else "identifier"
    for mapping, form in zip(mappings, forms, strict=True):
        if _ENDING.fullmatch(mapping.ending):
            if Pattern(subject.get("pattern", "")).takes_the_rest and where == "pattern":
                return message(
                    "The ending {ending} selects a media type, and nothing can follow {rest} in a pattern.",
                    ending=mapping.ending,
                    rest=ALL_THE_REST,
                )
            lines.append({**subject, where: f"{subject[where]}{mapping.ending}", "representations": [form]})
    return lines


def _read_mapping(expression: str, template: str) -> tuple[dict[str, Any], str] | Message:
    if _PLAIN.fullmatch(expression):
        if _REFERENCE.search(template):
            return message("The location refers to a piece that the expression does not have.")
        return {"identifier": expression.replace("\\", "")}, template
    meant = read_expression({"record": "rule", "identifier": expression, "location": template})
    if isinstance(meant, Finding):
        return meant.message
    return {name: value for name, value in meant.items() if name != "location"}, meant["location"]


def _find_fault(lines: Sequence[Registration]) -> Message | None:
    for line in lines:
        try:
            name = parse(line["identifier"])
        except MalformedIdentifier as error:
            return error.words
        if not name.segments:
            return message(
                "The rule would apply to all name authorities, and {prefix} cannot have rules.",
                prefix=line["identifier"],
            )
        if fault := fault_of(line.get("pattern", "")):
            return message("{pattern}: {reason}", pattern=line["pattern"], reason=fault)
        for form in line.get("representations", [line]):
            if not is_location(_PIECE.sub("x", form["location"])):
                return reject_location(form["location"])
    return None


def _accept(
    place: EntryPlace, lines: Sequence[Registration], earlier: list[tuple[Claim, Message]]
) -> Outcome:
    claims = [_claim(line) for line in lines]
    for own in claims:
        for before, name in earlier:
            if overlaps(before, own) and not before.beats(own) and not own.beats(before):
                return RefusedEntry(
                    place,
                    message(
                        "{entry} matches some of the same names, which uriredirect answered with status 500.",
                        entry=name,
                    ),
                )
    earlier += [(own, place.describe()) for own in claims]
    return ConvertedEntry(place, lines)


def _without_host() -> Message:
    return message("The register belongs to a host. Name the host with --host.")


def _claim(line: Registration) -> Claim:
    return claim(line["identifier"], Pattern(line.get("pattern", "")) if "record" in line else None)
