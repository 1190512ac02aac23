"""Documented rules, each checked with drawn names, types and suffixes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from random import Random
from urllib.parse import quote

from infra.attack.answer import Answer
from infra.attack.drawn.spellings import FORMATS
from infra.attack.invariants import MOST_EVENT_BYTES
from infra.attack.kinds.requests import Ask
from infra.attack.targets.hostile_registry import ARK, FOLDER, GONE, MOST_LARGE, PROFILES, UNDER
from infra.attack.trials import Fault, Trial, trial
from infra.emulator.requests import Sent

_SUFFIXES = ("/part", "/p1/7.tif", ".v2", "/a.b/c", "/x/y/z.en.pdf")
_DESCRIBED = {
    "application/json": "json",
    "text/turtle": "ttl",
    "application/ld+json": "jsonld",
    "application/geo+json": "geojson",
}
_PARAMETERS = ("charset=utf-8", "charset=UTF-8", "v=b3", "odata=minimal", "version=2")
_TEMPLATE = re.compile(r'template="([^"]*)"')
_OPTIONAL = re.compile(r"\{\w+\?\}")
_PARTS = ("mapImageFile.PDF", "MAPIMAGEFILE.pdf", "mapimagefile.pdf", "MapImageFile.Pdf")

Promise = Callable[["Promises", Random], Iterator[tuple[Sent, str]]]
"""Sends requests, and yields each with the faults of its answer."""


@dataclass(frozen=True)
class Promises:
    """The kind; `ask_fresh` queries a registry with one authority and no scheme."""

    ask: Ask
    ask_fresh: Ask

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Check the service against each rule once."""
        for invariant, promise in PROMISES.items():
            for sent, wrong in promise(self, chance):
                yield trial(sent, [Fault(invariant, wrong)] if wrong else [])


def _below_an_ark(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    for status, expected in (("withheld", 451), ("retired", 410), ("embargoed", 403)):
        sent = Sent(f"/{ARK}{status}{chance.choice(_SUFFIXES)}")
        yield sent, _unless(kind.ask(sent), expected)
    sent = Sent(f"/{ARK}valid{chance.choice(_SUFFIXES)}")
    location = kind.ask(sent).header("location") or ""
    yield sent, f"the suffix is in the fragment: {location}" if re.search("#fragment.", location) else ""


def _tolerated_parameters(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    wanted, extension = chance.choice([*_DESCRIBED.items()])
    accept = f"{wanted}; {chance.choice(_PARAMETERS)}, */*;q=0.1"
    sent = Sent("/about/uri-gin/azgs/", headers=(("accept", accept),))
    answer = kind.ask(sent)
    yield sent, "" if answer.media_type == wanted else f"{answer.media_type} instead of {extension}"


def _refusals_stay_literal(kind: Promises, _: Random) -> Iterator[tuple[Sent, str]]:
    sent = Sent("/about/uri-gin/azgs/", headers=(("accept", "text/html;level=1;q=0, text/html"),))
    yield sent, _unless(kind.ask(sent), 200)


def _languages_in_addresses(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    path = chance.choice(("/about/uri-gin/azgs/", "/members/uri-gin/azgs/"))
    sent = Sent(f"{path}?lang=es", headers=(("accept", "text/html"),))
    location = kind.ask(sent).header("content-location")
    yield sent, f"Content-Location: {location}" if location and "lang=es" not in location else ""


def _refused_profiles(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    refused = chance.choice(PROFILES)
    name = f"{UNDER}negotiated{chance.randrange(12)}"
    described = kind.ask(Sent(f"/about.json/{name}")).document() or {}
    profiles = [form.get("profile") for form in described.get("representations", [])]
    if profiles and {*profiles} <= {refused}:
        return
    sent = Sent(f"/{name}", headers=(("accept-profile", f"<{refused}>;q=0"),))
    links = kind.ask(sent).header("link") or ""
    yield sent, f"{refused} is given" if f'<{refused}>; rel="profile"' in links else ""


def _search_of_browsers(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    """Fill in the templates as browsers do: an optional placeholder stays empty."""
    for template in _TEMPLATE.findall(kind.ask(Sent("/opensearch.xml")).text):
        word = chance.choice(("map", "well", "sierra & mar"))
        asked = unescape(template).replace("{searchTerms}", quote(word))
        filled = _OPTIONAL.sub("", asked)
        sent = Sent("/" + filled.partition("://")[2].partition("/")[2])
        yield sent, _unless(kind.ask(sent), 200)


def _bodies_of_other_types(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    media_type = chance.choice(("text/csv", "application/xml", "multipart/form-data; boundary=x"))
    sent = Sent("/resolve", "POST", (("content-type", media_type),), body=b'["uri-gin/azgs/"]')
    yield sent, _unless(kind.ask(sent), 415)


def _parts_in_other_capitals(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    sent = Sent(f"/{UNDER}part/{chance.choice(_PARTS)}")
    answer = kind.ask(sent)
    expected = f"/{UNDER}part/mapImageFile.pdf"
    location = answer.header("location")
    yield sent, "" if location == expected else f"{answer.status} {location or ''}".strip()


def _schemes(kind: Promises, _: Random) -> Iterator[tuple[Sent, str]]:
    sent = Sent("/uri-gin/")
    yield sent, _unless(kind.ask_fresh(sent), 303)


def _lists_of_large_titles(kind: Promises, chance: Random) -> Iterator[tuple[Sent, str]]:
    """Request lists of the largest titles, in any format."""
    listed = json.dumps([f"{UNDER}large{number}/" for number in range(MOST_LARGE)]).encode()
    accept = ("accept", chance.choice(("text/html", "application/json")))
    format_ = chance.choice(FORMATS)
    for sent in (
        Sent("/search?q=map&most=100", headers=(accept,)),
        Sent("/resolve", "POST", (("content-type", "application/json"),), body=listed),
        Sent(f"/{chance.choice(('members', 'about'))}.{format_}/{UNDER}"),
    ):
        size = kind.ask(sent).event_bytes
        yield sent, f"{size:,} bytes as an event" if size > MOST_EVENT_BYTES else ""


def _places(kind: Promises, _: Random) -> Iterator[tuple[Sent, str]]:
    sent = Sent(f"/about.ttl/{UNDER}place/")
    found = re.search(r'dcat:bbox "(?!<[^>]*> POLYGON|POLYGON)[^"]{0,60}', kind.ask(sent).text)
    yield sent, f"no single box: {found[0]}" if found else ""
    sent = Sent(f"/about.html/{UNDER}place/")
    found = re.search(r'"location":[^,]{0,60}', kind.ask(sent).text)
    yield sent, f"a place as {found[0]}" if found else ""


def _translated_reasons(kind: Promises, _: Random) -> Iterator[tuple[Sent, str]]:
    target = f"/{FOLDER}{GONE}/"
    english = kind.ask_fresh(Sent(target, headers=(("accept", "application/json"),))).document()["detail"]
    reason = english.partition("Reason: ")[2]
    sent = Sent(target, headers=(("accept", "text/html"), ("accept-language", "es")))
    yield sent, f"in English: {reason}" if reason in unescape(kind.ask_fresh(sent).text) else ""


def _unless(answer: Answer, expected: int) -> str:
    return (
        "" if answer.status == expected else f"{answer.status} instead of {expected} {answer.failure}".strip()
    )


PROMISES: Mapping[str, Promise] = {
    "suffixes-pass-through": _below_an_ark,
    "parameters-are-tolerated": _tolerated_parameters,
    "refusals-are-literal": _refusals_stay_literal,
    "addresses-keep-the-language": _languages_in_addresses,
    "profiles-can-be-refused": _refused_profiles,
    "browsers-can-search": _search_of_browsers,
    "bodies-have-the-right-type": _bodies_of_other_types,
    "parts-are-corrected": _parts_in_other_capitals,
    "schemes-are-described": _schemes,
    "places-are-described": _places,
    "answers-fit": _lists_of_large_titles,
    "reasons-are-translated": _translated_reasons,
}
"""The rules by the name of their invariant."""
