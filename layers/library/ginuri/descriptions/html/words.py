"""The pages' own words: plain ones for what the registry says in codes."""

from __future__ import annotations

import re

from ginuri.descriptions.description import Description
from ginuri.descriptions.json.registration import record_type
from ginuri.i18n.translation import translate
from ginuri.identifiers import Kind
from ginuri.registry.model import RecordType, Status
from ginuri.registry.version_names import is_day
from ginuri.web.pages import plain_words

_KINDS = {
    RecordType.HOST: "This names a host: a machine that answers identifiers, and is no part of any.",
    RecordType.SCHEME: "This names a scheme: what all identifiers that begin with it have in common.",
    RecordType.AUTHORITY: "This names a name authority: who says what the identifiers under it mean.",
    RecordType.NAMESPACE: "This names a namespace: identifiers of one kind, which an organization gives out.",
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
# A fragment is a name within its document; the Dublin Core terms have none and are everywhere.
_TERM = re.compile(r"https?://(?:[^#]*#|purl\.org/dc/(?:terms|elements/1\.1)/)(?P<term>[A-Za-z]+)")
_SPANISH = "es"
_UNITS = ("bytes", "kB", "MB", "GB")
_THOUSAND = 1000


def tell_kind(description: Description) -> str:
    """Say in a sentence what kind of thing is named."""
    language = description.language
    match description.kind:
        case None:
            return translate(_KINDS[record_type(description.record)], language)
        case Kind.THING:
            return _tell_thing(_noun(description), language)
        case Kind.DOCUMENT:
            return translate("This names a document, whatever format it is given in.", language)
        case Kind.REPRESENTATION:
            return translate("This names a file: one form of something, in one format.", language)


def tell_status(status: Status, *, language: str = "en") -> str:
    """Say what it means that an identifier is not valid."""
    return translate(_STATUSES[status], language)


def tell_size(length: int, *, language: str = "en") -> str:
    """Write a number of bytes to be read: three digits will do."""
    size = float(length)
    for unit in _UNITS:
        if size < _THOUSAND or unit == _UNITS[-1]:
            break
        size /= _THOUSAND
    written = f"{size:.0f}" if unit == "bytes" or size >= 100 else f"{size:.1f}"  # noqa: PLR2004  two digits before the point are enough
    return f"{written.replace('.', ',') if language == _SPANISH else written} {unit}"


def tell_day(moment: str, *, language: str = "en") -> str:
    """Write the day of an RFC 3339 moment.

    >>> tell_day("2011-08-05T17:29:00.000Z"), tell_day("2011-08-05", language="es")
    ('5 August 2011', '5 de agosto de 2011')
    """
    return plain_words.tell_day(moment, language)


def tell_version(day: str, *, language: str = "en") -> str:
    """Write the day from which a version holds.

    >>> tell_version("1997-06-01"), tell_version("prospective")
    ('1 June 1997', 'prospective')
    """
    return tell_day(day, language=language) if is_day(day) else translate(day, language)


def tell_name(name: str, *, language: str = "en") -> str:
    """Write the name of a property or a relation as words.

    >>> tell_name("isVersionOf"), tell_name("latest-version"), tell_name("county")
    ('Is version of', 'Latest version', 'County')
    >>> tell_name("http://www.w3.org/2000/01/rdf-schema#subPropertyOf")
    'Sub property of'
    """
    if in_a_vocabulary := _TERM.fullmatch(name):
        name = in_a_vocabulary["term"]
    if name in _RELATIONS:
        return translate(_RELATIONS[name], language)
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]", " ", name)
    if not re.fullmatch("[A-Za-z ]+", words):
        return name
    return translate(words[:1].upper() + words[1:].lower(), language)


def tell_language(tag: str, *, language: str = "en") -> str:
    """Name a language; the tag itself where no name is known."""
    return translate(plain_words.tell_language(tag), language)


def tell_media_type(media_type: str, *, language: str = "en") -> str | None:
    """Name a media type in plain words; None where none are known."""
    words = plain_words.tell_media_type(media_type)
    return translate(words, language) if words else None


def _noun(description: Description) -> str:
    understood = (description.language, "")
    titles = [it.title for it in description.types[:1] if it.title.language in understood and it.identifier]
    return titles[0].text if titles else ""


def _tell_thing(noun: str, language: str) -> str:
    if language != _SPANISH:
        return f"This names {_with_article(noun or 'thing')}, not a file."
    # Which article a Spanish noun takes cannot be told from it.
    thing = "This names a thing ({noun}), not a file." if noun else "This names a thing, not a file."
    return translate(thing, language).format(noun=_within_a_sentence(noun))


def _within_a_sentence(noun: str) -> str:
    # An abbreviation keeps its capitals: "a map", but "an SVG drawing" is not our business to decline.
    return noun if noun[:2].isupper() else noun[:1].lower() + noun[1:]


def _with_article(noun: str) -> str:
    plain = _within_a_sentence(noun)
    return f"{'an' if plain[:1].lower() in 'aeio' else 'a'} {plain}"
