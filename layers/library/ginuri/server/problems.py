"""The problem documents of the server itself, before or instead of an answer of a flow."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.identifiers.messages import Words
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES
from ginuri.web.answers.problems import Problem, write_problem
from ginuri.web.headers import CORS, cache
from ginuri.web.response import Headers, Response


def refuse(status: HTTPStatus, detail: Words, headers: Headers = ()) -> Response:
    """Write a problem document, which no cache stores."""
    problem = Problem(status.phrase, detail)
    return write_problem(status, problem, NO_PREFERENCES, (*cache(0), *CORS, *headers))
