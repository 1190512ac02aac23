"""Rules that former versions did not have; each applies to uploads from a fixed day on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ginuri.registration.rows import Row

PLAIN_TEXT, HOST = "plain text", "possible host"
_RECENT = {PLAIN_TEXT, HOST}


def without_recent_rules(rows: Iterable[Row]) -> Iterator[Row]:
    """Drop the findings by these rules from the rows of an earlier upload."""
    for row in rows:
        findings = tuple(finding for finding in row.findings if finding.rule not in _RECENT)
        yield row if len(findings) == len(row.findings) else replace(row, findings=findings)
