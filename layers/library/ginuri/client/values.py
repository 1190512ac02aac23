"""The values that the client returns, read from the JSON of the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]
"""An object of JSON."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or a warning about a line, as in a report."""

    level: str
    """`refused` or `warned`."""
    field: str
    rule: str
    value: str
    message: str
    """The fault and its remedy, in the language of the report."""
    line: int | None = None
    column: str | None = None
    suggestion: str | None = None

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.field}: {self.message}" if self.field else f"{where}{self.message}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem document (RFC 9457)."""

    status: int
    title: str
    detail: str = ""
    type: str = "about:blank"
    findings: tuple[Finding, ...] = ()
    document: Json = field(default_factory=dict, repr=False)
    """All members of the answer."""

    def __str__(self) -> str:
        return f"{self.status} {self.title}. {self.detail}".rstrip(" .") + "."


@dataclass(frozen=True, slots=True)
class Report:
    """The report on an upload; `document` is all of it, as the reference of reports describes it."""

    document: Json = field(repr=False)

    def __repr__(self) -> str:
        """Return what it is about, and its counts, as a notebook shows it."""
        return f"Report({self.key!r}, {self.version!r}, {dict(self.counts)!r})"

    @property
    def key(self) -> str:
        """The key of the upload: its folder and its name."""
        return str(self.document["upload"]["key"])

    @property
    def version(self) -> str:
        """The version of the upload."""
        return str(self.document["upload"]["version"])

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of identifiers by verdict."""
        counts: Mapping[str, int] = self.document["counts"]
        return counts

    @property
    def is_complete(self) -> bool:
        """Whether all rows have a verdict."""
        return bool(self.document["is_complete"])

    @property
    def is_refused(self) -> bool:
        """Whether a line, or the whole file, was refused."""
        return bool(self.counts["refused"])

    @property
    def findings(self) -> Iterator[Finding]:
        """All findings with their lines; of findings that are the same for several rows, the first."""
        for verdict in self.document["verdicts"]:
            yield from read_findings(verdict["findings"])
        for group in self.document.get("finding_groups", ()):
            yield from read_findings([group["finding"]])

    @property
    def identifiers(self) -> Iterator[str]:
        """The identifiers that are registered now, or would be after a dry run."""
        for verdict in self.document["verdicts"]:
            if verdict["verdict"] != "refused" and verdict["identifier"]:
                yield verdict["identifier"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An upload without a complete report."""

    state: str
    """`waiting`, `unfinished` or `given up`."""
    progress: Json = field(default_factory=dict)
    """How far it is, if that is known: `percent`, `done`, `of`, `seconds_left`, `waits_for`."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """An upload that the service accepted."""

    key: str
    version: str
    report: Report | None = None
    """The report, if it was complete when the service answered."""


@dataclass(frozen=True, slots=True)
class ListedUpload:
    """An upload in a list."""

    key: str
    version: str
    put: str
    """When it was put, RFC 3339 in UTC."""
    state: str
    principal: str
    """Who uploaded it, as authenticated."""
    submitter: str
    """Who submitted it, as stated."""
    is_dry_run: bool
    counts: Mapping[str, int]
    document: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an upload, with its verdict."""

    line: int
    value: object
    """The cells of a table, or the value of a line of JSON."""
    verdict: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its registration as an exported line, and the entity tag for `if_match`."""

    identifier: str
    registration: Json
    etag: str


@dataclass(frozen=True, slots=True)
class Change:
    """The changes of one registration in the history of an identifier."""

    put: str
    upload: str
    version: str
    line: int
    principal: str
    changes: Sequence[Json]


@dataclass(frozen=True, slots=True)
class Minted:
    """New identifiers, and the upload that registered them."""

    identifiers: tuple[str, ...]
    key: str
    version: str


@dataclass(frozen=True, slots=True)
class FolderRights:
    """A folder, and what the token may do in it."""

    folder: str
    may: frozenset[str]


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """All facts about a token but its secret."""

    id: str
    name: str
    folders: tuple[str, ...]
    rights: frozenset[str]
    options: frozenset[str]
    expires: str
    created: str = ""
    last_used: str = ""
    revoked: str = ""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made. Its secret is shown this once."""

    secret: str = field(repr=False)
    facts: TokenFacts


@dataclass(frozen=True, slots=True)
class Me:
    """The person that a token acts for, the token, and what it may do now."""

    owner: str
    token: TokenFacts
    folders: tuple[FolderRights, ...]


def read_problem(status: int, document: object, fallback: str) -> Problem:
    """Read a problem document; `fallback` is the title of an answer that is none."""
    members = document if isinstance(document, dict) else {}
    return Problem(
        status,
        str(members.get("title") or fallback),
        str(members.get("detail", "")),
        str(members.get("type", "about:blank")),
        read_findings(members.get("findings") or ()),
        members,
    )


def read_findings(documents: Sequence[Json]) -> tuple[Finding, ...]:
    """Read findings."""
    return tuple(
        Finding(
            document.get("level", "refused"),
            document.get("field", ""),
            document.get("rule", ""),
            document.get("value", ""),
            document.get("message", ""),
            document.get("line"),
            document.get("column"),
            document.get("suggestion"),
        )
        for document in documents
    )


def read_token(document: Json) -> TokenFacts:
    """Read the facts about a token."""
    return TokenFacts(
        document["id"],
        document.get("name", ""),
        tuple(document.get("folders", ())),
        frozenset(document.get("rights", ())),
        frozenset(document.get("options", ())),
        document.get("expires", ""),
        document.get("created", ""),
        document.get("last_used") or "",
        document.get("revoked") or "",
    )


def read_me(document: Json) -> Me:
    """Read the answer to `GET /api/me`."""
    folders = (FolderRights(each["folder"], frozenset(each["may"])) for each in document["folders"])
    return Me(document["owner"], read_token(document["token"]), tuple(folders))


def read_listed(document: Json) -> ListedUpload:
    """Read an upload of a list."""
    return ListedUpload(
        document["key"],
        document["version"],
        document["put"],
        document["state"],
        document.get("principal") or "",
        document.get("submitter") or "",
        bool(document.get("dry_run")),
        document.get("counts") or {},
        document,
    )


def read_row(document: Json) -> Row:
    """Read a row of an upload."""
    value = document["cells"] if "cells" in document else document.get("value")
    return Row(
        document["line"], value, document.get("verdict") or "", read_findings(document.get("findings") or ())
    )


def read_change(document: Json) -> Change:
    """Read a change of a history."""
    return Change(
        document["put"],
        document["upload"],
        document["version"],
        document["line"],
        document.get("principal") or "",
        document.get("changes", ()),
    )
