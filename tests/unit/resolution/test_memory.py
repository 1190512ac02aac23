"""Memory is limited by bytes and by time, for every registry and all requests."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.descriptions.rdf.nodes import expand
from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import Registered, Resource
from ginuri.registry.ports import Found
from ginuri.registry.reading import read_stored
from ginuri.registry.record.serialization import write_values
from ginuri.resolution.finder import ANCESTOR_SECONDS, MOST_BYTES, Memory, RememberingFinder
from ginuri.web.links import write_links
from ginuri.web.pages.line_breaks import break_long_names

LIMIT = 1_000_000
ONE = parse("uri-gin/azgs/1/")


class _Clock:
    """A clock that shows the same second until it is set."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class _Reader:
    """Reads a record for an authority and for every name under it, each with a text of some length."""

    def __init__(self, length: int = 10) -> None:
        self.length = length
        self.asked: Counter[str] = Counter()

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        self.asked.update(names)
        body = write_values({"title": {"en": "x" * self.length}})
        return {name: read_stored(name, body, "2013") for name in names if name.startswith("uri-gin/azgs/")}

    def near(self, folded: str) -> Sequence[str]:
        self.asked[folded] += 1
        return [f"{folded}/{'x' * self.length}"]

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        raise AssertionError(container, name, is_after)


class _Held:
    """The part of a record that memory uses; unlike a record, it may have weak references."""

    def __init__(self, size: int) -> None:
        self.size = size


def _record(length: int) -> Registered:
    return read_stored("uri-gin/azgs/1/", write_values({"title": {"en": "x" * length}}), "2013")


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20_000), st.integers(0, 15))))
def test_memory_never_holds_more_bytes_than_its_limit(steps: list[tuple[int, int, int]]) -> None:
    clock = _Clock()
    memory = Memory(clock, LIMIT)

    for number, length, pause in steps:
        clock.seconds += pause
        name = f"uri-gin/azgs/{number}/"
        if not memory.recall([name], ANCESTOR_SECONDS):
            memory.keep({name: _record(length), f"{name}none/": None})
        memory.keep_near(name, (f"{name}{'x' * length}",))
        memory.keep_surroundings(name, (name,), (name,), {})

        assert memory.size <= LIMIT


def test_an_entry_past_its_time_is_dropped_with_the_next_read() -> None:
    clock = _Clock()
    finder = RememberingFinder(_Reader(), clock)
    old = _Held(10)
    finder.memory.keep({"uri-gin/azgs/old/": cast("Registered", old)})
    remains = weakref.ref(old)
    del old

    for _ in range(2):
        clock.seconds += ANCESTOR_SECONDS / 2
        finder.find(ONE, BEGINNING)

    assert remains() is None


def test_a_busy_ancestor_is_read_once_a_minute() -> None:
    clock, reader = _Clock(), _Reader()
    finder = RememberingFinder(reader, clock)
    clock.seconds += ANCESTOR_SECONDS / 2 - 1  # half a lifetime has nearly passed

    for number in range(60):
        finder.find(parse(f"uri-gin/azgs/{number}/"), BEGINNING)
        clock.seconds += 1

    assert reader.asked["uri-gin/azgs/"] == 1


def test_remembered_surroundings_do_not_outlive_the_limit() -> None:
    clock, reader = _Clock(), _Reader(200_000)
    finder = RememberingFinder(reader, clock)

    for number in range(200):
        for _ in range(3):
            finder.find(parse(f"uri-gin/azgs/{number}/"), BEGINNING)

    assert 0 < len(_alive()) * 200_000 <= MOST_BYTES


def test_similar_names_do_not_outlive_the_limit() -> None:
    finder = RememberingFinder(_Reader(100_000), _Clock())

    gc.collect()
    tracemalloc.start()
    for number in range(400):
        finder.near(parse(f"uri-gin/azgs/{number}/"))
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert kept <= 1.1 * MOST_BYTES


def _alive() -> list[Registered]:
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, Registered) and len(str(each)) > 200_000]


SHAPES: dict[str, dict[str, Any]] = {
    "a text": {"title": {"en": "&" * 60_000}},
    "a text beyond Latin": {"title": {"en": "a" * 60_000 + "\U0001f600"}},
    "many properties": {"properties": {f"p{number}": str(number) for number in range(2_900)}},
    "many values": {"properties": {"list": [str(number) for number in range(8_000)]}},
    "many forms": {
        "representations": {
            f"p{number}": {"part": f"p{number}", "location": f"https://x.example/{number}"}
            for number in range(400)
        }
    },
    "many positions": {
        "spatial": {"type": "LineString", "coordinates": [[n / 7, n / 9] for n in range(2_000)]}
    },
    "many links": {"links": {"related": [{"href": f"https://x.example/{n}"} for n in range(1_500)]}},
    "a few words": {"title": {"en": "Geologic map"}, "properties": {"creator": "Skotnicki, Steven J."}},
}


@pytest.mark.parametrize("values", SHAPES.values(), ids=SHAPES)
def test_the_estimated_size_of_a_record_is_near_its_real_one(values: dict[str, Any]) -> None:
    body = write_values(values)
    read_stored("uri-gin/azgs/1/", body, "2013")  # derived values are excluded

    tracemalloc.start()
    copies = [read_stored("uri-gin/azgs/1/", f"{body} ", "2013") for _ in range(10)]
    list(copies[0].rules)
    real = tracemalloc.get_traced_memory()[0] / len(copies)
    tracemalloc.stop()

    assert copies[0].size >= 0.75 * real


LONG = 60_000
READERS: dict[str, Callable[[str], object]] = {
    "links": lambda text: write_links(
        Found(ONE),
        Resource(identifier="uri-gin/azgs/1/", modified="2013", links={"related": [{"href": text}]}),
        (),
        "a",
    ),
    "line breaks": break_long_names,
    "terms": expand,
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_parsed_long_texts_are_not_kept(read: Callable[[str], object]) -> None:
    read("x")
    gc.collect()
    tracemalloc.start()
    for number in range(40):
        read(f"{number:03d}{'x' * LONG}")
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert kept < 20 * LONG
