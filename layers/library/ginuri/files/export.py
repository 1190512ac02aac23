"""What stands, as the JSON lines that state it: the inverse of `ginuri.files.statements`.

A record is one line of its own, one for each of its rules and one for its delegation. Nothing is written that
a reader would add by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ginuri.files.formats import stored_as
from ginuri.identifiers.roots import ancestors_of, folder_to_prefix, prefix_to_folder, root_of
from ginuri.registration.checks.authorization import HOST_FOLDER
from ginuri.registration.undo.rollback import Restatement
from ginuri.registry.fields import PER_LANGUAGE
from ginuri.registry.model import RecordType, StoredFile
from ginuri.registry.record.record import DELEGATION, REPRESENTATIONS, RETIRED_PARTS, RULES, nest

Values = Mapping[str, Any]
"""What stands of a record, nested (`ginuri.registry.record.record.Record.values`)."""
_FIRST = ("record", "identifier", "pattern", "part", *PER_LANGUAGE)
_HOST_RECORDS = {RecordType.SCHEME, RecordType.HOST, RecordType.AUTHORITY, RecordType.NAMESPACE}
_NEVER_THEIR_OWN = {*RULES, *DELEGATION}
_SPELLED_APART = {*REPRESENTATIONS, *RETIRED_PARTS, *PER_LANGUAGE, "links"}


class ExportedLine(NamedTuple):
    """What is written about an identifier for a folder; in the order of folders, then of identifiers."""

    folder: str
    identifier: str
    lines: list[str]


def place_in_folders(standing: Iterable[tuple[str, Values]], folder: str | None) -> Iterator[ExportedLine]:
    """Write what stands about identifiers for a folder, in the order in which they come.

    Without a folder, for that of the host and of each authority.
    """
    for identifier, values in standing:
        for each in (HOST_FOLDER, authority_folder(identifier)) if folder is None else (folder,):
            if lines := list(write_lines(identifier, values, each)):
                yield ExportedLine(each, identifier, lines)


def authority_folder(identifier: str) -> str:
    """Give the folder of the authority that an identifier is or stands under; of scheme or host, itself.

    What is bound to a host is registered from the folder of the host: what stands between may be anything.

    >>> authority_folder("uri-gin/azgs/map/1"), authority_folder("//id.example/doc/")
    ('uri-gin/azgs/', 'id.example/')
    """
    if identifier.startswith("//"):
        return prefix_to_folder(root_of(identifier))
    under = ancestors_of(f"{identifier}x" if identifier.endswith(("/", ":")) else identifier)
    return prefix_to_folder(under[min(1, len(under) - 1)])


def prefix_of(folder: str) -> str:
    """Give what the identifiers begin with that may be registered from a folder."""
    return "" if folder == HOST_FOLDER else folder_to_prefix(folder)


def write_lines(identifier: str, values: Values, folder: str) -> Iterator[str]:
    """Write what can be uploaded to a folder of what stands about an identifier, one JSON object each.

    That is what `checks.authorization` lets in: schemes, hosts and authorities from the host folder only,
    anything else from a folder that it stands under. Stored files are named as seen from the folder, and so
    that they are stored again, not read (`ginuri.files.formats.stored_as`).
    """
    for registration in _registrations(identifier, values, folder):
        yield json.dumps(registration, ensure_ascii=False)


def files_of(values: Values) -> list[StoredFile]:
    """Give the stored files that a record names."""
    forms = values.get(REPRESENTATIONS[0], {}).values()
    return [StoredFile(**form["file"]) for form in forms if "file" in form]


def write_restatement(restatement: Restatement, folder: str) -> Iterator[str]:
    """Write what is to be stated about an identifier, cleared fields as null, likewise."""
    values = nest(restatement.statements)
    own = {name: value for name, value in values.items() if name not in _NEVER_THEIR_OWN}
    if own:
        # What its fields mean depends on that of an alias.
        is_alias = restatement.record == RecordType.ALIAS
        told = {"record": RecordType.ALIAS, **own} if is_alias and "record" not in own else own
        yield json.dumps(_registration(restatement.identifier, told, folder), ensure_ascii=False)
    of_prefix = {name: value for name, value in values.items() if name in _NEVER_THEIR_OWN}
    for registration in _of_prefix(restatement.identifier, of_prefix, folder):
        yield json.dumps(registration, ensure_ascii=False)


def _registrations(identifier: str, values: Values, folder: str) -> Iterator[dict[str, Any]]:
    own = {name: value for name, value in values.items() if name not in _NEVER_THEIR_OWN}
    is_hosts = values.get("record") in _HOST_RECORDS
    if folder == HOST_FOLDER:
        if is_hosts:
            yield _registration(identifier, own, folder)
        return
    prefix = folder_to_prefix(folder)
    if not identifier.startswith(prefix):
        return
    if not is_hosts and identifier != prefix and (own or not values):
        # Where nothing stands any more, the name alone would state the type of a resource.
        yield _registration(identifier, own or {"title": None}, folder)
    yield from _of_prefix(identifier, values, folder)


def _of_prefix(identifier: str, values: Values, folder: str) -> Iterator[dict[str, Any]]:
    for pattern, rule in values.get(RULES[0], {}).items():
        named = {"pattern": pattern} if pattern else {}
        yield _registration(identifier, {"record": RecordType.RULE, **named, **rule}, folder)
    if DELEGATION[0] in values:
        yield from (_registration(identifier, told, folder) for told in _delegations(values[DELEGATION[0]]))


def _delegations(values: Values) -> Iterator[dict[str, Any]]:
    days = values.get("to", {})
    ended = {} if days else {"answered_by": None}  # and then stated as ended
    told = {name: value for name, value in values.items() if name != "to"}
    at_once = {"to": days[""] or None} if "" in days else {}
    if told or at_once or not days:
        yield {"record": RecordType.DELEGATION, **ended, **told, **at_once}
    for day in sorted(days.keys() - {""}):
        yield {"record": RecordType.DELEGATION, "to": days[day] or None, "valid_from": day}


def _registration(identifier: str, values: Values, folder: str) -> dict[str, Any]:
    # A host's normal form begins with two slashes, and is written as a URI.
    written = f"http:{identifier}" if identifier.startswith("//") else identifier
    told: dict[str, Any] = {"record": str(values["record"])} if "record" in values else {}
    told["identifier"] = written
    told |= {name: _texts(values[name]) for name in PER_LANGUAGE if name in values}
    told |= {name: value for name, value in values.items() if name not in {*told, *_SPELLED_APART}}
    forms = [_form(each, folder) for each in (values.get(REPRESENTATIONS[0]) or {}).values()]
    forms += [{"part": part, "status": "retired"} for part in values.get(RETIRED_PARTS[0], ())]
    if forms:
        told[REPRESENTATIONS[0]] = forms
    links = [
        {"rel": rel, **link}
        for rel, links in (values.get("links") or {}).items()
        for link in links or [{"href": None}]
    ]
    if links:
        told["links"] = links
    told |= {name: None for name in ("links", *REPRESENTATIONS) if name in values and values[name] is None}
    return _in_order(told)


def _form(values: Values, folder: str) -> dict[str, Any]:
    told = dict(values)
    if "title" in told:
        told["title"] = _texts(told["title"])
    if told.get("file"):
        told["file"] = stored_as(told["file"]["key"]).removeprefix(folder)
    return _in_order(told)


def _in_order(told: Mapping[str, Any]) -> dict[str, Any]:
    """Write fields in one order, whichever was stated first; that of texts, forms and links has a meaning."""
    first = [name for name in _FIRST if name in told]
    return {name: told[name] for name in (*first, *sorted(told.keys() - set(first)))}


def _texts(texts: Mapping[str, str | None] | None) -> Any:  # noqa: ANN401  as a registration writes it
    return texts[""] if texts and list(texts) == [""] and texts[""] is not None else texts
