"""Is each registry the same registry? One suite for memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import RecordTooLarge, RevisionConflict
from ginuri.registry.model import NameAuthority, Resource
from ginuri.registry.ports import MOST_ITEM_BYTES, MOST_NEAR
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.stamps import Stamp
from tests.builders import MAP, PUT, changed, key, keyed, register, stamp, stated
from tests.contract.conftest import Stand

OTHER = "uri-gin/azgs/doc/"
EVERYTHING = {
    "record": "resource",
    "title": {
        "en": "Geologic map",
        "de": "Geologische Karte der Huachuca-Berge \u2013 n\u00f6rdlicher Teil \U0001f5fa",
    },
    "description": {"": 'A map.\nWith "quotes", \\ and \t.'},
    "status": "superseded",
    "successor": "uri-gin/azgs/doc/map/DGM38/",
    "links": {"license": [{"href": "https://creativecommons.org/licenses/by/4.0/"}]},
    "properties": {"subject": ["geology", "maps"], "creator": "AZGS"},
    "representations": [
        {"part": "b.pdf", "media_type": "application/pdf", "quality": 0.333, "role": ["canonical"]},
        {"part": "a.tif", "title": {"en": "Scan"}, "location": "https://data.azgs.example/a.tif"},
    ],
}


def test_a_written_record_is_read_back(stand: Stand) -> None:
    change = register(stand.registry, MAP, 1, **EVERYTHING)

    read = stand.registry.read([MAP])[MAP]

    assert read == change.after
    assert read.values() == change.after.values()
    assert read.created == change.after.created


def test_a_written_record_is_fetched_for_requests(stand: Stand) -> None:
    change = register(stand.registry, MAP, 1, **EVERYTHING)

    fetched = stand.registry.fetch([MAP])[MAP]

    assert isinstance(fetched, Resource)
    assert fetched.identifier == MAP
    assert fetched.modified == change.after.modified.put
    assert fetched.titles == EVERYTHING["title"]
    assert [each.part for each in fetched.representations] == ["b.pdf", "a.tif"]
    assert fetched.representations[0].quality == 0.333


def test_fetching_one_record_or_several_gives_the_same(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    register(stand.registry, "uri-gin/azgs/", record="authority")

    several = stand.registry.fetch([MAP, "uri-gin/azgs/"])

    assert several[MAP] == stand.registry.fetch([MAP])[MAP]
    assert isinstance(several["uri-gin/azgs/"], NameAuthority)


def test_unregistered_names_are_left_out(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})

    assert stand.registry.fetch(["uri-gin/azgs/doc/none"]) == {}
    assert stand.registry.read(["uri-gin/azgs/doc/none"]) == {}
    assert set(stand.registry.fetch(["uri-gin/azgs/doc/none", MAP])) == {MAP}
    assert set(stand.registry.read(["uri-gin/azgs/doc/none", MAP])) == {MAP}


@pytest.mark.parametrize("other", [MAP.removesuffix("/"), MAP.lower(), f"{MAP[:-1]}.pdf", f"{MAP[:-1]}%2F"])
def test_nearly_equal_names_are_distinguished(stand: Stand, other: str) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    register(stand.registry, other, title={"en": "Other"})

    fetched = stand.registry.fetch([MAP, other])

    assert fetched[MAP].titles == {"en": "Map"}
    assert fetched[other].titles == {"en": "Other"}


def test_a_repeated_name_is_returned_once(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})

    assert set(stand.registry.fetch([MAP, MAP])) == {MAP}
    assert set(stand.registry.read([MAP, "uri-gin/azgs/", MAP])) == {MAP}


def test_an_empty_request_gets_an_empty_answer(stand: Stand) -> None:
    assert stand.registry.fetch([]) == {}
    assert stand.registry.read([]) == {}


def test_a_hundred_names_are_read_at_once(stand: Stand) -> None:
    names = [f"uri-gin/azgs/doc/map/{number}/" for number in range(100)]
    for name in names[::2]:
        register(stand.registry, name, title={"en": name})
    before = stand.calls()

    fetched = stand.registry.fetch(names)
    read = stand.registry.read(names)

    assert set(fetched) == set(read) == set(names[::2])
    assert stand.calls() - before == 2


def test_a_record_of_64_kilobytes_is_kept(stand: Stand) -> None:
    change = register(stand.registry, MAP, description={"en": "x" * 64_000})

    assert stand.registry.read([MAP])[MAP] == change.after


_LONG = "\u00e9" * 500


def _from_long_keys(fields: int) -> Change:
    """Return a record whose fields were set by uploads with long keys, and the values of the last one."""
    record, change = Record(MAP, {}), changed(MAP)
    for number in range(fields):
        put = Stamp(PUT.format(1), f"uri-gin/azgs/{number:04d}{_LONG}.jsonl", "v" * 32, 1)
        change = apply(record, keyed({("properties", f"p{number}"): "x"}), put)
        record = replace(change.after, revision=0)
    return replace(change, before=Record(MAP, {}), after=record)


@pytest.mark.untraced
def test_a_record_may_have_400_000_bytes_and_no_more(stand: Stand) -> None:
    stand.registry.write(_from_long_keys(350))
    before = stand.calls()

    for refuse in (stand.registry.check, stand.registry.write):
        with pytest.raises(RecordTooLarge) as refused:
            refuse(_from_long_keys(450))
        assert refused.value.identifier == MAP
        assert refused.value.size > MOST_ITEM_BYTES
    stand.registry.check(_from_long_keys(350))

    assert stand.calls() - before <= 1  # in memory a call is counted before the request


def test_displaced_values_over_400_000_bytes_are_refused(stand: Stand) -> None:
    first = register(stand.registry, MAP, 2, title={"en": "Map"})
    late = changed(MAP, 1, before=first.after, title={"en": "x" * MOST_ITEM_BYTES})

    with pytest.raises(RecordTooLarge):
        stand.registry.write(late)

    assert stand.registry.read([MAP])[MAP] == first.after


def test_a_registry_lists_the_statements_behind_the_current_values(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})
    register(stand.registry, MAP, 2, title={"en": "Geologic map"}, reason="x")
    register(stand.registry, MAP, 3, title={"en": "Geologic map"})

    assert stand.registry.fetch([MAP])[MAP].modified == stamp(2).put
    assert list(stand.stamps.stamps(MAP)) == [stamp(1), stamp(2)]
    assert list(stand.stamps.stamps("uri-gin/azgs/none")) == []


def test_a_displaced_value_is_kept_under_the_stamp_of_its_registration(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"}, reason="old")
    change = register(stand.registry, MAP, 2, title={"en": "Map"}, reason="new")

    assert stand.registry.displaced(MAP, stamp(2)) == change.displaced
    assert [each.value for each in change.displaced.values()] == ["old"]
    assert stand.registry.displaced(MAP, stamp(1)) == {}
    assert stand.registry.displaced("uri-gin/azgs/none", stamp(2)) == {}


# -- calls


def test_reading_one_name_or_many_is_one_call(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    before = stand.calls()

    stand.registry.fetch([MAP])
    assert stand.calls() - before == 1

    stand.registry.fetch([MAP, "uri-gin/", "uri-gin/azgs/"])
    assert stand.calls() - before == 2

    stand.registry.fetch(["uri-gin/azgs/doc/none", "uri-gin/azgs/"])
    assert stand.calls() - before == 3


def test_writing_a_new_or_changed_record_takes_one_call(stand: Stand) -> None:
    first, before = changed(MAP, 1, status="valid"), stand.calls()

    stand.registry.write(first)
    assert stand.calls() - before == 1

    stand.registry.write(changed(MAP, 2, before=first.after, status="retired"))
    assert stand.calls() - before == 2


# -- conflicts


def test_every_write_adds_one_revision(stand: Stand) -> None:
    register(stand.registry, MAP, 1, status="valid")
    register(stand.registry, MAP, 2, status="superseded")
    register(stand.registry, MAP, 3, title={"en": "Map"})

    assert stand.registry.read([MAP])[MAP].revision == 3


def test_the_second_of_two_concurrent_registrations_reads_the_record_again(stand: Stand) -> None:
    one, other = changed(MAP, 1, title={"en": "One"}), changed(MAP, 2, title={"de": "Andere"})
    stand.registry.write(one)

    with pytest.raises(RevisionConflict) as conflict:
        stand.registry.write(other)

    assert conflict.value.identifier == MAP
    assert stand.registry.read([MAP])[MAP] == one.after


@pytest.mark.parametrize(
    "statement", [{"reason": "printed"}, {"title": {"en": "Displaces"}}], ids=["adding", "displacing"]
)
def test_the_loser_of_two_concurrent_changes_leaves_no_trace(
    stand: Stand, statement: dict[str, object]
) -> None:
    first = register(stand.registry, MAP, 1, title={"en": "Map"})
    winner = changed(MAP, 2, before=first.after, title={"en": "Wins"})
    loser = changed(MAP, 3, before=first.after, **statement)
    stand.registry.write(winner)

    with pytest.raises(RevisionConflict):
        stand.registry.write(loser)

    assert stand.registry.read([MAP])[MAP] == winner.after
    assert set(stand.history(MAP)) == {str(stamp(2))}


def test_the_loser_reads_the_record_again_and_both_changes_are_kept(stand: Stand) -> None:
    first = register(stand.registry, MAP, 1, title={"en": "Map"})
    stand.registry.write(changed(MAP, 2, before=first.after, title={"en": "Wins"}))
    with pytest.raises(RevisionConflict):
        stand.registry.write(changed(MAP, 3, before=first.after, status="retired"))

    register(stand.registry, MAP, 3, status="retired")

    assert stand.registry.read([MAP])[MAP].values() == {"title": {"en": "Wins"}, "status": "retired"}


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("other", [{}, {"title": "there"}])
def test_a_change_of_a_record_that_the_check_used_is_a_conflict(
    stand: Stand,
    is_new: bool,  # noqa: FBT001  a parameter of pytest's
    other: dict[str, str],
) -> None:
    if not is_new:
        register(stand.registry, MAP, 5, title="before")
    if other:
        register(stand.registry, OTHER, 5, **other)
    held = stand.registry.read([MAP, OTHER])
    seen = {OTHER: held[OTHER].revision if other else 0}
    change = replace(changed(MAP, 6, before=held.get(MAP), title="after"), judged_by=seen)
    stand.registry.write(change)
    assert stand.registry.read([MAP])[MAP].in_force().value("title") == "after"

    register(stand.registry, OTHER, 7, title="somebody else was here")
    held = stand.registry.read([MAP])
    late = replace(changed(MAP, 8, before=held[MAP], title="too late"), judged_by=seen)
    with pytest.raises(RevisionConflict):
        stand.registry.write(late)

    assert stand.registry.read([MAP])[MAP].in_force().value("title") == "after"


def test_a_write_to_an_absent_record_is_a_conflict(stand: Stand) -> None:
    never_written = changed(MAP, 1, status="valid").after

    with pytest.raises(RevisionConflict):
        stand.registry.write(changed(MAP, 2, before=never_written, status="retired"))

    assert stand.registry.read([MAP]) == {}


# -- history


def test_a_displaced_value_is_added_to_the_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"}, status="valid")
    register(stand.registry, MAP, 2, title={"en": "Second"})
    register(stand.registry, MAP, 3, title={"en": "Third"}, status="retired")

    assert stand.history(MAP) == {
        str(stamp(2)): ["First"],
        str(stamp(3)): ["Second", "valid"],
    }


def test_a_change_without_displaced_values_adds_no_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})
    register(stand.registry, MAP, 2, title={"en": "Map", "de": "Karte"})

    assert stand.history(MAP) == {}


def test_a_late_statement_is_added_to_the_history_at_once(stand: Stand) -> None:
    register(stand.registry, MAP, 2, title={"en": "Second"})
    register(stand.registry, MAP, 1, title={"en": "First"})

    assert stand.registry.read([MAP])[MAP].values() == {"title": {"en": "Second"}}
    assert stand.history(MAP) == {str(stamp(1)): ["First"]}


def test_an_upload_delivered_again_displaces_no_history(stand: Stand) -> None:
    for second, title in ((1, "First"), (2, "Second"), (3, "Third")):
        register(stand.registry, MAP, second, title={"en": title})
    history = stand.history(MAP)

    register(stand.registry, MAP, 2, title={"en": "Second"})

    assert stand.history(MAP) == history
    assert stand.registry.read([MAP])[MAP].values() == {"title": {"en": "Third"}}


def test_an_upload_delivered_again_from_an_old_revision_is_recognised(stand: Stand) -> None:
    first = register(stand.registry, MAP, 1, title={"en": "First"})
    second = changed(MAP, 2, before=first.after, title={"en": "Second"})
    stand.registry.write(second)

    stand.registry.write(second)

    assert stand.registry.read([MAP])[MAP] == second.after


def test_requests_never_read_history_entries(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"})
    register(stand.registry, MAP, 2, title={"en": "Second"})

    assert stand.registry.fetch([MAP])[MAP].titles == {"en": "Second"}
    assert stand.registry.fetch([MAP, "uri-gin/azgs/"])[MAP].titles == {"en": "Second"}


def test_a_cleared_field_and_its_former_value_are_kept(stand: Stand) -> None:
    cleared = apply(
        register(stand.registry, MAP, 1, title={"en": "Map", "de": "Karte"}).after,
        keyed({("title",): None}),
        stamp(2),
    )
    stand.registry.write(cleared)

    read = stand.registry.read([MAP])[MAP]

    assert read == cleared.after
    assert read.values() == {}
    late = apply(read, stated({"title": {"fr": "Carte"}}), stamp(1, line=2)).after
    assert late.values() == {}


def test_a_retired_representation_is_kept_and_not_shown(stand: Stand) -> None:
    register(stand.registry, MAP, 1, representations=[{"part": "a.pdf", "location": "https://a.b/c"}])
    register(stand.registry, MAP, 2, representations=[{"part": "a.pdf", "status": "retired"}])

    fetched = stand.registry.fetch([MAP])[MAP]
    read = stand.registry.read([MAP])[MAP]

    assert isinstance(fetched, Resource)
    assert fetched.representations == ()
    assert read.in_force().get(key("representations", "a.pdf", "location")) == "https://a.b/c"


# -- other spellings


def test_other_spellings_of_a_name_are_found_by_folding(stand: Stand) -> None:
    names = {MAP, MAP.lower(), MAP.removesuffix("/"), MAP.replace("1.1", "1%2E1")}
    for name in names:
        register(stand.registry, name, title={"en": name})
    register(stand.registry, f"{MAP}image", title={"en": "Another name"})

    assert set(stand.reader.near(fold(MAP))) == names


def test_a_name_without_similar_names_finds_nothing(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})

    assert list(stand.reader.near(fold("uri-gin/azgs/doc/none"))) == []


def test_names_outside_ascii_are_found_by_folding(stand: Stand) -> None:
    name = "uri-gin/azgs/doc/%C3%89tude%20%FF%F0%9F%97%BA"
    register(stand.registry, name, title={"en": "Study"})

    assert list(stand.reader.near(fold("uri-gin/azgs/doc/%C3%A9TUDE%20%FF%F0%9F%97%BA/"))) == [name]


def test_a_name_that_changed_often_is_found_once_without_its_history(stand: Stand) -> None:
    for second in range(1, MOST_NEAR + 5):
        register(stand.registry, MAP, second, title={"en": f"Map {second}"})
    assert stand.history(MAP)

    assert list(stand.reader.near(fold(MAP))) == [MAP]


def test_the_number_of_similar_names_returned_is_limited(stand: Stand) -> None:
    names = [f"uri-gin/azgs/doc/x{'.' * number}" for number in range(1, MOST_NEAR + 4)]
    for name in names:
        register(stand.registry, name, title={"en": name})

    near = stand.reader.near(fold(names[0]))

    assert len(near) == MOST_NEAR
    assert set(near) < set(names)


def test_other_spellings_take_one_call(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    before = stand.calls()

    stand.reader.near(fold(MAP))

    assert stand.calls() - before == 1


def test_a_scheme_finds_the_identifiers_listed_under_it(stand: Stand) -> None:
    for name in ("uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/x", "info:pmid/", "info:pmid/1"):
        register(stand.registry, name, title={"en": name})
    before = stand.calls()

    near = [list(stand.reader.near(scheme)) for scheme in ("uri-gin/", "info:", "urn:")]

    assert near == [["uri-gin/azgs/"], ["info:pmid/"], []]
    assert stand.calls() - before == 3


def test_names_beside_another_come_in_order_from_one_call(stand: Stand) -> None:
    ends = ("DGM-120/", "DGM-36/", "DGM-36/map.pdf", "DGM-38/", "a")
    for name in (*(f"uri-gin/azgs/doc/{end}" for end in ends), "uri-gin/azgs/map/x", "uri-gin/cgs/doc/x"):
        register(stand.registry, name, title={"en": name})
    calls = stand.calls()

    container, name = "uri-gin/azgs/doc/", "uri-gin/azgs/doc/DGM-37/"
    before = stand.reader.beside(container, name, is_after=False)
    after = stand.reader.beside(container, name, is_after=True)

    assert [other.removeprefix(container) for other in before] == list(reversed(ends[:3]))
    assert [other.removeprefix(container) for other in after] == list(ends[3:])
    assert stand.calls() - calls == 2


def test_the_longest_name_is_found_in_another_spelling(stand: Stand) -> None:
    name = "uri-gin/a/" + "%CE%90" * 169  # 1,024 bytes
    register(stand.registry, name, title={"en": "Long"})

    assert list(stand.reader.near(fold(name))) == [name]


def test_rules_are_read_back_with_their_record(stand: Stand) -> None:
    first = register(stand.registry, "uri-gin/azgs/old/", 1, title={"en": "Old"})
    stated = {
        ("rules", "{id}", "status_code"): 410,
        ("rules", "", "pass_query"): True,
        ("rules", "", "representations", "form   ", "first"): 0,
        ("rules", "", "representations", "form   ", "location"): "https://a.example/{+rest}",
    }
    stand.registry.write(apply(first.after, keyed(stated), stamp(2)))

    fetched = stand.registry.fetch(["uri-gin/azgs/old/"])["uri-gin/azgs/old/"]

    assert fetched.titles == {"en": "Old"}
    assert [rule.pattern.text for rule in fetched.rules] == ["{id}", ""]
    assert [rule.status_code for rule in fetched.rules] == [410, None]
    assert fetched.rules[1].pass_query
    assert fetched.rules[1].answer.representations[0].location == "https://a.example/{+rest}"
