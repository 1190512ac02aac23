"""Checks whether a folder may register an identifier, and whether the identifier suits its record type."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER, folder_of
from ginuri.registration.checks.delegations import Handover
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.checks.namespaces import refuse_unknown_scheme
from ginuri.registration.verdicts import Finding, refuse, suggest
from ginuri.registry.model import RecordType, Resource, Status

_HOST_RECORDS = {RecordType.SCHEME, RecordType.HOST, RecordType.AUTHORITY, RecordType.NAMESPACE}
_PREFIX_RECORDS = {RecordType.RULE, RecordType.DELEGATION}
_SEGMENTS = {RecordType.SCHEME: 0, RecordType.AUTHORITY: 1, RecordType.NAMESPACE: 1}
_EXAMPLES = {
    RecordType.SCHEME: "uri-gin/",
    RecordType.AUTHORITY: "uri-gin/azgs/",
    RecordType.NAMESPACE: "info:pmid/",
}


def judge_folder(
    identifier: Identifier, record_type: RecordType, context: JudgingContext
) -> Iterator[Finding]:
    """Refuse an identifier that the folder of the upload may not register."""
    is_opened = isinstance(context.opening, Resource) and context.opening.status is Status.VALID
    if record_type is RecordType.AUTHORITY and is_opened:
        return
    if record_type in _HOST_RECORDS or context.folder == HOST_FOLDER:
        if context.folder != HOST_FOLDER:
            yield _refuse_host_record(identifier, record_type, context)
        elif record_type is RecordType.RULE and _is_scheme_or_namespace(identifier):
            yield from _judge_rule_of_root(identifier, context)
        elif record_type not in _HOST_RECORDS:
            yield refuse(
                "identifier",
                "folder",
                identifier,
                "The folder {host_folder} is for schemes, hosts, namespaces and name authorities, and for "
                "rules on whole schemes or namespaces. Upload a record of type `{record_type}` to the "
                "folder of its name authority.",
                host_folder=HOST_FOLDER,
                record_type=record_type,
            )
        return
    if find_handover(record_type, context) is not None:
        yield from judge_handover(identifier, record_type, context)
        return
    is_folder_itself = identifier.normal_form == context.folder and record_type not in _PREFIX_RECORDS
    if is_folder_itself or not (is_opened or identifier.normal_form.startswith(context.folder)):
        yield _refuse_folder(identifier, context)
    elif context.authority is None:
        yield refuse_without_steward(identifier)


def _is_scheme_or_namespace(identifier: Identifier) -> bool:
    segments = len(identifier.segments)
    return identifier.is_terminated and (identifier.is_scheme or (identifier.is_namespaced and segments == 1))


def _judge_rule_of_root(identifier: Identifier, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a rule on a scheme or a namespace that is not registered: no request would reach it."""
    is_scheme = identifier.is_scheme
    if context.scheme is None and (is_scheme or identifier.is_of_registered_scheme):
        yield refuse_unknown_scheme(identifier)
    elif context.authority is None and not is_scheme:
        yield refuse_without_steward(identifier)


def judge_handover(
    identifier: Identifier, record_type: RecordType, context: JudgingContext
) -> Iterator[Finding]:
    """Refuse an identifier that is delegated to another authority than the upload's."""
    handover = find_handover(record_type, context)
    if handover is not None and handover.to != context.folder:
        yield refuse(
            "identifier",
            "delegated",
            identifier,
            "The prefix {prefix} is delegated to {authority}. Upload this to the folder {folder}; whoever "
            "delegated the prefix can end that with another delegation.",
            prefix=handover.prefix,
            authority=handover.to,
            folder=prefix_to_folder(handover.to),
        )


def find_handover(record_type: RecordType, context: JudgingContext) -> Handover | None:
    """Return the handover that governs a record of a type: a delegation remains with the delegator."""
    return context.handover_above if record_type is RecordType.DELEGATION else context.handover


def authority_to_open(identifier: Identifier, folder: str) -> str | None:
    """Return the identifier whose registration makes an authority a sub-authority of the folder's.

    None unless the name of the authority starts with that of the folder's authority and a dot. Source:
    "Special URIs".

    >>> from ginuri.identifiers import parse
    >>> authority_to_open(parse("uri-gin/azgs.mapping/map/1/"), "uri-gin/azgs/")
    'uri-gin/azgs/authority/azgs.mapping/'
    """
    if identifier.is_namespaced:
        return None
    authority = identifier.name_authority or ""
    above = folder.removeprefix(identifier.root).removesuffix("/")
    is_below = folder == f"{identifier.root}{above}/" and authority.startswith(f"{above}.")
    return f"{folder}authority/{authority}/" if is_below else None


def _refuse_host_record(identifier: Identifier, record_type: RecordType, context: JudgingContext) -> Finding:
    opened_by = authority_to_open(identifier, context.folder)
    return refuse(
        "record",
        "folder",
        record_type,
        "Upload a record of type `{record_type}` to the folder {host_folder}. From this folder it can be "
        "registered once an earlier upload has registered {opened_by}."
        if opened_by
        else "Upload a record of type `{record_type}` to the folder {host_folder}.",
        record_type=record_type,
        host_folder=HOST_FOLDER,
        **({"opened_by": opened_by} if opened_by else {}),
    )


def _refuse_folder(identifier: Identifier, context: JudgingContext) -> Finding:
    opened_by, folder, name = (
        authority_to_open(identifier, context.folder),
        context.folder,
        identifier.normal_form,
    )
    finding = refuse(
        "identifier",
        "folder",
        identifier,
        "Files in this folder may only register identifiers that start with `{prefix}`. Upload this to the "
        "folder {folder}; from this folder it can be registered once an earlier upload has registered "
        "{opened_by}."
        if opened_by
        else "Files in this folder may only register identifiers that start with `{prefix}`. Upload this to "
        "the folder {folder}.",
        prefix=prefix_to_folder(context.folder),
        folder=prefix_to_folder(folder_of(identifier)),
        **({"opened_by": opened_by} if opened_by else {}),
    )
    return suggest(finding, spell_as_folder(name, folder))


def spell_as_folder(name: str, folder: str) -> str | None:
    """Return a name with the beginning of a folder in other capitals as the folder has it; else None.

    Authorities are in lower case: a name in capitals means the authority of the folder.

    >>> spell_as_folder("uri-gin/AZGS/doc/1", "uri-gin/azgs/")
    'uri-gin/azgs/doc/1'
    """
    is_shouted = name.lower().startswith(folder.lower()) and not name.startswith(folder)
    return f"{folder}{name[len(folder) :]}" if is_shouted else None


def refuse_without_steward(identifier: Identifier) -> Finding:
    """Refuse an identifier whose steward is not registered."""
    return refuse(
        "identifier",
        "name authority",
        identifier,
        "{steward} is not registered. Register it first, from the folder {host_folder}.",
        steward=_steward_of(identifier),
        host_folder=HOST_FOLDER,
    )


def _steward_of(identifier: Identifier) -> Message:
    if identifier.is_bound:
        return message("The host {name}", name=identifier.root)
    name = repr(identifier.name_authority)
    if identifier.is_namespaced:
        return message("The namespace {name}", name=name)
    return message("The name authority {name}", name=name)


def judge_shape(identifier: Identifier, record_type: RecordType) -> Iterator[Finding]:
    """Refuse an identifier whose form does not suit the type of the record."""
    if (identifier.scheme == "") != (record_type is RecordType.HOST):
        yield refuse(
            "record", "host", identifier, "Register a host, and nothing else, as http://<its name>/."
        )
        return
    if record_type is RecordType.HOST:
        return
    if record_type in _SEGMENTS:
        is_namespace = record_type is RecordType.NAMESPACE
        fits = record_type is RecordType.SCHEME or is_namespace == identifier.is_namespaced
        if len(identifier.segments) != _SEGMENTS[record_type] or not identifier.is_terminated or not fits:
            yield refuse(
                "identifier",
                record_type,
                identifier,
                "The identifier of a record of type `{record_type}` looks like {example}.",
                record_type=record_type,
                example=_EXAMPLES[record_type],
            )
    elif len(identifier.segments) < (1 if identifier.is_bound else 2):  # an authority and a name under it
        yield refuse(
            "identifier",
            record_type,
            identifier,
            "The identifier names no resource. After the name authority, add a name for the record of type "
            "`{record_type}`.",
            record_type=record_type,
        )
    elif record_type is RecordType.RESOURCE_TYPE and not identifier.is_terminated:
        yield refuse(
            "identifier", record_type, identifier, "The identifier of a resource type must end in a slash."
        )
