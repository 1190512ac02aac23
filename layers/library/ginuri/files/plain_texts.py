"""Checks that the texts of a registration are plain, and cleans them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ginuri.identifiers.messages import message
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, refuse, suggest, warn
from ginuri.registry.plain_text import LINES, MOST_CHARACTERS, clean_texts, fault_of, plain

PLAIN_SINCE = "2026-11-23"
"""Uploads put before this day may state texts that are not plain: they are cleaned without a finding."""
_RULE = "plain text"
_TRIPLES = "triples"
_BREAKS = re.compile(r"[\t\r\n]")
_REPLACED = message("This text has one line only. Its line breaks and tabs are replaced by spaces.")
_NOTHING_LEFT = plain("\x00")


def read_texts(given: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Finding]]:
    """Return a registration with plain texts, and the findings on those that were not plain."""
    findings: list[Finding] = []

    def clean(place: str, field: str, text: str) -> str:
        if text.isascii() and text.isprintable() and len(text) <= MOST_CHARACTERS:
            return text  # the usual text, as this is called for every one
        text = text if field == _TRIPLES else text.strip()
        name = ".".join(filter(None, place.split(".")))
        has_lines = LINES[field]
        cleaned = plain(text, has_lines=has_lines)
        fault = fault_of(text)
        if fault is not None:
            finding = refuse(name, _RULE, text, fault)
            suggestion = "" if cleaned == _NOTHING_LEFT else cleaned
            findings.append(finding if len(text) > MOST_CHARACTERS else suggest(finding, suggestion))
        elif not has_lines and _BREAKS.search(text):
            findings.append(suggest(warn(name, _RULE, text, _REPLACED), cleaned))
        return cleaned

    texts = clean_texts(given, clean)
    names = texts.get("properties")
    findings += (
        refuse("properties", _RULE, name, fault)
        for name in (names if isinstance(names, dict) else ())
        if (fault := fault_of(name))
    )
    return texts, findings


def without_findings(rows: Iterable[Row]) -> Iterator[Row]:
    """Drop the findings on texts from the rows of an upload that was put before `PLAIN_SINCE`."""
    for row in rows:
        findings = tuple(finding for finding in row.findings if finding.rule != _RULE)
        yield row if len(findings) == len(row.findings) else replace(row, findings=findings)
