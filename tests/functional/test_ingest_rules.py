"""Rules and aliases in uploads: accepted, or refused with both lines named."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from ginuri.memory import MemoryQueue, MemoryRegistry
from ginuri.registration.checks.rule_conflicts import MOST_RULES
from ginuri.registry.model import Alias, Prefix, Registered, ResourceType
from ginuri.registry.record.record import Change
from tests.steward import Report, Steward, line, settled

DOC = "uri-gin/azgs/doc/"
OLD = "uri-gin/azgs/old/"
RULES = "uri-gin/azgs/rules.jsonl"
A, B = "https://a.example/", "https://b.example/"


def _rule(prefix: str = DOC, pattern: str = "", **fields: Any) -> str:
    return line(prefix, record="rule", **({"pattern": pattern} if pattern else {}), **fields)


def _fetched(steward: Steward, identifier: str) -> Registered | None:
    return steward.registry.fetch([identifier]).get(identifier)


def _patterns(steward: Steward, prefix: str) -> list[str]:
    return [rule.pattern.text for rule in steward.rules(prefix)]


def _broken(report: Report) -> list[tuple[str, str]]:
    return [broken for each in report.verdicts if each.verdict == "refused" for broken in each.broken]


def _message(report: Report) -> str:
    [heard] = report.verdicts
    return heard.findings[0]["message"]


# -- accepted rules


def test_the_rules_of_a_prefix_are_ordered_by_literalness() -> None:
    steward = settled()

    report = steward.upload(
        RULES,
        _rule(location=f"{A}{{+rest}}")
        + _rule(pattern="HP_{id}", location=f"{A}{{id}}")
        + _rule(pattern="{id}", location=f"{A}x/{{id}}"),
    )

    assert report.counts == {"registered": 3}
    assert _patterns(steward, DOC) == ["HP_{id}", "{id}", ""]


def test_expressions_in_a_table_become_rules_without_surrounding_blanks() -> None:
    steward = settled()

    report = steward.upload(
        "uri-gin/azgs/pids.csv",
        "id,target\n"
        f"https://c.example/{DOC}1, {A}1 \n"
        f" https://c.example/{OLD}(.*)$ ,\t{A}old/$1\n"
        f"https://c.example/{OLD}HP_([^/]+)$, {B}$1\n"
        f"https://c.example/{OLD}([0-9_]+).*$, {B}summary/$1\n"
        f"https://c.example/{OLD}([0-9_]+)-\\1$, {B}$1\n",
    )

    rules = steward.rules(OLD)
    assert report.refused == {(6,): [("identifier", "expression")]}
    assert (steward.values(f"{DOC}1") or {})["representations"]["form   "]["location"] == f"{A}1"
    assert [(rule.pattern.text, rule.answer.representations[0].location) for rule in rules] == [
        ("HP_{piece1}", f"{B}{{+piece1}}"),
        ("{id:[0-9_]}[{+rest}]", f"{B}summary/{{+id}}"),
        ("", f"{A}old/{{+rest}}"),
    ]


def test_a_rule_states_the_kind_of_its_names_and_is_exported() -> None:
    steward = settled()

    report = steward.upload(
        RULES, _rule(OLD, "{v:digits}/{+rest}", location=f"{A}{{+rest}}", kind="document")
    )

    assert report.counts == {"registered": 1}
    [again] = [each for each in steward.exported("uri-gin/azgs/") if OLD in each]
    assert '"kind": "document"' in again
    assert '"pattern": "{v:digits}/{+rest}"' in again
    assert steward.upload(RULES, again).counts == {"unchanged": 1}


def test_a_rule_changes_no_field_of_the_type_on_its_prefix() -> None:
    steward = settled()
    before = _fetched(steward, DOC)

    steward.upload(RULES, _rule(title="Somewhere else", location=f"{A}{{+rest}}"))

    after = _fetched(steward, DOC)
    assert before is not None
    assert after is not None
    assert (type(after), after.titles) == (type(before), before.titles)


def test_an_unregistered_prefix_may_have_only_rules() -> None:
    steward = settled()

    report = steward.upload(RULES, _rule(OLD, location=f"{A}{{+rest}}"))

    assert report.counts == {"registered": 1}
    assert isinstance(_fetched(steward, OLD), Prefix)


def test_a_prefix_with_rules_may_get_any_fitting_record() -> None:
    steward = settled()
    steward.upload(RULES, _rule(OLD, location=f"{A}{{+rest}}"))

    report = steward.upload(RULES, line(OLD, record="resource-type"))

    assert report.counts == {"changed": 1}
    assert _patterns(steward, OLD) == [""]


def test_one_upload_may_state_rules_and_types_in_any_order() -> None:
    steward = settled()

    report = steward.upload(
        RULES, _rule(OLD, location=f"{A}{{+rest}}") + line(OLD, record="resource-type", title="Old")
    )

    assert report.counts == {"registered": 2}
    record = _fetched(steward, OLD)
    assert record is not None
    assert (record.titles, _patterns(steward, OLD)) == ({"": "Old"}, [""])


def test_a_rule_on_an_authority_is_registered_from_its_folder() -> None:
    steward = settled()

    report = steward.upload(RULES, _rule("uri-gin/azgs/", location=f"{A}{{+rest}}"))

    assert _broken(report) == []
    assert _patterns(steward, "uri-gin/azgs/") == [""]


def test_a_rule_outside_the_folder_is_refused() -> None:
    report = settled().upload(RULES, _rule("uri-gin/usgin/doc/", location=f"{A}{{+rest}}"))

    assert _broken(report) == [("identifier", "folder")]


def test_a_rule_belongs_to_a_prefix() -> None:
    report = settled().upload(RULES, _rule("uri-gin/azgs/doc", location=f"{A}{{+rest}}"))

    assert ("identifier", "rule") in _broken(report)


def test_a_table_states_rules_and_aliases() -> None:
    steward = settled()

    report = steward.upload(
        "uri-gin/azgs/rules.csv",
        "record,identifier,title,pattern,location,pass_query,status_code,stands_for\n"
        f"rule,{OLD},Old,{{id}}.pdf,{A}{{id}},true,301,\n"
        f"rule,{OLD},Gone,{{id}}.tif,,,410,\n"
        f"alias,{DOC}current,Current,,,,302,{DOC}x\n"
        f"alias,{DOC}both,Both,,,,,{DOC}x {DOC}y\n",
    )

    assert report.counts == {"registered": 4}
    record, alias, both = (_fetched(steward, name) for name in (OLD, f"{DOC}current", f"{DOC}both"))
    assert record is not None
    told = {rule.pattern.text: (rule.status_code, rule.pass_query) for rule in record.rules}
    assert told == {"{id}.pdf": (None, True), "{id}.tif": (410, False)}
    assert isinstance(alias, Alias)
    assert (alias.stands_for, alias.status_code) == ([f"{DOC}x"], 302)
    assert isinstance(both, Alias)
    assert (both.stands_for, both.status_code) == ([f"{DOC}x", f"{DOC}y"], 301)


# -- how a rule changes


def test_a_restated_rule_is_the_same_rule() -> None:
    steward = settled()
    steward.upload(RULES, _rule(pattern="{id}", location=f"{A}{{id}}"))

    report = steward.upload(RULES, _rule(pattern="{id}", location=f"{B}{{id}}"))

    record = _fetched(steward, DOC)
    assert report.counts == {"changed": 1}
    assert record is not None
    [form] = record.rules[0].answer.representations
    assert form.location == f"{B}{{id}}"


def test_a_retired_rule_is_removed_and_may_be_restated() -> None:
    steward = settled()
    steward.upload(RULES, _rule(location=f"{A}{{+rest}}"))

    steward.upload(RULES, _rule(status="retired"))
    assert _patterns(steward, DOC) == []

    steward.upload(RULES, _rule(status="valid"))
    assert _patterns(steward, DOC) == [""]


def test_one_upload_may_replace_a_rule_by_another() -> None:
    steward = settled()
    steward.upload(RULES, _rule(pattern="{a}", location=f"{A}{{a}}"))

    report = steward.upload(
        RULES, _rule(pattern="{a}", status="retired") + _rule(pattern="{b}", location=f"{A}{{b}}")
    )

    assert _broken(report) == []
    assert _patterns(steward, DOC) == ["{b}"]


def test_a_prefix_whose_rules_are_retired_is_no_resource() -> None:
    steward = settled()
    steward.upload(RULES, _rule(OLD, location=f"{A}{{+rest}}"))

    steward.upload(RULES, _rule(OLD, status="retired"))

    record = _fetched(steward, OLD)
    assert record is None or isinstance(record, Prefix)


def test_a_rule_leads_somewhere_again_after_its_404_or_410() -> None:
    for over in (302, None):
        steward = settled()
        steward.upload(RULES, _rule(status_code=410))

        steward.upload(RULES, _rule(location=f"{A}{{+rest}}", status_code=over))

        record = _fetched(steward, DOC)
        assert record is not None
        assert record.rules[0].status_code is None


def test_a_rule_that_leads_nowhere_is_warned_about() -> None:
    [heard] = settled().upload(RULES, _rule()).verdicts

    assert ("location", "nowhere") in heard.warned


# -- two rules


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        ("HP_[0-9]+", "[0-9]"),
        ("doc/*", "/*"),
        ("*", "*"),
        ("{id}*", "*"),
        ("HP_.*", ".*"),
        ("v(.*)", ".*"),
        ("HP$", "$"),
        ("C++/{id:[a-z]}[/{+rest}][-{a}-{b}]", None),
    ],
)
def test_a_pattern_that_reads_like_an_expression_is_warned_about(pattern: str, part: str | None) -> None:
    [heard] = settled().upload(RULES, _rule(pattern=pattern, location="https://a.example/")).verdicts

    found = [each["message"] for each in heard.findings if each["rule"] == "expression"]
    assert heard.verdict == "registered"
    assert [each.partition(" only matches")[0] for each in found] == (
        [f'Rule {DOC}{pattern}: "{part}"'] if part else []
    )


def test_two_rules_that_could_both_win_are_refused_naming_both_lines() -> None:
    steward = settled()

    report = steward.upload(
        RULES,
        line(f"{DOC}x")
        + _rule(pattern="{a}-1", location=A)
        + line(f"{DOC}y")
        + _rule(pattern="1-{b}", location=B),
    )

    assert set(_broken(report)) == {("pattern", "one winner")}
    [heard] = [each for each in report.verdicts if each.verdict == "refused"]
    assert heard.lines == (4,)
    assert _patterns(steward, DOC) == ["{a}-1"]
    assert "line 2" in heard.findings[0]["message"]
    assert "line 4" in heard.findings[0]["message"]


def test_a_rule_in_conflict_with_a_registered_one_is_refused() -> None:
    steward = settled()
    steward.upload(RULES, _rule(pattern="{a}-1", location=A))

    report = steward.upload(RULES, _rule(pattern="1-{b}", location=B))

    assert _broken(report) == [("pattern", "one winner")]
    assert f"{DOC}{{a}}-1" in _message(report)
    assert _patterns(steward, DOC) == ["{a}-1"]


def test_a_rule_that_can_never_win_is_refused_naming_both_lines() -> None:
    report = settled().upload(
        RULES,
        _rule(f"{DOC}map/", location=f"{A}{{+rest}}") + _rule(DOC, "map/{id}", location=f"{A}{{id}}"),
    )

    [refused] = [each for each in report.verdicts if each.verdict == "refused"]
    assert refused.broken == [("pattern", "can win")]
    assert "line 1" in refused.findings[0]["message"]


def test_a_rule_that_leads_under_itself_is_refused() -> None:
    steward = settled()
    _trust(steward)

    report = steward.upload(RULES, _rule(OLD, location=f"https://id.azgs.example/{OLD}new/{{+rest}}"))

    assert _broken(report) == [("location", "circle")]


def _trust(steward: Steward) -> None:
    authority = line("uri-gin/azgs/", record="authority", trusted_hosts=["id.azgs.example"])
    steward.upload("_host/azgs.jsonl", authority)


def test_a_rule_that_leads_under_another_registered_rule_is_a_warning() -> None:
    steward = settled()
    _trust(steward)
    steward.upload(RULES, _rule("uri-gin/azgs/new/", location=f"{A}{{+rest}}"))

    report = steward.upload(RULES, _rule(OLD, location="https://id.azgs.example/uri-gin/azgs/new/{+rest}"))

    assert _broken(report) == []
    assert [warned for each in report.verdicts for warned in each.warned] == [("location", "leads back")]
    assert _patterns(steward, OLD) == [""]


def test_a_trusted_host_may_have_a_port() -> None:
    steward = settled()
    authority = line("uri-gin/azgs/", record="authority", trusted_hosts=["id.azgs.example:8080"])
    steward.upload("_host/azgs.jsonl", authority)

    report = steward.upload(RULES, _rule(OLD, location=f"http://id.azgs.example:8080/{OLD}{{+rest}}"))

    assert _broken(report) == [("location", "itself")]


def test_escapes_do_not_hide_the_location_of_a_rule() -> None:
    steward = settled()
    _trust(steward)

    report = steward.upload(
        RULES, _rule(OLD, location="https://id.azgs.example/uri-gin/azgs/%6Fld/x/{+rest}")
    )

    assert _broken(report) == [("location", "circle")]


def test_a_rule_may_lead_to_registered_names_without_a_rule() -> None:
    steward = settled()
    _trust(steward)

    report = steward.upload(RULES, _rule(OLD, location="https://id.azgs.example/uri-gin/azgs/doc/{+rest}"))

    assert _broken(report) == []


def test_a_rule_with_a_form_under_itself_is_refused() -> None:
    report = settled().upload(RULES, _rule(OLD, representations=[{"identifier": f"{OLD}x"}]))

    assert _broken(report)


def test_a_rule_has_no_parts() -> None:
    report = settled().upload(RULES, _rule(representations=[{"part": ".pdf", "location": f"{A}{{+rest}}"}]))

    assert [field for field, _ in _broken(report)] == ["part"]


def test_a_rule_has_no_fields_of_a_resource() -> None:
    report = settled().upload(RULES, _rule(location=A, part_of=DOC, stands_for=f"{DOC}x"))

    assert sorted(_broken(report)) == [("part_of", "rule"), ("stands_for", "rule")]


def test_rows_of_one_rule_that_contradict_each_other_name_the_field() -> None:
    report = settled().upload(RULES, _rule(location=A) + _rule(location=B))

    assert report.refused == {(1, 2): [("location", "one value")]}


@pytest.mark.untraced
def test_only_the_first_of_too_many_rules_are_kept() -> None:
    steward, began = settled(), time.process_time()

    report = steward.upload(
        RULES, "".join(_rule(pattern=f"{{a}}/x{each}", location=A) for each in range(2_000))
    )

    assert [rule for _, rule in _broken(report)] == ["size"] * (2_000 - MOST_RULES)
    assert len(_patterns(steward, DOC)) == MOST_RULES
    assert min(report.refused) == (MOST_RULES + 1,)
    assert time.process_time() - began < 20


# -- each rule by itself


GOOD = [_rule(DOC, f"{each}_of_{{id}}", location=f"{A}{{id}}") for each in "abc"]
BAD = {
    "a location that is none": _rule(DOC, "w_{id}", location="htp://a.example/"),
    "a field that there is not": _rule(DOC, "x_{id}", locaton=A),
    "a pattern that is none": _rule(DOC, "y_{a}{a}", location=A),
    "one that could win beside another": _rule(DOC, "{b}_1", location=A) + _rule(DOC, "1_{c}", location=A),
    "what a rule has not": _rule(DOC, "z_{id}", location=A, part_of=DOC),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("key", [RULES, "_dry"])
@pytest.mark.untraced
def test_a_bad_rule_is_refused_by_its_line_and_good_ones_registered(bad: str, key: str) -> None:
    steward = settled()
    content = GOOD[0] + GOOD[1] + bad + GOOD[2]
    wrong = 2 + bad.count("\n")

    report = steward.try_out(RULES, content) if key == "_dry" else steward.upload(RULES, content)

    assert list(report.refused) == [(wrong,)]
    assert report.refused_lines == bad.splitlines(keepends=True)[-1].encode()
    [refused] = [each for each in report.verdicts if each.verdict == "refused"]
    pattern = json.loads(bad.splitlines()[-1])["pattern"]
    assert refused.identifier == DOC
    assert all(f"{DOC}{pattern}" in each["message"] for each in refused.findings)
    stands = set() if key == "_dry" else {"a_of_{id}", "b_of_{id}", "c_of_{id}"}
    assert stands <= set(_patterns(steward, DOC))


def test_the_rules_of_a_prefix_are_written_at_once() -> None:
    steward = settled()
    before = steward.registry.read([DOC])[DOC].revision

    steward.upload(RULES, GOOD[0] + BAD["a location that is none"] + GOOD[1])

    assert steward.registry.read([DOC])[DOC].revision == before + 1


def test_contradicting_rows_of_one_rule_refuse_only_that_rule() -> None:
    steward = settled()

    report = steward.upload(RULES, GOOD[0] + _rule(location=A) + GOOD[1] + _rule(location=B))

    assert report.refused == {(2, 4): [("location", "one value")]}
    assert set(_patterns(steward, DOC)) == {"a_of_{id}", "b_of_{id}"}


def test_a_record_and_the_rules_on_its_prefix_are_judged_separately() -> None:
    steward = settled()

    bad_type = steward.upload(RULES, line(OLD, record="resource-type", kind="thing") + _rule(OLD, location=A))
    bad_rule = steward.upload(RULES, line(OLD, record="resource-type") + _rule(OLD, "{a}", location="no"))

    assert bad_type.refused == {(1,): [("kind", "resource-type")]}
    assert list(bad_rule.refused) == [(2,)]
    assert _patterns(steward, OLD) == [""]
    assert isinstance(_fetched(steward, OLD), ResourceType)


def test_a_rule_may_replace_another_retired_by_the_same_upload() -> None:
    steward = settled()
    steward.upload(RULES, _rule(pattern="{a}-1", location=A))

    report = steward.upload(
        RULES, _rule(pattern="1-{b}", location=B) + _rule(pattern="{a}-1", status="retired")
    )

    assert report.refused == {}
    assert _patterns(steward, DOC) == ["1-{b}"]


def test_the_upload_that_won_with_its_rule_is_named() -> None:
    steward = settled()
    first = steward.put(RULES, _rule(pattern="{a}-1", location=A))
    steward.deliver(first)

    report = steward.upload(RULES, _rule(pattern="1-{b}", location=B))

    assert f"{first.key}, put {first.put}" in _message(report)


@pytest.mark.parametrize("since", ["", _rule(pattern="{a}-1", status="retired")])
def test_a_second_delivery_of_rules_gets_the_same_report(since: str) -> None:
    steward = settled()
    steward.upload(RULES, _rule(pattern="{a}-1", location=A))
    good = [_rule(pattern=f"{{a}}-{number}", location=A) for number in (2, 3)]
    upload = steward.put(RULES, good[0] + _rule(pattern="{b}-1", location=B) + good[1])
    first = steward.deliver(upload)
    if since:
        steward.upload(RULES, since)
    held = steward.registry.read([DOC])
    steward.files.reports.clear()

    again = steward.deliver(upload)

    assert again.counts == first.counts == {"registered": 2, "refused": 1}
    assert list(again.refused) == [(2,)]
    assert steward.registry.read([DOC]) == held


class _Rival(MemoryRegistry):
    """A registry with another writer that registers a record at the same time."""

    rival: Callable[[], object] | None = None

    def write(self, *changes: Change) -> None:
        rival, self.rival = self.rival, None
        if rival:
            rival()
        super().write(*changes)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_rule(f"{DOC}map/", location=A), _rule(DOC, "map/{id}", location=B)),
        (_rule(DOC, "map/{id}", location=A), _rule(f"{DOC}map/", location=B)),
        (
            line(f"{DOC}a", record="alias", stands_for=f"{DOC}b"),
            line(f"{DOC}b", record="alias", stands_for=f"{DOC}a"),
        ),
    ],
)
def test_one_of_two_contradicting_concurrent_uploads_wins(first: str, second: str) -> None:
    registry = _Rival()
    steward = settled(registry)
    others = Steward(registry)
    others.files, others.queue = steward.files, MemoryQueue()
    faster = steward.put("uri-gin/azgs/faster.jsonl", first)

    registry.rival = lambda: others.deliver(faster)
    report = steward.upload(RULES, second)

    assert others.report(faster).refused == {}
    assert list(report.refused) == [(1,)]
    assert f"{faster.key}, put {faster.put}" in _message(report)


def test_rules_of_one_prefix_count_as_one_changed_identifier() -> None:
    steward = settled()
    steward.upload(RULES, "".join(_rule(pattern=f"{each}_{{id}}", location=A) for each in range(20)))
    steward.upload("uri-gin/azgs/docs.jsonl", "".join(line(f"{DOC}{each}") for each in range(15)))

    report = steward.upload(RULES, "".join(_rule(pattern=f"{each}_{{id}}", location=B) for each in range(20)))

    assert report.counts == {"changed": 20}


@pytest.mark.parametrize(("pattern", "field"), [("{{id}}/{}", ""), ("x/{{id}}/{}", "pattern")])
@pytest.mark.untraced
def test_too_long_rules_of_a_beginning_are_refused_one_by_one(pattern: str, field: str) -> None:
    steward = settled()
    long = "x" * 1_900

    report = steward.upload(
        RULES,
        "".join(_rule(pattern=pattern.format(each), location=f"{A}{long}") for each in range(100, 310)),
    )

    assert set(_broken(report)) == {(field, "size")}
    assert len(_patterns(steward, DOC)) == 210 - len(_broken(report)) > 175


@pytest.mark.untraced
def test_rules_that_fill_a_record_may_be_restated() -> None:
    steward = settled()
    long = "x" * 1_900
    rules = "".join(_rule(pattern=f"x/{{id}}/{each}", location=f"{A}{long}") for each in range(100, 310))
    first = steward.upload(RULES, rules)
    registered = _patterns(steward, DOC)

    again = steward.upload(RULES, rules)

    assert again.counts == {"unchanged": len(registered), "refused": 210 - len(registered)}
    assert again.refused.keys() == first.refused.keys()
    assert _patterns(steward, DOC) == registered


# -- aliases


def test_an_alias_requires_its_target() -> None:
    report = settled().upload(RULES, line(f"{DOC}a", record="alias"))

    assert _broken(report) == [("stands_for", "required")]


def test_an_alias_cannot_have_itself_as_target() -> None:
    for targets in (f"{DOC}a", [f"{DOC}b", f"{DOC}%61"]):
        report = settled().upload(RULES, line(f"{DOC}a", record="alias", stands_for=targets))

        assert _broken(report) == [("stands_for", "itself")]


@pytest.mark.parametrize("together", [False, True])
def test_aliases_in_circles_are_refused(together: bool) -> None:  # noqa: FBT001  a parameter of pytest's
    steward = settled()
    aliases = [
        line(f"{DOC}{name}", record="alias", stands_for=f"{DOC}{target}")
        for name, target in (("a", "b"), ("b", "c"), ("c", "a"))
    ]

    reports = [steward.upload(RULES, each) for each in (["".join(aliases)] if together else aliases)]

    assert ("stands_for", "alias") in [broken for report in reports for broken in _broken(report)]


def test_an_alias_answers_only_301_or_302() -> None:
    for status_code in (303, 307, 308, 404, 410):
        report = settled().upload(
            RULES, line(f"{DOC}a", record="alias", stands_for=f"{DOC}b", status_code=status_code)
        )

        assert _broken(report) == [("status_code", "alias")]


def test_an_alias_has_no_forms() -> None:
    report = settled().upload(RULES, line(f"{DOC}a", record="alias", stands_for=f"{DOC}b", location=A))

    assert ("representations", "alias") in _broken(report)


def test_the_target_of_an_alias_may_change() -> None:
    steward = settled()
    steward.upload(RULES, line(f"{DOC}a", record="alias", stands_for=f"{DOC}b"))

    report = steward.upload(RULES, line(f"{DOC}a", stands_for=f"{DOC}c"))

    alias = _fetched(steward, f"{DOC}a")
    assert report.counts == {"changed": 1}
    assert isinstance(alias, Alias)
    assert alias.stands_for == [f"{DOC}c"]


def test_the_status_code_of_an_alias_may_be_stated_alone() -> None:
    steward = settled()
    steward.upload(RULES, line(f"{DOC}a", record="alias", stands_for=f"{DOC}b"))

    report = steward.upload(RULES, line(f"{DOC}a", status_code=302))

    alias = _fetched(steward, f"{DOC}a")
    assert _broken(report) == []
    assert isinstance(alias, Alias)
    assert alias.status_code == 302


def test_a_resource_does_not_become_an_alias() -> None:
    steward = settled()
    steward.upload(RULES, line(f"{DOC}a", location=A))

    report = steward.upload(RULES, line(f"{DOC}a", record="alias", stands_for=f"{DOC}b"))

    assert ("record", "never reused") in _broken(report)
