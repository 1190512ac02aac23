"""The response in place of one that is larger than the platform takes."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.frozen import replace
from ginuri.identifiers.messages import message
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES
from ginuri.web.answers.problems import Problem, write_problem
from ginuri.web.headers import CORS, FRESH_SECONDS, cache
from ginuri.web.response import LARGEST_BODY, LARGEST_HEADERS, Response


def replace_excess(response: Response, header_bytes: int) -> Response:
    """Return the response without its links if its headers are too large, else a problem document."""
    unlinked = tuple(header for header in response.headers if header[0] != "Link")
    if header_bytes > LARGEST_HEADERS and unlinked != response.headers:
        return replace(response, headers=unlinked)
    return _refuse_headers() if header_bytes > LARGEST_HEADERS else _refuse_body(len(response.body))


def _refuse_headers() -> Response:
    detail = message(
        "The headers of the response would have more than {most} bytes. Send a shorter query.",
        most=f"{LARGEST_HEADERS:,}",
    )
    return _write(HTTPStatus.REQUEST_URI_TOO_LONG, Problem("The address is too long", detail))


def _refuse_body(length: int) -> Response:
    detail = message(
        "The response would have {length} bytes; the limit is {most}. "
        "Request another format, or a shorter list.",
        length=f"{length:,}",
        most=f"{LARGEST_BODY:,}",
    )
    return _write(HTTPStatus.SERVICE_UNAVAILABLE, Problem("The response is too large", detail))


def _write(status: HTTPStatus, problem: Problem) -> Response:
    return write_problem(status, problem, NO_PREFERENCES, (*cache(FRESH_SECONDS), *CORS))
