"""How the pieces of a rule divide a text: new rules take the longest, stored ones keep the shortest."""

from __future__ import annotations

from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.stamps import Stamp
from tests.builders import keyed
from tests.steward import Steward, line, settled

OLD = "uri-gin/azgs/old/"
RULE = line(OLD, record="rule", pattern="{a}-{b}", location="https://a.example/{a}/{b}")


def _with_stored_rule() -> Steward:
    """Return a steward of a registry with a rule from before there was `captures`."""
    steward = settled()
    stated = keyed(
        {
            ("rules", "{a}-{b}", "representations", "form   ", "first"): 0,
            ("rules", "{a}-{b}", "representations", "form   ", "location"): "https://a.example/{a}/{b}",
        }
    )
    stamp = Stamp("2001-01-01T00:00:00.000Z", "uri-gin/azgs/old.jsonl", "1", 1)
    steward.registry.write(apply(Record(OLD, {}), stated, stamp))
    return steward


def _divides(steward: Steward) -> dict[str, str]:
    [rule] = steward.registry.fetch([OLD])[OLD].rules
    pieces = rule.pattern.match("x-y-z") or {}
    return {name: pieces[name] for name in ("a", "b")}


def test_a_new_rule_divides_a_name_as_a_regular_expression_does() -> None:
    steward = settled()

    steward.upload(f"{OLD}rules.jsonl", RULE)

    assert _divides(steward) == {"a": "x-y", "b": "z"}


def test_a_stored_rule_keeps_its_shortest_pieces_when_it_is_restated() -> None:
    steward = _with_stored_rule()
    assert _divides(steward) == {"a": "x", "b": "y-z"}

    report = steward.upload(f"{OLD}rules.jsonl", RULE)

    assert report.refused == {}
    assert _divides(steward) == {"a": "x", "b": "y-z"}


def test_a_steward_may_choose_the_shortest_or_the_longest_pieces() -> None:
    steward = settled()
    stated = {"record": "rule", "pattern": "{a}-{b}", "location": "https://a.example/{a}/{b}"}

    steward.upload(f"{OLD}rules.jsonl", line(OLD, **stated, captures="shortest"))
    assert _divides(steward) == {"a": "x", "b": "y-z"}

    steward.upload(f"{OLD}rules.jsonl", line(OLD, **stated, captures="longest"))
    assert _divides(steward) == {"a": "x-y", "b": "z"}


def test_the_export_of_a_stored_rule_states_its_shortest_pieces() -> None:
    steward = _with_stored_rule()

    assert '"captures": "shortest"' in "".join(steward.exported("uri-gin/azgs/"))
