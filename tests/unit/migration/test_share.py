"""The share of another resolver's entries that was imported."""

from __future__ import annotations

from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import ConvertedEntry, EntryPlace, Obstacle, Outcome, RefusedEntry
from ginuri.migration.share import share_of

FILES = {"b.yml": b"", "a.yml": b""}


def _at(line: int, file: str = "b.yml") -> EntryPlace:
    return EntryPlace(file, line, f"entry {line}")


def _refused(line: int, reason: Message, obstacle: Obstacle | None = None) -> Outcome:
    return RefusedEntry(_at(line), reason, obstacle)


def _restricted(to: str) -> Message:
    return message("{pattern}: {reason}", pattern="x", reason=message("No piece is like {to}.", to=to))


def test_outcomes_are_sorted_by_the_files_of_the_command() -> None:
    outcomes = [ConvertedEntry(_at(1, "a.yml"), []), ConvertedEntry(_at(2), []), ConvertedEntry(_at(1), [])]

    share = share_of(FILES, outcomes)

    assert [each.place for each in share.outcomes] == [_at(1), _at(2), _at(1, "a.yml")]


def test_only_all_entries_are_a_hundred_percent() -> None:
    refused, converted = _refused(1, message("Gone.")), ConvertedEntry(_at(2), [{"identifier": "x"}])

    share = share_of(FILES, [refused, *[converted] * 1999])

    assert (share.entries, share.imported, share.percentage) == (2000, 1999, 99.9)
    assert len(share.registrations) == 1999
    assert share_of(FILES, [converted]).percentage == 100
    assert share_of(FILES, []).percentage == 100


def test_reasons_are_counted_without_their_values() -> None:
    outcomes = [_refused(1, message("Gone.")), _refused(2, _restricted("a")), _refused(3, _restricted("b"))]

    reasons = share_of(FILES, outcomes).reasons

    assert [(str(each.words), each.entries) for each in reasons] == [
        ("…: No piece is like ….", 2),
        ("Gone.", 1),
    ]


def test_an_obstacle_is_counted_once_for_each_entry_it_keeps_out() -> None:
    edit = message("Write ^ before it.")
    outcomes = [
        _refused(2, message("Behind."), Obstacle(_at(1), edit)),
        _refused(5, message("Behind."), Obstacle(_at(4), edit)),
        _refused(6, message("Behind."), Obstacle(_at(4), edit)),
    ]

    obstacles = share_of(FILES, outcomes).obstacles

    assert [(each.obstacle.place, each.entries) for each in obstacles] == [(_at(4), 2), (_at(1), 1)]


def test_remarks_of_converted_entries_are_kept_with_their_places() -> None:
    remark = message("The expression is anchored.")

    share = share_of(FILES, [ConvertedEntry(_at(1), [], [remark])])

    assert [(each.place, each.words) for each in share.remarks] == [(_at(1), remark)]
    assert share.refused == []
