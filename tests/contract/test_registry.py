"""Is each registry the same registry? One suite for memory, moto and DynamoDB Local."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ginuri.identifiers.errors import RecordTooLarge, RevisionConflict
from ginuri.identifiers.folding import fold
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


def test_what_was_written_is_read_back(stand: Stand) -> None:
    change = register(stand.registry, MAP, 1, **EVERYTHING)

    read = stand.registry.read([MAP])[MAP]

    assert read == change.after
    assert read.values() == change.after.values()
    assert read.created == change.after.created


def test_what_was_written_is_fetched_for_requests(stand: Stand) -> None:
    change = register(stand.registry, MAP, 1, **EVERYTHING)

    fetched = stand.registry.fetch([MAP])[MAP]

    assert isinstance(fetched, Resource)
    assert fetched.identifier == MAP
    assert fetched.modified == change.after.modified.put
    assert fetched.titles == EVERYTHING["title"]
    assert [each.part for each in fetched.representations] == ["b.pdf", "a.tif"]
    assert fetched.representations[0].quality == 0.333


def test_one_and_several_records_are_fetched_alike(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    register(stand.registry, "uri-gin/azgs/", record="authority")

    several = stand.registry.fetch([MAP, "uri-gin/azgs/"])

    assert several[MAP] == stand.registry.fetch([MAP])[MAP]
    assert isinstance(several["uri-gin/azgs/"], NameAuthority)


def test_what_nobody_registered_is_left_out(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})

    assert stand.registry.fetch(["uri-gin/azgs/doc/none"]) == {}
    assert stand.registry.read(["uri-gin/azgs/doc/none"]) == {}
    assert set(stand.registry.fetch(["uri-gin/azgs/doc/none", MAP])) == {MAP}
    assert set(stand.registry.read(["uri-gin/azgs/doc/none", MAP])) == {MAP}


@pytest.mark.parametrize("other", [MAP.removesuffix("/"), MAP.lower(), f"{MAP[:-1]}.pdf", f"{MAP[:-1]}%2F"])
def test_names_that_are_nearly_the_same_are_told_apart(stand: Stand, other: str) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    register(stand.registry, other, title={"en": "Other"})

    fetched = stand.registry.fetch([MAP, other])

    assert fetched[MAP].titles == {"en": "Map"}
    assert fetched[other].titles == {"en": "Other"}


def test_a_name_asked_for_twice_is_given_once(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})

    assert set(stand.registry.fetch([MAP, MAP])) == {MAP}
    assert set(stand.registry.read([MAP, "uri-gin/azgs/", MAP])) == {MAP}


def test_nothing_asked_for_is_nothing_given(stand: Stand) -> None:
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
def test_a_record_is_kept_up_to_400_000_bytes_and_refused_beyond(stand: Stand) -> None:
    stand.registry.write(_from_long_keys(350))
    before = stand.calls()

    for refuse in (stand.registry.check, stand.registry.write):
        with pytest.raises(RecordTooLarge) as refused:
            refuse(_from_long_keys(450))
        assert refused.value.identifier == MAP
        assert refused.value.size > MOST_ITEM_BYTES
    stand.registry.check(_from_long_keys(350))

    assert stand.calls() - before <= 1  # in memory a call is counted before the request


def test_what_was_displaced_is_refused_beyond_400_000_bytes(stand: Stand) -> None:
    first = register(stand.registry, MAP, 2, title={"en": "Map"})
    late = changed(MAP, 1, before=first.after, title={"en": "x" * MOST_ITEM_BYTES})

    with pytest.raises(RecordTooLarge):
        stand.registry.write(late)

    assert stand.registry.read([MAP])[MAP] == first.after


def test_a_registry_tells_which_statements_made_what_stands(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})
    register(stand.registry, MAP, 2, title={"en": "Geologic map"}, reason="x")
    register(stand.registry, MAP, 3, title={"en": "Geologic map"})

    assert stand.registry.fetch([MAP])[MAP].modified == stamp(2).put
    assert list(stand.stamps.stamps(MAP)) == [stamp(1), stamp(2)]
    assert list(stand.stamps.stamps("uri-gin/azgs/none")) == []


def test_what_a_registration_displaced_is_kept_under_its_stamp(stand: Stand) -> None:
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


def test_writing_a_new_record_or_a_changed_one_is_one_call(stand: Stand) -> None:
    first, before = changed(MAP, 1, status="valid"), stand.calls()

    stand.registry.write(first)
    assert stand.calls() - before == 1

    stand.registry.write(changed(MAP, 2, before=first.after, status="retired"))
    assert stand.calls() - before == 2


# -- conflicts


def test_every_write_is_one_revision_on(stand: Stand) -> None:
    register(stand.registry, MAP, 1, status="valid")
    register(stand.registry, MAP, 2, status="superseded")
    register(stand.registry, MAP, 3, title={"en": "Map"})

    assert stand.registry.read([MAP])[MAP].revision == 3


def test_of_two_that_register_the_same_new_name_one_has_to_read_again(stand: Stand) -> None:
    one, other = changed(MAP, 1, title={"en": "One"}), changed(MAP, 2, title={"de": "Andere"})
    stand.registry.write(one)

    with pytest.raises(RevisionConflict) as conflict:
        stand.registry.write(other)

    assert conflict.value.identifier == MAP
    assert stand.registry.read([MAP])[MAP] == one.after


@pytest.mark.parametrize(
    "statement", [{"reason": "printed"}, {"title": {"en": "Displaces"}}], ids=["adding", "displacing"]
)
def test_of_two_that_change_a_record_the_loser_leaves_no_trace(
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


def test_the_loser_reads_again_and_both_are_in(stand: Stand) -> None:
    first = register(stand.registry, MAP, 1, title={"en": "Map"})
    stand.registry.write(changed(MAP, 2, before=first.after, title={"en": "Wins"}))
    with pytest.raises(RevisionConflict):
        stand.registry.write(changed(MAP, 3, before=first.after, status="retired"))

    register(stand.registry, MAP, 3, status="retired")

    assert stand.registry.read([MAP])[MAP].values() == {"title": {"en": "Wins"}, "status": "retired"}


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("other", [{}, {"title": "there"}])
def test_a_record_is_written_as_long_as_those_it_was_judged_by_stand(
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


def test_a_write_to_a_record_that_is_not_there_is_a_conflict(stand: Stand) -> None:
    never_written = changed(MAP, 1, status="valid").after

    with pytest.raises(RevisionConflict):
        stand.registry.write(changed(MAP, 2, before=never_written, status="retired"))

    assert stand.registry.read([MAP]) == {}


# -- history


def test_what_is_displaced_goes_into_the_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"}, status="valid")
    register(stand.registry, MAP, 2, title={"en": "Second"})
    register(stand.registry, MAP, 3, title={"en": "Third"}, status="retired")

    assert stand.history(MAP) == {
        str(stamp(2)): ["First"],
        str(stamp(3)): ["Second", "valid"],
    }


def test_what_displaces_nothing_leaves_no_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})
    register(stand.registry, MAP, 2, title={"en": "Map", "de": "Karte"})

    assert stand.history(MAP) == {}


def test_a_statement_that_comes_late_goes_into_the_history_at_once(stand: Stand) -> None:
    register(stand.registry, MAP, 2, title={"en": "Second"})
    register(stand.registry, MAP, 1, title={"en": "First"})

    assert stand.registry.read([MAP])[MAP].values() == {"title": {"en": "Second"}}
    assert stand.history(MAP) == {str(stamp(1)): ["First"]}


def test_an_upload_delivered_again_after_others_displaces_no_history(stand: Stand) -> None:
    for second, title in ((1, "First"), (2, "Second"), (3, "Third")):
        register(stand.registry, MAP, second, title={"en": title})
    history = stand.history(MAP)

    register(stand.registry, MAP, 2, title={"en": "Second"})

    assert stand.history(MAP) == history
    assert stand.registry.read([MAP])[MAP].values() == {"title": {"en": "Third"}}


def test_an_upload_delivered_again_from_an_old_revision_is_known_all_the_same(stand: Stand) -> None:
    first = register(stand.registry, MAP, 1, title={"en": "First"})
    second = changed(MAP, 2, before=first.after, title={"en": "Second"})
    stand.registry.write(second)

    stand.registry.write(second)

    assert stand.registry.read([MAP])[MAP] == second.after


def test_a_request_never_meets_the_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"})
    register(stand.registry, MAP, 2, title={"en": "Second"})

    assert stand.registry.fetch([MAP])[MAP].titles == {"en": "Second"}
    assert stand.registry.fetch([MAP, "uri-gin/azgs/"])[MAP].titles == {"en": "Second"}


def test_a_cleared_field_and_what_it_cleared_are_remembered(stand: Stand) -> None:
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


def test_a_retired_representation_is_remembered_but_not_told(stand: Stand) -> None:
    register(stand.registry, MAP, 1, representations=[{"part": "a.pdf", "location": "https://a.b/c"}])
    register(stand.registry, MAP, 2, representations=[{"part": "a.pdf", "status": "retired"}])

    fetched = stand.registry.fetch([MAP])[MAP]
    read = stand.registry.read([MAP])[MAP]

    assert isinstance(fetched, Resource)
    assert fetched.representations == ()
    assert read.in_force().get(key("representations", "a.pdf", "location")) == "https://a.b/c"


# -- other spellings


def test_other_writings_of_a_name_are_found_by_what_they_fold_to(stand: Stand) -> None:
    names = {MAP, MAP.lower(), MAP.removesuffix("/"), MAP.replace("1.1", "1%2E1")}
    for name in names:
        register(stand.registry, name, title={"en": name})
    register(stand.registry, f"{MAP}image", title={"en": "Another name"})

    assert set(stand.reader.near(fold(MAP))) == names


def test_what_nobody_wrote_is_near_to_nothing(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})

    assert list(stand.reader.near(fold("uri-gin/azgs/doc/none"))) == []


def test_what_is_not_ascii_is_found_as_well(stand: Stand) -> None:
    name = "uri-gin/azgs/doc/%C3%89tude%20%FF%F0%9F%97%BA"
    register(stand.registry, name, title={"en": "Study"})

    assert list(stand.reader.near(fold("uri-gin/azgs/doc/%C3%A9TUDE%20%FF%F0%9F%97%BA/"))) == [name]


def test_a_name_that_changed_often_is_near_once_and_its_history_never(stand: Stand) -> None:
    for second in range(1, MOST_NEAR + 5):
        register(stand.registry, MAP, second, title={"en": f"Map {second}"})
    assert stand.history(MAP)

    assert list(stand.reader.near(fold(MAP))) == [MAP]


def test_of_many_other_writings_no_more_are_given_than_are_looked_at(stand: Stand) -> None:
    names = [f"uri-gin/azgs/doc/x{'.' * number}" for number in range(1, MOST_NEAR + 4)]
    for name in names:
        register(stand.registry, name, title={"en": name})

    near = stand.reader.near(fold(names[0]))

    assert len(near) == MOST_NEAR
    assert set(near) < set(names)


def test_other_writings_are_one_call(stand: Stand) -> None:
    register(stand.registry, MAP, title={"en": "Map"})
    before = stand.calls()

    stand.reader.near(fold(MAP))

    assert stand.calls() - before == 1


def test_a_scheme_is_near_to_what_is_listed_under_it(stand: Stand) -> None:
    for name in ("uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/x", "info:pmid/", "info:pmid/1"):
        register(stand.registry, name, title={"en": name})
    before = stand.calls()

    near = [list(stand.reader.near(scheme)) for scheme in ("uri-gin/", "info:", "urn:")]

    assert near == [["uri-gin/azgs/"], ["info:pmid/"], []]
    assert stand.calls() - before == 3


def test_the_longest_name_can_be_found_in_another_writing(stand: Stand) -> None:
    name = "uri-gin/a/" + "%CE%90" * 169  # 1,024 bytes
    register(stand.registry, name, title={"en": "Long"})

    assert list(stand.reader.near(fold(name))) == [name]


def test_rules_are_read_back_with_the_record_they_stand_in(stand: Stand) -> None:
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
