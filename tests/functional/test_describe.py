"""Does a request for a description get the right answer?"""

from __future__ import annotations

import base64
import importlib
import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from types import ModuleType
from typing import Any

import boto3
import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.registry.ports import NearNameReader
from ginuri.registry.record.record import Record, apply
from ginuri.resolution.descriptions.paths import address, read_description_path
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.pages.assets import asset_path
from ginuri.web.response import Answered
from infra.bench.workers.context import Context
from tests.aws import new_table
from tests.builders import MAP, keyed, register, rest_event, stamp
from tests.example_registry import Descriptions
from tests.steward import LINES, line, settled

HOST = "resources.example.org"
DOC = "uri-gin/azgs/doc/a"
TYPE = "uri-gin/azgs/doc/map/"
LINKSETS = {"linkset": "application/linkset+json", "links": "application/linkset"}
FORMATS = {
    "html": "text/html; charset=utf-8",
    "jsonld": "application/ld+json",
    "ttl": "text/turtle",
    "rdf": "application/rdf+xml",
    "nt": "application/n-triples",
    "json": "application/json",
    "geojson": "application/geo+json",
    "erc": "text/plain; charset=utf-8",
    **LINKSETS,
}
CITATIONS = {
    "bib": "application/x-bibtex; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "csl": "application/vnd.citationstyles.csl+json",
}
ALL_FORMATS = {**FORMATS, **CITATIONS}
"""The formats of a resource; the description of an authority has no citation."""


@pytest.fixture
def registry() -> MemoryRegistry:
    """A registry with a map, its ancestors, and its history."""
    registry = MemoryRegistry()
    register(registry, "uri-gin/", record="scheme", title={"en": "The uri-gin scheme"})
    register(
        registry,
        "uri-gin/azgs/",
        record="authority",
        title={"en": "Arizona Geological Survey"},
        contact="mailto:stewards@example.org",
        trusted_hosts=["resources.usgin.org"],
    )
    register(registry, TYPE, record="resource-type", title={"en": "Map"})
    register(
        registry,
        MAP,
        title={"en": "Geologic map of Huachuca Mountain N"},
        representations=[
            {
                "part": "mapImageFile.pdf",
                "media_type": "application/pdf",
                "location": "https://example.org/m.pdf",
            }
        ],
    )
    return registry


def collaborators(reader: NearNameReader) -> Collaborators:
    answers = DescriptionResponses(DescriptionWriter().write)
    finder = RememberingFinder(reader, time.monotonic)
    lister = reader if isinstance(reader, MemoryRegistry) else MemoryRegistry()
    return Collaborators(finder, reader, lister, answers, HOST)


def ask(
    reader: NearNameReader, path: str, accept: str | None = None, *, method: str = "GET", host: str = HOST
) -> Answered:
    headers = {"Host": host} | ({"Accept": accept} if accept else {})
    return answer(read_request(rest_event(path, method, headers)), collaborators(reader))


def header(answered: Answered, name: str) -> str | None:
    return dict(answered.response.headers).get(name)


def told(answered: Answered) -> Mapping[str, Any]:
    document: dict[str, Any] = json.loads(answered.response.body)
    return document


@pytest.mark.parametrize(
    ("accept", "extension"),
    [
        (None, "html"),
        ("*/*", "html"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "html"),
        ("application/ld+json", "jsonld"),
        ("application/json", "json"),
        ("application/json, application/ld+json", "jsonld"),
        ("text/turtle, application/ld+json;q=0.5", "ttl"),
        ("text/turtle", "ttl"),
        ("application/rdf+xml", "rdf"),
        ("application/n-triples, application/json;q=0.9", "nt"),
        ("application/geo+json, application/json;q=0.2", "geojson"),
        ("application/*", "jsonld"),
        ("application/linkset+json", "linkset"),
        ("application/linkset", "links"),
        ("application/x-bibtex", "bib"),
        ("application/x-research-info-systems", "ris"),
        ("application/vnd.citationstyles.csl+json", "csl"),
        ("application/vnd.citationstyles.csl+json, text/html;q=0.5, */*;q=0.1", "csl"),
        ("application/x-bibtex, text/turtle", "ttl"),
    ],
)
def test_a_description_has_the_preferred_format(
    registry: MemoryRegistry, accept: str | None, extension: str
) -> None:
    answered = ask(registry, f"/about/{MAP}", accept)

    assert answered.response.status == 200
    assert header(answered, "Content-Type") == ALL_FORMATS[extension]
    assert header(answered, "Content-Location") == f"/about.{extension}/{MAP}"
    assert header(answered, "Vary") == "Accept, Accept-Language"


@pytest.mark.parametrize("extension", ALL_FORMATS)
def test_a_path_with_a_format_ignores_the_accept_header(registry: MemoryRegistry, extension: str) -> None:
    answered = ask(registry, f"/about.{extension}/{MAP}", "image/png")

    assert answered.response.status == 200
    assert header(answered, "Content-Type") == ALL_FORMATS[extension]
    assert header(answered, "Content-Location") is None
    # A page is still in the reader's language.
    assert header(answered, "Vary") == ("Accept-Language" if extension == "html" else None)


def test_an_unavailable_format_gets_the_list_of_available_ones(
    registry: MemoryRegistry,
) -> None:
    answered = ask(registry, f"/about/{MAP}", "image/png")

    assert answered.response.status == 406
    assert {each["href"] for each in told(answered)["advice"]} == {
        f"/about.{extension}/{MAP}" for extension in ALL_FORMATS
    }


@pytest.mark.parametrize("extension", CITATIONS)
def test_a_citation_is_a_download_with_the_name_of_its_identifier(
    registry: MemoryRegistry, extension: str
) -> None:
    answered = ask(registry, f"/about.{extension}/{MAP}")

    assert header(answered, "Content-Disposition") == (
        f'attachment; filename="DGM37-HuachucaMountainNv1.1.{extension}"'
    )
    assert "Geologic map of Huachuca Mountain N" in answered.response.body.decode()


@pytest.mark.parametrize("extension", CITATIONS)
def test_a_page_shows_each_citation_and_links_the_file(registry: MemoryRegistry, extension: str) -> None:
    page = ask(registry, f"/about.html/{MAP}").response.body.decode()

    media_type = CITATIONS[extension].partition(";")[0]
    assert f'<a class="file" href="/about.{extension}/{MAP}" type="{media_type}" download>' in page
    citation = ask(registry, f"/about.{extension}/{MAP}").response.body.decode()
    assert f"<code>{escape(citation)}</code>" in page.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")


@pytest.mark.parametrize("extension", CITATIONS)
@pytest.mark.parametrize("status", ["reserved", "superseded", "retired"])
def test_an_identifier_that_is_not_valid_is_cited(
    registry: MemoryRegistry, status: str, extension: str
) -> None:
    register(registry, MAP, 1, status=status)

    assert ask(registry, f"/about.{extension}/{MAP}").response.status == 200


@pytest.mark.parametrize("extension", CITATIONS)
def test_the_citation_of_an_untitled_resource_has_its_name(registry: MemoryRegistry, extension: str) -> None:
    register(registry, DOC, contact="stewards@example.org")

    answered = ask(registry, f"/about.{extension}/{DOC}")

    assert answered.response.status == 200
    assert DOC in answered.response.body.decode()


@pytest.mark.parametrize("extension", CITATIONS)
def test_a_withheld_identifier_has_no_citation(registry: MemoryRegistry, extension: str) -> None:
    register(registry, MAP, 1, status="withheld", requested_by="A court")

    fixed = ask(registry, f"/about.{extension}/{MAP}")
    negotiated = ask(registry, f"/about/{MAP}", CITATIONS[extension])

    assert (fixed.response.status, negotiated.response.status) == (404, 406)
    for refused in (fixed, negotiated):
        assert b"Huachuca Mountain N" not in refused.response.body
        assert {each["href"] for each in told(refused)["advice"]} == {
            f"/about.{each}/{MAP}" for each in FORMATS
        }


@pytest.mark.parametrize("extension", CITATIONS)
@pytest.mark.parametrize("name", ["", "uri-gin/", "uri-gin/azgs/"])
def test_only_resources_and_resource_types_have_a_citation(
    registry: MemoryRegistry, name: str, extension: str
) -> None:
    of_type = ask(registry, f"/about.{extension}/{TYPE}")
    fixed = ask(registry, f"/about.{extension}/{name}")
    negotiated = ask(registry, f"/about/{name}", CITATIONS[extension])

    statuses = [each.response.status for each in (of_type, fixed, negotiated)]
    assert statuses == [200, 404, 406]
    assert f".{extension}/" not in (header(ask(registry, f"/about.json/{name}"), "Link") or "")


def test_a_description_links_its_subject_and_its_other_formats(
    registry: MemoryRegistry,
) -> None:
    answered = ask(registry, f"/about/{MAP}", "text/html")

    assert header(answered, "Link") == (
        f'<http://resources.usgin.org/{MAP}>; rel="describes cite-as", '
        f'<http://{HOST}/about/{MAP}>; rel="canonical", '
        '<https://schema.org/AboutPage>; rel="type", '
        f'</about.jsonld/{MAP}>; rel="describedby alternate"; type="application/ld+json", '
        f'</about/{TYPE}>; rel="up", '
        f'</about.ttl/{MAP}>; rel="alternate"; type="text/turtle", '
        f'</about.rdf/{MAP}>; rel="alternate"; type="application/rdf+xml", '
        f'</about.nt/{MAP}>; rel="alternate"; type="application/n-triples", '
        f'</about.json/{MAP}>; rel="alternate"; type="application/json", '
        f'</about.bib/{MAP}>; rel="alternate"; type="application/x-bibtex", '
        f'</about.ris/{MAP}>; rel="alternate"; type="application/x-research-info-systems", '
        f'</about.csl/{MAP}>; rel="alternate"; type="application/vnd.citationstyles.csl+json", '
        f'</about.geojson/{MAP}>; rel="alternate"; type="application/geo+json", '
        f'</about.erc/{MAP}>; rel="alternate"; type="text/plain", '
        f'</about.linkset/{MAP}>; rel="linkset"; type="application/linkset+json", '
        f'</about.links/{MAP}>; rel="linkset"; type="application/linkset"'
    )
    assert header(answered, "Cache-Control") == "max-age=60, stale-if-error=86400"
    assert header(answered, "Access-Control-Allow-Origin") == "*"
    assert header(answered, "X-Content-Type-Options") == "nosniff"


def test_a_page_links_its_style_and_its_script(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/about.html/{MAP}")

    page = answered.response.body.decode()
    assert "unsafe" not in (header(answered, "Content-Security-Policy") or "unsafe")
    # HTML, §4.12.1: a script element of the second type is data, which no policy has to allow.
    scripts = [f'<script type="module" src="{asset_path("page.js")}">', '<script type="application/ld+json">']
    assert re.findall("<script[^>]*>", page) == scripts
    assert re.findall('<link rel="stylesheet" href="([^"]*)"', page) == [asset_path("style.css")]
    assert "<style" not in page
    assert " style=" not in page


@pytest.mark.parametrize("status", ["reserved", "superseded", "retired"])
@pytest.mark.parametrize("extension", ["html", "jsonld", "ttl", "rdf", "nt", "json", "geojson"])
def test_the_status_of_an_invalid_identifier_comes_first_in_its_description(
    registry: MemoryRegistry, status: str, extension: str
) -> None:
    register(registry, MAP, 1, status=status, reason="Illustration.")

    answered = ask(registry, f"/about.{extension}/{MAP}")

    body = answered.response.body.decode()
    assert answered.response.status == 200
    title = body.index("<h1" if extension == "html" else "Geologic map")
    assert 0 < body.lower().index(status) < title


def test_a_successor_is_named_by_its_title(registry: MemoryRegistry) -> None:
    later = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.2/"
    register(registry, later, title={"en": "Version 1.2"})
    register(registry, MAP, 1, status="superseded", successor=later)

    page = ask(registry, f"/about.html/{MAP}").response.body.decode()

    assert f'Use instead: <a href="/about/{later}"><span lang="en" dir="auto">Version 1.2</span></a>' in page


@pytest.mark.parametrize("prefix", ["/about", "/about.html", "/about.jsonld", "/about.json"])
@pytest.mark.parametrize("part", ["mapImageFile.pdf", "mapImageFile"])
def test_a_part_is_described_with_the_identifier_it_is_part_of(
    registry: MemoryRegistry, prefix: str, part: str
) -> None:
    answered = ask(registry, f"{prefix}/{MAP}{part}")

    assert answered.response.status == 303
    assert header(answered, "Location") == f"{prefix}/{MAP}"


def test_a_registered_part_has_its_own_description(registry: MemoryRegistry) -> None:
    register(registry, f"{MAP}mapImageFile", title={"en": "The image"})

    answered = ask(registry, f"/about.json/{MAP}mapImageFile")

    assert answered.response.status == 200
    assert told(answered)["title"] == {"en": "The image"}


@pytest.mark.parametrize("prefix", ["/about", "/about.json"])
def test_another_spelling_leads_to_the_description_of_the_normal_form(
    registry: MemoryRegistry, prefix: str
) -> None:
    answered = ask(registry, f"{prefix}/uri-gin/azgs/doc/map/DGM37%2dHuachucaMountainNv1.1/")

    assert answered.response.status == 301
    assert header(answered, "Location") == f"{prefix}/{MAP}"
    assert header(answered, "Cache-Control") == "max-age=86400, stale-if-error=86400"


@pytest.mark.parametrize("other", [MAP[:-1], f"{MAP[:-1]}.pdf", MAP.replace("azgs", "AZGS"), f"{MAP}%2F"])
def test_another_identifier_is_never_described_as_this_one(registry: MemoryRegistry, other: str) -> None:
    answered = ask(registry, f"/about/{other}")

    # A form is no spelling; any other spelling leads to the description of the registered identifier.
    location = None if other.endswith(".pdf") else f"/about/{MAP}"
    assert answered.response.status == (404 if location is None else 302)
    assert dict(answered.response.headers).get("Location") == location


@pytest.mark.parametrize("prefix", ["about", "about.ttl"])
def test_another_spelling_gets_a_brief_redirect_to_the_description(
    registry: MemoryRegistry, prefix: str
) -> None:
    answered = ask(registry, f"/{prefix}/{MAP.upper().replace('URI-GIN', 'uri-gin')}")

    assert (answered.response.status, header(answered, "Location")) == (302, f"/{prefix}/{MAP}")
    assert header(answered, "Cache-Control") == "max-age=30"


def test_a_part_in_other_capitals_leads_to_the_description(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/about.json/{MAP}MAPIMAGEFILE.pdf")

    assert (answered.response.status, header(answered, "Location")) == (
        302,
        f"/about.json/{MAP}mapImageFile.pdf",
    )


def test_several_spellings_get_advice(registry: MemoryRegistry) -> None:
    register(registry, MAP.lower(), title={"en": "Another map"})

    answered = ask(registry, f"/about/{MAP.upper().replace('URI-GIN', 'uri-gin')}", "application/json")

    assert answered.response.status == 404
    advised = [each["href"] for each in json.loads(answered.response.body)["advice"]]
    assert {*advised[:2]} == {f"/{MAP}", f"/{MAP.lower()}"}


def test_an_unregistered_identifier_gets_the_advice_of_dereferencing(
    registry: MemoryRegistry,
) -> None:
    answered = ask(registry, f"/about/{TYPE}nothing/", "application/json")

    assert answered.response.status == 404
    assert header(answered, "Cache-Control") == "max-age=30"
    assert [each["href"] for each in told(answered)["advice"]] == [
        f"/about/{TYPE}",
        "mailto:stewards@example.org",
        "/search?q=nothing&authority=uri-gin%2Fazgs%2F",
    ]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/about/uri-gin/azgs//map/", 400),
        ("/about/uri-gin/azgs/%zz/", 400),
        ("/about/uri-gin/azgs/../usgin/", 400),
        ("/about/uri_gin/azgs/", 404),
        ("/about//uri-gin/azgs/", 404),
        ("/about.xyz/uri-gin/azgs/", 404),
        ("/%61bout/uri-gin/azgs/", 404),
    ],
)
def test_a_path_without_an_identifier_gets_advice(registry: MemoryRegistry, path: str, status: int) -> None:
    answered = ask(registry, path)

    assert answered.response.status == status
    assert header(answered, "Content-Type") == "application/problem+json"


def test_a_path_with_a_format_also_fixes_the_format_of_advice(registry: MemoryRegistry) -> None:
    page = ask(registry, "/about.html/uri-gin/azgs/nothing/", "application/json")
    document = ask(registry, "/about.jsonld/uri-gin/azgs/nothing/", "text/html")

    assert header(page, "Content-Type") == FORMATS["html"]
    assert header(document, "Content-Type") == "application/problem+json"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_descriptions_are_read_only(registry: MemoryRegistry, method: str) -> None:
    answered = ask(registry, f"/about/{MAP}", method=method)

    assert answered.response.status == 405
    assert header(answered, "Allow") == "GET, HEAD, OPTIONS"


def test_a_client_may_ask_for_the_allowed_methods(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/about/{MAP}", method="OPTIONS")

    assert answered.response.status == 204
    assert header(answered, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS"


def test_head_has_the_headers_of_get(registry: MemoryRegistry) -> None:
    got, asked = ask(registry, f"/about/{MAP}"), ask(registry, f"/about/{MAP}", method="HEAD")

    assert asked.response.status == got.response.status
    assert asked.response.headers == got.response.headers


@pytest.mark.parametrize("path", ["/about", "/about/", "/about.html", "/about.html/"])
def test_the_host_describes_itself_and_names_its_schemes(registry: MemoryRegistry, path: str) -> None:
    register(
        registry,
        str(parse("http://resources.usgin.org/")),
        record="host",
        title={"en": "Identifier host of USGIN"},
    )

    answered = ask(registry, path, "text/html", host="Resources.USGIN.org:443")

    page = answered.response.body.decode()
    assert answered.response.status == 200
    assert "Identifier host of USGIN" in page
    assert '<a href="/about/uri-gin/"><span lang="en" dir="auto">The uri-gin scheme</span></a>' in page
    assert '<http://resources.usgin.org/>; rel="describes cite-as"' in (header(answered, "Link") or "")


def test_an_unregistered_host_shows_the_record_of_the_canonical_host(
    registry: MemoryRegistry,
) -> None:
    register(registry, str(parse(f"http://{HOST}/")), record="host", title={"en": "The canonical host"})

    answered = ask(registry, "/about.json", host="127.0.0.1:8000")

    assert told(answered)["title"] == {"en": "The canonical host"}
    assert told(answered)["uri"] == f"http://{HOST}/"


@pytest.mark.parametrize("host", ["", "no host", "elsewhere.example"])
@pytest.mark.parametrize("path", ["/", "/about/"])
@pytest.mark.parametrize("accept", ["text/html", "application/ld+json", "application/json"])
def test_an_empty_registry_has_a_description_of_the_host(host: str, accept: str, path: str) -> None:
    answered = ask(MemoryRegistry(), path, accept, host=host)

    assert answered.response.status == 200
    assert HOST in answered.response.body.decode()
    if (path, accept) != ("/", "text/html"):  # the front page, and no description
        assert header(answered, "Content-Location") in {
            f"/about.{extension}/http://{HOST}/" for extension in FORMATS
        }


@pytest.mark.parametrize("name", ["uri-gin/", "uri-gin/azgs/", TYPE])
@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.untraced
def test_every_step_up_the_path_is_described(registry: MemoryRegistry, name: str, extension: str) -> None:
    assert ask(registry, f"/about.{extension}/{name}").response.status == 200


@pytest.mark.parametrize("extension", [None, *FORMATS])
@pytest.mark.parametrize("name", ["uri-gin/", MAP, f"{MAP}a%2Fb.c"])
def test_the_path_of_a_description_is_read_back(extension: str | None, name: str) -> None:
    asked = read_description_path(address(parse(name), extension))

    assert (asked.extension, asked.rest) == (extension, name)


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("stands_for", [[MAP], [MAP, TYPE]])
def test_an_alias_is_described_with_its_targets(
    registry: MemoryRegistry, extension: str, stands_for: list[str]
) -> None:
    register(registry, "uri-gin/azgs/other/", record="alias", stands_for=stands_for)

    answered = ask(registry, f"/about.{extension}/uri-gin/azgs/other/")

    assert answered.response.status == 200
    if extension not in LINKSETS:
        assert all(name in answered.response.body.decode() for name in stands_for)


@pytest.mark.parametrize("extension", FORMATS)
def test_a_prefix_with_only_rules_is_described(registry: MemoryRegistry, extension: str) -> None:
    prefix = "uri-gin/azgs/wells/"
    registry.write(apply(Record(prefix, {}), keyed({("rules", "", "title", ""): "Wells"}), stamp()))

    assert ask(registry, f"/about.{extension}/{prefix}").response.status == 200


@pytest.mark.parametrize("extension", FORMATS)
def test_a_prefix_with_only_a_delegation_is_described(registry: MemoryRegistry, extension: str) -> None:
    register(registry, "uri-gin/azgs/cores/", delegation={"answered_by": "cores.example.org"})

    assert ask(registry, f"/about.{extension}/uri-gin/azgs/cores/").response.status == 200


@pytest.mark.parametrize("extension", ["html", "json"])
@pytest.mark.parametrize("prefix", ["uri-gin/azgs/", "uri-gin/azgs/cores/"])
def test_the_description_of_a_delegated_prefix_names_the_answering_host(
    registry: MemoryRegistry, extension: str, prefix: str
) -> None:
    register(registry, prefix, 1, delegation={"answered_by": "cores.example.org"})

    assert b"cores.example.org" in ask(registry, f"/about.{extension}/{prefix}").response.body


@pytest.mark.parametrize("extension", ["html", "json"])
def test_the_description_of_a_prefix_handed_over_names_the_receiver(
    registry: MemoryRegistry, extension: str
) -> None:
    to = {"": "uri-gin/azgs/", "2027-01-01": "uri-gin/usgin/"}
    register(registry, "uri-gin/azgs/cores/", 1, delegation={"to": to})

    body = ask(registry, f"/about.{extension}/uri-gin/azgs/cores/").response.body

    assert b"uri-gin/azgs/" in body
    assert b"2027-01-01" in body


def test_a_prefix_that_is_no_longer_delegated_has_no_description(registry: MemoryRegistry) -> None:
    register(registry, "uri-gin/azgs/cores/", delegation={"answered_by": "cores.example.org"})
    register(registry, "uri-gin/azgs/cores/", 1, delegation={"answered_by": None})

    assert ask(registry, "/about/uri-gin/azgs/cores/").response.status == 404


def test_a_first_description_takes_three_calls_and_later_ones_two(registry: MemoryRegistry) -> None:
    register(registry, MAP, 1, part_of="uri-gin/azgs/doc/map/DGM37-HuachucaMountainN/")
    using, event = collaborators(registry), rest_event(f"/about/{MAP}")
    before = registry.calls

    answer(read_request(event), using)
    first = registry.calls - before
    answer(read_request(event), using)

    # Its neighbours, the records it mentions, its parts.
    assert (first, registry.calls - before - first) == (3, 2)


def test_an_unavailable_registry_is_no_server_error() -> None:
    answered = ask(Away(), f"/about/{MAP}")

    assert answered.response.status == 503
    assert header(answered, "Retry-After") == "7"
    assert header(answered, "Cache-Control") == "no-store"


class Away:
    """A registry that does not answer."""

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        raise RegistryUnavailable(f"asked for {len(names)}", retry_after=7)

    def near(self, folded: str) -> Sequence[str]:
        raise RegistryUnavailable(f"asked for {folded}", retry_after=7)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        raise RegistryUnavailable(f"asked for {name} in {container}: {is_after}", retry_after=7)


@pytest.fixture
def handler(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The handler's module, built on a table in moto as Lambda would build it."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-west-2")
    monkeypatch.setenv("REGISTRY_TABLE", "registry")
    monkeypatch.setenv("STACK", "ginuri")
    monkeypatch.setenv("CANONICAL_HOST", HOST)
    monkeypatch.setenv("EDGE_SECRET", "")
    monkeypatch.setenv("PUBLISHED_BUCKET", "published")
    monkeypatch.setenv("GINURI_DYNAMODB_CLIENT", "botocore")  # moto intercepts only botocore
    with mock_aws():
        client = boto3.client("dynamodb")
        new_table(client, "registry")
        register(DynamoRegistry(client, "registry"), MAP, title={"en": "Geologic map"})
        yield importlib.import_module("describe.handler")  # it builds its clients when imported
        del sys.modules["describe.handler"]


def test_the_handler_answers_and_writes_one_line(
    handler: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    answered = handler.handle(rest_event(f"/about.json/{MAP}", headers={"Cookie": "secret"}), Context())

    (line,) = capsys.readouterr().out.splitlines()
    written = json.loads(line)
    assert answered["statusCode"] == 200
    assert json.loads(base64.b64decode(answered["body"]))["title"] == {"en": "Geologic map"}
    assert written["outcome"] == "Describe"
    assert written["status"] == 200
    assert written["path"] == f"/about.json/{MAP}"
    assert written["request_id"] == "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    assert "_aws" not in written
    assert "secret" not in line


def test_an_upload_that_restates_current_values_changes_no_description() -> None:
    steward = settled()
    text = line(DOC, title="Map", location="https://a.example/1", properties={"creator": "AZGS"})
    steward.upload(LINES, text)
    changed = steward.upload(LINES, line(DOC, title="Geologic map"))
    descriptions = Descriptions(steward.memory)
    before = {
        extension: descriptions.write(extension, DOC) for extension in ("html", "json", "ttl", "jsonld")
    }

    again = steward.upload("uri-gin/azgs/again.jsonl", line(DOC, title="Geologic map", reason=None))

    assert (changed.counts, again.counts) == ({"changed": 1}, {"unchanged": 1})
    assert {extension: descriptions.write(extension, DOC) for extension in before} == before
    assert b"wells.jsonl" in before["html"]
