"""WSGI middleware before moto: checks requests that are signed in their query, as S3 does and moto does not.

After "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)" of the S3 API reference.
Other requests come from the own clients of this stack, and are not checked.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote

from moto.sts.models import sts_backends
from werkzeug.wrappers import Response

from infra.local.aws.clients import USER
from infra.local.template import ACCOUNT

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_SIGNATURE = "X-Amz-Signature"
_PLAIN = "-_.~"
_MOMENT = "%Y%m%dT%H%M%SZ"


class SignedLinks:
    """WSGI middleware that knows the keys of the user and of roles. `now` is a clock."""

    def __init__(
        self, application: "WSGIApplication", now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._application = application
        self._now = now

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer the request, or refuse it with 403."""
        query = dict(parse_qsl(environ["QUERY_STRING"], keep_blank_values=True))
        code = self._fault_of(environ, query) if _SIGNATURE in query else ""
        if not code:
            return self._application(environ, start_response)
        xml = f"<Error><Code>{code}</Code><Message>The link is not valid for this request.</Message></Error>"
        return Response(xml, 403, content_type="application/xml")(environ, start_response)

    def _fault_of(self, environ: "WSGIEnvironment", query: Mapping[str, str]) -> str:
        key, day, region, service, _ = query["X-Amz-Credential"].split("/")
        secret = _secret_of(key)
        if secret is None:
            return ""
        begun = datetime.strptime(query["X-Amz-Date"], _MOMENT).replace(tzinfo=UTC)
        if self._now() > begun + timedelta(seconds=int(query["X-Amz-Expires"])):
            return "AccessDenied"
        headers, signed = _headers_of(environ), query["X-Amz-SignedHeaders"].split(";")
        if any(name.startswith("x-amz-") and name not in signed for name in headers):
            return "AccessDenied"  # "There were headers present in the request which were not signed"
        scope = f"{day}/{region}/{service}/aws4_request"
        request = _canonical_request(environ, query, {name: headers.get(name, "") for name in signed})
        text = "\n".join(("AWS4-HMAC-SHA256", query["X-Amz-Date"], scope, _sha256(request)))
        expected = _sign(secret, (day, region, service, "aws4_request"), text)
        return "" if hmac.compare_digest(expected, query[_SIGNATURE]) else "SignatureDoesNotMatch"


def _secret_of(access_key: str) -> str | None:
    """Return the secret of the user or of a role; None for other callers."""
    if access_key == USER.access_key:
        return USER.secret_key
    role = sts_backends[ACCOUNT]["aws"].get_assumed_role_from_access_key(access_key)
    return role.secret_access_key if role else None


def _headers_of(environ: "WSGIEnvironment") -> dict[str, str]:
    sent = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): " ".join(str(value).split())
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    own = {"content-length": "CONTENT_LENGTH", "content-type": "CONTENT_TYPE"}
    return sent | {name: str(environ[key]) for name, key in own.items() if environ.get(key)}


def _canonical_request(
    environ: "WSGIEnvironment", query: Mapping[str, str], headers: Mapping[str, str]
) -> str:
    path = str(environ["RAW_URI"]).partition("?")[0]
    escaped = sorted(
        (quote(name, safe=_PLAIN), quote(value, safe=_PLAIN))
        for name, value in query.items()
        if name != _SIGNATURE
    )
    return "\n".join(
        (
            environ["REQUEST_METHOD"],
            path,
            "&".join(f"{name}={value}" for name, value in escaped),
            *(f"{name}:{value}" for name, value in sorted(headers.items())),
            "",
            ";".join(sorted(headers)),
            "UNSIGNED-PAYLOAD",
        )
    )


def _sign(secret: str, scope: Iterable[str], text: str) -> str:
    key = reduce(_digest, scope, f"AWS4{secret}".encode())
    return hmac.digest(key, text.encode(), "sha256").hex()


def _digest(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
