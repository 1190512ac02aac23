"""A successor that nobody registered is warned of, wherever in the file the one that is registered stands."""

from __future__ import annotations

import pytest

from ginuri.ingest.collaborators import Limits
from tests.steward import LINES, Report, line, settled

DOC = "uri-gin/azgs/doc/"
PARTED = Limits(task_rows=3, chunk_rows=4)


def _replaced(identifier: str, successor: str) -> str:
    return line(identifier, status="superseded", successor=successor)


def _unknown(report: Report) -> list[str]:
    return [
        finding["value"]
        for verdict in report.verdicts
        for finding in verdict.findings
        if (finding["field"], finding["rule"]) == ("successor", "registered")
    ]


@pytest.mark.parametrize("limits", [Limits(), PARTED])
def test_a_successor_may_follow_in_the_file(limits: Limits) -> None:
    names = [f"{DOC}{number}" for number in range(12)]
    steward = settled()
    steward.limits = limits

    lines = [
        *map(_replaced, names[::2], names[1::2]),
        *map(line, names[1::2]),
        _replaced(f"{DOC}a", f"{DOC}b"),
    ]

    assert _unknown(steward.upload(LINES, "".join(lines))) == [f"{DOC}b"]
    assert (steward.values(names[0]) or {})["successor"] == names[1]
    assert _unknown(steward.upload(LINES, _replaced(f"{DOC}c", f"{DOC}a"))) == []


def test_what_another_host_answers_for_is_not_looked_up() -> None:
    assert _unknown(settled().upload(LINES, _replaced(f"{DOC}a", "https://elsewhere.example/b"))) == []


def test_a_dry_run_warns_of_the_same() -> None:
    lines = [_replaced(f"{DOC}a", f"{DOC}b"), line(f"{DOC}b"), _replaced(f"{DOC}c", f"{DOC}d")]

    assert _unknown(settled().try_out(LINES, "".join(lines))) == [f"{DOC}d"]
