"""`python -m infra.first_run.page` writes the tables of docs/how-to/first-run-on-aws.md from the checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from infra.first_run.probes import PROBES
from infra.first_run.table import Check, Section, read_table

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "first-run-on-aws.md"
BEGIN, END = (
    "<!-- The tables are written by `make reference` from infra/first_run/checks.toml. -->",
    "<!-- end -->",
)


def write_tables(page: str, sections: Sequence[Section]) -> str:
    """Return the page with the tables of these sections. Raises ValueError for a page without their place."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no {BEGIN} … {END}")
    return f"{before}{BEGIN}\n\n{''.join(map(_write, sections))}{END}{after}"


def _write(section: Section) -> str:
    rows = "".join(f"| {' | '.join(map(_cell, _row(check)))} |\n" for check in section.checks)
    return f"## {section.title}\n\n| check | by | command | expected |\n|---|---|---|---|\n{rows}\n"


def _row(check: Check) -> Iterator[str]:
    by = ("command" if not check.question else "both") if check.key in PROBES else "person"
    yield check.name
    yield f"{by}, disruptive" if check.disruptive else by
    yield check.command
    yield check.expected


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(write_tables(PAGE.read_text(encoding="utf-8"), read_table()), encoding="utf-8")
