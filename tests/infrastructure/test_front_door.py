"""The API passes on every path as sent, and has a route for every path of the service."""

from __future__ import annotations

from pathlib import Path

from ginuri.identifiers.service_paths import (
    ABOUT,
    DESK,
    HEALTH,
    MEMBERS,
    REPORTS,
    SERVICE_PATHS,
    TIMEMAP,
    TIMEMAP_TYPES,
)
from ginuri.resolution.descriptions.formats import COMMON_FORMATS, FORMATS, LIST_FORMATS
from tests.infrastructure.stack import Stack, referred

NOT_IN_AWS = {DESK, HEALTH, REPORTS}
"""The paths that no function answers: of servers on one machine, and those of later versions."""


def test_the_api_has_exactly_the_routes_of_the_service_paths(stack: Stack) -> None:
    segments = {route.partition(" ")[2].split("/")[1] for route in stack.routes()}
    with_extensions = {
        *(f"{ABOUT}.{extension}" for extension in FORMATS),
        *(f"{MEMBERS}.{extension}" for extension in LIST_FORMATS),
        *(f"{TIMEMAP}.{extension}" for extension in TIMEMAP_TYPES),
    }

    assert segments - {"", "{proxy+}"} == (SERVICE_PATHS - NOT_IN_AWS) | with_extensions, (
        "a path is in service_paths.py, in template.yaml and in openapi.yaml, or in NOT_IN_AWS"
    )


def test_every_format_has_its_routes(stack: Stack) -> None:
    routes = {route.partition(" ")[2] for route in stack.routes()}
    ours = {route for route in routes if route.startswith((f"/{ABOUT}.", f"/{MEMBERS}."))}

    assert ours == {
        *(f"/{ABOUT}.{extension}/{{proxy+}}" for extension in FORMATS),
        # A host has no citation.
        *(f"/{ABOUT}.{extension}" for extension in COMMON_FORMATS),
        *(f"/{MEMBERS}.{extension}/{{proxy+}}" for extension in LIST_FORMATS),
    }


def test_resolve_answers_all_other_paths(stack: Stack) -> None:
    functions = stack.routes()

    assert functions.pop("ANY /{proxy+}") == "ResolveFunction"
    assert set(functions.values()) == {"ApiFunction", "DescribeFunction"}
    assert {route.partition(" ")[0] for route in functions} == {"ANY"}


def test_the_api_is_regional_and_treats_every_answer_as_binary(stack: Stack) -> None:
    [api] = stack.of_type("AWS::ApiGateway::RestApi").values()

    assert api["EndpointConfiguration"]["Types"] == ["REGIONAL"]
    assert api["Body"]["x-amazon-apigateway-binary-media-types"] == ["*/*"]


def test_the_api_has_one_stage(stack: Stack) -> None:
    stages = stack.of_type("AWS::ApiGateway::Stage").values()

    assert [stage["StageName"] for stage in stages] == ["live"]


def test_every_route_may_invoke_its_function(stack: Stack) -> None:
    invoked = {
        referred(permission["FunctionName"])
        for permission in stack.of_type("AWS::Lambda::Permission").values()
        if permission["Principal"] == "apigateway.amazonaws.com"
    }

    assert invoked == set(stack.routes().values())


def test_no_front_door_decodes_paths(stack: Stack) -> None:
    kinds = {resource["Type"] for resource in stack.resources.values()}

    assert not {kind for kind in kinds if kind.startswith(("AWS::ApiGatewayV2::", "AWS::Lambda::Url"))}


def test_the_stage_limits_requests_by_its_parameters(root: Path, stack: Stack) -> None:
    [stage] = stack.of_type("AWS::ApiGateway::Stage").values()
    throttled, *others = stage["MethodSettings"]
    api = [then for _condition, then, _otherwise in (setting["Fn::If"] for setting in others)]
    parameters = stack.template["Parameters"]
    page = (root / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")

    assert (throttled["ResourcePath"], throttled["HttpMethod"]) == ("/*", "*")
    assert throttled["ThrottlingRateLimit"] == {"Ref": "RequestsPerSecond"}
    assert throttled["ThrottlingBurstLimit"] == {"Ref": "RequestBurst"}
    assert {setting["ResourcePath"] for setting in api} == {"/~1api~1{proxy+}"}
    assert {setting["HttpMethod"] for setting in api} == {
        *["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    }
    assert all(setting["ThrottlingRateLimit"] == {"Ref": "ApiRequestsPerSecond"} for setting in api)
    assert all(setting["ThrottlingBurstLimit"] == {"Ref": "ApiRequestBurst"} for setting in api)
    rate, burst = (parameters[name]["Default"] for name in ("RequestsPerSecond", "RequestBurst"))
    assert f"takes {rate} requests a second for each route, and {burst:,} at once" in page
