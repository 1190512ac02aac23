"""The principal of an upload: who is authenticated to have uploaded it, and what the upload may do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ginuri.files.reports.report import Upload
from ginuri.files.reports.summary import Uploader
from ginuri.registration.authorization import Scope, read_scope, write_scope
from ginuri.registration.verdicts import Finding, refuse

PRINCIPAL, MAY, TOKEN = "principal", "may", "token"
"""The metadata with which the API pins an upload to the owner, the scope and the id of its token."""
# RFC 3986 §3: URI = scheme ":" hier-part …; a space or a control character is in none.
_URI = re.compile(r"[a-z][a-z0-9+.-]*:[!-~]{1,500}")
_TOKEN_ID = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Principal:
    """Who uploaded a file, and what the upload may do."""

    name: str
    """The owner of the token, a URI; the identity of an upload without a token."""
    scope: Scope | None = None
    """What it may do within its folder; None for an upload without a scope, which may do everything there."""
    token: str = ""
    """The id of the token; it is no secret."""

    def uploader(self, upload: Upload) -> Uploader:
        """Return what reports state about the uploader."""
        return Uploader(upload.identity, self.name, self.token)


def write_principal(principal: Principal | None) -> dict[str, str]:
    """Write the principal of an upload through the API as metadata; no other principal has any."""
    if principal is None or principal.scope is None:
        return {}
    return {PRINCIPAL: principal.name, MAY: write_scope(principal.scope), TOKEN: principal.token}


def principal_of(upload: Upload, metadata: Mapping[str, str], api_identity: str) -> Principal | Finding:
    """Return the principal of an upload, or the finding that refuses all of it.

    Anyone who may write to a folder can state any metadata. They name the principal only if the API itself
    put the object: `api_identity` is the unique id of its role, which nobody else can have. A scope limits
    any upload: it may come from the API of an earlier deployment, or of another stack.
    """
    if not (api_identity and upload.identity.startswith(f"{api_identity}:")):
        return Principal(upload.identity, read_scope(metadata.get(MAY, "")))
    name, token = metadata.get(PRINCIPAL, ""), metadata.get(TOKEN, "")
    scope = read_scope(metadata.get(MAY, ""))
    if scope is None or not (_URI.fullmatch(name) and _TOKEN_ID.fullmatch(token)):
        return refuse(
            "",
            "principal",
            name,
            "This upload through the API does not state its principal and its rights completely, so nothing "
            "of it was read. Upload it again.",
        )
    return Principal(name, scope, token)
