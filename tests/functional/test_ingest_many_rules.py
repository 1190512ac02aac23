"""Any number of rules under a prefix: stored by their literal beginnings, found in one call."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from ginuri import parse
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.ingest.collaborators import Limits
from ginuri.memory import MemoryQueue, MemoryRegistry
from ginuri.registration.checks.rule_conflicts import MOST_RULES
from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import Registered
from ginuri.registry.ports import NamePage, UploadRegistry
from ginuri.registry.record.record import Change, Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import FIRST
from ginuri.registry.rules.beginnings import record_of_rule
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.rules import find_rule
from tests.aws import dynamodb_client, new_table
from tests.builders import keyed
from tests.steward import Report, Steward, line, settled

AZGS, DOC, OLD = "uri-gin/azgs/", "uri-gin/azgs/doc/", "uri-gin/azgs/old/"
RULES = "uri-gin/azgs/rules.jsonl"
A, B = "https://a.example/", "https://b.example/"


def _rule(prefix: str, pattern: str = "", **fields: Any) -> str:
    stated = {"location": f"{A}{{rest}}", **({"pattern": pattern} if pattern else {}), **fields}
    return line(prefix, record="rule", **stated)


def _patterns(steward: Steward, prefix: str) -> list[str]:
    return [rule.pattern.text for rule in steward.rules(prefix)]


class _Reader:
    """Reads from a registry, and records the names."""

    def __init__(self, registry: UploadRegistry) -> None:
        self._registry = registry
        self.asked: list[list[str]] = []

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        self.asked.append(list(names))
        return self._registry.fetch(names)

    def near(self, folded: str) -> Sequence[str]:
        return self._registry.near(folded)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        return self._registry.beside(container, name, is_after=is_after)


def _finder(steward: Steward) -> tuple[RememberingFinder, _Reader]:
    reader = _Reader(steward.registry)
    return RememberingFinder(reader, time.monotonic), reader


def _answer(finder: RememberingFinder, name: str) -> tuple[str, str] | None:
    ruled = find_rule(finder.find(parse(name), BEGINNING))
    return None if ruled is None else (ruled[0].prefix, ruled[0].pattern.text)


# -- answers


def test_a_rule_among_many_is_found_in_one_call() -> None:
    steward = settled()
    steward.upload(RULES, "".join(_rule(OLD, f"X{number}_{{id}}") for number in range(300)))
    finder, reader = _finder(steward)

    assert _answer(finder, f"{OLD}X17_1") == (OLD, "X17_{id}")
    assert len(reader.asked) == 1

    assert _answer(finder, f"{OLD}X18_1") == (OLD, "X18_{id}")
    assert reader.asked[1:] == [[f"{OLD}X18_1", record_of_rule(OLD, "X18_{id}")]]


def test_names_under_other_prefixes_cost_no_key() -> None:
    steward = settled()
    steward.upload(RULES, _rule(OLD, "X_{id}") + line(f"{DOC}a_1-b.c", kind="document"))
    finder, reader = _finder(steward)
    finder.find(parse(f"{DOC}x"), BEGINNING)

    finder.find(parse(f"{DOC}a_1-b/"), BEGINNING)
    finder.find(parse(f"{OLD}a-1"), BEGINNING)

    assert reader.asked[1:] == [[f"{DOC}a_1-b/"], [f"{OLD}a-1", OLD]]


def test_the_longest_prefix_wins_then_the_most_literal_pattern() -> None:
    steward = settled()
    steward.upload(
        RULES,
        _rule(AZGS, "old/HP_{id}/{+rest}")
        + _rule(AZGS, "old/{+rest}")
        + _rule(OLD, "HP_{id}")
        + _rule(OLD, "hp_{id}")
        + _rule(OLD, "HP_{id:digits}")
        + _rule(OLD, "{id}_x"),
    )
    finder, _ = _finder(steward)

    assert _answer(finder, f"{OLD}HP_17") == (OLD, "HP_{id:digits}")
    assert _answer(finder, f"{OLD}HP_a") == (OLD, "HP_{id}")
    assert _answer(finder, f"{OLD}hp_a") == (OLD, "hp_{id}")
    assert _answer(finder, f"{OLD}HP_x") == (OLD, "HP_{id}")
    assert _answer(finder, f"{OLD}DO_x") == (OLD, "{id}_x")
    assert _answer(finder, f"{OLD}HP_17/a") == (AZGS, "old/HP_{id}/{+rest}")
    assert _answer(finder, f"{OLD}DO_17") == (AZGS, "old/{+rest}")


def test_a_registered_name_comes_before_a_rule_of_its_beginning() -> None:
    steward = settled()
    steward.upload(RULES, _rule(OLD, "HP_{id}") + line(f"{OLD}HP_1", kind="document", location=B))
    finder, _ = _finder(steward)

    assert finder.find(parse(f"{OLD}HP_1"), BEGINNING).record is not None


def test_several_names_are_found_with_their_rules_at_once() -> None:
    steward = settled()
    steward.upload(RULES, "".join(_rule(OLD, f"X{number}_{{id}}") for number in range(5)))
    finder, reader = _finder(steward)

    found = finder.find_many([parse(f"{OLD}X{number}_1") for number in range(7)], BEGINNING)

    ruled = [find_rule(each) for each in found]
    assert [each[0].pattern.text if each else None for each in ruled] == [
        *(f"X{number}_{{id}}" for number in range(5)),
        None,
        None,
    ]
    assert len(reader.asked) == 2  # the cuts are known after the first


# -- registration


def test_each_rule_has_its_verdict_and_only_the_prefix_is_a_member() -> None:
    steward = settled()

    report = steward.upload(RULES, _rule(OLD, "X_{id}") + _rule(OLD, "Y_{id}") + _rule(OLD, "{id}_yz"))

    assert report.counts == {"registered": 3}
    assert [each.identifier for each in report.verdicts] == [OLD] * 3
    assert [each["pattern"] for each in report.whole["verdicts"]] == ["X_{id}", "Y_{id}", "{id}_yz"]
    assert steward.memory.members(AZGS, most=10).names == (DOC, OLD)
    assert steward.memory.count(OLD, 10) == 1


def test_rules_of_one_prefix_are_processed_in_several_parts() -> None:
    steward = settled()
    steward.limits = Limits(task_rows=100, chunk_rows=150)
    content = "".join(_rule(OLD, f"X{number}_{{id}}") for number in range(600))

    report = steward.upload(RULES, content, many="yes")

    assert report.counts == {"registered": 600}
    assert len(_patterns(steward, OLD)) == 600
    assert len([key for key in steward.files.reports if "/verdicts/register/" in key]) >= 6


def test_a_dry_run_in_parts_judges_rules_by_those_of_earlier_parts() -> None:
    content = "".join(_rule(OLD, f"X{number}_{{id}}") for number in range(300))
    content += _rule(OLD, "{id}/X_1/abc") + _rule(f"{OLD}x7/", "a_{id}") + _rule(OLD, "x7/a_{id}")
    dry, real = settled(), settled()
    dry.limits = real.limits = Limits(task_rows=50, chunk_rows=70)

    preview, report = dry.try_out(RULES, content), real.upload(RULES, content, many="yes")

    assert preview.counts == report.counts == {"registered": 302, "refused": 1}
    assert preview.refused == report.refused
    assert dry.memory.beginnings(OLD).names == ()


def test_a_repeated_upload_changes_nothing() -> None:
    steward = settled()
    content = "".join(_rule(OLD, f"X{number}_{{id}}") for number in range(30))
    steward.upload(RULES, content)
    revision = steward.registry.read([OLD])[OLD].revision

    report = steward.upload(RULES, content)

    assert report.counts == {"unchanged": 30}
    assert steward.registry.read([OLD])[OLD].revision == revision


def test_a_beginning_has_a_limit_and_a_prefix_none() -> None:
    steward = settled()
    rules = [_rule(OLD, f"{number % 2}/{{id}}/{number}") for number in range(2 * MOST_RULES + 2)]

    report = steward.upload(RULES, "".join(rules), many="yes")

    assert list(report.refused) == [(2 * MOST_RULES + 1,), (2 * MOST_RULES + 2,)]
    [refused] = [each for each in report.verdicts if each.lines == (2 * MOST_RULES + 1,)]
    assert f"At most 250 rules may begin with {OLD}0/." in refused.findings[0]["message"]
    assert len(_patterns(steward, OLD)) == 2 * MOST_RULES


class _ListedRegistry(MemoryRegistry):
    """A registry that records from where the beginnings of a prefix were listed."""

    def __init__(self) -> None:
        super().__init__()
        self.listed_after: list[str] = []

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = 1_000) -> NamePage:
        self.listed_after.append(after)
        return super().beginnings(prefix, start, after, most)


@pytest.mark.untraced
def test_beginnings_that_are_too_long_to_matter_are_passed_over() -> None:
    registry = _ListedRegistry()
    steward = settled(registry)
    long = "".join(_rule(OLD, f"wells/of/the/county/{number:04d}/{{id}}") for number in range(3_500))
    steward.upload(RULES, long + _rule(OLD, "wells{id}.tiff"), many="yes")
    registry.listed_after.clear()

    report = steward.upload("uri-gin/azgs/more.jsonl", _rule(OLD, "well{id}/map"))

    assert report.counts == {"registered": 1}
    assert [each for each in registry.listed_after if each] == ["wells/of\x7f"]
    assert _answer(_finder(steward)[0], f"{OLD}wells1/map") == (OLD, "well{id}/map")


def test_older_rules_stay_in_the_record_of_their_prefix() -> None:
    steward = settled()
    form = ("rules", "X_{id}", "representations", "form   ")
    old: dict[tuple[str, ...], Any] = {(*form, "location"): B, (*form, FIRST): 0}
    steward.registry.write(
        apply(Record(OLD, {}), keyed(old), Stamp("2010-01-01T00:00:00.000Z", RULES, "v0", 1))
    )

    report = steward.upload(
        RULES, _rule(OLD, "X_{id}") + _rule(OLD, "X_{a:digits}") + _rule(OLD, "x_{b:digits}")
    )

    assert report.counts == {"registered": 2, "changed": 1}
    [own] = steward.registry.fetch([OLD])[OLD].rules
    assert (own.pattern.text, own.answer.representations[0].location) == ("X_{id}", f"{A}{{rest}}")
    assert _patterns(steward, OLD) == ["x_{b:digits}", "X_{a:digits}", "X_{id}"]
    assert steward.upload(RULES, _rule(OLD, "X_{c:digits}")).counts == {"refused": 1}
    finder, _ = _finder(steward)
    assert _answer(finder, f"{OLD}X_a") == (OLD, "X_{id}")
    assert _answer(finder, f"{OLD}X_1") == (OLD, "X_{a:digits}")


def test_a_rule_is_refused_for_one_of_another_beginning() -> None:
    steward = settled()
    steward.upload(
        RULES, _rule(AZGS, "old/map/HP_{id}") + _rule(OLD, "a_{id}") + _rule(f"{OLD}map/", "x{id}")
    )

    longer = steward.upload(RULES, _rule(OLD, "map/HP_{id}"))
    equal = steward.upload(RULES, _rule(OLD, "{id}_a"))
    hidden = steward.upload(RULES, _rule(AZGS, "old/map/x{id}"))

    assert longer.refused == hidden.refused == {(1,): [("pattern", "can win")]}
    assert equal.refused == {(1,): [("pattern", "one winner")]}


def test_a_rule_on_an_authority_is_registered_with_it() -> None:
    steward = settled()
    authority = "uri-gin/cgi/"

    report = steward.upload(
        "_host/cgi.jsonl",
        _rule(authority, "X_{id}") + line(authority, record="authority", title="CGI"),
    )

    assert report.counts == {"registered": 2}
    assert _patterns(steward, authority) == ["X_{id}"]


def test_a_snapshot_retires_the_rules_of_absent_prefixes() -> None:
    steward = settled()
    steward.upload(RULES, _rule(OLD, "X_{id}") + _rule(OLD, "{id}_yz") + line(f"{DOC}a"))

    report = steward.upload(RULES, line(f"{DOC}a"), snapshot="uri-gin/azgs/", many="yes")

    assert _patterns(steward, OLD) == []
    assert report.counts["changed"] == 3


# -- at the same moment


class _Rival(MemoryRegistry):
    """A registry with another writer, who writes a rule just before we do."""

    rival: Callable[[], object] | None = None

    def write(self, *changes: Change) -> None:
        if self.rival is not None and _has_rules(changes):
            rival, self.rival = self.rival, None
            rival()
        super().write(*changes)


class _RivalTable(DynamoRegistry):
    """The same in DynamoDB Local, whose transactions have at most ten items."""

    most_written = 10
    rival: Callable[[], object] | None = None

    def write(self, *changes: Change) -> None:
        if self.rival is not None and _has_rules(changes):
            rival, self.rival = self.rival, None
            rival()
        super().write(*changes)


def _has_rules(changes: Sequence[Change]) -> bool:
    return any("rules" in change.after.values() for change in changes)


HOST = "https://id.azgs.example/"
CONTRADICTIONS = {
    "equally literal patterns of two beginnings": (_rule(OLD, "a_{x}"), _rule(OLD, "{x}_b")),
    "equally literal patterns of one beginning": (_rule(OLD, "a_{x}-1"), _rule(OLD, "a_1-{x}")),
    "a rule that a longer prefix hides": (_rule(f"{OLD}map/", "HP_{id}"), _rule(OLD, "map/HP_{id}")),
    "a rule for everything of a longer prefix": (_rule(f"{OLD}map/"), _rule(OLD, "map/{id}")),
    "a circle of two prefixes": (
        _rule(OLD, "m_{id}", location=f"{HOST}{DOC}n_{{id}}"),
        _rule(DOC, "n_{id}", location=f"{HOST}{OLD}m_{{id}}"),
    ),
    "a circle of a rule above and one below": (
        _rule(AZGS, "{id}.old", location=f"{HOST}{OLD}m_{{id}}"),
        _rule(OLD, "m_{id}", location=f"{HOST}{AZGS}{{id}}.old"),
    ),
}


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("contradiction", CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
@pytest.mark.parametrize("kind", ["memory", "dynamodb-local"])
@pytest.mark.untraced
def test_one_of_two_contradicting_rules_at_one_moment_wins(
    kind: str,
    contradiction: tuple[str, str],
    is_reversed: bool,  # noqa: FBT001  a parameter of pytest's
    request: pytest.FixtureRequest,
) -> None:
    first, second = reversed(contradiction) if is_reversed else contradiction
    steward = settled(_rival_registry(kind, request))
    trusted = line(AZGS, record="authority", trusted_hosts=["id.azgs.example"])
    steward.upload("_host/azgs.jsonl", trusted)
    rivals = Steward(steward.registry)
    rivals.files, rivals.queue = steward.files, MemoryQueue()
    faster = steward.put("uri-gin/azgs/faster.jsonl", first)
    registry: Any = steward.registry

    registry.rival = lambda: rivals.deliver(faster)
    report = steward.upload(RULES, second)

    reports: list[Report] = [report, rivals.report(faster)]
    assert [each.counts.get("refused", 0) for each in reports] == [1, 0]


def _rival_registry(kind: str, request: pytest.FixtureRequest) -> UploadRegistry:
    if kind == "memory":
        return _Rival()
    client = dynamodb_client(request.getfixturevalue("dynamodb_local"))
    return _RivalTable(client, new_table(client))


def test_rules_that_fit_no_transaction_are_written_in_several(dynamodb_local: str) -> None:
    client = dynamodb_client(dynamodb_local)
    registry = _RivalTable(client, new_table(client))
    steward = settled(registry)

    report = steward.upload(RULES, "".join(_rule(OLD, f"X{number}_{{id}}") for number in range(20)))

    assert report.counts == {"registered": 20}
    assert len(_patterns(steward, OLD)) == 20
