"""The bench of the edge sends the requests of real clients; nothing is timed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.bench.edge import RATES, main, measure_hits, read_clients
from infra.edge_function import FUNCTION

if TYPE_CHECKING:
    import pytest


def test_a_small_run_of_the_edge_yields_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--requests", "100", "--calls", "1"]) == 0

    told = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.splitlines() if "|" in line]
    assert {row[0] for row in rows} >= {
        "worst",
        *map(str, RATES),
        *(client.name for client in read_clients()),
    }


def test_the_mix_has_a_hundred_requests() -> None:
    assert sum(client.share for client in read_clients()) == 100


def test_normalized_preferences_hit_the_cache_more_often() -> None:
    sent, written = (
        measure_hits(code, 100, 1000)
        for code in (
            "function handler(event) { return event.request; }",
            FUNCTION.read_text(encoding="utf-8"),
        )
    )

    assert written > sent
