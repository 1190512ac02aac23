"""What Apache httpd 2.4 chose, recorded: 300 requests for media types and 80 for languages.

One of them it refuses for a parameter that no representation states; decision 23 says why we do not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from tests.builders import representation


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


def _differing(cases: list[dict[str, Any]], *, is_strict: bool = False) -> list[dict[str, Any]]:
    differing = []
    for case in cases:
        preferences = Preferences(_header(case, "Accept"), _header(case, "Accept-Language"))
        chosen = choose(preferences, _offered(case), is_strict=is_strict)
        given = chosen.part if chosen else None
        if given not in case.get("expect_any", [case["expect"]]):
            differing.append({**case, "given": given})
    return differing


def test_media_types_are_chosen_as_recorded(shared_data: Path) -> None:
    cases = _read(shared_data, "media-types-sample.jsonl")

    assert len(cases) == 300
    assert _differing(cases, is_strict=True) == []


def test_what_was_refused_for_a_parameter_that_nobody_states_is_given(shared_data: Path) -> None:
    cases = _read(shared_data, "media-types-sample.jsonl")

    assert [(_header(each, "Accept"), each["expect"], each["given"]) for each in _differing(cases)] == [
        ("text/html; level=1", None, "v0")
    ]


def test_languages_are_chosen_as_recorded(shared_data: Path) -> None:
    cases = _read(shared_data, "languages-sample.jsonl")

    assert len(cases) == 80
    assert _differing(cases) == []
