"""Verdicts as lines of JSON in a report, with findings while there is room."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ginuri.files.reports.digest import retires
from ginuri.files.reports.finding_groups import FindingGroup, FindingGroups
from ginuri.files.reports.repeated_warnings import RepeatedWarnings
from ginuri.i18n.catalogue import ENGLISH
from ginuri.i18n.translation import translate
from ginuri.identifiers.messages import Message, as_data, from_data
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, shown
from ginuri.registry.record.differences import Difference, FieldChange

MOST_DETAIL_BYTES = 512 * 1024 * 1024
"""The most bytes of verdicts with findings or changes in a report; half is for refused ones."""
MOST_RANGES = 5_000_000
"""The most line ranges in the groups of a report; the lines of further ones are counted."""


class VerdictWriter:
    """Writes verdicts in full while there is room, and later ones without findings and changes.

    The omitted findings are in `groups`, and `repeated` warnings, by their marks, in `warnings`. Verdicts on
    the whole upload are always written in full.
    """

    def __init__(
        self,
        most_bytes: int = MOST_DETAIL_BYTES,
        language: str = ENGLISH,
        repeated: Collection[str] = (),
    ) -> None:
        self.groups = FindingGroups()
        self.warnings = RepeatedWarnings(repeated)
        self._left = dict.fromkeys((True, False), most_bytes // 2)
        self._language = language

    def write(self, verdict: Verdict) -> bytes:
        """Write a verdict as one line of JSON."""
        is_about_upload = not verdict.lines and verdict.identifier is None
        if is_about_upload or not (verdict.findings or verdict.difference.changes):
            return write_verdict(verdict, self._language)
        is_refused, is_abbreviated = verdict.outcome is Outcome.REFUSED, bool(verdict.more_findings)
        verdict = self.warnings.take(verdict)
        if self._left[is_refused] > 0 and not is_abbreviated:
            line = write_verdict(verdict, self._language)
            self._left[is_refused] -= len(line)
            if self._left[is_refused] >= 0:
                return line
        self.groups.add(verdict)
        return write_verdict(_abbreviate(verdict), self._language)


def _abbreviate(verdict: Verdict) -> Verdict:
    """Drop the findings, and all changes except retirements."""
    kept = tuple(filter(retires, verdict.difference.changes))
    untold = verdict.difference.untold + len(verdict.difference.changes) - len(kept)
    return replace(
        verdict,
        findings=(),
        more_findings=verdict.more_findings + len(verdict.findings),
        difference=Difference(kept, untold),
    )


def write_verdict(verdict: Verdict, language: str = ENGLISH) -> bytes:
    """Write a verdict as one line of JSON, with its messages in a language."""
    written = {
        "lines": list(verdict.lines),
        "identifier": verdict.identifier,
        **({} if verdict.rule is None else {"pattern": verdict.rule}),
        **({} if verdict.grantee is None else {"to": verdict.grantee}),
        "verdict": str(verdict.outcome),
        "findings": [_write_finding(finding, language) for finding in verdict.findings],
        "changes": [
            {"field": shown(change.field), "before": text_of(change.before), "after": text_of(change.after)}
            for change in verdict.difference.changes
        ],
        "more_changes": verdict.difference.untold,
        **({"more_findings": verdict.more_findings} if verdict.more_findings else {}),
    }
    return json.dumps(written, ensure_ascii=False).encode()


def read_verdict(line: bytes) -> Verdict:
    """Read a verdict from a report, in which changed values are text."""
    return verdict_of(json.loads(line))


def verdict_of(written: Mapping[str, Any]) -> Verdict:
    """Return the verdict from a member of a report."""
    return Verdict(
        Outcome(written["verdict"]),
        tuple(written["lines"]),
        written["identifier"],
        tuple(map(_read_finding, written["findings"])),
        Difference(tuple(FieldChange(**change) for change in written["changes"]), written["more_changes"]),
        written.get("more_findings", 0),
        written.get("pattern"),
        grantee=written.get("to"),
    )


def message_of(finding: Mapping[str, Any]) -> Message:
    """Return the message of a finding in a report, to be written in any language."""
    return from_data(finding if "template" in finding else {"template": finding["message"]})


def _write_finding(finding: Finding, language: str) -> Mapping[str, Any]:
    is_english = language == ENGLISH
    return {
        "level": str(finding.level),
        "field": finding.field,
        "rule": finding.rule,
        "value": finding.value,
        "message": str(finding.message) if is_english else translate(finding.message, language),
        "line": finding.line,
        "column": finding.column,
        "suggestion": finding.suggestion,
        **(as_data(finding.message) if finding.message.values or not is_english else {}),
    }


def _read_finding(written: Mapping[str, Any]) -> Finding:
    return Finding(
        Level(written["level"]),
        written["field"],
        written["rule"],
        written["value"],
        message_of(written),
        written["line"],
        written["column"],
        written["suggestion"],
    )


def text_of(value: Any) -> str | None:  # noqa: ANN401  any field's value
    """Shorten a value for a report, as text; None for no value."""
    if value is None:
        return None
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def write_groups(groups: Iterable[FindingGroup], language: str = ENGLISH) -> Iterator[bytes]:
    """Write each group as one line of JSON, all with at most `MOST_RANGES` ranges of lines."""
    left = MOST_RANGES
    for group in groups:
        ranges = list(group.lines.ranges())
        listed, others = ranges[:left], ranges[left:]
        left -= len(listed)
        members = {
            "finding": _write_finding(group.finding, language),
            "count": group.count,
            "lines": listed,
            "more_lines": sum(last + 1 - first for first, last in others),
            **({"identical": True} if group.is_identical else {}),
        }
        yield json.dumps(members, ensure_ascii=False).encode()


def group_of(written: Mapping[str, Any]) -> FindingGroup:
    """Return the group from a member of a report."""
    is_identical = bool(written.get("identical"))
    group = FindingGroup(_read_finding(written["finding"]), written["count"], is_identical=is_identical)
    for first, last in written["lines"]:
        for line in range(first, last + 1):
            group.lines.add(line)
    return group
