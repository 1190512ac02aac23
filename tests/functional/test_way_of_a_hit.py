"""The modules that a hit passes through, and whether one calls into a higher package."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from types import FrameType

import pytest

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import Answered
from tests.builders import MAP, register, rest_event

ROOMS = ("identifiers", "registry", "resolution", "search", "web", "service")
"""From the lowest to the highest, those that a hit may come through."""
HOST = "resources.usgin.org"


@pytest.fixture
def hit() -> Callable[[], Answered]:
    """A client requests one of two forms of a map, which is in memory."""
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority", title={"en": "Arizona Geological Survey"})
    forms = [
        {"part": f"map.{name}", "media_type": media_type, "location": f"https://maps.example/map.{name}"}
        for name, media_type in (("pdf", "application/pdf"), ("html", "text/html"))
    ]
    register(registry, MAP, title={"en": "Geologic map"}, representations=forms)
    answers = IdentifierResponses(MemoryContentStore(), HOST)
    event = rest_event(f"/{MAP}", headers={"Host": HOST, "Accept": "text/html"})

    def ask(finder: RememberingFinder) -> Answered:
        return answer(read_request(event), finder, answers)

    # The constructors of values are written on their first use in a process, which is no step of a hit.
    earlier, finder = (RememberingFinder(registry, lambda: 0.0) for _ in range(2))
    for used in (earlier, earlier, finder):
        assert ask(used).response.status == HTTPStatus.SEE_OTHER
    return lambda: ask(finder)


def _calls(ask: Callable[[], Answered]) -> list[tuple[str, str, bool]]:
    """Return for each call between two modules the caller, the callee, and whether the callee is a value."""
    calls: list[tuple[str, str, bool]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        callee = _module(frame)
        if event != "call" or not _is_ours(callee):
            return
        caller = next((module for module in _above(frame) if _is_ours(module)), "")
        if caller and caller != callee:
            calls.append((caller, callee, _is_value(frame.f_locals.get("self"))))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        ask()
    finally:
        sys.setprofile(before)
    return calls


def _above(frame: FrameType) -> Iterator[str]:
    above = frame.f_back
    while above is not None:
        yield _module(above)
        above = above.f_back


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name


def _is_ours(module: str) -> bool:
    return module.startswith("ginuri.")


def _is_value(owner: object) -> bool:
    """Return whether a method belongs to a value: its own methods are no step of the way."""
    return isinstance(owner, tuple) or (dataclasses.is_dataclass(owner) and not hasattr(owner, "__dict__"))


def _height(module: str) -> int:
    return ROOMS.index(module.split(".")[1])


def test_a_hit_passes_through_fifteen_modules_at_most(hit: Callable[[], Answered]) -> None:
    modules = {"ginuri.service.resolve", *(callee for _, callee, is_value in _calls(hit) if not is_value)}

    assert len(modules) <= 15, sorted(modules)


def test_a_hit_calls_a_higher_package_twice_at_most(hit: Callable[[], Answered]) -> None:
    climbs = [(caller, callee) for caller, callee, _ in _calls(hit) if _height(caller) < _height(callee)]

    assert len(climbs) <= 2, climbs
