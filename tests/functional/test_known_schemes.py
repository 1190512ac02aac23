"""Names of well-known schemes that are not registered here: advice in place of an unknown host or scheme."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ginuri.schemes.catalogue import known_schemes
from tests.front import Front
from tests.steward import settled

DOI = "https://doi.org/10.1000/182"
PAGE = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    return Front(settled().memory, tmp_path_factory.mktemp("published"))


@pytest.mark.parametrize(
    ("path", "location", "name"),
    [
        ("/doi:10.1000/182", DOI, "doi"),
        ("/hdl:2027/mdp.39015", "https://hdl.handle.net/2027/mdp.39015", "hdl"),
        ("/10.1000/182", DOI, "doi"),
        ("/about/doi:10.1000/182", DOI, "doi"),
        ("/members/doi:10.1000/182", DOI, "doi"),
        ("/timemap/doi:10.1000/182", DOI, "doi"),
        ("/ark:13030/tf5p30086k", "https://n2t.net/ark:13030/tf5p30086k", "ark"),
        ("/urn:nbn:de:101:1-1", "https://nbn-resolving.org/urn:nbn:de:101:1-1", "urn:nbn"),
    ],
)
def test_a_well_known_name_gets_its_resolver_and_the_command(
    front: Front, path: str, location: str, name: str
) -> None:
    answer = front.ask(path)
    advice = {each["rel"]: each for each in answer.problem["advice"]}

    assert answer.status == 404
    assert answer.problem["title"] != "Unknown host"
    assert advice["related"]["href"] == location
    assert f"ginuri schemes add {name} " in advice["help"]["title"]
    assert "Location" not in answer.headers


def test_a_bare_name_gets_its_spelling_with_the_scheme(front: Front) -> None:
    problem = front.ask("/10.1000/182").problem

    assert problem["title"] == "This looks like doi:10.1000/182"
    assert problem["advice"][0]["href"] == "/doi:10.1000/182"


def test_a_page_about_a_well_known_name_links_to_its_resolver(front: Front) -> None:
    page = front.ask("/doi:10.1000/182", headers=PAGE).content.decode()

    assert "doi: is not registered here" in page
    assert "Digital Object Identifiers" in page
    assert f'<a href="{DOI}" rel="related">' in page


@pytest.mark.parametrize("uri", ["doi:10.1000/182", "10.1000/182", "https://doi.org/10.1000/182"])
def test_a_lookup_of_a_well_known_name_gets_the_same_advice(front: Front, uri: str) -> None:
    answer = front.ask("/resolve", query=f"uri={uri}")

    assert answer.status == 404
    assert DOI in [each["href"] for each in answer.problem["advice"]]


@pytest.mark.parametrize("name", ["doi:10.1000/182", "10.1000/182"])
def test_an_explanation_recognizes_a_well_known_name(front: Front, name: str) -> None:
    explained = json.loads(front.ask(f"/explain/{name}").content)
    page = front.ask(f"/explain/{name}", headers=PAGE).content.decode()

    assert explained["elsewhere"] == {
        "identifier": "doi:10.1000/182",
        "scheme": "doi:",
        "title": "Digital Object Identifiers",
        "location": DOI,
        "command": "ginuri schemes add doi",
    }
    assert f'<a href="{DOI}">{DOI}</a>' in page


def test_the_search_box_recognizes_a_well_known_name(front: Front) -> None:
    page = front.ask("/search", query="q=10.1000%2F182", headers=PAGE).content.decode()

    assert "(Digital Object Identifiers), which is not registered here" in page
    assert (
        "not registered here"
        not in front.ask("/search", query="q=wells:springs", headers=PAGE).content.decode()
    )


@pytest.mark.parametrize("path", ["/doi:nothing", "/chebi:15377", "/12376099", "/uri-gin/azgs/10.1000/182"])
def test_any_other_name_gets_no_such_resolver(front: Front, path: str) -> None:
    hrefs = [each["href"] for each in front.ask(path).problem["advice"]]

    assert not [href for href in hrefs if href.startswith("https://") and href != "https://www.doi.org/"]


def test_all_well_known_schemes_register_without_a_finding(tmp_path: Path) -> None:
    steward = settled()
    lines = "".join(scheme.registrations for scheme in known_schemes().values())
    report = steward.upload("_host/well-known-schemes.jsonl", lines)
    front = Front(steward.memory, tmp_path)

    assert report.counts.keys() == {"registered"}
    assert [verdict.findings for verdict in report.verdicts if verdict.findings] == []
    assert front.ask("/doi:10.1000/182").headers["Location"] == DOI
    assert front.ask("/resolve", query="uri=10.1000/182").headers["Location"] == "/doi:10.1000/182"
    assert front.ask("/doi:nothing").status == 404
