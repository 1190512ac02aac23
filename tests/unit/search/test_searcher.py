"""Does a search find the right records, and read little of the index?"""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ginuri.published.publications import Publications
from ginuri.registry.model import RecordType, Status
from ginuri.search.searcher import Searcher, SearchMatches, SearchQuery
from infra.published_folder import FolderPublished
from tests.publishing import NOON, published, searcher, title

MAPS: dict[str, dict[str, Any]] = {
    "uri-gin/azgs/": title("Arizona Geological Survey", record="authority"),
    "uri-gin/azgs/doc/dgm-37/": title("Geologic map of the Huachuca Mountains"),
    "uri-gin/azgs/doc/mapa/": {"title": {"es": "Mapa de Águas termais", "en": "Thermal waters"}},
    "uri-gin/azgs/doc/old/": title("Old map of the mountains", status="retired"),
    "uri-gin/azgs/map/": title("Map", record="resource-type"),
    "uri-gin/cgs/doc/huachuca/": title("Wells", properties={"alternative": "Geologic data"}),
    "uri-gin/cgs/rules/": {"record": "rule", "rules": {"": {"status_code": 404}}},
}


def ask(folder: Path, text: str, first: int = 0, most: int = 20, **how: Any) -> SearchMatches:
    found = searcher(folder, MAPS).search(SearchQuery(text, **how), first, most)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("huachuca", ("uri-gin/azgs/doc/dgm-37/", "uri-gin/cgs/doc/huachuca/")),
        ("GEOLOGIC Map", ("uri-gin/azgs/doc/dgm-37/",)),
        ("aguas térmais", ("uri-gin/azgs/doc/mapa/",)),
        ("dgm-37", ("uri-gin/azgs/doc/dgm-37/",)),
        ("geologic data", ("uri-gin/cgs/doc/huachuca/",)),
        ("map huachuca wells", ()),
        ("absent", ()),
        ("", ()),
        ("?!", ()),
    ],
)
def test_titles_with_every_word_are_found(tmp_path: Path, text: str, names: tuple[str, ...]) -> None:
    found = ask(tmp_path, text)

    assert (found.names, found.total, found.is_cut) == (names, len(names), False)


@pytest.mark.parametrize(
    ("how", "names"),
    [
        ({"status": Status.RETIRED}, ("uri-gin/azgs/doc/old/",)),
        ({"record_type": RecordType.AUTHORITY}, ("uri-gin/azgs/",)),
        ({"under": "uri-gin/cgs/"}, ("uri-gin/cgs/doc/huachuca/",)),
        (
            {"under": "uri-gin/azgs/doc/", "status": Status.VALID},
            ("uri-gin/azgs/doc/dgm-37/", "uri-gin/azgs/doc/mapa/"),
        ),
    ],
)
def test_a_search_without_words_lists_everything_within_the_filters(
    tmp_path: Path, how: dict[str, Any], names: tuple[str, ...]
) -> None:
    found = ask(tmp_path, "", **how)

    assert (found.names, found.total, found.counts) == (names, len(names), {})
    assert ask(tmp_path / "punctuation", "?!", **how).names == ()
    assert ask(tmp_path / "sign", "*", **how).names == ()


def test_the_last_word_may_be_the_beginning_of_one(tmp_path: Path) -> None:
    assert ask(tmp_path / "1", "geol").names == (
        "uri-gin/azgs/",
        "uri-gin/azgs/doc/dgm-37/",
        "uri-gin/cgs/doc/huachuca/",
    )
    assert ask(tmp_path / "2", "geol map").names == ()
    assert ask(tmp_path / "3", "geol", is_completed=False).names == ()


def test_whole_titles_come_before_longer_ones_in_order_of_identifiers(tmp_path: Path) -> None:
    records = {
        "uri-gin/a/doc/wells/": title("Geologic Map"),
        "uri-gin/b/doc/1/": title("Geologic map of the wells"),
        "uri-gin/b/doc/2/": title("Carta geológica", properties={"alternative": "Geologic map"}),
        "uri-gin/c/doc/1/": {"title": {"en": "Geologic map", "es": "Mapa"}},
    }
    whole = ("uri-gin/a/doc/wells/", "uri-gin/c/doc/1/")

    def names(text: str, first: int = 0, most: int = 20, **how: Any) -> tuple[str, ...]:
        found = searcher(tmp_path, records).search(SearchQuery(text, **how), first, most)
        return found.names if found else ()

    assert names("geologic  MAP") == (*whole, "uri-gin/b/doc/1/", "uri-gin/b/doc/2/")
    assert names("geologic map", under="uri-gin/b/") == ("uri-gin/b/doc/1/", "uri-gin/b/doc/2/")
    assert names("geologic map", first=1, most=2) == ("uri-gin/c/doc/1/", "uri-gin/b/doc/1/")


def test_titles_come_first_then_other_names_then_identifiers(tmp_path: Path) -> None:
    records = {
        "uri-gin/a/doc/wells/": title("Springs"),
        "uri-gin/b/doc/1/": title("Springs", properties={"alternative@en": ["Holes", "Wells"]}),
        "uri-gin/c/doc/1/": title("Wells"),
    }

    found = searcher(tmp_path, records).search(SearchQuery("wells"))

    assert found is not None
    assert found.names == ("uri-gin/c/doc/1/", "uri-gin/b/doc/1/", "uri-gin/a/doc/wells/")


@pytest.mark.parametrize(
    ("how", "names"),
    [
        ({"under": "uri-gin/azgs/doc/"}, ("uri-gin/azgs/doc/dgm-37/", "uri-gin/azgs/doc/old/")),
        ({"under": "uri-gin/cgs/"}, ()),
        ({"under": "uri-gin/zzz/"}, ()),
        ({"under": "info/"}, ()),
        ({"status": Status.RETIRED}, ("uri-gin/azgs/doc/old/",)),
        ({"record_type": RecordType.RESOURCE_TYPE}, ("uri-gin/azgs/map/",)),
    ],
)
def test_a_search_is_narrowed(tmp_path: Path, how: dict[str, Any], names: tuple[str, ...]) -> None:
    assert ask(tmp_path, "map", **how, is_completed=False).names == names


def test_results_come_in_pages(tmp_path: Path) -> None:
    pages = [ask(tmp_path / str(first), "map", first, 2) for first in (0, 2, 4)]

    assert [len(page.names) for page in pages] == [2, 2, 0]
    assert {page.total for page in pages} == {4}
    assert len({name for page in pages for name in page.names}) == 4


def test_a_search_before_the_first_run_is_empty(tmp_path: Path) -> None:
    publications = Publications(FolderPublished(tmp_path), time.monotonic)

    assert Searcher(publications).search(SearchQuery("map")) is None


def test_a_new_run_is_used_when_the_cached_one_expires(tmp_path: Path) -> None:
    now = 0.0
    store, _ = published(tmp_path, {"uri-gin/azgs/doc/a/": title("Wells")})
    searching_in = Searcher(Publications(store, lambda: now))
    assert searching_in.search(SearchQuery("springs")) == SearchMatches(
        "2011-08-26T12:00:00Z", (), 0, counts={"springs": 0}
    )

    published(tmp_path, {"uri-gin/azgs/doc/a/": title("Springs")}, NOON + timedelta(hours=2))
    before = searching_in.search(SearchQuery("springs"))
    now = 11.0
    after = searching_in.search(SearchQuery("springs"))

    assert before is not None
    assert after is not None
    assert (before.total, after.total) == (0, 1)


@pytest.mark.untraced
def test_words_are_found_in_every_segment_and_block_of_the_index(tmp_path: Path) -> None:
    kinds = ("even", "odd")
    records = {
        f"uri-gin/a{number % 3}/doc/n{number:05d}/": title(f"Map {kinds[number % 2]} {number // 100}")
        for number in range(20_000)
    }
    search = searcher(tmp_path, records)

    for text, under, expected in (
        ("map even 77", "", [name for name in records if name[-6:-3] == "077" and name[-2] in "02468"]),
        ("map n0404", "", [name for name in records if "n0404" in name]),
        ("n17077", "", [name for name in records if "n17077" in name]),
        ("odd 3", "uri-gin/a1/", [name for name in records if name.startswith("uri-gin/a1/doc/n003")]),
        ("map 199", "uri-gin/a2/doc/", [name for name in records if name.startswith("uri-gin/a2/doc/n199")]),
    ):
        found = search.search(SearchQuery(text, under, is_completed="n0" in text), 0, 200)
        assert found is not None
        assert list(found.names) == sorted(
            name for name in expected if "odd" not in text or int(name[-2]) % 2
        )


def test_a_search_ends_after_ten_thousand_matches_with_a_notice(tmp_path: Path) -> None:
    records = {f"uri-gin/azgs/doc/{number:05d}/": title("Map") for number in range(10_050)}
    store, publication = published(tmp_path, records)
    store.calls = 0

    found = Searcher(Publications(store, time.monotonic)).search(SearchQuery("map"))

    assert found is not None
    assert (found.total, found.is_cut, found.names[0]) == (10_000, True, "uri-gin/azgs/doc/00000/")
    assert store.calls <= 6
    assert publication.records == 10_050


@pytest.mark.untraced
def test_a_prefix_of_too_many_words_is_not_completed_with_notice(tmp_path: Path) -> None:
    records = {f"uri-gin/azgs/doc/x{number:05d}/": title("Map") for number in range(30_000)}

    found = searcher(tmp_path, records).search(SearchQuery("map x"))

    assert found is not None
    assert (found.total, found.is_completed) == (0, False)
