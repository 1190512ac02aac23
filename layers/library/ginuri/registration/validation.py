"""May this be registered? Every rule that a registration is held to, and why it exists.

What a single field may contain is checked where files are read (`ginuri.files`); here is what depends on
the identifier, on the folder it comes from, and on what is registered already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from itertools import chain

from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.registration.checks.authorization import folder_of, judge_folder, judge_handover, judge_shape
from ginuri.registration.checks.delegations import judge_delegation
from ginuri.registration.checks.file_names import check_file_names
from ginuri.registration.checks.immutability import NEVER_REUSED, judge_kind, judge_type
from ginuri.registration.checks.namespaces import judge_case, judge_services
from ginuri.registration.checks.representations import judge_representations
from ginuri.registration.checks.rule_conflicts import judge_rules
from ginuri.registration.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, is_refused, refuse, warn
from ginuri.registry.fields import FIELDS_OF
from ginuri.registry.model import RecordType, Status
from ginuri.registry.record.record import (
    DELEGATION,
    FIRST,
    REPRESENTATIONS,
    RULES,
    Path,
    Record,
    Value,
    paths_under,
)
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES, statuses_with

_OF_PREFIXES = {*RULES, *DELEGATION}
"""What is stated about a prefix, whatever else it names."""
_ONLY_OF_PREFIXES = {"pass_query", "document", "document_of", "to", "valid_from"}
"""Fields of rules and delegations, which no record has by itself."""


def judge(registration: Registration, around: JudgingContext) -> Iterator[Finding]:
    """Find everything there is to say about a registration; it may be registered when nothing refuses it."""
    statements = registration.statements
    yield from judge_case(registration, around)
    ruled = [path for path in statements if path[0] == RULES[0]]
    delegated = [path for path in statements if path[0] == DELEGATION[0]]
    own = {path: value for path, value in statements.items() if path[0] not in _OF_PREFIXES}
    if ruled:
        yield from _fields({path[2:]: statements[path] for path in ruled}, RecordType.RULE)
        found = judge_rules(registration.identifier, statements, around.neighbours)
        yield from chain.from_iterable(found.values())
    if delegated:
        yield from _fields({path[1:]: statements[path] for path in delegated}, RecordType.DELEGATION)
        yield from judge_delegation(registration, around.before, around.receivers)
        if ruled or own:  # else it is judged by its folder, as whatever it is
            yield from judge_handover(registration.identifier, RecordType.DELEGATION, around)
    if (ruled or delegated) and not own:
        prefix_type = RecordType.RULE if ruled else RecordType.DELEGATION
        yield from judge_folder(registration.identifier, prefix_type, around)
        return
    stated = own.get(("record",))
    if stated is None and ("record",) in own:
        yield refuse(
            "record", NEVER_REUSED, None, "The type of a record cannot be cleared. Leave the cell empty."
        )
        return
    held = _held_type(around.before)
    record_type = RecordType(stated or held or RecordType.RESOURCE)
    yield from judge_type(around.before, held, record_type, around.correction)
    if held == record_type == RecordType.RESOURCE and around.before is not None:
        yield from judge_kind(registration, around.before, around.correction)
    yield from judge_folder(registration.identifier, record_type, around)
    yield from judge_shape(registration.identifier, record_type)
    yield from _fields(own, record_type)
    yield from judge_services(own, record_type)
    yield from _life(own, around.before)
    yield from _syntax(registration.identifier, around)
    if record_type is RecordType.RESOURCE:
        yield from judge_representations(registration, around)
    if record_type is RecordType.ALIAS:
        yield from _alias(registration, around)
    yield from check_file_names(registration.identifier)
    yield from _host(registration.identifier, around)
    yield from _advice(registration, record_type, around)


def judge_stated_rules(
    registration: Registration, around: JudgingContext, *, is_stated_itself: bool
) -> dict[str, list[Finding]]:
    """Find everything there is to say about each rule that a registration states, by pattern.

    `is_stated_itself`: whether the prefix is registered by the same upload; then its rules may be as well.
    """
    identifier = registration.identifier
    stated: dict[str, dict[Path, Value]] = {pattern: {} for pattern in registration.rules}
    for path, value in registration.statements.items():
        if path[0] == RULES[0]:
            stated[path[1]][path] = value
    of_prefix = list(judge_case(replace(registration, statements={}), around))
    if not is_stated_itself:
        of_prefix += judge_folder(identifier, RecordType.RULE, around)
    found = {
        pattern: [*of_prefix, *_fields({path[2:]: own[path] for path in own}, RecordType.RULE)]
        if own
        else [
            refuse(
                "location",
                "required",
                None,
                "This rule states nothing. State a `location`, or the `status_code` 404 or 410.",
            )
        ]
        for pattern, own in stated.items()
    }
    refused = {pattern for pattern, findings in found.items() if is_refused(findings)}
    every = {path: value for own in stated.values() for path, value in own.items()}
    beside = judge_rules(identifier, every, around.neighbours, refused)
    return {pattern: [*findings, *beside.get(pattern, ())] for pattern, findings in found.items()}


def as_registered(registration: Registration, before: Record | None) -> Registration:
    """Read a registration as one of the held type: an alias has its status code itself."""
    codes = {
        path: value
        for path, value in registration.statements.items()
        if path[0] == REPRESENTATIONS[0] and path[-1] == "status_code"
    }
    if not codes or ("record",) in registration.statements or _held_type(before) != RecordType.ALIAS:
        return registration
    kept = {path: value for path, value in registration.statements.items() if path[0] != REPRESENTATIONS[0]}
    return replace(registration, statements={**kept, ("status_code",): next(iter(codes.values()))})


def ignored_fields(registration: Registration, correction: str) -> dict[Path, Value]:
    """Clear what a record of the type that a correction states has not.

    Whatever type it was of: another correction may still come late, and neither may leave its fields behind.
    """
    stated = registration.statements.get(("record",))
    if not correction or stated is None:
        return {}
    every = {name for names in FIELDS_OF.values() for name in names} - _ONLY_OF_PREFIXES
    return {(name,): None for name in sorted(every - FIELDS_OF[RecordType(stated)])}


def _held_type(before: Record | None) -> Value:
    """Give the type of a record; None for one that holds nothing but rules and a delegation."""
    if before is None or not any(path[0] not in {FIRST, *_OF_PREFIXES} for path in before.in_force()):
        return None
    return before.get("record") or RecordType.RESOURCE


def _alias(registration: Registration, around: JudgingContext) -> Iterator[Finding]:
    held = around.before.get("stands_for") if around.before else None
    targets = registration.statements.get(("stands_for",), held)
    if not targets:
        yield refuse(
            "stands_for", "required", None, "State in `stands_for` which identifiers this alias stands for."
        )
    elif others := sorted(around.aliases.keys() & set(targets)):
        yield refuse(
            "stands_for",
            "alias",
            others[0],
            "{other} is an alias itself (registered by {source}). Name the identifier it stands for.",
            other=others[0],
            source=around.aliases[others[0]],
        )
    elif registration.identifier.normal_form in targets:
        yield refuse("stands_for", "itself", targets, "An alias cannot stand for itself.")
    status_code = registration.statements.get(("status_code",))
    if status_code not in {None, HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.FOUND}:
        yield refuse(
            "status_code",
            "alias",
            status_code,
            "The status code of an alias must be 301, or 302 if what it stands for changes.",
        )


def _fields(statements: Mapping[Path, Value], record_type: RecordType) -> Iterator[Finding]:
    for name in dict.fromkeys(path[0] for path in statements):
        if name not in FIELDS_OF[record_type]:
            yield refuse(
                name,
                record_type,
                None,
                "A record of type `{record_type}` has no field `{name}`. Its fields are: {fields}.",
                record_type=record_type,
                name=name,
                fields=", ".join(sorted(FIELDS_OF[record_type])),
            )


def _life(statements: Mapping[Path, Value], before: Record | None) -> Iterator[Finding]:
    def after(name: str) -> Value:
        return statements[name,] if (name,) in statements else before and before.get(name)

    status = Status(after("status") or Status.VALID)
    meaning = STATUSES[status]
    stood = Status((before.get("status") if before else None) or Status.VALID)
    if before is not None and status not in STATUSES[stood].following:
        # Uploads come in any order, so that none is refused for what stood when it came.
        usual = ", ".join(sorted(STATUSES[stood].following))
        yield warn(
            "status",
            "following",
            status,
            "The status was {stood}, which is usually followed by {usual}.",
            stood=str(stood),
            usual=usual,
        )
    for name in sorted(LIFECYCLE_FIELDS):
        value = after(name)
        if value and name not in meaning.fields:
            # What stood before gives way, whichever comes first; what is at odds with itself is refused.
            say = refuse if statements.get((name,)) else warn
            yield say(
                name,
                "status",
                value,
                message(
                    "A record with the status `{status}` has no `{field}`. Set the status to {statuses}, or "
                    "clear `{field}`.",
                    status=str(status),
                    field=name,
                    statuses=", ".join(f"`{having}`" for having in statuses_with(name)),
                ),
            )
        if name in meaning.expected and not value:
            yield warn(
                name,
                "status",
                status,
                "Name the `{field}` of a {status} record.",
                field=name,
                status=str(status),
            )


def _syntax(identifier: Identifier, around: JudgingContext) -> Iterator[Finding]:
    if identifier.is_bound:
        return
    try:
        parse(identifier.normal_form, strict=True)
    except MalformedIdentifier as error:
        say = refuse if around.authority is not None and around.authority.syntax == "strict" else warn
        yield say(
            "identifier",
            error.rule,
            error.value,
            message(
                "The strict grammar of this scheme does not allow this identifier, and some tools cannot "
                "use it: {reason}",
                reason=error.reason,
            ),
        )


def _host(identifier: Identifier, around: JudgingContext) -> Iterator[Finding]:
    trusted = around.authority.trusted_hosts if around.authority else ()
    if not identifier.is_bound and identifier.host and trusted and identifier.host.lower() not in trusted:
        yield warn(
            "identifier",
            "trusted host",
            identifier.host,
            "The name authority trusts these hosts: {hosts}. The host is not part of the identifier.",
            hosts=", ".join(trusted),
        )


def _advice(registration: Registration, record_type: RecordType, around: JudgingContext) -> Iterator[Finding]:
    held = around.before.in_force() if around.before and ("title",) not in registration.statements else {}
    after = held | dict(registration.statements)
    if not any(after[path] for path in paths_under(after, "title")):
        yield warn("title", "missing", None, "Add a title, so that people know what the identifier names.")
    # The source has types of the schemes that it defines; namespaces and hosts need none.
    is_free = registration.identifier.is_namespaced or registration.identifier.is_bound
    is_listed = around.is_typed or around.authority is None or is_free
    if record_type is RecordType.RESOURCE and not is_listed:
        yield warn(
            "identifier",
            "resource type",
            registration.identifier,
            "No resource type is registered above this identifier. Register one, such as {example}.",
            example=f"{folder_of(registration.identifier)}…/",
        )
