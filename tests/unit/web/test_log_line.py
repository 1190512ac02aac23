"""The line of a request that falls back, which an operator counts before the old server goes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.resolution.outcomes import FallenBack
from ginuri.web.log_line import write_log_line
from tests.builders import find

OUTCOME = FallenBack(find("//purl.example.org/net/x"), "legacy.example.net", "//purl.example.org/")


def _written(stack: str = "") -> dict[str, Any]:
    line = write_log_line(
        "resolve", OUTCOME, 0.001, status=307, method="GET", path="/net/x", request_id="a", stack=stack
    )
    read: dict[str, Any] = json.loads(line)
    return read


@pytest.mark.parametrize("stack", ["", "ginuri"])
def test_the_line_names_the_fallback_and_the_record_that_states_it(stack: str) -> None:
    written = _written(stack)

    assert (written["outcome"], written["path"]) == ("FallenBack", "/net/x")
    assert (written["stated_by"], written["fallback"]) == ("//purl.example.org/", "legacy.example.net")


def test_a_fallback_is_one_metric_of_the_stack() -> None:
    written = _written("ginuri")

    [directive] = written["_aws"]["CloudWatchMetrics"]
    assert directive["Metrics"] == [{"Name": "FallenBack", "Unit": "Count"}]
    assert directive["Dimensions"] == [["stack"]]
    assert (written["stack"], written["FallenBack"]) == ("ginuri", 1)
    assert "_aws" not in _written()
