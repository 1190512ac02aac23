"""Writes registered records as JSON lines: the inverse of `ginuri.files.schema.statements`.

A record is one line, followed by one line for each of its rules, for its delegation and for each grant.
Defaults that a reader adds are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ginuri.files.formats import stored_as
from ginuri.identifiers.roots import ancestors_of, folder_to_prefix, prefix_to_folder, root_of
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.undo.rollback import Restatement
from ginuri.registry.metadata.fields import PER_LANGUAGE
from ginuri.registry.model import Captures, RecordType, StoredFile
from ginuri.registry.reading import read_file, read_pattern
from ginuri.registry.record.record import RETIRED_PARTS
from ginuri.registry.record.statements import FORMS, nest

Values = Mapping[str, Any]
"""The registered values of a record, nested (`ginuri.registry.record.record.Record.values`)."""
_FIRST = ("record", "identifier", "pattern", "part", *PER_LANGUAGE)
_HOST_RECORDS = {RecordType.SCHEME, RecordType.HOST, RecordType.AUTHORITY, RecordType.NAMESPACE}
_WITH_OWN_MEANINGS = {RecordType.ALIAS, RecordType.RESOURCE_TYPE}
"""The records that give a field of rules or of forms a meaning of their own: `status_code`, `pattern`."""
_OF_PREFIX = {"rules", "delegation", "grants"}
_WRITTEN_SEPARATELY = {FORMS, RETIRED_PARTS, *PER_LANGUAGE, "links"}


class ExportedLine(NamedTuple):
    """The lines of an identifier for a folder, sorted by folder, then by identifier."""

    folder: str
    identifier: str
    lines: list[str]


def place_in_folders(records: Iterable[tuple[str, Values]], folder: str | None) -> Iterator[ExportedLine]:
    """Write the lines of records for a folder, in the order of the records.

    Without a folder, write them for the host folder and for the folder of the authority.
    """
    for identifier, values in records:
        for target in folders_of(identifier) if folder is None else (folder,):
            if lines := list(write_lines(identifier, values, target)):
                yield ExportedLine(target, identifier, lines)


def folders_of(identifier: str) -> Iterable[str]:
    """Return the folders that an identifier may be registered from: the host folder, and its authority's."""
    return dict.fromkeys((HOST_FOLDER, authority_folder(identifier)))


def authority_folder(identifier: str) -> str:
    """Return the folder of the authority of an identifier; for a scheme, the host folder.

    Identifiers with a host are registered from the folder of that host.

    >>> [authority_folder(name) for name in ("uri-gin/azgs/map/1", "//id.example/doc/", "doi:")]
    ['uri-gin/azgs/', 'id.example/', '_host/']
    """
    if identifier.startswith("//"):
        return prefix_to_folder(root_of(identifier))
    if not ancestors_of(identifier):
        return HOST_FOLDER
    under = ancestors_of(f"{identifier}x" if identifier.endswith(("/", ":")) else identifier)
    return prefix_to_folder(under[min(1, len(under) - 1)])


def prefix_of(folder: str) -> str:
    """Return the prefix of the identifiers that may be registered from a folder."""
    return "" if folder == HOST_FOLDER else folder_to_prefix(folder)


def write_lines(identifier: str, values: Values, folder: str) -> Iterator[str]:
    """Write the registrations of an identifier that can be uploaded to a folder, one JSON object each.

    `checks.authorization` allows schemes with their rules, hosts and authorities in the host folder only, and
    anything else in the folder of its prefix. Stored files are named relative to the folder, with the suffix
    of files that are not read (`ginuri.files.formats.stored_as`).
    """
    for registration in _registrations(identifier, values, folder):
        yield json.dumps(registration, ensure_ascii=False)


def files_of(values: Values) -> list[StoredFile]:
    """Return the stored files that a record names."""
    return [read_file(form["file"]) for form in values.get(FORMS, {}).values() if "file" in form]


def write_restatement(restatement: Restatement, folder: str) -> Iterator[str]:
    """Write the lines that restate an identifier, with null for cleared fields."""
    values = nest(restatement.statements)
    own = {name: value for name, value in values.items() if name not in _OF_PREFIX}
    if own:
        # The meaning of some fields depends on the record type.
        typed = {"record": restatement.record} if restatement.record in _WITH_OWN_MEANINGS else {}
        yield json.dumps(_registration(restatement.identifier, typed | own, folder), ensure_ascii=False)
    of_prefix = {name: value for name, value in values.items() if name in _OF_PREFIX}
    for registration in _of_prefix(restatement.identifier, of_prefix, folder):
        yield json.dumps(registration, ensure_ascii=False)


def _registrations(identifier: str, values: Values, folder: str) -> Iterator[dict[str, Any]]:
    own = {name: value for name, value in values.items() if name not in _OF_PREFIX}
    is_hosts = values.get("record") in _HOST_RECORDS
    is_whole_scheme = authority_folder(identifier) == HOST_FOLDER
    if folder == HOST_FOLDER:
        if is_hosts:
            yield _registration(identifier, own, folder)
        if is_whole_scheme:
            yield from _of_prefix(identifier, {"rules": _divided_rules(values)}, folder)
            yield from _grants(identifier, values, folder)
        return
    prefix = folder_to_prefix(folder)
    if is_whole_scheme or not identifier.startswith(prefix):
        return
    if not is_hosts and identifier != prefix and (own or not values):
        # The identifier alone would register a resource.
        yield _registration(identifier, own or {"title": None}, folder)
    yield from _of_prefix(identifier, {**values, "rules": _divided_rules(values)}, folder)


def _divided_rules(values: Values) -> Values:
    return {pattern: _divided(pattern, rule) for pattern, rule in values.get("rules", {}).items()}


def _of_prefix(identifier: str, values: Values, folder: str) -> Iterator[dict[str, Any]]:
    for pattern, rule in values.get("rules", {}).items():
        named = {"pattern": pattern} if pattern else {}
        yield _registration(identifier, {"record": RecordType.RULE, **named, **rule}, folder)
    for delegation in _delegations(values["delegation"]) if "delegation" in values else ():
        yield _registration(identifier, delegation, folder)
    yield from _grants(identifier, values, folder)


def _grants(identifier: str, values: Values, folder: str) -> Iterator[dict[str, Any]]:
    for to, grant in values.get("grants", {}).items():
        # A receiver without a value: the end of a grant.
        stated = {"record": RecordType.GRANT, "to": to, "may": None, **(grant or {})}
        yield _registration(identifier, stated, folder)


def _divided(pattern: str, rule: Values) -> Values:
    """State how the pieces of a rule divide a text if a new rule would divide it otherwise."""
    others = {name: value for name, value in rule.items() if name != "captures"}
    stated = read_pattern(pattern, rule)
    return {**others, "captures": Captures.SHORTEST} if stated.is_lazy else others


def _delegations(values: Values) -> Iterator[dict[str, Any]]:
    days = values.get("to", {})
    ended = {} if days else {"answered_by": None}  # a delegation without days is stated as ended
    immediate = {name: value for name, value in values.items() if name != "to"}
    at_once = {"to": days[""] or None} if "" in days else {}
    if immediate or at_once or not days:
        yield {"record": RecordType.DELEGATION, **ended, **immediate, **at_once}
    for day in sorted(days.keys() - {""}):
        yield {"record": RecordType.DELEGATION, "to": days[day] or None, "valid_from": day}


def _registration(identifier: str, values: Values, folder: str) -> dict[str, Any]:
    # The normal form of a host starts with two slashes, and is written as a URI.
    written = f"http:{identifier}" if identifier.startswith("//") else identifier
    registration: dict[str, Any] = {"record": str(values["record"])} if "record" in values else {}
    registration["identifier"] = written
    registration |= {name: _texts(values[name]) for name in PER_LANGUAGE if name in values}
    registration |= {
        name: value for name, value in values.items() if name not in {*registration, *_WRITTEN_SEPARATELY}
    }
    forms = [_form(form, folder) for form in (values.get(FORMS) or {}).values()]
    forms += [{"part": part, "status": "retired"} for part in values.get(RETIRED_PARTS, ())]
    if forms:
        registration[FORMS] = forms
    links = [
        {"rel": rel, **link}
        for rel, links in (values.get("links") or {}).items()
        for link in links or [{"href": None}]
    ]
    if links:
        registration["links"] = links
    registration |= {name: None for name in ("links", FORMS) if name in values and values[name] is None}
    return _in_order(registration)


def _form(values: Values, folder: str) -> dict[str, Any]:
    form = dict(values)
    if "title" in form:
        form["title"] = _texts(form["title"])
    if form.get("file"):
        form["file"] = stored_as(form["file"]["key"]).removeprefix(folder)
    return _in_order(form)


def _in_order(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Sort the fields, but keep the order within texts, forms and links, where it matters."""
    first = [name for name in _FIRST if name in fields]
    return {name: fields[name] for name in (*first, *sorted(fields.keys() - set(first)))}


def _texts(texts: Mapping[str, str | None] | None) -> Any:  # noqa: ANN401  as a registration writes it
    return texts[""] if texts and list(texts) == [""] and texts[""] is not None else texts
