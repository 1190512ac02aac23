"""A snapshot retires only records that existed when it was uploaded, whenever it is delivered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.ingest.collaborators import Limits
from tests.registries import NewRegistry, WholeRegistry, on_every_registry
from tests.steward import LINES, Steward, line, settled

UNDER = "uri-gin/azgs/doc/"
NAMES = [f"{UNDER}{name}" for name in "abcde"]
RULED = f"{UNDER}old/"
PATTERNS = ["{id}", "x-{id}"]

_stated = st.fixed_dictionaries(
    {"title": st.sampled_from(["Well", "Spring"])},
    optional={"status": st.sampled_from(["valid", "retired"]), "reason": st.sampled_from(["one", None])},
)
_named = st.dictionaries(st.sampled_from(NAMES), _stated, max_size=3)
_rules = st.dictionaries(
    st.sampled_from(PATTERNS),
    st.fixed_dictionaries(
        {"location": st.sampled_from(["https://a.example/{id}", "https://b.example/{id}"])},
        optional={"status": st.sampled_from(["valid", "retired"])},
    ),
    max_size=2,
)


def _text(named: dict[str, Any], rules: dict[str, Any]) -> str:
    return "".join(line(name, **stated) for name, stated in named.items()) + "".join(
        line(RULED, record="rule", pattern=pattern, **stated) for pattern, stated in rules.items()
    )


_texts = st.builds(_text, _named, _rules)


@st.composite
def _deliveries(draw: st.DrawFn) -> tuple[list[str], str, list[str], list[int]]:
    """Draw uploads before a snapshot, the snapshot, later uploads, and an order of the snapshot and these."""
    before, after = draw(st.lists(_texts, max_size=3)), draw(st.lists(_texts, max_size=3))
    snapshot = draw(
        st.builds(_text, st.dictionaries(st.sampled_from(NAMES[:2]), _stated, max_size=1), _rules)
    )
    numbers = range(len(after) + 1)
    again = draw(st.lists(st.sampled_from(numbers), max_size=3))
    return before, snapshot, after, draw(st.permutations([*numbers, *again]))


def _taken_in(
    before: Sequence[str],
    snapshot: str,
    after: Sequence[str],
    order: Sequence[int],
    registry: WholeRegistry | None = None,
) -> Steward:
    steward = settled(registry, registry)
    steward.limits = Limits(task_rows=2, chunk_rows=2)
    for text in before:
        steward.upload(LINES, text, many="true")
    put = [steward.put(LINES, snapshot, many="true", snapshot=UNDER)]
    put += [steward.put(LINES, text, many="true") for text in after]
    for number in order:
        steward.deliver(put[number])
    return steward


def _held(steward: Steward) -> dict[str, Any]:
    return {name: record.values() for name, record in steward.registry.read([*NAMES, RULED]).items()}


@on_every_registry
@given(deliveries=_deliveries())
def test_a_snapshot_delivered_late_or_twice_ends_in_the_same_registry(
    new_registry: NewRegistry, deliveries: tuple[list[str], str, list[str], list[int]]
) -> None:
    before, snapshot, after, order = deliveries

    in_order = _taken_in(before, snapshot, after, range(len(after) + 1), new_registry())
    otherwise = _taken_in(before, snapshot, after, order, new_registry())

    assert _held(otherwise) == _held(in_order)


@given(_deliveries())
def test_a_snapshot_never_retires_identifiers_created_after_it(
    deliveries: tuple[list[str], str, list[str], list[int]],
) -> None:
    before, snapshot, after, order = deliveries

    with_it = _taken_in(before, snapshot, after, order)
    stood = settled()
    for text in before:
        stood.upload(LINES, text)

    new = [name for name in NAMES if stood.values(name) is None and name not in snapshot]
    without = _taken_in(before, _text({}, {}), after, [number for number in order if number])
    assert {name: with_it.values(name) for name in new} == {name: without.values(name) for name in new}
