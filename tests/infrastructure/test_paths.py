"""One table of paths: the library, the template and the interface agree on it."""

from __future__ import annotations

import re

import pytest

from ginuri.identifiers.service_paths import API
from ginuri.service.paths import POSTED, ROUTES, Flow, flow_of
from tests.infrastructure.stack import Stack
from tests.interface import read_interface


def _function(flow: Flow) -> str:
    return {Flow.RESOLVE: "ResolveFunction", Flow.API: "ApiFunction"}.get(flow, "DescribeFunction")


def test_the_template_has_the_routes_of_the_table(stack: Stack) -> None:
    assert stack.routes() == {f"ANY {path}": _function(flow) for path, flow in ROUTES.items()}


def test_the_interface_posts_to_the_paths_of_the_table() -> None:
    described = read_interface()["paths"]
    public = {path: each for path, each in described.items() if not path.startswith(f"/{API}/")}
    routes = {path for path, flow in ROUTES.items() if flow is not Flow.API}

    assert {re.sub(r"\{[a-z]+\}", "{proxy+}", path) for path in public} == routes
    assert {path for path, operations in public.items() if "post" in operations} == POSTED


@pytest.mark.parametrize(("path", "flow"), ROUTES.items())
def test_a_path_belongs_to_the_flow_of_its_route(path: str, flow: Flow) -> None:
    assert flow_of(path.replace("{proxy+}", "uri-gin/azgs/")) is flow


@pytest.mark.parametrize(
    ("path", "flow"),
    [
        ("//", Flow.DESCRIPTIONS),
        ("/api/", Flow.API),
        ("//api/me", Flow.DESCRIPTIONS),
        ("/search/", Flow.DESCRIPTIONS),
        ("//explain/uri-gin/azgs/", Flow.DESCRIPTIONS),
        ("/explain/", Flow.SERVICES),
        ("/search/x", Flow.RESOLVE),
        ("/members/", Flow.RESOLVE),
        ("/uri-res/", Flow.RESOLVE),
        ("/about.xyz/uri-gin/azgs/", Flow.RESOLVE),
        ("/uri-gin/azgs/", Flow.RESOLVE),
    ],
)
def test_a_path_without_an_own_route_is_resolved_or_described(path: str, flow: Flow) -> None:
    assert flow_of(path) is flow
