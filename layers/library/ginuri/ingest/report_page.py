"""The report on an upload as an HTML page: refusals, warnings and changes, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from ginuri.files.reports.report import Upload, page_key, text_of
from ginuri.files.reports.wording import NOTHING, name_outcome, write_cell, write_counts, write_numbers
from ginuri.i18n.catalogue import ENGLISH, spoken_languages
from ginuri.i18n.translation import translate
from ginuri.identifiers.messages import Message, message
from ginuri.registration.verdicts import Outcome, Verdict, shown
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import POLICY_IN_PAGE

if TYPE_CHECKING:
    from jinja2 import Template

MOST_SHOWN_VERDICTS = 1_000
"""How many verdicts a page shows; the report has all of them."""
_MOST_NUMBERS = 100
"""How many line numbers of one verdict a page shows."""


class NotableVerdicts:
    """The first verdicts with findings or changes, and how many more there are."""

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self.shown: list[Verdict] = []
        self.omitted = 0
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Add a verdict, in the order of the file."""
        if verdict.findings or verdict.difference.changes:
            if len(self.shown) < MOST_SHOWN_VERDICTS:
                self.shown.append(verdict)
            else:
                self.omitted += 1


def write_page(
    upload: Upload,
    notable: NotableVerdicts,
    counts: Mapping[str, int],
    language: str = ENGLISH,
    *,
    is_dry_run: bool = False,
) -> bytes:
    """Write the page in a language; verdicts without findings or changes are only counted."""
    title = message("Dry run of {file}, uploaded {put}", file=upload.key, put=upload.put)
    if not is_dry_run:
        title = message("Report on {file}, uploaded {put}", file=upload.key, put=upload.put)
    others = [other for other in spoken_languages() if other != language]
    page = _template(language).render(
        languages=((language, 1.0),),
        title=title,
        translations=[(other, _link_page(upload, other), _name_page(other)) for other in others],
        counts=write_counts(counts),
        rows=[_row(verdict) for verdict in notable.shown],
        more=notable.omitted and message("{number} more are in the report.", number=f"{notable.omitted:,}"),
    )
    return page.encode()


@cache
def _template(language: str) -> Template:
    environment = make_environment(language, "ginuri.ingest")
    # The page is read as a file, without response headers.
    return environment.get_template("report.html", globals={"policy": POLICY_IN_PAGE})


def _link_page(upload: Upload, language: str) -> str:
    # The pages are in one folder, so a relative link works wherever the folder is served or copied to.
    return "./" + quote(page_key("", upload.version, language).removeprefix("/"))


def _name_page(language: str) -> str:
    return translate(message("This report in English"), language)


def _row(verdict: Verdict) -> Mapping[str, object]:
    return {
        "lines": write_numbers(verdict.lines, _MOST_NUMBERS),
        "identifier": verdict.identifier or "",
        "outcome": name_outcome(verdict.outcome),
        "sentences": tuple(_sentences(verdict)),
    }


def _sentences(verdict: Verdict) -> Iterator[Message]:
    for finding in verdict.findings:
        place: str | Message = finding.column or finding.field
        if finding.line and finding.column and len(verdict.lines) > 1:
            place = write_cell(finding.line, finding.column)
        # A template of placeholders alone needs no translation.
        sentence = finding.message
        if place and finding.value:
            sentence = message(
                "{place} ({value}): {finding}", place=place, value=finding.value, finding=sentence
            )
        elif place or finding.value:
            sentence = message("{about}: {finding}", about=place or f"({finding.value})", finding=sentence)
        if verdict.outcome is not Outcome.REFUSED:
            sentence = message("{level}: {finding}", level=name_outcome(finding.level), finding=sentence)
        yield sentence
    for change in verdict.difference.changes:
        before, after = (
            NOTHING if value is None else text_of(value) or "" for value in (change.before, change.after)
        )
        yield message("{field}: {before} → {after}", field=shown(change.field), before=before, after=after)
    if verdict.difference.untold:
        yield message("and {number} more fields", number=f"{verdict.difference.untold:,}")
