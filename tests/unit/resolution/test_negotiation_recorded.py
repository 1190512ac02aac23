"""The recorded choices of Apache httpd 2.4: 300 requests for media types and 80 for languages.

It refuses one of them for a parameter that no representation states; decision 23 has our reasons.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.negotiation import Preferences, choose, find_acceptable
from ginuri.resolution.negotiation.pages import prefers_page
from ginuri.resolution.negotiation.preferences import read_media_ranges
from tests.builders import representation

MEDIA_TYPES, LANGUAGES = "media-types-sample.jsonl", "languages-sample.jsonl"


def _read(shared_data: Path, name: str) -> list[dict[str, Any]]:
    text = (shared_data / "negotiation" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _header(case: dict[str, Any], name: str) -> str | None:
    values = [value for field, value in case["headers"] if field == name]
    return ", ".join(values) if values else None


def _offered(case: dict[str, Any]) -> list[Representation]:
    return [
        representation(
            each["type"],
            part=each["id"],
            language=each.get("lang"),
            quality=1.0 if each["qs"] is None else float(each["qs"]),
        )
        for each in case["variants"]
    ]


def _choose(case: dict[str, Any], accept: str | None) -> str | None:
    chosen = choose(Preferences(accept, _header(case, "Accept-Language")), _offered(case))
    return chosen.part if chosen else None


def _differing(cases: list[dict[str, Any]]) -> list[tuple[str | None, str | None, str | None]]:
    chosen = [(each, _choose(each, _header(each, "Accept"))) for each in cases]
    return [
        (_header(each, "Accept"), each["expect"], given)
        for each, given in chosen
        if given not in each.get("expect_any", [each["expect"]])
    ]


def test_media_types_are_chosen_as_recorded_except_for_unknown_parameters(shared_data: Path) -> None:
    cases = _read(shared_data, MEDIA_TYPES)

    assert len(cases) == 300
    assert _differing(cases) == [("text/html; level=1", None, "v0")]


def test_languages_are_chosen_as_recorded(shared_data: Path) -> None:
    cases = _read(shared_data, LANGUAGES)

    assert len(cases) == 80
    assert _differing(cases) == []


def _everything(accept: str | None) -> float:
    """Return the q of `*/*`; 1 without a readable header."""
    ranges = read_media_ranges(accept or "")
    return max((each.q for each in ranges if each.is_anything), default=0.0) if ranges else 1.0


def test_an_unstated_format_wins_only_by_the_weight_of_everything(shared_data: Path) -> None:
    untyped = representation(None, part="untyped", quality=0.5)
    expected, given = [], []
    for case in _read(shared_data, MEDIA_TYPES):
        accept, typed = _header(case, "Accept"), _offered(case)
        weights = [weight for _, weight in find_acceptable(accept, typed)]
        wins = not weights or _everything(accept) * untyped.quality > max(weights)
        expected.append(untyped.part if wins else _choose(case, accept))
        given.append(getattr(choose(Preferences(accept), [*typed, untyped]), "part", None))

    assert given == expected
    assert (len(given), given.count(untyped.part)) == (300, 71)


def test_a_page_replaces_only_recorded_choices_of_rdf_by_everything(shared_data: Path) -> None:
    replaced = []
    for case in [*_read(shared_data, MEDIA_TYPES), *_read(shared_data, LANGUAGES)]:
        accept, offered = _header(case, "Accept") or "", _offered(case)
        chosen = choose(Preferences(accept, _header(case, "Accept-Language")), offered)
        if chosen is not None and prefers_page(Preferences(accept), chosen, offered):
            replaced.append((chosen.media_type, accept))
            assert "text/html" in accept.lower()
            assert "text/html" not in {form.media_type for form in offered}
            assert (chosen.media_type or "") not in accept.lower()

    assert [chosen for chosen, _ in replaced] == ["application/ld+json"]


def _with_parameter(accept: str) -> str:
    """Add a parameter that no representation states to every range that names and wants a media type."""
    written = [
        each if re.search(r"\*|;\s*q\s*=\s*0(?:\.0*)?\s*$", each, re.IGNORECASE) else _insert(each)
        for each in accept.split(",")
    ]
    return ",".join(written)


def _insert(element: str) -> str:
    name, semicolon, parameters = element.partition(";")
    return f"{name};charset=utf-8{semicolon}{parameters}"


def _is_contradictory(accept: str) -> bool:
    """Return whether the same range is both wanted and refused: then the refusal alone stays literal."""
    ranges = read_media_ranges(accept)
    wanted, refused = (
        {(each.type, each.subtype) for each in ranges if bool(each.q) is is_wanted}
        for is_wanted in (True, False)
    )
    return bool(wanted & refused)


@pytest.mark.parametrize("rest", ["", ", */*;q=0.001"])
def test_an_unstated_parameter_changes_no_recorded_choice(shared_data: Path, rest: str) -> None:
    cases = [*_read(shared_data, MEDIA_TYPES), *_read(shared_data, LANGUAGES)]
    asked = [(case, accept) for case in cases if (accept := _header(case, "Accept"))]
    compared = [(case, accept) for case, accept in asked if not _is_contradictory(accept)]

    changed = [
        accept
        for case, accept in compared
        if _choose(case, f"{_with_parameter(accept)}{rest}") != _choose(case, f"{accept}{rest}")
    ]

    assert (len(asked), len(compared)) == (308, 293)
    assert changed == []
