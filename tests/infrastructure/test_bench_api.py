"""The bench of the HTTP API measures what it registers and reads, and counts the calls of functions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import Client as Asking
from werkzeug.wrappers import Response

from infra.bench.api.places import one_machine, operation
from infra.bench.api.requests import CLIENTS, FILE, ME, PUT, RECORD, measure
from infra.bench.api.sending import Share
from infra.bench.api.tables import Figures, write_figures, write_json
from infra.bench.machine import Machine
from infra.local.aws.calls import Call
from infra.local.aws.guard import RoleGuard
from infra.local.aws.permissions import Statement

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_MACHINE = Machine("a processor", 2, "Linux", "CPython", "1")
_NUMBER = 8


@pytest.fixture(scope="module")
def figures() -> Iterator[Figures]:
    """The figures of a short run on one machine."""
    with one_machine(lambda _server: None) as service:
        yield Figures(_MACHINE, measure(service, _NUMBER))


def test_a_short_run_yields_every_figure(figures: Figures) -> None:
    assert [(sent.name, sent.clients) for sent in figures.served] == [
        (PUT, 1),
        (PUT, CLIENTS),
        (FILE, 1),
        (RECORD, 1),
        (RECORD, CLIENTS),
        (ME, 1),
        (ME, CLIENTS),
    ]
    for sent in figures.served:
        assert sent.number == _NUMBER
        assert sent.seconds > 0
        assert sent.client_cpu
        assert sent.server_cpu >= 0  # Linux counts hundredths of a second
        if sent.name == FILE:
            assert sent.median is None
        else:
            assert sent.median
            assert sent.p95
            assert 0 < sent.median <= sent.p95 <= sent.seconds * 1000


def test_the_tables_have_a_row_for_each_figure(figures: Figures) -> None:
    [put, *_] = figures.served
    shares = {
        "ApiFunction": Share(8_130, {"GetItem": 1, "GetObject": 2.25}),
        "IngestFunction": Share(12_370, {}),
    }
    sent = replace(put, number=100, seconds=25, median=250, p95=300.3, client_cpu=None, shares=shares)
    stacked = replace(figures, stacked=[sent])
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in write_figures(stacked).splitlines()
        if line.startswith("|") and "---" not in line
    ]

    assert [row[:3] for row in rows[1:8]] == [
        [each.name, str(each.clients), str(_NUMBER)] for each in figures.served
    ]
    assert rows[9] == [PUT, "1", "100", "25.00", "4.0", "250.0 ms", "300.3 ms", "-", "20.50 ms"]
    assert rows[10:] == [
        ["", "ApiFunction", "IngestFunction"],
        ["CPU", "8.13 ms", "12.37 ms"],
        ["GetItem", "1", "0"],
        ["GetObject", "2.25", "0"],
    ]
    assert json.loads(json.dumps(write_json(stacked)))["stacked"][0]["server_cpu"] == 20_500


def test_calls_of_functions_are_counted_by_their_names() -> None:
    seen: list[Call] = []
    guard = RoleGuard(_answer())
    guard.admit(
        "function", [Statement(allows=True, actions=("s3:Get*", "dynamodb:GetItem"), resources=("*",))]
    )
    guard.watch(seen.append)
    asking = Asking(guard)
    for method, path in (("GET", "/bucket/a"), ("HEAD", "/bucket/a?versionId=1"), ("PUT", "/bucket/a")):
        asking.open(path, method=method, headers=_signed("function", "s3"))
    target = {"X-Amz-Target": "DynamoDB_20120810.GetItem"}
    asking.post("/", data=b'{"TableName": "t"}', headers=_signed("function", "dynamodb") | target)
    asking.get("/bucket/a", headers=_signed("somebody", "s3"))

    assert [operation(call) for call in seen] == ["GetObject", "HeadObjectVersion", "GetItem"]


def _answer() -> WSGIApplication:
    return Response()


def _signed(key: str, service: str) -> dict[str, str]:
    return {"Authorization": f"AWS4-HMAC-SHA256 Credential={key}/20240517/us-east-1/{service}/aws4_request"}
