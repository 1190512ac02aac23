"""The errors of the client. Those that the service answers with carry its problem document (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus

from ginuri.client.values import Finding, Problem
from ginuri.identifiers.errors import GinuriError


class ServiceUnreachable(GinuriError):
    """The service did not answer, after all attempts; whether it received the request is not known.

    A request with an idempotency key can be repeated with the same key.
    """


class ReportMissing(GinuriError):
    """There is no complete report on an upload in time; the upload continues."""

    def __init__(self, key: str, version: str, reason: str) -> None:
        super().__init__(f"{key}#{version}: {reason}")
        self.key = key
        self.version = version


class ServiceError(GinuriError):
    """The service refused a request; `problem` is its answer, `findings` are what is wrong with the lines."""

    def __init__(self, problem: Problem) -> None:
        super().__init__("\n".join([str(problem), *map(str, problem.findings)]))
        self.problem = problem

    @property
    def status(self) -> int:
        """The status code of the answer."""
        return self.problem.status

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings, as in a report."""
        return self.problem.findings


class NotAuthenticated(ServiceError):
    """401: the token is unknown, expired or revoked, or there is none."""


class NotAllowed(ServiceError):
    """403: the token, or its owner, lacks a right that the answer names."""


class NotFound(ServiceError):
    """404: no such upload, record or token, or none that the token may read."""


class ConditionFailed(ServiceError):
    """412: the record is not in the state that the request names."""


class RegistrationRefused(ServiceError):
    """422: the registration was refused; `findings` have the reasons, `problem` the path of the report."""


class TooManyRequests(ServiceError):
    """429: the token was used too often in a minute, after all attempts."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    HTTPStatus.UNAUTHORIZED: NotAuthenticated,
    HTTPStatus.FORBIDDEN: NotAllowed,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.PRECONDITION_FAILED: ConditionFailed,
    HTTPStatus.UNPROCESSABLE_ENTITY: RegistrationRefused,
    HTTPStatus.TOO_MANY_REQUESTS: TooManyRequests,
}


def error_of(problem: Problem) -> ServiceError:
    """Return the error for a problem document."""
    return _BY_STATUS.get(problem.status, ServiceError)(problem)
