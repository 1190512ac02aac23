"""Another scheme of the generic syntax, `uri-soil`: only registrations, without code of its own."""

from __future__ import annotations

import json
import time

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.example_registry import EXAMPLES
from tests.resolving import Service
from tests.steward import Steward

HOST = "resources.usgin.org"
FILES = (
    "_host/hosts.jsonl",
    "_host/schemes.jsonl",
    "_host/authorities.jsonl",
    "_host/uri-soil.jsonl",
    "uri-soil/nrcs/1-types.jsonl",
    "uri-soil/nrcs/series.jsonl",
)


@pytest.fixture(scope="module")
def registry() -> MemoryRegistry:
    """The examples of the scheme, beside those of hosts and of name authorities of uri-gin."""
    steward = Steward()
    for file in FILES:
        report = steward.upload(file, (EXAMPLES / file).read_bytes())
        assert not report.counts.keys() & {"refused", "warned"}, report.whole
    return steward.memory


def _described(registry: MemoryRegistry, path: str, host: str = HOST) -> Answer:
    answers = DescriptionResponses(DescriptionWriter().write)
    finder = RememberingFinder(registry, time.monotonic)
    using = Collaborators(finder, registry, registry, answers, HOST)
    return Answer(
        write_gateway(describe(read_request(rest_event(path, headers={"Host": host})), using).response, "GET")
    )


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/uri-soil/", 303, "/about/uri-soil/"),
        ("/uri-soil/nrcs/", 303, "/about/uri-soil/nrcs/"),
        ("/uri-soil/nrcs/series/", 303, "/about/uri-soil/nrcs/series/"),
        ("/uri-soil/nrcs/series/tama/", 303, "/uri-soil/nrcs/series/tama/description.html"),
        ("/uri-soil/nrcs/series/casaGrande/", 303, "/about/uri-soil/nrcs/series/casaGrande/"),
        ("/uri-soil/nrcs/series/tama/description.txt", 302, "https://example.org/soil/tama.txt"),
        ("/uri-soil/nrcs/series/%74ama/", 301, "/uri-soil/nrcs/series/tama/"),
        ("/uri-soil/nrcs/series/Tama/", 302, "/uri-soil/nrcs/series/tama/"),
        ("/uri-soil/authority/nrcs/", 302, "/uri-soil/nrcs/"),
        ("/uri-soil/nrcs/register/resourceType/", 303, "/about/uri-soil/nrcs/register/resourceType/"),
        ("/uri-soil/nrcs/register/nameAuthority/", 303, "/about/uri-soil/nrcs/register/nameAuthority/"),
        ("/uri-soil/nrcs/series/other/", 404, None),
        ("/uri-soil/nrcs//x", 400, None),
    ],
)
@pytest.mark.parametrize("host", ["resources.usgin.org", "soil.example.org", "elsewhere.example:8080"])
def test_another_scheme_of_the_generic_syntax_is_answered_by_its_registrations(
    registry: MemoryRegistry, path: str, status: int, location: str | None, host: str
) -> None:
    answer = Service(registry).ask(path, Host=host)

    assert (answer.status, answer.headers.get("Location")) == (status, location)


def test_another_scheme_is_cited_on_the_host_that_its_authority_trusts(registry: MemoryRegistry) -> None:
    answer = Service(registry).ask("/uri-soil/nrcs/series/tama/")

    assert answer.linked("cite-as") == ["http://soil.example.org/uri-soil/nrcs/series/tama/"]


def test_another_scheme_of_the_generic_syntax_is_in_the_register(registry: MemoryRegistry) -> None:
    for keeper in ("uri-gin/usgin", "uri-soil/nrcs"):
        page = _described(registry, f"/about.json/{keeper}/register/uriScheme/")

        assert page.status == 200
        assert "uri-soil/" in page.content.decode()


@pytest.mark.parametrize(
    ("prefix", "members"),
    [
        ("uri-soil/", ["uri-soil/nrcs/"]),
        (
            "uri-soil/nrcs/",
            [
                "uri-soil/nrcs/series/",
                "uri-soil/nrcs/series/casaGrande/",
                "uri-soil/nrcs/series/tama/",
            ],
        ),
        ("uri-soil/nrcs/register/nameAuthority/", ["uri-soil/nrcs/"]),
        ("uri-soil/nrcs/register/resourceType/", ["uri-soil/nrcs/series/"]),
    ],
)
def test_another_scheme_of_the_generic_syntax_lists_its_members(
    registry: MemoryRegistry, prefix: str, members: list[str]
) -> None:
    page = _described(registry, f"/members.json/{prefix}")

    told = json.loads(page.content)
    assert [each["identifier"] for each in told["members"]] == members


@pytest.mark.parametrize("format_", ["html", "json", "jsonld", "ttl", "rdf", "nt", "linkset"])
def test_another_scheme_of_the_generic_syntax_is_described(registry: MemoryRegistry, format_: str) -> None:
    for name in ("uri-soil/", "uri-soil/nrcs/", "uri-soil/nrcs/series/", "uri-soil/nrcs/series/tama/"):
        page = _described(registry, f"/about.{format_}/{name}")

        assert page.status == 200
        assert f"soil.example.org/{name}" in page.content.decode()


def test_an_unregistered_scheme_gets_the_known_ones(registry: MemoryRegistry) -> None:
    answer = Service(registry).ask("/uri-rock/azgs/x")

    assert answer.status == 404
    assert [each["href"] for each in answer.problem["advice"]] == ["/"]
