"""Judges whether a registration may be registered.

`ginuri.files` checks the contents of single fields; the checks here depend on the identifier, on the folder
of the upload, and on registered records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from http import HTTPStatus
from itertools import chain

from ginuri.identifiers import Identifier, Kind, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.stewards import HOST_FOLDER, folder_of
from ginuri.registration.checks.answer_tests import is_about_tests, is_registered_itself, judge_tested
from ginuri.registration.checks.authorization import judge_folder, judge_handover, judge_shape
from ginuri.registration.checks.delegations import is_delegated, judge_delegation
from ginuri.registration.checks.fallbacks import judge_fallback
from ginuri.registration.checks.file_names import check_file_names
from ginuri.registration.checks.immutability import NEVER_REUSED, judge_kind, judge_type
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.checks.namespaces import judge_case, judge_case_of_rule, judge_scheme, judge_services
from ginuri.registration.checks.other_fields import refuse_other_fields
from ginuri.registration.checks.representations import judge_codes_of_rule, judge_representations
from ginuri.registration.checks.resource_types import judge_media_types, judge_typed
from ginuri.registration.checks.rule_conflicts import judge_rules
from ginuri.registration.checks.service_paths import judge_pages, judge_service_path
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, is_refused, refuse, warn
from ginuri.registry.metadata.fields import FIELDS_OF
from ginuri.registry.model import Captures, RecordType, Status
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import (
    FORMS,
    OF_DELEGATION,
    OF_RECORD,
    JsonValue,
    Key,
    Statements,
)
from ginuri.registry.rules.patterns import is_ambiguous
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES, UNTIL, statuses_with
from ginuri.registry.texts.ntriples import is_concept
from ginuri.registry.texts.titles import MOST_CHARACTERS, MOST_LISTED

_ONLY_OF_PREFIXES = frozenset(
    {"pass_query", "ignore_case", "captures", "document", "document_of", "to", "valid_from"}
    | {"may", "valid_until"}
)
"""Fields that only rules, delegations and grants have."""


def judge(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Find problems of a registration; it may be registered unless one of the findings refuses it."""
    statements = registration.statements
    yield from judge_case(registration, context)
    yield from _long_titles(statements)
    yield from judge_service_path(registration.identifier, context)
    yield from judge_fallback(registration, context)
    rules, delegation, own = statements.rules(), statements.of(OF_DELEGATION), statements.of(OF_RECORD)
    if rules:
        yield from _fields(chain.from_iterable(rules.values()), RecordType.RULE)
        findings_by_rule = judge_rules(registration.identifier, rules, context.neighbours)
        yield from chain.from_iterable(findings_by_rule.values())
    if delegation:
        yield from _fields(delegation, RecordType.DELEGATION)
        yield from judge_delegation(registration, context.before, context.receivers)
        if rules or own:  # `judge_folder` covers a delegation alone
            yield from judge_handover(registration.identifier, RecordType.DELEGATION, context)
    if is_about_tests(own):
        yield from _tests_alone(registration, context)
        return
    if (rules or delegation) and not own:
        prefix_type = RecordType.RULE if rules else RecordType.DELEGATION
        yield from judge_folder(registration.identifier, prefix_type, context)
        return
    stated_type = own.text("record")
    if stated_type is None and own.states("record"):
        yield refuse(
            "record", NEVER_REUSED, None, "The type of a record cannot be cleared. Leave the cell empty."
        )
        return
    registered_type = _registered_type(context.before)
    record_type = RecordType(stated_type or registered_type or RecordType.RESOURCE)
    # An identifier that is registered already is as people wrote it.
    yield from registration.doubts if registered_type is None else ()
    yield from judge_type(context.before, registered_type, record_type, context.correction)
    if registered_type == record_type == RecordType.RESOURCE and context.before is not None:
        yield from judge_kind(registration, context.before, context.correction)
    yield from judge_folder(registration.identifier, record_type, context)
    yield from judge_shape(registration.identifier, record_type)
    yield from _fields(own, record_type)
    yield from judge_services(own, record_type)
    yield from judge_pages(registration.identifier, own, context)
    yield from judge_scheme(registration.identifier, record_type, own, context)
    yield from _lifecycle(own, context)
    yield from _end(own, context)
    yield from _syntax(registration.identifier, context)
    yield from judge_typed(registration.identifier, record_type, own, context)
    if record_type is RecordType.RESOURCE:
        yield from judge_representations(registration, context)
    if record_type is RecordType.ALIAS:
        yield from _alias(registration, context)
    yield from check_file_names(registration.identifier)
    yield from _host(registration.identifier, context)
    yield from _advice(registration, record_type, context)


def _tests_alone(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Judge a registration that states only tests, from the folder of the record or of what is under it."""
    is_prefix = bool(registration.rules) or is_delegated(registration)
    if not (is_prefix or context.is_offline):
        own = registration.statements.of(OF_RECORD)
        yield from judge_tested(registration.identifier, own, context.in_force)
    registered_type = _registered_type(context.before) if context.folder == HOST_FOLDER else None
    yield from judge_folder(registration.identifier, registered_type or RecordType.RULE, context)


def judge_stated_rules(
    registration: Registration, context: JudgingContext, *, is_stated_itself: bool
) -> dict[str, list[Finding]]:
    """Find problems of each rule that a registration states, by pattern.

    `is_stated_itself` means that the same upload may register the prefix, and therefore its rules.
    """
    identifier = registration.identifier
    stated, registered = registration.statements.rules(), context.in_force.rules()
    prefix_findings = list(judge_case(replace(registration, statements=Statements()), context))
    prefix_findings += judge_service_path(identifier, context)
    if not is_stated_itself:
        prefix_findings += judge_folder(identifier, RecordType.RULE, context)
    findings_by_rule = {
        pattern: [
            *prefix_findings,
            *_fields(stated[pattern], RecordType.RULE),
            *_end(stated[pattern], context),
            *(() if context.is_offline else judge_tested(identifier, stated[pattern], context.in_force)),
            *judge_codes_of_rule(identifier, stated[pattern], context),
            *judge_media_types(stated[pattern], registered.get(pattern, Statements()), context.types),
            *judge_case_of_rule(pattern, registration, context),
        ]
        if pattern in stated
        else [
            refuse(
                "location",
                "required",
                None,
                "This rule states nothing. State a `location`, or the `status_code` 404 or 410.",
            )
        ]
        for pattern in registration.rules
    }
    refused = {pattern for pattern, findings in findings_by_rule.items() if is_refused(findings)}
    conflicts = judge_rules(identifier, stated, context.neighbours, refused)
    return {
        pattern: [*findings, *conflicts.get(pattern, ())] for pattern, findings in findings_by_rule.items()
    }


def with_captures(registration: Registration, before: Record | None) -> Registration:
    """State that the pieces of new rules take the longest text; those of older rules keep the shortest.

    Only where it matters: a text can be divided in several ways.
    """
    registered = before.in_force().rules() if before is not None else {}
    stated = {
        rule.key("captures"): str(Captures.LONGEST)
        for pattern, rule in registration.statements.rules().items()
        if is_ambiguous(pattern)
        and not (rule.states("captures") or is_about_tests(rule))
        and (pattern not in registered or registered[pattern].states("captures"))
    }
    return (
        replace(registration, statements=Statements({**registration.statements, **stated}))
        if stated
        else registration
    )


def as_registered(registration: Registration, before: Record | None) -> Registration:
    """Fit a registration to the registered type: the status code of an alias belongs to the record itself."""
    statements = registration.statements
    codes = [form for form in statements.forms().values() if form.states("status_code")]
    if not codes or statements.states("record") or _registered_type(before) != RecordType.ALIAS:
        return registration
    kept = {key: value for key, value in statements.items() if key.form is None and key.field != FORMS}
    kept[statements.key("status_code")] = codes[0].value("status_code")
    return replace(registration, statements=Statements(kept))


def with_kind_of_concept(registration: Registration, before: Record | None) -> Registration:
    """State that a new SKOS concept is a thing; a registered resource keeps its kind."""
    statements = registration.statements
    triples = statements.text("triples")
    is_new = _registered_type(before) is None and statements.value("kind") is None
    if not triples or not is_new or registration.identifier.kind is Kind.THING or not is_concept(triples):
        return registration
    stated = Statements({**statements, statements.key("kind"): str(Kind.THING)})
    return replace(registration, statements=stated)


def ignored_fields(registration: Registration, correction: str) -> dict[Key, JsonValue]:
    """Clear the fields that the type stated by a correction does not have.

    The fields of every other type are cleared, as another correction may arrive late.
    """
    stated_type = registration.statements.text("record")
    if not correction or stated_type is None:
        return {}
    all_fields = {name for names in FIELDS_OF.values() for name in names} - _ONLY_OF_PREFIXES
    others = all_fields - FIELDS_OF[RecordType(stated_type)]
    return {Key(OF_RECORD, None, name): None for name in sorted(others)}


def _registered_type(before: Record | None) -> RecordType | None:
    """Return the type of a record; None for one with only rules and a delegation."""
    if before is None or not is_registered_itself(before.in_force()):
        return None
    return RecordType(before.in_force().text("record") or RecordType.RESOURCE)


def _alias(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    statements = registration.statements
    targets = (statements if statements.states("stands_for") else context.in_force).texts("stands_for")
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
    status_code = statements.value("status_code")
    if status_code not in {None, HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.FOUND}:
        yield refuse(
            "status_code",
            "alias",
            status_code,
            "The status code of an alias must be 301, or 302 if what it stands for changes.",
        )


def _fields(stated: Iterable[Key], record_type: RecordType) -> Iterator[Finding]:
    return refuse_other_fields((key.stated_field for key in stated), record_type)


def _long_titles(statements: Statements) -> Iterator[Finding]:
    """Warn of titles that lists shorten, including those of rules and representations."""
    return (
        warn(
            "title",
            "length",
            title,
            "The title has {number} characters; lists show the first {shown}. Write a title of at most "
            "{most} characters, and the rest as `description`.",
            number=len(title),
            shown=MOST_LISTED,
            most=MOST_CHARACTERS,
        )
        for key, title in statements.items()
        if key.field == "title" and isinstance(title, str) and len(title) > MOST_CHARACTERS
    )


def _after(statements: Statements, context: JudgingContext, field: str) -> str | None:
    key = statements.key(field)
    value = statements[key] if key in statements else context.in_force.get(key)
    return value if isinstance(value, str) else None


def _lifecycle(statements: Statements, context: JudgingContext) -> Iterator[Finding]:
    status = Status(_after(statements, context, "status") or Status.VALID)
    meaning = STATUSES[status]
    previous = Status(context.in_force.text("status") or Status.VALID)
    if context.before is not None and status not in STATUSES[previous].following:
        # Uploads arrive in any order, so an unusual order of statuses is no reason to refuse one.
        yield warn(
            "status",
            "following",
            status,
            "The status was {stood}, which is usually followed by {usual}.",
            stood=str(previous),
            usual=", ".join(sorted(STATUSES[previous].following)),
        )
    for name in sorted(LIFECYCLE_FIELDS):
        value = _after(statements, context, name)
        if value and name not in meaning.fields:
            # An upload that contradicts itself is refused; a field registered earlier only causes a warning.
            report = refuse if statements.value(name) else warn
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


def _end(statements: Statements, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a status that ends, of a record or of a rule, without the day on which it does."""
    status = Status(_after(statements, context, "status") or Status.VALID)
    if STATUSES[status].ends and not _after(statements, context, UNTIL):
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
    stated = registration.statements.members("title")
    registered = {} if registration.statements.states("title") else context.in_force.members("title")
    if not any((registered | stated).values()):
        yield warn("title", "missing", None, "Add a title, so that people know what the identifier names.")
    # The source defines resource types for its own schemes; namespaces and hosts need none.
    is_free = registration.identifier.is_namespaced or registration.identifier.is_bound
    is_listed = bool(context.types) or context.authority is None or is_free
    if record_type is RecordType.RESOURCE and not is_listed:
        yield warn(
            "identifier",
            "resource type",
            None,
            "No resource type is registered above this identifier. Register one, such as {example}.",
            example=f"{folder_of(registration.identifier)}…/",
        )
