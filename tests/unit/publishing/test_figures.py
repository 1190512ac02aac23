"""Do the figures of a registry equal those of counting by hand?"""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.published.figures import (
    FIGURES,
    Figures,
    Group,
    Place,
    PublishedFigures,
    read_figures,
    write_figures,
)
from ginuri.published.publications import Publications
from ginuri.publishing.feed import FeedEntry, write_feed
from ginuri.publishing.figures import MOST_EXAMPLES, MOST_GROUPS, MOST_PLACES, FiguresCounter, centre_of
from ginuri.registry.metadata.geometry_reader import read_geometry
from ginuri.registry.model import NameAuthority, Resource, ResourceType
from ginuri.registry.reading import read_registered
from infra.published_folder import FolderPublished
from tests.publishing import HOST, published, title

RECORDS: dict[str, dict[str, Any]] = {
    "//id.example/": title("Bound", record="host"),
    "//id.example/doc/1": title("Of a host"),
    "//resources.example.org/": title("Nothing is bound to it", record="host"),
    "info:": title("Namespaces", record="scheme"),
    "info:pmid/": title("PubMed", record="namespace"),
    "uri-gin/": title("Scheme", record="scheme"),
    "uri-gin/azgs/": title("Arizona", record="authority", spatial=read_geometry([-108, 37, -102, 41])),
    "uri-gin/azgs/doc/": title("Document", record="resource-type"),
    "uri-gin/azgs/doc/map/": title("Map", record="resource-type"),
    "uri-gin/azgs/doc/map/1/": title("A map", spatial=read_geometry("-110.3 31.5")),
    "uri-gin/azgs/doc/map/2/": title("Another map", spatial=read_geometry("-110.1 31.7")),
    "uri-gin/azgs/doc/map/3/": {"representations": {}},
    "uri-gin/azgs/doc/old/": title("Gone", status="retired"),
    "uri-gin/azgs/docs": title("No type is above it"),
    "uri-gin/cgs/": title("Colorado", record="authority"),
    "uri-gin/cgs/rules/": {"record": "rule", "rules": {"": {"status_code": 404}}},
    "uri-gin/usgin/": {"record": "authority"},
}


def figures_of(records: Mapping[str, Mapping[str, Any]], changed: Mapping[str, str] | None = None) -> Figures:
    counter = FiguresCounter(lambda name: "id.example" if name.startswith("//") else HOST)
    for name in sorted(records):
        modified = (changed or {}).get(name, "2011-08-25T17:29:00.000Z")
        counter.add(read_registered(name, {"record": "resource", **records[name]}, modified))
    return counter.finish()


def under(name: str, records: Mapping[str, Any] = RECORDS) -> int:
    return sum(other != name and other.startswith(name) for other in records)


def test_the_figures_of_a_run_are_published_with_it(tmp_path: Path) -> None:
    store, publication = published(tmp_path, RECORDS)

    written = read_figures(store.read(publication.key(FIGURES)) or b"")

    assert written == figures_of(RECORDS)
    assert (written.identifiers, written.authorities, written.types, written.schemes) == (
        len(RECORDS),
        4,
        2,
        2,
    )


def test_each_count_is_the_number_of_identifiers_under_the_name() -> None:
    figures = figures_of(RECORDS)

    for groups, named in (
        (figures.by_authority, ["uri-gin/azgs/", "uri-gin/cgs/", "info:pmid/", "uri-gin/usgin/"]),
        (figures.by_type, ["uri-gin/azgs/doc/", "uri-gin/azgs/doc/map/"]),
        (figures.by_scheme, ["uri-gin/", "//id.example/", "info:"]),
    ):
        assert [group.identifier for group in groups] == named
        assert [group.count for group in groups] == [under(name) for name in named]
        assert [group.titles for group in groups] == [RECORDS[name].get("title", {}) for name in named]
    assert {group.authority["en"] for group in figures.by_type} == {"Arizona"}


NAMES = st.lists(st.sampled_from("ab"), max_size=4).map(lambda parts: "".join(f"{part}/" for part in parts))
KINDS = st.sampled_from(["resource", "resource-type", "authority", "alias"])


@given(st.dictionaries(NAMES.map("uri-gin/{}".format), KINDS))
def test_nested_groups_count_each_identifier_once(kinds: Mapping[str, str]) -> None:
    records = {name: {"record": kind} for name, kind in kinds.items()}

    figures = figures_of(records)

    for groups, total, kind in (
        (figures.by_authority, figures.authorities, "authority"),
        (figures.by_type, figures.types, "resource-type"),
    ):
        expected = {name: under(name, records) for name, stated in kinds.items() if stated == kind}
        assert {group.identifier: group.count for group in groups} == expected
        assert total == len(expected)


def test_a_type_without_a_final_slash_has_no_group() -> None:
    figures = figures_of({"uri-gin/a/doc": {"record": "resource-type"}, "uri-gin/a/document/1": {}})

    assert figures.by_type == [Group("uri-gin/a/doc", {}, 0)]


def test_the_largest_groups_are_kept_and_all_are_counted() -> None:
    records = {
        f"uri-gin/{number:03}/{rest}": {"record": "resource" if rest else "authority"}
        for number in range(3 * MOST_GROUPS)
        for rest in ["", *map(str, range(number))]
    }

    figures = figures_of(records)

    assert figures.authorities == 3 * MOST_GROUPS
    assert [group.count for group in figures.by_authority] == list(
        range(3 * MOST_GROUPS - 1, 2 * MOST_GROUPS - 1, -1)
    )


def test_the_registry_changed_with_its_last_record() -> None:
    figures = figures_of(RECORDS, {"uri-gin/cgs/": "2012-01-01T00:00:00.000Z"})

    assert figures.changed == "2012-01-01T00:00:00.000Z"
    assert figures_of({}).changed == ""


def test_examples_of_authorities_under_them_replace_recent_ones() -> None:
    names = ["uri-gin/azgs/docs", "uri-gin/azgs/doc/map/1/", "uri-gin/azgs/doc/old/", "uri-gin/cgs/"]
    featuring = {"uri-gin/azgs/": RECORDS["uri-gin/azgs/"] | {"featured": names}}

    examples = figures_of(RECORDS | featuring).examples

    assert [example.identifier for example in examples] == ["uri-gin/azgs/doc/map/1/", "uri-gin/azgs/docs"]


def test_examples_are_recent_with_different_types_and_any_host_first() -> None:
    changed = {
        "uri-gin/azgs/doc/map/1/": "2012-03-01T00:00:00.000Z",
        "uri-gin/azgs/doc/map/2/": "2012-02-01T00:00:00.000Z",
        "uri-gin/azgs/doc/old/": "2012-04-01T00:00:00.000Z",
        "uri-gin/azgs/docs": "2012-01-01T00:00:00.000Z",
        "//id.example/doc/1": "2012-05-01T00:00:00.000Z",
    }

    first, second, third = figures_of(RECORDS, changed).examples

    assert (first.identifier, first.changed) == ("uri-gin/azgs/doc/map/1/", "2012-03-01T00:00:00.000Z")
    assert first.uri == f"http://{HOST}/uri-gin/azgs/doc/map/1/"
    assert (first.titles, first.type, first.authority) == ({"en": "A map"}, {"en": "Map"}, {"en": "Arizona"})
    assert (second.identifier, second.type) == ("uri-gin/azgs/docs", {})
    assert (third.identifier, third.uri) == ("//id.example/doc/1", "http://id.example/doc/1")


def test_among_equals_the_first_is_the_example() -> None:
    records = {f"uri-gin/a/{kind}/{number}": title("x") for kind in "abcd" for number in "21"}
    types = {f"uri-gin/a/{kind}/": {"record": "resource-type"} for kind in "abcd"}

    examples = figures_of(records | types).examples

    assert [example.identifier for example in examples] == [f"uri-gin/a/{kind}/1" for kind in "abc"]
    assert len(examples) == MOST_EXAMPLES


def test_nearby_positions_are_one_place() -> None:
    figures = figures_of(RECORDS)

    assert figures.located == 3
    assert figures.places == [Place(-110.2, 31.6, 2), Place(-105, 39, 1)]


@pytest.mark.parametrize(
    ("stated", "centre"),
    [
        ("-110.3 31.5", (-110.3, 31.5)),
        ([-115, 31, -109, 37], (-112, 34)),
        ([170, -10, -160, 10], (-175, 0)),
        ([160, -10, -170, 10], (175, 0)),
        ("180 90", (180, 90)),
        ("-180 -90", (-180, -90)),
        ("LINESTRING (0 0, 10 20)", (5, 10)),
    ],
)
def test_a_place_is_counted_in_its_middle(stated: object, centre: tuple[float, float]) -> None:
    assert centre_of(read_geometry(stated)) == centre


@given(st.sets(st.tuples(st.integers(-180, 180), st.integers(-90, 90)), min_size=101))
@example({(longitude, latitude) for longitude in range(-180, 181) for latitude in range(-90, 91, 5)})
def test_crowded_places_are_merged_without_losing_any(positions: set[tuple[int, int]]) -> None:
    records = {
        f"uri-gin/a/{number}": {"spatial": {"type": "Point", "coordinates": position}}
        for number, position in enumerate(sorted(positions))
    }

    places = figures_of(records).places

    assert len(places) <= MOST_PLACES
    assert sum(place.count for place in places) == len(positions)
    east = sum(place.count * place.longitude for place in places)
    north = sum(place.count * place.latitude for place in places)
    assert east / len(positions) == pytest.approx(sum(x for x, _ in positions) / len(positions), abs=0.06)
    assert north / len(positions) == pytest.approx(sum(y for _, y in positions) / len(positions), abs=0.06)


@given(st.lists(st.tuples(st.integers(-180, 180), st.integers(-90, 90)), max_size=40))
def test_places_are_on_the_grid(positions: list[tuple[int, int]]) -> None:
    records = {
        f"uri-gin/a/{number}": {"spatial": {"type": "Point", "coordinates": position}}
        for number, position in enumerate(positions)
    }

    figures = figures_of(records)

    cells = Counter((longitude // 5, latitude // 5) for longitude, latitude in positions)
    assert {
        (int(place.longitude // 5), int(place.latitude // 5)): place.count for place in figures.places
    } == cells
    assert figures.located == len(positions)


def _many(most: int) -> Iterator[NameAuthority | ResourceType | Resource]:
    for number in range(most // 10):
        name = f"uri-gin/{number:07}/"
        yield NameAuthority(identifier=name, modified="2011", titles={"en": f"Authority {number}"})
        yield ResourceType(identifier=f"{name}map/", modified="2011", titles={"en": f"Map {number}"})
        for rest in range(8):
            spatial = {"type": "Point", "coordinates": [number % 360 - 180, 7 * number % 180 - 90]}
            yield Resource(
                identifier=f"{name}map/{rest}", modified="2011", titles={"en": "A"}, spatial=spatial
            )


def test_memory_does_not_grow_with_the_registry() -> None:
    peaks = []
    for most in (10_000, 40_000):
        tracemalloc.start()
        counter = FiguresCounter(lambda _: HOST)
        for record in _many(most):
            counter.add(record)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        figures = counter.finish()
        assert (figures.identifiers, figures.authorities, figures.types) == (most, most // 10, most // 10)
        assert len(figures.places) <= MOST_PLACES

    assert peaks[1] < peaks[0] * 1.1


def test_figures_are_read_once_per_run(tmp_path: Path) -> None:
    class Counting(FolderPublished):
        def __init__(self, folder: Path) -> None:
            super().__init__(folder)
            self.keys: list[str] = []

        def read(self, key: str) -> bytes | None:
            self.keys.append(key)
            return super().read(key)

    reader = Counting(tmp_path)
    figures = PublishedFigures(Publications(reader, lambda: 0))
    assert figures.read() is None
    _, publication = published(tmp_path, RECORDS)
    reader.keys.clear()

    assert figures.read() == figures.read() == figures_of(RECORDS)
    assert reader.keys == ["current.json", publication.key(FIGURES)]


def test_a_run_before_figures_existed_has_none(tmp_path: Path) -> None:
    store, publication = published(tmp_path, RECORDS)
    current = json.loads(store.read("current.json") or b"")
    del current["files"][FIGURES]
    store.write("current.json", json.dumps(current).encode(), "application/json")

    assert PublishedFigures(Publications(store, lambda: 0)).read() is None
    assert publication.files[FIGURES].length == len(store.read(publication.key(FIGURES)) or b"")


def test_figures_are_read_back() -> None:
    figures = figures_of(RECORDS)

    assert read_figures(write_figures(figures)) == figures


def test_the_figures_have_short_titles(tmp_path: Path) -> None:
    long = {
        "uri-gin/azgs/": title("a" * 62_000, record="authority"),
        "uri-gin/azgs/doc/": title("b" * 62_000, record="resource-type"),
        "uri-gin/azgs/doc/1/": title("c" * 62_000),
    }

    store, publication = published(tmp_path, long)

    content = store.read(publication.key(FIGURES))
    assert content is not None
    assert len(content) < 5_000


def test_the_feed_has_short_titles() -> None:
    entry = FeedEntry("uri-gin/azgs/maps.csv", "v1", "2011-08-25T17:29:00.000Z", {"registered": 1})

    feed = write_feed([entry], {"uri-gin/azgs/": "&" * 62_000}, HOST, "2011-08-26T12:00:00Z")

    assert len(feed) < 5_000
