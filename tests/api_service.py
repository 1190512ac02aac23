"""The interface for stewards over the shipped fakes: an upload is processed when its report is awaited."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import IO, Any
from urllib.parse import parse_qsl, quote, urlsplit

from ginuri.access.creation import WantedToken, make_token
from ginuri.access.memory_tokens import MemoryTokens
from ginuri.api.application import Api
from ginuri.api.ports import ApiCollaborators
from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import RegistryUnavailable, UploadExists
from ginuri.registration.authorization import Grant, Right
from ginuri.registry.content import PresignedPut
from ginuri.registry.model import StoredFile
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.web.request import Request
from ginuri.web.response import Stream, complete
from tests.stacks import MemoryStack
from tests.steward import Steward, settled

HOST = "ids.example"
JANE = "mailto:jane@example.org"
AZGS = "uri-gin/azgs/"
NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
WRITING = frozenset((Right.READ, Right.REGISTER, Right.RETIRE))


@dataclass(frozen=True)
class Answer:
    """An answer; names of headers as they were written."""

    status: int
    headers: Mapping[str, list[str]]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> str:
        """The name of the kind of problem."""
        assert self.headers["Content-Type"] == ["application/problem+json"], self
        return str(self.json["type"].rpartition("#")[2])


class MemoryPlace(MemoryStack):
    """The fakes as a place for uploads, which are processed with the first look for a report."""

    def __init__(self, steward: Steward) -> None:
        super().__init__(steward)
        self.unprocessed: list[Upload] = []
        self.restored: list[tuple[str, Mapping[str, str]]] = []
        self.presigned: list[tuple[str, int, Mapping[str, str], int]] = []
        self.races = False
        """Whether another request puts the same upload just before."""

    def put_new(
        self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str], *, is_new: bool = False
    ) -> str:
        body = body if isinstance(body, bytes) else body.read()
        if is_new and self.races:
            self.unprocessed.append(self.steward.put(key, body, **metadata))
        if is_new and any(put == key for put, _ in self.steward.files.uploads):
            raise UploadExists(key)
        self.unprocessed.append(self.steward.put(key, body, **metadata))
        return self.unprocessed[-1].version

    def process(self, _seconds: float = 0) -> None:
        while self.unprocessed:
            self.steward.deliver(self.unprocessed.pop(0))

    def presign(self, key: str, length: int, metadata: Mapping[str, str], seconds: int) -> PresignedPut:
        self.presigned.append((key, length, metadata, seconds))
        return PresignedPut(url=f"https://bucket.invalid/{quote(key)}", headers={"If-None-Match": "*"})


@dataclass
class Putter:
    """Puts uploads in the memory."""

    place: MemoryPlace

    def put(
        self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str], *, is_new: bool = False
    ) -> str:
        return self.place.put_new(key, body, metadata, is_new=is_new)

    def restore(self, file: StoredFile, key: str, metadata: Mapping[str, str]) -> None:
        self.place.restored.append((key, metadata))
        self.place.steward.put(key, self.place.steward.content.read(file), **metadata)


@dataclass
class ApiService:
    """The interface, its grants and its tokens."""

    steward: Steward = field(default_factory=settled)
    grants: list[Grant] = field(default_factory=lambda: [Grant(AZGS, JANE, WRITING)])
    handed_over: list[str] = field(default_factory=list)
    now: datetime = NOW
    is_down: bool = False

    def __post_init__(self) -> None:
        self.steward.day = "2027-01-01"
        self.tokens = MemoryTokens()
        self.place = MemoryPlace(self.steward)
        self.seconds = 0.0
        self.using = ApiCollaborators(
            tokens=self.tokens,
            read_grants=self._read_grants,
            registry=self.steward.memory,
            lister=self.steward.memory,
            reports=self.place,
            files=self.steward.files,
            putter=Putter(self.place),
            open_file=self._open_file,
            restorer=Putter(self.place),
            presigner=self.place,
            canonical_host=HOST,
            clock=lambda: self.seconds,
            sleep=self._sleep,
        )
        self.api = Api(self.using)
        self.secret = self.token()

    def configure(self, **changes: Any) -> None:
        """Replace some of the collaborators."""
        self.using = replace(self.using, **changes)
        self.api = Api(self.using)

    def token(
        self,
        *folders: str,
        rights: Collection[Right] = WRITING,
        options: Collection[str] = (),
        owner: str = JANE,
        days: int = 30,
    ) -> str:
        """Create a token, and return its secret."""
        wanted = WantedToken(owner, folders or (AZGS,), frozenset(rights), frozenset(options), days, "test")
        secret, token = make_token(wanted, "operator", self.now)
        self.tokens.add(token)
        return secret

    def ask(
        self,
        method: str,
        target: str,
        body: bytes | object = b"",
        /,
        token: str | None = None,
        **headers: str,
    ) -> Answer:
        """Send a request; `token` is the usual one unless stated, and none if it is empty."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields = {name.lower().replace("_", "-"): value for name, value in headers.items()}
        if not isinstance(body, bytes):
            fields.setdefault("content-type", "application/json")
        if secret := self.secret if token is None else token:
            fields.setdefault("authorization", f"Bearer {secret}")
        parts = urlsplit(target)
        request = Request(
            method=method,
            path=parts.path,
            host=fields.pop("host", HOST),
            preferences=Preferences(accept_language=fields.get("accept-language")),
            parameters=dict(parse_qsl(parts.query, keep_blank_values=True)),
            query=parts.query,
            headers=fields,
            body=sent,
            moment=self.now,
        )
        response = self.api.answer(request).response
        status, written, content = complete(response)
        if response.stream is not None:
            content = b"".join(response.stream.chunks)
        return Answer(int(status), written, content)

    def pass_time(self, **span: float) -> None:
        self.now += timedelta(**span)

    def metadata(self) -> Mapping[str, str]:
        """Return the metadata of the last upload."""
        return list(self.steward.files.metadata_of.values())[-1]

    def _open_file(self, key: str, version: str) -> Stream | None:
        content = self.steward.content.files.get((key, version))
        return None if content is None else Stream(length=len(content), chunks=[content])

    def _sleep(self, seconds: float) -> None:
        self.seconds += seconds
        self.place.process()

    def _read_grants(self, _prefix: str, moment: datetime) -> tuple[Sequence[Grant], Collection[str]]:
        assert moment == self.now
        if self.is_down:
            raise RegistryUnavailable("it is down")
        return self.grants, self.handed_over


def uploads_of(service: ApiService) -> Iterator[str]:
    """Return the keys of all uploads."""
    return (key for key, _ in service.steward.files.uploads)
