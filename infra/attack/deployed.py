"""Attacks a deployed service over HTTP, with requests that only read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from string import ascii_lowercase

from infra.attack.answer import Answer
from infra.attack.campaign import Extent, Tally, run
from infra.attack.drawn.requests import Drawing
from infra.attack.kinds.requests import Requests
from infra.attack.kinds.vary import Vary
from infra.attack.trials import Kind
from infra.emulator.requests import Sent
from infra.smoke.exchange import Address, NoAnswer, exchange

SECONDS = 20.0
"""The timeout of one answer."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class NotAsked(RuntimeError):
    """Raised when the service cannot be attacked."""


def attack_deployed(url: str, seed: str, minutes: float) -> Mapping[str, Tally]:
    """Send hostile requests for the names of a deployed service. Raises NotAsked."""
    try:
        service = Deployed(Address.read(url))
    except ValueError as error:
        raise NotAsked(str(error)) from error
    drawing = Drawing(service.find_names(), [])
    # # Its redirects lead to any registered host, and this module has not read all records.
    kinds: Mapping[str, Kind] = {
        "requests": Requests(service.ask, drawing, None),
        "vary": Vary(service.ask, drawing),
    }
    extent = Extent(minutes * 60 / len(kinds))
    return {name: run(name, kind, seed, extent) for name, kind in kinds.items()}


class Deployed:
    """A service at an address."""

    def __init__(self, address: Address) -> None:
        self._address = address

    def ask(self, sent: Sent) -> Answer:
        """Send one request; a method that writes becomes a GET."""
        if not is_reading(sent):
            sent = replace(sent, method="GET", body=b"")
        fields = dict(sent.headers)
        try:
            reply = exchange(
                self._address, sent.method, sent.target, fields, sent.body.decode("latin-1"), SECONDS
            )
        except NoAnswer as error:
            return Answer(599, (), failure=str(error))
        return Answer(reply.status, tuple(reply.headers.items()), reply.body)

    def find_names(self) -> list[str]:
        """Return some registered names. Raises NotAsked if there are none."""
        names = sorted({name for letter in ascii_lowercase for name in self._search(letter)})
        if not names:
            raise NotAsked("the search of that service finds no identifier: is its registry published?")
        return names

    def _search(self, beginning: str) -> Iterator[str]:
        asked = Sent(f"/search?most=100&q={beginning}", headers=(("accept", "application/json"),))
        found = self.ask(asked).document()
        for result in found["results"] if isinstance(found, dict) and "results" in found else ():
            yield result["identifier"]


def is_reading(sent: Sent) -> bool:
    """Return whether a request changes nothing."""
    overrides = any(name == "x-http-method-override" for name, _ in sent.headers)
    return not overrides and (sent.method in _READING or (sent.method, sent.target) == ("POST", "/resolve"))
