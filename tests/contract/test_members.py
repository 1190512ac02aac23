"""Does each registry list the same members? One suite for memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

import pytest

from ginuri.registry.ports import NamePage
from tests.builders import changed, register
from tests.contract.conftest import Stand

AUTHORITY = "uri-gin/azgs/"
UNDER_IT = (
    "uri-gin/azgs/a",
    "uri-gin/azgs/a/",
    "uri-gin/azgs/a/b.pdf",
    "uri-gin/azgs/map/",
    "uri-gin/azgs/z%20z",
)


def _fill(stand: Stand) -> Stand:
    """Register an authority, names under it, and names outside it."""
    around = (
        "//resources.usgin.org/",
        "uri-gin/",
        AUTHORITY,
        "uri-gin/azgs.mapping/",
        "uri-gin/azgs.mapping/x",
    )
    for name in (*reversed(UNDER_IT), *around):
        register(stand.registry, name, 1, title={"en": name})
    return stand


@pytest.fixture(scope="module")
def filled(kept_stand: Stand) -> Stand:
    return _fill(kept_stand)


def _walked(stand: Stand, prefix: str, most: int) -> list[tuple[str, ...]]:
    page = stand.lister.members(prefix, most=most)
    pages = [page.names]
    while page.next_cursor is not None:
        page = stand.lister.members(prefix, page.next_cursor, most)
        pages.append(page.names)
    return pages


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        (AUTHORITY, UNDER_IT),
        ("uri-gin/azgs/a", UNDER_IT[:3]),
        ("uri-gin/azgs/a/", UNDER_IT[1:3]),
        ("uri-gin/azgs/none/", ()),
        ("uri-gin/usgin/", ()),
        ("uri-gin/", ("uri-gin/azgs.mapping/", AUTHORITY)),
        ("uri-gin/azgs.", ("uri-gin/azgs.mapping/",)),
        ("/", ("//resources.usgin.org/",)),
        ("uri-gin", ("uri-gin/",)),
    ],
)
@pytest.mark.untraced
def test_names_with_a_prefix_are_listed_in_order(filled: Stand, prefix: str, names: tuple[str, ...]) -> None:
    assert filled.lister.members(prefix) == NamePage(names)
    assert filled.lister.count(prefix, 100) == len(names)


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ("", ("//resources.usgin.org/", "doi:", "uri-gin/")),
        ("/0", ("doi:", "uri-gin/")),
        ("doi:", ("uri-gin/",)),
    ],
)
def test_the_empty_prefix_lists_hosts_and_schemes(stand: Stand, after: str, names: tuple[str, ...]) -> None:
    register(stand.registry, "doi:", 1, title={"en": "doi:"})
    assert _fill(stand).lister.members("", after) == NamePage(names)


def test_history_entries_are_not_listed(stand: Stand) -> None:
    for second in (1, 2, 3):
        register(stand.registry, UNDER_IT[0], second, title={"en": f"Title {second}"})
    assert stand.history(UNDER_IT[0])

    assert stand.lister.members(AUTHORITY).names == UNDER_IT[:1]


def test_retired_identifiers_are_listed(stand: Stand) -> None:
    register(stand.registry, UNDER_IT[0], 1, status="retired")

    assert stand.lister.members(AUTHORITY).names == UNDER_IT[:1]


@pytest.mark.parametrize("most", [1, 2, 3, 5, 1_000])
def test_pages_follow_each_other_without_gap_or_repetition(filled: Stand, most: int) -> None:
    pages = _walked(filled, AUTHORITY, most)

    assert [name for page in pages for name in page] == list(UNDER_IT)
    assert all(len(page) <= most for page in pages)


def test_the_cursor_is_the_last_name_of_the_page(filled: Stand) -> None:
    assert filled.lister.members(AUTHORITY, most=2) == NamePage(UNDER_IT[:2], UNDER_IT[1])


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ("uri-gin/azgs/a!", UNDER_IT[1:]),
        ("uri-gin/azgs/zz", ()),
        ("uri-gin/azgs", UNDER_IT),
        ("a", UNDER_IT),
        ("uri-gin/azgt", ()),
        ("\U0001f5fa", ()),
    ],
)
def test_a_page_begins_after_any_text_even_an_unregistered_one(
    filled: Stand, after: str, names: tuple[str, ...]
) -> None:
    assert filled.lister.members(AUTHORITY, after).names == names


def test_a_page_continues_after_its_last_name(stand: Stand) -> None:
    filled = _fill(stand)
    first = filled.lister.members(AUTHORITY, most=2)
    register(filled.registry, "uri-gin/azgs/a-new", 1, title={"en": "New"})  # between its two names
    register(filled.registry, "uri-gin/azgs/b-new", 1, title={"en": "New"})

    assert first.next_cursor is not None
    later = filled.lister.members(AUTHORITY, first.next_cursor)

    assert later.names == (UNDER_IT[2], "uri-gin/azgs/b-new", *UNDER_IT[3:])


@pytest.mark.parametrize(("most", "counted"), [(1, 1), (4, 4), (5, 5), (6, 5)])
def test_a_count_stops_at_the_requested_limit(filled: Stand, most: int, counted: int) -> None:
    assert filled.lister.count(AUTHORITY, most) == counted


def test_a_page_and_a_count_are_one_call_each(filled: Stand) -> None:
    before = filled.calls()

    filled.lister.members(AUTHORITY, most=2)
    assert filled.calls() - before == 1

    filled.lister.count(AUTHORITY, 3)
    assert filled.calls() - before == 2


@pytest.mark.untraced
def test_names_of_the_greatest_length_are_listed_and_counted_beyond_a_megabyte(stand: Stand) -> None:
    names = [f"uri-gin/azgs/{number:03}/".ljust(1_024, "x") for number in range(500)]
    for name in names:
        stand.registry.write(changed(name, 1, title={"en": "Long"}))

    assert [name for page in _walked(stand, AUTHORITY, 1_000) for name in page] == names
    assert stand.lister.count(AUTHORITY, 1_000) == 500
    assert stand.lister.members(names[0]).names == (names[0],)


COLLECTION = "uri-gin/azgs/set/"
REGISTER = "uri-gin/azgs/register/resourceType/"
PARTS = ("uri-gin/azgs/map/1/", "uri-gin/azgs/map/2", "uri-gin/usgin/3/")


def _collect(stand: Stand) -> Stand:
    """Register a collection of three, of which one has a history, and types."""
    for name in (*reversed(PARTS), "uri-gin/azgs/other/"):
        register(stand.registry, name, 1, part_of=COLLECTION, title={"en": name})
    register(stand.registry, PARTS[1], 2, title={"en": "Renamed"})
    register(stand.registry, "uri-gin/azgs/other/", 2, part_of="uri-gin/azgs/another/")
    register(stand.registry, "uri-gin/azgs/none/", 1, title={"en": "In no collection"})
    register(stand.registry, "uri-gin/azgs/doc/", 1, record="resource-type", broader="uri-gin/usgin/doc/")
    register(stand.registry, "uri-gin/azgs/doc/map/", 1, record="resource-type", broader="uri-gin/azgs/doc/")
    register(stand.registry, "uri-gin/azgs/set/", 1, record="resource-type", broader="uri-gin/usgin/doc/")
    return stand


@pytest.fixture(scope="module")
def collected(kept_stand: Stand) -> Stand:
    return _collect(kept_stand)


def test_the_parts_of_a_collection_are_listed_in_order_across_authorities(collected: Stand) -> None:
    assert collected.lister.parts(COLLECTION) == NamePage(PARTS)
    assert collected.lister.parts("uri-gin/azgs/another/") == NamePage(("uri-gin/azgs/other/",))
    assert collected.lister.parts("uri-gin/azgs/none/") == NamePage()


def test_the_types_of_an_authority_are_the_parts_of_its_register(collected: Stand) -> None:
    types = ("uri-gin/azgs/doc/", "uri-gin/azgs/doc/map/", "uri-gin/azgs/set/")

    assert collected.lister.parts(REGISTER) == NamePage(types)


def test_the_narrower_types_are_listed_across_authorities(collected: Stand) -> None:
    assert collected.lister.narrower("uri-gin/usgin/doc/") == NamePage(
        ("uri-gin/azgs/doc/", "uri-gin/azgs/set/")
    )
    assert collected.lister.narrower("uri-gin/azgs/doc/map/") == NamePage()


def test_an_identifier_that_leaves_a_collection_is_no_longer_listed(stand: Stand) -> None:
    collected = _collect(stand)

    register(collected.registry, PARTS[0], 3, part_of=None)

    assert collected.lister.parts(COLLECTION) == NamePage(PARTS[1:])


@pytest.mark.parametrize("most", [1, 2, 3, 100])
def test_pages_of_a_collection_follow_each_other_without_gap_or_repetition(
    collected: Stand, most: int
) -> None:
    page, names = collected.lister.parts(COLLECTION, most=most), list[str]()
    names += page.names
    while page.next_cursor is not None:
        page = collected.lister.parts(COLLECTION, page.next_cursor, most)
        assert len(page.names) <= most
        names += page.names

    assert names == list(PARTS)


@pytest.mark.parametrize(
    ("after", "names"), [("a", PARTS), ("uri-gin/azgs/map/1/!", PARTS[1:]), ("uri-gin/zzz", ())]
)
def test_a_page_of_a_collection_begins_after_any_text(
    collected: Stand, after: str, names: tuple[str, ...]
) -> None:
    assert collected.lister.parts(COLLECTION, after).names == names


def test_a_page_of_a_collection_is_one_call(collected: Stand) -> None:
    before = collected.calls()

    collected.lister.parts(COLLECTION, most=2)
    collected.lister.narrower(COLLECTION)

    assert collected.calls() - before == 2


def test_writing_a_record_in_a_collection_takes_one_call(stand: Stand) -> None:
    change = changed("uri-gin/azgs/map/1/", 1, part_of=COLLECTION)
    before = stand.calls()

    stand.registry.write(change)

    assert stand.calls() - before == 1
