"""Figures for people, and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from infra.bench.cases import Limit
from infra.bench.figures import Figure
from infra.bench.machine import Machine

_NONE = "-"
_HEADINGS = ("", "bare", "ours", "unit", "ratio", "limit", "calls", "limit", "")


def write_table(machine: Machine, figures: Sequence[Figure]) -> str:
    """Write a Markdown table below the machine: for a terminal, and for docs/explanation/performance.md."""
    rows = [_HEADINGS, *(_row(figure) for figure in figures)]
    return f"{write_machine(machine)}\n\n{write_rows(rows)}"


def write_rows(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as a Markdown table, the first as its heading."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "| " + " | ".join("-" * max(width, 3) for width in widths) + " |")
    return "\n".join(lines)


def write_json(machine: Machine, figures: Sequence[Figure]) -> dict[str, Any]:
    """Write everything as JSON values."""
    return {
        "machine": asdict(machine),
        "figures": [{**asdict(figure), "holds": figure.holds} for figure in figures],
    }


def write_machine(machine: Machine) -> str:
    """Describe a machine in one line."""
    return (
        f"{machine.processor}, {machine.cores} cores, {machine.system}; "
        f"{machine.python}, botocore {machine.botocore}"
    )


def _row(figure: Figure) -> tuple[str, ...]:
    limit = figure.limit
    return (
        figure.name,
        _number(figure.bare),
        _number(figure.ours),
        figure.unit,
        f"{figure.ratio:.2f}",
        _limit(limit, figure.unit),
        _NONE if figure.calls is None else f"{figure.calls:g}",
        _NONE if figure.calls is None else f"{limit.calls:g}",
        "ok" if figure.holds else "missed",
    )


def _limit(limit: Limit, unit: str) -> str:
    if limit.most is not None:
        return f"{limit.most:g} {unit}"
    return _NONE if limit.ratio is None else f"{limit.ratio:.2f}"


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"  # noqa: PLR2004  three significant digits
