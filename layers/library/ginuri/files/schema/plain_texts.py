"""Checks that the texts of a registration are plain, and cleans them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ginuri.files.schema.recent_rules import PLAIN_TEXT
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, refuse, suggest, warn
from ginuri.registry.texts.plain_text import LINES, MOST_CHARACTERS, clean_texts, fault_of, plain

_TRIPLES = "triples"
_BREAKS = re.compile(r"[\t\r\n]")
_REPLACED = message("This text has one line only. Its line breaks and tabs are replaced by spaces.")
_NOTHING_LEFT = plain("\x00")


def read_texts(given: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Finding]]:
    """Return a registration with plain texts, and the findings on those that were not plain."""
    findings: list[Finding] = []

    def clean(place: str, field: str, text: str) -> str:
        if text.isascii() and text.isprintable() and len(text) <= MOST_CHARACTERS:
            return text  # fast path: this is called for every text
        text = text if field == _TRIPLES else text.strip()
        name = ".".join(filter(None, place.split(".")))
        has_lines = LINES[field]
        cleaned = plain(text, has_lines=has_lines)
        if fault := fault_of(text):
            finding = refuse(name, PLAIN_TEXT, text, fault)
            suggestion = "" if cleaned == _NOTHING_LEFT else cleaned
            findings.append(finding if len(text) > MOST_CHARACTERS else suggest(finding, suggestion))
        elif not has_lines and _BREAKS.search(text):
            findings.append(suggest(warn(name, PLAIN_TEXT, text, _REPLACED), cleaned))
        return cleaned

    texts = clean_texts(given, clean)
    names = texts.get("properties")
    findings += (
        refuse("properties", PLAIN_TEXT, name, fault)
        for name in (names if isinstance(names, dict) else ())
        if (fault := fault_of(name))
    )
    return texts, findings
