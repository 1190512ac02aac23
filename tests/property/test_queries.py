"""For every query: no path that reads one causes a 5xx, and a number is valid or refused."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.web.search.requests import MOST_LISTED, MOST_PAGES
from tests.front import HOST, Front
from tests.resolving import Service

AUTHORITY, TYPE, OLD = "uri-gin/azgs/", "uri-gin/azgs/map/", "uri-gin/azgs/old/"
MAPS = [f"{TYPE}{number}/" for number in range(1, 5)]
PATHS = [
    "/",
    "/search",
    f"/members/{AUTHORITY}",
    f"/members.csv/{TYPE}",
    "/resolve",
    "/uri-res/N2L",
    "/uri-res/N2Ls",
    f"/about/{AUTHORITY}",
    f"/explain/{MAPS[0]}",
    f"/timemap/{MAPS[0]}",
    "/registry",
    "/registry.jsonl.gz",
    "/sitemap.xml",
    "/sitemaps/1.xml.gz",
    "/feed.atom",
    "/robots.txt",
    "/opensearch.xml",
    "/openapi.json",
    f"/{AUTHORITY}",
    f"/{TYPE}",
    f"/{TYPE.rstrip('/')}",
    f"/{MAPS[0]}",
    f"/{OLD}17",
    f"/{AUTHORITY}none",
]
NAMES = ["q", "authority", "type", "status", "page", "most", "after", "uri", "title", "number"]
MOST = {"page": MOST_PAGES, "most": MOST_LISTED}

# Python reads no number of more than 4,300 digits.
_LENGTHS = st.integers(0, 12) | st.sampled_from([4_300, 4_301, 5_000])
_LONG = st.builds(
    lambda sign, zeros, digits, nines: f"{sign}{'0' * zeros}{digits}{'9' * nines}",
    st.sampled_from(["", "", "+", "-", " "]),
    _LENGTHS,
    st.integers(0, 20_000).map(str),
    st.just(0) | _LENGTHS,
)
NUMBERS = (
    st.integers(0, 20_000).map(str)
    | _LONG
    | st.text(st.characters(categories=["Nd", "Nl", "No"]), max_size=6)
    | st.text("0123456789_.,eE+-x ", max_size=8)
    | st.sampled_from(["", "1_0", "1e1", "0x1", "\uff11", "\u0663", "\u00b2", "1\u2028", "\t1", "NaN"])
)
VALUES = (
    NUMBERS
    | st.text(max_size=30)
    | st.sampled_from([AUTHORITY, TYPE, *MAPS, "valid", "authority", "map", f"http://{HOST}/{MAPS[0]}#a"])
)
PAIRS = st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=5), VALUES), max_size=5)
TOO_LONG = f"000001{'9' * 4_400}"


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """An authority with maps that have titles, and a rule that passes queries on; published."""
    service = Service()
    service.register(TYPE, record="resource-type", title={"en": "Map"})
    for number, name in enumerate(MAPS):
        service.register(name, title={"en": f"Map {number}"})
    service.rule(OLD, location="https://a.example/{+rest}", pass_query=True)
    return Front(service.registry, tmp_path_factory.mktemp("published"))


@given(st.sampled_from(PATHS), PAIRS)
@example("/search", [("q", "a"), ("page", TOO_LONG)])
@example("/search", [("q", "a"), ("most", "00000150000")])
@example(f"/members/{AUTHORITY}", [("after", TOO_LONG)])
def test_no_query_fails_on_any_path_that_reads_one(
    front: Front, path: str, pairs: list[tuple[str, str]]
) -> None:
    query = urlencode(pairs, errors="replace")

    for answer in (front.ask(path, query=query), front.ask_by_the_edge(path, query)):
        assert answer.status < 500


@given(st.sampled_from(PATHS), st.text(st.characters(codec="latin-1"), max_size=40) | NUMBERS)
def test_no_text_fails_as_a_query(front: Front, path: str, query: str) -> None:
    assert front.ask_by_the_edge(path, query).status < 500


@given(st.sampled_from(sorted(MOST)), NUMBERS)
@example("page", "")
@example("most", "")
@example("page", TOO_LONG)
@example("most", "00000150000")
@example("page", "10000")
@example("page", "10001")
def test_a_number_in_a_query_counts_only_within_its_range(front: Front, name: str, written: str) -> None:
    answer = front.ask("/search", query=urlencode({"q": "map", name: written}, errors="replace"))

    most = MOST[name]
    digits = re.fullmatch(f"[0-9]{{1,{len(str(most))}}}", written)
    assert answer.status == (200 if not written or (digits and 1 <= int(written) <= most) else 400)
    if answer.status == 400:
        assert answer.problem["detail"].endswith(f"is not a number from 1 to {most:,}.")
