"""`ginuri repair`: writes the suggestions of a report into a registry file, as far as they are confirmed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ginuri.cli.options import folder_option, read_as_option, reading_options
from ginuri.cli.terminal import fault, format_value, is_terminal, localize, write_json
from ginuri.cli.uploads.report_text import describe_judged
from ginuri.cli.uploads.validate import judge_offline
from ginuri.files.formats import READABLE, is_graph, suffix_of
from ginuri.files.options import REGISTRATIONS, UploadOptions
from ginuri.files.repairs.cell_corrections import MOST_ROUNDS
from ginuri.files.repairs.writer import Cell, is_rewritable, write_repaired
from ginuri.files.reports.remedies import not_rewritten
from ginuri.files.reports.verdict_lines import message_of
from ginuri.files.reports.wording import NOTHING, write_cell
from ginuri.identifiers.messages import Message, counted, message
from ginuri.registration.verdicts import fault_of

_MOST_EXAMPLES = 3
"""The number of corrections of a kind that are shown before they are confirmed."""

_Finding = Mapping[str, Any]
_Kind = tuple[str, str]
"""The column of repairs, and the English template of the fault."""
_Correction = tuple[str, str, str, str]
"""A kind, the value, and its correction."""


@click.command("repair")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@folder_option(
    "--under",
    required=True,
    help="The identifier prefix to register under, such as uri-gin/azgs/.",
)
@reading_options
@read_as_option
@click.option("--yes", "is_sure", is_flag=True, help="Apply every repair without asking.")
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Show what would be repaired; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the repairs and the report as JSON.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to write; without it, wells.repaired.csv for wells.csv.",
)
def repair_command(  # noqa: PLR0913  the options of a command
    file: Path,
    *,
    under: str,
    is_sure: bool,
    is_dry_run: bool,
    as_json: bool,
    output: Path | None,
    reading: UploadOptions,
) -> None:
    """Correct what `ginuri validate` finds in FILE and can suggest a correction for, and write a new file.

    On a terminal, shows each kind of repair with examples and asks you to confirm it; scripts, --yes and
    --json skip the questions. Nothing else in the file changes: separators, quotes, encoding and line ends
    stay, and so do the formats and formulas of a spreadsheet.

    Exits 0 when no line of the repaired file would be refused, 1 when one would be, 2 when it could not be
    carried out.
    """
    # Only as registrations can a file be corrected.
    options = replace(reading, is_dry_run=True, read_as=REGISTRATIONS)
    if not is_rewritable(file.name, options):
        raise fault(
            not_rewritten(file.name)
            if is_graph(file.name)
            else message(
                "{file} cannot be repaired, only a file whose name ends in one of: {suffixes}.",
                file=file.name,
                suffixes=", ".join(each for each in READABLE if not is_graph(each)),
            )
        )
    target = output or _name_repaired(file)
    if output is None and os.path.lexists(target) and not is_dry_run:
        raise fault(message("{file} exists. Name the file to write with --output.", file=str(target)))
    asks = not (is_sure or is_dry_run or as_json) and is_terminal()
    repairs = Repairs(f"{under}{file.name}", options)
    body, report = repairs.carry_out(file.read_bytes(), asks=asks, is_quiet=as_json)
    is_written = bool(repairs.done) and not is_dry_run
    if is_written:
        target.write_bytes(body)
    if as_json:
        written = {"file": str(target) if is_written else None, "repairs": repairs.done, "report": report}
        click.echo(write_json(written, indent=1))
    else:
        click.echo(_summary(len(repairs.done), target if is_written else None))
        click.echo(describe_judged(report))
    sys.exit(1 if report["counts"]["refused"] else 0)


class Repairs:
    """The repairs of a file: confirmed kind by kind, and applied until nothing is left to repair.

    Only corrections that were asked about are written: a kind that has further ones after a repair is asked
    about again.
    """

    def __init__(self, key: str, options: UploadOptions) -> None:
        self.done: list[_Finding] = []
        self._key = key
        self._options = options
        self._answers: dict[_Correction, bool] = {}
        self._left: set[tuple[Cell, str]] = set()

    def carry_out(self, body: bytes, *, asks: bool, is_quiet: bool) -> tuple[bytes, dict[str, Any]]:
        """Repair the content of a file, and return it with the report on it. Raises UnreadableFile."""
        report = judge_offline(self._key, body, self._options)
        for _ in range(MOST_ROUNDS):
            found = [
                finding
                for kind in self._kinds(report)
                for finding in self._confirmed(kind, asks=asks, is_quiet=is_quiet)
            ]
            if not found:
                break
            texts = {_cell(finding): str(finding["suggestion"]) for finding in found}
            body, written = write_repaired(self._key, body, texts, self._options)
            self.done += [finding for finding in found if _cell(finding) in written]
            # Cells that cannot be written, such as the result of a formula, are not tried again.
            self._left |= {(_cell(finding), finding["value"]) for finding in found}
            report = judge_offline(self._key, body, self._options)
        return body, report

    def _kinds(self, report: Mapping[str, Any]) -> Iterator[Sequence[_Finding]]:
        kinds: dict[_Kind, dict[Cell, _Finding]] = {}
        cells: set[Cell] = set()
        for verdict in report["verdicts"]:
            for finding in verdict["findings"]:
                cell = _cell(finding)
                is_new = cell not in cells and (cell, finding["value"]) not in self._left
                if finding["suggestion"] is not None and all(cell) and is_new:
                    cells.add(cell)  # one repair at a time for a cell
                    kinds.setdefault(_kind(finding), {})[cell] = finding
        return (list(kind.values()) for kind in kinds.values())

    def _confirmed(self, findings: Sequence[_Finding], *, asks: bool, is_quiet: bool) -> Iterator[_Finding]:
        """Ask about new corrections, and yield the findings whose correction is confirmed."""
        if further := [finding for finding in findings if _correction(finding) not in self._answers]:
            if not is_quiet:
                click.echo("\n".join(_describe(further)))
            answer = not asks or click.confirm(localize(message("Repair this?")))
            self._answers |= dict.fromkeys(map(_correction, further), answer)
        return (finding for finding in findings if self._answers[_correction(finding)])


def _name_repaired(file: Path) -> Path:
    """Return `wells.repaired.csv.gz` for `wells.csv.gz`."""
    at = file.name.lower().rindex(suffix_of(file.name))
    return file.with_name(f"{file.name[:at]}.repaired{file.name[at:]}")


def _cell(finding: _Finding) -> Cell:
    return finding["line"], finding["column"]


def _kind(finding: _Finding) -> _Kind:
    return finding["column"], _fault(finding).template


def _correction(finding: _Finding) -> _Correction:
    return *_kind(finding), finding["value"], finding["suggestion"]


def _fault(finding: _Finding) -> Message:
    return fault_of(message_of(finding))


def _describe(findings: Sequence[_Finding]) -> Iterator[str]:
    first = findings[0]
    yield localize(
        counted(
            "{number} cell in column {column}: {fault}",
            "{number} cells in column {column}: {fault}",
            len(findings),
            column=first["column"],
            fault=_fault(first),
        )
    )
    yield from describe_corrections(findings, _MOST_EXAMPLES)


def describe_corrections(findings: Sequence[_Finding], most: int) -> Iterator[str]:
    """Write at most `most` different corrections: the cell, or the column and the number of its cells."""
    by_correction: dict[_Correction, list[_Finding]] = {}
    for finding in findings:
        by_correction.setdefault(_correction(finding), []).append(finding)
    for same in sorted(by_correction.values(), key=len, reverse=True)[:most]:
        finding = same[0]
        number = f" ({localize(counted('{number} cell', '{number} cells', len(same)))})"
        place = finding["column"] if same[1:] else localize(write_cell(*_cell(finding)))
        written = f"{format_value(finding['value'])} → {finding['suggestion'] or localize(NOTHING)}"
        yield f"  {place}: {written}{number if same[1:] else ''}"
    if (more := len(by_correction) - most) > 0:
        others = counted("and {number} other correction", "and {number} other corrections", more)
        yield f"  {localize(others)}"


def _summary(number: int, target: Path | None) -> str:
    if not number:
        return localize(message("There is nothing to repair."))
    if target is None:
        return localize(
            counted(
                "{number} cell would be repaired. Nothing was written.",
                "{number} cells would be repaired. Nothing was written.",
                number,
            )
        )
    return localize(
        counted(
            "{number} cell is repaired in {file}.",
            "{number} cells are repaired in {file}.",
            number,
            file=str(target),
        )
    )
