"""Grants as registrations: where they are stated, what they replace, what reads them and what does not."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ginuri.files.export import place_in_folders, write_restatement
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.published.publications import Publication
from ginuri.publishing.flow import publish
from ginuri.publishing.search_index.index_writer import IndexWriter
from ginuri.registration.authorization import Grant, Right, rights_of
from ginuri.registration.grants_reader import read_grants
from ginuri.registration.undo.rollback import Restatement, Skipped, plan_rollback
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.history import History
from infra.published_folder import FolderPublished
from tests.registries import NewRegistry, WholeRegistry, on_every_registry
from tests.steward import Report, Steward, line, recent, settled

AZGS, USGIN, DOC = "uri-gin/azgs/", "uri-gin/usgin/", "uri-gin/azgs/doc/"
JANE, JOE, EDITORS = "mailto:jane@example.org", "mailto:joe@example.org", "group:azgs-editors"
KEY = f"{AZGS}grants.jsonl"
NOW = datetime(2026, 12, 1, tzinfo=UTC)
READ, REGISTER = frozenset({Right.READ}), frozenset({Right.READ, Right.REGISTER})


def grant(prefix: str, to: str, *may: str, **further: Any) -> str:
    """Write the line of a grant."""
    return json.dumps({"record": "grant", "identifier": prefix, "to": to, "may": list(may), **further}) + "\n"


def _grants(registry: WholeRegistry | Any, prefix: str = DOC) -> set[tuple[str, str, frozenset[Right]]]:
    return {(each.prefix, each.to, each.may) for each in read_grants(registry, prefix, NOW)[0]}


def _rules(report: Report) -> list[tuple[str, str]]:
    return [rule for broken in report.refused.values() for rule in broken]


def test_a_grant_is_registered_with_its_rights_and_its_last_day() -> None:
    steward = settled()

    report = steward.upload(KEY, grant(AZGS, JANE, "register", "read", valid_until="2027-12-31"))

    assert report.counts == {"registered": 1}
    assert list(read_grants(steward.registry, AZGS, NOW)[0]) == [Grant(AZGS, JANE, REGISTER, "2027-12-31")]
    assert steward.values(AZGS) == settled().values(AZGS)


def test_each_grant_on_a_prefix_has_a_verdict_that_names_its_receiver() -> None:
    steward = settled()

    report = steward.upload(
        KEY, grant(AZGS, JANE, "read") + grant(AZGS, "Joe", "read") + grant(AZGS, EDITORS, "fly")
    )

    verdicts = [(each.get("to"), each["verdict"]) for each in report.whole["verdicts"]]
    assert verdicts == [(JANE, "registered"), ("Joe", "refused"), (EDITORS, "refused")]
    assert report.whole["grants"] == {"registered": 1, "refused": 2}
    assert _grants(steward.registry) == {(AZGS, JANE, READ)}


def test_a_bad_grant_does_not_stop_the_other_fields_of_its_prefix() -> None:
    steward = settled()

    report = steward.upload("_host/azgs.jsonl", grant(AZGS, "Joe") + line(AZGS, title="AZGS"))

    assert report.counts == {"changed": 1, "refused": 1}
    assert (steward.values(AZGS) or {})["title"] == {"": "AZGS"}


def test_grants_in_a_table_have_their_rights_in_one_cell() -> None:
    steward = settled()

    steward.upload(
        f"{AZGS}grants.csv",
        f'record,identifier,to,may,valid_until\ngrant,{AZGS},Jane@Example.ORG,"read, register",2027-12-31\n',
    )

    [stated] = read_grants(steward.registry, AZGS, NOW)[0]
    assert stated == Grant(AZGS, "mailto:Jane@example.org", REGISTER, "2027-12-31")


def test_a_later_grant_replaces_all_of_an_earlier_one() -> None:
    steward = settled()
    steward.upload(KEY, grant(AZGS, JANE, "read", "register", valid_until="2027-12-31"))

    report = steward.upload(KEY, grant(AZGS, JANE, "read"))

    assert report.counts == {"changed": 1}
    assert list(read_grants(steward.registry, AZGS, NOW)[0]) == [Grant(AZGS, JANE, READ)]


@pytest.mark.parametrize("may", [None, []])
def test_a_grant_without_rights_ends_an_earlier_one(may: list[str] | None) -> None:
    steward = settled()
    steward.upload(KEY, grant(AZGS, JANE, "read") + grant(AZGS, JOE, "read"))

    report = steward.upload(KEY, grant(AZGS, JANE, may=may))

    assert report.counts == {"changed": 1}
    assert _grants(steward.registry) == {(AZGS, JOE, READ)}


def test_the_end_of_a_grant_that_nobody_has_is_warned_of() -> None:
    report = settled().upload(KEY, grant(AZGS, JANE))

    assert report.verdicts[0].warned == [("may", "no grant")]


def test_grants_that_arrive_in_any_order_give_one_record() -> None:
    found = set()
    for order in permutations(range(3)):
        steward = settled()
        uploads = [
            steward.put(KEY, grant(AZGS, JANE, "read", "retire")),
            steward.put(KEY, grant(AZGS, JANE)),
            steward.put(KEY, grant(AZGS, JANE, "read") + grant(AZGS, JOE, "read")),
        ]
        for number in (*order, order[0]):  # and the first is delivered twice
            steward.deliver(uploads[number])
        found.add(frozenset(_grants(steward.registry)))

    assert found == {frozenset({(AZGS, JANE, READ), (AZGS, JOE, READ)})}


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"may": ["read"]}, ("to", "required")),
        ({"to": JANE}, ("may", "required")),
        ({"to": USGIN, "may": ["read"]}, ("to", "receiver")),
        ({"to": "jane", "may": ["read"]}, ("to", "value_error")),
        ({"to": JANE, "may": ["read"], "title": "Jane"}, ("title", "grant")),
        ({"to": JANE, "may": ["read"], "status": "retired"}, ("status", "grant")),
        ({"to": JANE, "may": ["read"], "tests": [{"status": 303}]}, ("tests", "grant")),
        ({"to": JANE, "may": [], "valid_until": "2027-12-31"}, ("valid_until", "may")),
        ({"to": JANE, "may": ["read"], "valid_until": "2027"}, ("valid_until", "value_error")),
        ({"to": 7, "may": ["read"], "id": AZGS}, ("identifier", "one name")),
        ({"to": JANE, "may": ["write"]}, ("may.0", "enum")),
    ],
)
def test_a_malformed_grant_is_refused(fields: dict[str, Any], rule: tuple[str, str]) -> None:
    stated = json.dumps({"record": "grant", "identifier": AZGS, **fields})

    assert _rules(settled().upload(KEY, stated)) == [rule]


def test_rows_that_grant_one_receiver_different_rights_are_refused() -> None:
    report = settled().upload(KEY, grant(AZGS, JANE, "read") + grant(AZGS, JANE, "retire"))

    assert report.refused == {(1, 2): [(f"{JANE}", "one value")]}


def test_a_prefix_is_not_delegated_to_a_person() -> None:
    stated = json.dumps({"record": "delegation", "identifier": f"{AZGS}core/", "to": JANE})

    assert ("to", "name authority") in _rules(settled().upload(f"{AZGS}delegations.jsonl", stated))


@pytest.mark.parametrize(
    ("key", "prefix", "rule"),
    [
        (KEY, AZGS, None),
        (KEY, DOC, None),
        (KEY, "uri-gin/azgs/doc/1", ("identifier", "prefix")),
        (KEY, USGIN, ("identifier", "folder")),
        (KEY, "uri-gin/azgs2/", ("identifier", "folder")),
        (KEY, "uri-gin/azgs.mapping/", ("identifier", "folder")),
        (KEY, "uri-gin/", ("identifier", "folder")),
        (KEY, "uri-gin/AZGS/", ("identifier", "folder")),
        (KEY, "uri-gin/azgs%2Fdoc/", ("identifier", "folder")),
        (f"{DOC}grants.jsonl", DOC, None),
        (f"{DOC}grants.jsonl", AZGS, ("identifier", "folder")),
        ("_host/grants.jsonl", AZGS, None),
        ("_host/grants.jsonl", DOC, None),
        ("_host/grants.jsonl", "uri-gin/", None),
        ("_host/grants.jsonl", "uri-gin/unknown/", ("identifier", "name authority")),
        ("_host/grants.jsonl", "doi:10.1000/", ("identifier", "name authority")),
    ],
)
def test_a_folder_grants_rights_on_its_own_prefix_and_below(
    key: str, prefix: str, rule: tuple[str, str] | None
) -> None:
    report = settled().upload(key, grant(prefix, JANE, "read"))

    assert _rules(report) == ([rule] if rule else [])


def test_a_grant_on_a_delegated_prefix_is_refused() -> None:
    steward = settled()
    core = f"{AZGS}core/"
    steward.upload(KEY, json.dumps({"record": "delegation", "identifier": core, "to": USGIN}))

    for key in (KEY, "_host/grants.jsonl"):
        assert _rules(steward.upload(key, grant(f"{core}x/", JANE, "read"))) == [("identifier", "delegated")]


def test_a_grant_on_a_delegated_prefix_can_be_ended() -> None:
    steward = settled()
    core = f"{AZGS}core/"
    steward.upload(KEY, grant(core, JANE, "read"))
    steward.upload(KEY, json.dumps({"record": "delegation", "identifier": core, "to": USGIN}))

    assert steward.upload(KEY, grant(core, JANE)).counts == {"changed": 1}
    assert _grants(steward.registry, core) == set()


def test_a_grant_whose_last_day_is_past_is_warned_of() -> None:
    report = recent().upload(KEY, grant(AZGS, JANE, "read", valid_until="2026-12-31"))

    assert report.verdicts[0].warned == [("valid_until", "past")]


def test_grants_are_read_at_a_prefix_and_above_it_in_one_call() -> None:
    steward = settled()
    steward.upload(
        "_host/grants.jsonl",
        grant("uri-gin/", EDITORS, "read")
        + grant(AZGS, JANE, "read")
        + grant(DOC, JOE, "register")
        + grant(USGIN, JOE, "retire"),
    )
    calls = steward.memory.calls

    grants, handed_over = read_grants(steward.registry, DOC, NOW)

    assert steward.memory.calls - calls == 1
    assert [(each.prefix, each.to) for each in grants] == [("uri-gin/", EDITORS), (AZGS, JANE), (DOC, JOE)]
    assert list(handed_over) == []


def test_a_grant_ends_at_the_prefix_that_is_delegated_at_that_moment() -> None:
    steward = settled()
    core, x = f"{AZGS}core/", f"{AZGS}core/x/"
    steward.upload(KEY, grant(AZGS, JANE, "register"))
    steward.upload(
        KEY,
        json.dumps({"record": "delegation", "identifier": core, "to": USGIN, "valid_from": "2027-01-01"}),
    )

    def rights(moment: datetime) -> frozenset[Right]:
        return rights_of([JANE], f"{x}1", *read_grants(steward.registry, x, moment), "2027-01-01")

    assert rights(datetime(2026, 12, 31, tzinfo=UTC)) == {Right.REGISTER}
    assert rights(datetime(2027, 1, 1, 0, 0, 1, tzinfo=UTC)) == frozenset()


def test_a_prefix_that_is_delegated_back_keeps_the_grants_of_its_authority() -> None:
    steward = settled()
    core, x = f"{AZGS}core/", f"{AZGS}core/x/"
    steward.upload(KEY, json.dumps({"record": "delegation", "identifier": core, "to": USGIN}))
    steward.upload(f"{USGIN}back.jsonl", json.dumps({"record": "delegation", "identifier": x, "to": AZGS}))

    assert read_grants(steward.registry, core, NOW)[1] == (core,)
    assert read_grants(steward.registry, x, NOW)[1] == ()


def test_exported_grants_restore_them_in_another_registry() -> None:
    steward, other = settled(), settled()
    steward.upload(
        "_host/grants.jsonl",
        grant("uri-gin/", EDITORS, "read")
        + grant(AZGS, JANE, "read", "register", valid_until="2027-12-31")
        + grant(AZGS, JOE, "read")
        + grant(DOC, JANE, "retire"),
    )
    steward.upload(KEY, grant(AZGS, JOE))

    for placed in place_in_folders(steward.memory.standing("", with_grants=True), None):
        lines = "".join(f"{each}\n" for each in placed.lines if '"grant"' in each)
        if lines:
            report = other.upload(f"{placed.folder}grants.jsonl", lines)
            assert "refused" not in report.counts
    assert _grants(other.registry) == _grants(steward.registry)
    assert [each.valid_until for each in read_grants(other.registry, AZGS, NOW)[0]] == ["", "2027-12-31"]


def _undo(steward: Steward, version: str) -> Report:
    history = steward.registry.history(record_of_grants(AZGS))
    planned = plan_rollback(History(AZGS, history.statements), KEY, version)
    assert isinstance(planned, Restatement)
    return steward.upload(f"{AZGS}undo.jsonl", "\n".join(write_restatement(planned, AZGS)))


def test_undoing_an_upload_of_grants_restores_the_former_ones() -> None:
    steward = settled()
    steward.upload(KEY, grant(AZGS, JANE, "read", valid_until="2027-12-31"))
    second = steward.put(KEY, grant(AZGS, JANE, "register") + grant(AZGS, JOE, "retire"))
    steward.deliver(second)

    report = _undo(steward, second.version)

    assert report.counts == {"changed": 2}
    assert list(read_grants(steward.registry, AZGS, NOW)[0]) == [Grant(AZGS, JANE, READ, "2027-12-31")]


def test_a_grant_that_was_changed_since_is_not_undone() -> None:
    steward = settled()
    first = steward.put(KEY, grant(AZGS, JANE, "read"))
    steward.deliver(first)
    steward.upload(KEY, grant(AZGS, JANE, "register"))

    history = steward.registry.history(record_of_grants(AZGS))

    assert isinstance(plan_rollback(History(AZGS, history.statements), KEY, first.version), Skipped)


def test_the_history_shows_the_rights_that_people_had_on_a_day() -> None:
    steward = settled()
    for day, may in (("2026-01-01", ["read"]), ("2026-02-01", []), ("2026-03-01", ["retire"])):
        steward.day = day
        steward.upload(KEY, grant(AZGS, JANE, *may))
    history = steward.registry.history(record_of_grants(AZGS))

    def then(moment: str) -> Any:
        record = history.at(moment)
        return record and record.values().get("grants", {})

    assert then("2025-12-31T00:00:00.000Z") is None
    assert then("2026-01-15T00:00:00.000Z") == {JANE: {"may": ["read"]}}
    assert then("2026-02-15T00:00:00.000Z") == {}
    assert then("2026-03-15T00:00:00.000Z") == {JANE: {"may": ["retire"]}}


def _published(steward: Steward, folder: Path) -> tuple[Publication, bytes]:
    """Publish a registry, and return the content of all files, unpacked."""
    reports = steward.files.reports.items()
    summaries = sorted((key, body) for key, body in reports if key.endswith(".summary.json"))
    publication = publish(
        steward.memory,
        summaries,
        FolderPublished(folder),
        "resources.example.org",
        lambda: NOW,
        make_index=IndexWriter,
    )
    bodies = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
    return publication, b"".join(
        gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body for body in bodies
    )


def test_the_publication_and_the_feed_leave_grants_out(tmp_path: Path) -> None:
    plain, granted = settled(), settled()
    granted.upload(KEY, grant(AZGS, JANE, "read") + grant(f"{AZGS}new/", JOE, "register"))
    plain.upload(f"{AZGS}docs.jsonl", line(f"{DOC}1"))
    granted.upload(f"{AZGS}docs.jsonl", line(f"{DOC}1") + grant(f"{AZGS}new/", JANE, "read"))

    (before, _), (after, content) = _published(plain, tmp_path / "a"), _published(granted, tmp_path / "b")

    assert (after.records, after.files.keys()) == (before.records, before.files.keys())
    assert all(word not in content for word in (b"jane", b"grant", b"azgs/new/"))
    assert b"docs.jsonl: 1 registered<" in content


def test_a_name_with_grants_is_no_identifier() -> None:
    with pytest.raises(MalformedIdentifier):
        parse(record_of_grants(AZGS))


@on_every_registry
def test_lists_and_similar_spellings_leave_grants_out(new_registry: NewRegistry) -> None:
    registry = new_registry()
    steward = settled(registry, registry)
    names = registry.members(AZGS).names

    steward.upload(KEY, grant(AZGS, JANE, "read") + grant(f"{AZGS}new/", JANE, "read"))

    assert registry.members(AZGS).names == names
    assert registry.count(AZGS, 100) == len(names)
    assert registry.near("grants uri-gin/azgs") == []
    assert f"{AZGS}new/" not in registry.fetch([f"{AZGS}new/", AZGS])


@on_every_registry
def test_an_archive_reads_grants_only_where_they_are_wanted(new_registry: NewRegistry) -> None:
    registry = new_registry()
    steward = settled(registry, registry)
    steward.upload(KEY, grant(AZGS, JANE, "read") + grant(f"{AZGS}new/", JANE, "read"))
    steward.upload("_host/grants.jsonl", grant("uri-gin/", JOE, "read"))

    assert all("grants" not in values for _, values in registry.standing(AZGS))
    with_grants = [(name, values) for name, values in registry.standing(AZGS, with_grants=True)]
    assert {name for name, values in with_grants if "grants" in values} == {AZGS, f"{AZGS}new/"}
    histories = [each.identifier for each in registry.histories(AZGS, with_grants=True)]
    assert (histories.count(AZGS), histories.count(f"{AZGS}new/")) == (2, 1)
    assert [each.identifier for each in registry.histories(AZGS)].count(AZGS) == 1


def test_a_snapshot_neither_needs_nor_ends_grants() -> None:
    steward = settled()
    steward.upload(KEY, line(f"{DOC}1") + line(f"{DOC}2"))
    steward.upload(KEY, grant(f"{DOC}1/", JANE, "read") + grant(DOC, JANE, "read"))

    report = steward.upload(
        f"{AZGS}all.jsonl", line(f"{DOC}1") + grant(f"{DOC}2/", JOE, "read"), snapshot=DOC, many="true"
    )

    assert report.counts == {"unchanged": 1, "registered": 1, "changed": 1}
    assert (steward.values(f"{DOC}2") or {})["status"] == "retired"
    assert _grants(steward.registry) == {(DOC, JANE, READ)}


def test_a_grant_does_not_keep_its_prefix_from_a_snapshot() -> None:
    steward = settled()
    steward.upload(KEY, line(f"{DOC}a/") + line(f"{DOC}b/"))

    steward.upload(
        f"{AZGS}all.jsonl", line(f"{DOC}a/") + grant(f"{DOC}b/", JOE, "read"), snapshot=DOC, many="true"
    )

    assert (steward.values(f"{DOC}b/") or {})["status"] == "retired"
