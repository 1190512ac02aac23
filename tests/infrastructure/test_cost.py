"""docs/explanation/cost.md is the product of counted calls, measured CPU and list prices."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from infra.bench.cases import LIMITS
from infra.cost.counts import Counts, Kind, count
from infra.cost.figures import (
    billed_milliseconds,
    edge_costs,
    measured,
    most_costs,
    own_share,
    price,
    prices,
    read_template,
    request_costs,
)
from infra.cost.files import count_part
from infra.cost.page import PAGE, write_page
from infra.cost.writes import weigh
from tests.builders import changed

WELL = "uri-gin/azgs/doc/well"


@pytest.fixture(scope="module")
def counts() -> dict[Kind, Counts]:
    return count()


@pytest.mark.untraced
def test_the_page_matches_the_script() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert write_page(text) == text, "write it anew with `make cost`"


def test_every_marker_of_the_page_has_a_table() -> None:
    tables = re.findall(r"<!-- (\w+) -->\n(.*?)<!-- /\1 -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)

    assert len(tables) == 8
    assert all(table.count("\n|") > 2 for _, table in tables)


@pytest.mark.parametrize("kind", Kind)
def test_the_counted_calls_match_those_of_the_bench(kind: Kind, counts: dict[Kind, Counts]) -> None:
    # The bench requests a miss as JSON; its page reads the names before and after it as well.
    neighbours = 2 if kind is Kind.MISS else 0
    assert counts[kind].calls == LIMITS[kind.case].calls + neighbours


def test_a_hit_after_a_minute_reads_ancestors_and_places_of_rules_again(counts: dict[Kind, Counts]) -> None:
    assert counts[Kind.LATE].read_units == counts[Kind.HIT].read_units + (4 + 6) * 0.5


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
    root: Path, counts: dict[Kind, Counts]
) -> None:
    template = read_template(root)

    for kind in (Kind.MEMORY, Kind.HIT):
        assert own_share(request_costs(kind, counts[kind], template)) < 0.5


def test_the_price_of_the_edge_includes_that_of_misses() -> None:
    counts = Counts(calls=1, read_units=1, answer_bytes=0, log_bytes=0)

    assert edge_costs({"gateway": 3.5, "traffic": 9}, counts, 1) == pytest.approx(
        price("edge request", 1_100_000)
    )
    assert edge_costs({"gateway": 3.5, "traffic": 9}, counts, 0.5) == pytest.approx(1.10 + 1.75)


@pytest.mark.parametrize(
    ("letters", "writes"),
    [(10, 1 + 2), (1_100, 2 + 2), (2_100, 3 + 2)],  # the record, and its entries in two indexes
)
def test_a_new_record_is_one_write_and_one_for_each_index(letters: int, writes: int) -> None:
    new = changed(WELL, title={"en": "x" * letters})

    assert (weigh(new).writes, weigh(new).reads) == (writes, 1)


def test_the_progress_of_a_part_adds_requests_every_two_seconds() -> None:
    fast, slow = (count_part(seconds / 3000) for seconds in (0, 7))

    assert fast.messages == slow.messages == 1
    # Lists of the parts that are done and begun, the figure of the part, and that of the file
    assert slow.puts - fast.puts == 3 * (2 + 2)


@pytest.mark.untraced
def test_the_most_that_an_hour_costs_follows_from_the_throttle(
    root: Path, counts: dict[Kind, Counts]
) -> None:
    template = read_template(root)
    hit = counts[Kind.HIT]
    million = edge_costs(request_costs(Kind.HIT, hit, template), hit, 0)

    assert most_costs(template, hit)["an hour"] == pytest.approx(500 * 3600 / 1_000_000 * million)


def test_a_changed_record_and_its_history_count_twice() -> None:
    new = changed(WELL, title={"en": "x" * 1_100})
    again = changed(WELL, 1, before=new.after, title={"en": "y" * 1_100})

    assert weigh(again).writes == 2 * (2 + 2)
