"""Whole schemes by registration alone: `doi:`, `hdl:`, `orcid:`, `igsn:`, `ark:`, `info:doi/`, `urn:nbn:`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ginuri.identifiers import parse
from ginuri.registry.clock import BEGINNING
from ginuri.resolution.finder import RememberingFinder
from tests.front import HOST, Front
from tests.steward import Steward, settled

OWN = "http://purl.example.org/"
USGS = "doi:10.5066/"
CIRCLE = f"{OWN}hdl:1/{{id}}"


def _scheme(name: str, location: str, **fields: Any) -> list[dict[str, Any]]:
    return [
        {"record": "scheme", "identifier": name, "title": name, **fields},
        {"record": "rule", "identifier": name, "location": location},
    ]


LINES = [
    {"record": "scheme", "identifier": "uri-gin/", "title": "GIN", "authority": "uri-gin/usgin/"},
    *_scheme("doi:", "https://doi.org/{+rest}", case="lower", specification="https://www.doi.org/"),
    *_scheme("orcid:", "https://orcid.org/{rest}", case="upper"),
    *_scheme("hdl:", "https://hdl.handle.net/{+rest}"),
    *_scheme("igsn:", "https://igsn.org/{+rest}"),
    *_scheme("ark:", "https://n2t.net/ark:{+rest}"),
    *_scheme("uri-soil/", "https://soil.example.org/{+rest}"),
    {"record": "namespace", "identifier": "ark:12345/", "title": "Examples"},
    {"record": "namespace", "identifier": "ark:99999/", "title": "Tests"},
    {
        "record": "rule",
        "identifier": "ark:99999/",
        "pattern": "fk4{+rest}",
        "location": "https://a.example/{rest}",
    },
    {"record": "scheme", "identifier": "info:", "title": "info"},
    {"record": "namespace", "identifier": "info:doi/", "title": "DOI", "case": "lower"},
    {"record": "rule", "identifier": "info:doi/", "location": "https://doi.org/{+rest}"},
    {"record": "scheme", "identifier": "urn:", "title": "urn"},
    {"record": "namespace", "identifier": "urn:nbn:", "title": "NBN"},
    {
        "record": "rule",
        "identifier": "urn:nbn:",
        "pattern": "de:{+rest}",
        "location": "https://a.example/{+rest}",
    },
    {"record": "namespace", "identifier": USGS, "title": "USGS"},
    {"record": "host", "identifier": OWN, "title": "PURLs"},
]
NAMES = [
    {"identifier": f"{OWN}doi:10.1000/own", "title": "Own", "location": "https://a.example/own"},
    {"identifier": f"{OWN}chebi:15377", "title": "Water", "location": "https://a.example/water"},
    {"record": "rule", "identifier": OWN, "pattern": "mesh:{id}", "location": "https://a.example/{id}"},
]


def _lines(*lines: dict[str, Any]) -> str:
    return "\n".join(json.dumps(line) for line in lines)


@pytest.fixture(scope="module")
def steward() -> Steward:
    steward = settled()
    for key, lines in (
        ("_host/schemes.jsonl", LINES),
        ("purl.example.org/names.jsonl", NAMES),
        (
            f"{USGS}names.jsonl",
            [{"identifier": f"{USGS}p9", "title": "Wells", "location": "https://a.example/p9"}],
        ),
    ):
        assert steward.upload(key, _lines(*lines)).refused == {}
    return steward


@pytest.fixture
def front(steward: Steward, tmp_path: Path) -> Front:
    return Front(steward.memory, tmp_path)


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("/doi:10.1000/a%3Cb//c", "https://doi.org/10.1000/a%3Cb//c"),
        ("/hdl:2027/mdp.39015", "https://hdl.handle.net/2027/mdp.39015"),
        ("/orcid:0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097"),
        ("/igsn:AU1243", "https://igsn.org/AU1243"),
        ("/info:doi/10.1000/182", "https://doi.org/10.1000/182"),
        ("/urn:nbn:de:101:1-2019", "https://a.example/101:1-2019"),
        ("/uri-soil/nrcs/tama", "https://soil.example.org/nrcs/tama"),
    ],
)
@pytest.mark.parametrize("host", [HOST, "purl.example.org", "elsewhere.example:8080"])
def test_a_registered_scheme_is_led_on_from_every_host(
    front: Front, path: str, location: str, host: str
) -> None:
    answer = front.ask(path, headers={"Host": host})

    assert (answer.status in {302, 303}, answer.headers["Location"]) == (True, location)


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/DOI:10.1000/ABC", "/doi:10.1000/abc"),
        ("/doi:10.1000/A%2fB", "/doi:10.1000/a%2Fb"),
        ("/doi:10.5066/P9", "/doi:10.5066/p9"),
        ("/orcid:0000-0002-1694-233x", "/orcid:0000-0002-1694-233X"),
        ("/hdl:2027/%41", "/hdl:2027/A"),
    ],
)
def test_another_spelling_redirects_once_to_the_normal_form_of_the_scheme(
    front: Front, path: str, location: str
) -> None:
    answer = front.ask(path)

    assert (answer.status, answer.headers["Location"]) == (301, location)


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/doi:10.1000/own", 302, "https://a.example/own"),
        ("/chebi:15377", 302, "https://a.example/water"),
        ("/mesh:D014867", 302, "https://a.example/D014867"),
        ("/chebi:1", 404, None),
    ],
)
def test_the_names_of_a_registered_host_precede_a_scheme(
    front: Front, path: str, status: int, location: str | None
) -> None:
    answer = front.ask(path, headers={"Host": "purl.example.org"})

    assert (answer.status, answer.headers.get("Location")) == (status, location)


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/ark:/13030/tf5p30086k", "/ark:13030/tf5p30086k"),
        ("/ark:13030/tf5p30086k", "https://n2t.net/ark:13030/tf5p30086k"),
        ("/ark:99999/fk4ab", "https://a.example/ab"),
    ],
)
def test_an_unknown_naan_is_redirected_by_the_rule_of_the_scheme(
    front: Front, path: str, location: str
) -> None:
    assert front.ask(path).headers["Location"] == location


@pytest.mark.parametrize("path", ["/ark:12345/x", "/ark:99999/x", "/doi:10.5066/none", "/urn:nbn:fi:x"])
def test_the_rule_of_a_scheme_excludes_registered_namespaces(front: Front, path: str) -> None:
    assert front.ask(path).status == 404


def test_a_scheme_is_described_with_its_syntax(front: Front) -> None:
    assert front.ask("/doi:").headers["Location"] == "/about/doi:"
    described = json.loads(front.ask("/about.json/doi:").content)
    page = front.ask("/about.html/doi:").content.decode().replace("<wbr>", "")

    assert (described["identifier"], described["case"]) == ("doi:", "lower")
    assert "identifiers are written in lower case" in page
    assert "https://doi.org/{+rest}" in page


def test_an_identifier_under_the_rule_of_a_scheme_is_described(front: Front) -> None:
    described = front.ask("/about.json/doi:10.1000/182")

    assert json.loads(described.content)["identifier"] == "doi:10.1000/182"
    assert front.ask("/about/doi:10.1000/ABC").headers["Location"] == "/about/doi:10.1000/abc"
    assert front.ask("/about.json/doi%3A10.1000%2F182").status == 200
    assert front.ask("/qr.svg/doi:10.1000/182").status == 200


def test_a_lookup_leads_to_the_normal_form_of_a_registered_scheme(front: Front) -> None:
    for uri in ("doi:10.1000/ABC", "DOI:10.1000/ABC", "http://any.example/doi:10.1000/ABC"):
        answer = front.ask("/resolve", query=f"uri={uri}%23page")

        assert (answer.status, answer.headers["Location"]) == (302, "/doi:10.1000/abc#page")


@pytest.mark.parametrize("uri", ["doi:10.1000/abc", "http://any.example/doi:10.1000/abc"])
def test_a_resolution_service_leads_to_the_name_on_this_host(front: Front, uri: str) -> None:
    answer = front.ask("/uri-res/N2R", query=uri)

    assert (answer.status, answer.headers["Location"]) == (303, "/doi:10.1000/abc")


def test_a_list_of_lookups_has_names_of_registered_schemes(front: Front) -> None:
    answer = front.ask("/resolve", "POST", body='["doi:10.1000/182", "orcid:0000-0002-1825-0097", "foo:1"]')
    items = json.loads(answer.content)

    assert [item["status"] for item in items] == [303, 303, 404]


def test_an_explanation_names_the_rule_of_the_scheme(front: Front) -> None:
    explained = json.loads(front.ask("/explain/doi:10.1000/182").content)

    assert (explained["identifier"], explained["status"]) == ("doi:10.1000/182", 303)
    assert explained["location"] == "https://doi.org/10.1000/182"


def test_the_registered_schemes_are_listed(front: Front) -> None:
    page = front.ask(f"/about.html/{OWN}").content.decode()
    register = front.ask("/members.csv/uri-gin/usgin/register/uriScheme/").content.decode()

    assert all(f'href="/about/{name}"' in page for name in ("doi:", "hdl:", "ark:", "uri-gin/"))
    assert "doi:,http://resources.example.org/doi:,scheme" in register
    assert "http://purl.example.org/" not in register


def test_both_readings_of_a_path_are_read_in_one_call(steward: Steward) -> None:
    registry = steward.memory
    finder, name = RememberingFinder(registry, lambda: 0.0), parse(f"{OWN}doi:10.1000/182")
    before = registry.calls
    found = finder.find(name, BEGINNING)

    assert (str(found.identifier), registry.calls - before) == ("doi:10.1000/182", 1)
    assert [str(each.identifier) for each in finder.find_many([name, name], BEGINNING)] == [
        "doi:10.1000/182"
    ] * 2
    assert registry.calls - before == 1


TARGET = {"location": "https://a.example/{+rest}"}


@pytest.mark.parametrize(
    ("folder", "line", "finding"),
    [
        ("_host/", {"record": "rule", "identifier": "pmid:", **TARGET}, "scheme"),
        ("_host/", {"record": "namespace", "identifier": "pmid:1/", "title": "x"}, "scheme"),
        ("_host/", {"record": "rule", "identifier": "ark:1/", **TARGET}, "name authority"),
        ("_host/", {"record": "rule", "identifier": f"{USGS}x/", **TARGET}, "folder"),
        ("_host/", {"record": "scheme", "identifier": "urn:", "case": "lower"}, "grammar"),
        ("_host/", {"record": "namespace", "identifier": "doi:10.ABC/", "title": "x"}, "case"),
        (
            "_host/",
            {"record": "rule", "identifier": "hdl:", "pattern": "1/{id}", "location": CIRCLE},
            "circle",
        ),
        ("_host/", {"record": "rule", "identifier": "doi:", "pattern": "10.ABC/{+rest}", **TARGET}, "case"),
        (USGS, {"identifier": f"{USGS}P9", "title": "x"}, "case"),
    ],
)
def test_a_registration_that_no_request_would_reach_is_refused(
    folder: str, line: dict[str, Any], finding: str
) -> None:
    steward = settled()
    steward.upload("_host/schemes.jsonl", _lines(*LINES))
    (refused,) = steward.upload(f"{folder}x.jsonl", _lines(line)).refused.values()

    assert finding in [rule for _, rule in refused]


def test_a_scheme_and_its_rule_are_registered_in_one_case() -> None:
    lines = _scheme("pmid:", "https://a.example/{+rest}", case="lower")
    lines[1]["pattern"] = "PMC{id}"
    report = settled().upload("_host/x.jsonl", _lines(*lines))

    assert report.counts == {"registered": 1, "refused": 1}
    assert report.refused == {(2,): [("pattern", "case")]}


def test_one_file_registers_many_namespaces_with_their_rules() -> None:
    steward = settled()
    steward.upload("_host/ark.jsonl", _lines(*_scheme("ark:", "https://n2t.net/ark:{+rest}")))
    naans = [
        line
        for number in range(12_000, 12_500)
        for line in (
            {"record": "namespace", "identifier": f"ark:{number}/", "title": f"Organization {number}"},
            {
                "record": "rule",
                "identifier": f"ark:{number}/",
                "location": f"https://a.example/{number}/{{+rest}}",
            },
            {"record": "rule", "identifier": f"ark:{number}/", "pattern": "fk4[{+rest}]", **TARGET},
        )
    ]
    before = steward.memory.calls
    report = steward.upload("_host/naans.jsonl", _lines(*naans))

    assert report.counts == {"registered": 1_500}
    assert steward.memory.calls - before < 2 * len(naans)


def test_a_registered_scheme_precedes_the_fallback_of_a_host(tmp_path: Path) -> None:
    steward = settled()
    host = {"record": "host", "identifier": OWN, "title": "PURLs", "fallback": "legacy.example.net"}
    steward.upload("_host/schemes.jsonl", _lines(*_scheme("doi:", "https://doi.org/{+rest}"), host))
    front = Front(steward.memory, tmp_path)
    sent = {"Host": "purl.example.org"}

    assert front.ask("/doi:10.1000/182", headers=sent).headers["Location"] == "https://doi.org/10.1000/182"
    assert front.ask("/chebi:1", headers=sent).headers["Location"] == "http://legacy.example.net/chebi:1"


def test_a_property_links_to_a_name_of_a_registered_scheme_only(tmp_path: Path) -> None:
    steward = settled()
    steward.upload("_host/schemes.jsonl", _lines(*_scheme("doi:", "https://doi.org/{+rest}")))
    line = {"identifier": "uri-gin/azgs/doc/a", "title": "A", "location": "https://a.example/"}
    steward.upload(
        "uri-gin/azgs/x.jsonl",
        _lines({**line, "properties": {"references": ["doi:10.1000/182", "hdl:2027/1"]}}),
    )
    page = Front(steward.memory, tmp_path).ask("/about.html/uri-gin/azgs/doc/a").content.decode()

    assert '<a href="/doi:10.1000/182">' in page
    assert "hdl:2027/1" in page
    assert 'href="/hdl:' not in page
