"""The routes of tokens: those of the caller, one more, and the end of one."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from ginuri.access.creation import WantedToken, faults_of, make_token
from ginuri.access.tokens import Token
from ginuri.api.exchanges import Exchange, write_json
from ginuri.api.models import TokenRequest
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import PRIVATE, Kind, Problem
from ginuri.identifiers.messages import message
from ginuri.registration.authorization import Right
from ginuri.web.response import Response

_KNOWN = {str(right): right for right in Right}


class TokenRoutes:
    """The routes `/api/me` and below `/api/tokens`. Their methods raise Problem and RegistryUnavailable."""

    def __init__(self, using: ApiCollaborators) -> None:
        self._using = using

    def me(self, exchange: Exchange) -> Response:
        """Return the owner of the token, and what both of them may in each folder."""
        caller = exchange.caller
        folders = [
            {"folder": folder, "may": sorted(map(str, caller.rights(folder)))}
            for folder in caller.token.folders
        ]
        token = _member(caller.token)
        shown = {name: token[name] for name in ("id", "name", "expires", "folders", "rights", "options")}
        return write_json({"owner": caller.token.owner, "token": shown, "folders": folders})

    def list(self, exchange: Exchange) -> Response:
        """List the tokens of the caller."""
        tokens = self._using.tokens.of(exchange.caller.token.owner)
        return write_json({"tokens": [_member(token) for token in tokens]})

    def create(self, exchange: Exchange, wanted: TokenRequest) -> Response:
        """Create a token that is not wider than the one used; its secret is in this answer only."""
        used = exchange.caller.token
        if "idempotency-key" in exchange.request.headers:
            raise Problem(
                Kind.MALFORMED,
                message(
                    "A token is shown once, so its request cannot be repeated. Leave out the Idempotency-Key."
                ),
            )
        if unknown := [right for right in wanted.rights or () if right not in _KNOWN]:
            raise Problem(Kind.MALFORMED, message("There is no right {right}.", right=repr(unknown[0])))
        asked = WantedToken(
            used.owner,
            used.folders if wanted.folders is None else tuple(wanted.folders),
            used.rights if wanted.rights is None else frozenset(_KNOWN[right] for right in wanted.rights),
            frozenset(wanted.options),
            wanted.days,
            wanted.name,
        )
        if faults := faults_of(asked):
            raise Problem(Kind.MALFORMED, faults[0])
        if faults := faults_of(asked, used, exchange.moment):
            raise Problem(Kind.FORBIDDEN, faults[0])
        secret, token = make_token(asked, used.id, exchange.moment)
        self._using.tokens.add(token)
        location = ("Location", f"{exchange.request.path}/{token.id}")
        return write_json({"token": secret, **_member(token)}, HTTPStatus.CREATED, (location,))

    def revoke(self, exchange: Exchange, token_id: str) -> Response:
        """Revoke a token of the caller that is not wider than the one used, or that one itself."""
        used = exchange.caller.token
        token = next((each for each in self._using.tokens.of(used.owner) if each.id == token_id), None)
        if token is None:
            raise Problem(Kind.NOT_FOUND, message("You have no token {id}.", id=token_id[:64]))
        if not _is_within(token, used):
            raise Problem(
                Kind.FORBIDDEN, message("The token {name} is wider than the one used.", name=repr(token.name))
            )
        self._using.tokens.revoke(token.id, exchange.moment)
        return Response(HTTPStatus.NO_CONTENT, PRIVATE)


def _is_within(token: Token, used: Token) -> bool:
    is_narrower = token.rights <= used.rights and token.options <= used.options
    return token.id == used.id or (is_narrower and all(map(used.covers, token.folders)))


def _member(token: Token) -> Mapping[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "folders": list(token.folders),
        "rights": sorted(map(str, token.rights)),
        "options": sorted(token.options),
        "created": token.created,
        "expires": token.expires,
        "last_used": token.last_used or None,
        "revoked": token.revoked or None,
    }
