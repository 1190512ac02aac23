"""The rules that a stated rule is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ginuri import parse
from ginuri.memory import MemoryRegistry
from ginuri.registration.rows import Registration, StatedRule
from ginuri.registration.rule_neighbours import (
    ALL_OF_FEW,
    MOST_BELOW,
    RuleNeighbours,
    literal_length,
    prefixes_around,
    rule_records_around,
)
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.rule_records import put_under, raise_revision
from ginuri.registry.record.statements import Statements
from ginuri.registry.rules.beginnings import beginning_of, record_of_rule
from tests.builders import keyed, stamp

HOST, OBO = "//id.example/", "//id.example/obo/"


def _stated(prefix: str, *patterns: str) -> Registration:
    rules = dict.fromkeys(patterns, StatedRule([1]))
    return Registration(
        parse(prefix), Statements(), (), rules=rules, beginning=beginning_of(prefix, patterns[0])
    )


def _registry(*rules: tuple[str, str]) -> MemoryRegistry:
    registry = MemoryRegistry()
    for number, (prefix, pattern) in enumerate(rules, start=1):
        name = record_of_rule(prefix, pattern)
        stored = registry.read([name, prefix])
        stated = keyed({("rules", pattern, "status_code"): 404})
        statements = stated if name == prefix else put_under(prefix, stated)
        registry.write(apply(stored.get(name, Record(name, {})), statements, stamp(line=number)))
        if name != prefix:
            registry.write(raise_revision(stored.get(prefix, Record(prefix, {})), stamp()))
    return registry


def _found(registry: MemoryRegistry, stated: Registration) -> dict[str, list[str]]:
    records = dict(registry.read(prefixes_around(stated)))
    patterns = RuleNeighbours(registry).find(stated, records).patterns
    return {prefix: sorted(pattern.text for pattern in several) for prefix, several in patterns.items()}


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        ("", 0),
        ("HP_{id}", 3),
        ("{a}-{b:digits}.x", 3),
        ("x[/{+rest}]", 1),
        ("{id:[a-z]}", 0),
        ("[x{id:[0-9]}]/y", 2),
    ],
)
def test_the_literal_length_leaves_out_pieces_and_options(pattern: str, length: int) -> None:
    assert literal_length(pattern) == length


def test_prefixes_that_all_names_of_a_rule_are_under_matter() -> None:
    stated = _stated(OBO, "map/new/HP_{id}/x", "{a}/b/", "log/x")

    assert prefixes_around(stated) == [OBO, HOST, f"{OBO}map/", f"{OBO}map/new/", f"{OBO}log/"]
    assert prefixes_around(_stated(OBO, "")) == [OBO, HOST]


def test_records_of_shorter_beginnings_matter() -> None:
    assert rule_records_around(_stated(OBO, "a/b_{id}")) == [
        f"rules {OBO}a/b_",
        f"rules {OBO}",
        f"rules {OBO}a/",
    ]


@pytest.mark.parametrize(
    ("stated", "others", "found"),
    [
        ((OBO, "HP_{id}"), [(OBO, "HP_{id:digits}"), (OBO, "DO_{id}"), (OBO, "hp_x{id}")], {OBO: 2}),
        ((OBO, "HP_{id}"), [(HOST, "obo/HP_{id}"), (HOST, "obo/{id}"), (OBO, "{id}")], {HOST: 2, OBO: 1}),
        # all rules of a longer beginning are more literal
        ((OBO, "HP_{id}"), [(OBO, "HP_1_{id}")], {}),
        # a longer prefix wins over a shorter one, however literal its pattern is
        ((OBO, "HP_{id}"), [(HOST, "obo/HP_1_{id}")], {HOST: 1}),
        ((OBO, ""), [(HOST, "obo/HP_1_{id}"), (HOST, "other/{id}")], {HOST: 1}),
        # equally literal
        ((OBO, "{id}_x"), [(OBO, "a_{id}"), (OBO, "b_{id}")], {OBO: 2}),
        # all names of the stated rule are under the beginning of the other
        ((OBO, "HP_{id:digits}"), [(f"{OBO}x/", "{id}")], {}),
        ((OBO, "x/HP_{id}"), [(f"{OBO}x/", "HP_{id:digits}"), (f"{OBO}x/", "{+rest}a")], {f"{OBO}x/": 2}),
    ],
)
def test_only_rules_that_may_equal_or_hide_another_are_found(
    stated: tuple[str, str], others: Sequence[tuple[str, str]], found: dict[str, int]
) -> None:
    registry = _registry(*others)

    numbers = {prefix: len(several) for prefix, several in _found(registry, _stated(*stated)).items()}

    assert numbers == found


def test_few_longer_beginnings_are_all_read() -> None:
    registry = _registry(*((OBO, f"a{number}_{{id}}") for number in range(ALL_OF_FEW - 1)))

    assert len(_found(registry, _stated(OBO, "{id}"))[OBO]) == ALL_OF_FEW - 1


def test_many_longer_beginnings_are_read_only_if_they_are_short() -> None:
    registry = _registry((OBO, "b_{id}"), *((OBO, f"a{number:03d}_{{id}}") for number in range(ALL_OF_FEW)))

    assert _found(registry, _stated(OBO, "{id}")) == {}
    assert _found(registry, _stated(OBO, "{id}_x")) == {OBO: ["b_{id}"]}


def test_a_rule_that_may_meet_too_many_others_is_not_compared() -> None:
    registry = _registry((OBO, "b_{id}"))
    registry._beginnings[OBO] |= {f"{number:05d}_" for number in range(MOST_BELOW)}  # noqa: SLF001  quicker
    stated = _stated(OBO, "{id}/download")

    records = dict(registry.read(prefixes_around(stated)))

    assert RuleNeighbours(registry).find(stated, records).is_crowded
    assert not RuleNeighbours(registry).find(_stated(OBO, "{id}"), records).is_crowded


def test_rules_that_the_upload_retires_are_left_out() -> None:
    registry = _registry((OBO, "a_{id}"), (OBO, "A_{id}"))
    stated = _stated(OBO, "{id}_x")

    records = dict(registry.read(prefixes_around(stated)))
    found = RuleNeighbours(registry, {(OBO, "a_{id}")}).find(stated, records)

    assert [pattern.text for pattern in found.patterns[OBO]] == ["A_{id}"]
