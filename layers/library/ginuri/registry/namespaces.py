"""What a namespace of `info:` or `urn:` says about the identifiers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ginuri.identifiers import Identifier, Kind, describes_unregistered, parse
from ginuri.identifiers.characters import PCT_ENCODED
from ginuri.registry.locations import is_location
from ginuri.registry.model import LetterCase, Namespace, Resource, Status
from ginuri.registry.ports import Found
from ginuri.registry.rules.patterns import REST
from ginuri.registry.rules.templates import expand, variables

_ESCAPE = re.compile(f"({PCT_ENCODED})")


def namespace_of(found: Found) -> Namespace | None:
    """Give the namespace that an identifier is in; None for what is in none that is registered."""
    namespaces = (found.records.get(name) for name in found.identifier.ancestors[1:2])
    return next((each for each in namespaces if isinstance(each, Namespace)), None)


def normalize_case(namespace: Namespace, normal_form: str) -> str:
    """Write an identifier in the case that its namespace registered; escapes stay as they are.

    RFC 4452 §5: "a canonical form MAY only be arrived at by consulting the Registry".
    """
    if namespace.case not in {LetterCase.LOWER, LetterCase.UPPER}:
        return normal_form
    pieces = _ESCAPE.split(normal_form[len(namespace.identifier) :])
    write = str.lower if namespace.case is LetterCase.LOWER else str.upper
    return namespace.identifier + "".join(it if at % 2 else write(it) for at, it in enumerate(pieces))


def normal_form_in(found: Found) -> Identifier | None:
    """Give the identifier that its namespace means by one in another case; None where it is that itself.

    What was registered before the namespace said so keeps its name.
    """
    namespace = namespace_of(found)
    if namespace is None or found.record is not None:
        return None
    name = normalize_case(namespace, found.identifier.normal_form)
    return None if name == found.identifier.normal_form else parse(name)


def is_given_out(found: Found) -> Resource | None:
    """Give what is known of an identifier that nobody registered, where its scheme says that this suffices.

    None where its namespace is unknown, or only set aside.
    """
    namespace = namespace_of(found)
    if namespace is None or namespace.status is Status.RESERVED:
        return None
    if not describes_unregistered(found.identifier.scheme):
        return None
    return Resource(identifier=found.identifier.normal_form, modified="", kind=Kind.THING)


def services_for(found: Found) -> Iterator[Mapping[str, str]]:
    """Give the services that the namespace of an identifier discloses, the templates filled in."""
    namespace = namespace_of(found)
    if namespace is None:
        return
    rest = found.identifier.normal_form[len(namespace.identifier) :]
    for service in namespace.services:
        template = service["href"]
        href = expand(template, {REST: rest}) if variables(template) else template
        if href == template or is_location(href):
            yield {**service, "href": href}
