"""The fixtures of usgin/uriredirect, Django's dump of its tables → registrations.

Source: github.com/usgin/uriredirect, models/ and views/Resolver.py. A rewrite rule is a regular expression
for what follows `/<register>/`, matched from its start; its accept mappings are negotiated, and answered with
303. A register that is kept elsewhere is redirected to with 301.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginuri.files.tables.expressions import read_expression
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.migration.entries import ConvertedEntry, EntryPlace, Outcome, RefusedEntry, Registration
from ginuri.migration.marked import LocatedValue, read_located
from ginuri.migration.order import Claim, claim, overlaps
from ginuri.registration.verdicts import Finding
from ginuri.registry.locations import is_location
from ginuri.registry.rules.patterns import ALL_THE_REST, Pattern, fault_of

_MODEL = "uriredirect."
_PLAIN = re.compile(r"(?:[^\\\[\](){}*+?|^$]|\\[./-])*")
_REFERENCE = re.compile(r"\$[1-9]")
_PIECE = re.compile(r"\{[^{}]*\}")
_ENDING = re.compile(r"\.[A-Za-z]{3,4}")
"""urls.py: an ending of this shape chooses the mapping of that media type."""


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


def import_uriredirect(files: Mapping[str, bytes], host: str = "") -> Sequence[Outcome]:
    """Give what becomes of each rewrite rule and each register elsewhere. Raises UnreadableFile.

    A register whose label is no scheme `uri-…` is bound to the host.
    """
    tables = _read(files)
    registers = {row.key: row for row in tables.get("uriregister", ())}
    outcomes: list[Outcome] = [
        _elsewhere(row, host) for row in registers.values() if row.fields.get("can_be_resolved") == "false"
    ]
    rules = tables.get("rewriterule", ())
    often = Counter((row.fields.get("register"), row.fields.get("pattern")) for row in rules)
    earlier: list[tuple[Claim, str]] = []
    for row in rules:
        place = row.place(f"rule {row.fields.get('label', '')}")
        if often[row.fields.get("register"), row.fields.get("pattern")] > 1:
            outcomes.append(RefusedEntry(place, "several rules have this pattern: it was answered with 500"))
            continue
        register = registers.get(row.fields.get("register", ""))
        read = _rule(row, register, _mappings(row, tables), host)
        outcomes.append(RefusedEntry(place, read) if isinstance(read, str) else _beside(place, read, earlier))
    order = {file: number for number, file in enumerate(files)}
    return sorted(outcomes, key=lambda it: (order[it.place.file], it.place.line))


def _read(files: Mapping[str, bytes]) -> Mapping[str, Sequence[_Row]]:
    """Read the rows of each table."""
    tables: dict[str, list[_Row]] = {}
    for file, content in files.items():
        for each in read_located(content).items:
            model = _text(each, "model")
            if not model.startswith(_MODEL):
                raise UnreadableFile(
                    "uriredirect",
                    model,
                    "{file}, line {line}: {model} is not a row of uriredirect.",
                    file=file,
                    line=str(each.line),
                    model=repr(model),
                )
            fields = each.fields["fields"].fields if "fields" in each.fields else {}
            said = {name: (value.text or "").strip() for name, value in fields.items()}
            found = _Row(file, each.line, _text(each, "pk"), said)
            tables.setdefault(model.removeprefix(_MODEL), []).append(found)
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
    place, base = row.place(f"register {label}"), _base(label, host)
    if base is None:
        return RefusedEntry(place, "it is bound to a host: say which, with --host")
    if not base.startswith("http"):
        return RefusedEntry(place, f"register the scheme {base} with answered_by, the host of {url}")
    location = f"{url.rstrip('/')}/{ALL_THE_REST}"
    line = {"record": "rule", "identifier": base, "title": label, "location": location, "status_code": 301}
    wrong = _wrong([line])
    return RefusedEntry(place, wrong) if wrong else ConvertedEntry(place, [line])


def _rule(
    row: _Row, register: _Row | None, mappings: Sequence[_Mapping], host: str
) -> Sequence[Registration] | str:
    base = None if register is None else _base(register.fields.get("label", ""), host)
    if register is None or register.fields.get("can_be_resolved") == "false":
        return "its register is not one that is resolved here"
    if base is None:
        return "its register is bound to a host: say which, with --host"
    if not mappings:
        return "it has no accept mapping: it was answered with 406"
    if len({each.media_type for each in mappings}) < len(mappings) or not all(m.media_type for m in mappings):
        return "two of its accept mappings have one media type, or none: it was answered with 500"
    written = row.fields.get("pattern", "").removeprefix("^")
    common = {"title": row.fields.get("label", "")}
    if row.fields.get("description"):
        common["description"] = row.fields["description"]
    lines = []
    for expression in [written.removesuffix("$")] + ([] if written.endswith("$") else [f"{written}(.*)"]):
        found = _expressed(f"{base}{expression}", mappings)
        if isinstance(found, str):
            return found
        lines += [{**each, **common} for each in found]
        if expression.endswith(("(.*)", "(.+)")):
            break
    return _wrong(lines) or lines


def _expressed(expression: str, mappings: Sequence[_Mapping]) -> Sequence[dict[str, Any]] | str:
    """Give the rule that an expression means, and one for each ending that chooses a mapping."""
    subjects: list[dict[str, Any]] = []
    forms: list[dict[str, Any]] = []
    for each in mappings:
        subject, location = _subject(expression, each.location)
        if subject is None:
            return location
        subjects.append(subject)
        forms.append({"media_type": each.media_type, "location": location, "status_code": 303})
    subject = subjects[0]
    lines = [{**subject, "representations": forms}]
    where = "pattern" if subject.get("record") == "rule" else "identifier"
    for each, form in zip(mappings, forms, strict=True):
        if _ENDING.fullmatch(each.ending):
            if Pattern(subject.get("pattern", "")).takes_the_rest and where == "pattern":
                return f"the ending {each.ending} chooses a form, and in a pattern nothing follows {{+rest}}"
            lines.append({**subject, where: f"{subject[where]}{each.ending}", "representations": [form]})
    return lines


def _subject(expression: str, template: str) -> tuple[dict[str, Any], str] | tuple[None, str]:
    """Give what an expression is about, and where its template leads; or None and why there is nothing."""
    if _PLAIN.fullmatch(expression):
        if _REFERENCE.search(template):
            return None, "the location names a piece that the regular expression does not have"
        return {"identifier": expression.replace("\\", "")}, template
    meant = read_expression({"record": "rule", "identifier": expression, "location": template})
    if isinstance(meant, Finding):
        return None, str(meant.message)
    return {name: value for name, value in meant.items() if name != "location"}, meant["location"]


def _wrong(lines: Sequence[Registration]) -> str | None:
    for line in lines:
        try:
            name = parse(line["identifier"])
        except MalformedIdentifier as error:
            return str(error)
        if not name.segments:
            return f"it takes names of every name authority, and no rule stands on {line['identifier']}"
        fault = fault_of(line.get("pattern", ""))
        if fault is not None:
            return f"{line['pattern']}: {fault}"
        leads = [each["location"] for each in line.get("representations", [line])]
        for location in leads:
            if not is_location(_PIECE.sub("x", location)):
                return f"{location} is no absolute http or https URI, with escapes where needed"
    return None


def _beside(place: EntryPlace, lines: Sequence[Registration], earlier: list[tuple[Claim, str]]) -> Outcome:
    claims = [_claim(line) for line in lines]
    for each in claims:
        for before, called in earlier:
            if overlaps(before, each) and not before.beats(each) and not each.beats(before):
                return RefusedEntry(
                    place, f"{called} matches some of this as well: that was answered with 500"
                )
    earlier += [(each, f"{place.name} in line {place.line} of {place.file}") for each in claims]
    return ConvertedEntry(place, lines)


def _claim(line: Registration) -> Claim:
    return claim(line["identifier"], Pattern(line.get("pattern", "")) if "record" in line else None)
