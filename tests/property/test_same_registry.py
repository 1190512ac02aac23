"""For all calls: a registry in memory and one in SQLite give the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers import parse
from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import MalformedIdentifier, RevisionConflict
from ginuri.memory import MemoryRegistry
from ginuri.registry.ports import NamePage
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.statements import Statements
from tests.builders import changed, stamp
from tests.property.schemes import SCHEMES
from tests.property.strategies import IDENTIFIERS, REGISTRATIONS
from tests.registries import WholeRegistry, new_sqlite_registry

NAMES = ("uri-gin/azgs/a", "uri-gin/azgs/b/", "uri-gin/azgs/")


def _normal_form(text: str) -> str | None:
    try:
        return parse(text).normal_form
    except MalformedIdentifier:
        return None


_names = st.lists(
    st.one_of(IDENTIFIERS, *(scheme.texts() for scheme in SCHEMES)).map(_normal_form).filter(bool),
    min_size=1,
    max_size=12,
    unique=True,
)


@given(names=_names, data=st.data())
def test_lists_of_any_names_are_the_same_in_memory_and_in_sqlite(
    names: Sequence[str], data: st.DataObject
) -> None:
    registries: list[WholeRegistry] = [MemoryRegistry(), new_sqlite_registry()]
    for registry in registries:
        for name in names:
            registry.write(changed(name, 1, part_of=names[0], title={"en": name}))
    name = data.draw(st.sampled_from(names))
    prefix = name[: data.draw(st.integers(1, len(name)))]
    after = data.draw(st.sampled_from(names) | st.text(st.characters(codec="utf-8"), max_size=4))
    after = data.draw(st.sampled_from([after, f"{prefix}{after}", ""]))
    most = data.draw(st.integers(1, 4))

    def ask(registry: WholeRegistry) -> tuple[NamePage, int, NamePage, set[str]]:
        return (
            registry.members(prefix, after, most),
            registry.count(prefix, most),
            registry.parts(names[0], after, most),
            set(registry.near(fold(name))),
        )

    assert ask(registries[1]) == ask(registries[0])
    assert sorted(dict(registries[1].standing(prefix))) == sorted(dict(registries[0].standing(prefix)))


@dataclass(frozen=True)
class _Call:
    """A registration that was judged by records which may have changed since."""

    name: str
    statements: Statements
    second: int
    is_late: bool
    """Whether it was judged before the call before it."""
    seen: str | None
    """Another record that it was judged by."""


_calls = st.builds(
    _Call,
    st.sampled_from(NAMES),
    REGISTRATIONS,
    st.integers(0, 5),
    st.booleans(),
    st.none() | st.sampled_from(NAMES),
)


def _carry_out(registry: WholeRegistry, calls: Sequence[_Call]) -> list[bool]:
    """Make the calls, and return whether each was accepted."""
    before = now = registry.read(NAMES)
    accepted = []
    for call in calls:
        held = before if call.is_late else now
        change = apply(held.get(call.name, Record(call.name, {})), call.statements, stamp(call.second))
        if call.seen is not None and call.seen != call.name:
            seen = held.get(call.seen)
            change = replace(change, judged_by={call.seen: seen.revision if seen else 0})
        try:
            registry.write(change)
        except RevisionConflict:
            accepted.append(False)
        else:
            accepted.append(True)
        before, now = now, registry.read(NAMES)
    return accepted


@given(calls=st.lists(_calls, max_size=8))
def test_writes_are_accepted_or_refused_alike_in_memory_and_in_sqlite(calls: Sequence[_Call]) -> None:
    memory, sqlite = MemoryRegistry(), new_sqlite_registry()

    assert _carry_out(sqlite, calls) == _carry_out(memory, calls)

    assert sqlite.read(NAMES) == memory.read(NAMES)
    assert [sqlite.history(name) for name in NAMES] == [memory.history(name) for name in NAMES]
    assert sorted(sqlite.stored()) == sorted(memory.stored())
    assert [list(sqlite.stamps(name)) for name in NAMES] == [list(memory.stamps(name)) for name in NAMES]
