"""A request, as every flow takes it, and the headers of responses that depend on it."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from datetime import datetime
from http import HTTPStatus

from ginuri.frozen import NOTHING, Frozen, replace
from ginuri.identifiers import Identifier
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.service_paths import ASSETS
from ginuri.registry.clock import BEGINNING
from ginuri.registry.locations import append_query
from ginuri.resolution.decision import Question
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences
from ginuri.resolution.outcomes import MethodNotAllowed, Options
from ginuri.resolution.resolve import TITLE
from ginuri.web.headers import OUTLASTING_ERRORS, cache
from ginuri.web.query import LANGUAGE, drop_parameters, keep_parameters
from ginuri.web.response import Response

_OVERRIDE = "x-http-method-override"
"""AWS REST APIs apply this header: the event has its method instead of the original one."""

_NOT_ALLOWED = HTTPStatus.METHOD_NOT_ALLOWED  # for speed: every redirect is compared with it
_FAILED, _EXPIRING = HTTPStatus.BAD_REQUEST, HTTPStatus.TEMPORARY_REDIRECT
_SECURITY_POLICY = "Content-Security-Policy"
_OWN_SCRIPTS = "script-src 'self'"
_HOST_SOURCE = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?"
"""A host that a policy can contain (CSP 3 §2.3.1, host-part and port-part)."""


class Request(Frozen):
    """A client's request, with everything that a response depends on."""

    method: str
    path: str
    """The sent path, with all its escapes and slashes."""
    host: str = ""
    """The host that the client requested; behind an edge, the one that the edge received."""
    preferences: Preferences = NO_PREFERENCES
    parameters: Mapping[str, str] = NOTHING
    """The decoded query; of repeated names, the last counts."""
    query: str = ""
    """The sent query if it is known, else a rebuilt one; without the `?`, in characters of a URI only."""
    is_query_as_sent: bool = False
    """Whether `query` is the original one; a rebuilt one lacks the details that decoding loses."""
    headers: Mapping[str, str] = NOTHING
    """The fields in `events.FIELDS`, by name in lower case; a repeated field is one list.

    They are untrusted: never repeat them in responses.
    """
    body: bytes = b""
    moment: datetime = BEGINNING
    """When it arrived, in UTC: the one reading of the clock that its answer depends on."""
    protocol: str = ""
    """`http` or `https` if the server, or a proxy that it trusts, states which one the client used."""

    def complete(self, reference: str) -> str:
        """Return a reference to a name on a host (`//id.example/doc/1`) with the protocol of the request.

        Clients compare addresses as texts. Without a known protocol the reference stays relative, which is
        right for both (RFC 3986 §4.2); a path stays a path, so that every trusted host works.
        """
        is_of_a_host = reference.startswith("//") and self.protocol
        return f"{self.protocol}:{reference}" if is_of_a_host else reference


def prefer_language(request: Request) -> Request:
    """Replace Accept-Language by the parameter `?lang=`, if a page has it."""
    language = request.parameters.get(LANGUAGE)
    if not language:
        return request
    return replace(request, preferences=replace(request.preferences, accept_language=language))


def drop_language(request: Request) -> str:
    """Return the path and the query of a page without the parameter that chooses its language."""
    query = drop_parameters(request.query, {LANGUAGE})
    return f"{request.path}?{query}" if query else request.path


def keep_language(address: str, request: Request) -> str:
    """Add the language parameter of the request, if any, to an address of the page."""
    if not request.parameters.get(LANGUAGE):
        return address
    return append_query(address, keep_parameters(request.query, {LANGUAGE}))


def refuse_method(request: Request, posted: Container[str] = ()) -> Options | MethodNotAllowed | None:
    """Return the outcome of a request that is no GET, HEAD, or POST to one of these paths; else None."""
    if request.method in {"GET", "HEAD"} or (request.method == "POST" and request.path in posted):
        return None
    return Options() if request.method == "OPTIONS" else MethodNotAllowed(request.method)


def guard_caches(response: Response, request: Request) -> Response:
    """Make a 405, and any response to an overridden method, `no-store`; let others outlast our errors.

    A cache in front of the gateway sees the sent method, not the one that overrides it: it would store the
    empty response to a HEAD, or a 405, as the response to a GET. Failures, and retired or withheld
    identifiers, must not be served from an old entry, and a 307 may lead to a link that expires.
    """
    if _OVERRIDE not in request.headers and response.status is not _NOT_ALLOWED:
        if response.status >= _FAILED or response.status is _EXPIRING:
            return response
        headers = tuple([OUTLASTING_ERRORS.get(header, header) for header in response.headers])
        return Response(response.status, headers, response.body, response.stream)
    kept = tuple(header for header in response.headers if header[0] != "Cache-Control")
    return Response(response.status, (*kept, *cache(0)), response.body, response.stream)


def limit_scripts(response: Response, host: str) -> Response:
    """Let a page load scripts from /assets/ of its host only: stewards may store scripts elsewhere on it.

    Without a scheme, a source matches the page's own, and https (CSP 3 §6.7.2.8). On a host that a policy
    cannot name, such as an IPv6 address, pages have no scripts.
    """
    if not response.body or not any(name == _SECURITY_POLICY for name, _ in response.headers):
        return response
    source = f"{host}/{ASSETS}/" if re.fullmatch(_HOST_SOURCE, host) else "'none'"
    headers = [
        (name, value.replace(_OWN_SCRIPTS, f"script-src {source}") if name == _SECURITY_POLICY else value)
        for name, value in response.headers
    ]
    return Response(response.status, tuple(headers), response.body)


def ask_about(
    identifier: Identifier | MalformedIdentifier, request: Request, canonical_host: str
) -> Question:
    """Return a request's question about an identifier, or about a malformed one."""
    hosts = (request.host, canonical_host)
    title = request.parameters.get(TITLE, "")
    return Question(identifier, request.moment, hosts, request.preferences, request.query, title)
