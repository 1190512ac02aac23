"""The functions of paths: the routes of the created API, and the gateway's choice among them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from infra.local.aws.permissions import as_list
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.resources import Resources, function_name

_ANY = "x-amazon-apigateway-any-method"
_FUNCTION = re.compile(r":function:(?P<name>[^:/]+)(?::[^:/]+)?/invocations$")


@dataclass(frozen=True)
class Route:
    """A resource of the API: its segments, the methods it knows (`ANY`: all), the function by its name."""

    resource: str
    methods: frozenset[str]
    function: str
    permitted: bool  # may the API call the function?

    @property
    def segments(self) -> tuple[str, ...]:
        """The parts of the path between slashes."""
        return tuple(self.resource.split("/")[1:])


@dataclass(frozen=True)
class Match:
    """The chosen route, and the value of its `{proxy+}`."""

    route: Route
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def resource(self) -> str:
        """The route as in the template."""
        return self.route.resource


def read_routes(resources: Resources) -> tuple[Route, ...]:
    """Return the routes of the stack's one API.

    Raises TemplateRefused unless its media types are as binary as the events here.
    """
    [api] = resources.of_kind("AWS::ApiGateway::RestApi")
    body = api.properties["Body"]
    binary = api.properties.get("BinaryMediaTypes") or body.get("x-amazon-apigateway-binary-media-types", [])
    if [media_type.replace("~1", "/") for media_type in binary] != ["*/*"]:
        raise TemplateRefused("the API must take */* for binary: nothing else is built here")
    permitted = _permitted(resources, api.physical_id)
    return tuple(_route(path, item, permitted) for path, item in body["paths"].items())


def choose(routes: Sequence[Route], method: str, path: str) -> Match | None:
    """Return the route for a raw path: a literal segment beats `{proxy+}`; a final slash does not count."""
    segments = path.strip("/").split("/")
    matches = [match for route in routes if (match := _match(route, method, segments))]
    return max(matches, key=lambda match: _literals(match.route), default=None)


def _route(path: str, item: dict[str, Any], permitted: frozenset[str]) -> Route:
    methods = frozenset("ANY" if name == _ANY else name.upper() for name in item)
    uris = {method["x-amazon-apigateway-integration"]["uri"] for method in item.values()}
    found = _FUNCTION.search(uris.pop())
    if found is None or uris:
        raise TemplateRefused(f"{path}: one function must answer every method")
    return Route(path, methods, found["name"], found["name"] in permitted)


def _permitted(resources: Resources, api_id: str) -> frozenset[str]:
    """Return the functions that the API may call, whatever the method and path."""
    return frozenset(
        function_name(permission.properties["FunctionName"])
        for permission in resources.of_kind("AWS::Lambda::Permission")
        if permission.properties["Principal"] == "apigateway.amazonaws.com"
        and "lambda:InvokeFunction" in as_list(permission.properties["Action"])
        and f":{api_id}/" in permission.properties.get("SourceArn", f":{api_id}/")
    )


def _literals(route: Route) -> int:
    return sum(not segment.startswith("{") for segment in route.segments)


def _match(route: Route, method: str, segments: list[str]) -> Match | None:
    if not route.methods & {"ANY", method}:
        return None
    *literal, last = route.segments
    if last != "{proxy+}":
        return Match(route) if list(route.segments) == segments else None
    rest = segments[len(literal) :]
    if segments[: len(literal)] != literal or not any(rest):
        return None
    return Match(route, {"proxy": "/".join(rest)})
