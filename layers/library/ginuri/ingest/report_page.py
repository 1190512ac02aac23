"""The report on an upload as a page to read: what was refused, warned of or changed, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from ginuri.files.reports.report import Upload, text_of
from ginuri.registration.verdicts import Outcome, Verdict, shown
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import POLICY_IN_PAGE

if TYPE_CHECKING:
    from jinja2 import Template

MOST_TOLD = 1_000
"""How many identifiers are told on a page; all of them are in the report."""
_MOST_NUMBERS = 100
"""How many line numbers are told of those that are refused together."""


class Notable:
    """The first verdicts with something to say, and how many more there are."""

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self.told: list[Verdict] = []
        self.untold = 0
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Hear a verdict, in the order of the file."""
        if verdict.findings or verdict.difference.changes:
            if len(self.told) < MOST_TOLD:
                self.told.append(verdict)
            else:
                self.untold += 1


def write_page(
    upload: Upload, notable: Notable, counts: Mapping[str, int], *, is_dry_run: bool = False
) -> bytes:
    """Write the page; of what was registered, or stayed, without a word, it tells the number only."""
    what = "Dry run of" if is_dry_run else "Report on"
    page = _template().render(
        title=f"{what} {upload.key}, put {upload.put}",
        counts=", ".join(f"{number:,} {outcome}" for outcome, number in counts.items()),
        rows=[_row(verdict) for verdict in notable.told],
        untold=notable.untold,
    )
    return page.encode()


@cache
def _template() -> Template:
    environment = make_environment("en", "ginuri.ingest")
    # Wherever it is read, nobody sends headers with it.
    return environment.get_template("report.html", globals={"policy": POLICY_IN_PAGE})


def _row(verdict: Verdict) -> Mapping[str, object]:
    lines = ", ".join(map(str, verdict.lines[:_MOST_NUMBERS]))
    if len(verdict.lines) > _MOST_NUMBERS:
        lines += f" and {len(verdict.lines) - _MOST_NUMBERS:,} more"
    return {
        "lines": lines,
        "identifier": verdict.identifier or "",
        "outcome": verdict.outcome,
        "sentences": tuple(_said(verdict)),
    }


def _said(verdict: Verdict) -> Iterator[str]:
    for finding in verdict.findings:
        about = " ".join(
            each for each in (finding.field, f"({finding.value})" if finding.value else "") if each
        )
        level = "" if verdict.outcome is Outcome.REFUSED else f"{finding.level}: "
        yield f"{level}{about}: {finding.message}" if about else f"{level}{finding.message}"
    for change in verdict.difference.changes:
        before, after = (
            "nothing" if value is None else text_of(value) for value in (change.before, change.after)
        )
        yield f"{shown(change.field)}: {before} → {after}"
    if verdict.difference.untold:
        yield f"and {verdict.difference.untold} fields more"
