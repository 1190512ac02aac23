"""Every redirect leads to this service, to a registered host, or to an address in a record that was read."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import Response, write_gateway
from tests.builders import rest_event
from tests.example_registry import HOST, examples
from tests.property.drawn_registries import registered
from tests.property.strategies import asked, registries

SECRET = "secret"  # noqa: S105  not a real secret
Request = tuple[str, str, dict[str, str]]
_read_note = re.compile('<!doctype html><title>[A-Z][A-Za-z ]+</title><a href="(.+)">(.+)</a>\n').fullmatch
_is_on_this_host = re.compile(r"/(?![/\\]).*").fullmatch


class Reading:
    """A registry that records the names of the records it returned."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self.registry = registry
        self.names: set[str] = set()

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        found = self.registry.fetch(names)
        self.names |= found.keys()
        return found

    def near(self, folded: str) -> Sequence[str]:
        found = self.registry.near(folded)
        self.names |= {*found}
        return found

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        return self.registry.beside(container, name, is_after=is_after)

    def stated(self) -> Iterator[str]:
        """Return the addresses in the records, up to the beginning of a template."""
        for name, record in self.registry.read(sorted(self.names)).items():
            yield name
            for text in _texts(record.values()):
                yield text.partition("{")[0]
                yield f"//{text}/"  # a host


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield str(name).partition("[")[0]  # of a pattern, the text before its first option
                yield from _texts(inner)
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)
        case _:
            pass


def _is_stated(location: str, stated: str) -> bool:
    """Return whether a location begins with a stated address that includes the whole host."""
    one, other = (re.sub("^http:", "", each) for each in (location, stated))
    if not urlsplit(other).netloc:
        return False
    is_whole = "/" in other.partition("//")[2]
    return one.startswith(other) if is_whole else one == other or one.startswith((f"{other}/", f"{other}?"))


def _leads_where_it_may(location: str, reading: Reading) -> bool:
    if _is_on_this_host(location) or location.startswith("https://content.invalid/"):
        return True
    host = f"//{urlsplit(location).netloc}/"
    if host == f"//{HOST}/":  # this service as well: to it lead the hosts without pages
        return True
    return bool(reading.registry.read([host])) or any(_is_stated(location, it) for it in reading.stated())


def _event(request: Request) -> dict[str, Any]:
    method, target, headers = request
    path, _, query = target.partition("?")
    edge = {"X-Ginuri-Edge": SECRET, "X-Ginuri-Query": query}
    return rest_event(path, method, {**headers, **edge})


def _ask_both(registry: MemoryRegistry, request: Request) -> Iterator[tuple[Response, Reading]]:
    """Send a request to both functions, the one of the route first, each with an empty memory."""
    event = _event(request)
    reading = Reading(registry)
    finder = RememberingFinder(reading, lambda: 0.0)
    yield (
        resolve(
            read_request(event, SECRET), finder, IdentifierResponses(MemoryContentStore(), HOST)
        ).response,
        reading,
    )
    reading = Reading(registry)
    using = Collaborators(
        RememberingFinder(reading, lambda: 0.0),
        reading,
        registry,
        DescriptionResponses(DescriptionWriter().write),
        HOST,
        stamps=registry,
    )
    yield describe(read_request(event, SECRET), using).response, reading


@cache
def _examples() -> tuple[MemoryRegistry, list[str]]:
    registry = examples()
    return registry, sorted(name for name, _ in registry.standing(""))


def _hold(registry: MemoryRegistry, request: Request) -> None:
    for response, reading in _ask_both(registry, request):
        assert 200 <= response.status < 500
        locations = [value for name, value in response.headers if name == "Location"]
        assert len(locations) <= 1
        for location in locations:
            assert re.fullmatch("[!-~]+", location)
            assert _leads_where_it_may(location, reading), location
            assert _read_target(write_gateway(response, "GET")) == location


def _read_target(written: Mapping[str, Any]) -> str:
    """Read the target in the note of a redirect; each character of an address is data to a browser."""
    assert written["multiValueHeaders"]["Content-Type"] == ["text/html; charset=utf-8"]
    note = _read_note(b64decode(written["body"]).decode())
    assert note is not None
    assert note[1] == note[2]
    assert not set(note[1]) & {'"', "<", ">"}
    return unescape(note[1])


def _requests(data: st.DataObject, names: Sequence[str]) -> list[Request]:
    return data.draw(st.lists(asked(names), min_size=5, max_size=12))


@given(st.data())
def test_no_request_leads_to_a_host_outside_the_registry(data: st.DataObject) -> None:
    drawn = data.draw(registries())
    registry = registered(drawn)

    for request in _requests(data, sorted(drawn)):
        _hold(registry, request)


@given(st.data())
def test_no_request_leads_to_a_host_outside_the_examples(data: st.DataObject) -> None:
    registry, names = _examples()

    for request in _requests(data, names):
        _hold(registry, request)


def _lead_elsewhere(registry: MemoryRegistry, request: Request) -> None:
    _, target, headers = request
    if target.startswith("/?"):  # the front page: the gateway calls another function for it
        return
    for response, _ in _ask_both(registry, ("GET", target, {**headers, "Accept": "*/*"})):
        is_document = dict(response.headers).get("Content-Type") == "application/problem+json"
        if response.status == HTTPStatus.NOT_FOUND and is_document:
            told = json.loads(response.body)
            leads = [each["href"] for each in told.get("advice", ()) if "href" in each]
            assert target.partition("?")[0] not in leads


@given(st.data())
def test_no_advice_of_a_404_repeats_the_name(data: st.DataObject) -> None:
    drawn = data.draw(registries())
    registry = registered(drawn)

    for request in _requests(data, sorted(drawn)):
        _lead_elsewhere(registry, request)


@given(st.data())
def test_no_advice_of_a_404_among_the_examples_repeats_the_name(data: st.DataObject) -> None:
    registry, names = _examples()

    for request in _requests(data, names):
        _lead_elsewhere(registry, request)
