"""The bench of searches finds its words; nothing is timed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.bench.search import main

if TYPE_CHECKING:
    import pytest


def test_a_small_run_of_the_search_yields_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1000"]) == 0

    told = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.splitlines() if "|" in line]
    assert [row[0] for row in rows].count("1,000") == 1
    found = {row[0]: row[1:] for row in rows if len(row) == 5}
    assert found["an identifier's own word"][:2] == ["1", "3"]
    assert int(found["two common words"][0]) > 100
