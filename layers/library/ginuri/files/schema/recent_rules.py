"""Rules that former versions did not have; each applies to uploads from a fixed day on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ginuri.registration.rows import DOUBTS_SINCE, RECENT_RULES_SINCE, Row

PLAIN_TEXT, HOST, MISSING = "plain text", "possible host", "missing value"
_SINCE = {PLAIN_TEXT: RECENT_RULES_SINCE, HOST: RECENT_RULES_SINCE, MISSING: DOUBTS_SINCE}


def without_later_rules(rows: Iterable[Row], put: str) -> Iterator[Row]:
    """Drop the findings by rules that were not in force when an upload was put."""
    later = {rule for rule, since in _SINCE.items() if put < since}
    for row in rows:
        findings = tuple(finding for finding in row.findings if finding.rule not in later)
        yield row if len(findings) == len(row.findings) else replace(row, findings=findings)
