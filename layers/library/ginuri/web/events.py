"""The events of the AWS front doors → a request, the path and the query byte for byte as they were sent.

A REST API, a function URL and a load balancer pass on the path byte for byte. An HTTP API decodes it once or
twice, cuts it at an escaped `?` and merges slashes, without a trace in its event: `/a/b` may have been
`/a%2Fb`, which is another identifier, and `/a` may have been `/a%3Fb`. Its events are therefore always
rejected: the operator notices the wrong front door with the first request, not years later by a wrong
redirect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from ginuri.frozen import Frozen
from ginuri.identifiers.errors import UnreadableRequest
from ginuri.registry.clock import Clock, utc_now
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.web.query import read_parameters
from ginuri.web.request import Request

Event = Mapping[str, Any]
# RFC 3986 §3.4  query = *( pchar / "/" / "?" )
# Escape the separators of pairs, and `;`, at which a REST API would split again.
_MARKS = "/?:@!$'()*,"
_PLAIN = rf"[A-Za-z0-9\-._~{_MARKS}]*"
_EDGE_SECRET, _EDGE_QUERY, _EDGE_HOST = "x-ginuri-edge", "x-ginuri-query", "x-ginuri-host"
_EDGE_PROTOCOL, _PROTOCOL = "cloudfront-forwarded-proto", "x-forwarded-proto"
PROTOCOLS = frozenset({"http", "https"})

FIELDS = frozenset(
    (
        *("accept", "accept-datetime", "accept-language", "accept-profile"),
        *("cloudfront-forwarded-proto", "content-type", "host"),
        *("if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range"),
        *("x-forwarded-proto", "x-ginuri-edge", "x-ginuri-host", "x-ginuri-query", "x-http-method-override"),
    )
)
"""The header fields that responses depend on; browsers send a dozen others."""


STEWARDS_FIELDS = frozenset(("authorization", "content-encoding", "idempotency-key", "prefer"))
"""Further header fields that the interface for stewards depends on."""


class FrontDoor(Frozen):
    """The functions that read the events of one front door."""

    method: Callable[[Event], str]
    path: Callable[[Event], str]
    query: Callable[[Event], str]


def read_request(
    event: Event, edge_secret: str | None = None, clock: Clock = utc_now, fields: Container[str] = FIELDS
) -> Request:
    """Read the event of a REST API, a function URL or an Application Load Balancer, and these header fields.

    `edge_secret` has the values of `X-Ginuri-Edge` that the edge in front may send, with blanks between them:
    only with one of them, the raw query in `X-Ginuri-Query`, the host in `X-Ginuri-Host` and the protocol in
    `CloudFront-Forwarded-Proto` are trusted. Empty or None means that there is no edge.
    Raises UnreadableRequest for any other event, such as that of an HTTP API.
    """
    door = front_door(event)
    headers = read_fields(event, fields)
    query, host, protocol = take_edge_secret(headers, edge_secret)
    is_as_sent = query is not None or door is FUNCTION_URL
    if query is None:
        query = door.query(event)
        decoded = (event.get("queryStringParameters") or {}) if door is REST_API else read_parameters(query)
    else:
        decoded = read_parameters(query)
    return Request(
        method=door.method(event),
        path=door.path(event),
        host=host or headers.get("host", ""),
        preferences=Preferences(
            headers.get("accept"),
            headers.get("accept-language"),
            headers.get("accept-profile"),
            headers.get("accept-datetime"),
        ),
        parameters=decoded,
        query=query,
        is_query_as_sent=is_as_sent,
        headers=headers,
        body=read_body(event),
        moment=clock(),
        protocol=protocol if protocol in PROTOCOLS else "",
    )


class EdgeSecret(NamedTuple):
    """The fields of a request that a trusted edge sent; None for those it did not send."""

    query: str | None = None
    """The raw query."""
    host: str | None = None
    """The host that the client requested."""
    protocol: str | None = None
    """The protocol that the client used."""


def take_edge_secret(fields: dict[str, str], secret: str | None) -> EdgeSecret:
    """Remove the fields of the edge and of the front door from the header and return their values.

    Any client can send `X-Ginuri-Query` and `X-Ginuri-Host`: they count only if `X-Ginuri-Edge` is one of the
    values in `secret`, the current and the next one. The removed fields reach neither a response nor a log.
    Without an edge the front door states the protocol in `X-Forwarded-Proto`; behind one, that field has the
    protocol between the two.
    """
    claimed, query = fields.pop(_EDGE_SECRET, None), fields.pop(_EDGE_QUERY, None)
    host = fields.pop(_EDGE_HOST, None)
    by_edge, by_door = fields.pop(_EDGE_PROTOCOL, None), fields.pop(_PROTOCOL, None)
    if claimed is None or not secret or not _is_one_of(_bytes(claimed), secret):
        return EdgeSecret(protocol=by_door)
    return EdgeSecret(query if query is None else tidy_query(query), host, by_edge)


def front_door(event: Event) -> FrontDoor:
    """Return the front door that an event comes from. Raises UnreadableRequest for an unsupported one."""
    context = event.get("requestContext") or {}
    version = event.get("version")
    if version is None:
        if "elb" in context:
            return LOAD_BALANCER
        if "httpMethod" in event and "path" in event:
            return REST_API
    elif ".lambda-url." in (context.get("domainName") or ""):
        return FUNCTION_URL
    elif "apiId" in context:
        raise UnreadableRequest(
            "an HTTP API decodes the paths it hands over, so that /a%2Fb and /a/b look the same: "
            "put a REST API, a function URL or an Application Load Balancer in its place"
        )
    raise UnreadableRequest("this is no event of a REST API, a function URL or an Application Load Balancer")


def read_fields(event: Event, wanted: Container[str] = FIELDS) -> dict[str, str]:
    """Read these header fields, in lower case; a repeated one is a list (RFC 9110 §5.1, §5.3).

    A load balancer passes on only the last of repeated fields unless its multi-value headers are enabled.
    """
    fields: dict[str, str] = {}
    several = event.get("multiValueHeaders")
    if several is None:
        several = {name: (value,) for name, value in (event.get("headers") or {}).items()}
    for name, values in several.items():
        field = name.lower()
        if field in wanted:
            value = values[0] if len(values) == 1 else ", ".join(values)
            fields[field] = f"{fields[field]}, {value}" if field in fields else value  # in other case
    return fields


def read_body(event: Event) -> bytes:
    """Read the body. Raises UnreadableRequest if it is flagged as base64 and is not."""
    body: str | None = event.get("body")
    if not body:
        return b""
    if not event.get("isBase64Encoded"):
        return body.encode("utf-8", "surrogatepass")
    import base64

    try:
        return base64.b64decode(body, validate=True)
    except ValueError as error:
        raise UnreadableRequest("the body is flagged as base64, and is not") from error


def rebuild_query(parameters: Mapping[str, Sequence[str]]) -> str:
    """Write decoded parameters as a query that decodes to the same, with names in the given order.

    Decoding loses the order of pairs with different names, the escapes, the difference between `a` and `a=`,
    and the difference between `;` and `&` as separators.
    """
    return "&".join(
        [f"{_escape(name)}={_escape(value, '=')}" for name, values in parameters.items() for value in values]
    )


def join_query(parameters: Mapping[str, Sequence[str]]) -> str:
    """Join split, undecoded parameters to the original query."""
    return tidy_query("&".join(f"{name}={value}" for name, values in parameters.items() for value in values))


def tidy_query(query: str) -> str:
    """Escape the characters of a query that are not allowed in a URI; leave the rest as sent."""
    return _escape(query, "=&;+%")


def _rest_path(event: Event) -> str:
    # Never from `pathParameters`, which lose the final slash.
    path: str = event["path"]
    context = event.get("requestContext") or {}
    full_path: str = context.get("path") or path
    stage = f"/{context.get('stage')}/"
    if full_path.startswith(stage):
        full_path = full_path[len(stage) - 1 :]
    # The gateway folds leading slashes in `path`, and only there.
    return full_path if full_path.startswith("//") and full_path.lstrip("/") == path.lstrip("/") else path


def _parameters(event: Event) -> Mapping[str, list[str]]:
    several: Mapping[str, list[str]] | None = event.get("multiValueQueryStringParameters")
    if several is not None:
        return several
    return {name: [value] for name, value in (event.get("queryStringParameters") or {}).items()}


def _escape(text: str, also: str = "") -> str:
    if re.fullmatch(_PLAIN, text):  # like most values
        return text
    from urllib.parse import quote

    return quote(text, _MARKS + also, errors="surrogatepass")


def _is_one_of(claimed: bytes, secret: str) -> bool:
    from hmac import compare_digest

    return any(compare_digest(claimed, _bytes(value)) for value in secret.split())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


REST_API = FrontDoor(itemgetter("httpMethod"), _rest_path, lambda event: rebuild_query(_parameters(event)))
FUNCTION_URL = FrontDoor(
    lambda event: event["requestContext"]["http"]["method"],
    itemgetter("rawPath"),  # not `requestContext.http.path`, which is decoded
    lambda event: tidy_query(event.get("rawQueryString") or ""),
)
LOAD_BALANCER = FrontDoor(
    itemgetter("httpMethod"),
    itemgetter("path"),
    lambda event: join_query(_parameters(event)),  # it splits the query but decodes nothing
)
