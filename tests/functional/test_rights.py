"""An upload with a scope does what its rights allow, line by line, and never more than its folder allows."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.reports.report import Upload
from ginuri.ingest.principals import Principal, write_principal
from ginuri.registration.authorization import Right, Scope
from tests.steward import Report, Steward, line, settled

API = "AROAJQABLZS4A3QDU576Q"
JANE = "mailto:jane@example.org"
AZGS, USGIN, DOC = "uri-gin/azgs/", "uri-gin/usgin/", "uri-gin/azgs/doc/"
KEY = f"{AZGS}docs.jsonl"
ONE = f"{DOC}1"
LOCATION = "https://a.example/1"
READ, REGISTER, RETIRE, GRANT = Right
RULE = {"record": "rule", "identifier": DOC, "pattern": "x{id}"}
WHOLE = {"record": "rule", "identifier": f"{AZGS}rest/"}
FORM = {"part": ".pdf", "location": LOCATION}


def _stewards(*existing: str | Mapping[str, Any]) -> Steward:
    """Return a steward of a stack with an API, and with some registrations."""
    steward = settled()
    steward.api_identity = API
    lines = (each if isinstance(each, str) else json.dumps(each) for each in existing)
    if existing:
        assert "refused" not in steward.upload(KEY, "\n".join(lines)).counts
    return steward


def _upload(
    steward: Steward,
    content: str | Mapping[str, Any],
    rights: Mapping[str, Collection[Right]],
    key: str = KEY,
    **options: str,
) -> Report:
    """Upload a file through the API with a scope."""
    scope = Scope({prefix: frozenset(may) for prefix, may in rights.items()})
    text = content if isinstance(content, str) else json.dumps(content)
    steward.identity = f"{API}:ginuri-api"
    try:
        return steward.upload(key, text, **options, **write_principal(Principal(JANE, scope, "ab" * 32)))
    finally:
        steward.identity = ""


def _missing(report: Report) -> set[str]:
    """Return the fields of the findings on missing rights (`FIELDS`)."""
    refused = {rule for broken in report.refused.values() for rule in broken}
    assert {rule for _, rule in refused} <= {"right"}
    return {field for field, _ in refused}


RETIRED = {"identifier": ONE, "status": "retired", "reason": "Gone"}
CASES: Mapping[str, tuple[Any, Any, set[Right]]] = {
    "a new record": (None, line(ONE), {REGISTER}),
    "a new title": (line(ONE), line(ONE, title="B"), {REGISTER}),
    "the same title": (line(ONE), line(ONE), {REGISTER}),
    "a retirement": (line(ONE), RETIRED, {RETIRE}),
    "a retirement with its type": (line(ONE), {**RETIRED, "record": "resource"}, {RETIRE}),
    "a retirement with a successor": (line(ONE), {**RETIRED, "successor": f"{DOC}2"}, {RETIRE}),
    "a retirement with a title": (line(ONE), {**RETIRED, "title": "B"}, {RETIRE, REGISTER}),
    "a retirement that repeats the title": (line(ONE), {**RETIRED, "title": "Well"}, {RETIRE}),
    "a new record that is retired": (None, {**RETIRED, "title": "A"}, {RETIRE, REGISTER}),
    "a new record that is only retired": (None, RETIRED, {RETIRE, REGISTER}),
    "a withheld record": (line(ONE), {"identifier": ONE, "status": "withheld", "reason": "Law"}, {RETIRE}),
    "a reserved record": (line(ONE), {"identifier": ONE, "status": "reserved"}, {REGISTER}),
    "a revived record": (line(ONE, status="retired"), {"identifier": ONE, "status": "valid"}, {REGISTER}),
    "another reason of a retirement": (line(ONE, status="retired"), RETIRED, {RETIRE}),
    "a title of a retired record": (
        line(ONE, status="retired"),
        line(ONE, title="B", status="retired"),
        {REGISTER},
    ),
    "a form": (line(ONE), {"identifier": ONE, "representations": [FORM]}, {REGISTER}),
    "a retired form": (
        line(ONE, representations=[FORM]),
        {"identifier": ONE, "representations": [{"part": ".pdf", "status": "retired"}]},
        {RETIRE},
    ),
    "a retired form and another": (
        line(ONE, representations=[FORM]),
        {
            "identifier": ONE,
            "representations": [{"part": ".pdf", "status": "retired"}, {**FORM, "part": ".txt"}],
        },
        {RETIRE, REGISTER},
    ),
    "a form that stays retired": (
        line(ONE, representations=[{"part": ".pdf", "status": "retired"}]),
        line(ONE, title="B", representations=[{"part": ".pdf", "status": "retired"}]),
        {REGISTER},
    ),
    "a rule": (None, {**RULE, "location": f"{LOCATION}/{{id}}"}, {REGISTER}),
    "a retired rule": (
        {**RULE, "location": f"{LOCATION}/{{id}}"},
        {**RULE, "status": "retired"},
        {RETIRE},
    ),
    "a retired rule of a whole prefix": (
        {**WHOLE, "location": f"{LOCATION}/{{+rest}}"},
        {**WHOLE, "status": "retired"},
        {RETIRE},
    ),
    "a rule that is changed and retired": (
        {**RULE, "location": f"{LOCATION}/{{id}}"},
        {**RULE, "status": "retired", "location": f"{LOCATION}/2/{{id}}"},
        {RETIRE, REGISTER},
    ),
    "an alias": (line(ONE), {"record": "alias", "identifier": f"{DOC}a", "stands_for": ONE}, {REGISTER}),
    "a delegation": (None, {"record": "delegation", "identifier": f"{DOC}x/", "to": USGIN}, {REGISTER}),
    "tests alone": (line(ONE), {"identifier": ONE, "tests": [{"status": 303}]}, {REGISTER}),
}
FIELDS = {REGISTER: "identifier", RETIRE: "status"}


@pytest.mark.parametrize(("before", "stated", "needed"), CASES.values(), ids=CASES)
def test_a_line_needs_exactly_the_rights_to_what_it_does(
    before: Any, stated: Any, needed: set[Right]
) -> None:
    existing = [before] if before else []
    for rights in ({READ, GRANT}, {REGISTER}, {RETIRE}, {REGISTER, RETIRE}):
        steward = _stewards(*existing)
        values = steward.values(ONE)

        report = _upload(steward, stated, {AZGS: rights})

        assert _missing(report) == {FIELDS[right] for right in needed - rights}, rights
        if not needed <= rights:
            assert steward.values(ONE) == values


@pytest.mark.parametrize(
    ("rights", "missing"), [({READ}, {"identifier"}), ({REGISTER}, set()), ({RETIRE}, set())]
)
def test_a_line_that_repeats_a_retirement_needs_either_right(
    rights: Collection[Right], missing: set[str]
) -> None:
    steward = _stewards(line(ONE, status="retired"))

    report = _upload(steward, {"identifier": ONE, "status": "retired"}, {AZGS: rights})

    assert _missing(report) == missing


def test_an_upload_without_a_token_needs_no_rights() -> None:
    steward = _stewards(line(ONE))

    assert steward.upload(KEY, json.dumps(RETIRED)).counts == {"changed": 1}


def test_a_scope_is_judged_for_each_line() -> None:
    steward = _stewards(line(f"{DOC}a/1"), line(f"{DOC}b/1"))
    content = "".join(line(f"{DOC}{name}/1", title="New") for name in ("a", "b", "c"))

    report = _upload(steward, content, {AZGS: {READ}, f"{DOC}a/": {REGISTER}, f"{DOC}b/": {RETIRE}})

    assert report.counts == {"changed": 1, "refused": 2}
    assert set(report.refused) == {(2,), (3,)}
    assert report.refused_lines == "".join(content.splitlines(keepends=True)[1:]).encode()


def test_a_rule_without_the_right_is_named_and_leaves_the_others() -> None:
    steward = _stewards({**RULE, "location": f"{LOCATION}/{{id}}"})
    other = {**RULE, "pattern": "y{id}", "location": f"{LOCATION}/{{id}}"}

    report = _upload(
        steward, "\n".join(map(json.dumps, ({**RULE, "status": "retired"}, other))), {AZGS: {REGISTER}}
    )

    assert report.counts == {"registered": 1, "refused": 1}
    [refused] = [each for each in report.whole["verdicts"] if each["verdict"] == "refused"]
    assert (refused["pattern"], refused["findings"][0]["rule"]) == ("x{id}", "right")


@pytest.mark.parametrize(("rights", "status"), [({REGISTER}, None), ({REGISTER, RETIRE}, "retired")])
def test_a_snapshot_retires_nothing_without_the_right(rights: set[Right], status: str | None) -> None:
    steward = _stewards(line(ONE), line(f"{DOC}2"))

    report = _upload(steward, line(ONE), {AZGS: rights}, snapshot=DOC, many="true")

    assert (steward.values(f"{DOC}2") or {}).get("status") == status
    assert report.counts == {"unchanged": 1, ("changed" if status else "refused"): 1}


def test_a_snapshot_retires_within_its_scope_only() -> None:
    steward = _stewards(line(f"{DOC}a/1"), line(f"{DOC}b/1"))

    _upload(
        steward,
        line(f"{DOC}c/1"),
        {AZGS: {REGISTER}, f"{DOC}a/": {RETIRE}},
        snapshot=DOC,
        many="true",
    )

    assert [(steward.values(f"{DOC}{name}/1") or {}).get("status") for name in "ab"] == ["retired", None]


def test_a_dry_run_shows_which_rights_are_missing() -> None:
    steward = _stewards(line(ONE))

    report = _upload(steward, RETIRED, {AZGS: {REGISTER}}, **{"dry-run": "true"})

    assert _missing(report) == {"status"}


@pytest.mark.parametrize("rights", [frozenset(), {READ, REGISTER, RETIRE}])
def test_a_grant_is_refused_without_the_right_to_grant(rights: Collection[Right]) -> None:
    stated = {"record": "grant", "identifier": DOC, "to": JANE, "may": ["read"]}

    report = _upload(_stewards(), stated, {AZGS: rights})

    assert report.refused == {(1,): [("record", "right")]}


@pytest.mark.parametrize("may", [["read", "grant"], None])
def test_a_grantor_grants_and_ends_own_rights(may: list[str] | None) -> None:
    stated = {"record": "grant", "identifier": DOC, "to": JANE, "may": ["retire"]}
    steward = _stewards(stated)

    report = _upload(steward, {**stated, "may": may}, {AZGS: {READ, GRANT}})

    assert report.counts == {"changed": 1}


def test_a_grantor_grants_no_more_than_the_own_rights() -> None:
    stated = {"record": "grant", "identifier": DOC, "to": JANE, "may": ["read", "retire"]}

    report = _upload(_stewards(), stated, {AZGS: {READ, REGISTER, GRANT}})

    assert report.refused == {(1,): [("may", "right")]}


@pytest.mark.parametrize("right", [REGISTER, GRANT])
def test_the_host_folder_gives_no_rights_to_a_token(right: Right) -> None:
    lines: Mapping[Right, Mapping[str, Any]] = {
        REGISTER: {"record": "authority", "identifier": AZGS, "title": "Mine"},
        GRANT: {"record": "grant", "identifier": AZGS, "to": JANE, "may": ["grant"]},
    }
    everywhere = {AZGS: set(Right), "uri-gin/": set(Right)}

    report = _upload(_stewards(), lines[right], everywhere, key="_host/all.jsonl")

    assert {rule for _, rule in report.refused[1,]} == {"right"}


@pytest.mark.parametrize(
    "name", [f"{USGIN}doc/1", "uri-gin/azgs2/1", "uri-gin/azgs.mapping/1", "uri-gin/AZGS/1"]
)
def test_rights_never_reach_beyond_the_folder(name: str) -> None:
    report = _upload(_stewards(), line(name), {"uri-gin/": set(Right), AZGS: set(Right)})

    assert {rule for broken in report.refused.values() for _, rule in broken} == {"folder"}


def test_an_opened_sub_authority_has_the_rights_of_the_folder() -> None:
    steward = _stewards(line(f"{AZGS}authority/azgs.mapping/"))
    stated = line("uri-gin/azgs.mapping/", record="authority")

    assert _missing(_upload(steward, stated, {AZGS: {READ}})) == {"identifier"}
    assert _upload(steward, stated, {AZGS: {REGISTER}}).counts == {"registered": 1}


def test_a_prefix_that_was_handed_over_has_the_rights_of_the_folder() -> None:
    steward = _stewards({"record": "delegation", "identifier": f"{DOC}x/", "to": USGIN})
    key = f"{USGIN}docs.jsonl"

    assert _missing(_upload(steward, line(f"{DOC}x/1"), {USGIN: {READ}}, key=key)) == {"identifier"}
    assert _upload(steward, line(f"{DOC}x/1"), {USGIN: {REGISTER}}, key=key).counts == {"registered": 1}


def test_a_delegation_is_ended_by_the_rights_above_it() -> None:
    x = f"{DOC}x/"
    steward = _stewards({"record": "delegation", "identifier": x, "to": USGIN})
    scope: Mapping[str, Collection[Right]] = {AZGS: {REGISTER}, x: ()}  # as grants end at a delegated prefix

    ended = _upload(steward, {"record": "delegation", "identifier": x, "to": None}, scope)

    assert ended.counts == {"changed": 1}
    assert _missing(_upload(steward, line(f"{x}1"), scope)) == {"identifier"}


def test_a_second_delivery_repeats_the_verdicts() -> None:
    steward = _stewards(line(ONE))
    first = _upload(steward, RETIRED, {AZGS: {RETIRE}})
    steward.files.reports.clear()  # as if the first delivery had crashed before its report

    again = steward.deliver(Upload(**first.whole["upload"]))

    assert again.counts == first.counts == {"changed": 1}


_FOLDERS = st.sampled_from(["uri-gin/azgs/", "uri-gin/azgs/doc/", "uri-gin/azgs/doc/a/", "uri-gin/"])
_SCOPES = st.dictionaries(_FOLDERS, st.frozensets(st.sampled_from(Right)), max_size=3)


@given(_SCOPES, st.lists(st.sampled_from(["1", "a/1", "a/2", "b/1"]), min_size=1, max_size=3, unique=True))
def test_a_scope_registers_what_its_nearest_prefix_allows(
    rights: Mapping[str, frozenset[Right]], names: list[str]
) -> None:
    steward = _stewards()

    _upload(steward, "".join(line(f"{DOC}{name}") for name in names), rights)

    for name in names:
        above = [prefix for prefix in rights if f"{DOC}{name}".startswith(prefix)]
        allowed = bool(above) and REGISTER in rights[max(above, key=len)]
        assert (steward.values(f"{DOC}{name}") is not None) == allowed
