"""Groups the findings that do not fit into their verdicts: one group for each kind, with all its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ginuri.files.reports.line_ranges import LineSet
from ginuri.identifiers.messages import Message
from ginuri.registration.verdicts import Finding, Verdict, fault_of

MOST_KINDS = 200
"""The most kinds that differ by column; further ones differ only by rule and sentence."""

Kind = tuple[object, ...]


def kind_of(finding: Finding) -> Kind:
    """Return the kind of a finding: column, rule and sentence, with or without a correction.

    Findings of one kind are reported as one.
    """
    return (
        finding.level,
        finding.suggestion is None,
        without_numbers(finding.column or finding.field),
        finding.rule,
        *_templates(fault_of(finding.message)),
    )


def without_numbers(name: str) -> str:
    """Return the name of a field without the numbers of items in lists.

    >>> without_numbers("representations.12.location"), without_numbers("title.de")
    ('representations.location', 'title.de')
    """
    return re.sub(r"\.[0-9]+(?=\.|$)", "", name) if "." in name else name


def _templates(message: Message) -> Iterator[str]:
    yield message.template
    for value in message.values.values():
        if isinstance(value, Message):
            yield from _templates(value)


def lines_of(verdict: Verdict, finding: Finding) -> Sequence[int]:
    """Return the lines of a finding of a verdict."""
    return verdict.lines if finding.line is None else (finding.line,)


@dataclass(slots=True)
class FindingGroup:
    """Findings of one kind, and their lines."""

    finding: Finding
    count: int = 0
    lines: LineSet = field(default_factory=LineSet)
    is_identical: bool = False
    """Whether they differ only in their lines."""

    def add(self, verdict: Verdict, finding: Finding) -> None:
        """Add a finding of a verdict."""
        self.count += 1
        for line in lines_of(verdict, finding):
            self.lines.add(line)

    def generalize(self, other: Finding) -> None:
        """Leave out the numbers of items in the column, if another finding is about another item."""
        if (other.field, other.column) != (self.finding.field, self.finding.column):
            field, column = (without_numbers(name) for name in (self.finding.field, self.finding.column))
            self.finding = replace(self.finding, field=field, column=column)


class FindingGroups:
    """Groups of findings; their memory does not depend on the number of findings."""

    def __init__(self) -> None:
        self._groups: dict[Kind, FindingGroup] = {}

    def __iter__(self) -> Iterator[FindingGroup]:
        """Yield the groups, in the order of their first findings."""
        return iter(self._groups.values())

    def add(self, verdict: Verdict) -> None:
        """Add the findings of a verdict."""
        for finding in verdict.findings:
            group = self._group(finding)
            group.add(verdict, finding)
            group.generalize(finding)

    def merge(self, other: FindingGroup) -> None:
        """Add a group of another part of the upload."""
        group = self._group(other.finding)
        group.count += other.count
        group.generalize(other.finding)
        group.lines.merge(other.lines)

    def _group(self, finding: Finding) -> FindingGroup:
        kind = kind_of(finding)
        if kind not in self._groups and len(self._groups) >= MOST_KINDS:
            finding = replace(finding, field="", column="")
            kind = kind_of(finding)
        return self._groups.setdefault(kind, FindingGroup(finding))
