"""Are the tests that an upload affects run, once, on the registry as it leaves it?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import page_key
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.test_runs.affected import MOST_BELOW
from ginuri.ingest.test_runs.run import MOST_RUN
from tests.steward import LINES, Report, Steward, settled

DOC = "uri-gin/azgs/doc/"
HERE = f"{DOC}78/"
MAPS = "https://maps.example/"
IN_PARTS = Limits(task_rows=3, chunk_rows=4)
STRICT = write_options(UploadOptions(is_strict=True))
DRY = write_options(UploadOptions(is_dry_run=True))
Rows = Iterable[dict[str, Any]]


def written(rows: Rows) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def upload(steward: Steward, *rows: dict[str, Any], **said: str) -> Report:
    return steward.upload(LINES, written(rows), **said)


def resource(name: str = HERE, **fields: Any) -> dict[str, Any]:
    return {"identifier": name, "title": "It", "location": f"{MAPS}{name[len(DOC) :]}", **fields}


def rule(pattern: str = "HP_{id}", prefix: str = DOC, **fields: Any) -> dict[str, Any]:
    named = {"pattern": pattern} if pattern else {}
    return {"record": "rule", "identifier": prefix, **named, "location": f"{MAPS}{{+rest}}", **fields}


def leads(path: str = "", target: str | None = None, status: int = 303, **fields: Any) -> dict[str, Any]:
    return {"path": path, "status": status, **({"target": f"{MAPS}{target}"} if target else {}), **fields}


def numbers(report: Report) -> tuple[int, int]:
    """Return the numbers of tests that were run, and that failed."""
    tests = report.whole.get("tests")
    return (tests["run"], tests["failed"]) if tests else (0, 0)


def failed(report: Report) -> list[str]:
    """Return the requests of the failures."""
    failures = report.whole.get("tests", {}).get("failures", ())
    return [each["identifier"] + each["request"]["path"] for each in failures]


@pytest.mark.parametrize("said", [{}, DRY, STRICT])
def test_a_stated_test_is_run_on_the_registry_after_the_upload(said: dict[str, str]) -> None:
    report = upload(settled(), resource(tests=[leads("", "78/"), leads("x", status=404)]), **said)

    assert (numbers(report), report.counts) == ((2, 0), {"registered": 1})


@pytest.mark.parametrize("said", [{}, DRY])
def test_a_failing_test_is_one_warning_with_both_answers(said: dict[str, str]) -> None:
    test = leads("", "79/", headers={"Accept": "text/turtle"}, label="Turtle")
    report = upload(settled(), resource(tests=[test]), **said)

    assert report.counts == {"registered": 1, "warned": 1}
    assert report.verdicts[0].warned == [("", "tests")]
    assert report.whole["tests"]["failures"] == [
        {
            "identifier": HERE,
            "rule": None,
            "label": "Turtle",
            "request": {"path": "", "query": "", "headers": {"Accept": "text/turtle"}},
            "expected": {"status": 303, "target": f"{MAPS}79/"},
            "answer": {"status": 303, "target": f"{MAPS}78/", "error": None},
        }
    ]


def test_an_upload_without_tests_reports_none() -> None:
    assert "tests" not in upload(settled(), resource()).whole


def test_the_stored_tests_of_a_changed_record_are_run() -> None:
    steward = settled()
    upload(steward, resource(tests=[leads("", "78/")]))

    report = upload(steward, {"identifier": HERE, "location": f"{MAPS}moved"})

    assert (numbers(report), failed(report)) == ((1, 1), [HERE])


def test_the_tests_of_an_unchanged_record_are_run_only_where_stated() -> None:
    steward = settled()
    upload(steward, resource(tests=[leads("", "78/")]))

    assert numbers(upload(steward, resource())) == (0, 0)
    assert numbers(upload(steward, resource(tests=[leads("", "78/")]))) == (1, 0)


@pytest.mark.parametrize("said", [{}, DRY])
def test_prefix_tests_are_run_for_registered_names(said: dict[str, str]) -> None:
    steward = settled()
    upload(steward, rule("", tests=[leads("HP_1", "HP_1", 302), leads("HP_2", "HP_2", 302)]))

    report = upload(steward, resource(f"{DOC}HP_1", location=f"{MAPS}other"), **said)

    assert (numbers(report), failed(report)) == ((1, 1), [f"{DOC}HP_1"])


@pytest.mark.parametrize("said", [{}, DRY])
def test_a_test_below_a_changed_prefix_is_run(said: dict[str, str]) -> None:
    steward = settled()
    upload(steward, resource(f"{DOC}78", tests=[leads("/a", status=404)]))

    report = upload(steward, rule(""), **said)

    assert (numbers(report), failed(report)) == ((1, 1), [f"{DOC}78/a"])


def test_other_tests_are_not_run() -> None:
    steward = settled()
    upload(steward, resource(f"{DOC}77/", tests=[leads(status=404)]))
    upload(steward, rule("HP_{id}", tests=[leads("HP_1", status=404)]))

    assert numbers(upload(steward, resource(HERE))) == (0, 0)


def test_a_retired_identifier_fails_its_tests() -> None:
    steward = settled()
    kept = [resource(f"{DOC}{at}/") for at in range(20)]
    upload(steward, *kept, resource(tests=[leads("", "78/")]))
    report = upload(steward, *kept, **write_options(UploadOptions(snapshot=DOC)))

    assert (numbers(report), report.whole["tests"]["failures"][0]["answer"]["status"]) == ((1, 1), 410)


def test_a_refused_row_affects_no_tests() -> None:
    report = upload(settled(), resource(location="nowhere", tests=[leads()]))

    assert (numbers(report), report.counts) == ((0, 0), {"refused": 1})


@pytest.mark.parametrize("said", [{}, DRY, STRICT])
@pytest.mark.parametrize("limits", [Limits(), IN_PARTS])
def test_tests_are_run_once_on_the_final_state_of_all_parts(said: dict[str, str], limits: Limits) -> None:
    steward = settled()
    steward.limits = limits
    stated = [leads(f"HP_{at}", f"own/HP_{at}", 302) for at in range(9)]
    rows = [
        *(rule("HP_{id}", location=f"{MAPS}rule/{{id}}", tests=[*stated, leads("HP_x", "rule/x", 302)]),),
        *(
            resource(f"{DOC}HP_{at}", location=f"{MAPS}own/HP_{at}", tests=[leads("", None, 302)])
            for at in range(9)
        ),
        {
            "record": "alias",
            "identifier": f"{DOC}HP_a",
            "stands_for": f"{DOC}HP_1",
            "tests": [leads("", status=301)],
        },
    ]

    report = upload(steward, *rows, **said)

    assert (numbers(report), failed(report)) == ((20, 0), [])
    assert report.counts == {"registered": 11, "warned": 1}  # the alias has no title


@pytest.mark.parametrize("limits", [Limits(), IN_PARTS])
def test_a_strict_upload_with_a_failing_test_registers_nothing(limits: Limits) -> None:
    steward = settled()
    steward.limits = limits
    rows = [resource(f"{DOC}{at}/") for at in range(9)]
    before = dict(steward.memory.standing(""))

    report = upload(steward, *rows, resource(tests=[leads("", "79/")]), **STRICT)

    assert dict(steward.memory.standing("")) == before
    assert report.counts == {"refused": 11}
    assert (report.verdicts[0].broken, numbers(report)) == ([("", "tests")], (1, 1))


def test_a_strict_dry_run_is_refused_for_a_failing_test() -> None:
    report = upload(settled(), resource(tests=[leads("", "79/")]), **STRICT, **DRY)

    assert report.counts == {"registered": 1, "refused": 1}


def test_a_strict_upload_may_register_many_identifiers() -> None:
    steward = settled()
    rows = [resource(f"{DOC}{at}/", tests=[leads()]) for at in range(40)]

    assert upload(steward, *rows, **STRICT).counts == {"registered": 40}
    changed = [{**row, "location": f"{MAPS}x"} for row in rows]
    assert "changed" not in upload(steward, *changed, **STRICT).counts
    assert upload(steward, *changed, **STRICT, many="true").counts == {"changed": 40}


@pytest.mark.parametrize("limits", [Limits(), IN_PARTS])
def test_a_second_delivery_reports_the_same_tests(limits: Limits) -> None:
    steward = settled()
    steward.limits = limits
    rows = [resource(f"{DOC}{at}/", tests=[leads("", "79/")]) for at in range(9)]
    put = steward.put(LINES, written(rows))
    first = steward.deliver(put)
    for key in [key for key in steward.files.reports if not key.startswith("_parts/")]:
        del steward.files.reports[key]

    ingest_part(put, steward.collaborators)
    steward.work_off()

    assert numbers(first) == (9, 9)
    assert steward.report(put).whole == first.whole


def test_an_upload_runs_a_limited_number_of_tests() -> None:
    steward = settled()
    number = MOST_RUN // 100 + 1
    tests = [leads(str(at), status=404) for at in range(100)]
    report = upload(steward, *(resource(f"{DOC}{at}/", tests=tests) for at in range(number)))

    assert (numbers(report), report.whole["tests"]["left_out"]) == ((MOST_RUN, 0), 100)


def test_a_limited_number_of_identifiers_below_a_prefix_is_considered() -> None:
    steward = settled()
    rows = (resource(f"{DOC}{at:04}/", tests=[leads()]) for at in range(MOST_BELOW + 5))
    upload(steward, *rows)

    assert numbers(upload(steward, rule(""))) == (MOST_BELOW - 1, 0)  # the prefix is the first


def test_uploads_without_tests_make_no_further_calls() -> None:
    def calls(*rows: dict[str, Any]) -> int:
        steward = settled()
        upload(steward, resource(f"{DOC}0/"))
        steward.memory.calls = 0
        upload(steward, *rows)
        return steward.memory.calls

    assert calls(resource(HERE)) == calls(resource(f"{DOC}x"))
    tested = calls(resource(HERE, tests=[leads()]))
    assert tested > calls(resource(HERE))


def test_the_page_lists_failures() -> None:
    steward = settled()
    put = steward.put(LINES, written([resource(tests=[leads("", "79/", label="a map")])]))
    steward.deliver(put)
    page = steward.files.reports[page_key(put.key, put.version)].decode()

    assert "1 test run: 0 passed, 1 failed" in page
    assert "uri-gin/azgs/doc/78/ (a map): expected 303 → https://maps.example/79/" in page.replace(
        "<wbr>", ""
    )


def test_the_failure_of_an_embargoed_identifier_has_no_target() -> None:
    row = resource(status="embargoed", until="2999-01-01", tests=[leads("", "secret", label="Secret")])
    report = upload(settled(), row)

    assert report.whole["tests"]["failures"][0]["answer"]["status"] == 403
    assert "ecret" not in json.dumps(report.whole["tests"])


def test_replaced_tests_of_an_upload_are_those_that_are_run() -> None:
    steward = settled()
    upload(steward, rule("", tests=[leads("HP_1", status=404)]))
    report = upload(steward, resource(f"{DOC}HP_1"), rule("", tests=[leads("HP_1", status=302)]))

    assert numbers(report) == (1, 0)


def test_the_limits_of_parts_have_no_influence_on_tests() -> None:
    rows = [resource(f"{DOC}{at}/", tests=[leads("", f"{at % 5}/")]) for at in range(12)]
    reports = []
    for limits in (Limits(), IN_PARTS, replace(IN_PARTS, task_rows=1)):
        steward = settled()
        steward.limits = limits
        reports.append(upload(steward, *rows).whole["tests"])

    assert reports[0]["failed"] == 7
    assert [sorted(each["identifier"] for each in report["failures"]) for report in reports[1:]] == [
        sorted(each["identifier"] for each in reports[0]["failures"])
    ] * 2
