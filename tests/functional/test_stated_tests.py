"""Is the field `tests` read, judged, kept and exported like any other, and paid for by no request?"""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ginuri.cli.uploads.validate import judge_offline
from ginuri.files.options import UploadOptions
from ginuri.files.tables.export import columns_of, rows_of, write_table
from ginuri.frozen import replace
from ginuri.registry.record.answer_tests import MOST_TEST_BYTES, MOST_TESTS
from ginuri.registry.record.items import item_of
from ginuri.registry.record.serialization import read_record
from tests.steward import LINES, TABLE, Report, Steward, line, settled

DOC = "uri-gin/azgs/doc/"
MAP = f"{DOC}78/"
RULE = {"record": "rule", "identifier": DOC, "pattern": "HP_{id}", "location": "https://hp.example/{id}"}
TERM = {"path": "HP_1", "status": 302, "target": "https://hp.example/1"}


def upload(steward: Steward, *rows: dict[str, Any]) -> Report:
    return steward.upload(LINES, "".join(f"{json.dumps(row)}\n" for row in rows))


def stated(steward: Steward, identifier: str = MAP) -> Any:
    return (steward.values(identifier) or {}).get("tests")


def test_a_test_is_kept_as_it_was_stated() -> None:
    steward = settled()
    test = {
        "path": "a%20b/",
        "query": "x=1",
        "headers": {"Accept": "text/turtle"},
        "status": 303,
        "target": "https://maps.example/78",
        "label": "Turtle",
    }

    assert upload(steward, {"identifier": MAP, "title": "Map", "tests": [test]}).refused == {}
    assert stated(steward) == [test]


@pytest.mark.parametrize(
    ("identifier", "path"),
    [
        (MAP, "?x=1"),
        (MAP, f"{MAP}?x=1"),
        (MAP, f"/{MAP}?x=1"),
        (MAP, f"http://resources.usgin.org/{MAP}?x=1"),
        (MAP, f"HTTPS://other.example/{MAP}?x=1"),
    ],
)
def test_a_path_may_be_the_whole_identifier_with_a_query(identifier: str, path: str) -> None:
    steward = settled()
    upload(steward, {"identifier": identifier, "title": "Map", "tests": [{"path": path, "status": 303}]})

    assert stated(steward, identifier) == [{"query": "x=1", "status": 303}]


def test_a_header_is_kept_under_its_usual_name() -> None:
    steward = settled()
    tests = [{"headers": {"accept-language": " de "}, "status": 303}]
    upload(steward, {"identifier": MAP, "title": "Map", "tests": tests})

    assert stated(steward) == [{"headers": {"Accept-Language": "de"}, "status": 303}]


@pytest.mark.parametrize(
    ("test", "field"),
    [
        ({"path": "x"}, "tests.1"),
        ({"status": 99}, "tests.1.status"),
        ({"status": True}, "tests.1.status"),
        ({"status": "3O2"}, "tests.1.status"),
        ({"target": "https://exa mple.org/"}, "tests.1.target"),
        ({"target": "nowhere at all"}, "tests.1.target"),
        ({"path": "a b", "status": 303}, "tests.1.path"),
        ({"path": "a#b", "status": 303}, "tests.1.path"),
        ({"path": "https://other.example/x", "status": 303}, "tests.1.path"),
        ({"path": "a?b", "query": "c", "status": 303}, "tests.1.query"),
        ({"query": "a b", "status": 303}, "tests.1.query"),
        ({"headers": {"User-Agent": "x"}, "status": 303}, "tests.1.headers.User-Agent"),
        ({"headers": {"Accept": "é"}, "status": 303}, "tests.1.headers.Accept"),
        ({"status": 303, "expected": 303}, "tests.1.expected"),
        ({"path": "same", "status": 404}, "tests.1"),
    ],
)
def test_a_faulty_test_is_refused_by_its_number_and_field(test: dict[str, Any], field: str) -> None:
    tests = [{"path": "same", "status": 303}, test]
    (verdict,) = upload(settled(), {"identifier": MAP, "title": "Map", "tests": tests}).verdicts

    assert [finding["column"] for finding in verdict.findings] == [field]
    assert verdict.verdict == "refused"


@pytest.mark.parametrize("path", ["about/x", "about.ttl", ""])
def test_a_path_of_the_service_is_refused_on_a_host(path: str) -> None:
    host = {"record": "host", "identifier": "http://ids.example/", "title": "Ids"}
    row = {**host, "tests": [{"path": path, "status": 200}]}
    (verdict,) = settled().upload("_host/x.jsonl", json.dumps(row)).verdicts

    assert verdict.broken == [("tests.0.path", "service")]


def test_the_rows_of_a_table_are_the_tests_of_their_identifier() -> None:
    steward = settled()
    report = steward.upload(
        TABLE,
        "identifier,title,tests.path,Tests.accept,tests.Status,tests.target,tests.label\n"
        f"{MAP},Map,,,303,,the map\n"
        f"{MAP},,x.pdf,,404,,\n"
        f"{MAP},,,text/turtle,,https://maps.example/78.ttl,\n"
        f"{MAP},,,,303,,the map\n",
    )

    assert report.refused == {}
    assert stated(steward) == [
        {"status": 303, "label": "the map"},
        {"path": "x.pdf", "status": 404},
        {"headers": {"Accept": "text/turtle"}, "target": "https://maps.example/78.ttl"},
    ]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("x,,30,,", "tests.status"),
        ("x,,,,", "tests.path"),
        ("a b,,303,,", "tests.path"),
        (",é,303,,", "Tests.accept"),
    ],
)
def test_the_column_of_a_faulty_test_is_named(row: str, column: str) -> None:
    heading = "identifier,title,tests.path,Tests.accept,tests.status,tests.target,tests.label\n"
    (verdict,) = settled().upload(TABLE, f"{heading}{MAP},Map,{row}\n").verdicts

    assert [finding["column"] for finding in verdict.findings] == [column]


def test_rows_that_expect_different_answers_are_refused() -> None:
    table = f"identifier,title,tests.path,tests.status\n{MAP},Map,x,303\n{MAP},Map,x,302\n"
    (verdict,) = settled().upload(TABLE, table).verdicts

    assert (verdict.lines, verdict.broken) == ((2, 3), [("tests", "one answer")])


def test_an_upload_replaces_the_tests_of_its_identifiers() -> None:
    steward = settled()
    upload(steward, {"identifier": MAP, "title": "Map", "tests": [{"path": "x", "status": 404}]})
    upload(steward, {"identifier": MAP, "tests": [{"status": 303}]})
    assert stated(steward) == [{"status": 303}]

    upload(steward, {"identifier": MAP, "title": "A map"})
    assert stated(steward) == [{"status": 303}]

    upload(steward, {"identifier": MAP, "tests": None})
    assert stated(steward) is None


def exported_rule(steward: Steward) -> dict[str, Any]:
    lines = map(json.loads, steward.exported("uri-gin/azgs/"))
    rule: dict[str, Any] = next(each for each in lines if each.get("pattern") == RULE["pattern"])
    return rule


def test_the_tests_of_a_rule_are_stated_with_it_or_later() -> None:
    steward = settled()
    assert upload(steward, {**RULE, "tests": [TERM]}).counts["registered"] == 1
    assert exported_rule(steward)["tests"] == [TERM]

    later = {
        "record": "rule",
        "identifier": DOC,
        "pattern": "HP_{id}",
        "tests": [{"path": "HP_2", "status": 302}],
    }
    report = upload(steward, later)
    rule = exported_rule(steward)

    assert report.counts == {"changed": 1}
    assert rule["tests"] == later["tests"]
    assert "representations" in rule


@pytest.mark.parametrize("rows", [[RULE], [{**RULE, "record": "delegation", "answered_by": "a.example"}]])
def test_a_prefix_has_tests_of_its_own(rows: list[dict[str, Any]]) -> None:
    steward = settled()
    prefix = f"{DOC}terms/"
    given = [
        {name: value for name, value in row.items() if name in {"record", "answered_by"}} for row in rows
    ]
    fields = {"location": "https://hp.example/"} if given[0]["record"] == "rule" else {}
    upload(steward, {**given[0], **fields, "identifier": prefix})
    report = upload(steward, {"identifier": prefix, "tests": [{"path": "x", "status": 307}]})

    assert report.counts["changed"] == 1
    assert stated(steward, prefix) == [{"path": "x", "status": 307}]
    assert "record" not in (steward.values(prefix) or {})


def test_tests_alone_register_nothing() -> None:
    steward = settled()
    rule = {"record": "rule", "identifier": DOC, "pattern": "HP_{id}", "tests": [TERM]}
    report = upload(steward, {"identifier": MAP, "tests": [{"status": 303}]}, rule)

    assert report.refused == {(1,): [("tests", "registered")], (2,): [("tests", "registered")]}
    assert steward.values(MAP) is None


@pytest.mark.parametrize("key", ["_host/x.jsonl", "uri-gin/azgs/x.jsonl"])
def test_an_authority_has_tests_from_both_folders(key: str) -> None:
    steward = settled()
    test = {"identifier": "uri-gin/azgs/", "tests": [{"status": 303}]}

    assert steward.upload(key, json.dumps(test)).counts == {"changed": 1}
    assert stated(steward, "uri-gin/azgs/") == [{"status": 303}]


def test_tests_from_the_folder_of_another_authority_are_refused() -> None:
    steward = settled()
    upload(steward, {"identifier": MAP, "title": "Map"})
    row = json.dumps({"identifier": MAP, "tests": [{"status": 303}]})

    assert steward.upload("uri-gin/usgin/x.jsonl", row).refused == {(1,): [("identifier", "folder")]}


def test_a_record_with_too_many_tests_is_refused() -> None:
    tests = [{"path": str(number), "status": 404} for number in range(MOST_TESTS + 1)]
    (verdict,) = upload(settled(), {"identifier": MAP, "title": "Map", "tests": tests}).verdicts

    assert verdict.broken == [("tests", "size")]


def test_a_record_with_too_many_bytes_of_tests_is_refused() -> None:
    tests = [
        {"path": str(number), "status": 404, "label": "x" * 1_000}
        for number in range(MOST_TEST_BYTES // 1_000)
    ]
    (verdict,) = upload(settled(), {"identifier": MAP, "title": "Map", "tests": tests}).verdicts

    assert verdict.broken == [("tests", "size")]


def test_five_thousand_tests_in_one_file_are_kept() -> None:
    steward = settled()
    rows = "".join(
        line(f"{DOC}{at}/", tests=[{"status": 303}, {"path": "x", "status": 404}]) for at in range(2_500)
    )

    assert steward.upload(LINES, rows).counts["registered"] == 2_500
    assert stated(steward, f"{DOC}2499/") == [{"status": 303}, {"path": "x", "status": 404}]


def test_an_export_with_tests_is_read_back_the_same() -> None:
    steward, again = settled(), settled()
    upload(steward, {"identifier": MAP, "title": "Map", "tests": [{"status": 303, "label": "é"}]})
    upload(steward, {**RULE, "tests": [TERM]}, {"identifier": DOC, "tests": [{"path": "x", "status": 404}]})
    again.upload(LINES, "".join(steward.exported("uri-gin/azgs/")))

    assert [again.values(name) for name in (MAP, DOC)] == [steward.values(name) for name in (MAP, DOC)]


def test_a_request_parses_no_tests() -> None:
    steward, rule = settled(), {**RULE, "pattern": "{id}"}
    upload(steward, {"identifier": MAP, "title": "Map"}, rule)
    plain = steward.memory.fetch([MAP, DOC])
    tested = settled()
    upload(tested, {"identifier": MAP, "title": "Map", "tests": [{"status": 303}]}, {**rule, "tests": [TERM]})
    read = tested.memory.fetch([MAP, DOC])

    assert {name: replace(record, is_tested=False) for name, record in read.items()} == plain
    assert all(record.is_tested for record in read.values())
    assert {name: record.size for name, record in read.items()} == {
        name: each.size for name, each in plain.items()
    }


def test_a_stored_record_has_each_test_once() -> None:
    steward = settled()
    upload(steward, {"identifier": MAP, "title": "Map", "tests": [{"status": 303, "label": "Quokka"}]})
    record = steward.registry.read([MAP])[MAP]
    item = item_of(record)

    assert (item["body"] + item["stamps"]).count("Quokka") == 1
    assert read_record(MAP, item["body"], item["stamps"], record.revision).entries == record.entries


def test_a_table_of_an_export_with_tests_is_read_back_the_same() -> None:
    steward, again = settled(), settled()
    tests = [{"status": 303, "label": "one, two"}, {"path": "x", "headers": {"Accept": "a/b"}, "status": 404}]
    upload(steward, {"identifier": MAP, "title": "Map", "tests": tests}, {**RULE, "tests": [TERM]})
    rows = [row for each in steward.exported("uri-gin/azgs/") for row in rows_of(json.loads(each))]
    table = io.StringIO()
    write_table(table, columns_of(rows), rows)
    again.upload(TABLE, table.getvalue())

    assert [again.values(name) for name in (MAP, DOC)] == [steward.values(name) for name in (MAP, DOC)]


def test_a_check_without_a_registry_neither_runs_nor_refuses_tests() -> None:
    rows = (
        {"identifier": MAP, "title": "Map", "location": "https://a.example/", "tests": [{"status": 404}]},
        {"identifier": f"{DOC}elsewhere", "tests": [{"status": 404}]},
        {"record": "rule", "identifier": DOC, "pattern": "HP_{id}", "tests": [TERM]},
    )
    body = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    report = judge_offline(LINES, body, UploadOptions(is_dry_run=True))

    assert (report["counts"]["refused"], "tests" in report) == (0, False)
