"""The rows of a report's page: a finding with its cells, values and corrections, or a changed identifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ginuri.files.reports.digest import Reach, ReportDigest, changes_of
from ginuri.files.reports.entries import Entry, Occurrence
from ginuri.files.reports.line_ranges import LineRanges
from ginuri.files.reports.remedies import line_to_paste
from ginuri.files.reports.wording import (
    write_cells,
    write_change,
    write_lines,
    write_number,
    write_numbers,
    write_problem,
    write_reach,
)
from ginuri.identifiers.messages import Message, message, translatable
from ginuri.identifiers.service_paths import description_path
from ginuri.registration.verdicts import Finding, Level

_MOST_NUMBERS = 100
"""The number of line numbers of one entry on a page."""
_MOST_CELLS = 12
"""The number of cells, or ranges of cells, of one entry."""
_MOST_VALUES = 3
"""The number of different values of one entry that are shown without opening its list."""
_FEW = 4
"""The number of identifiers that are shown without a list to open."""
_LEVELS = {Level.REFUSED: translatable("Refused"), Level.WARNED: translatable("Warning")}


@dataclass(frozen=True, slots=True)
class RowContext:
    """The facts that all rows of a page share."""

    service: str = ""
    """The address of the service, for links; empty for none."""
    rows: int = 0
    """The number of rows of the file."""
    folder: str = ""
    """The folder of the upload."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """The letters of the columns of a table, by their headings."""


@dataclass(frozen=True, slots=True)
class ReportedIdentifier:
    """One of the findings of a row: its identifier, its lines, and its difference from the first."""

    identifier: str | None
    address: str
    lines: Message | None = None
    value: str = ""
    correction: str | None = None
    sentence: Message | None = None


@dataclass(frozen=True, slots=True)
class FindingRow:
    """Findings with one correction or of one kind, for a page."""

    level: Level
    name: Message
    place: Message
    heading: str
    """The heading of the column, or the name of the field."""
    values: Sequence[tuple[str, str | None]]
    """The first values with their corrections; None without one."""
    more_values: int
    problem: Message
    number: Message | None
    paste: str
    """The line to paste; empty without one."""
    listed: Sequence[ReportedIdentifier]
    more: int
    """The number of findings that are not listed."""

    @property
    def is_short(self) -> bool:
        """Whether the identifiers are shown at once."""
        return len(self.listed) + self.more <= _FEW


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """The changes of one identifier, for a page."""

    named: ReportedIdentifier
    sentences: Sequence[Message]


def find_rows(level: Level, digest: ReportDigest, context: RowContext) -> Iterator[FindingRow]:
    """Yield the rows of a level in the order of the file."""
    for entry in digest.entries(level):
        yield _row(entry, digest, context)


def _row(entry: Entry, digest: ReportDigest, context: RowContext) -> FindingRow:
    finding, values = entry.finding, _values(entry)
    reach = digest.reach_of(entry, context.rows)
    return FindingRow(
        level=finding.level,
        name=Message(_LEVELS[finding.level]),
        place=_place(entry, reach, context),
        heading=entry.column or finding.field,
        values=values[:_MOST_VALUES],
        more_values=len(values[_MOST_VALUES:]),
        problem=write_problem(entry),
        number=write_number(entry),
        paste=line_to_paste(entry, digest, reach, context.folder),
        listed=list(_listed(entry, context)),
        more=entry.count - len(entry.occurrences),
    )


def _values(entry: Entry) -> list[tuple[str, str | None]]:
    findings = [each.finding for each in entry.occurrences] or [entry.finding]
    pairs = dict.fromkeys((finding.value, finding.suggestion) for finding in findings)
    return [(value, suggestion) for value, suggestion in pairs if value or suggestion]


def _place(entry: Entry, reach: Reach, context: RowContext) -> Message:
    if entry.is_about_upload:
        return message("the whole upload")
    if all_rows := write_reach(reach):
        return all_rows
    if not entry.lines.count:
        return message("not in the file")
    if letter := context.letters.get(entry.column):
        return write_cells(entry.lines, letter, _MOST_CELLS)
    return write_lines(entry.lines, _MOST_CELLS)


def _listed(entry: Entry, context: RowContext) -> Iterator[ReportedIdentifier]:
    first = entry.finding
    for each in entry.occurrences:
        if each.identifier is None and entry.count == 1:
            continue
        finding, is_other = each.finding, _is_other(each, first)
        yield ReportedIdentifier(
            each.identifier,
            _address(each.identifier, context),
            write_lines(LineRanges(each.lines), _MOST_NUMBERS) if each.lines and entry.count > 1 else None,
            finding.value if is_other else "",
            finding.suggestion if is_other else None,
            _other_sentence(finding, first),
        )


def _is_other(occurrence: Occurrence, first: Finding) -> bool:
    finding = occurrence.finding
    return (finding.value, finding.suggestion) != (first.value, first.suggestion)


def _other_sentence(finding: Finding, first: Finding) -> Message | None:
    """Return the sentence of a finding without a correction, if it is not that of the first."""
    is_other = finding.suggestion is None and finding.message != first.message
    return finding.message if is_other else None


def find_changes(digest: ReportDigest, context: RowContext) -> Iterator[ChangeRow]:
    """Yield the rows of the changed identifiers, retired ones first."""
    for verdict in digest.changes():
        lines = write_numbers(LineRanges(verdict.lines), _MOST_NUMBERS) if verdict.lines else None
        named = ReportedIdentifier(verdict.identifier, _address(verdict.identifier, context), lines)
        sentences = [write_change(change) for change in changes_of(verdict)]
        if verdict.difference.untold:
            sentences.append(message("and {number} more fields", number=f"{verdict.difference.untold:,}"))
        yield ChangeRow(named, sentences)


def _address(identifier: str | None, context: RowContext) -> str:
    return f"{context.service}{description_path(identifier)}" if identifier and context.service else ""
