"""An HTTP request as the event that a REST API sends to a function (proxy integration).

After recordings of AWS: the path is never decoded, the query always is; repeated headers are complete only in
`multiValueHeaders`; a leading `//` is collapsed in `path` and kept in `requestContext.path`; a final slash is
lost only in `pathParameters`.
"""

import base64
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from infra.local.gateway.routes import Match
from infra.local.template import ACCOUNT

# The gateway writes these names in its own way, and passes on all others unchanged.
_CAPITALS = {"host": "Host", "user-agent": "User-Agent"}
_NOBODY = dict.fromkeys(
    [
        "accessKey",
        "accountId",
        "caller",
        "cognitoAuthenticationProvider",
        "cognitoAuthenticationType",
        "cognitoIdentityId",
        "cognitoIdentityPoolId",
        "principalOrgId",
        "user",
        "userArn",
    ]
)
_DROPPED = {"connection", "content-length", "content-md5", "expect", "max-forwards", "proxy-authenticate"} | {
    "server",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "www-authenticate",
}


@dataclass(frozen=True)
class HttpRequest:
    """A received request: `path` and `query` are raw, header names in lower case."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    client: str
    port: int

    def header(self, name: str) -> str:
        """Return the last value of a header, or an empty string."""
        return next((value for key, value in reversed(self.headers) if key == name), "")


def proxy_event(request: HttpRequest, match: Match, stage: str, api_id: str) -> dict[str, Any]:
    """Return the event for a request on the route of `match`."""
    headers = _headers(request)
    query = _many(parse_qsl(request.query.replace(";", "&"), keep_blank_values=True, errors="replace"))
    return {
        "resource": match.resource,
        "path": "/" + request.path.lstrip("/"),
        "httpMethod": request.method,
        "headers": {name: values[-1] for name, values in headers.items()},
        "multiValueHeaders": headers,
        "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": match.parameters or None,
        "stageVariables": None,
        "requestContext": _context(request, match, stage, api_id),
        "body": base64.b64encode(request.body).decode("ascii") if request.body else None,
        "isBase64Encoded": bool(request.body),
    }


def _headers(request: HttpRequest) -> dict[str, list[str]]:
    passed = [(name, value) for name, value in request.headers if name not in _DROPPED]
    forwarded = request.header("x-forwarded-for")
    ours = {
        "X-Amzn-Trace-Id": f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]}",
        "X-Forwarded-For": f"{forwarded}, {request.client}" if forwarded else request.client,
        "X-Forwarded-Port": str(request.port),
        "X-Forwarded-Proto": "http",
    }
    replaced = {name.lower() for name in ours}
    kept = [(_CAPITALS.get(name, name), value) for name, value in passed if name not in replaced]
    return _many([*kept, *ours.items()])


def _many(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped


def _context(request: HttpRequest, match: Match, stage: str, api_id: str) -> dict[str, Any]:
    now = datetime.now(UTC)
    host = request.header("host").partition(":")[0]
    return {
        "accountId": ACCOUNT,
        "apiId": api_id,
        "domainName": host,
        "domainPrefix": host.partition(".")[0],
        "extendedRequestId": uuid.uuid4().hex[:15] + "=",
        "httpMethod": request.method,
        "identity": _NOBODY | {"sourceIp": request.client, "userAgent": request.header("user-agent") or None},
        "path": f"/{stage}{request.path}",
        "protocol": "HTTP/1.1",
        "requestId": str(uuid.uuid4()),
        "requestTime": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "requestTimeEpoch": int(now.timestamp() * 1000),
        "resourceId": "local",
        "resourcePath": match.resource,
        "stage": stage,
    }
