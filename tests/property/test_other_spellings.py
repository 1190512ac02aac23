"""A part in another spelling is corrected like a name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers import parse
from ginuri.identifiers.comparison.folding import fold_writing
from ginuri.memory import MemoryRegistry
from ginuri.registry.clock import BEGINNING
from ginuri.resolution.decision import Question
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import Choices, SeeRepresentation, WrittenOtherwise
from ginuri.resolution.resolve import resolve
from tests.builders import MAP, register
from tests.property.strategies import SEGMENTS

LOCATION = "https://data.azgs.example/x"


def _as_part(segment: str) -> str:
    return parse(f"{MAP}{segment}.pdf").normal_form.removeprefix(MAP)


PARTS = st.lists(SEGMENTS.map(_as_part), min_size=1, max_size=4, unique=True)


@given(PARTS, st.data())
def test_a_part_in_any_capitals_leads_to_the_registered_ones(parts: list[str], data: st.DataObject) -> None:
    registry = MemoryRegistry()
    register(registry, MAP, representations=[{"part": part, "location": LOCATION} for part in parts])
    part = data.draw(st.sampled_from(parts))
    written = data.draw(st.sampled_from([str.upper, str.lower, str.swapcase]))(part)
    asked = parse(parse(f"{MAP}{written}").normal_form)
    names = {f"{MAP}{each}" for each in parts}

    decision = resolve(Question(asked, BEGINNING), RememberingFinder(registry, lambda: 0.0)).decision

    same = {name for name in names if fold_writing(name) == fold_writing(asked.normal_form)}
    if asked.normal_form in names:
        assert isinstance(decision, SeeRepresentation)
    elif len(same) == 1:
        assert isinstance(decision, WrittenOtherwise)
        assert {decision.target} == same
    else:
        assert isinstance(decision, Choices)
        assert {*decision.targets} == same
