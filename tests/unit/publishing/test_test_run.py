"""Does a publication run the tests of all records, and publish their failures?"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from ginuri.answer_tests.placed_tests import place_tests
from ginuri.identifiers.service_paths import TESTS
from ginuri.publishing.flow import publish
from ginuri.publishing.test_run import AllTests
from infra.published_folder import FolderPublished
from tests.publishing import HOST, NOON
from tests.steward import LINES, Steward, settled

MAP = "uri-gin/azgs/doc/"
EXPECTED = {"status": 303, "target": "https://maps.example/"}


def resource(name: str, *tests: dict[str, Any], **fields: Any) -> dict[str, Any]:
    location = {"location": "https://maps.example/"}
    return {"identifier": f"{MAP}{name}/", "title": "Map", **location, "tests": list(tests), **fields}


def registered(*rows: dict[str, Any]) -> Steward:
    steward = settled()
    steward.upload(LINES, "".join(f"{json.dumps(row)}\n" for row in rows))
    return steward


def results(folder: Path, steward: Steward) -> tuple[int, dict[str, Any]]:
    """Publish, and return the number of failures beside the file, and the file."""
    store = FolderPublished(folder)
    publication = publish(steward.memory, (), store, HOST, lambda: NOON, reader=steward.memory)
    content: dict[str, Any] = json.loads(store.read(publication.key(TESTS)) or b"")
    return publication.files[TESTS].lines, content


def test_the_failures_of_all_tests_are_published(tmp_path: Path) -> None:
    rule = {
        "record": "rule",
        "identifier": MAP,
        "pattern": "HP_{id}",
        "location": "https://hp.example/{id}",
        "tests": [{"path": "HP_1", "status": 302}, {"path": "HP_1", "query": "x", "status": 404}],
    }
    steward = registered(resource("1", EXPECTED), resource("2", {**EXPECTED, "label": "two"}), rule)
    steward.upload(LINES, json.dumps({"identifier": f"{MAP}2/", "location": "https://moved.example/"}))

    failed, content = results(tmp_path, steward)

    assert (failed, content["made"]) == (2, "2011-08-26T12:00:00Z")
    assert [content[name] for name in ("run", "passed", "failed", "left_out")] == [4, 2, 2, 0]
    assert [(each["identifier"], each["rule"]) for each in content["failures"]] == [
        (MAP, "HP_{id}"),
        (f"{MAP}2/", None),
    ]
    assert content["failures"][1]["answer"] == {
        "status": 303,
        "target": "https://moved.example/",
        "error": None,
    }


def test_a_registry_without_tests_has_no_failures(tmp_path: Path) -> None:
    failed, content = results(tmp_path, registered(resource("1")))

    assert (failed, content["run"], content["failures"]) == (0, 0, [])


def test_a_withheld_record_publishes_neither_target_nor_label(tmp_path: Path) -> None:
    secret = {"status": 303, "target": "https://secret.example/", "label": "Secret"}
    _, content = results(tmp_path, registered(resource("1", secret, status="withheld")))

    assert (content["failed"], "ecret" in json.dumps(content)) == (1, False)


def test_a_publication_without_a_reader_runs_no_tests(tmp_path: Path) -> None:
    publication = publish(registered(resource("1", EXPECTED)).memory, (), FolderPublished(tmp_path), HOST)

    assert TESTS not in publication.files


def test_tests_beyond_the_limit_have_their_turn(tmp_path: Path) -> None:
    steward = registered(*(resource(str(at), {"status": 404, "label": str(at)}) for at in range(10)))
    ran = set()
    for day in range(4):
        tests = AllTests(tmp_path, most=3)
        for name, values in sorted(steward.memory.standing("")):
            tests.add(name, values)
        summary = tests.run(steward.memory, HOST, NOON + timedelta(days=day))
        assert (summary.number, summary.left_out) == (3, 7)
        ran |= {failure.placed.test.label for failure in summary.failures}

    assert ran == {str(at) for at in range(10)}


def test_the_tests_of_a_record_are_found_in_its_values() -> None:
    steward = registered(resource("1", EXPECTED, {"path": "x", "status": 404}))

    placed = place_tests(f"{MAP}1/", steward.values(f"{MAP}1/") or {})
    assert [each.name for each in placed] == [f"{MAP}1/", f"{MAP}1/x"]
