"""The report on an upload as a page to read: what was refused, warned of or changed, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from ginuri.files.reports.report import Upload, text_of
from ginuri.registration.verdicts import Outcome, Verdict, shown

MOST_TOLD = 1_000
"""How many identifiers are told on a page; all of them are in the report."""
_MOST_NUMBERS = 100
"""How many line numbers are told of those that are refused together."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ font: 1rem/1.5 sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }}
table {{ border-collapse: collapse }} th, td {{ border-bottom: 1px solid #ccc; padding: .3rem .8rem .3rem 0;
text-align: left; vertical-align: top }} ul {{ margin: 0; padding-left: 1rem }}
td {{ overflow-wrap: anywhere }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{counts}</p>
{told}
</body>
</html>
"""
_TABLE = """<table>
<thead><tr><th scope="col">lines</th><th scope="col">identifier</th><th scope="col">verdict</th>
<th scope="col">what there is to know</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


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
    rows = "\n".join(map(_row, notable.told))
    told = _TABLE.format(rows=rows) if notable.told else "<p>There is nothing else to know.</p>"
    if notable.untold:
        told += f"\n<p>{notable.untold:,} more are in the report.</p>"
    title = escape(f"{'Dry run of' if is_dry_run else 'Report on'} {upload.key}, put {upload.put}")
    counted = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.items())
    return _PAGE.format(title=title, counts=counted, told=told).encode()


def _row(verdict: Verdict) -> str:
    lines = ", ".join(map(str, verdict.lines[:_MOST_NUMBERS]))
    if len(verdict.lines) > _MOST_NUMBERS:
        lines += f" and {len(verdict.lines) - _MOST_NUMBERS:,} more"
    said = "".join(f"<li>{escape(each)}</li>" for each in _said(verdict))
    identifier, outcome = escape(verdict.identifier or ""), escape(str(verdict.outcome))
    return f"<tr><td>{lines}</td><td>{identifier}</td><td>{outcome}</td><td><ul>{said}</ul></td></tr>"


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
