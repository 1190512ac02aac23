"""Authenticates the caller of the interface by a bearer token (RFC 6750), and finds what the caller may."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from ginuri.access.secrets import is_well_formed, token_id
from ginuri.access.tokens import Refusal, Refused, Token, TokenStore
from ginuri.api.ports import GrantsReader
from ginuri.api.problems import CHALLENGE, REALM, Kind, Problem
from ginuri.identifiers.messages import message, translatable
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.authorization import Right, Scope, intersect, scope_of
from ginuri.web.request import Request

# Tokens are in no address, not even in part: it stays in logs, in the history of browsers and in references.
_SECRET = re.compile(r"gin_[A-Za-z0-9_-]{20}")
_PARAMETERS = frozenset(("access_token", "token"))
# RFC 6750 §2.1  credentials = "Bearer" 1*SP b64token; the name of the scheme in any case (RFC 9110 §11.1)
_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)
_REASONS = {
    Refusal.UNKNOWN: translatable("This token does not exist."),
    Refusal.EXPIRED: translatable("This token has expired. Create another one."),
    Refusal.REVOKED: translatable("This token was revoked."),
}


@dataclass(frozen=True, slots=True)
class Caller:
    """The person whose token a request has."""

    token: Token
    moment: datetime
    """When the request arrived, in UTC."""
    read_grants: GrantsReader
    _scopes: dict[str, Scope] = field(default_factory=dict)

    def scope(self, folder: str) -> Scope:
        """Return what the caller may in a folder: what both the token and its owner may, at this moment.

        Raises RegistryUnavailable.
        """
        if folder not in self._scopes:
            prefix = folder_to_prefix(folder)
            grants, handed_over = self.read_grants(prefix, self.moment)
            owned = scope_of([self.token.owner], prefix, list(grants), handed_over, f"{self.moment:%Y-%m-%d}")
            self._scopes[folder] = intersect(owned, self.token.scope)
        return self._scopes[folder]

    def rights(self, folder: str, name: str = "") -> frozenset[Right]:
        """Return the rights at a folder, or for an identifier in an upload to it."""
        prefix = folder_to_prefix(folder)
        return self.scope(folder).at(name or prefix, prefix)

    def require(self, right: Right, folder: str, name: str = "") -> None:
        """Raise Problem if the caller lacks a right."""
        if right not in self.rights(folder, name):
            raise Problem(
                Kind.FORBIDDEN,
                message(
                    "The token, or its owner, lacks the right `{right}` for {name}.",
                    right=right,
                    name=name or folder,
                ),
            )

    def require_option(self, option: str) -> None:
        """Raise Problem if the token may not state an option."""
        if option not in self.token.options:
            raise Problem(Kind.FORBIDDEN, message("The token lacks the option `{option}`.", option=option))


def refuse_secret_in_address(request: Request) -> None:
    """Raise Problem if a token, or a parameter for one, is in the address."""
    if _SECRET.search(f"{request.path}?{request.query}") or _PARAMETERS & request.parameters.keys():
        raise Problem(
            Kind.TOKEN_IN_ADDRESS,
            message(
                "A token belongs in the header Authorization. Revoke this one, because addresses are logged."
            ),
        )


def hide_secrets(text: str) -> str:
    """Return a text for the log, in which secrets of tokens are cut off."""
    found = _SECRET.search(text)
    return text if found is None else f"{text[: found.start()]}gin_…"


def authenticate(request: Request, tokens: TokenStore, read_grants: GrantsReader) -> Caller:
    """Find the caller of a request. Raises Problem and RegistryUnavailable.

    An unknown token takes the same call as a known one.
    """
    found = _BEARER.fullmatch(request.headers.get("authorization", ""))
    if found is None:
        raise Problem(
            Kind.UNAUTHENTICATED,
            message("Send a token, as in {example}.", example="Authorization: Bearer gin_…"),
            headers=((CHALLENGE, REALM),),
        )
    if not is_well_formed(found[1]):
        raise _refuse(Refused(Refusal.UNKNOWN))
    used = tokens.use(token_id(found[1]), request.moment)
    if isinstance(used, Refused):
        raise _refuse(used)
    return Caller(used, request.moment, read_grants)


def _refuse(refused: Refused) -> Problem:
    if refused.reason is Refusal.TOO_MANY:
        return Problem(
            Kind.TOO_MANY,
            message("Wait {seconds} s before the next request.", seconds=str(refused.retry_after)),
            headers=(("Retry-After", str(refused.retry_after)),),
        )
    challenge = f'{REALM}, error="invalid_token"'  # RFC 6750 §3.1
    return Problem(
        Kind.UNAUTHENTICATED,
        message(_REASONS[refused.reason]),
        headers=((CHALLENGE, challenge),),
    )
