"""Converts the fixtures of usgin/uriresolve, Django's dump of its tables, to registrations.

Source: github.com/usgin/uriresolve, models.py, utils.py and views.py; before content negotiation, a rewrite
rule had one location, `url_string`. Rules are tried in the order of their labels, and the first that matches
the rest of the path after `/uri-gin/` answers with 303.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ginuri.identifiers.messages import Message, message
from ginuri.migration.django_dump import Row, Tables
from ginuri.migration.entries import ConvertedEntry, EntryPlace, Files, Outcome, RefusedEntry, Registration
from ginuri.migration.faults import find_fault, refuse_faulty
from ginuri.migration.negotiated_rules import MediaTarget, negotiated
from ginuri.migration.order import Claim, find_conflict
from ginuri.migration.rule_ties import claim_of

SCHEME = "uri-gin"
_APPLICATION = "uriresolve"


def import_uriresolve(files: Files, scheme: str = SCHEME) -> Iterator[Outcome]:
    """Convert the rewrite rules, name authorities and resource types. Raises UnreadableFile."""
    tables = Tables(files, _APPLICATION)
    names = {row.key: row.text("name") for row in tables.rows("name_authority")}
    for row in tables.rows("name_authority"):
        yield _authority(row, scheme)
    for row in tables.rows("resource_type"):
        # Types were those of all authorities before each had its own.
        stated = row.text("name_authority")
        owners = [names[stated]] if stated in names else [] if stated else list(names.values())
        yield _resource_type(row, [f"{scheme}/{owner}/" for owner in owners])
    earlier: list[tuple[Claim, EntryPlace]] = []
    for row in sorted(tables.rows("rewrite_rule"), key=lambda row: row.text("label")):
        yield _convert(row, tables, f"{scheme}/", earlier)


def _authority(row: Row, scheme: str) -> Outcome:
    name = row.text("name")
    line = {"record": "authority", "identifier": f"{scheme}/{name}/", "title": name}
    return _checked(row.place(f"name_authority {name}"), [line])


def _resource_type(row: Row, authorities: Sequence[str]) -> Outcome:
    token = row.text("token")
    place = row.place(f"resource_type {token}")
    if not authorities:
        return RefusedEntry(place, message("The name authority of the resource type is missing."))
    common = {"title": row.text("label"), "description": row.text("description")}
    described = {name: text for name, text in common.items() if text}
    lines = [
        {"record": "resource-type", "identifier": f"{authority}{token}/", **described}
        for authority in authorities
    ]
    return _checked(place, lines)


def _checked(place: EntryPlace, lines: Sequence[Registration]) -> Outcome:
    fault = find_fault(lines)
    return RefusedEntry(place, fault) if fault else ConvertedEntry(place, lines)


def _convert(row: Row, tables: Tables, base: str, earlier: list[tuple[Claim, EntryPlace]]) -> Outcome:
    place = row.place(f"rewrite_rule {row.text('label')}")
    lines = refuse_faulty(_rule(row, tables, base))
    if isinstance(lines, Message):
        return RefusedEntry(place, lines)
    claims = [claim_of(line) for line in lines]
    if conflict := next(filter(None, (find_conflict(own, earlier) for own in claims)), None):
        return RefusedEntry(place, conflict.reason, conflict.obstacle)
    earlier += [(own, place) for own in claims]
    return ConvertedEntry(place, lines)


def _rule(row: Row, tables: Tables, base: str) -> Sequence[dict[str, Any]] | Message:
    targets = list(_targets(row, tables))
    if len({target.media_type for target in targets}) < len(targets):
        return message(
            "Two locations of the rule have the same media type, which was answered with status 500."
        )
    lines = negotiated(row.text("uri_expression"), targets, base)
    if isinstance(lines, Message):
        return lines
    common = {"title": row.text("label"), "description": row.text("description")}
    return [{**line, **{name: text for name, text in common.items() if text}} for line in lines]


def _targets(row: Row, tables: Tables) -> Iterator[MediaTarget]:
    if row.text("url_string"):
        yield MediaTarget("", row.text("url_string"))
    for mapping in tables.rows("accept_mapping"):
        if mapping.text("rewrite_rule") == row.key:
            media = tables.row("representation_type", mapping.text("representation_type"))
            yield MediaTarget("" if media is None else media.text("name"), mapping.text("redirect_to"))
