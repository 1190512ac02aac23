"""The report on an upload: what became of every line, as JSON, and the refused lines as a file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from ginuri.core.verdicts import Outcome, Verdict, shown
from ginuri.documents.cells import heading_number

_REFUSED = {".xlsx": ".csv", **dict.fromkeys((".ttl", ".rdf", ".jsonld", ".nt"), ".jsonl")}
"""How refused lines are written where they are not lines of the file itself."""


@dataclass(frozen=True, slots=True)
class Upload:
    """One object version in the uploads bucket."""

    bucket: str
    key: str
    version: str
    put: str
    """When it was put, RFC 3339 in UTC with milliseconds."""


def report_key(key: str, version: str) -> str:
    """Give where the report on an upload is written."""
    return f"{key}/{version}.json"


def page_key(key: str, version: str) -> str:
    """Give where the report is written as a page to read."""
    return f"{key}/{version}.html"


def progress_key(key: str, version: str) -> str:
    """Give where it is told how far an upload is, while it is taken in."""
    return f"{key}/{version}.progress.json"


def write_progress(done: int, of: int) -> bytes:
    """Write how many identifiers of how many have their verdict."""
    return _write({"done": done, "of": of})


def refused_key(key: str, version: str) -> str:
    """Give where the refused lines of an upload are written, to be corrected and uploaded again."""
    plain = key.removesuffix(key[-3:]) if key.lower().endswith(".gz") else key
    suffix = plain[plain.rfind(".") :]
    return f"{key}/{version}.refused{_REFUSED.get(suffix.lower(), suffix)}"


def count(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """Count verdicts by outcome, and in `warned` all that carry a warning."""
    verdicts = list(verdicts)
    outcomes = Counter(str(verdict.outcome) for verdict in verdicts)
    counts = {str(outcome): outcomes[str(outcome)] for outcome in Outcome if outcome is not Outcome.WARNED}
    return {**counts, "warned": sum(verdict.is_warned for verdict in verdicts)}


def write_report(
    upload: Upload, verdicts: Sequence[Verdict], refused: str | None, *, is_dry_run: bool = False
) -> bytes:
    """Write the report on a registry file; of a dry run, what would become of it."""
    ordered = sorted(verdicts, key=lambda verdict: min(verdict.lines, default=0))
    return _write(
        {
            "upload": asdict(upload),
            "dry_run": is_dry_run,
            "counts": count(verdicts),
            "verdicts": [_verdict(verdict) for verdict in ordered],
            "refused_lines": refused,
        }
    )


def read_counts(report: bytes) -> dict[str, int]:
    """Read what was done from a report: of a dry run, nothing."""
    told = json.loads(report)
    return count(()) if told.get("dry_run") else dict(told["counts"])


def write_stored(upload: Upload) -> bytes:
    """Write the report on a file that is stored for registrations to name."""
    return _write(
        {
            "upload": asdict(upload),
            "dry_run": False,
            "counts": count(()),
            "stored": True,
            "verdicts": [],
            "refused_lines": None,
        }
    )


def write_refused(lines: Sequence[bytes], verdicts: Sequence[Verdict], *, heading: bool) -> bytes:
    """Write the refused lines as they were, below the heading where there is one.

    `lines` are those of the file; a row over several lines is kept whole.
    """
    begins = sorted({number for verdict in verdicts for number in verdict.lines} | {len(lines) + 1})
    following = dict(pairwise(begins))
    refused = sorted(
        {number for verdict in verdicts if verdict.outcome is Outcome.REFUSED for number in verdict.lines}
    )
    kept = [line for number in refused for line in lines[number - 1 : following.get(number, number + 1) - 1]]
    if heading and kept:
        first = heading_number(lines)
        above = first if refused[0] == first else following.get(first, first + 1)
        kept = [*lines[: above - 1], *kept]
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in kept)


def _verdict(verdict: Verdict) -> Mapping[str, Any]:
    return {
        "lines": list(verdict.lines),
        "identifier": verdict.identifier,
        "verdict": str(verdict.outcome),
        "findings": [{**asdict(finding), "level": str(finding.level)} for finding in verdict.findings],
        "changes": [
            {"field": shown(each.field), "before": text_of(each.before), "after": text_of(each.after)}
            for each in verdict.difference.changes
        ],
        "more_changes": verdict.difference.untold,
    }


def text_of(value: Any) -> str | None:  # noqa: ANN401  any field's value
    """Give a value as a report repeats it: cut, as text; None for nothing."""
    if value is None or isinstance(value, str):
        return None if value is None else shown(value)
    return shown(json.dumps(value, ensure_ascii=False))


def _write(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, indent=1).encode()
