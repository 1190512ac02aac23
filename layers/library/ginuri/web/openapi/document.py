"""The description of all paths in OpenAPI 3.1, served at `/openapi.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ginuri.identifiers.service_paths import (
    ABOUT,
    EXPLAIN,
    LINKSET_TYPES,
    OPENAPI,
    RESOLVE,
    TIMEMAP_TYPES,
    members_path,
    timemap_path,
)
from ginuri.resolution.description_paths import FORMATS, LIST_FORMATS
from ginuri.web.answers.problems import PROBLEM
from ginuri.web.lookups import MOST_LISTED
from ginuri.web.openapi.publications import describe_publications
from ginuri.web.openapi.resolution import describe_resolution
from ginuri.web.openapi.schemas import SCHEMAS, TEXT

_VERSION = "1.0.0"
"""Of the interface, not of a release."""
_JSON = "application/json"
_Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Interface:
    """The description of all paths is given."""


def write_interface(canonical_host: str) -> bytes:
    """Write the document, in UTF-8."""
    return json.dumps(describe_interface(canonical_host), ensure_ascii=False, indent=1).encode()


def describe_interface(canonical_host: str) -> dict[str, Any]:
    """Give the document as plain JSON values."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ginuri",
            "version": _VERSION,
            "summary": "A resolver and registry for persistent identifiers.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}, {"url": f"http://{canonical_host}/"}],
        "paths": {
            "/": {
                "get": _operation(
                    "describeThisHost", "This host's own description", _validated(_descriptions())
                )
            },
            "/{identifier}": {"parameters": [_IDENTIFIER], "get": _dereference()},
            **_about(),
            f"/{EXPLAIN}": {"get": _operation("explainUsage", "How to ask for an explanation", {})},
            f"/{EXPLAIN}/{{identifier}}": {"parameters": [_IDENTIFIER], "get": _explain()},
            **_members(),
            **_timemaps(),
            f"/{RESOLVE}": {"get": _resolve(), "post": _resolve_many()},
            **describe_resolution(_operation, _problem, _redirect, _validated),
            **describe_publications(_operation, _problem, _redirect, _validated),
            f"/{OPENAPI}": {"get": _operation("describeInterface", "This document", _validated(_ok(_JSON)))},
        },
        "components": {"schemas": SCHEMAS},
    }


_IDENTIFIER = {
    "name": "identifier",
    "in": "path",
    "required": True,
    "description": (
        "An identifier in normal form, as `uri-gin/azgs/`: the exact rest of the path. "
        "Its slashes and its escapes are part of it and are sent as they are; `%2F` is no slash. "
        "OpenAPI 3.1 has no way to say so: a client that escapes what it puts into a path calls "
        f"`/{RESOLVE}?uri=` in place of `/{{identifier}}` and follows the redirect. Below the paths of the "
        "service (`/about/…`, `/explain/…`, `/members/…`, `/timemap/…`) an identifier that begins with its "
        "scheme, or with `http:`, may also be escaped as a whole: `uri-gin%2Fazgs%2F`."
    ),
    "schema": {"type": "string"},
    "examples": {"a name authority": {"value": "uri-gin/azgs/"}},
}
_PREFERRED_ITEMS = [
    {
        "name": name,
        "in": "header",
        "description": "Counts for every identifier listed; Accept does not: it speaks of the list.",
        "schema": TEXT,
    }
    for name in ("Accept-Datetime", "Accept-Language", "Accept-Profile")
]


def _about() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for extension in ("", *FORMATS):
        path = f"/{ABOUT}.{extension}" if extension else f"/{ABOUT}"
        name = extension.capitalize()
        given = _validated(_ok(FORMATS[extension].media_type or "") if extension else _descriptions())
        about_host = _operation(f"describeHost{name}", "The description of this host", given)
        moved = {"301": _redirect("Another writing"), "303": _redirect("A part: what it is a part of")}
        described = _operation(
            f"describe{name}",
            "The description of an identifier",
            {**given, **moved, "404": _problem("Nobody registered it")},
        )
        paths[path] = {"get": about_host}
        paths[f"{path}/{{identifier}}"] = {"parameters": [_IDENTIFIER], "get": described}
    return paths


def _members() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    after = {
        "name": "after",
        "in": "query",
        "description": "The cursor of the page: the identifier that the page before it ended with.",
        "schema": TEXT,
    }
    for extension in ("", *LIST_FORMATS):
        forms = (LIST_FORMATS[extension],) if extension else tuple(LIST_FORMATS.values())
        listed = _operation(
            f"listMembers{extension.capitalize()}",
            "What is under an identifier, or part of it, in pages",
            _validated(
                {
                    "200": {
                        "description": "A page",
                        "content": {each.media_type or "": {} for each in forms},
                    },
                    "301": _redirect("Another writing"),
                    "404": _problem("Nobody registered it"),
                }
            ),
        )
        path = members_path("{identifier}", extension=extension)
        paths[path] = {"parameters": [_IDENTIFIER], "get": {**listed, "parameters": [after]}}
    return paths


def _timemaps() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for extension in ("", *TIMEMAP_TYPES):
        types = (TIMEMAP_TYPES[extension],) if extension else tuple(TIMEMAP_TYPES.values())
        listed = _operation(
            f"listVersions{extension.capitalize()}",
            "Every version of a document or a thing with its moment (RFC 7089: a TimeMap)",
            _validated(
                {
                    "200": {"description": "The versions", "content": {each: {} for each in types}},
                    "301": _redirect("Another writing"),
                    "302": _redirect("It is a version itself: the list of all"),
                    "404": _problem("It has no versions"),
                }
            ),
        )
        path = timemap_path("{identifier}", extension=extension)
        paths[path] = {"parameters": [_IDENTIFIER], "get": listed}
    return paths


def _dereference() -> dict[str, Any]:
    return _operation(
        "dereference",
        "What an identifier stands for; negotiated",
        _validated(
            {
                "200": {"description": "A stored representation", "content": {"*/*": {}}},
                "206": {"description": "A range of it", "content": {"*/*": {}}},
                "300": _choice("It may be any of several"),
                "301": _redirect("The normal form, or what it is an alias of"),
                "302": _redirect("The representation, or the one writing that is registered"),
                "303": _redirect("A representation, or the description, of a thing"),
                "307": _redirect("The host that answers for it, or a link to a large file"),
                "308": _redirect("A representation elsewhere, for good"),
                "404": _problem("Nobody registered it, or it is reserved"),
                "406": _choice("It cannot be had in an acceptable form"),
                "410": _problem("It is retired"),
                "416": _problem("The range is not in it"),
            }
        ),
    )


def _explain() -> dict[str, Any]:
    return _operation(
        "explain",
        "The decision and its steps, instead of acting on it",
        {
            "200": {
                "description": "The explanation",
                "content": {_JSON: _schema("Explanation"), "text/html": {}},
            },
            "404": _problem("It is bound to a host that is not registered here"),
        },
    )


def _resolve() -> dict[str, Any]:
    operation = _operation(
        "resolve",
        "The way to an identifier in any form; the call for clients that escape slashes in a path",
        {"302": _redirect("Its path"), "404": _problem("It is bound to a host that is not registered here")},
    )
    uri = {
        "name": "uri",
        "in": "query",
        "required": True,
        "description": (
            "A full URI on any host, a path or a bare identifier, percent-encoded. Angle brackets, quotes, "
            "`URL:` and blanks around it, line breaks within it, and a final dot of the host are taken off."
        ),
        "schema": {"type": "string", "minLength": 1},
        "example": "http://resources.usgin.org/uri-gin/azgs/",
    }
    return {**operation, "parameters": [uri]}


def _resolve_many() -> dict[str, Any]:
    listed = {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
    identifiers = {"$ref": "#/components/schemas/Identifiers"}
    wrapped = {"type": "object", "required": ["uris"], "properties": {"uris": identifiers}}
    operation = _operation(
        "resolveMany",
        f"What each of up to {MOST_LISTED} identifiers gets, other writings of registered ones included",
        {
            "200": {
                "description": "One item an identifier, in order",
                "content": {_JSON: {"schema": listed}},
            },
            "413": _problem("Too many, or too long a body"),
            "422": _problem("No list of strings"),
        },
    )
    body = {"required": True, "content": {_JSON: {"schema": {"oneOf": [identifiers, wrapped]}}}}
    return {**operation, "parameters": _PREFERRED_ITEMS, "requestBody": body}


def _operation(name: str, summary: str, responses: _Object) -> dict[str, Any]:
    errors = {
        "400": _problem("It cannot be one"),
        "405": _problem("Another method"),
        "503": _problem("Ask again"),
    }
    return {"operationId": name, "summary": summary, "responses": {**responses, **errors}}


def _descriptions() -> _Object:
    content: _Object = {form.media_type or "": {} for form in FORMATS.values()}
    return {
        "200": {"description": "The description", "content": content},
        "406": _problem("It cannot be had in an acceptable form"),
    }


def _ok(media_type: str) -> _Object:
    return {"200": {"description": "The document", "content": {media_type: {}}}}


def _validated(responses: _Object) -> _Object:
    tag = {"description": "A strong entity tag", "required": True, "schema": TEXT}
    return {
        **responses,
        "200": {**responses["200"], "headers": {"ETag": tag}},
        "304": {"description": "It has not changed", "headers": {"ETag": tag}},
        "412": _problem("It is not the version that was expected"),
    }


def _redirect(description: str) -> _Object:
    location = {"description": "Where it is", "required": True, "schema": TEXT}
    return {"description": description, "headers": {"Location": location}}


def _problem(description: str) -> _Object:
    return {"description": description, "content": {PROBLEM: _schema("Problem"), "text/html": {}}}


def _choice(description: str) -> _Object:
    content = {**_problem(description)["content"], **{each: {} for each in LINKSET_TYPES.values()}}
    return {"description": description, "content": content}


def _schema(name: str) -> _Object:
    return {"schema": {"$ref": f"#/components/schemas/{name}"}}
