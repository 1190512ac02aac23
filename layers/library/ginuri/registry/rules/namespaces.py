"""The rules of a scheme or a namespace for its identifiers, such as that case does not matter in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ginuri.identifiers import Identifier, Kind, describes_unregistered, parse
from ginuri.identifiers.characters import PCT_ENCODED
from ginuri.identifiers.roots import ancestors_of
from ginuri.registry.locations import is_location
from ginuri.registry.model import LetterCase, Namespace, Registered, Resource, Scheme, Status
from ginuri.registry.ports import Found
from ginuri.registry.rules.templates import expand, variables

_ESCAPE = re.compile(f"({PCT_ENCODED})")


def namespace_of(found: Found) -> Namespace | None:
    """Return the registered namespace of an identifier; None if there is none."""
    namespaces = (found.records.get(name) for name in found.identifier.ancestors[1:2])
    return next((record for record in namespaces if isinstance(record, Namespace)), None)


def write_in_case(case: LetterCase | None, text: str) -> str:
    """Write a text in the case that a scheme or a namespace registered; escapes stay as they are.

    >>> write_in_case(LetterCase.LOWER, "10.1000/A%2FB"), write_in_case(None, "10.1000/A")
    ('10.1000/a%2Fb', '10.1000/A')
    """
    if case not in {LetterCase.LOWER, LetterCase.UPPER}:
        return text
    write = str.lower if case is LetterCase.LOWER else str.upper
    return "".join(piece if at % 2 else write(piece) for at, piece in enumerate(_ESCAPE.split(text)))


def normalize_case(steward: Scheme | Namespace, normal_form: str) -> str:
    """Write an identifier in the case that its scheme or namespace registered.

    RFC 4452 §5: "a canonical form MAY only be arrived at by consulting the Registry".
    """
    begin = len(steward.identifier)
    return normal_form[:begin] + write_in_case(steward.case, normal_form[begin:])


def stewards_of_case(records: Mapping[str, Registered], normal_form: str) -> Iterator[Scheme | Namespace]:
    """Yield the scheme and the namespace of an identifier, if they state a case."""
    for name in ancestors_of(normal_form)[:2]:
        record = records.get(name)
        if isinstance(record, Scheme | Namespace) and record.case is not None:
            yield record


def normal_form_in(found: Found) -> Identifier | None:
    """Return the identifier in its normal form and in the case of its scheme and namespace.

    None if it is already written so. Identifiers that are older than the statement of a case keep their
    names.
    """
    name = found.identifier.normal_form
    if found.record is None:
        for steward in stewards_of_case(found.records, name):
            name = normalize_case(steward, name)
    return None if name == found.identifier.written else parse(name)


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
    from ginuri.registry.rules.grammar import REST

    rest = found.identifier.normal_form[len(namespace.identifier) :]
    for service in namespace.services:
        template = service["href"]
        href = expand(template, {REST: rest}) if variables(template) else template
        if href == template or is_location(href):
            yield {**service, "href": href}
