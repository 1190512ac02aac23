"""The answer of a resolver to a request."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from ginuri.identifiers.messages import Words

_REDIRECT, _REFUSED = 3, 4
"""The classes of a status (RFC 9110 §15)."""


@dataclass(frozen=True, slots=True)
class ResolverAnswer:
    """The answer of a resolver, or the reason why there is none."""

    status: int = 0
    """The status code; 0 without an answer."""
    location: str | None = None
    """The unchanged `Location`."""
    media_type: str | None = None
    """The type of the content without parameters, in lower case."""
    error: Words = ""

    @property
    def is_known(self) -> bool:
        """Whether the answer is about the identifier, unlike a server error or a rate limit."""
        return (
            0 < self.status < HTTPStatus.INTERNAL_SERVER_ERROR and self.status != HTTPStatus.TOO_MANY_REQUESTS
        )

    @property
    def is_found(self) -> bool:
        """Whether the identifier is registered there, and in an acceptable form."""
        return self.is_known and self.kind < _REFUSED

    @property
    def is_redirect(self) -> bool:
        """Whether it leads on to a location."""
        return self.kind == _REDIRECT and self.location is not None

    @property
    def kind(self) -> int:
        """The class of the status (RFC 9110 §15): 2, 3, 4."""
        return self.status // 100
