"""What `/openapi.json` says of the resolution services of RFC 2169."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginuri.identifiers.service_paths import URI_RES
from ginuri.resolution.urn_services import MULTIPART, URI_LIST, WORDS, Service

_Object = Mapping[str, Any]
_Operation = Callable[[str, str, _Object], dict[str, Any]]
_SERVICE = {
    "name": "service",
    "in": "path",
    "required": True,
    "description": "; ".join(f"{each}: {words.lower()}" for each, words in WORDS.items()),
    "schema": {"type": "string", "enum": [*Service]},
}


def describe_resolution(
    operation: _Operation,
    problem: Callable[[str], _Object],
    redirect: Callable[[str], _Object],
    validated: Callable[[_Object], _Object],
) -> dict[str, Any]:
    """Describe the path; the arguments write an operation, a problem, a redirect, and what has an `ETag`."""
    described = operation(
        "resolveName",
        "What is known by a name (RFC 2169). The whole query is the identifier, as `?urn:isbn:0451450523`",
        validated(
            {
                "200": {
                    "description": "A list",
                    "content": {each: {} for each in (URI_LIST, MULTIPART, "text/html")},
                },
                "300": problem("It may be any of several"),
                "303": redirect("Where it is"),
                "404": problem("Nobody registered it, it is reserved, or there is no such service"),
                "406": problem("It cannot be had in an acceptable form"),
                "410": problem("It is retired"),
            }
        ),
    )
    return {f"/{URI_RES}/{{service}}": {"parameters": [_SERVICE], "get": described}}
