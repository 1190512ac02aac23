"""Converts a registration as a mapping to checked statements, with findings for faults."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ginuri.files.repairs.locations import find_oddities, repair_identifier
from ginuri.files.repairs.words import MOST_CHARACTERS, is_nothing, nearest
from ginuri.files.schema.answer_tests import read_tests
from ginuri.files.schema.fields import (
    ALIASES,
    NESTED_FIELDS,
    RegistrationFields,
    RepresentationFields,
    plain_value,
    stated_of,
)
from ginuri.files.schema.grants import grantee_of, state_grant
from ginuri.files.schema.plain_texts import read_texts
from ginuri.files.schema.recent_rules import HOST
from ginuri.files.schema.values import HALF_CHARACTER, Unfit, fold_word
from ginuri.files.schema.web_hosts import fault_of_host, repair_host
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.registration.authorization import read_grantee
from ginuri.registration.checks.delegations import hand_over, refuse_without_host
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, refuse, shown, suggest, warn
from ginuri.registry.metadata.fields import FIELDS, PER_LANGUAGE
from ginuri.registry.metadata.geometry import write_wkt
from ginuri.registry.model import RecordType
from ginuri.registry.record.answer_tests import TESTS
from ginuri.registry.record.statements import (
    FIRST,
    FORMS,
    OF_DELEGATION,
    OF_RECORD,
    JsonValue,
    Key,
    RecordPlace,
    Statements,
    of_rule,
)
from ginuri.registry.rules.grammar import ALL, ALL_THE_REST, REST
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import variables

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

# The last step of pydantic's path to a name that is not valid.
_KEY = "[key]"
MOST_FINDINGS = 20
_PAIRING = ("document", "document_of")
_SHORT = ("location", "status_code", "media_type")
_ABSENT = {404, 410}
_BY_MEMBER = {*PER_LANGUAGE, "properties"}
# The fields of a row that say what it is about, and to whom a prefix is handed.
_STATED_BY_PLACE: Mapping[RecordType | None, set[str]] = {
    RecordType.RULE: {"record", "pattern"},
    RecordType.DELEGATION: {"record", "to", "valid_from"},
}
_WITH_PATTERN = {RecordType.RULE, RecordType.RESOURCE_TYPE}
_INSTEAD = {"location": "file", "file": "location"}
_NO_TRUTH = message("The value must be true or false.")
_NO_OBJECT = message("The value must be an object.")
_NO_FRACTION = message("The value must be a number from 0 to 1.")
# Our messages for the faults that pydantic finds.
_FAULTS = {
    "string_too_short": message("The text is empty."),
    "string_type": message("The value must be a text."),
    "string_unicode": HALF_CHARACTER,
    "string_pattern_mismatch": message("A relation must not contain spaces or characters beyond ASCII."),
    "list_type": message("The value must be a list."),
    "missing": message("This field is required."),
    **dict.fromkeys(("bool_type", "bool_parsing"), _NO_TRUTH),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), _NO_OBJECT),
    **dict.fromkeys(
        ("float_type", "float_parsing", "greater_than_equal", "less_than_equal", "finite_number"),
        _NO_FRACTION,
    ),
}


def read_statements(line: int, given: Mapping[str, Any]) -> Row:
    """Read one registration: its identifier, its statements, and the findings against them."""
    named = {ALIASES.get(name, name): value for name, value in given.items()}
    identifier, wrong = _identifier(named.get("identifier"))
    if identifier is None:
        return Row(line, None, findings=wrong)
    if len(named) < len(given):
        return refused_row(line, identifier, named, _named_twice(given))
    texts, remarks = read_texts(named)
    wrong += tuple(remarks[:MOST_FINDINGS])
    try:
        fields = RegistrationFields.model_validate(texts)
    except ValidationError as error:
        return refused_row(line, identifier, named, (*wrong, *_findings(error)))
    is_grant = fields.record is RecordType.GRANT
    statements, findings = state_grant(fields) if is_grant else _statements(fields)
    stated = (fields.pattern or "") if fields.record is RecordType.RULE else None
    grantee = (fields.to or "") if is_grant else None
    return Row(line, identifier, statements, (*wrong, *findings), stated, grantee=grantee)


def refused_row(
    line: int, identifier: Identifier | None, named: Mapping[str, Any], findings: Iterable[Finding]
) -> Row:
    """Return a row without statements, about the rule or the grant that it names, if it names one."""
    return Row(line, identifier, findings=tuple(findings), rule=rule_of(named), grantee=grantee_of(named))


def rule_of(named: Mapping[str, Any]) -> str | None:
    """Return the pattern of the rule in a row, valid or not; None when the row is no rule."""
    record = named.get("record")
    if not isinstance(record, str) or fold_word(record) != RecordType.RULE:
        return None
    pattern = named.get("pattern") or ""
    return pattern.strip() if isinstance(pattern, str) else shown(pattern)


def _statements(fields: RegistrationFields) -> tuple[Statements, list[Finding]]:
    statements, place = Statements(), _place_of(fields)
    short = {name: getattr(fields, name) for name in stated_of(fields) if name in _SHORT}
    if fields.record is RecordType.ALIAS or short.get("status_code") in _ABSENT:
        # A status that is no redirect to a representation is a field of the record or rule itself.
        statements[Key(place, None, "status_code")] = short.pop("status_code", None)
    elif fields.record is RecordType.RULE and "status_code" in short:
        statements[Key(place, None, "status_code")] = None  # the rule redirects again
        if short["status_code"] is None and fields.representations:
            del short["status_code"]  # the forms state their own
    plain, findings = _single_fields(fields, place)
    statements |= plain
    representations = list(fields.representations or ())
    if short:
        representations.insert(0, RepresentationFields.model_construct(set(short), **short))
    findings += [*_type_conflicts(fields), *_templates(fields, representations)]
    findings += [*_oddities(representations, has_short=bool(short)), *_place_remarks(fields)]
    for ordinal, form_fields in enumerate(representations):
        findings.extend(_exclusive(form_fields))
        form_statements = _represent(form_fields, ordinal, place)
        if not statements.keys().isdisjoint(form_statements):
            findings.append(_same_form(form_fields))
        statements |= form_statements
    if fields.record is RecordType.DELEGATION and "to" in stated_of(fields):
        statements |= hand_over(fields.to, fields.valid_from)
    if not statements and place == OF_RECORD:  # an identifier alone registers a resource
        statements[Key(place, None, "record")] = str(RecordType.RESOURCE)
    return statements, findings


def _single_fields(
    fields: RegistrationFields, place: RecordPlace
) -> tuple[dict[Key, JsonValue], list[Finding]]:
    """Return the statements of the fields of a place itself, and the findings on its tests."""
    elsewhere = {"identifier", TESTS, *_SHORT} | _STATED_BY_PLACE.get(fields.record, set())
    if fields.pattern is not None and fields.record not in _WITH_PATTERN:
        elsewhere |= {"pattern"}  # refused already
    statements: dict[Key, JsonValue] = {}
    for name in stated_of(fields, without=elsewhere):
        statements |= _state(Key(place, None, name), getattr(fields, name))
    if TESTS not in fields.model_fields_set:
        return statements, []
    tests, findings = read_tests(fields.tests or (), parse(fields.identifier))
    return {**statements, Key(place, None, TESTS): tests or None}, findings


def _place_of(fields: RegistrationFields) -> RecordPlace:
    # Rules and delegations are part of the record of their prefix, which may be an authority or a type.
    if fields.record is RecordType.RULE:
        return of_rule(fields.pattern or "")
    return OF_DELEGATION if fields.record is RecordType.DELEGATION else OF_RECORD


def _type_conflicts(fields: RegistrationFields) -> Iterator[Finding]:
    if fields.pattern is not None and fields.record not in _WITH_PATTERN:
        yield refuse(
            "pattern",
            "rule",
            fields.pattern,
            "Only a rule or a resource type has a pattern. Set `record` to `rule` or `resource-type`.",
        )
    if fields.record is RecordType.DELEGATION and fields.valid_from and "to" not in stated_of(fields):
        yield refuse(
            "valid_from",
            "to",
            fields.valid_from,
            "`valid_from` is the day from which `to` applies; `answered_by` applies at once. State `to`, or "
            "leave out `valid_from`.",
        )
    if fields.record is RecordType.DELEGATION and fields.to and read_grantee(fields.to):
        yield refuse(
            "to",
            "name authority",
            fields.to,
            "A prefix is delegated to a name authority, such as uri-gin/azgs/. To grant rights to a person "
            "or a group, state a record of type `grant`.",
        )
    is_empty = not stated_of(fields, without={"record", "identifier", "pattern", "valid_from"})
    if fields.record is RecordType.DELEGATION and is_empty:
        yield refuse_without_host()


def _templates(
    fields: RegistrationFields, representations: Sequence[RepresentationFields]
) -> Iterator[Finding]:
    known = {REST, ALL, *Pattern(fields.pattern or "").names} if fields.record is RecordType.RULE else set()
    stated = [("location", form.location) for form in representations]
    for field, template in (*stated, *((name, getattr(fields, name)) for name in _PAIRING)):
        if unknown := sorted(variables(template or "") - known):
            yield refuse(
                field,
                "template",
                template,
                "The pattern has no piece called {names}. For all that follows the prefix of a rule, write "
                "{rest}.",
                names=", ".join(unknown),
                rest=ALL_THE_REST,
            )


def _oddities(representations: Sequence[RepresentationFields], *, has_short: bool) -> Iterator[Finding]:
    for ordinal, form in enumerate(representations, start=-1 if has_short else 0):
        field = f"representations.{ordinal}.location" if ordinal >= 0 else "location"
        if form.location and (fault := fault_of_host(form.location)):
            yield suggest(refuse(field, HOST, form.location, fault), repair_host(form.location))
            continue
        for oddity in find_oddities(form.location or ""):
            yield suggest(warn(field, oddity.rule, form.location, oddity.words), oddity.suggestion)


def _place_remarks(fields: RegistrationFields) -> Iterator[Finding]:
    if place := fields.spatial:
        yield from (warn("spatial", "place", write_wkt(place.geometry), remark) for remark in place.remarks)


def _identifier(given: object) -> tuple[Identifier | None, tuple[Finding, ...]]:
    if not isinstance(given, str) or not given.strip():
        return None, (
            refuse(
                "identifier",
                "required",
                given,
                "The identifier cell is empty. Write an identifier, or delete the row.",
            ),
        )
    try:
        identifier = parse(given.strip())
    except MalformedIdentifier as error:
        finding = refuse("identifier", error.rule, given, error.words)
        return None, (suggest(finding, repair_identifier(given.strip())),)
    if identifier.is_normal:
        return identifier, ()
    remark = warn(
        "identifier",
        "normal form",
        identifier.written,
        "The identifier is registered in its normal form, {identifier}.",
        identifier=identifier,
    )
    return identifier, (remark,)


def _state(key: Key, value: Any) -> dict[Key, JsonValue]:  # noqa: ANN401  any field's value
    place, form, name, _ = key
    if value is None or value == {} or value == []:  # noqa: PLR1714  neither can be hashed
        return {key: None}
    if name == "spatial":
        return {key: value.geometry}
    if name in _BY_MEMBER:
        return {Key(place, form, name, member): text for member, text in value.items()}
    if name == "links":
        by_relation: dict[str, list[Any]] = {}
        for link in value:
            by_relation.setdefault(link.rel, []).append(plain_value(link))
        return {
            Key(place, form, name, relation): [link for link in links if link["href"] is not None] or None
            for relation, links in by_relation.items()
        }
    return {} if name == FORMS else {key: plain_value(value)}


def _represent(fields: RepresentationFields, ordinal: int, place: RecordPlace) -> Statements:
    stated = Statements(place=place, form=_key(fields))
    stated |= {stated.key(FIRST): ordinal, stated.key("status"): str(fields.status)}
    for name in stated_of(fields, without={"status", "title"}):
        stated[stated.key(name)] = plain_value(getattr(fields, name))
    if "title" in fields.model_fields_set:
        stated |= _state(stated.key("title"), fields.title)
    for name, other in _INSTEAD.items():
        if stated.value(name) and not stated.states(other):
            # A file replaces a location, and a location a file.
            stated[stated.key(other)] = None
    return stated


def _key(fields: RepresentationFields) -> str:
    # Representations match by part, else by media type, language, profile and start date.
    if fields.part:
        return f"part {fields.part}"
    key = f"form {fields.media_type or ''} {fields.language or ''} {fields.profile or ''}"
    return f"{key} {fields.valid_from}" if fields.valid_from else key


def _named_twice(given: Mapping[str, Any]) -> Iterator[Finding]:
    for field, times in Counter(ALIASES.get(name, name) for name in given).items():
        if times > 1:
            names = [name for name in given if ALIASES.get(name, name) == field]
            yield refuse(
                field,
                "one name",
                ", ".join(names),
                "The field `{field}` is given under several names. Keep one of them.",
                field=field,
            )


def _same_form(fields: RepresentationFields) -> Finding:
    return refuse(
        "representations",
        "one form",
        fields.part or fields.media_type,
        "Two representations cannot be told apart. Give them different parts, media types, languages, "
        "profiles or `valid_from` dates.",
    )


def _exclusive(fields: RepresentationFields) -> Iterator[Finding]:
    if fields.location and fields.file:
        yield refuse(
            "file",
            "location or file",
            fields.file,
            "A representation has either a `location` or a `file`. Keep one of them.",
        )


def _findings(error: ValidationError) -> Iterator[Finding]:
    problems = error.errors(include_url=False)
    if len(problems) > MOST_FINDINGS:
        yield refuse(
            "",
            "many",
            len(problems),
            "This row has {number} errors. The first {most} follow.",
            number=len(problems),
            most=MOST_FINDINGS,
        )
    for problem in problems[:MOST_FINDINGS]:
        path = problem["loc"][:-1] if problem["loc"][-1:] == (_KEY,) else problem["loc"]
        field = ".".join(str(step) for step in path if step != "")
        if problem["type"] == "extra_forbidden":
            fault = _unknown_field(shown(path[-1]), NESTED_FIELDS.get(str(path[0]), tuple(FIELDS)))
            yield refuse(field, "unknown field", problem["input"], fault)
        else:
            finding = refuse(field, problem["type"], problem["input"], _fault(problem))
            yield suggest(finding, _repair(problem))


def _fault(problem: ErrorDetails) -> Message:
    context = problem.get("ctx", {})
    match problem["type"]:
        case "value_error" if isinstance(context["error"].args[0], Message):
            words: Message = context["error"].args[0]
            return words
        case "literal_error" | "enum":
            expected = context["expected"].replace(" or ", ", ").replace("'", "")
            return message("The value must be one of: {expected}.", expected=expected)
        case kind if kind in _FAULTS:
            return _FAULTS[kind]
        case _:
            return message("The value is not valid.")


def _repair(problem: ErrorDetails) -> str | None:
    given, context = problem["input"], problem.get("ctx", {})
    if not isinstance(given, str) or _KEY in problem["loc"]:
        return None
    if is_nothing(given):
        return ""
    match problem["type"]:
        case "value_error" if isinstance(context["error"], Unfit):
            suggestion: str | None = context["error"].suggestion
            return suggestion
        case "literal_error" | "enum" if len(given) <= MOST_CHARACTERS:
            return nearest(given, context["expected"].replace(" or ", ", ").replace("'", "").split(", "))
        case _:
            return None


def _unknown_field(name: str, fields: Sequence[str]) -> Message:
    if near := difflib.get_close_matches(name, fields, 1):
        return message(
            "There is no field `{name}`. Did you mean {near}? Further metadata goes under `properties`.",
            name=name,
            near=near[0],
        )
    return message(
        "There is no field `{name}`. The fields are: {fields}. Further metadata goes under `properties`.",
        name=name,
        fields=", ".join(fields),
    )
