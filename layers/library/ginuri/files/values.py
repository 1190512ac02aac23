"""What a single value may be, as types that check it and say what is wrong."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.roots import root_of
from ginuri.registration.ntriples import MOST_BYTES as MOST_TRIPLES_BYTES
from ginuri.registration.ntriples import read_triples
from ginuri.registry.geometry import read_geometry
from ginuri.registry.locations import is_location
from ginuri.registry.model import Role
from ginuri.registry.rules.patterns import REST, fault_of
from ginuri.registry.rules.templates import expand, variables
from ginuri.registry.version_names import PROSPECTIVE, is_day

MOST_FILE_BYTES = 700
"""How long the name of a stored file may be; a key of the store has at most 1,024 bytes."""
# RFC 5646 §2.1  langtag = language ["-" script] ["-" region] *("-" variant) …, read generously
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
# RFC 9110 §8.3.1  media-type = type "/" subtype parameters
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105  a token of HTTP, no secret
_MEDIA_TYPE = re.compile(rf'{_TOKEN}/{_TOKEN}(?:[ \t]*;[ \t]*{_TOKEN}=(?:{_TOKEN}|"[^"\\\x00-\x1f]*"))*')
_FOLLOWED = ("https", "http", "mailto", "tel", "urn", "info", "doi", "ftp", "geo")
"""Schemes of URIs that pages may link to; none of them can script a page."""
# Whoever asks chooses what stands in the place of an expression, and must not choose the host.
_OWN_HOST = re.compile(r"https?://[^/?#{}]+(?:[/?#]|\{[/?#])", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9\-.]*[a-z0-9])?(?::[0-9]+)?")


def _identifier(text: str) -> str:
    try:
        return parse(text).normal_form
    except MalformedIdentifier as error:
        raise ValueError(str(error)) from error


def _location(text: str) -> str:
    if not is_location(text):
        raise ValueError(
            "a location is an absolute http or https URI, with escapes for what is not ASCII or a blank, "
            "such as https://example.org/a%20map.pdf"
        )
    return text


def _template(text: str) -> str:
    try:
        names = variables(text)
    except ValueError as error:
        raise ValueError(f"a location is a URI, or for a rule an RFC 6570 template: {error}") from error
    if names and not _OWN_HOST.match(text):
        raise ValueError("a template names the host itself: https://example.org/{+rest}, not https://{+rest}")
    # What stands in the place of an expression is checked again when it is known.
    _location(expand(text, dict.fromkeys(names, "x")) if names else text)
    return text


def _pattern(text: str) -> str:
    fault = fault_of(text)
    if fault is not None:
        raise ValueError(fault)
    return text


def _media_type(text: str) -> str:
    if not _MEDIA_TYPE.fullmatch(text):
        raise ValueError("a media type looks like text/html or application/ld+json")
    name, semicolon, parameters = text.partition(";")
    return name.strip().lower() + semicolon + parameters


def _language(text: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        raise ValueError("a language tag looks like en or pt-BR (RFC 5646)")
    return text


def _host(text: str) -> str:
    if not _HOST.fullmatch(text.lower()):
        raise ValueError(
            "a host is a name such as resources.example.org, perhaps with :port, without http://"
        )
    return text.lower()


def is_followed(text: str) -> bool:
    """Tell whether a text is a URI that pages may link to."""
    scheme, colon, rest = text.partition(":")
    return bool(colon) and scheme.lower() in _FOLLOWED and bool(re.fullmatch(r"[!#-;=?-~]+", rest))


def _absolute(text: str) -> str:
    if not is_followed(text):
        raise ValueError(f"a URI begins with one of {', '.join(_FOLLOWED)} and a colon, and has no blanks")
    return text


def _service(text: str) -> str:
    try:
        names = variables(text)
    except ValueError as error:
        raise ValueError(f"a service is a URI, or an RFC 6570 template of one: {error}") from error
    if names - {REST}:
        raise ValueError(f"{{{REST}}} or {{+{REST}}} is what follows the namespace; no other piece is known")
    if names and not _OWN_HOST.match(text):
        raise ValueError("a template names the host itself: https://example.org/{+rest}, not https://{+rest}")
    if not names:
        return _absolute(text)
    _location(expand(text, {REST: "x"}))
    return text


def _reference(text: str) -> str:
    is_bare = text.startswith("uri-")
    return _identifier(text) if is_bare else _absolute(text)


def _triples(text: str) -> str:
    if len(text.encode()) > MOST_TRIPLES_BYTES:
        raise ValueError(f"the triples of a record have at most {MOST_TRIPLES_BYTES:,} bytes")
    for _ in read_triples(text):
        pass
    return text


def _contact(text: str) -> str:
    if re.fullmatch(r"[^@\s:]+@[^@\s]+", text):
        return text
    return _absolute(text)


def _file(text: str) -> str:
    if not all(piece not in {"", ".", ".."} for piece in text.split("/")) or not text.isprintable():
        raise ValueError(
            "a stored file is named as seen from the folder of this upload, such as maps/DGM37.pdf"
        )
    if len(text.encode()) > MOST_FILE_BYTES:
        raise ValueError(f"the name of a stored file has at most {MOST_FILE_BYTES} bytes")
    return text


def _day(text: str) -> str:
    if text != PROSPECTIVE and not is_day(text):
        raise ValueError(
            f"a version holds from a day, such as 1997-06-01, or is {PROSPECTIVE} while nobody knows the day"
        )
    return text


def _full_date(text: str) -> str:
    if not is_day(text):
        raise ValueError("a delegation holds from a day, such as 2027-01-01")
    return text


def _texts(given: object) -> object:
    return given if isinstance(given, dict) else {"": given} if given is not None else None


def _several(given: object) -> object:
    return re.split(r"[\s,;|]+", given.strip()) if isinstance(given, str) else given


def _whole(given: object) -> object:
    return int(given) if isinstance(given, str) and given.isascii() and given.isdigit() else given


def _weight(given: object) -> object:
    if isinstance(given, bool):
        raise ValueError("a quality is a number from 0 to 1")  # noqa: TRY004  pydantic reports ValueErrors only
    return given


def _names(given: object) -> object:
    # Commas and semicolons are characters of identifiers.
    return re.split(r"[\s|]+", given.strip()) if isinstance(given, str) else given


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _target(name: str) -> str:
    if name.startswith("//") and name == root_of(name):
        raise ValueError("an alias stands for identifiers, not for a host")
    return name


def _words(given: object) -> object:
    return str(given) if isinstance(given, int | float) and not isinstance(given, bool) else given


def _spatial(given: object) -> object:
    return None if given is None else read_geometry(given)


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), BeforeValidator(_words)]
Tag = Annotated[str, AfterValidator(lambda tag: _language(tag) if tag else tag)]
Texts = Annotated[dict[Tag, Text | None] | None, BeforeValidator(_texts)]
IdentifierText = Annotated[Text, AfterValidator(_identifier)]
Target = Annotated[IdentifierText, AfterValidator(_target)]
Location = Annotated[Text, AfterValidator(_template)]
Homepage = Annotated[Text, AfterValidator(_location)]
MediaTypeText = Annotated[Text, AfterValidator(_media_type)]
Language = Annotated[Text, AfterValidator(_language)]
Uri = Annotated[Text, AfterValidator(_absolute)]
Service = Annotated[Text, AfterValidator(_service)]
Reference = Annotated[Text, AfterValidator(_reference)]
Triples = Annotated[Text, AfterValidator(_triples)]
HostName = Annotated[Text, AfterValidator(_host)]
RedirectCode = Annotated[Literal[301, 302, 303, 307, 308], BeforeValidator(_whole)]
StatusCode = Annotated[Literal[301, 302, 303, 307, 308, 404, 410], BeforeValidator(_whole)]
Quality = Annotated[float, Field(ge=0, le=1), BeforeValidator(_weight)]
Roles = Annotated[list[Role], BeforeValidator(_several)]
FileName = Annotated[Text, AfterValidator(_file)]
Day = Annotated[Text, AfterValidator(_day)]
FullDate = Annotated[Text, AfterValidator(_full_date)]
Relation = Annotated[Text, StringConstraints(pattern=r"^[!-~]+$")]
Targets = Annotated[list[Target], AfterValidator(_once), BeforeValidator(_names)]
PatternText = Annotated[Text, AfterValidator(_pattern)]
HostNames = Annotated[list[HostName], BeforeValidator(_several)]
Contact = Annotated[Text, AfterValidator(_contact)]
Spatial = Annotated[dict[str, Any], BeforeValidator(_spatial)]
