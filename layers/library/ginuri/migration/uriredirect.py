"""Converts the fixtures of usgin/uriredirect, Django's dump of its tables, to registrations.

Source: github.com/usgin/uriredirect, models/ and views/Resolver.py. A rewrite rule is a regular expression
for the rest of the path after `/<register>/`, matched from its start; its accept mappings are negotiated and
answered with 303. A register on another host is answered with 301. The server answered with 500 if several
rules match a name, and with 406 if a rule has no mapping; a name under such a rule is reserved here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ginuri.identifiers.messages import Message, message
from ginuri.migration.django_dump import Row, Tables
from ginuri.migration.entries import (
    ConvertedEntry,
    Files,
    Outcome,
    RefusedEntry,
    Registration,
    reject_location,
)
from ginuri.migration.faults import refuse_faulty
from ginuri.migration.negotiated_rules import MediaTarget, negotiated, with_ending
from ginuri.migration.rule_ties import Ties
from ginuri.registry.locations import is_location
from ginuri.registry.rules.grammar import ALL_THE_REST

_APPLICATION = "uriredirect"
# urls.py: an ending of this form selects the mapping of its media type.
_ENDING = re.compile(r"\.[A-Za-z]{3,4}")


def import_uriredirect(files: Files, host: str = "") -> Iterator[Outcome]:
    """Convert the rewrite rules, and the registers on other hosts. Raises UnreadableFile.

    A register whose label is not a scheme `uri-…` is bound to the host.
    """
    tables = Tables(files, _APPLICATION)
    for row in tables.rows("uriregister"):
        if row.text("can_be_resolved") == "false":
            yield _elsewhere(row, host)
    conversion = _Conversion(tables, host)
    for row in tables.rows("rewriterule"):
        yield conversion.convert(row)


def _base(label: str, host: str) -> str | None:
    if label.startswith("uri-"):
        return f"{label}/"
    return f"http://{host}/{label}/" if host else None


def _without_host() -> Message:
    return message("The register belongs to a host. Name the host with --host.")


def _elsewhere(row: Row, host: str) -> Outcome:
    label, url = row.text("label"), row.text("url")
    place, base = row.place(f"uriregister {label}"), _base(label, host)
    if base is None:
        return RefusedEntry(place, _without_host())
    if not is_location(url):
        return RefusedEntry(place, reject_location(url))
    location = f"{url.rstrip('/')}/{ALL_THE_REST}"
    line = {"record": "rule", "identifier": base, "title": label, "location": location, "status_code": 301}
    return ConvertedEntry(place, [line])


class _Conversion:
    def __init__(self, tables: Tables, host: str) -> None:
        self._tables = tables
        self._host = host
        self._ties = Ties()

    def convert(self, row: Row) -> Outcome:
        """Convert a rewrite rule."""
        place = row.place(f"rewriterule {row.text('label')}")
        remarks: list[Message] = []
        lines = refuse_faulty(self._rule(row, remarks))
        if isinstance(lines, Message):
            return RefusedEntry(place, lines)
        settled = self._ties.settle(place, lines)
        if isinstance(settled, RefusedEntry):
            return settled
        return ConvertedEntry(place, settled.lines, [*remarks, *settled.remarks])

    def _rule(self, row: Row, remarks: list[Message]) -> Sequence[dict[str, Any]] | Message:
        register = self._tables.row("uriregister", row.text("register"))
        if register is None or register.text("can_be_resolved") == "false":
            return message("The register of the rule is missing, or is on another host.")
        base = _base(register.text("label"), self._host)
        if base is None:
            return _without_host()
        mappings = list(self._mappings(row, remarks))
        targets = [target for target, _ in mappings]
        lines = negotiated(row.text("pattern"), targets, base)
        if isinstance(lines, Message):
            return lines
        if not targets:
            remarks.append(
                message("The rule has no accept mapping: its names are reserved, and answered with 404.")
            )
        common = {"title": row.text("label"), "description": row.text("description")}
        described = {name: text for name, text in common.items() if text}
        return [{**line, **described} for line in [*lines, *_selected(lines, mappings)]]

    def _mappings(self, row: Row, remarks: list[Message]) -> Iterator[tuple[MediaTarget, str]]:
        seen: set[str] = set()
        for mapping in self._tables.rows("acceptmapping"):
            if mapping.text("rewrite_rule") != row.key:
                continue
            media = self._tables.row("mediatype", mapping.text("media_type"))
            name, location = "" if media is None else media.text("mime_type"), mapping.text("redirect_to")
            if name in seen:
                remarks.append(
                    message(
                        "Of two locations for {media_type} the first is imported, without {location}.",
                        media_type=name,
                        location=location,
                    )
                )
                continue
            seen.add(name)
            yield MediaTarget(name, location), "" if media is None else media.text("file_extension")


def _selected(
    lines: Sequence[Registration], mappings: Sequence[tuple[MediaTarget, str]]
) -> Iterator[dict[str, Any]]:
    """Yield the rules and resources for the endings that select a mapping."""
    for at, (_, ending) in enumerate(mappings):
        if _ENDING.fullmatch(ending):
            for line in lines:
                yield {**with_ending(line, ending), "representations": [line["representations"][at]]}
