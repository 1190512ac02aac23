"""The wording of reports on pages and terminals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import assert_never

from ginuri.files.reports.digest import Reach
from ginuri.files.reports.entries import Entry
from ginuri.files.reports.line_ranges import LineRanges
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.verdict_lines import text_of
from ginuri.identifiers.messages import Message, counted, message, translatable
from ginuri.registration.verdicts import MOST_SHOWN, Finding, Level, Outcome, fault_of, shown
from ginuri.registry.record.differences import FieldChange
from ginuri.registry.record.statements import JsonValue

_OUTCOMES = {
    Outcome.REGISTERED: translatable("registered"),
    Outcome.CHANGED: translatable("changed"),
    Outcome.UNCHANGED: translatable("unchanged"),
    Outcome.WARNED: translatable("warned"),
    Outcome.REFUSED: translatable("refused"),
}
_COUNTS = {
    Outcome.REGISTERED: translatable("{number} registered"),
    Outcome.CHANGED: translatable("{number} changed"),
    Outcome.UNCHANGED: translatable("{number} unchanged"),
    Outcome.WARNED: translatable("{number} warned"),
    Outcome.REFUSED: translatable("{number} refused"),
}
NOTHING = message("nothing")
"""The text for the value of an absent field."""
# The order of counts, with the most important first.
_ORDER = (Outcome.REFUSED, Outcome.WARNED, Outcome.CHANGED, Outcome.REGISTERED, Outcome.UNCHANGED)


def name_outcome(outcome: Outcome | Level) -> Message:
    """Name an outcome, or the level of a finding."""
    return Message(_OUTCOMES[Outcome(outcome)])


def write_counts(counts: Mapping[str, int], scope: ReportScope) -> Message:
    """Write the scope, then the counts above zero with the most important first."""
    written = [_write_count(outcome, counts.get(outcome, 0)) for outcome in _ORDER if counts.get(outcome, 0)]
    listed = enumerate_all(written) if written else _write_count(Outcome.REGISTERED, 0)
    return message("{scope}: {counts}", scope=write_scope(scope), counts=listed) if scope.rows else listed


def write_uploaders(principal: str, submitter: str) -> list[Message]:
    """Write who uploaded a file: the principal as authenticated, then the submitter as stated.

    >>> print(*write_uploaders("mailto:jane@example.org", "Jane Doe"), sep=", ")
    by jane@example.org, stated submitter: Jane Doe
    """
    by = message("by {name}", name=shown(principal.removeprefix("mailto:")))
    claim = message("stated submitter: {name}", name=shown(submitter))
    return [words for words, name in ((by, principal), (claim, submitter)) if name]


def _write_count(outcome: Outcome, number: int) -> Message:
    return Message(_COUNTS[outcome], {"number": f"{number:,}"})


def write_scope(scope: ReportScope) -> Message:
    """Write the number of identifiers and rows."""
    in_rows = message(
        "{identifiers} in {rows}",
        identifiers=counted("{number} identifier", "{number} identifiers", scope.identifiers),
        rows=counted("{number} row", "{number} rows", scope.rows),
    )
    if not scope.absent:
        return in_rows
    return message("{scope}, and {number} not in the file", scope=in_rows, number=f"{scope.absent:,}")


def enumerate_all(messages: Sequence[Message]) -> Message:
    """Write messages one after the other."""
    first, *others = messages
    return message("{first}, {others}", first=first, others=enumerate_all(others)) if others else first


def write_finding(finding: Finding) -> Message:
    """Write a finding: its column or field, its value, and its sentence."""
    about = " ".join(
        filter(None, (finding.column or finding.field, f"({finding.value})" if finding.value else ""))
    )
    # A template of placeholders alone needs no translation.
    return message("{about}: {finding}", about=about, finding=finding.message) if about else finding.message


def write_problem(entry: Entry) -> Message:
    """Write the first sentence, without the correction if that is shown beside it."""
    return fault_of(entry.finding.message) if entry.corrections else entry.finding.message


def write_corrections(entry: Entry, most: int) -> Message | None:
    """Write at most `most` values of an entry with their corrections; None without corrections."""
    if not (corrections := entry.corrections):
        return None
    pairs = [
        message("{value} → {correction}", value=value, correction=correction or NOTHING)
        for value, correction in corrections[:most]
    ]
    is_cut = len(corrections) > most or entry.count > len(entry.occurrences)
    return enumerate_all([*pairs, *([message("…")] if is_cut else [])])


def write_number(entry: Entry) -> Message | None:
    """Write the number of rows of an entry, or of its findings in one row; None for one finding."""
    if entry.count == 1:
        return None
    if entry.lines.count > 1:
        return counted("({number} row)", "({number} rows)", entry.lines.count)
    return counted("({number} time)", "({number} times)", entry.count)


def write_change(change: FieldChange, most: int = MOST_SHOWN) -> Message:
    """Write the value of a field before and after a change, at most `most` characters of each."""
    before, after = (_write_value(value, most) for value in (change.before, change.after))
    return message("{field}: {before} → {after}", field=shown(change.field), before=before, after=after)


def _write_value(value: JsonValue, most: int) -> str | Message:
    if (text := text_of(value)) is None:
        return NOTHING
    return text if len(text) <= most + 1 else f"{text[:most]}…"


def count_retiring(number: int) -> Message:
    """Write the number of retirements among the changes."""
    return counted(
        "{number} of the changes retires something", "{number} of the changes retire something", number
    )


def count_grouped(number: int) -> Message:
    """Write the number of findings that a report lists only in groups."""
    return counted(
        "{number} finding is only listed in a group, with its lines and without its value.",
        "{number} findings are only listed in groups, with their lines and without their values.",
        number,
    )


def write_cell(line: int, column: str) -> Message:
    """Write the cell of a finding."""
    return message("line {line}, column {column}", line=str(line), column=column)


def write_cells(numbers: LineRanges, letter: str, most: int) -> Message:
    """Write at most `most` cells or ranges of cells of a column, such as C5 or C8–C11."""
    listed, left_out = numbers.write(most)
    cells = re.sub(r"[0-9]+", lambda found: f"{letter}{found[0]}", listed)
    if not left_out:
        return message("{cells}", cells=cells)
    return message("{numbers} and {more} more", numbers=cells, more=f"{left_out:,}")


def write_numbers(numbers: LineRanges, most: int) -> Message:
    """Write at most `most` line numbers or ranges."""
    listed, left_out = numbers.write(most)
    return (
        message("{numbers} and {more} more", numbers=listed, more=f"{left_out:,}")
        if left_out
        else message("{numbers}", numbers=listed)
    )


def write_lines(numbers: LineRanges, most: int) -> Message:
    """Write `line` or `lines` with at most `most` numbers or ranges."""
    return counted("line {numbers}", "lines {numbers}", numbers.count, numbers=write_numbers(numbers, most))


def write_reach(reach: Reach) -> Message | None:
    """Write that an entry is about all rows; None if it is about some."""
    match reach:
        case Reach.ALL:
            return message("all rows")
        case Reach.ACCEPTED:
            return message("all rows that are not refused")
        case Reach.SOME:
            return None
        case _:
            assert_never(reach)


def write_place(entry: Entry, most: int, reach: Reach = Reach.SOME) -> Message:
    """Write the lines and the column of an entry; without lines, its identifier or the whole upload."""
    if entry.column and entry.lines.count == 1:
        return write_cell(entry.lines.first, entry.column)
    if entry.lines.count:
        lines = write_reach(reach) or write_lines(entry.lines, most)
        column = entry.column
        return message("{lines}, column {column}", lines=lines, column=column) if column else lines
    if entry.is_about_upload:
        return message("the whole upload")
    return message("{identifier}", identifier=entry.occurrences[0].identifier or "")
