"""Many identifiers in as few calls as possible, with the same result as one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from ginuri import parse
from ginuri.memory import MemoryRegistry
from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_FETCHED
from ginuri.resolution.finder import RememberingFinder
from tests.builders import MAP, register


class _Reader:
    """Reads from a registry and records its calls."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self._registry = registry
        self.asked: list[list[str]] = []

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        self.asked.append(list(names))
        return self._registry.fetch(names)

    def near(self, folded: str) -> Sequence[str]:
        return self._registry.near(folded)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        return self._registry.beside(container, name, is_after=is_after)


class _Clock:
    """A clock that moves only when it is set."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def registry() -> MemoryRegistry:
    """A registry with two types, one of which inherits from a type elsewhere."""
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority")
    register(registry, "uri-gin/azgs/doc/", record="resource-type", broader="uri-gin/usgin/doc/")
    register(registry, "uri-gin/usgin/doc/", record="resource-type", broader="uri-gin/usgin/any/")
    register(registry, "uri-gin/usgin/any/", record="resource-type", dereference="content")
    register(registry, MAP, title={"en": "Map"})
    return registry


NAMES = (MAP, f"{MAP}m.pdf", "uri-gin/azgs/", "uri-gin/azgs/doc/x", "uri-gin/none/")


def test_several_identifiers_are_found_like_single_ones(registry: MemoryRegistry) -> None:
    alone, together = (RememberingFinder(_Reader(registry), _Clock()) for _ in range(2))

    found = together.find_many([parse(name) for name in NAMES], BEGINNING)

    for each, name in zip(found, NAMES, strict=True):
        single = alone.find(parse(name), BEGINNING)
        assert each.identifier == single.identifier
        assert each.record == single.record
        assert each.authority == single.authority
        assert each.nearest_ancestor == single.nearest_ancestor
        assert each.resource_types == single.resource_types


def test_each_name_is_requested_once(registry: MemoryRegistry) -> None:
    reader = _Reader(registry)

    RememberingFinder(reader, _Clock()).find_many([parse(name) for name in (*NAMES, *NAMES)], BEGINNING)

    asked = [name for names in reader.asked for name in names]
    assert len(set(asked)) == len(asked)
    assert len(reader.asked) == 3  # one for all names, and one for each step up to a type elsewhere


def test_no_call_requests_more_names_than_the_reader_allows(registry: MemoryRegistry) -> None:
    reader = _Reader(registry)

    found = RememberingFinder(reader, _Clock()).find_many(
        [parse(f"uri-gin/a{number}/b/c/") for number in range(100)], BEGINNING
    )

    assert len(found) == 100
    assert max(map(len, reader.asked)) <= MOST_FETCHED
    assert len(reader.asked) == 4  # the scheme, and three names for each of a hundred


def test_a_remembered_record_is_reread_only_after_it_expires(registry: MemoryRegistry) -> None:
    reader, clock = _Reader(registry), _Clock()
    finder = RememberingFinder(reader, clock)
    finder.find_many([parse(MAP)], BEGINNING)
    calls = len(reader.asked)

    finder.find_many([parse(MAP)], BEGINNING)
    assert len(reader.asked) == calls

    clock.seconds += 11
    finder.find_many([parse(MAP)], BEGINNING)
    assert reader.asked[calls:] == [[MAP]]


def test_a_requested_ancestor_is_as_fresh_as_any_record(registry: MemoryRegistry) -> None:
    clock = _Clock()
    finder = RememberingFinder(_Reader(registry), clock)
    finder.find(parse(MAP), BEGINNING)
    register(registry, "uri-gin/azgs/", 1, contact="maps@azgs.example")

    clock.seconds += 11
    (found,) = finder.find_many([parse("uri-gin/azgs/")], BEGINNING)

    assert found.record == registry.fetch(["uri-gin/azgs/"])["uri-gin/azgs/"]


OTHERS = (MAP.rstrip("/"), MAP.upper().replace("URI-GIN", "uri-gin"), "uri-gin/none/", "uri-gin/azgs")


@pytest.mark.parametrize("threads", [1, 4])
def test_other_spellings_of_several_names_are_found_like_those_of_one(
    registry: MemoryRegistry, threads: int
) -> None:
    alone = RememberingFinder(registry, _Clock())
    with ThreadPoolExecutor(threads) as pool:
        together = RememberingFinder(registry, _Clock(), pool.map)

        found = together.near_many([parse(name) for name in OTHERS])

    assert found == [alone.near(parse(name)) for name in OTHERS]
    assert found[0] == (MAP,)


def test_other_spellings_are_read_once_and_remembered_like_records(
    registry: MemoryRegistry,
) -> None:
    clock = _Clock()
    finder = RememberingFinder(registry, clock)
    before = registry.calls

    finder.near_many([parse(name) for name in (*OTHERS, *OTHERS)])
    finder.near_many([parse(name) for name in OTHERS])
    assert registry.calls - before == 3  # two of the four are the same name

    clock.seconds += 11
    finder.near_many([parse(name) for name in OTHERS])
    assert registry.calls - before == 6


def test_an_empty_request_reads_nothing(registry: MemoryRegistry) -> None:
    reader = _Reader(registry)

    assert RememberingFinder(reader, _Clock()).find_many([], BEGINNING) == []
    assert reader.asked == []
