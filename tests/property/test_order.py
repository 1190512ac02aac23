"""Uploads in any order, late and twice: those that agree end in one state, with one outcome for each line.

Of those that contradict each other the first to be processed wins, and the others name it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.reports.report import Upload
from ginuri.ingest.flow import ingest_part
from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import path_of, write_values
from tests.registries import NewRegistry, WholeRegistry, on_every_registry
from tests.steward import HOST, TYPES, Report, Steward, line

BEGIN = datetime(2026, 7, 1, 12, tzinfo=UTC)
DOC, OLD = "uri-gin/azgs/doc/", "uri-gin/azgs/old/"
A, B = "https://a.example/", "https://b.example/"
FOLDER = "uri-gin/azgs/"


@dataclass(frozen=True)
class Put:
    """An upload to be put."""

    folder: str
    content: str


class _Office(Steward):
    """A steward whose files are uploaded a second after each other, with a clock that follows the queue's."""

    def __init__(self, registry: WholeRegistry) -> None:
        super().__init__(registry, lister=registry)
        self.whole = registry
        self._second = 0
        self.passed = 0.0
        self.now = lambda: BEGIN + timedelta(seconds=self.passed)
        for key, content in (("_host/all.jsonl", HOST), (f"{FOLDER}types.jsonl", TYPES)):
            self.deliver(self.put(key, content))

    def put(self, key: str, content: str | bytes, **said: str) -> Upload:
        self._second += 1
        put = f"2026-07-01T12:00:{self._second:02d}.000Z"
        return replace(super().put(key, content, **said), put=put)

    def put_all(self, puts: Sequence[Put]) -> list[Upload]:
        return [self.put(f"{each.folder}{number}.jsonl", each.content) for number, each in enumerate(puts)]

    def hear_all(self, uploads: Sequence[Upload], order: Sequence[int]) -> list[Report]:
        """Deliver uploads in an order, each as if it had no report yet, and read the reports."""
        for number in order:
            for key in [key for key in self.files.reports if key.startswith(f"{uploads[number].key}/")]:
                del self.files.reports[key]
            ingest_part(uploads[number], self.collaborators)
            self.work_off()
        while self.queue.delayed:
            self.passed += 10
            self.queue.pass_time(10)
            self.work_off()
        return [self.report(uploads[number]) for number in sorted(set(order))]

    def state(self) -> dict[str, tuple[str, list[Any]]]:
        """Return every record as written, those with rules included, without the order of their names."""
        names = sorted(name for name, _, _ in self.whole.stored())
        held = self.whole.read(names)
        return {name: _written(held[name]) for name in names}


def _written(record: Record) -> tuple[str, list[Any]]:
    # The beginning of the period of a value, for reading the past, may be known more or less exactly.
    body = json.dumps(json.loads(write_values(record.values())), sort_keys=True)
    if "cuts" in record.values():  # whichever rule needed one first
        return body, []
    return body, sorted((path_of(key), str(each.value), each.stamp) for key, each in record.entries.items())


def _outcomes(reports: Sequence[Report]) -> list[list[tuple[tuple[int, ...], bool]]]:
    """Return for each line whether it was accepted; whether it was new depends on the order."""
    return [[(each.lines, each.verdict == "refused") for each in report.verdicts] for report in reports]


def _upload(*lines: str, folder: str = FOLDER) -> Put:
    return Put(folder, "".join(lines))


# -- uploads that agree

_titles = st.dictionaries(
    st.sampled_from(["", "de", "en"]), st.sampled_from(["one", "two", None]), min_size=1
)
_resources = st.builds(
    line,
    st.sampled_from([f"{DOC}a", f"{DOC}b", f"{DOC}c"]),
    record=st.just("resource"),
    kind=st.just("document"),
    title=_titles,
    reason=st.sampled_from(["why", "because", None]),
    representations=st.sampled_from(
        [None, [{"part": ".pdf", "location": A}], [{"part": ".pdf", "location": B}]]
    ),
)
_types = st.builds(line, st.sampled_from([OLD, f"{OLD}x/"]), record=st.just("resource-type"), title=_titles)
_aliases = st.builds(
    line,
    st.sampled_from([f"{DOC}x", f"{DOC}y"]),
    record=st.just("alias"),
    stands_for=st.sampled_from([f"{DOC}a", f"{DOC}b", f"{DOC}c"]),
)
_rules = st.builds(
    line,
    st.sampled_from([OLD, "uri-gin/azgs/new/"]),
    record=st.just("rule"),
    pattern=st.sampled_from(["A_{id}", "B_{id}", "C_{id:digits}"]),
    location=st.sampled_from([A, B]),
    status=st.sampled_from(["valid", "retired"]),
)
_rules |= st.builds(
    line,
    st.just("uri-gin/azgs/"),
    record=st.just("rule"),
    pattern=st.sampled_from(["old/A_{id}/x", "old/{id}/a_y", "{id}.pdf", "new/{id:digits}/B_z"]),
    location=st.sampled_from([A, B]),
    status=st.sampled_from(["valid", "retired"]),
)
_bad = st.sampled_from(
    [
        line(f"{DOC}a", location="htp://a.example/"),
        line(OLD, record="rule", pattern="{a}{b}", location=A),
        line("uri-gin/usgin/doc/1"),
    ]
)
_lines = st.lists(_resources | _types | _aliases | _rules | _bad, min_size=1, max_size=4)
_agreeing = _lines.map(lambda lines: _upload(*lines))
_chain = st.sampled_from(
    [
        _upload(line("uri-gin/cgi/", record="authority"), folder="_host/"),
        _upload(line("uri-gin/cgi/authority/cgi.maps/"), folder="uri-gin/cgi/"),
        _upload(line("uri-gin/cgi.maps/", record="authority"), folder="uri-gin/cgi/"),
        _upload(line("uri-gin/cgi.maps/map/1/"), line("uri-gin/cgi/doc/1"), folder="uri-gin/cgi/"),
    ]
)


@st.composite
def _orders(draw: st.DrawFn, number: int) -> list[int]:
    """Return an order in which each upload is delivered at least once."""
    again = draw(st.lists(st.integers(0, number - 1), max_size=3))
    return draw(st.permutations([*range(number), *again]))


@on_every_registry
@given(data=st.data())
def test_uploads_that_agree_end_in_one_state_in_any_order(
    new_registry: NewRegistry, data: st.DataObject
) -> None:
    chain = data.draw(st.lists(_chain, unique=True, max_size=4), label="what builds on each other")
    puts = data.draw(st.permutations([*chain, *data.draw(st.lists(_agreeing, min_size=1, max_size=4))]))
    order = data.draw(_orders(len(puts)))
    in_order, jumbled = _Office(new_registry()), _Office(new_registry())

    uploads = in_order.put_all(puts)
    expected = in_order.hear_all(uploads, range(len(puts)))
    heard = jumbled.hear_all(jumbled.put_all(puts), order)

    assert _outcomes(heard) == _outcomes(expected)
    assert jumbled.state() == in_order.state()


# -- uploads that contradict each other


def _as(record: str, **fields: Any) -> Put:
    return _upload(line(f"{DOC}x/", record=record, **fields))


def _rule(prefix: str, pattern: str = "", **fields: Any) -> Put:
    return _upload(
        line(prefix, record="rule", location=A, **({"pattern": pattern} if pattern else {}), **fields)
    )


def _alias(name: str, target: str) -> Put:
    return _upload(line(f"{DOC}{name}", record="alias", stands_for=f"{DOC}{target}"))


CONTRADICTIONS: Sequence[Sequence[Put]] = (
    (_as("resource-type"), _as("resource"), _as("alias", stands_for=f"{DOC}a")),
    (_as("resource", kind="thing"), _as("resource", kind="document"), _as("resource", kind="representation")),
    (_rule(DOC, "{a}-1"), _rule(DOC, "1-{b}"), _rule(DOC, "{c}-1")),
    (_rule(f"{DOC}map/"), _rule(DOC, "map/{id}")),
    (_rule(f"{DOC}map/", "HP_{id}"), _rule(DOC, "map/HP_{id}"), _rule(FOLDER, "doc/map/HP_{id}")),
    (_rule(DOC, "a/{x}-1"), _rule(DOC, "a/1-{x}"), _rule(DOC, "a/{y}-1")),
    (_rule(DOC, "a-b/{x}"), _rule(DOC, "{x}-b/a"), _rule(DOC, "a-{x}/a")),
    (_rule(f"{DOC}map/", "{x}/"), _rule(DOC, "map/{id}/")),
    (_alias("a", "b"), _alias("b", "a")),
)


@on_every_registry
@given(puts=st.sampled_from(CONTRADICTIONS), data=st.data())
def test_the_first_of_two_contradicting_uploads_wins(
    new_registry: NewRegistry, puts: Sequence[Put], data: st.DataObject
) -> None:
    puts = data.draw(st.permutations(puts))
    order = data.draw(_orders(len(puts)))
    office = _Office(new_registry())
    uploads = office.put_all(puts)

    reports = office.hear_all(uploads, order)

    stands = uploads[order[0]]
    for number, report in enumerate(reports):
        if number == order[0]:
            assert report.refused == {}
            continue
        [verdict] = [each for each in report.verdicts if each.verdict == "refused"]
        assert verdict.lines == (1,)
        assert f"{stands.key}, put {stands.put}" in verdict.findings[0]["message"]
    alone = _Office(new_registry())
    alone.hear_all(alone.put_all(puts), [order[0]])
    assert office.state() == alone.state()
