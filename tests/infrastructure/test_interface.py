"""What `/openapi.json` says is valid, and says something about every route of the template."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from ginuri.web.openapi import write_interface
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
    routes = {route.partition(" ")[2].replace("{proxy+}", "{identifier}") for route in stack.routes()}

    assert set(interface["paths"]) == routes


def test_every_operation_can_be_told_from_the_others(interface: dict[str, Any]) -> None:
    operations = [
        operation["operationId"]
        for path in interface["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    ]

    assert len(set(operations)) == len(operations)
