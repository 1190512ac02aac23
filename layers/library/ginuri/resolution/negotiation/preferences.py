"""Parses the headers of proactive negotiation (RFC 9110 §12.5); unreadable ones are ignored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import islice
from typing import Concatenate, ParamSpec, TypeVar

from ginuri.frozen import Frozen

# RFC 9110 §5.6.2  token = 1*tchar
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105  a token of HTTP, no secret
# RFC 9110 §5.6.4  quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
_QUOTED = r'"(?:[^"\\]|\\[\s\S])*+"'
# RFC 9110 §5.6.6  parameter = parameter-name "=" parameter-value   ; bad whitespace around "=" is forgiven
_PARAMETER = re.compile(rf"[ \t]*;[ \t]*(?:({_TOKEN})[ \t]*=[ \t]*({_TOKEN}|{_QUOTED}))?")
# RFC 9110 §12.5.1  media-range = ( "*/*" / ( type "/" "*" ) / ( type "/" subtype ) ) parameters
_MEDIA_RANGE = re.compile(rf"({_TOKEN})/({_TOKEN})")
# RFC 4647 §2.1  language-range = (1*8ALPHA *("-" 1*8alphanum)) / "*"
_LANGUAGE_RANGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*")
# RFC 9110 §12.4.2  qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )   ; more digits are forgiven
_QVALUE = re.compile(r"0(?:\.[0-9]*)?|1(?:\.0*)?|\.[0-9]+")
# RFC 9110 §5.6.1  #element: commas separate, except inside quotes; an unclosed quote includes the rest
_ELEMENT = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\[\s\S])*+(?:"|\Z|\\\Z))++')
# W3C Content Negotiation by Profile §7: a URI between angle brackets (compiled on first use: it is rare)
_PROFILE = r"<[^<>]+>"

MOST_ELEMENTS = 100
"""The most elements of a header; browsers send about ten. Later ones are ignored."""
REMEMBERED = 1024
"""The size of the cache of short header values; clients repeat the same few."""
LONGEST_REMEMBERED = 300
"""The most characters of a value in this cache; longer ones are not sent twice."""
LATEST_REMEMBERED = 4
"""The size of the cache of longer values, which one request reads several times."""
Languages = Sequence[tuple[str, float]]
"""Language ranges in lower case with their q, in order."""
FALLBACK_WEIGHT = 0.001
"""The weight of a range like `en-GB` for a text in `en`: it decides only if nothing else does."""
Read = TypeVar("Read")
Further = ParamSpec("Further")


def remembered(
    read: Callable[Concatenate[str, Further], Read],
) -> Callable[Concatenate[str, Further], Read]:
    """Cache parsed header values: many short ones, and the latest long ones."""
    kept: Callable[..., Read] = lru_cache(maxsize=REMEMBERED)(read)
    latest: Callable[..., Read] = lru_cache(maxsize=LATEST_REMEMBERED)(read)

    @wraps(read)
    def reading(header: str, /, *more: Further.args, **named: Further.kwargs) -> Read:
        return (kept if len(header) <= LONGEST_REMEMBERED else latest)(header, *more, **named)

    return reading


class MediaType(Frozen):
    """A media type with its parameters, all in lower case (RFC 9110 §8.3.1).

    The value of a parameter may be case-sensitive, but refusing a client for its case would not help.
    """

    type: str
    subtype: str
    parameters: Mapping[str, str]

    @property
    def range_names(self) -> tuple[tuple[str, str], ...]:
        """The types of the ranges that can match it, the most specific first."""
        return (self.type, self.subtype), (self.type, "*"), ("*", "*")


class MediaRange(Frozen):
    """One element of Accept."""

    type: str
    subtype: str
    parameters: Mapping[str, str]
    q: float

    @property
    def is_anything(self) -> bool:
        """Whether it is `*/*`, which prefers none."""
        return self.type == "*"


@remembered
def read_media_ranges(header: str) -> tuple[MediaRange, ...]:
    """Parse an Accept header; unreadable elements are left out."""
    ranges = []
    for element in _elements(header):
        read = _split(element, _MEDIA_RANGE)
        if read is None:
            continue
        (kind, _, subtype), (parameters, weight) = read[0].lower().partition("/"), _weigh(read[1])
        q = _read_q(weight)
        if q is not None and not (kind == "*" and subtype != "*"):
            ranges.append(MediaRange(kind, subtype, parameters, q))
    return tuple(ranges)


@remembered
def read_media_type(text: str) -> MediaType:
    """Read a registered media type, which was checked at upload."""
    name, parameters = _split(text, _MEDIA_RANGE) or (text, ())
    kind, _, subtype = name.lower().partition("/")
    return MediaType(kind, subtype, dict(parameters))


@remembered
def read_weighted(header: str) -> tuple[tuple[str, float], ...]:
    """Read an Accept-Language header into ranges in lower case with their q, in order."""
    ranges = []
    for element in header.split(",", MOST_ELEMENTS)[:MOST_ELEMENTS]:
        read = _split(element, _LANGUAGE_RANGE)
        q = _read_q(dict(read[1]).get("q", "1")) if read else None
        if read and q is not None:
            ranges.append((read[0].lower(), q))
    return tuple(ranges)


@remembered
def read_profiles(header: str) -> tuple[tuple[str, float], ...]:
    """Read an Accept-Profile header into profile URIs, each with its highest q, the most wanted first."""
    profiles = []
    for element in _elements(header):
        read = _split(element, re.compile(_PROFILE))
        q = _read_q(dict(read[1]).get("q", "1")) if read else None
        if read and q is not None:
            profiles.append((read[0][1:-1], q))
    highest: dict[str, float] = {}
    for profile, q in sorted(profiles, key=lambda pair: -pair[1]):
        highest.setdefault(profile, q)
    return tuple(highest.items())


class LanguageRanges(Frozen):
    """Language ranges for look-ups, each with its highest q."""

    named: Mapping[str, float]
    kin: Mapping[str, float]
    """By first subtag, the ranges with more than that."""

    @property
    def has_preference(self) -> bool:
        """Whether a language is wanted; `*` prefers none, and q=0 only refuses."""
        return any(q > 0 for name, q in self.named.items() if name != "*")

    def weigh(self, language: str | None) -> float | None:
        """Return the q of the longest range that matches a language tag (RFC 4647 §3.3.1, §3.4).

        0 is a refusal (RFC 9110 §12.4.2), None is no preference. `en` matches `en-GB` (basic filtering);
        `en-GB` falls back to `en` and its variants, with a very small weight, and never refuses them.
        """
        if not language:
            return None
        name = tag = language.lower()
        while name:
            if name in self.named:
                return self.named[name]
            name = name.rpartition("-")[0]
        if "*" in self.named:
            return self.named["*"]
        return self.kin.get(tag.partition("-")[0], 0.0) * FALLBACK_WEIGHT or None


def read_ranges(languages: Languages) -> LanguageRanges:
    """Prepare language ranges for look-ups."""
    return _index(tuple(languages))


@lru_cache(maxsize=64)
def _index(languages: tuple[tuple[str, float], ...]) -> LanguageRanges:
    named: dict[str, float] = {}
    kin: dict[str, float] = {}
    for name, q in languages:
        named[name] = max(q, named.get(name, 0.0))
        first, dash, _ = name.partition("-")
        if dash:
            kin[first] = max(q, kin.get(first, 0.0))
    return LanguageRanges(named, kin)


def _elements(header: str) -> Iterator[str]:
    return (found[0] for found in islice(_ELEMENT.finditer(header), MOST_ELEMENTS))


def _split(element: str, name: re.Pattern[str]) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    element = element.strip(" \t")
    found = name.match(element)
    if found is None:
        return None
    at, parameters = found.end(), []
    while at < len(element):
        parameter = _PARAMETER.match(element, at)
        if parameter is None or parameter.end() == at:
            return None
        if parameter[1]:
            parameters.append((parameter[1].lower(), _unquote(parameter[2])))
        at = parameter.end()
    return found[0], tuple(parameters)


def _weigh(parameters: tuple[tuple[str, str], ...]) -> tuple[Mapping[str, str], str]:
    # RFC 7231 §5.3.2: parameters after the weight are extensions of Accept, not of the media type.
    names = [name for name, _ in parameters]
    if "q" not in names:
        return dict(parameters), "1"
    at = names.index("q")
    return dict(parameters[:at]), parameters[at][1]


def _unquote(value: str) -> str:
    return (re.sub(r"\\([\s\S])", r"\1", value[1:-1]) if value.startswith('"') else value).lower()


def _read_q(text: str) -> float | None:
    return float(text) if _QVALUE.fullmatch(text) else None
