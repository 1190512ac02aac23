"""Conflicts of a rule with the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ginuri import parse
from ginuri.registration.checks.rule_conflicts import MOST_RULES, SurroundingRules, judge_rules
from ginuri.registration.verdicts import Finding, Level
from ginuri.registry.record.serialization import Path
from ginuri.registry.rules.patterns import Pattern
from tests.builders import keyed

DOC = "uri-gin/azgs/doc/"
MAPS = f"{DOC}map/"


def _states(*patterns: str, location: str = "https://a.example/", **more: Any) -> dict[Path, Any]:
    stated: dict[Path, Any] = {}
    for pattern in patterns:
        stated["rules", pattern, "representations", "form   ", "location"] = location
        stated |= {("rules", pattern, name): value for name, value in more.items()}
    return stated


def _neighbours(
    patterns: Mapping[str, Sequence[str]], lines: Mapping[tuple[str, str], int] | None = None
) -> SurroundingRules:
    read = {prefix: [Pattern(text) for text in texts] for prefix, texts in patterns.items()}
    return SurroundingRules(read, lines or {})


def _judge(
    prefix: str, stated: Mapping[Path, Any], neighbours: Mapping[str, Sequence[str]] | None = None
) -> list[Finding]:
    found = judge_rules(parse(prefix), keyed(stated).rules(), _neighbours(neighbours or {}))
    return [finding for findings in found.values() for finding in findings]


def _refused(
    prefix: str, stated: Mapping[Path, Any], neighbours: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    return [finding.rule for finding in _judge(prefix, stated, neighbours) if finding.level is Level.REFUSED]


def test_a_single_rule_has_no_conflict() -> None:
    assert _judge(DOC, _states("{county}/{id}/")) == []


def test_a_rule_belongs_to_a_prefix_with_a_final_slash() -> None:
    assert _refused("uri-gin/azgs/doc", _states("{id}")) == ["rule"]


# -- at the same prefix


@pytest.mark.parametrize(("stated", "other"), [("{a}-1", "1-{b}"), ("{a}", "{b}"), ("{a}/x", "x/{b}")])
def test_two_rules_without_a_clear_winner_are_refused(stated: str, other: str) -> None:
    assert _refused(DOC, _states(stated), {DOC: [other]}) == ["one winner"]
    assert _refused(DOC, _states(stated, other)) == ["one winner"]


@pytest.mark.parametrize(
    ("stated", "other"),
    [
        ("HP_{id}", "{id}"),  # the more literal one wins
        ("HP_{id}", "WX_{id}"),  # no name matches both
        ("{id}/", "{id}."),
        ("{id}", "{id}"),  # stated again
        ("", ""),
        ("{id}", ""),
    ],
)
def test_two_rules_with_a_clear_winner_are_accepted(stated: str, other: str) -> None:
    assert _refused(DOC, _states(stated), {DOC: [other]}) == []
    assert _refused(DOC, _states(other), {DOC: [stated]}) == []
    assert _refused(DOC, _states(stated, other)) == []


def test_a_refusal_names_both_rules_and_their_lines() -> None:
    lines = {(DOC, "{a}-1"): 4, (DOC, "1-{b}"): 7}
    found = judge_rules(parse(DOC), keyed(_states("{a}-1")).rules(), _neighbours({DOC: ["1-{b}"]}, lines))

    [finding] = found["{a}-1"]

    assert f"{DOC}{{a}}-1 in line 4" in str(finding.message)
    assert f"{DOC}1-{{b}} in line 7" in str(finding.message)


# -- at a longer or a shorter one


def test_a_rule_left_without_names_by_a_longer_prefix_is_refused() -> None:
    assert _refused(DOC, _states("map/{id}"), {MAPS: [""]}) == ["can win"]
    assert _refused(DOC, _states("map/new/{id}"), {MAPS: [""]}) == ["can win"]


def test_a_rule_that_takes_every_name_of_a_shorter_prefix_is_refused() -> None:
    assert _refused(MAPS, _states(""), {DOC: ["map/{id}"]}) == ["can win"]


@pytest.mark.parametrize(
    ("at_doc", "at_maps"),
    [
        ("map/{id}/", "{x}/"),
        ("map/HP_{id}", "HP_{x}"),
        ("map/{a}/{b}", "{c}/{d}"),
        ("map/x", "x"),
        ("map/201{id}", "20{+rest}"),
        ("map/{a}/{b:digits}", "{c}/{+rest}"),
    ],
)
def test_a_rule_fully_covered_by_a_longer_prefix_is_refused(at_doc: str, at_maps: str) -> None:
    assert _refused(DOC, _states(at_doc), {MAPS: [at_maps]}) == ["can win"]
    assert _refused(MAPS, _states(at_maps), {DOC: [at_doc]}) == ["can win"]


@pytest.mark.parametrize(
    ("at_doc", "at_maps"),
    [
        ("", ""),  # the first matches names that are not under the second
        ("{a}/{b}", ""),
        ("map/{id}", "{x}/"),
        ("map/{id}", "HP_{x}"),
        ("maps/{id}", ""),
        ("map{id}/x", ""),
        ("map/", ""),  # the prefix itself is not under the prefix
    ],
)
def test_rules_of_nested_prefixes_coexist_if_each_can_win(at_doc: str, at_maps: str) -> None:
    assert _refused(DOC, _states(at_doc), {MAPS: [at_maps]}) == []
    assert _refused(MAPS, _states(at_maps), {DOC: [at_doc]}) == []


def test_a_longer_prefix_wins_beside_a_rule_for_everything() -> None:
    assert _refused(DOC, _states("map/{id}/", ""), {MAPS: ["{x}.pdf"]}) == []


# -- limits


def test_a_rule_beside_too_many_of_its_beginning_is_refused() -> None:
    others = frozenset((MAPS, f"{number}") for number in range(MOST_RULES))
    stated = keyed(_states("map/{id}")).rules()

    [full] = judge_rules(parse(DOC), stated, SurroundingRules(at_home=others))["map/{id}"]
    restated = judge_rules(parse(DOC), stated, SurroundingRules(at_home=others | {(DOC, "map/{id}")}))

    assert (full.rule, full.level) == ("size", Level.REFUSED)
    assert f"begin with {MAPS}" in str(full.message)
    assert restated == {"map/{id}": []}


def test_a_rule_that_may_meet_too_many_others_is_refused() -> None:
    found = judge_rules(parse(DOC), keyed(_states("{id}")).rules(), SurroundingRules(is_crowded=True))

    assert [finding.rule for finding in found["{id}"]] == ["size"]


# -- the answer of a rule


def test_a_rule_stores_nothing() -> None:
    stated: dict[Path, Any] = {("rules", "{id}", "representations", "form   ", "file"): {"key": "a.pdf"}}

    assert _refused(DOC, stated) == ["rule"]


def test_a_rule_without_location_or_error_status_gets_a_warning() -> None:
    [nowhere] = _judge(DOC, {("rules", "{id}", "title", ""): "Well"})
    assert (nowhere.level, nowhere.field, nowhere.rule) == (Level.WARNED, "location", "nowhere")

    assert _judge(DOC, {("rules", "{id}", "status_code"): 410}) == []
    assert _judge(DOC, {("rules", "{id}", "status"): "retired"}) == []


# -- shown by an identifier


def _messages(prefix: str, stated: Mapping[Path, Any], other: Mapping[str, Sequence[str]]) -> list[str]:
    return [str(finding.message) for finding in _judge(prefix, stated, other)]


def test_a_refusal_shows_an_identifier_of_both_rules() -> None:
    [message] = _messages(DOC, _states("{a}-1"), {DOC: ["1-{b}"]})

    assert f"such as {DOC}1-1" in message


def test_a_rule_covered_by_a_better_one_of_its_prefix_is_refused() -> None:
    [message] = _messages(DOC, _states("{x:abc|abd}"), {DOC: ["ab{+rest}"]})

    assert "never apply" in message
    assert f"such as {DOC}abc" in message
    assert _refused(DOC, _states("ab{+rest}"), {DOC: ["{x:abc|abd}"]}) == ["can win"]


def test_a_rule_covered_by_several_better_ones_gets_a_warning() -> None:
    better = ["{a:[0-4](1)}", "{b:[5-9](1)}"]

    [finding] = _judge(DOC, _states("{c:digits(1)}"), {DOC: better})

    assert (finding.level, finding.rule) == (Level.WARNED, "can win")
    assert f"{DOC}{better[0]}" in str(finding.message)
    assert _judge(DOC, _states("{c:digits}"), {DOC: better}) == []


def test_the_last_of_several_rules_that_cover_another_gets_a_warning() -> None:
    [finding] = _judge(DOC, _states("{b:[5-9](1)}"), {DOC: ["{a:[0-4](1)}", "{c:digits(1)}"]})

    assert finding.level is Level.WARNED
    assert f"{DOC}{{c:digits(1)}} never applies again" in str(finding.message).replace("the rule ", "")


@pytest.mark.parametrize(
    ("prefix", "pattern"),
    [
        ("ark:99999/", "q7-{+rest}"),
        ("ark:99999/", "{id}/"),
        ("ark:99999/", "{id}."),
        ("//a.example/", "ark:{+rest}"),
        ("//a.example/", "info:{a}/{+rest}"),
        ("//a.example/", "uri-gin/{+rest}"),
    ],
)
def test_a_pattern_that_no_identifier_can_match_is_refused(prefix: str, pattern: str) -> None:
    prefix = f"http:{prefix}" if prefix.startswith("//") else prefix

    assert _refused(prefix, _states(pattern)) == ["can win"]


@pytest.mark.parametrize(
    ("prefix", "pattern"), [("ark:99999/", "{+rest}[-x]"), ("//a.example/", "{scheme}:{+rest}")]
)
def test_a_pattern_that_some_identifiers_match_is_accepted(prefix: str, pattern: str) -> None:
    prefix = f"http:{prefix}" if prefix.startswith("//") else prefix

    assert _refused(prefix, _states(pattern)) == []


def test_rules_that_ignore_case_are_compared_without_it() -> None:
    assert _refused(DOC, _states("HP_{id}", ignore_case=True), {DOC: ["hp_{id}"]}) == ["one winner"]
    assert _refused(DOC, _states("HP_{id}"), {DOC: ["hp_{id}"]}) == []


def test_rules_too_intricate_to_compare_are_refused_if_neither_precedes() -> None:
    one, other = "{a:digits(1,250)}{b:hex(1,250)}", "{c:hex(1,250)}{d:digits(1,250)}"
    equal = ["{a:alnum(1,250)}{b:hex(1,250)}z/y", "{c:hex(1,250)}{d:alnum(1,250)}/zy"]

    assert _refused(DOC, _states(one), {DOC: [other]}) == ["one winner"]
    assert _refused(DOC, _states(equal[0]), {DOC: [equal[1]]}) == []


def test_rules_too_intricate_to_compare_get_a_warning_if_one_precedes() -> None:
    stated, better = "map/{a:alnum(1,250)}{b:hex(1,250)}", "{c:alnum(1,250)}{d:alnum(1,250)}"

    [finding] = _judge(DOC, _states(stated), {MAPS: [better]})

    assert (finding.level, finding.rule) == (Level.WARNED, "too intricate")
