"""Checks that identifiers and their forms fit the resource types above them.

USGIN URI Policies 1.1, "Interpretation of a USGIN URI": "Definition of resourceSpecificString syntax should
be in the resource type definition." "Resource type definitions should specify the known valid
representations."
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import printable_name
from ginuri.registration.checks.answer_tests import is_registered_itself
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.model import RecordType, ResourceType, Status
from ginuri.registry.record.statements import Statements
from ginuri.registry.rules.patterns import Pattern
from ginuri.resolution.negotiation.preferences import read_media_type

_ROLES = ("canonical_media_type", "default_media_type")


def judge_typed(
    identifier: Identifier, record_type: RecordType, stated: Statements, context: JudgingContext
) -> Iterator[Finding]:
    """Find what does not fit the types of a resource, or the formats of a type among themselves."""
    if record_type is RecordType.RESOURCE and context.types:
        yield from _judge_string(identifier, context)
        yield from judge_media_types(stated, context.in_force, context.types)
    elif record_type is RecordType.RESOURCE_TYPE:
        yield from _judge_roles(stated, context.in_force)


def _judge_string(identifier: Identifier, context: JudgingContext) -> Iterator[Finding]:
    """Find whether the resource-specific string of an identifier fits its types, the nearest first."""
    types = context.types
    patterned = next((type_ for type_ in types if type_.pattern), None)
    if patterned is None or patterned.pattern is None:
        return
    nearest = types[0].identifier
    text = identifier.normal_form.removeprefix(nearest)
    pattern = Pattern(patterned.pattern)
    if not any(pattern.match(candidate) for candidate in _specific_strings(text)):
        is_new = not is_registered_itself(context.in_force)
        report = refuse if is_new and _is_strict(types) else warn
        yield report(
            "identifier",
            "pattern",
            text,
            message(
                "The text after {nearest} does not fit the pattern {pattern} of the type {type}. Correct the "
                "identifier, or the `pattern` of the type.",
                nearest=printable_name(nearest),
                pattern=patterned.pattern,
                type=printable_name(patterned.identifier),
            ),
        )


def judge_media_types(
    stated: Statements, registered: Statements, types: Sequence[ResourceType]
) -> Iterator[Finding]:
    """Find the stated forms whose media types are not valid for the types, the nearest first.

    `registered` are the values of the same record, or of the same rule.
    """
    limited = next((type_ for type_ in types if type_.valid_media_types), None)
    if limited is None:
        return
    before = registered.forms()
    for key, form in stated.forms().items():
        media_type = form.text("media_type")
        is_removed = form.value("status") == Status.RETIRED
        if not media_type or is_removed or _is_valid(media_type, limited.valid_media_types):
            continue
        is_new = key not in before or before[key].text("media_type") != media_type
        report = refuse if is_new and _is_strict(types) else warn
        yield report(
            "media_type",
            "valid media type",
            media_type,
            message(
                "The type {type} allows the media types {valid}. Correct this one, or add it to the "
                "`valid_media_types` of the type.",
                type=printable_name(limited.identifier),
                valid=", ".join(limited.valid_media_types),
            ),
        )


def _judge_roles(stated: Statements, registered: Statements) -> Iterator[Finding]:
    """Warn of a canonical or default media type of a type that its own list of valid ones does not allow."""
    after: Mapping[str, Statements] = {
        name: stated if stated.states(name) else registered for name in (*_ROLES, "valid_media_types")
    }
    valid = after["valid_media_types"].texts("valid_media_types")
    for name in _ROLES:
        media_type = after[name].text(name)
        if valid and media_type and not _is_valid(media_type, valid):
            yield warn(
                name,
                "valid media type",
                media_type,
                "The `valid_media_types` of this type are {valid}. Add this one, or correct it.",
                valid=", ".join(valid),
            )


def _is_strict(types: Sequence[ResourceType]) -> bool:
    return next((type_.syntax for type_ in types if type_.syntax), None) == "strict"


def _specific_strings(text: str) -> Iterator[str]:
    """Yield the beginnings of the text after a type that may be its resource-specific string.

    >>> list(_specific_strings("X/map.v1.pdf"))
    ['X/map.v1.pdf', 'X/map', 'X/map.v1', 'X/', 'X']
    """
    # identifier = resourcePart [ ( "/" / "/" representationPart ) ]
    yield text
    if text.endswith("/"):
        yield text[:-1]
        return
    above, slash, last = text.rpartition("/")
    dots = (at for at, character in enumerate(last) if character == "." and at)
    yield from (f"{above}{slash}{last[:at]}" for at in dots)
    if slash:
        yield f"{above}{slash}"
        yield above


def _is_valid(media_type: str, valid: Sequence[str]) -> bool:
    """Return whether a list has a media type: with its parameters, without them, or as a range.

    >>> _is_valid("image/png", ["image/*"]), _is_valid("text/html;level=1", ["text/html; level=2"])
    (True, False)
    """
    read = read_media_type(media_type)
    return any(
        (listed.type, listed.subtype) in read.range_names
        and listed.parameters.items() <= read.parameters.items()
        for listed in map(read_media_type, valid)
    )
