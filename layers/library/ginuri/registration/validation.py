"""Judges whether a registration may be registered.

`ginuri.files` checks the contents of single fields; the checks here depend on the identifier, on the folder
of the upload, and on what is registered already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from itertools import chain

from ginuri.identifiers import Identifier, Kind, parse
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
from ginuri.registration.ntriples import is_concept
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, is_refused, refuse, warn
from ginuri.registry.metadata.fields import FIELDS_OF
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
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES, UNTIL, statuses_with
from ginuri.registry.titles import MOST_CHARACTERS, MOST_LISTED

_TRIPLES = ("triples",)
_OF_PREFIXES = {*RULES, *DELEGATION}
"""The fields of a record that concern it as a prefix."""
_ONLY_OF_PREFIXES = {"pass_query", "document", "document_of", "to", "valid_from"}
"""Fields that only rules and delegations have."""


def judge(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Find problems of a registration; it may be registered unless one of the findings refuses it."""
    statements = registration.statements
    yield from judge_case(registration, context)
    yield from _long_titles(statements)
    rule_paths = [path for path in statements if path[0] == RULES[0]]
    delegation_paths = [path for path in statements if path[0] == DELEGATION[0]]
    own = {path: value for path, value in statements.items() if path[0] not in _OF_PREFIXES}
    if rule_paths:
        yield from _fields({path[2:]: statements[path] for path in rule_paths}, RecordType.RULE)
        findings_by_rule = judge_rules(registration.identifier, statements, context.neighbours)
        yield from chain.from_iterable(findings_by_rule.values())
    if delegation_paths:
        yield from _fields({path[1:]: statements[path] for path in delegation_paths}, RecordType.DELEGATION)
        yield from judge_delegation(registration, context.before, context.receivers)
        if rule_paths or own:  # `judge_folder` covers a delegation alone
            yield from judge_handover(registration.identifier, RecordType.DELEGATION, context)
    if (rule_paths or delegation_paths) and not own:
        prefix_type = RecordType.RULE if rule_paths else RecordType.DELEGATION
        yield from judge_folder(registration.identifier, prefix_type, context)
        return
    stated_type = own.get(("record",))
    if stated_type is None and ("record",) in own:
        yield refuse(
            "record", NEVER_REUSED, None, "The type of a record cannot be cleared. Leave the cell empty."
        )
        return
    registered_type = _registered_type(context.before)
    record_type = RecordType(stated_type or registered_type or RecordType.RESOURCE)
    yield from judge_type(context.before, registered_type, record_type, context.correction)
    if registered_type == record_type == RecordType.RESOURCE and context.before is not None:
        yield from judge_kind(registration, context.before, context.correction)
    yield from judge_folder(registration.identifier, record_type, context)
    yield from judge_shape(registration.identifier, record_type)
    yield from _fields(own, record_type)
    yield from judge_services(own, record_type)
    yield from _lifecycle(own, context.before)
    yield from _end(own, context.before)
    yield from _syntax(registration.identifier, context)
    if record_type is RecordType.RESOURCE:
        yield from judge_representations(registration, context)
    if record_type is RecordType.ALIAS:
        yield from _alias(registration, context)
    yield from check_file_names(registration.identifier)
    yield from _host(registration.identifier, context)
    yield from _advice(registration, record_type, context)


def judge_stated_rules(
    registration: Registration, context: JudgingContext, *, is_stated_itself: bool
) -> dict[str, list[Finding]]:
    """Find problems of each rule that a registration states, by pattern.

    `is_stated_itself` tells whether the same upload may register the prefix, and therefore its rules.
    """
    identifier = registration.identifier
    statements_by_rule: dict[str, dict[Path, Value]] = {pattern: {} for pattern in registration.rules}
    for path, value in registration.statements.items():
        if path[0] == RULES[0]:
            statements_by_rule[path[1]][path] = value
    prefix_findings = list(judge_case(replace(registration, statements={}), context))
    if not is_stated_itself:
        prefix_findings += judge_folder(identifier, RecordType.RULE, context)
    findings_by_rule = {
        pattern: [
            *prefix_findings,
            *_fields({path[2:]: own[path] for path in own}, RecordType.RULE),
            *_end(own, context.before, *RULES, pattern),
        ]
        if own
        else [
            refuse(
                "location",
                "required",
                None,
                "This rule states nothing. State a `location`, or the `status_code` 404 or 410.",
            )
        ]
        for pattern, own in statements_by_rule.items()
    }
    refused = {pattern for pattern, findings in findings_by_rule.items() if is_refused(findings)}
    judged = {path: value for own in statements_by_rule.values() for path, value in own.items()}
    conflicts = judge_rules(identifier, judged, context.neighbours, refused)
    return {
        pattern: [*findings, *conflicts.get(pattern, ())] for pattern, findings in findings_by_rule.items()
    }


def as_registered(registration: Registration, before: Record | None) -> Registration:
    """Fit a registration to the registered type: the status code of an alias belongs to the record itself."""
    codes = {
        path: value
        for path, value in registration.statements.items()
        if path[0] == REPRESENTATIONS[0] and path[-1] == "status_code"
    }
    if not codes or ("record",) in registration.statements or _registered_type(before) != RecordType.ALIAS:
        return registration
    kept = {path: value for path, value in registration.statements.items() if path[0] != REPRESENTATIONS[0]}
    return replace(registration, statements={**kept, ("status_code",): next(iter(codes.values()))})


def with_kind_of_concept(registration: Registration, before: Record | None) -> Registration:
    """State that a new SKOS concept is a thing; a registered resource keeps its kind."""
    statements = registration.statements
    triples = statements.get(_TRIPLES)
    is_new = _registered_type(before) is None and statements.get(("kind",)) is None
    if not (triples and is_new) or registration.identifier.kind is Kind.THING or not is_concept(triples):
        return registration
    return replace(registration, statements={**statements, ("kind",): str(Kind.THING)})


def ignored_fields(registration: Registration, correction: str) -> dict[Path, Value]:
    """Clear the fields that the type stated by a correction does not have.

    The fields of every other type are cleared, as another correction may arrive late.
    """
    stated_type = registration.statements.get(("record",))
    if not correction or stated_type is None:
        return {}
    all_fields = {name for names in FIELDS_OF.values() for name in names} - _ONLY_OF_PREFIXES
    return {(name,): None for name in sorted(all_fields - FIELDS_OF[RecordType(stated_type)])}


def _registered_type(before: Record | None) -> Value:
    """Return the type of a record; None for one with nothing but rules and a delegation."""
    if before is None or not any(path[0] not in {FIRST, *_OF_PREFIXES} for path in before.in_force()):
        return None
    return before.get("record") or RecordType.RESOURCE


def _alias(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    registered = context.before.get("stands_for") if context.before else None
    targets = registration.statements.get(("stands_for",), registered)
    if not targets:
        yield refuse(
            "stands_for", "required", None, "State in `stands_for` which identifiers this alias stands for."
        )
    elif aliases := sorted(context.aliases.keys() & set(targets)):
        yield refuse(
            "stands_for",
            "alias",
            aliases[0],
            "{other} is an alias itself (registered by {source}). Name the identifier it stands for.",
            other=aliases[0],
            source=context.aliases[aliases[0]],
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


def _long_titles(statements: Mapping[Path, Value]) -> Iterator[Finding]:
    """Warn of titles that lists shorten, those of rules and representations as well."""
    for title in (value for path, value in statements.items() if "title" in path[-2:-1]):
        if isinstance(title, str) and len(title) > MOST_CHARACTERS:
            yield warn(
                "title",
                "length",
                title,
                "The title has {number} characters; lists show the first {shown}. Write a title of at most "
                "{most} characters, and the rest as `description`.",
                number=len(title),
                shown=MOST_LISTED,
                most=MOST_CHARACTERS,
            )


def _after(statements: Mapping[Path, Value], before: Record | None, *path: str) -> Value:
    return statements[path] if path in statements else before and before.get(*path)


def _lifecycle(statements: Mapping[Path, Value], before: Record | None) -> Iterator[Finding]:
    status = Status(_after(statements, before, "status") or Status.VALID)
    meaning = STATUSES[status]
    previous = Status((before.get("status") if before else None) or Status.VALID)
    if before is not None and status not in STATUSES[previous].following:
        # Uploads arrive in any order, so an unusual order of statuses is no reason to refuse one.
        usual = ", ".join(sorted(STATUSES[previous].following))
        yield warn(
            "status",
            "following",
            status,
            "The status was {stood}, which is usually followed by {usual}.",
            stood=str(previous),
            usual=usual,
        )
    for name in sorted(LIFECYCLE_FIELDS):
        value = _after(statements, before, name)
        if value and name not in meaning.fields:
            # An upload that contradicts itself is refused; a field registered earlier only causes a warning.
            report = refuse if statements.get((name,)) else warn
            yield report(
                name,
                "status",
                value,
                message(
                    "A record with the status `{status}` has no `{field}`. Set the status to {statuses}, or "
                    "clear `{field}`.",
                    status=str(status),
                    field=name,
                    statuses=", ".join(f"`{name_of_status}`" for name_of_status in statuses_with(name)),
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


def _end(statements: Mapping[Path, Value], before: Record | None, *place: str) -> Iterator[Finding]:
    """Refuse a status that ends, of a record or of a rule, without the day on which it does."""
    status = Status(_after(statements, before, *place, "status") or Status.VALID)
    if STATUSES[status].ends and not _after(statements, before, *place, UNTIL):
        yield refuse(
            UNTIL,
            "status",
            status,
            "A record with the status `{status}` needs `{field}`. State the day on which it ends, or "
            "another status.",
            field=UNTIL,
            status=str(status),
        )


def _syntax(identifier: Identifier, context: JudgingContext) -> Iterator[Finding]:
    if identifier.is_bound:
        return
    try:
        parse(identifier.normal_form, strict=True)
    except MalformedIdentifier as error:
        report = refuse if context.authority is not None and context.authority.syntax == "strict" else warn
        yield report(
            "identifier",
            error.rule,
            error.value,
            message(
                "The strict grammar of this scheme does not allow this identifier, and some tools cannot "
                "use it: {reason}",
                reason=error.reason,
            ),
        )


def _host(identifier: Identifier, context: JudgingContext) -> Iterator[Finding]:
    trusted = context.authority.trusted_hosts if context.authority else ()
    if not identifier.is_bound and identifier.host and trusted and identifier.host.lower() not in trusted:
        yield warn(
            "identifier",
            "trusted host",
            identifier.host,
            "The name authority trusts these hosts: {hosts}. The host is not part of the identifier.",
            hosts=", ".join(trusted),
        )


def _advice(
    registration: Registration, record_type: RecordType, context: JudgingContext
) -> Iterator[Finding]:
    registered = (
        context.before.in_force() if context.before and ("title",) not in registration.statements else {}
    )
    after = registered | dict(registration.statements)
    if not any(after[path] for path in paths_under(after, "title")):
        yield warn("title", "missing", None, "Add a title, so that people know what the identifier names.")
    # The source defines resource types for its own schemes; namespaces and hosts need none.
    is_free = registration.identifier.is_namespaced or registration.identifier.is_bound
    is_listed = context.is_typed or context.authority is None or is_free
    if record_type is RecordType.RESOURCE and not is_listed:
        yield warn(
            "identifier",
            "resource type",
            registration.identifier,
            "No resource type is registered above this identifier. Register one, such as {example}.",
            example=f"{folder_of(registration.identifier)}…/",
        )
