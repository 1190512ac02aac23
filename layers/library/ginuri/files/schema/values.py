"""Types that check single values, with a message for each fault."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, StringConstraints

from ginuri.files.dois import location_of_doi
from ginuri.files.repairs.locations import repair_identifier, repair_location
from ginuri.files.repairs.words import (
    host_of,
    is_known_top_level,
    is_nothing,
    nearest,
    repair_day,
    repair_language,
    repair_media_type,
)
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import root_of
from ginuri.registration.authorization import Right, read_grantee
from ginuri.registry.locations import is_location
from ginuri.registry.model import Role
from ginuri.registry.rules.grammar import REST
from ginuri.registry.rules.templates import expand, variables
from ginuri.registry.texts.ntriples import MOST_BYTES as MOST_TRIPLES_BYTES
from ginuri.registry.texts.ntriples import read_triples
from ginuri.registry.version_names import PROSPECTIVE, is_day

HALF_CHARACTER = message(
    "The text has half of a character, such as {example} without its other half. Write the whole character.",
    example="\\ud83d",
)
MOST_FILE_BYTES = 700
"""The longest name of a stored file; an S3 key has at most 1,024 bytes."""
# RFC 5646 §2.1  langtag = language ["-" script] ["-" region] *("-" variant) …, read generously
# A language of four letters or more is not registered (§2.2.1): it is a name, such as English.
_LANGUAGE = re.compile(r"[A-Za-z]{1,3}(?:-[A-Za-z0-9]{1,8})*")
# RFC 9110 §8.3.1  media-type = type "/" subtype parameters
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105  a token of HTTP, no secret
_MEDIA_TYPE = re.compile(rf'{_TOKEN}/{_TOKEN}(?:[ \t]*;[ \t]*{_TOKEN}=(?:{_TOKEN}|"[ !#-\[\]-~]*"))*')
# URI schemes that pages may link to; none of them can run scripts.
_FOLLOWED = ("https", "http", "mailto", "tel", "urn", "info", "doi", "ftp", "geo")
# The client chooses the values of a template, and must not choose the host.
_OWN_HOST = re.compile(r"https?://[^/?#{}]+(?:[/?#]|\{[/?#])", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9\-.]*[a-z0-9])?(?::[0-9]+)?")
_STATUS_CODE = re.compile(r"0*[0-9]{3}")
_BETWEEN_WORDS = re.compile(r"[\s_\-\u00ad\u200b\u2010-\u2015\ufeff]+")


@lru_cache(maxsize=1_024)
def fold_word(text: str) -> str:
    """Fold a name or a word of a vocabulary: capitals, blanks, hyphens and underscores do not matter.

    >>> fold_word(" Media Type"), fold_word("media_type")
    ('mediatype', 'mediatype')
    """
    return _BETWEEN_WORDS.sub("", text).casefold()


def read_identifier(text: str) -> str:
    """Return the normal form of an identifier. Raises Unfit."""
    try:
        return parse(text).normal_form
    except MalformedIdentifier as error:
        raise Unfit(error.words, repair_identifier(text)) from error


# Commas and semicolons are characters of identifiers.
SEPARATORS = {
    **dict.fromkeys(("trusted_hosts", "role", "may"), r"[\s,;|]+"),
    "stands_for": r"[\s|]+",
    "featured": r"[\s|]+",
    # Not the blanks around the semicolon of a parameter
    "valid_media_types": r"(?<![;\s,|])[\s,|]+(?![;\s,|])",
}
"""A pattern of separators between the words of a list."""


MOST_FEATURED = 12
"""The most identifiers of `featured`."""


class Unfit(ValueError):
    """A refused value: the message, and the likely correction if any."""

    def __init__(self, words: Message, suggestion: str | None = None) -> None:
        super().__init__(words)
        self.suggestion = suggestion


def _few(names: list[str]) -> list[str]:
    distinct = list(dict.fromkeys(names))
    if len(distinct) > MOST_FEATURED:
        raise Unfit(message("Feature at most {most} identifiers.", most=str(MOST_FEATURED)))
    return distinct


def _color(text: str) -> str:
    # CSS Color 4, §5.2: the notation with six digits
    if not re.fullmatch(r"#[0-9A-Fa-f]{6}", text):
        raise Unfit(message("A color is # and six hexadecimal digits, such as #0a5a78."))
    return text.lower()


def _location(text: str) -> str:
    if not text.startswith("http") and (address := location_of_doi(text)):
        return address
    if not is_location(text):
        raise Unfit(*repair_location(text))
    return text


def _template(text: str) -> str:
    try:
        names = variables(text)
    except ValueError as error:
        raise ValueError(
            message(
                "The web address is not valid, and not an RFC 6570 template for a rule either: {reason}",
                reason=error.args[0],
            )
        ) from error
    _judge_host(text, names)
    if not names:
        return _location(text)
    # The expanded address is checked again when its values are known.
    expanded = expand(text, dict.fromkeys(names, "x"))
    if not is_location(expanded):
        raise Unfit(repair_location(expanded).fault)
    return text


def _pattern(text: str) -> str:
    from ginuri.registry.rules.faults import fault_of

    if fault := fault_of(text):
        raise ValueError(fault)
    return text


def check_media_type(text: str) -> str:
    """Return a media type in lower case. Raises Unfit."""
    is_odd = not is_known_top_level(text) and (is_nothing(text) or repair_media_type(text))
    if is_odd or not _MEDIA_TYPE.fullmatch(text):
        raise Unfit(
            message("Write a media type such as text/html or application/ld+json."), repair_media_type(text)
        )
    name, semicolon, parameters = text.partition(";")
    return name.strip().lower() + semicolon + parameters


def _language(text: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        raise Unfit(message("Write a language tag such as en or pt-BR (RFC 5646)."), repair_language(text))
    return text


def _host(text: str) -> str:
    if not _HOST.fullmatch(text.lower()):
        words = message(
            "Write the name of a host without http://, such as resources.example.org or example.org:8080."
        )
        raise Unfit(words, host if "." in (host := host_of(text)) and _HOST.fullmatch(host) else None)
    return text.lower()


def is_followable(text: str) -> bool:
    """Return whether a text is a URI that pages may link to."""
    scheme, colon, rest = text.partition(":")
    return bool(colon) and scheme.lower() in _FOLLOWED and bool(re.fullmatch(r"[!#-;=?-~]+", rest))


def _absolute(text: str) -> str:
    if not is_followable(text):
        words = message(
            "Write a URI without spaces that starts with one of these schemes and a colon: {schemes}.",
            schemes=", ".join(_FOLLOWED),
        )
        repaired = repair_location(text).suggestion
        raise Unfit(words, repaired if repaired and is_followable(repaired) else None)
    return text


def _service(text: str) -> str:
    try:
        names = variables(text)
    except ValueError as error:
        raise ValueError(
            message(
                "The address of a service is not a valid URI or RFC 6570 template: {reason}",
                reason=error.args[0],
            )
        ) from error
    if names - {REST}:
        raise ValueError(
            message(
                "The template of a service may contain {rest} or {plus_rest} only, for what follows the "
                "namespace.",
                rest=f"{{{REST}}}",
                plus_rest=f"{{+{REST}}}",
            )
        )
    _judge_host(text, names)
    if not names:
        return _absolute(text)
    _location(expand(text, {REST: "x"}))
    return text


def _judge_host(text: str, names: Collection[str]) -> None:
    if names and not _OWN_HOST.match(text):
        raise ValueError(
            message(
                "The template must state the host itself, such as {example}.",
                example=f"https://example.org/{{+{REST}}}",
            )
        )


def _reference(text: str) -> str:
    return read_identifier(text) if text.startswith("uri-") else _absolute(text)


def _triples(text: str) -> str:
    if len(text.encode()) > MOST_TRIPLES_BYTES:
        raise ValueError(
            message("The triples of a record may have at most {most} bytes.", most=f"{MOST_TRIPLES_BYTES:,}")
        )
    for _ in read_triples(text):
        pass
    return text


def _contact(text: str) -> str:
    return text if re.fullmatch(r"[^@\s:]+@[^@\s]+", text) else _absolute(text)


def _file(text: str) -> str:
    if not all(piece not in {"", ".", ".."} for piece in text.split("/")) or not text.isprintable():
        raise ValueError(
            message(
                "Give the name of the file relative to the folder of this upload, such as maps/DGM37.pdf."
            )
        )
    if len(text.encode()) > MOST_FILE_BYTES:
        raise ValueError(
            message("The name of a stored file may have at most {most} bytes.", most=f"{MOST_FILE_BYTES:,}")
        )
    return text


def _day(text: str) -> str:
    if text != PROSPECTIVE and not is_day(text):
        words = message(
            "Write the day from which the version applies, such as 1997-06-01, or `{prospective}` if it "
            "is not known yet.",
            prospective=PROSPECTIVE,
        )
        raise Unfit(words, repair_day(text) or nearest(text, (PROSPECTIVE,)))
    return text


def _full_date(text: str) -> str:
    if not is_day(text):
        raise Unfit(message("Write a full date, such as 2027-01-01."), repair_day(text))
    return text


def _texts(given: object) -> object:
    return given if isinstance(given, dict) else {"": given} if given is not None else None


def _split(field: str) -> BeforeValidator:
    return BeforeValidator(
        lambda given: re.split(SEPARATORS[field], given.strip()) if isinstance(given, str) else given
    )


def _integer(given: object) -> object:
    return int(given) if isinstance(given, str) and _STATUS_CODE.fullmatch(given) else given


def _weight(given: object) -> object:
    if isinstance(given, bool):
        raise ValueError(message("The value must be a number from 0 to 1."))  # noqa: TRY004  pydantic reports ValueErrors only
    return given


def _receiver(text: str) -> str:
    if grantee := read_grantee(text):
        return grantee
    if not re.search(r"[/:]", text):
        raise Unfit(
            message(
                "Write a name authority such as {authority}, a person such as {person}, or a group such as "
                "{group}.",
                authority="uri-gin/azgs/",
                person="mailto:jane@example.org",
                group="group:azgs-editors",
            )
        )
    return read_identifier(text)


def _target(name: str) -> str:
    if name.startswith("//") and name == root_of(name):
        raise ValueError(message("An alias stands for identifiers, not for a host."))
    return name


def one_of(words: Iterable[str], synonyms: Mapping[str, str] = MappingProxyType({})) -> BeforeValidator:
    """Make a validator that reads a word of a vocabulary, folded, or a synonym of one."""
    by_fold = {fold_word(word): str(word) for word in words} | {
        fold_word(name): word for name, word in synonyms.items()
    }
    return BeforeValidator(
        lambda given: by_fold.get(fold_word(given), given) if isinstance(given, str) else given
    )


def _words(given: object) -> object:
    return str(given) if isinstance(given, int | float) and not isinstance(given, bool) else given


def _place(given: object) -> object:
    if given is None:
        return None
    from ginuri.registry.metadata.geometry_reader import read_place

    return read_place(given)


def _property(given: object) -> object:
    # Not a union of types: pydantic would add their names to the path of the field.
    if isinstance(given, str) and given.isascii() and (text := given.strip()):
        return text  # fast path: this is called for every cell
    texts = [_words(value) for value in (given if isinstance(given, list) else [given])]
    if given is None:
        return None
    stripped = [text.strip() for text in texts if isinstance(text, str)]
    if len(stripped) < len(texts):
        raise ValueError(message("The value must be a text, or a list of texts."))
    if not all(stripped):
        raise ValueError(message("The text is empty."))
    if any("\ud800" <= character <= "\udfff" for text in stripped for character in text):
        raise ValueError(HALF_CHARACTER)
    return stripped if isinstance(given, list) else stripped[0]


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), BeforeValidator(_words)]
Tag = Annotated[str, AfterValidator(lambda tag: _language(tag) if tag else tag)]
Texts = Annotated[dict[Tag, Text | None] | None, BeforeValidator(_texts)]
IdentifierText = Annotated[Text, AfterValidator(read_identifier)]
Receiver = Annotated[Text, AfterValidator(_receiver)]
Target = Annotated[IdentifierText, AfterValidator(_target)]
Location = Annotated[Text, AfterValidator(_template)]
Homepage = Annotated[Text, AfterValidator(_location)]
MediaTypeText = Annotated[Text, AfterValidator(check_media_type)]
Language = Annotated[Text, AfterValidator(_language)]
Uri = Annotated[Text, AfterValidator(_absolute)]
Service = Annotated[Text, AfterValidator(_service)]
Reference = Annotated[Text, AfterValidator(_reference)]
Triples = Annotated[Text, AfterValidator(_triples)]
HostName = Annotated[Text, AfterValidator(_host)]
RedirectCode = Annotated[Literal[301, 302, 303, 307, 308], BeforeValidator(_integer)]
StatusCode = Annotated[Literal[301, 302, 303, 307, 308, 404, 410], BeforeValidator(_integer)]
Quality = Annotated[float, Field(ge=0, le=1), BeforeValidator(_weight)]
Roles = Annotated[list[Annotated[Role, one_of(Role)]], _split("role")]
Rights = Annotated[list[Annotated[Right, one_of(Right)]], _split("may")]
FileName = Annotated[Text, AfterValidator(_file)]
Day = Annotated[Text, AfterValidator(_day)]
FullDate = Annotated[Text, AfterValidator(_full_date)]
Relation = Annotated[Text, StringConstraints(pattern=r"^[!-~]+$")]
Targets = Annotated[
    list[Target], AfterValidator(lambda names: list(dict.fromkeys(names))), _split("stands_for")
]
Featured = Annotated[
    list[IdentifierText],
    AfterValidator(_few),
    _split("featured"),
]
ThemeColor = Annotated[Text, AfterValidator(_color)]
PatternText = Annotated[Text, AfterValidator(_pattern)]
HostNames = Annotated[list[HostName], _split("trusted_hosts")]
MediaTypes = Annotated[
    list[MediaTypeText], AfterValidator(lambda types: list(dict.fromkeys(types))), _split("valid_media_types")
]
Contact = Annotated[Text, AfterValidator(_contact)]
PropertyValue = Annotated[str | list[str] | None, PlainValidator(_property)]
Spatial = Annotated[Any, BeforeValidator(_place)]
