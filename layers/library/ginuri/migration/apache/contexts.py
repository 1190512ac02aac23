"""The requests that show how an answer depends on a client's headers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ginuri.migration.apache.configuration import Configuration

_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
_BROWSER_NAME = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
_UNKNOWN = "application/vnd.example.unknown"
COMMON_TYPES = (
    "text/html",
    "application/xhtml+xml",
    "text/turtle",
    "application/rdf+xml",
    "application/ld+json",
    "application/n-triples",
    "application/json",
    "text/n3",
    "application/n-quads",
    "application/trig",
    "application/owl+xml",
    "application/xml",
    "text/xml",
    "text/plain",
    "text/csv",
)
"""The media types that clients ask for, stated or not."""
TYPES = re.compile(
    r"(?:text|application|image|audio|video|model)/[a-z0-9]+(?:[.+-]+[a-z0-9]+)*", re.IGNORECASE
)
PROFILE = "accept-profile"
_PROFILE = re.compile(r"https?://[^\s()\[\]|^$<>]+")


_HEADERS = {
    "%{HTTP_ACCEPT}": "accept",
    "%{HTTP:Accept}": "accept",
    "%{HTTP:accept}": "accept",
    "%{HTTP_USER_AGENT}": "user-agent",
    "%{HTTP:User-Agent}": "user-agent",
    "%{HTTP:Accept-Profile}": PROFILE,
}
"""The headers of a context, by the variables that have their whole value."""
_OF_REQUEST = {"request_uri", "request_method", "request_protocol"}


class Client(Enum):
    """The kinds of requests."""

    NOTHING = "no preferences"
    ANYTHING = "*/*"
    UNKNOWN = "a media type that nobody has"
    TYPE = "one media type"
    BROWSER = "a browser"


@dataclass(frozen=True, slots=True)
class Context:
    """A client, with the media type or the profile that it asks for."""

    client: Client
    media_type: str = ""
    profile: str = ""

    @property
    def without_profile(self) -> Context:
        """The same client without its profile."""
        return replace(self, profile="")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of its requests, with names in lower case."""
        headers = {PROFILE: f"<{self.profile}>"} if self.profile else {}
        match self.client:
            case Client.NOTHING:
                return headers
            case Client.ANYTHING:
                return headers | {"accept": "*/*"}
            case Client.UNKNOWN:
                return headers | {"accept": _UNKNOWN}
            case Client.TYPE:
                return headers | {"accept": self.media_type}
            case Client.BROWSER:
                return headers | {"accept": _BROWSER, "user-agent": _BROWSER_NAME}


NOTHING, ANYTHING, UNKNOWN = Context(Client.NOTHING), Context(Client.ANYTHING), Context(Client.UNKNOWN)
BROWSER = Context(Client.BROWSER)


def find_contexts(configurations: Iterable[Configuration]) -> Sequence[Context]:
    """Return the contexts that may make a difference: common media types, and those that conditions name."""
    types = dict.fromkeys(COMMON_TYPES)
    profiles: dict[str, None] = {}
    for text in _texts(configurations):
        plain = text.replace("\\", "")
        types |= dict.fromkeys(found.lower() for found in TYPES.findall(plain))
        if "Profile" in text:
            profiles |= dict.fromkeys(_PROFILE.findall(plain))
    typed = [Context(Client.TYPE, media_type) for media_type in types]
    profiled = [replace(context, profile=profile) for profile in profiles for context in (NOTHING, *typed)]
    return (NOTHING, ANYTHING, UNKNOWN, BROWSER, *typed, *profiled)


def group_contexts(
    contexts: Sequence[Context], configurations: Iterable[Configuration]
) -> Mapping[Context, Context]:
    """Return for each context one that all conditions treat alike."""
    tests = list(_tests_of_headers(configurations))
    if any(name not in _HEADERS for name, _ in tests):
        return {context: context for context in contexts}
    first: dict[tuple[object, ...], Context] = {}
    alike: dict[Context, Context] = {}
    for context in contexts:
        headers = context.headers
        seen = tuple(expression.search(headers.get(_HEADERS[name], "")) is None for name, expression in tests)
        alike[context] = first.setdefault((context.profile, *seen), context)
    return alike


def _tests_of_headers(configurations: Iterable[Configuration]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the variables with headers, each with the expression that it is tested with."""
    for configuration in configurations:
        for rule in configuration.rules:
            for condition in rule.conditions:
                if "HTTP" in condition.test and condition.is_expression:
                    yield condition.test, condition.expression
            if "HTTP" in rule.substitution or "HTTP" in rule.flags.get("E", ""):
                yield rule.substitution, rule.expression
            if any("%" in condition.pattern for condition in rule.conditions):
                yield "", rule.expression
        for setting in configuration.settings:
            if setting.attribute.lower() not in _OF_REQUEST:
                yield f"%{{HTTP:{setting.attribute}}}", setting.expression


def _texts(configurations: Iterable[Configuration]) -> Iterable[str]:
    for configuration in configurations:
        for rule in configuration.rules:
            yield from (f"{condition.test} {condition.pattern}" for condition in rule.conditions)
        yield from (setting.expression.pattern for setting in configuration.settings)
