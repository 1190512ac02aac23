"""PURLs: names bound to a host, with every type of redirect of the examples."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.steward import Steward, line

EXAMPLES = Path(__file__).parents[2] / "layers/library/ginuri/examples"
FILES = (
    "_host/schemes.jsonl",
    "_host/authorities.jsonl",
    "_host/purl.jsonl",
    "purl.example.org/net/purls.jsonl",
    "purl.example.org/rss/terms.csv",
)
HOST, CANONICAL = "purl.example.org", "ids.example.org"
NET = "http://purl.example.org/net/"


@pytest.fixture(scope="module")
def steward() -> Steward:
    """Return a steward who has uploaded the examples of PURLs."""
    steward = Steward()
    for file in FILES:
        report = steward.upload(file, (EXAMPLES / file).read_bytes())
        assert report.refused == {}
    return steward


def _ask(
    registry: MemoryRegistry, path: str, host: str = HOST, query: str = "", accept: str = "*/*"
) -> Answer:
    finder = RememberingFinder(registry, time.monotonic)
    event = rest_event(path, headers={"Host": host, "Accept": accept})
    if query:
        name, _, value = query.partition("=")
        event |= {"queryStringParameters": {name: value}, "multiValueQueryStringParameters": {name: [value]}}
    answered = resolve(read_request(event), finder, IdentifierResponses(MemoryContentStore(), CANONICAL))
    return Answer(write_gateway(answered.response, "GET"))


def _describe(registry: MemoryRegistry, path: str, accept: str = "application/json") -> Answer:
    using = Collaborators(
        RememberingFinder(registry, time.monotonic),
        registry,
        registry,
        DescriptionResponses(DescriptionWriter().write),
        CANONICAL,
    )
    event = rest_event(path, headers={"Host": CANONICAL, "Accept": accept})
    return Answer(write_gateway(describe(read_request(event), using).response, "GET"))


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("moved", 301, "https://www.example.org/moved"),
        ("report", 302, "https://www.example.org/reports/2011"),
        ("person/jane", 303, "https://www.example.org/people/jane.html"),
        ("today", 307, "https://www.example.org/mirror/today"),
        ("soon", 404, None),
        ("gone", 410, None),
        ("manual/", 303, "https://docs.example.org/manual/"),
    ],
)
def test_an_exact_purl_is_answered_by_its_type(
    steward: Steward, path: str, status: int, location: str | None
) -> None:
    answer = _ask(steward.memory, f"/net/{path}")

    assert (answer.status, answer.headers.get("Location")) == (status, location)


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("manual/a/b%2Fc", 302, "https://docs.example.org/manual/a/b%2Fc"),
        ("archive/2011/x.pdf", 301, "https://archive.example.org/2011/x.pdf"),
        ("thing/17", 303, "https://www.example.org/about?thing=17"),
        ("mirror/x", 307, "https://mirror.example.org/x"),
        ("drafts/x", 404, None),
        ("beta/x/y", 410, None),
        ("page/about.xhtml", 302, "https://www.example.org/about.html"),
    ],
)
def test_a_partial_purl_is_answered_by_its_type_with_the_rest(
    steward: Steward, path: str, status: int, location: str | None
) -> None:
    answer = _ask(steward.memory, f"/net/{path}")

    assert (answer.status, answer.headers.get("Location")) == (status, location)


def test_a_partial_purl_may_pass_the_query_on(steward: Steward) -> None:
    answer = _ask(steward.memory, "/net/manual/a", query="page=2")

    assert answer.headers["Location"] == "https://docs.example.org/manual/a?page=2"


def test_a_clone_leads_to_the_same_location_and_moves_independently(steward: Steward) -> None:
    one, clone = (_ask(steward.memory, f"/net/{name}") for name in ("report", "report-too"))

    assert one.headers["Location"] == clone.headers["Location"]
    assert _told(steward, "report")["contact"] != _told(steward, "report-too")["contact"]


def test_a_chain_leads_to_another_purl_of_the_host_itself(steward: Steward) -> None:
    answer = _ask(steward.memory, "/net/latest")

    assert (answer.status, answer.headers["Location"]) == (302, "http://purl.example.org/net/report")


def test_a_chain_of_chains_is_refused() -> None:
    steward = Steward()
    steward.upload("_host/purl.jsonl", (EXAMPLES / "_host/purl.jsonl").read_bytes())
    chained = [
        line(f"{NET}a", location="https://a.example/"),
        line(f"{NET}b", record="alias", stands_for=f"{NET}a"),
        line(f"{NET}c", record="alias", stands_for=f"{NET}b"),
    ]

    report = steward.upload("purl.example.org/net/chain.jsonl", "".join(chained))

    assert report.refused == {(3,): [("stands_for", "alias")]}


def _told(steward: Steward, name: str) -> Any:
    answer = _describe(steward.memory, f"/about.json/{NET}{name}")
    assert answer.status == 200
    return json.loads(answer.content)


@pytest.mark.parametrize(
    ("name", "contact"),
    [
        ("report", "mailto:jane@example.org"),
        ("report-too", "mailto:joe@example.org"),
        ("soon", "mailto:jane@example.org"),
        ("manual/chapter1", "mailto:manual@example.org"),
    ],
)
def test_the_description_of_a_purl_names_its_maintainer(steward: Steward, name: str, contact: str) -> None:
    page = _describe(steward.memory, f"/about.html/{NET}{name}", "text/html").content.decode()
    triples = _describe(steward.memory, f"/about.nt/{NET}{name}").content.decode()

    assert _told(steward, name)["contact"] == contact
    assert f'href="{contact}"' in page
    assert f"<{contact}>" in triples
    assert "http://www.w3.org/ns/dcat#contactPoint" in triples


def test_the_description_of_a_prefix_lists_its_rules_and_their_maintainers(steward: Steward) -> None:
    page = _describe(steward.memory, f"/about.html/{NET}manual/", "text/html").content.decode()

    [rule] = _told(steward, "manual/")["rules"]
    assert rule["contact"] == "mailto:manual@example.org"
    assert 'href="mailto:manual@example.org"' in page
    assert "https://docs.example.org/manual/{+rest}" in page.replace("<wbr>", "")


def test_the_maintainer_of_a_purl_is_the_first_contact(steward: Steward) -> None:
    soon, drafts = (_ask(steward.memory, f"/net/{path}") for path in ("soon", "drafts/x"))

    assert [each["href"] for each in soon.problem["advice"] if each["rel"] == "author"] == [
        "mailto:jane@example.org"
    ]
    assert [each["href"] for each in drafts.problem["advice"] if each["rel"] == "author"] == [
        "mailto:net@example.org"
    ]


def test_only_the_maintainer_may_change_a_purl_handed_over(steward: Steward) -> None:
    purl = line(f"{NET}azgs/DGM37", location="https://a.example/")

    domain = steward.try_out("purl.example.org/net/more.jsonl", purl)
    survey = steward.try_out("uri-gin/azgs/purls.jsonl", purl)

    assert domain.refused == {(1,): [("identifier", "delegated")]}
    assert survey.counts == {"registered": 1}


def test_only_the_folder_of_a_domain_or_a_higher_one_changes_it(steward: Steward) -> None:
    purl = line(f"{NET}a/b", location="https://a.example/")
    folders = (
        "purl.example.org/",
        "purl.example.org/net/",
        "purl.example.org/net/a/",
        "purl.example.org/rss/",
    )

    reports = [steward.try_out(f"{folder}purls.jsonl", purl) for folder in folders]

    assert [each.counts.get("registered", 0) for each in reports] == [1, 1, 1, 0]


def test_a_purl_is_bound_to_its_host(steward: Steward) -> None:
    other = _ask(steward.memory, "/net/report", host="purl.other.example")

    assert other.status == 404


def test_a_term_of_the_source_leads_to_its_namespace(steward: Steward) -> None:
    answer = _ask(steward.memory, "/rss/1.0/link")

    assert answer.headers["Location"] == "https://www.example.org/rss/1.0/schema.rdf#link"


def test_a_domain_lists_its_purls(steward: Steward) -> None:
    listed = json.loads(_describe(steward.memory, f"/members.json/{NET}").content)["members"]

    assert len([each for each in listed if each["identifier"].startswith("//purl.example.org/net/")]) >= 8
