"""Expands the variables of mod_rewrite: `$1`, `%1`, `%{HTTP_ACCEPT}`, `${map:key}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ginuri.identifiers.messages import message
from ginuri.migration.apache.requests import Request, UnsupportedConfiguration

_PART = re.compile(r"\\(.)|\$(\d)|%(\d)|%\{([^}]*)\}|\$\{(\w+):([^}|]*)(?:\|[^}]*)?\}", re.DOTALL)
_FIXED = {
    "REQUEST_METHOD": "GET",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "REQUEST_SCHEME": "https",
    "HTTPS": "on",
    "SERVER_PORT": "443",
    "IS_SUBREQ": "false",
    "DOCUMENT_ROOT": "",
    "CONTEXT_DOCUMENT_ROOT": "",
    "CONTEXT_PREFIX": "",
}
_UNKNOWN = re.compile("REMOTE_|AUTH_|TIME|SERVER_ADDR|SSL:|LA-[UF]:")


@dataclass(frozen=True, slots=True)
class Scope:
    """What variables refer to."""

    request: Request
    host: str
    filename: str
    environment: Mapping[str, str]
    groups: re.Match[str] | None = None
    """The match of the rule's pattern."""
    tested: re.Match[str] | None = None
    """The match of the last condition."""


def expand_variables(text: str, scope: Scope) -> str:
    """Expand the variables of a text. Raises UnsupportedConfiguration."""
    return (
        _PART.sub(lambda found: _expand(found, scope), text)
        if "$" in text or "%" in text or "\\" in text
        else text
    )


def _expand(found: re.Match[str], scope: Scope) -> str:
    escaped, group, tested, name, map_name, _ = found.groups()
    if escaped is not None:
        return str(escaped)
    if group is not None:
        return _group(scope.groups, int(group))
    if tested is not None:
        return _group(scope.tested, int(tested))
    if map_name is not None:
        raise UnsupportedConfiguration(message("A rule has nothing like {expression}.", expression=found[0]))
    return _look_up(name, scope)


def _group(found: re.Match[str] | None, number: int) -> str:
    return found[number] or "" if found is not None and number <= found.re.groups else ""


def _look_up(name: str, scope: Scope) -> str:
    kind, colon, key = name.partition(":")
    if colon and kind == "ENV":
        return scope.environment.get(key, "")
    header = (
        key if colon and kind == "HTTP" else name[5:].replace("_", "-") if name.startswith("HTTP_") else ""
    )
    if header:
        return scope.host if header.lower() == "host" else scope.request.headers.get(header)
    if _UNKNOWN.match(name):
        raise UnsupportedConfiguration(message("The answer depends on {variable}.", variable=f"%{{{name}}}"))
    return _of_request(scope).get(name, "")


def _of_request(scope: Scope) -> Mapping[str, str]:
    path, query = scope.request.path, scope.request.query
    return _FIXED | {
        "SERVER_NAME": scope.host,
        "REQUEST_URI": path,
        "REQUEST_FILENAME": scope.filename,
        "SCRIPT_FILENAME": scope.filename,
        "QUERY_STRING": query,
        "THE_REQUEST": f"GET {path}{'?' if query else ''}{query} HTTP/1.1",
    }
