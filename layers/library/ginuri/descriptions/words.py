"""The pages' own words: plain ones for what the registry says in codes."""

from __future__ import annotations

import re
from datetime import datetime

from ginuri.core.identifiers import Kind
from ginuri.core.model import RecordType, Status
from ginuri.core.version_names import is_day
from ginuri.descriptions.description import Description
from ginuri.descriptions.naming import PREFERRED
from ginuri.descriptions.registration_json import record_type

_KINDS = {
    RecordType.HOST: "This names a host: a machine that answers identifiers, and is no part of any.",
    RecordType.SCHEME: "This names a scheme: what all identifiers that begin with it have in common.",
    RecordType.AUTHORITY: "This names a name authority: who says what the identifiers under it mean.",
    RecordType.ALIAS: "This is another name for something.",
    RecordType.RULE: "This names nothing by itself: there are rules for what stands under it.",
    RecordType.DELEGATION: "This names nothing by itself: another host answers for what stands under it.",
    RecordType.RESOURCE_TYPE: "This names a type of resource: what the identifiers under it have in common.",
}
_STATUSES = {
    Status.RESERVED: "This identifier is set aside. It does not name anything yet.",
    Status.SUPERSEDED: "It still answers, but something else has taken its place.",
    Status.RETIRED: "It was in use, and is no more. It will never be given to anything else.",
}
_RELATIONS = {"describedby": "Described by", "up": "Above it"}
_UNITS = ("bytes", "kB", "MB", "GB")
_THOUSAND = 1000


def tell_kind(description: Description) -> str:
    """Say in a sentence what kind of thing is named."""
    match description.kind:
        case None:
            return _KINDS[record_type(description.record)]
        case Kind.THING:
            return f"This names {_with_article(_noun(description))}, not a file."
        case Kind.DOCUMENT:
            return "This names a document, whatever format it is given in."
        case Kind.REPRESENTATION:
            return "This names a file: one form of something, in one format."


def tell_status(status: Status) -> str:
    """Say what it means that an identifier is not valid."""
    return _STATUSES[status]


def tell_size(length: int) -> str:
    """Write a number of bytes to be read: three digits will do."""
    size = float(length)
    for unit in _UNITS:
        if size < _THOUSAND or unit == _UNITS[-1]:
            break
        size /= _THOUSAND
    return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"  # noqa: PLR2004  two digits before the point are enough


def tell_day(moment: str) -> str:
    """Write the day of an RFC 3339 moment.

    >>> tell_day("2011-08-05T17:29:00.000Z")
    '5 August 2011'
    """
    day = datetime.fromisoformat(moment)
    return f"{day.day} {day:%B %Y}"


def tell_version(day: str) -> str:
    """Write the day from which a version holds.

    >>> tell_version("1997-06-01"), tell_version("prospective")
    ('1 June 1997', 'prospective')
    """
    return tell_day(day) if is_day(day) else day


def tell_name(name: str) -> str:
    """Write the name of a property or a relation as words.

    >>> tell_name("isVersionOf"), tell_name("latest-version"), tell_name("county")
    ('Is version of', 'Latest version', 'County')
    """
    if name in _RELATIONS:
        return _RELATIONS[name]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]", " ", name)
    return words[:1].upper() + words[1:].lower() if re.fullmatch("[A-Za-z ]+", words) else name


def _noun(description: Description) -> str:
    titles = [it.title for it in description.types[:1] if it.title.language in PREFERRED and it.identifier]
    return titles[0].text if titles else "thing"


def _with_article(noun: str) -> str:
    # An abbreviation keeps its capitals: "a map", but "an SVG drawing" is not our business to decline.
    plain = noun if noun[:2].isupper() else noun[:1].lower() + noun[1:]
    return f"{'an' if plain[:1].lower() in 'aeio' else 'a'} {plain}"
