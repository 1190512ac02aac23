"""The line of a request of a steward: who asked for what, with metrics of refused tokens, and no secret."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.access.tokens import METRICS
from ginuri.api.log_line import Outcome, write_log_line
from ginuri.web.request import Request


def _line(outcome: Outcome, path: str = "/api/me", stack: str = "prod") -> dict[str, Any]:
    line = write_log_line(
        outcome, 0.0123, status=200, request=Request(method="GET", path=path), request_id="r1", stack=stack
    )
    members: dict[str, Any] = json.loads(line)
    return members


def test_a_line_names_the_principal_and_the_token() -> None:
    outcome = Outcome(principal="mailto:a@b.example", token="0f")  # noqa: S106  its id is no secret

    assert _line(outcome) == {
        "function": "api",
        "outcome": "answered",
        "duration": 12.3,
        "status": 200,
        "method": "GET",
        "path": "/api/me",
        "request_id": "r1",
        "principal": "mailto:a@b.example",
        "token": "0f",
    }


@pytest.mark.parametrize(
    ("outcome", "metric"),
    [
        ("no-valid-token", "tokens_refused"),
        ("too-many-requests", "tokens_limited"),
        ("unavailable", "Unavailable"),
        ("not-found", None),
    ],
)
def test_only_some_outcomes_are_metrics(outcome: str, metric: str | None) -> None:
    line = _line(Outcome(outcome))

    assert ("_aws" in line) is (metric is not None)
    if metric:
        assert line[metric] == 1
        [stated] = line["_aws"]["CloudWatchMetrics"]
        assert stated == {
            "Namespace": "ginuri",
            "Dimensions": [["stack"]],
            "Metrics": [{"Name": metric, "Unit": "Count"}],
        }
        assert "_aws" not in _line(Outcome(outcome), stack="")


def test_every_refusal_of_a_token_is_counted() -> None:
    counted = {
        name for outcome in ("no-valid-token", "too-many-requests") for name in _line(Outcome(outcome))
    }

    assert {*METRICS.values()} <= counted


def test_a_secret_in_a_path_is_cut_off() -> None:
    assert _line(Outcome(), f"/api/x/gin_{'a' * 49}/y")["path"] == "/api/x/gin_…"
