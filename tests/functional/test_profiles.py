"""Answers name profiles, as the W3C's Content Negotiation by Profile requires (§7.1)."""

from __future__ import annotations

import pytest

from tests.answers import Answer
from tests.builders import MAP, read_links
from tests.resolving import Service

CSW, GEODCAT = "http://www.opengis.net/cat/csw/2.0.2", "http://data.europa.eu/930/"
REFUSING = f"<{CSW}>;q=0, <{GEODCAT}>;q=0"
REPORT = "uri-gin/azgs/doc/report"
FORMS = [
    {
        "part": "csw.xml",
        "media_type": "text/xml",
        "profile": CSW,
        "location": "https://data.azgs.example/csw",
    },
    {"part": "geodcat.xml", "media_type": "text/xml", "profile": GEODCAT, "location": "https://a.b/geodcat"},
    {"part": "map.pdf", "media_type": "application/pdf", "location": "https://data.azgs.example/map.pdf"},
]


def _profiles(answer: Answer) -> list[str]:
    return [link["href"] for link in read_links(answer.headers["Link"]) if link["rel"] == "profile"]


@pytest.fixture
def service() -> Service:
    service = Service()
    service.register(MAP, representations=FORMS)
    stored = {"file": service.store("report.xml", b"<csw/>"), "media_type": "text/xml", "profile": CSW}
    service.register(REPORT, dereference="content", representations=[stored])
    return service


@pytest.mark.parametrize(
    ("accepted", "part", "profiles"),
    [
        ({"Accept_Profile": f"<{GEODCAT}>"}, "geodcat.xml", [GEODCAT]),
        ({"Accept_Profile": f"<urn:none>, <{CSW}>;q=0.5"}, "csw.xml", [CSW]),
        ({"Accept": "text/xml"}, "csw.xml", [CSW]),
        ({"Accept": "application/pdf"}, "map.pdf", []),
        ({"Accept": "application/pdf", "Accept_Profile": f"<{CSW}>"}, "map.pdf", []),
        ({"Accept": "text/xml", "Accept_Profile": f"<{CSW}>;q=0"}, "geodcat.xml", [GEODCAT]),
        ({"Accept": "text/xml;v=1, */*;q=0.1", "Accept_Profile": f"<{GEODCAT}>"}, "geodcat.xml", [GEODCAT]),
    ],
)
def test_a_redirect_names_the_profile_of_its_target(
    service: Service, accepted: dict[str, str], part: str, profiles: list[str]
) -> None:
    answer = service.ask(f"/{MAP}", **accepted)

    assert (answer.status, answer.headers["Location"]) == (303, f"/{MAP}{part}")
    assert _profiles(answer) == profiles
    assert "Content-Profile" not in answer.headers  # the redirect has no content


def test_the_redirect_of_a_form_names_its_profile_as_well(service: Service) -> None:
    assert _profiles(service.ask(f"/{MAP}csw.xml")) == [CSW]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_content_names_its_profile_even_if_none_was_requested(service: Service, method: str) -> None:
    answer = service.ask(f"/{REPORT}", method)

    assert (answer.status, answer.headers["Content-Profile"]) == (200, f"<{CSW}>")
    assert _profiles(answer) == [CSW]
    assert "Content-Profile" in answer.headers["Access-Control-Expose-Headers"]


def test_content_that_was_not_sent_names_no_profile(service: Service) -> None:
    answer = service.ask(f"/{REPORT}", If_Match='"another"')

    assert (answer.status, _profiles(answer)) == (412, [])
    assert "Content-Profile" not in answer.headers


@pytest.mark.parametrize(("accept", "status"), [("text/xml", 303), ("image/png", 406)])
def test_every_answer_lists_the_forms_with_their_profiles(service: Service, accept: str, status: int) -> None:
    answer = service.ask(f"/{MAP}", Accept=accept)
    links = [link for link in read_links(answer.headers["Link"]) if link["rel"] == "alternate"]

    assert answer.status == status
    assert {link["href"]: link.get("formats") for link in links} == {
        f"/{MAP}csw.xml": CSW,
        f"/{MAP}geodcat.xml": GEODCAT,
        f"/{MAP}map.pdf": None,
    }
    assert all(link.get("profile") == link.get("formats") for link in links)


def test_a_description_comes_before_a_form_with_a_refused_profile(service: Service) -> None:
    answer = service.ask(f"/{MAP}", Accept="text/xml, text/html;q=0.1", Accept_Profile=REFUSING)

    assert (answer.status, answer.headers["Location"]) == (303, f"/about/{MAP}")


def test_a_document_whose_only_profile_is_refused_is_sent(service: Service) -> None:
    answer = service.ask(f"/{REPORT}", Accept_Profile=REFUSING)

    assert (answer.status, answer.headers["Content-Profile"]) == (200, f"<{CSW}>")


def test_a_406_lists_forms_with_a_refused_profile(service: Service) -> None:
    answer = service.ask(f"/{MAP}", Accept="text/xml", Accept_Profile=REFUSING)

    assert answer.status == 406
    assert len([link for link in read_links(answer.headers["Link"]) if link["rel"] == "alternate"]) == 3
