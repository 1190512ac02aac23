"""Checks the case of names in a scheme or a namespace, and fields that only some of them may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.identifiers import Identifier
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import LetterCase, Namespace, RecordType, Scheme
from ginuri.registry.record.statements import Statements
from ginuri.registry.rules.namespaces import normalize_case, write_in_case
from ginuri.registry.rules.templates import variables


def judge_case(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Refuse names in another case than the normal one of their namespace, which requests never reach."""
    name = registration.identifier.normal_form
    stewards = [steward for steward in _stewards_with_case(context) if steward.identifier != name]
    if not stewards:
        return
    namespace = stewards[-1].identifier
    if (meant := _in_case(stewards, name)) != name:
        yield refuse(
            "identifier",
            "case",
            name,
            "{namespace} does not distinguish upper and lower case. Register {identifier}.",
            namespace=namespace,
            identifier=meant,
        )
    for form in registration.statements.forms().values():
        part = form.text("part")
        if part and (normalized := _in_case(stewards, f"{meant}{part}")) != f"{meant}{part}":
            yield refuse(
                "part",
                "case",
                part,
                "{namespace} does not distinguish upper and lower case. Write {part}.",
                namespace=namespace,
                part=normalized.removeprefix(meant),
            )


def judge_case_of_rule(text: str, registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Refuse a rule for names in another case than the normal one, which would never apply."""
    from ginuri.registry.rules.comparison import CHARACTERS, Language, text_outside
    from ginuri.registry.rules.patterns import Pattern

    rule, stewards = registration.statements.rules()[text], _stewards_with_case(context)
    own = registration.statements.text("case")  # of the scheme that is registered with its rules
    case = LetterCase(own) if own else stewards[-1].case if stewards else None
    if case is None or rule.value("status") == "retired":
        return
    characters = "".join(dict.fromkeys(write_in_case(case, CHARACTERS)))
    pattern = Pattern(text, ignore_case=rule.value("ignore_case") is True)
    if text_outside(Language(pattern), (), characters) is None:
        yield refuse(
            "pattern",
            "case",
            text,
            "{namespace} does not distinguish upper and lower case, and its `case` is `{case}`: none of its "
            "names matches this pattern.",
            namespace=registration.identifier.normal_form if own else stewards[-1].identifier,
            case=str(case),
        )


def _stewards_with_case(context: JudgingContext) -> list[Scheme | Namespace]:
    stewards = (context.scheme, context.authority)
    return [each for each in stewards if isinstance(each, Scheme | Namespace) and each.case]


def judge_scheme(
    identifier: Identifier, record_type: RecordType, statements: Statements, context: JudgingContext
) -> Iterator[Finding]:
    """Refuse a case for a scheme whose grammar decides it, and a namespace of a scheme that is unknown."""
    if (
        record_type is RecordType.SCHEME
        and statements.value("case")
        and not identifier.is_of_registered_scheme
    ):
        yield refuse(
            "case",
            "grammar",
            str(statements.value("case")),
            "The grammar of {scheme} says whether case matters. Only schemes without a grammar of their own, "
            "such as `doi:`, may state it.",
            scheme=identifier.normal_form,
        )
    if record_type is RecordType.NAMESPACE and identifier.is_of_registered_scheme and not context.scheme:
        yield refuse_unknown_scheme(identifier)


def refuse_unknown_scheme(identifier: Identifier) -> Finding:
    """Refuse an identifier of a scheme that ends in a colon and is not registered."""
    return refuse(
        "identifier",
        "scheme",
        identifier,
        "The scheme {scheme} is not registered. Register it first, from the folder {host_folder}.",
        scheme=identifier.root,
        host_folder=HOST_FOLDER,
    )


def _in_case(stewards: Sequence[Scheme | Namespace], name: str) -> str:
    for steward in stewards:
        name = normalize_case(steward, name)
    return name


def judge_services(statements: Statements, record_type: RecordType) -> Iterator[Finding]:
    """Refuse templates of services outside namespaces, where nothing would expand them."""
    services = statements.value("services")
    for service in services if isinstance(services, list) else ():
        href = str(service["href"]) if isinstance(service, dict) else ""
        if record_type is not RecordType.NAMESPACE and variables(href):
            yield refuse(
                "services",
                "template",
                href,
                "Only the services of a namespace may have a template. Give the web address itself.",
            )
