"""May this be registered? Every rule that a registration is held to, and why it exists.

What a single field may contain is checked where files are read (`ginuri.documents`); here is what depends on
the identifier, on the folder it comes from, and on what is registered already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers import Identifier, Kind, parse
from ginuri.core.model import NameAuthority, RecordType, Status
from ginuri.core.record import REPRESENTATIONS, Path, Record, Value, paths_under
from ginuri.core.rows import Registration
from ginuri.core.verdicts import Finding, refuse, warn

HOST_FOLDER = "_host/"
"""The folder for what belongs to nobody's authority: schemes, hosts and top authorities."""
MOST_REPRESENTATIONS = 200
_HOST_RECORDS = {RecordType.SCHEME, RecordType.HOST, RecordType.AUTHORITY}
_SEGMENTS = {RecordType.SCHEME: 0, RecordType.AUTHORITY: 1}
_COMMON = {"record", "title", "description", "status", "successor", "reason", "properties"}
_STEWARDED = {"trusted_hosts", "homepage", "contact", "syntax", "answered_by"}
_FIELDS: Mapping[RecordType, set[str]] = {
    RecordType.SCHEME: _COMMON | _STEWARDED | {"specification", "authority"},
    RecordType.HOST: _COMMON | _STEWARDED,
    RecordType.AUTHORITY: _COMMON | _STEWARDED,
    RecordType.RESOURCE_TYPE: _COMMON
    | {"dereference", "canonical_media_type", "default_media_type", "broader", "definition", "services"},
    RecordType.RESOURCE: _COMMON | {"kind", "representations", "dereference", "part_of", "links"},
}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a registration is judged by, beside itself."""

    folder: str
    """The folder of the upload, which is the identifier prefix that may be registered from it."""
    before: Record | None
    authority: NameAuthority | None
    is_typed: bool
    """Whether a resource type is registered above the identifier."""


def judge(registration: Registration, around: Surroundings) -> Iterator[Finding]:
    """Find everything there is to say about a registration; it may be registered when nothing refuses it."""
    stated = registration.statements.get(("record",))
    if stated is None and ("record",) in registration.statements:
        yield refuse("record", "never reused", None, "a record keeps its type; leave the field out")
        return
    held = (around.before.get("record") or RecordType.RESOURCE) if around.before else None
    record_type = RecordType(stated or held or RecordType.RESOURCE)
    yield from _record_type(held, record_type)
    yield from _folder(registration.identifier, record_type, around)
    yield from _shape(registration.identifier, record_type)
    yield from _fields(registration.statements, record_type)
    yield from _life(registration.statements, around.before)
    yield from _syntax(registration.identifier, around)
    if record_type is RecordType.RESOURCE:
        yield from _parts(registration, around)
    yield from _advice(registration, record_type, around)


def _record_type(held: Value, record_type: RecordType) -> Iterator[Finding]:
    if held is not None and held != record_type:
        yield refuse(
            "record",
            "never reused",
            record_type,
            f"it is registered as {held}; an identifier keeps its meaning, so register another one",
        )


def _folder(identifier: Identifier, record_type: RecordType, around: Surroundings) -> Iterator[Finding]:
    if record_type in _HOST_RECORDS or around.folder == HOST_FOLDER:
        if around.folder != HOST_FOLDER:
            yield refuse(
                "record",
                "folder",
                record_type,
                f"a {record_type} is registered from the folder {HOST_FOLDER}",
            )
        elif record_type not in _HOST_RECORDS:
            yield refuse(
                "identifier",
                "folder",
                identifier,
                f"{HOST_FOLDER} is for schemes, hosts and name authorities; upload a {record_type} "
                "under the folder of its name authority",
            )
        return
    if not identifier.normal_form.startswith(around.folder) or identifier.normal_form == around.folder:
        yield refuse(
            "identifier",
            "folder",
            identifier,
            f"from the folder {around.folder} only what stands under it may be registered; upload it under "
            f"{_folder_of(identifier)}",
        )
    elif around.authority is None:
        yield refuse(
            "identifier",
            "name authority",
            identifier,
            f"the name authority {identifier.name_authority!r} is unknown; register it from {HOST_FOLDER}",
        )


def _folder_of(identifier: Identifier) -> str:
    return identifier.ancestors[1] if len(identifier.ancestors) > 1 else HOST_FOLDER


def _shape(identifier: Identifier, record_type: RecordType) -> Iterator[Finding]:
    if (identifier.scheme == "") != (record_type is RecordType.HOST):
        yield refuse(
            "record", "host", identifier, "a host is registered as http://<its name>/, and only a host"
        )
        return
    if record_type is RecordType.HOST:
        return
    if record_type in _SEGMENTS:
        wanted = "uri-gin/" if record_type is RecordType.SCHEME else "uri-gin/azgs/"
        if len(identifier.segments) != _SEGMENTS[record_type] or not identifier.is_terminated:
            yield refuse(
                "identifier", record_type, identifier, f"a {record_type} has an identifier such as {wanted}"
            )
    elif len(identifier.segments) < 2:  # noqa: PLR2004  an authority and something under it
        yield refuse("identifier", record_type, identifier, f"a {record_type} stands under a name authority")
    elif record_type is RecordType.RESOURCE_TYPE and not identifier.is_terminated:
        yield refuse(
            "identifier", record_type, identifier, "a resource type ends in a slash: it is a concept"
        )


def _fields(statements: Mapping[Path, Value], record_type: RecordType) -> Iterator[Finding]:
    for name in dict.fromkeys(path[0] for path in statements):
        if name not in _FIELDS[record_type]:
            yield refuse(
                name,
                record_type,
                None,
                f"a {record_type} has no {name}; it has {', '.join(sorted(_FIELDS[record_type]))}",
            )


def _life(statements: Mapping[Path, Value], before: Record | None) -> Iterator[Finding]:
    def after(name: str) -> Value:
        return statements[name,] if (name,) in statements else before and before.get(name)

    status, successor = after("status") or Status.VALID, after("successor")
    if successor and status not in {Status.SUPERSEDED, Status.RETIRED}:
        # What stood before gives way, whichever comes first; what is at odds with itself is refused.
        say = refuse if statements.get(("successor",)) else warn
        yield say(
            "successor",
            "status",
            successor,
            f"what is {status} has no successor; state the status superseded or retired, or clear it",
        )
    if status == Status.SUPERSEDED and not successor:
        yield warn("successor", "status", status, "something superseded should name its successor")


def _syntax(identifier: Identifier, around: Surroundings) -> Iterator[Finding]:
    if identifier.scheme == "":
        return
    try:
        parse(identifier.normal_form, strict=True)
    except MalformedIdentifier as error:
        say = refuse if around.authority is not None and around.authority.syntax == "strict" else warn
        yield say(
            "identifier",
            error.rule,
            error.value,
            f"the strict grammar does not allow it: {error.reason}; such names break in some tools",
        )


def _parts(registration: Registration, around: Surroundings) -> Iterator[Finding]:
    identifier, statements = registration.identifier, registration.statements
    keys = {path[1] for path in paths_under(statements, *REPRESENTATIONS)}
    if around.before is not None:
        keys |= {path[1] for path in paths_under(around.before.in_force(), *REPRESENTATIONS)}
    if len(keys) > MOST_REPRESENTATIONS:
        yield refuse(
            "representations",
            "size",
            len(keys),
            f"a record has at most {MOST_REPRESENTATIONS} representations; register some apart",
        )
    for key in dict.fromkeys(path[1] for path in paths_under(statements, *REPRESENTATIONS)):
        if not _leads_somewhere(key, statements, around.before):
            yield warn(
                "location", "nowhere", key, "it is neither stored nor elsewhere; state location or file"
            )
        part = statements.get((*REPRESENTATIONS, key, "part"))
        if part is not None:
            yield from _part(identifier, part)
        elif statements.get((*REPRESENTATIONS, key, "file")) and _kind(registration, around) is Kind.THING:
            yield refuse(
                "file",
                "part",
                identifier,
                "a thing cannot be sent, only a form of it: give the stored file a part (mapImageFile.pdf)",
            )


def _leads_somewhere(key: str, statements: Mapping[Path, Value], before: Record | None) -> bool:
    names = ("location", "file", "identifier")
    stated = [statements.get((*REPRESENTATIONS, key, name)) for name in names]
    held = [before.get(*REPRESENTATIONS, key, name) for name in names] if before else []
    return any(stated) or any(held) or statements.get((*REPRESENTATIONS, key, "status")) == Status.RETIRED


def _kind(registration: Registration, around: Surroundings) -> Kind:
    held = around.before.get("kind") if around.before else None
    return Kind(registration.statements.get(("kind",), held) or registration.identifier.kind)


def _part(identifier: Identifier, part: str) -> Iterator[Finding]:
    whole = f"{identifier}{part}"
    try:
        named = parse(whole)
    except MalformedIdentifier as error:
        yield refuse("part", error.rule, part, f"{whole} is no identifier: {error.reason}")
        return
    if not named.is_normal or "/" in part:
        yield refuse("part", "normal form", part, f"write it without slashes, in normal form: {named}")
    elif identifier.is_terminated == part.startswith("."):
        where = "mapImageFile.pdf under …/X/" if identifier.is_terminated else ".pdf after …/X"
        yield refuse("part", "place", part, f"a part is appended to the identifier: {where}")
    elif not identifier.is_terminated and identifier.normal_form not in named.stems:
        yield refuse("part", "dots", part, "a part has at most 8 dots")


def _advice(registration: Registration, record_type: RecordType, around: Surroundings) -> Iterator[Finding]:
    held = around.before.in_force() if around.before and ("title",) not in registration.statements else {}
    after = held | dict(registration.statements)
    if not any(after[path] for path in paths_under(after, "title")):
        yield warn("title", "missing", None, "a title lets people know what the identifier names")
    if record_type is RecordType.RESOURCE and not around.is_typed and around.authority is not None:
        yield warn(
            "identifier",
            "resource type",
            registration.identifier,
            f"no resource type is registered above it; register one: {_folder_of(registration.identifier)}…/",
        )
