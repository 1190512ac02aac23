"""A record is the sum of its registrations: the later stamp wins, field by field."""

from __future__ import annotations

import pytest

from ginuri.registration.verdicts import Outcome, outcome_of
from ginuri.registry.model import Delegation, NameAuthority, Prefix, Resource, Status
from ginuri.registry.reading import read_registered
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import write_stamps
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import RECORD_FIRST, nest
from tests.builders import MAP, PUT, changed, forms_of, key, keyed, stamp, stated


def _sum(*registrations: tuple[int, dict[str, object]]) -> Record:
    record = Record(MAP, {})
    for second, values in registrations:
        record = apply(record, stated(values), stamp(second)).after
    return record


def test_the_later_stamp_wins() -> None:
    record = _sum((1, {"status": "valid"}), (2, {"status": "superseded"}))

    assert record.in_force().get(key("status")) == "superseded"


def test_a_late_registration_does_not_win() -> None:
    record = _sum((2, {"status": "superseded"}), (1, {"status": "valid"}))

    assert record.in_force().get(key("status")) == "superseded"


def test_the_later_stamp_wins_for_a_field_of_any_name() -> None:
    one, other = [{"href": "uri-gin/azgs/doc/1"}], [{"href": "uri-gin/azgs/doc/2"}]

    record = _sum((1, {"links": {"first": one}}), (2, {"links": {"first": other}}))

    assert record.in_force().get(key("links", "first")) == other  # RFC 8288's registry has a relation "first"


def test_key_version_and_line_order_uploads_of_the_same_moment() -> None:
    stamps = [
        Stamp(PUT.format(1), "uri-gin/azgs/a.csv", "v1", 2),
        Stamp(PUT.format(1), "uri-gin/azgs/a.csv", "v1", 10),
        Stamp(PUT.format(1), "uri-gin/azgs/a.csv", "v2", 1),
        Stamp(PUT.format(1), "uri-gin/azgs/b.csv", "v1", 1),
        Stamp(PUT.format(2), "uri-gin/azgs/a.csv", "v1", 1),
    ]

    jumbled = [stamps[number] for number in (3, 1, 4, 0, 2)]

    assert sorted(jumbled) == stamps
    assert sorted(jumbled, key=str) == stamps


def test_a_field_without_a_newer_statement_stays() -> None:
    record = _sum((1, {"title": {"en": "Map"}, "status": "valid"}), (2, {"status": "retired"}))

    assert record.values() == {"title": {"en": "Map"}, "status": "retired"}


def test_a_cleared_field_has_no_value() -> None:
    record = _sum((1, {"reason": "typing error"}), (2, {"reason": None}))

    assert record.in_force().get(key("reason")) is None
    assert record.values() == {}


def test_clearing_a_field_clears_all_values_below_it() -> None:
    record = _sum((1, {"title": {"en": "Map", "de": "Karte"}}), (2, {"title": None}))

    assert record.in_force().get(key("title", "de")) is None
    assert record.values() == {}


def test_a_statement_after_a_clearing_is_kept() -> None:
    record = _sum((1, {"title": {"en": "Map"}}), (2, {"title": None}), (3, {"title": {"de": "Karte"}}))

    assert record.values() == {"title": {"de": "Karte"}}


def test_a_statement_in_the_clearing_upload_is_kept() -> None:
    replaced = keyed({("title",): None, ("title", "de"): "Karte"})

    change = apply(_sum((1, {"title": {"en": "Map"}})), replaced, stamp(2))

    assert change.after.values() == {"title": {"de": "Karte"}}


def test_clearing_a_value_stated_in_between_is_a_change() -> None:
    cleared = changed(MAP, 2, before=changed(MAP, 1, title={"en": "Map"}).after, title=None)
    stated_anew = changed(MAP, 3, before=cleared.after, title={"de": "Karte"})

    again = changed(MAP, 4, before=stated_anew.after, title=None)

    assert again.after.in_force().keys() == {RECORD_FIRST}
    assert outcome_of(again) is Outcome.CHANGED
    assert [entry.stamp for entry in again.displaced.values()] == [stamp(2)]
    assert outcome_of(changed(MAP, 5, before=again.after, title=None)) is Outcome.UNCHANGED


def test_a_late_clearing_keeps_later_statements() -> None:
    record = _sum((3, {"title": {"de": "Karte"}}), (1, {"title": {"en": "Map"}}), (2, {"title": None}))

    assert record.values() == {"title": {"de": "Karte"}}


def test_a_registration_applied_twice_changes_nothing() -> None:
    once = changed(MAP, 1, title={"en": "Map"})

    twice = changed(MAP, 1, before=once.after, title={"en": "Map"})

    assert not twice.touches
    assert twice.displaced == {}


def test_stating_the_same_value_again_moves_its_stamp_and_displaces_nothing() -> None:
    first = changed(MAP, 1, title={"en": "Map"})

    again = changed(MAP, 2, before=first.after, title={"en": "Map"})

    assert again.touches
    assert again.displaced == {}
    assert again.after.entries[key("title", "en")].stamp == stamp(2)
    assert again.after.entries[key("title", "en")].since == stamp(1)
    assert again.after.values() == first.after.values()


def test_displaced_values_are_kept_for_the_history() -> None:
    first = changed(MAP, 1, title={"en": "Map"}, status="valid")

    second = changed(MAP, 2, before=first.after, title={"en": "Geologic map"}, status="valid")

    assert second.displaced == {key("title", "en"): first.after.entries[key("title", "en")]}


def test_a_late_statement_displaced_at_once_is_kept_for_the_history() -> None:
    later = changed(MAP, 2, title={"en": "Geologic map"})

    late = changed(MAP, 1, before=later.after, title={"en": "Map"})

    assert [entry.value for entry in late.displaced.values()] == ["Map"]
    assert late.after.values() == later.after.values()


def test_every_change_adds_one_revision() -> None:
    first = changed(MAP, 1, status="valid")

    second = changed(MAP, 2, before=first.after, status="retired")

    assert [first.before.revision, first.after.revision, second.after.revision] == [0, 1, 2]


@pytest.mark.parametrize("status", ["valid", "reserved", None])
def test_a_valid_identifier_has_no_successor_in_any_order(status: str | None) -> None:
    retired: dict[str, object] = {"status": "retired", "successor": "uri-gin/azgs/doc/map/DGM38/"}

    assert "successor" in _sum((1, retired)).values()
    assert "successor" not in _sum((1, retired), (2, {"status": status})).values()
    assert "successor" not in _sum((2, {"status": status}), (1, retired)).values()


def test_a_record_has_the_times_of_its_first_last_and_effective_statements() -> None:
    record = _sum(
        (2, {"status": "valid"}),
        (1, {"title": {"en": "Map"}}),
        (3, {"status": "retired"}),
        (4, {"status": "retired", "reason": None}),
    )

    assert record.created == stamp(1)
    assert record.modified == stamp(3)
    assert record.latest == stamp(4)


def test_clearing_modifies_a_record_and_clearing_again_does_not() -> None:
    texts: dict[str, object] = {"title": {"en": "Map", "de": "Karte"}}

    record = _sum((1, texts), (2, {"title": None}), (3, {"title": None}))

    assert record.modified == stamp(2)
    assert record.entries[key("title", "de")].changed == stamp(2)


def test_hundreds_of_uploads_from_deep_folders_need_little_room() -> None:
    folder = "uri-gin/azgs/" + "a folder with a long name/" * 38
    record = Record(MAP, {})
    for number in range(464):
        statements = stated({"properties": {f"p{number}": "x"}})
        put = Stamp(PUT.format(1), f"{folder}{number:04d}.jsonl", "v" * 32, 1)
        record = apply(record, statements, put).after

    assert len(folder) > 1_000
    assert len(write_stamps(record.entries, record.values())) < 60_000


def test_representations_are_in_the_order_of_their_registration() -> None:
    record = _sum(
        (2, {"representations": [{"part": "late.xls"}]}),
        (1, {"representations": [{"part": "b.pdf"}, {"part": "a.tif"}]}),
        (3, {"representations": [{"part": "a.tif", "quality": 0.5}]}),
    )

    assert [each["part"] for each in forms_of(record).values()] == [
        "b.pdf",
        "a.tif",
        "late.xls",
    ]


def test_a_retired_representation_is_not_listed() -> None:
    record = _sum(
        (1, {"representations": [{"part": "a.pdf"}, {"part": "b.pdf"}]}),
        (2, {"representations": [{"part": "a.pdf", "status": "retired"}]}),
    )

    assert list(forms_of(record)) == ["b.pdf"]
    assert record.in_force().get(key("representations", "a.pdf", "part")) == "a.pdf"


def test_cleared_representations_are_replaced_by_the_next_ones() -> None:
    cleared = _sum((1, {"representations": [{"part": "a.pdf"}]}))
    cleared = apply(cleared, {key("representations"): None}, stamp(2)).after

    again = apply(cleared, stated({"representations": [{"part": "b.pdf"}]}), stamp(3)).after

    assert cleared.values() == {}
    assert list(forms_of(again)) == ["b.pdf"]


def test_paths_fold_into_nested_values() -> None:
    nested = nest(keyed({("title", "de"): "Karte", ("title", "en"): "Map", ("status",): "valid"}))

    assert nested == {"title": {"de": "Karte", "en": "Map"}, "status": "valid"}


def test_registered_values_are_read_as_typed_values() -> None:
    record = _sum(
        (
            1,
            {
                "record": "resource",
                "title": {"en": "Map"},
                "status": "superseded",
                "successor": "uri-gin/azgs/doc/map/DGM38/",
                "representations": [
                    {
                        "part": "mapImageFile.pdf",
                        "media_type": "application/pdf",
                        "role": ["canonical"],
                        "quality": 0.5,
                        "file": {
                            "key": "k",
                            "version": "v",
                            "length": 7,
                            "sha256": "ab",
                            "stored": PUT.format(1),
                        },
                    }
                ],
            },
        )
    )

    read = read_registered(MAP, record.values(), record.modified.put)

    assert isinstance(read, Resource)
    assert read.titles == {"en": "Map"}
    assert read.status is Status.SUPERSEDED
    assert read.modified == PUT.format(1)
    only = read.representations[0]
    assert (only.part, only.media_type, only.quality) == ("mapImageFile.pdf", "application/pdf", 0.5)
    assert only.roles == {"canonical"}
    assert only.file is not None
    assert only.file.length == 7


def test_a_record_without_a_stated_type_is_a_resource() -> None:
    assert isinstance(read_registered(MAP, {"status": "valid"}, PUT.format(1)), Resource)


def test_an_authority_is_read_as_such() -> None:
    read = read_registered(
        "uri-gin/azgs/", {"record": "authority", "contact": "maps@azgs.example"}, PUT.format(1)
    )

    assert isinstance(read, NameAuthority)
    assert read.contact == "maps@azgs.example"


def test_a_delegation_is_read_beside_the_record_of_its_prefix() -> None:
    values = {"record": "authority", "delegation": {"answered_by": "maps.example.org", "title": {"": "Maps"}}}

    read = read_registered("uri-gin/azgs/", values, PUT.format(1))

    assert isinstance(read, NameAuthority)
    assert read.delegation == Delegation("maps.example.org", {"": "Maps"})


def test_a_prefix_with_only_a_delegation_is_no_resource() -> None:
    read = read_registered("uri-gin/azgs/x/", {"delegation": {"answered_by": "a.example"}}, PUT.format(1))

    assert isinstance(read, Prefix)
    assert read.is_in_use


def test_an_ended_delegation_is_none_even_if_its_title_remains() -> None:
    read = read_registered("uri-gin/azgs/x/", {"delegation": {"title": {"": "Maps"}}}, PUT.format(1))

    assert isinstance(read, Prefix)
    assert not read.is_in_use
