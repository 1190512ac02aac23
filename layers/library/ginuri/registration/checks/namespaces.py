"""Checks the case of names in a namespace, and fields that only namespaces may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ginuri.registration.judging_context import JudgingContext
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.model import Namespace, RecordType
from ginuri.registry.namespaces import normalize_case
from ginuri.registry.record.record import REPRESENTATIONS, Path, Value
from ginuri.registry.rules.templates import variables


def judge_case(registration: Registration, context: JudgingContext) -> Iterator[Finding]:
    """Refuse names that requests never reach, as the namespace normalizes their case."""
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
    for path, part in registration.statements.items():
        is_part = path[0] == REPRESENTATIONS[0] and path[-1] == "part" and part
        if is_part and (normalized := normalize_case(namespace, f"{meant}{part}")) != f"{meant}{part}":
            yield refuse(
                "part",
                "case",
                part,
                "{namespace} does not distinguish upper and lower case. Write {part}.",
                namespace=namespace.identifier,
                part=normalized.removeprefix(meant),
            )


def judge_services(statements: Mapping[Path, Value], record_type: RecordType) -> Iterator[Finding]:
    """Refuse templates of services outside namespaces, where nothing would expand them."""
    for service in statements.get(("services",)) or ():
        if record_type is not RecordType.NAMESPACE and variables(service["href"]):
            yield refuse(
                "services",
                "template",
                service["href"],
                "Only the services of a namespace may have a template. Give the web address itself.",
            )
