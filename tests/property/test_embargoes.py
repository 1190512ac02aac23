"""Embargoes, over drawn registries: nothing is shown before the day, and everything from then on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.decision import Question
from ginuri.resolution.descriptions.decision import Describe
from ginuri.resolution.descriptions.formats import FORMATS
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import AnsweredElsewhere, Embargoed, NoSuchHost, NotNormal
from ginuri.resolution.resolve import Resolution, resolve
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request
from tests.property.drawn_registries import registered
from tests.property.strategies import registries

DAY = "2001-01-01"
"""Before every stamp, so that the end of an embargo is not the last change."""
END = datetime(2001, 1, 1, tzinfo=UTC)
LATER = st.timedeltas(timedelta(), timedelta(days=9_000))
SOONER = st.timedeltas(timedelta(milliseconds=1), timedelta(days=9_000))
HOST = "resources.example.org"

Drawn = Mapping[str, Mapping[str, Any]]


def _is_valid(values: Mapping[str, Any]) -> bool:
    return "representations" in values and values.get("status", "valid") == "valid"


def _embargoed(drawn: Drawn) -> MemoryRegistry:
    embargo = {"status": "embargoed", "until": DAY}
    changed = {name: {**values, **embargo} if _is_valid(values) else values for name, values in drawn.items()}
    return registered(
        {
            name: {**values, "rule": {**values["rule"], **embargo}} if values.get("rule") else values
            for name, values in changed.items()
        }
    )


def _names(drawn: Drawn) -> list[str]:
    return [name for each in drawn for name in (each, f"{each}map.pdf", f"{each}.pdf", f"{each}/1997-06-01")]


def _ask(registry: MemoryRegistry, name: str, moment: datetime) -> Resolution:
    identifier = parse(name)
    finder = RememberingFinder(registry, lambda: 0.0)
    return resolve(Question(identifier, moment, (identifier.host or HOST,)), finder)


@given(registries(), LATER)
@pytest.mark.untraced
def test_an_embargo_that_ended_decides_as_a_valid_record(drawn: Drawn, later: timedelta) -> None:
    drawn = {
        name: {"record": "resource", **values} if _is_valid(values) else values
        for name, values in drawn.items()
    }
    embargoed, valid = _embargoed(drawn), registered(drawn)

    for name in filter(_is_parsed, _names(drawn)):
        assert _ask(embargoed, name, END + later) == _ask(valid, name, END + later)


@given(registries(), SOONER, st.sampled_from(sorted(FORMATS)))
@pytest.mark.untraced
def test_no_answer_shows_a_location_before_the_day(drawn: Drawn, sooner: timedelta, extension: str) -> None:
    registry, write = _embargoed(drawn), DescriptionWriter().write
    answers = IdentifierResponses(MemoryContentStore(), HOST)
    for name, values in drawn.items():
        if not _is_valid(values):
            continue
        decision, found, *_ = _ask(registry, name, END - sooner)
        if not isinstance(decision, Embargoed) or found is None:
            assert isinstance(decision, NotNormal | AnsweredElsewhere | NoSuchHost)
            continue
        response = answers.write(decision, Request("GET", f"/{name}"))
        described = Describe(found.identifier, decision.record, found, HOST, extension, negotiated=False)
        shown = f"{response.headers}{response.body.decode()}{write(described).decode()}"
        assert "data.example" not in shown


def _is_parsed(name: str) -> bool:
    try:
        return bool(parse(name))
    except ValueError:
        return False
