"""The result of `ginuri verify` for programs: a JSON object for each request, and one for the summary."""

from __future__ import annotations

from typing import Any

from ginuri.cli.migration.identifier_lists import SkippedLine
from ginuri.cli.migration.verification.report import SkippedLines
from ginuri.cli.terminal import write_json
from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.summary import ComparedUse, Counts, Summary

SKIPPED = "passed over"
"""The verdict of a line without an identifier."""


def as_json(compared: ComparedUse) -> str:
    """Write a request, and both answers to it, as one JSON object."""
    return write_json(
        {
            "line": compared.identifier.line,
            "verdict": compared.comparison,
            "uri": compared.identifier.uri,
            "accept": compared.use.accept,
            "count": compared.use.count,
            "ours": _answer_as_json(compared.answers.here.answer),
            "theirs": _answer_as_json(compared.answers.there.answer),
        }
    )


def skipped_as_json(skipped: SkippedLine) -> str:
    """Write a line that was passed over as one JSON object."""
    because = "; ".join(map(str, skipped.reasons))
    return write_json({"line": skipped.line, "verdict": SKIPPED, "because": because})


def summary_as_json(summary: Summary, skipped: SkippedLines, *, passes: bool) -> str:
    """Write the summary, the last line of JSON, as one object."""
    rows = [{"prefix": prefix, **_counts_as_json(counts)} for prefix, counts in summary.rows().items()]
    counts = _counts_as_json(summary.counts)
    return write_json({"summary": {**counts, "passed_over": skipped.count, "passes": passes, "rows": rows}})


def _counts_as_json(counts: Counts) -> dict[str, Any]:
    return {"requests": counts.total, "share": counts.share, "comparisons": counts.by_comparison}


def _answer_as_json(answer: ResolverAnswer) -> dict[str, Any]:
    return {
        "status": answer.status or None,
        "location": answer.location,
        "media_type": answer.media_type,
        "error": str(answer.error) or None,
    }
