"""Draws requests: names in any spelling for every service, with unexpected headers and queries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import quote

from infra.attack.drawn.spellings import (
    ESCAPED_PIECES,
    FORMATS,
    LOOK_UPS,
    PATH_PIECES,
    SERVICES,
    SPELLINGS,
    UNREGISTERED_HOSTS,
)
from infra.attack.targets.hostile_registry import MARK
from infra.emulator.requests import Sent

MEDIA_RANGES = (
    *("text/html", "application/json", "text/turtle", "application/ld+json", "application/pdf", "text/plain"),
    *(
        "*/*",
        "text/*",
        "application/rdf+xml",
        "application/problem+json",
        "image/png",
        "application/geo+json",
        "application/x-bibtex",
    ),
)
_WEIGHTS = ("", "", ";q=0.5", ";q=0", ";q=1.000", ";q=.3", ";q=high", ";level=1", ";charset=utf-8;q=0.9")
_LANGUAGE_RANGES = ("en", "es", "de", "en-GB", "es-MX", "*", "fr;q=0", "es;q=0.7", "x y", "*;q=0.1")
_PROFILE_RANGES = (
    "<https://a.example/p>",
    "<https://b.example/P>;q=0",
    "<https://b.example/P>;q=0.3",
    "<https://c.example/?a,b>",
)
_METHODS = (*("GET",) * 16, "HEAD", "HEAD", "OPTIONS", "POST", "PUT", "DELETE")
_WORDS = ("map", "well", "arizona", "&", MARK, "mapa geológico", "a" * 1200, "\u202e", "%00", "\x1b[2J")
_PARAMETERS = (
    *("q", "page", "most", "authority", "type", "status", "lang", "format", "after", "sort", "title", "uri"),
    *("info", "x"),
)
_VALUES = (
    *("", "1", "0", "-1", "99999999", "es", "en", "xx", "valid", "resource", "uri-gin/azgs/", "opensearch"),
    *("title", "none", "//evil.example/", "javascript:x7k()", MARK, "\x00", "é"),
)
_PUBLISHED = ("search", "suggest", "opensearch.xml", "robots.txt", "sitemap.xml", "feed.atom", "registry")
_FILES = ("openapi.json", "docs/", "docs/x", "assets/page.css", "assets/x", "registry.jsonl.gz", "sitemaps/1")
_ODD_HEADERS = (
    ("x-http-method-override", "HEAD"),
    ("x-http-method-override", "POST"),
    ("x-ginuri-host", "evil.example"),
    ("x-ginuri-edge", "guessed"),
    ("x-ginuri-query", "lang=es"),
    ("x-forwarded-host", "evil.example"),
    ("forwarded", "host=evil.example"),
    ("range", "bytes=0-9"),
    ("range", "bytes=99999999-"),
    ("if-none-match", "*"),
    ("if-modified-since", "Fri, 17 May 2124 10:04:31 GMT"),
    ("accept-datetime", "Thu, 01 Jun 1997 00:00:00 GMT"),
    ("accept-datetime", "yesterday"),
)


@dataclass(frozen=True)
class Drawing:
    """Draws requests for registered names."""

    names: Sequence[str]
    hosts: Sequence[str]
    """The registered hosts."""

    def request(self, chance: Random) -> Sent:
        """Draw one request."""
        if chance.random() < 0.08:  # noqa: PLR2004  one in ten looks up several identifiers
            return self.look_up(chance)
        method = chance.choice(_METHODS)
        return Sent(self.target(chance), method, self.headers(chance), self._host(chance))

    def target(self, chance: Random) -> str:
        """Draw a path and a query."""
        name = self.name(chance)
        service = f"/{chance.choice(SERVICES)}/{self._uri(chance, name)}"
        formatted = f"/{chance.choice(('about', 'members'))}.{chance.choice(FORMATS)}/{name}"
        looked_up = (
            f"{chance.choice(LOOK_UPS)}{quote(self._uri(chance, name), safe=chance.choice(('', '/:%')))}"
        )
        published = f"/{chance.choice(_PUBLISHED)}"
        searched = f"/{chance.choice(('search', 'suggest'))}?q={quote(chance.choice(_WORDS))}"
        paths = (_path(name), _path(name), service, formatted, published, f"/{chance.choice(_FILES)}")
        path = chance.choice((*paths, searched, looked_up))
        query = self._query(chance)
        return f"{path}{'&' if '?' in path else '?'}{query}" if query else path

    def name(self, chance: Random) -> str:
        """Draw a name: a registered one, in any spelling, or an unregistered one."""
        if chance.random() < 0.15:  # noqa: PLR2004  one in seven is unregistered
            pieces = (*PATH_PIECES, *ESCAPED_PIECES, quote(MARK), "%00", "%E2%80%AE", "x" * 900)
            return "/".join(chance.choice(pieces) for _ in range(chance.randrange(1, 5)))
        return _ascii(chance.choice(SPELLINGS)(chance.choice(self.names)))

    def headers(self, chance: Random) -> tuple[tuple[str, str], ...]:
        """Draw headers, mostly preferences."""
        drawn = []
        for name, ranges in (
            ("accept", [f"{each}{chance.choice(_WEIGHTS)}" for each in MEDIA_RANGES]),
            ("accept-language", _LANGUAGE_RANGES),
            ("accept-profile", _PROFILE_RANGES),
        ):
            if chance.random() < 0.6:  # noqa: PLR2004  most requests state preferences
                separator = chance.choice((",", ", ", " ,"))
                drawn.append((name, separator.join(chance.sample(ranges, chance.randrange(1, 4)))))
        if chance.random() < 0.2:  # noqa: PLR2004  a few send headers that only machines send
            drawn.append(chance.choice(_ODD_HEADERS))
        return tuple(drawn)

    def look_up(self, chance: Random) -> Sent:
        """Draw a request for several identifiers at once."""
        listed = [self._uri(chance, self.name(chance)) for _ in range(chance.choice((0, 1, 3, 30, 100)))]
        text = chance.choice((f'["{chance.choice(_WORDS)}"', "[" * 2000, '{"a": 1}', "null", "", '["a", 1]'))
        body = text.encode() if chance.random() < 0.2 else _write_list(listed)  # noqa: PLR2004  some are broken
        kind = chance.choice(("application/json", "application/json", "application/json; charset=utf-8"))
        return Sent("/resolve", "POST", (*self.headers(chance), ("content-type", kind)), body=body)

    def _uri(self, chance: Random, name: str) -> str:
        hosts = (*self.hosts, *UNREGISTERED_HOSTS)
        forms = ("{0}", "{0}", "/{0}", "//{1}/{0}", "http:{0}", "http://{0}", "https://{1}/{0}")
        return chance.choice(forms).format(name, chance.choice(hosts))

    def _host(self, chance: Random) -> str:
        return chance.choice(("", "", "", *self.hosts, *UNREGISTERED_HOSTS, "[::1]", "a b", "X:99999"))

    def _query(self, chance: Random) -> str:
        if chance.random() < 0.5:  # noqa: PLR2004  half have no query
            return ""
        pairs = [(chance.choice(_PARAMETERS), chance.choice((*_VALUES, *_WORDS))) for _ in range(2)]
        written = "&".join(f"{name}={quote(value)}" for name, value in pairs)
        return written[: chance.choice((len(written), 5))]


def _path(name: str) -> str:
    return f"/{name[2:].partition('/')[2]}" if name.startswith("//") else f"/{name}"


def _ascii(text: str) -> str:
    return quote(text, safe="/:%?#[]@!$&'()*+,;=~{}|\\^`<>\" ").replace(" ", "%20")


def _write_list(uris: Sequence[str]) -> bytes:
    return json.dumps(list(uris)).encode()
