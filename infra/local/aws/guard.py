"""WSGI middleware before moto: refuses calls that the policies of the caller's role do not allow, like AWS.

Unknown callers may do anything.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from werkzeug.wrappers import Response

from infra.local.aws.calls import Call, Need, bucket_and_key, needs, read_call
from infra.local.aws.permissions import Statement, allowed

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class RoleGuard:
    """WSGI middleware with the access keys of functions and other callers, and their permissions."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application
        self._roles: dict[str, Sequence[Statement]] = {}
        self._watchers: list[Callable[[Call], object]] = []

    def admit(self, access_key: str, statements: Sequence[Statement]) -> None:
        """From now on, check calls signed with `access_key` against `statements`."""
        self._roles[access_key] = statements

    def watch(self, watcher: Callable[[Call], object]) -> None:
        """From now on, pass on each allowed call of a known caller; several threads may do so at once."""
        self._watchers.append(watcher)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer the request: with moto's answer, or with a refusal."""
        call = read_call(environ)
        statements = self._roles.get(call.access_key) if call else None
        if call is None or statements is None:
            return self._application(environ, start_response)
        if refused := _refused(call, statements):
            return _refusal(call, refused)(environ, start_response)
        for watcher in self._watchers:
            watcher(call)
        if call.service != "s3":
            return self._application(environ, start_response)
        response = Response.from_app(self._application, environ)
        if _hides_absence(call, response, statements):
            response.close()
            response = _refusal(call, "s3:ListBucket, without which S3 does not say what is absent")
        return response(environ, start_response)


def _refused(call: Call, statements: Sequence[Statement]) -> str | None:
    needed = needs(call)
    if needed is None:
        return f"{call.service}:{call.target or call.method}, which infra/local/aws/calls.py does not know"
    missing = [need for need in needed if not allowed(statements, need)]
    return f"{missing[0].action} on {missing[0].resource}" if missing else None


def _hides_absence(call: Call, response: Response, statements: Sequence[Statement]) -> bool:
    """Return whether S3 answers 403 in place of 404: to callers that may not list the bucket."""
    if response.status_code != 404:  # noqa: PLR2004 - Not Found
        return False
    bucket, _ = bucket_and_key(call)
    return not allowed(statements, Need("s3:ListBucket", f"arn:aws:s3:::{bucket}"))


def _refusal(call: Call, action: str) -> Response:
    message = f"The caller is not authorized to perform: {action}"
    if call.service == "cloudformation":
        error = f"<Error><Type>Sender</Type><Code>AccessDenied</Code><Message>{message}</Message></Error>"
        return Response(f"<ErrorResponse>{error}</ErrorResponse>", 403, content_type="text/xml")
    if call.service == "s3":
        xml = f"<Error><Code>AccessDenied</Code><Message>{message}</Message></Error>"
        return Response(xml, 403, content_type="application/xml")
    kind = "AccessDenied" if call.service == "sqs" else "AccessDeniedException"
    body = json.dumps({"__type": f"com.amazonaws.{call.service}#{kind}", "message": message})
    return Response(body, 403 if call.service == "sqs" else 400, content_type="application/x-amz-json-1.0")
