"""The rules of a namespace of `info:` or `urn:` for its identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ginuri.identifiers import Identifier, Kind, describes_unregistered, parse
from ginuri.identifiers.characters import PCT_ENCODED
from ginuri.registry.locations import is_location
from ginuri.registry.model import LetterCase, Namespace, Resource, Status
from ginuri.registry.ports import Found
from ginuri.registry.rules.grammar import REST
from ginuri.registry.rules.templates import expand, variables

_ESCAPE = re.compile(f"({PCT_ENCODED})")


def namespace_of(found: Found) -> Namespace | None:
    """Return the registered namespace of an identifier; None if there is none."""
    namespaces = (found.records.get(name) for name in found.identifier.ancestors[1:2])
    return next((record for record in namespaces if isinstance(record, Namespace)), None)


def normalize_case(namespace: Namespace, normal_form: str) -> str:
    """Write an identifier in the case that its namespace registered; escapes stay as they are.

    RFC 4452 §5: "a canonical form MAY only be arrived at by consulting the Registry".
    """
    if namespace.case not in {LetterCase.LOWER, LetterCase.UPPER}:
        return normal_form
    pieces = _ESCAPE.split(normal_form[len(namespace.identifier) :])
    write = str.lower if namespace.case is LetterCase.LOWER else str.upper
    return namespace.identifier + "".join(
        piece if at % 2 else write(piece) for at, piece in enumerate(pieces)
    )


def normal_form_in(found: Found) -> Identifier | None:
    """Return the identifier in the case of its namespace; None if it already has it.

    Identifiers that are older than the statement of the namespace keep their names.
    """
    namespace = namespace_of(found)
    if namespace is None or found.record is not None:
        return None
    name = normalize_case(namespace, found.identifier.normal_form)
    return None if name == found.identifier.normal_form else parse(name)


def is_given_out(found: Found) -> Resource | None:
    """Describe an unregistered identifier, if its scheme allows that.

    None if its namespace is unknown, or only reserved.
    """
    namespace = namespace_of(found)
    if namespace is None or namespace.status is Status.RESERVED:
        return None
    if not describes_unregistered(found.identifier.scheme):
        return None
    return Resource(identifier=found.identifier.normal_form, modified="", kind=Kind.THING)


def services_for(found: Found) -> Iterator[Mapping[str, str]]:
    """Yield the services that the namespace of an identifier discloses, the templates filled in."""
    namespace = namespace_of(found)
    if namespace is None:
        return
    rest = found.identifier.normal_form[len(namespace.identifier) :]
    for service in namespace.services:
        template = service["href"]
        href = expand(template, {REST: rest}) if variables(template) else template
        if href == template or is_location(href):
            yield {**service, "href": href}
