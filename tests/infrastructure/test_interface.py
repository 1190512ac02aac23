"""The document at `/openapi.json` is valid, and describes every route of the template."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from ginuri.identifiers.service_paths import ABOUT, API, MEMBERS
from ginuri.registry.model import Status
from ginuri.resolution.descriptions.formats import COMMON_FORMATS, FORMATS, LIST_FORMATS
from ginuri.urn_services.decision import Service
from ginuri.web.answers.interface import write_interface
from ginuri.web.lookups import MOST_LISTED as MOST_LOOKED_UP
from ginuri.web.search.requests import MOST_ASKED, MOST_LISTED, MOST_PAGES, PAGE, TYPES
from infra.openapi import SERVED, WRITTEN, as_json
from tests.infrastructure.stack import Stack
from tests.interface import operations, read_interface


@pytest.fixture(scope="module")
def interface() -> dict[str, Any]:
    """The served document."""
    document: dict[str, Any] = json.loads(write_interface("resources.example.org"))
    return document


def test_the_interface_is_a_valid_openapi_document(interface: dict[str, Any]) -> None:
    assert not list(OpenAPIV31SpecValidator(interface).iter_errors())


def test_exactly_the_routes_of_the_template_are_described(stack: Stack, interface: dict[str, Any]) -> None:
    routes = {route.partition(" ")[2] for route in stack.routes()}
    described = {path for path in interface["paths"] if not path.startswith(f"/{API}/")}

    # Its own resolver has the routes below /api; tests/unit/api compares them with this document.
    assert {re.sub(r"\{[a-z]+\}", "{proxy+}", path) for path in described} == {
        route for route in routes if route.split("/")[1] != API
    }


def test_every_format_is_described_with_its_media_type() -> None:
    described = {
        path: list(each["get"]["responses"]["200"].get("content", ()))
        for path, each in read_interface()["paths"].items()
        if path.startswith((f"/{ABOUT}", f"/{MEMBERS}"))
    }

    rest = "/{identifier}"
    assert described == {
        f"/{ABOUT}": [row.media_type for row in COMMON_FORMATS.values()],
        f"/{ABOUT}{rest}": [row.media_type for row in FORMATS.values()],
        f"/{MEMBERS}{rest}": [row.media_type for row in LIST_FORMATS.values()],
        **{f"/{ABOUT}.{name}": [row.media_type] for name, row in COMMON_FORMATS.items()},
        **{f"/{ABOUT}.{name}{rest}": [row.media_type] for name, row in FORMATS.items()},
        **{f"/{MEMBERS}.{name}{rest}": [row.media_type] for name, row in LIST_FORMATS.items()},
    }


def test_every_cacheable_answer_is_documented_with_tag_and_conditions() -> None:
    paths = read_interface()["paths"].items()
    read = {path: each["get"]["responses"] for path, each in paths if not path.startswith(f"/{API}/")}

    never_kept = {"/explain", "/explain/{identifier}", "/resolve", "/docs"}  # the last path only redirects
    for status in ("304", "412"):
        assert {path for path, answers in read.items() if status in answers} == read.keys() - never_kept
    tagged = {path for path, answers in read.items() if "ETag" in answers.get("200", {}).get("headers", {})}
    assert tagged == read.keys() - never_kept


def test_the_interface_requires_an_identifier() -> None:
    (uri,) = read_interface()["paths"]["/resolve"]["get"]["parameters"]

    assert uri["required"]
    assert uri["schema"]["minLength"] == 1


def test_every_operation_has_a_unique_name(interface: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(interface)]

    assert len(set(names)) == len(names)


def test_redirects_have_a_location_and_cacheable_answers_a_tag() -> None:
    responses = [
        (status, response.get("headers", {}))
        for _, _, operation in operations(read_interface())
        for status, response in operation["responses"].items()
    ]

    redirects = {"301", "302", "303", "307", "308"}
    assert all("Location" in headers for status, headers in responses if status in redirects)
    assert all("ETag" in headers for status, headers in responses if status in {"206", "304"})


def test_the_limits_are_those_of_the_functions(interface: dict[str, Any]) -> None:
    components = interface["components"]
    parameters = {name: each["schema"] for name, each in components["parameters"].items()}

    assert components["schemas"]["Identifiers"]["maxItems"] == MOST_LOOKED_UP
    assert parameters["service"]["enum"] == [*Service]
    assert parameters["status"]["enum"] == [*Status]
    assert parameters["q"]["maxLength"] == MOST_ASKED
    assert parameters["page"]["maximum"] == MOST_PAGES
    assert (parameters["most"]["maximum"], parameters["most"]["default"]) == (MOST_LISTED, PAGE)
    assert all(kind in components["parameters"]["type"]["description"] for kind in TYPES)


def test_the_served_interface_matches_its_source() -> None:
    written = as_json(WRITTEN.read_text(encoding="utf-8"))

    assert SERVED.read_text(encoding="utf-8") == written, "run `make openapi`"


def test_every_referable_part_is_used() -> None:
    served = SERVED.read_text(encoding="utf-8")
    components = json.loads(served)["components"]

    parts = {
        f"#/components/{kind}/{name}"
        for kind, named in components.items()
        for name in named
        if kind != "securitySchemes"
    }
    assert parts == set(re.findall(r'"\$ref": "([^"]+)"', served))
