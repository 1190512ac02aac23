"""An unregistered successor gets a warning; the order in the file does not matter."""

from __future__ import annotations

import pytest

from ginuri.ingest.collaborators import Limits
from tests.steward import LINES, Report, line, recent, settled

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
def test_a_successor_may_come_later_in_the_file(limits: Limits) -> None:
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


def test_a_successor_on_another_host_is_not_looked_up() -> None:
    assert _unknown(settled().upload(LINES, _replaced(f"{DOC}a", "https://elsewhere.example/b"))) == []


def test_a_dry_run_gives_the_same_warnings() -> None:
    lines = [_replaced(f"{DOC}a", f"{DOC}b"), line(f"{DOC}b"), _replaced(f"{DOC}c", f"{DOC}d")]

    assert _unknown(settled().try_out(LINES, "".join(lines))) == [f"{DOC}d"]


def _refused(report: Report) -> dict[str | None, list[tuple[str, str]]]:
    return {each.identifier: each.broken for each in report.verdicts if each.broken}


@pytest.mark.parametrize("status", ["superseded", "retired"])
def test_the_successor_is_not_the_identifier_itself(status: str) -> None:
    steward = recent()

    report = steward.upload(LINES, line(f"{DOC}a", status=status, successor=f"http://a.example/{DOC}a"))

    assert _refused(report) == {f"{DOC}a": [("successor", "itself")]}
    assert steward.values(f"{DOC}a") is None


@pytest.mark.parametrize("limits", [Limits(), PARTED])
@pytest.mark.parametrize("length", [2, 3, 12])
def test_successors_in_one_upload_form_no_loop(limits: Limits, length: int) -> None:
    names = [f"{DOC}{number}" for number in range(length)]
    steward = recent()
    steward.limits = limits

    report = steward.upload(LINES, "".join(map(_replaced, names, [*names[1:], names[0]])))

    [(refused, findings)] = _refused(report).items()
    assert findings == [("successor", "circle")]
    assert sum(steward.values(name) is None for name in names) == 1
    assert steward.values(refused or "") is None


def test_successors_of_several_uploads_form_no_loop() -> None:
    steward = recent()
    steward.upload(LINES, line(f"{DOC}a") + _replaced(f"{DOC}b", f"{DOC}a"))

    report = steward.upload(LINES, _replaced(f"{DOC}a", f"{DOC}b"))

    [verdict] = report.verdicts
    [message] = [each["message"] for each in verdict.findings if each["field"] == "successor"]
    assert verdict.broken == [("successor", "circle")]
    assert f"{DOC}a → {DOC}b → {DOC}a" in message
    assert "successor" not in (steward.values(f"{DOC}a") or {})


def test_a_dry_run_refuses_the_same_loop() -> None:
    report = recent().try_out(LINES, _replaced(f"{DOC}a", f"{DOC}b") + _replaced(f"{DOC}b", f"{DOC}a"))

    assert list(_refused(report).values()) == [[("successor", "circle")]]


def test_a_loop_broken_by_the_same_upload_is_registered() -> None:
    steward = recent()
    steward.upload(LINES, line(f"{DOC}a") + _replaced(f"{DOC}b", f"{DOC}a"))

    report = steward.upload(
        LINES, line(f"{DOC}b", status="valid", successor=None) + _replaced(f"{DOC}a", f"{DOC}b")
    )

    assert _refused(report) == {}


def test_a_loop_from_before_the_rule_stays_registered_on_replay() -> None:
    steward = settled()
    upload = steward.put(LINES, _replaced(f"{DOC}a", f"{DOC}b") + _replaced(f"{DOC}b", f"{DOC}a"))

    assert _refused(steward.deliver(upload)) == {}
    assert (steward.values(f"{DOC}b") or {})["successor"] == f"{DOC}a"
