"""Checks the case of names in a namespace, and fields that only namespaces may have."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import Namespace, RecordType
from ginuri.registry.record.statements import Statements
from ginuri.registry.rules.namespaces import normalize_case
from ginuri.registry.rules.templates import variables


def judge_case(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Refuse names in another case than the normal one of their namespace, which requests never reach."""
    namespace, name = context.authority, registration.identifier.normal_form
    if not isinstance(namespace, Namespace):
        return
    if (meant := normalize_case(namespace, name)) != name:
        yield refuse(
            "identifier",
            "case",
            name,
            "{namespace} does not distinguish upper and lower case. Register {identifier}.",
            namespace=namespace.identifier,
            identifier=meant,
        )
    for form in registration.statements.forms().values():
        part = form.text("part")
        if part and (normalized := normalize_case(namespace, f"{meant}{part}")) != f"{meant}{part}":
            yield refuse(
                "part",
                "case",
                part,
                "{namespace} does not distinguish upper and lower case. Write {part}.",
                namespace=namespace.identifier,
                part=normalized.removeprefix(meant),
            )


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
