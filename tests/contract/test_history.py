"""Does each registry keep the same history? One suite for memory, SQLite, moto and DynamoDB Local."""

from __future__ import annotations

from ginuri.identifiers.comparison.folding import fold
from ginuri.registry.record.history import HistoricalChange
from tests.builders import MAP, key, register, stamp
from tests.contract.conftest import Stand

TITLE = key("title", "en")


def test_every_statement_is_read_back_in_order(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "First"}, status="valid")
    register(stand.registry, MAP, 3, title={"en": "Third"})
    register(stand.registry, MAP, 2, title={"en": "Second"}, status="superseded")

    history = stand.archive.history(MAP)

    told = [(each.stamp, each.value) for each in history.statements if each.key == TITLE]
    assert told == [(stamp(1), "First"), (stamp(2), "Second"), (stamp(3), "Third")]
    assert [step.stamp for step in history.steps()] == [stamp(1), stamp(2), stamp(3)]
    assert list(history.steps())[2].fields == (HistoricalChange(TITLE, "Second", "Third"),)


def test_a_record_is_read_as_of_a_moment(stand: Stand) -> None:
    forms = [{"part": "a.pdf", "location": "https://a.b/c"}, {"part": "b.tif", "location": "https://a.b/d"}]
    first = register(stand.registry, MAP, 1, title={"en": "Map"}, representations=forms)
    register(stand.registry, MAP, 5, title=None, representations=[{"part": "a.pdf", "status": "retired"}])

    history = stand.archive.history(MAP)

    then, now = history.as_of(stamp(4)), history.as_of(stamp(5))
    assert then is not None
    assert now is not None
    assert then.values() == first.after.values()
    assert now.values() == stand.registry.read([MAP])[MAP].values()
    assert history.as_of(stamp(0)) is None


def test_an_unregistered_identifier_has_no_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})

    assert stand.archive.history(MAP[:-1]).statements == ()


def test_a_long_history_is_read_to_its_beginning(stand: Stand) -> None:
    for second in range(1, 28):  # a megabyte and a half
        register(stand.registry, MAP, second, description={"en": f"{second} " + "x" * 60_000})

    told = [
        str(each.value) for each in stand.archive.history(MAP).statements if each.key.field == "description"
    ]

    assert [text.split()[0] for text in told] == [str(second) for second in range(1, 28)]


def test_a_cleared_and_restated_value_keeps_its_gap_in_history(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})
    register(stand.registry, MAP, 2, title=None)
    register(stand.registry, MAP, 3, title={"en": "Map"})

    history = stand.archive.history(MAP)

    stood = [history.as_of(stamp(second)) for second in (1, 2, 3)]
    assert [record.values() for record in stood if record] == [
        {"title": {"en": "Map"}},
        {},
        {"title": {"en": "Map"}},
    ]


def test_the_writing_registry_also_reads_history_and_similar_names(stand: Stand) -> None:
    register(stand.registry, MAP, 1, title={"en": "Map"})
    register(stand.registry, MAP, 2, title={"en": "Chart"})

    assert stand.registry.history(MAP) == stand.archive.history(MAP)
    assert stand.registry.near(fold(MAP)) == stand.reader.near(fold(MAP)) == [MAP]
