"""docs/explanation/cost.md is the product of counted calls, measured CPU and list prices."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from infra.bench.cases import LIMITS, Case
from infra.cost.counts import Counts, count
from infra.cost.figures import (
    billed_milliseconds,
    edge_costs,
    measured,
    own_share,
    price,
    prices,
    read_template,
    request_costs,
)
from infra.cost.page import NAMES, PAGE, write_page


@pytest.fixture(scope="module")
def counts() -> dict[Case, Counts]:
    return count()


@pytest.mark.untraced
def test_the_page_matches_the_script() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert write_page(text) == text, "write it anew with `make cost`"


def test_every_marker_of_the_page_has_a_table() -> None:
    tables = re.findall(r"<!-- (\w+) -->\n(.*?)<!-- /\1 -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)

    assert len(tables) == 6
    assert all(table.count("\n|") > 2 for _, table in tables)


@pytest.mark.parametrize("case", NAMES)
def test_the_counted_calls_match_those_of_the_bench(case: Case, counts: dict[Case, Counts]) -> None:
    assert counts[case].calls == LIMITS[case].calls


def test_lambda_bills_whole_milliseconds_of_a_share_of_a_processor() -> None:
    assert billed_milliseconds(1000, 0, 1769) == 1
    assert billed_milliseconds(1001, 0, 1769) == 2
    assert billed_milliseconds(1000, 0, 884) == 3
    assert billed_milliseconds(100, 1, 1769) == 6


def test_prices_and_measurements_state_their_date_and_source() -> None:
    date.fromisoformat(prices()["date"])
    for entry in prices()["prices"].values():
        assert entry["source"].startswith("https://aws.amazon.com/")
    for figures in (measured(), measured()["registration"]):
        date.fromisoformat(figures["date"])
        assert figures["how"]


@pytest.mark.untraced
def test_a_million_redirects_without_aws_fees_cost_below_half_a_dollar(
    root: Path, counts: dict[Case, Counts]
) -> None:
    template = read_template(root)

    for case in (Case.MEMORY, Case.HIT):
        assert own_share(request_costs(case, counts[case], template)) < 0.5


def test_the_price_of_the_edge_includes_that_of_misses() -> None:
    counts = Counts(calls=1, read_units=1, answer_bytes=0, log_bytes=0)

    assert edge_costs({"gateway": 3.5, "traffic": 9}, counts, 1) == pytest.approx(
        price("edge request", 1_100_000)
    )
    assert edge_costs({"gateway": 3.5, "traffic": 9}, counts, 0.5) == pytest.approx(1.10 + 1.75)
