"""Every rule that matches a name is in a record that a request for the name reads."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.memory import MemoryRegistry
from ginuri.registry.clock import BEGINNING
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.rule_records import add_cuts, put_under, raise_revision
from ginuri.registry.rules.beginnings import cover_of, record_of_rule, records_above
from ginuri.registry.rules.patterns import Pattern
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.rules import find_rule
from tests.builders import keyed, stamp

ROOTS = ("//id.example/", "uri-gin/", "doi:", "ark:")
_segments = st.text("aB7_-.:", min_size=1, max_size=6).filter(lambda text: text not in {".", ".."})
_pieces = st.sampled_from(["{p}", "{p:digits}", "{p:[0-9.]}", "{p:a|b-c}", "{+p}", "{p:digits(3)}"])


@st.composite
def _rules(draw: st.DrawFn) -> tuple[str, str]:
    root = draw(st.sampled_from(ROOTS))
    above = draw(st.lists(_segments, max_size=1 if root == "ark:" else 3))
    prefix = root + "".join(f"{segment}/" for segment in above)
    begin = "/".join(draw(st.lists(_segments, max_size=3)))
    return prefix, f"{begin}{draw(_pieces)}{draw(st.sampled_from(['', '_x', '[/{q}]', '/y']))}"


@given(_rules(), st.integers(1, 3))
def test_a_name_is_looked_up_where_matching_rules_are_stored(rule: tuple[str, str], number: int) -> None:
    prefix, pattern = rule
    root = next(each for each in ROOTS if prefix.startswith(each))
    name, record = f"{prefix}{Pattern(pattern).example(number)}", record_of_rule(prefix, pattern)

    for written in (name, name[: len(prefix)] + name[len(prefix) :].swapcase()):
        assert record in {prefix, *records_above(written, root, None)}


@given(st.lists(_rules().filter(lambda rule: rule[0].startswith("//")), min_size=1, max_size=6, unique=True))
def test_the_winner_does_not_depend_on_how_rules_are_stored(rules: list[tuple[str, str]]) -> None:
    together, apart = MemoryRegistry(), MemoryRegistry()
    for number, (prefix, pattern) in enumerate(rules):
        _store(together, prefix, pattern, prefix, number)
        _store(apart, prefix, pattern, record_of_rule(prefix, pattern), number)

    for prefix, pattern in rules:
        identifier = parse(f"{prefix}{Pattern(pattern).example()}")
        answers = []
        for registry in (together, apart):
            finder = RememberingFinder(registry, time.monotonic)
            for _ in range(2):  # cold, then from memory
                ruled = find_rule(finder.find(identifier, BEGINNING))
                answers.append(None if ruled is None else (ruled[0].prefix, ruled[0].pattern.text))
        assert len(set(answers)) == 1


def _store(registry: MemoryRegistry, prefix: str, pattern: str, name: str, number: int) -> None:
    stated = keyed({("rules", pattern, "status_code"): 404})
    held = registry.read([name, prefix, cover_of("//id.example/")])
    at = stamp(number % 60, line=number)
    statements = stated if name == prefix else put_under(prefix, stated)
    registry.write(apply(held.get(name, Record(name, {})), statements, at))
    if name != prefix:
        registry.write(raise_revision(held.get(prefix, Record(prefix, {})), at))
        cover = held.get(cover_of("//id.example/"), Record(cover_of("//id.example/"), {}))
        if cuts := add_cuts(cover, [(prefix, pattern)], at):
            registry.write(cuts)
