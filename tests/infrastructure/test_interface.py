"""What `/openapi.json` says is valid, and says something about every route of the template."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from ginuri.web.openapi.document import write_interface
from tests.infrastructure.stack import Stack


@pytest.fixture(scope="module")
def interface() -> dict[str, Any]:
    """The document as it is served."""
    document: dict[str, Any] = json.loads(write_interface("resources.example.org"))
    return document


def test_the_interface_is_a_valid_openapi_document(interface: dict[str, Any]) -> None:
    assert not list(OpenAPIV31SpecValidator(interface).iter_errors())


def test_every_route_of_the_template_is_described_and_no_other(
    stack: Stack, interface: dict[str, Any]
) -> None:
    routes = {route.partition(" ")[2] for route in stack.routes()}

    assert {re.sub(r"\{[a-z]+\}", "{proxy+}", path) for path in interface["paths"]} == routes


def test_every_status_that_an_identifier_is_answered_with_is_described(interface: dict[str, Any]) -> None:
    answers = interface["paths"]["/{identifier}"]["get"]["responses"]

    redirects = {"301", "302", "303", "307", "308"}
    problems = {"300", "400", "404", "405", "406", "410", "412", "416", "503"}
    assert set(answers) == {"200", "206", "304"} | redirects | problems
    assert {status for status, said in answers.items() if "Location" in said.get("headers", {})} == redirects
    assert all("application/problem+json" in answers[status]["content"] for status in problems)


def test_whatever_may_be_kept_is_said_to_have_a_tag_and_to_heed_conditions(interface: dict[str, Any]) -> None:
    read = {path: each["get"]["responses"] for path, each in interface["paths"].items()}

    never_kept = {"/explain", "/explain/{identifier}", "/resolve"}
    for status in ("304", "412"):
        assert {path for path, answers in read.items() if status in answers} == read.keys() - never_kept
    tagged = {path for path, answers in read.items() if "ETag" in answers.get("200", {}).get("headers", {})}
    assert tagged == read.keys() - never_kept


def test_what_is_stored_is_said_to_be_given_in_parts(interface: dict[str, Any]) -> None:
    read = {path: each["get"]["responses"] for path, each in interface["paths"].items()}

    stored = {"/{identifier}", "/sitemaps/{name}", "/feed.atom", "/registry.jsonl.gz"}
    for status in ("206", "307", "416"):
        assert {path for path, answers in read.items() if status in answers} == stored


def test_asking_for_nothing_is_not_offered(interface: dict[str, Any]) -> None:
    (uri,) = interface["paths"]["/resolve"]["get"]["parameters"]

    assert uri["required"]
    assert uri["schema"]["minLength"] == 1


def test_every_operation_can_be_told_from_the_others(interface: dict[str, Any]) -> None:
    operations = [
        operation["operationId"]
        for path in interface["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    ]

    assert len(set(operations)) == len(operations)
