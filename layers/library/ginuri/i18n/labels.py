"""Labels: the names of codes in registry data, as messages for pages and advice."""

from __future__ import annotations

import re
from datetime import datetime

from ginuri.identifiers import Kind
from ginuri.identifiers.messages import Message, message, translatable
from ginuri.registry.metadata.geometry import Geometry, bounds_of, is_box, is_point
from ginuri.registry.model import RecordType, Role, Status
from ginuri.registry.statuses import STATUSES
from ginuri.registry.version_names import is_day
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS

_ENGLISH = "en"
_RECORD_TYPES = {
    RecordType.HOST: translatable("This is a host: a server that resolves identifiers."),
    RecordType.SCHEME: translatable("This is a scheme. Its identifiers share one syntax."),
    RecordType.AUTHORITY: translatable(
        "This is a name authority. It decides what its identifiers are assigned to."
    ),
    RecordType.NAMESPACE: translatable(
        "This is a namespace: identifiers of one kind, assigned by an organization."
    ),
    RecordType.ALIAS: translatable("This identifier is an alias."),
    RecordType.RULE: translatable(
        "This identifier is not assigned. Rules apply to the identifiers that start with it."
    ),
    RecordType.DELEGATION: translatable(
        "This identifier is not assigned. Another host resolves the identifiers that start with it."
    ),
    RecordType.RESOURCE_TYPE: translatable("This is a resource type. It groups resources of the same kind."),
}
_RECORD_TYPE_NAMES = {
    RecordType.HOST: translatable("Host"),
    RecordType.SCHEME: translatable("Scheme"),
    RecordType.AUTHORITY: translatable("Name authority"),
    RecordType.NAMESPACE: translatable("Namespace"),
    RecordType.RESOURCE_TYPE: translatable("Resource type"),
    RecordType.RESOURCE: translatable("Resource"),
    RecordType.ALIAS: translatable("Alias"),
    RecordType.RULE: translatable("Rule"),
    RecordType.DELEGATION: translatable("Delegation"),
}
_ROLES = {Role.CANONICAL: translatable("canonical"), Role.DEFAULT: translatable("default")}
_LANGUAGES = {
    "ar": translatable("Arabic"),
    "de": translatable("German"),
    "en": translatable("English"),
    "es": translatable("Spanish"),
    "fr": translatable("French"),
    "it": translatable("Italian"),
    "ja": translatable("Japanese"),
    "nl": translatable("Dutch"),
    "pt": translatable("Portuguese"),
    "ru": translatable("Russian"),
    "zh": translatable("Chinese"),
}
_MEDIA_TYPES = {
    "application/msword": translatable("Word document"),
    "application/vnd.ms-excel": translatable("Excel spreadsheet"),
    "application/zip": translatable("ZIP archive"),
    "image/jpeg": translatable("JPEG image"),
    "image/png": translatable("PNG image"),
    "image/svg+xml": translatable("SVG drawing"),
    "image/tiff": translatable("TIFF image"),
    "text/html": translatable("Web page"),
    "text/plain": translatable("Plain text"),
}
# Proper names are the same in every language.
_FORMATS = {row.media_type: str(row.label) for row in (*FORMATS.values(), *LIST_FORMATS.values())} | {
    "application/gml+xml": "GML",
    "application/pdf": "PDF",
    "application/xml": "XML",
}
_MONTHS = (
    translatable("January"),
    translatable("February"),
    translatable("March"),
    translatable("April"),
    translatable("May"),
    translatable("June"),
    translatable("July"),
    translatable("August"),
    translatable("September"),
    translatable("October"),
    translatable("November"),
    translatable("December"),
)
# An unlisted property is shown by its name.
_PROPERTIES = {
    "abstract": translatable("Abstract"),
    "alternate": translatable("Alternate"),
    "audience": translatable("Audience"),
    "author": translatable("Author"),
    "bibliographicCitation": translatable("Bibliographic citation"),
    "broader": translatable("Broader"),
    "collection": translatable("Collection"),
    "contributor": translatable("Contributor"),
    "county": translatable("County"),
    "coverage": translatable("Coverage"),
    "created": translatable("Created"),
    "creator": translatable("Creator"),
    "date": translatable("Date"),
    "describedby": translatable("Described by"),
    "describes": translatable("Describes"),
    "extent": translatable("Extent"),
    "format": translatable("Format"),
    "hasPart": translatable("Has part"),
    "hasVersion": translatable("Has version"),
    "isDefinedBy": translatable("Is defined by"),
    "isPartOf": translatable("Is part of"),
    "isVersionOf": translatable("Is version of"),
    "issued": translatable("Issued"),
    "language": translatable("Language"),
    "latest-version": translatable("Latest version"),
    "latitude": translatable("Latitude"),
    "license": translatable("License"),
    "longitude": translatable("Longitude"),
    "medium": translatable("Medium"),
    "modified": translatable("Modified"),
    "notation": translatable("Notation"),
    "predecessor-version": translatable("Predecessor version"),
    "provenance": translatable("Provenance"),
    "publisher": translatable("Publisher"),
    "references": translatable("References"),
    "related": translatable("Related"),
    "relation": translatable("Relation"),
    "replaces": translatable("Replaces"),
    "rights": translatable("Rights"),
    "sameAs": translatable("Same as"),
    "source": translatable("Source"),
    "spatial": translatable("Spatial coverage"),
    "subPropertyOf": translatable("Subproperty of"),
    "subject": translatable("Subject"),
    "successor-version": translatable("Successor version"),
    "temporal": translatable("Temporal coverage"),
    "title": translatable("Title"),
    "type": translatable("Type"),
    "up": translatable("Parent"),
    "version": translatable("Version"),
}
# A fragment is a name within its vocabulary; Dublin Core terms have none, but are very common.
_TERM = re.compile(r"https?://(?:[^#]*#|purl\.org/dc/(?:terms|elements/1\.1)/)(?P<term>[A-Za-z]+)")
_UNITS = ("bytes", "kB", "MB", "GB")
_THOUSAND = 1000


def record_type_note(record_type: RecordType) -> Message:
    """Explain the record type of an identifier."""
    return Message(_RECORD_TYPES[record_type])


def record_type_name(record_type: RecordType) -> Message:
    """Return the noun for records of a type."""
    return message(_RECORD_TYPE_NAMES[record_type])


def kind_note(kind: Kind, noun: str, language: str) -> Message:
    """Explain the kind of a resource; `noun`, which may be empty, is in `language`."""
    match kind:
        case Kind.DOCUMENT:
            return message("This is a document, whatever its format.")
        case Kind.REPRESENTATION:
            return message("This is a file: a resource in one format.")
        case Kind.THING if language == _ENGLISH:
            return message("This names {noun}, not a file.", noun=_with_article(noun or "thing"))
        case Kind.THING if noun:  # the article cannot be derived from the noun
            return message("This names a thing ({noun}), not a file.", noun=_lower_initial(noun))
        case Kind.THING:
            return message("This names a thing, not a file.")


def status_name(status: Status) -> Message:
    """Name a status."""
    return Message(STATUSES[status].name)


def status_note(status: Status, until: str | None = None) -> Message:
    """Explain a status other than `valid`, which may end on a day."""
    return message(STATUSES[status].notice, until=until or "?")


def role_name(role: Role) -> Message:
    """Name the role of a representation."""
    return Message(_ROLES[role])


def format_size(length: int) -> Message:
    """Write a number of bytes for people, with two or three significant digits.

    >>> str(format_size(999)), str(format_size(1_234_567))
    ('999 bytes', '1.2 MB')
    """
    size = float(length)
    unit = _UNITS[0]
    for unit in _UNITS:
        if size < _THOUSAND or unit == _UNITS[-1]:
            break
        size /= _THOUSAND
    if unit == _UNITS[0] or size >= 100:  # noqa: PLR2004  two digits before the point are enough
        return message("{number} {unit}", number=f"{size:.0f}", unit=unit)
    whole, _, tenths = f"{size:.1f}".partition(".")
    return message("{whole}.{tenths} {unit}", whole=whole, tenths=tenths, unit=unit)


def format_day(moment: str) -> Message:
    """Write the day of an RFC 3339 moment.

    >>> str(format_day("2011-08-05T17:29:00.000Z"))
    '5 August 2011'
    """
    day = datetime.fromisoformat(moment)
    return message(
        "{day} {month} {year}",
        day=str(day.day),
        month=Message(_MONTHS[day.month - 1]),
        year=str(day.year),
    )


def format_place(geometry: Geometry) -> Message:
    """Write a location: a point, or the bounds of any other geometry.

    >>> str(format_place({"type": "Point", "coordinates": [-110.3, 31.5]}))
    '31.5° N, 110.3° W'
    """
    west, south, east, north = bounds_of(geometry)
    one, other = _position(west, south), _position(east, north)
    if is_point(geometry):
        return one
    if is_box(geometry):
        return message("From {one} to {other}", one=one, other=other)
    return message("Within {one} and {other}", one=one, other=other)


def _position(longitude: float, latitude: float) -> Message:
    north, east = _degrees(latitude), _degrees(longitude)
    return message(
        "{latitude}, {longitude}",
        latitude=message("{degrees}° S", degrees=north)
        if latitude < 0
        else message("{degrees}° N", degrees=north),
        longitude=message("{degrees}° W", degrees=east)
        if longitude < 0
        else message("{degrees}° E", degrees=east),
    )


def _degrees(number: float) -> Message:
    # Five decimals of a degree are about a metre.
    whole, _, decimals = f"{abs(number):.5f}".rstrip("0").rstrip(".").partition(".")
    return (
        message("{whole}.{decimals}", whole=whole, decimals=decimals)
        if decimals
        else message("{whole}", whole=whole)
    )


def version_name(day: str) -> Message:
    """Write the day from which a version is valid.

    >>> str(version_name("1997-06-01")), str(version_name("prospective"))
    ('1 June 1997', 'prospective')
    """
    return format_day(day) if is_day(day) else message("prospective")


def property_name(name: str) -> Message:
    """Write the name of a property or a relation as words.

    >>> str(property_name("isVersionOf")), str(property_name("latest-version")), str(property_name("bedRock"))
    ('Is version of', 'Latest version', 'Bed rock')
    >>> str(property_name("http://www.w3.org/2000/01/rdf-schema#subPropertyOf"))
    'Subproperty of'
    """
    if in_a_vocabulary := _TERM.fullmatch(name):
        name = in_a_vocabulary["term"]
    if name in _PROPERTIES:
        return Message(_PROPERTIES[name])
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]", " ", name)
    is_plain = re.fullmatch("[A-Za-z ]+", words)
    return message("{name}", name=words[:1].upper() + words[1:].lower() if is_plain else name)


def language_name(tag: str) -> Message:
    """Name a language, by its tag if no name is known."""
    known = _LANGUAGES.get(tag.lower().split("-")[0])
    return Message(known) if known else message("{tag}", tag=tag)


def media_type_name(media_type: str) -> Message | None:
    """Name a media type in plain words; None if no name is known."""
    plain = media_type.partition(";")[0]
    if plain in _MEDIA_TYPES:
        return Message(_MEDIA_TYPES[plain])
    return message("{format}", format=_FORMATS[plain]) if plain in _FORMATS else None


def _lower_initial(noun: str) -> str:
    # An abbreviation such as "SVG drawing" keeps its capitals.
    return noun if noun[:2].isupper() else noun[:1].lower() + noun[1:]


def _with_article(noun: str) -> str:
    plain = _lower_initial(noun)
    return f"{'an' if plain[:1].lower() in 'aeio' else 'a'} {plain}"
