"""Problems of the interface for stewards (RFC 9457), in English or Spanish, with the findings of a report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from http import HTTPStatus
from typing import Any

from ginuri.i18n.translation import page_language, translate
from ginuri.identifiers.messages import Words, translatable
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.web.answers.problems import PROBLEM
from ginuri.web.response import Headers, Response

TYPES = "https://ginuri.github.io/ginuri/reference/http-api/#"
"""The page that explains each kind of problem, under its name."""
PRIVATE: Headers = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))
"""The headers of every answer."""
CHALLENGE, REALM = "WWW-Authenticate", 'Bearer realm="ginuri"'


class Kind(Enum):
    """A kind of problem: its name in `type`, its status, and its title."""

    MALFORMED = "malformed-request", HTTPStatus.BAD_REQUEST, translatable("The request is malformed")
    TOKEN_IN_ADDRESS = (
        "token-in-an-address",
        HTTPStatus.BAD_REQUEST,
        translatable("The address contains a token"),
    )
    UNAUTHENTICATED = (
        "no-valid-token",
        HTTPStatus.UNAUTHORIZED,
        translatable("The request has no valid token"),
    )
    FORBIDDEN = "missing-right", HTTPStatus.FORBIDDEN, translatable("The token lacks a right")
    INSECURE = "insecure", HTTPStatus.FORBIDDEN, translatable("Tokens are accepted only over https")
    NOT_FOUND = "not-found", HTTPStatus.NOT_FOUND, translatable("There is nothing here")
    METHOD = "method-not-allowed", HTTPStatus.METHOD_NOT_ALLOWED, translatable("The method is not allowed")
    CONFLICT = "conflict", HTTPStatus.CONFLICT, translatable("The request conflicts with an earlier one")
    CONDITION = (
        "condition-failed",
        HTTPStatus.PRECONDITION_FAILED,
        translatable("The identifier has changed, or is registered already"),
    )
    TOO_LARGE = "too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, translatable("The file is too large")
    MEDIA_TYPE = (
        "media-type",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        translatable("The request has an unsupported media type"),
    )
    OTHER_HOST = (
        "other-host",
        HTTPStatus.MISDIRECTED_REQUEST,
        translatable("The interface is on another host"),
    )
    REFUSED = "refused", HTTPStatus.UNPROCESSABLE_ENTITY, translatable("The registration was refused")
    REUSED_KEY = (
        "reused-key",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        translatable("The idempotency key was used for another request"),
    )
    TOO_MANY = "too-many-requests", HTTPStatus.TOO_MANY_REQUESTS, translatable("There were too many requests")
    UNAVAILABLE = (
        "unavailable",
        HTTPStatus.SERVICE_UNAVAILABLE,
        translatable("The registry is not available"),
    )

    def __init__(self, slug: str, status: HTTPStatus, title: str) -> None:
        self.slug, self.status, self.title = slug, status, title


# RFC 6750 §3.1  the errors of requests with a token that is valid, or that is not read
_ERRORS = {Kind.FORBIDDEN: "insufficient_scope", Kind.TOKEN_IN_ADDRESS: "invalid_request"}


class Problem(Exception):
    """A request that is refused; `findings` are members of a report."""

    def __init__(
        self,
        kind: Kind,
        detail: Words,
        findings: Sequence[Mapping[str, Any]] = (),
        headers: Headers = (),
        report: str = "",
    ) -> None:
        super().__init__(str(detail))
        self.kind, self.detail, self.findings, self.headers = kind, detail, findings, headers
        self.report = report
        """The path of the report with the findings; empty without one."""


def write_problem(problem: Problem, accept_language: str | None) -> Response:
    """Write a problem in the most preferred language."""
    language = preferred_language(accept_language)
    kind = problem.kind
    document = {
        "type": f"{TYPES}{kind.slug}",
        "title": translate(kind.title, language),
        "status": int(kind.status),
        "detail": translate(problem.detail, language),
        "findings": list(problem.findings),
        **({"report": problem.report} if problem.report else {}),
    }
    challenge = ((CHALLENGE, f'{REALM}, error="{_ERRORS[kind]}"'),) if kind in _ERRORS else ()
    headers = (
        ("Content-Type", PROBLEM),
        ("Content-Language", language),
        ("Vary", "Accept-Language"),
        *challenge,
        *problem.headers,
        *PRIVATE,
    )
    return Response(kind.status, headers, json.dumps(document, ensure_ascii=False).encode())


def preferred_language(accept_language: str | None) -> str:
    """Return the language of an answer: the most preferred one with a catalogue, or English."""
    return page_language(read_languages(accept_language))
