"""The client: a method for each route of the HTTP API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Self, TypedDict, Unpack
from urllib.parse import quote

from ginuri.client.errors import NotFound, ReportMissing
from ginuri.client.options import UploadOptions, is_stored, write_query
from ginuri.client.requests import (
    MOST_NAMES,
    MOST_READ,
    PAGE,
    File,
    Requests,
    accept,
    name_of,
    new_key,
    read_submitted,
    record_path,
    upload_path,
)
from ginuri.client.sockets import is_safe
from ginuri.client.values import (
    Change,
    Json,
    ListedUpload,
    Me,
    Minted,
    NewToken,
    Record,
    Report,
    Row,
    Submitted,
    TokenFacts,
    Waiting,
    read_change,
    read_listed,
    read_me,
    read_row,
    read_token,
)

WAIT_SECONDS = 900.0
"""How long methods wait for a report if nothing else is stated."""


class Writing(TypedDict, total=False):
    """The conditions of `Client.put` and `Client.patch`, and how they wait."""

    if_match: str
    """Only if the record still has this entity tag."""
    is_new: bool
    """Only if the identifier is not registered."""
    wait: float
    """The seconds to wait for the verdict."""
    idempotency_key: str
    """A key of your own, to repeat the call after a crash without registering twice."""


class Client:
    """Registers with a service over HTTP, on behalf of the owner of a token.

    `Client("https://id.example.org", token)`; `language` is that of messages, such as `es`, and `timeout` the
    seconds until a silent connection is given up. A token is sent over `https` or to this machine only:
    another address is a ValueError.

    Methods raise ServiceError, which carries the problem document of the service and its findings, and
    ServiceUnreachable. A write has an idempotency key, so that it is repeated after a lost connection
    without being carried out twice. A client may be used by several threads.
    """

    def __init__(
        self,
        service: str,
        token: str,
        *,
        language: str = "",
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not is_safe(service):
            text = f"A token is only sent over https:// or to this machine, not to {service!r}."
            raise ValueError(text)
        self.service = service.rstrip("/")
        headers = {"Authorization": f"Bearer {token.strip()}", "User-Agent": "ginuri"}
        spoken = {"Accept-Language": language} if language else {}
        self.requests = Requests(self.service, headers | spoken, timeout, sleep)

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """Close its connections."""
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self.requests.connections.close()

    def me(self) -> Me:
        """Return the owner of the token, and what it may do now."""
        return read_me(self.requests.document("/api/me"))

    def upload(
        self,
        file: File,
        folder: str,
        *,
        name: str = "",
        wait: float = WAIT_SECONDS,
        idempotency_key: str = "",
        **options: Unpack[UploadOptions],
    ) -> Report:
        """Upload a registry file to a folder such as `uri-gin/azgs/`, and return the report on it.

        A path has the name of its file; a content needs a name, such as `wells.csv`. The service stores it
        under a name made from the idempotency key, which `key` of the report has; a file that is not read,
        such as a PDF, keeps its name. Refused lines are in the report, not an error. Raises ReportMissing if
        there is no complete report within `wait` seconds.
        """
        named = name or name_of(file)
        key = idempotency_key or ("" if is_stored(named, write_query(options)) else new_key())
        submitted = self.submit(file, folder, name=named, wait=wait, idempotency_key=key, **options)
        return self.requests.finish(submitted, wait)

    def submit(
        self,
        file: File,
        folder: str,
        *,
        name: str = "",
        wait: float = 0,
        idempotency_key: str = "",
        **options: Unpack[UploadOptions],
    ) -> Submitted:
        """Upload a file without waiting for its report, and return its key and version.

        With `wait`, the service waits up to 10 seconds for the report before it answers. Without an
        idempotency key, registrations keep the name of the file, and are not sent again after a lost
        connection.
        """
        named, stated = name or name_of(file), write_query(options)
        return self.requests.submit(file, folder, named, stated, key=idempotency_key, wait=wait)

    def uploads(
        self, folder: str = "", *, last: int | None = None, state: str = ""
    ) -> Iterator[ListedUpload]:
        """List the uploads to a folder, newest first; without one, to all folders of the token."""
        query = {"folder": folder, "state": state, "last": str(min(last or PAGE, PAGE))}
        return islice(map(read_listed, self.requests.pages("/api/uploads", query, "uploads", "after")), last)

    def look(self, key: str, version: str) -> Report | Waiting:
        """Return the report on an upload, or its progress while there is none."""
        return self.requests.look(key, version)

    def report(self, key: str, version: str, *, wait: float = 0) -> Report:
        """Return the report on an upload. Raises ReportMissing if it is incomplete after `wait` seconds."""
        return self.requests.wait(key, version, wait)

    def rows(self, key: str, version: str) -> Iterator[Row]:
        """Read the rows of an upload, each with its verdict."""
        path = upload_path(key, version, "/rows")
        return map(read_row, self.requests.pages(path, {"most": str(PAGE)}, "rows", "start"))

    def refused(self, key: str, version: str) -> bytes | None:
        """Read the refused lines of an upload, to correct and upload again; None if there are none."""
        try:
            answer = self.requests.get(upload_path(key, version, "/refused"))
        except NotFound:
            return None
        return answer.body if answer.status == HTTPStatus.OK else None

    def undo(self, key: str, version: str, *, dry_run: bool = False, wait: float = WAIT_SECONDS) -> Report:
        """Undo an upload by a new one that states what stood before, and return the report on the new one."""
        query = list(write_query({"dry_run": dry_run}).items())
        path = upload_path(key, version, "/undo")
        return self.requests.finish(self.requests.post_file(path, query, b"", new_key(), wait), wait)

    def record(self, identifier: str) -> Record:
        """Return the record of an identifier, with the entity tag for `if_match`."""
        document = self.requests.document(record_path(identifier))
        return Record(document["identifier"], document["registration"], document["etag"])

    def put(self, identifier: str, registration: Json, **writing: Unpack[Writing]) -> Report:
        """Register an identifier as stated: fields that are not stated are cleared.

        Raises RegistrationRefused with the findings, and ConditionFailed.
        """
        return self._state("PUT", identifier, registration, writing)

    def patch(self, identifier: str, registration: Json, **writing: Unpack[Writing]) -> Report:
        """Register the stated fields of an identifier; None clears one, and all others stay as they are.

        Raises RegistrationRefused with the findings, and ConditionFailed.
        """
        return self._state("PATCH", identifier, registration, writing)

    def _state(self, method: str, identifier: str, registration: Json, writing: Writing) -> Report:
        wait = writing.get("wait", WAIT_SECONDS)
        tag = writing.get("if_match", "")
        conditions = {"If-Match": tag} if tag else {"If-None-Match": "*"} if writing.get("is_new") else {}
        answer = self.requests.write(
            method,
            record_path(identifier),
            registration,
            headers=conditions,
            key=writing.get("idempotency_key") or new_key(),
            wait=wait,
        )
        return accept(self.requests.finish(read_submitted(answer), wait))

    def history(self, identifier: str) -> Sequence[Change]:
        """Return the changes of an identifier, the first one first."""
        document = self.requests.document(record_path(identifier, "/history"))
        return list(map(read_change, document["history"]))

    def mint(  # noqa: PLR0913  the parts of the request
        self,
        prefix: str,
        template: str = "eedeedeek",
        count: int = 1,
        *,
        registration: Json | None = None,
        wait: float = WAIT_SECONDS,
        idempotency_key: str = "",
    ) -> Minted:
        """Make new identifiers under a prefix, at most 100 at once, and register each as stated.

        `template` is a NOID template: `e` stands for a digit or a consonant, `d` for a digit, `k` for a check
        character. Raises RegistrationRefused with the findings.
        """
        wanted = {"prefix": prefix, "template": template, "count": count, "registration": registration or {}}
        key, deadline = idempotency_key or new_key(), time.monotonic() + wait
        while True:
            answer = self.requests.write("POST", "/api/identifiers", wanted, key=key, wait=wait)
            upload = answer.document["upload"]
            if answer.status != HTTPStatus.ACCEPTED:
                return Minted(tuple(answer.document["identifiers"]), upload["key"], upload["version"])
            # Repeated, the request replaces names that are taken; it registers none twice.
            if time.monotonic() >= deadline:
                raise ReportMissing(upload["key"], upload["version"], "The names are not registered yet.")

    def records(self, under: str, *, form: str = "lines") -> Iterator[Json]:
        """Read all records under a prefix, each with its `identifier`.

        `form` is `lines` (with the `registration` to upload again), `values` (with the current `values`),
        `statements` (with all `statements` that were ever made) or `names` (without more).
        """
        query = {"under": under, "form": form, "most": str(MOST_NAMES if form == "names" else MOST_READ)}
        return self.requests.pages("/api/records", query, "records", "after")

    def read_records(self, identifiers: Sequence[str], *, with_history: bool = False) -> Sequence[Json]:
        """Read the statements about at most 64 identifiers; those that are absent are left out.

        Identifiers above the folders of the token can be read as well.
        """
        return list(self.requests.read_records(identifiers, with_history=with_history))

    def file(self, key: str, version: str) -> Iterator[bytes]:
        """Read a stored file that a record names, in chunks."""
        path = f"/api/files/{quote(key, safe='')}/{quote(version, safe='')}"
        return self.requests.connections.download(path)

    def tokens(self) -> Sequence[TokenFacts]:
        """List the tokens of the owner of this one."""
        return list(map(read_token, self.requests.document("/api/tokens")["tokens"]))

    def create_token(
        self,
        name: str,
        folders: Sequence[str],
        rights: Sequence[str] = ("read", "register"),
        *,
        options: Sequence[str] = (),
        days: int = 90,
    ) -> NewToken:
        """Make a token for the same owner, never wider than this one; its secret is returned this once.

        After a lost connection, look for the token in `tokens`, and revoke it.
        """
        wanted = {
            "name": name,
            "folders": list(folders),
            "rights": list(rights),
            "options": list(options),
            "days": days,
        }
        document = self.requests.write("POST", "/api/tokens", wanted).document
        return NewToken(document["token"], read_token(document))

    def revoke_token(self, token_id: str) -> None:
        """Revoke a token of the same owner at once."""
        self.requests.write("DELETE", f"/api/tokens/{quote(token_id, safe='')}")
