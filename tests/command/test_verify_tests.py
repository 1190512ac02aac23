"""`ginuri verify --tests`: are the stated tests of a registry, or of a file, sent to a host, and judged?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from tests.served_folder import OneMachine, serving, wait_for

PURL = "http://purl.example.org/net/"
TARGET = "https://a.example/"
HOSTS = (
    {"record": "scheme", "identifier": "uri-gin/", "title": "The scheme"},
    {"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"},
    {"record": "host", "identifier": "http://purl.example.org/", "title": "PURLs"},
)
RULE = {
    "record": "rule",
    "identifier": PURL,
    "pattern": "T_{id}",
    "location": f"{TARGET}{{id}}",
    "pass_query": True,
    "tests": [
        {"path": "T_1", "status": 302, "target": f"{TARGET}1"},
        {"path": "T_1", "query": "x=1", "target": f"{TARGET}1?x=1"},
        {"path": "T_", "status": 404},
    ],
}
MAP = {
    "identifier": "uri-gin/azgs/map/1/",
    "title": "Map",
    "representations": [
        {"media_type": "text/turtle", "location": f"{TARGET}1.ttl"},
        {"media_type": "text/html", "location": f"{TARGET}1.html", "role": "default"},
    ],
    "tests": [
        {"headers": {"Accept": "text/turtle"}, "target": f"{TARGET}1.ttl", "label": "Turtle"},
        {"target": f"{TARGET}1.html"},
        {"path": "a%zz", "status": 400},
    ],
}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OneMachine]:
    """A server whose registry states six tests, which all pass."""
    with serving(tmp_path_factory.mktemp("served") / "registry") as running:
        running.register("_host/all.jsonl", *HOSTS)
        running.register("purl.example.org/net/rules.jsonl", RULE)
        running.register("uri-gin/azgs/maps.jsonl", MAP)
        yield running


def verify(*arguments: str) -> Result:
    given = ("verify", "--tests", "--rate", "1000", *arguments)
    return CliRunner().invoke(main, given, env={"LANGUAGE": "en"}, prog_name="ginuri")


def against(machine: OneMachine) -> tuple[str, str]:
    return "--against", f"http://127.0.0.1:{machine.port}"


def written(tmp_path: Path, *rows: dict[str, Any]) -> str:
    file = tmp_path / "tests.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(file)


def test_all_tests_of_a_registry_are_sent(machine: OneMachine) -> None:
    result = verify("--registry", str(machine.folder), *against(machine))

    assert (result.exit_code, result.output) == (0, "6 tests run: 6 passed, 0 failed\n")


def test_only_tests_under_a_prefix_are_sent(machine: OneMachine) -> None:
    result = verify("--registry", str(machine.folder), "--under", "uri-gin/azgs/", *against(machine))

    assert result.output == "3 tests run: 3 passed, 0 failed\n"


def test_the_tests_of_a_file_are_sent_without_a_registry(machine: OneMachine, tmp_path: Path) -> None:
    wrong = {**MAP, "tests": [{"headers": {"Accept": "text/turtle"}, "status": 302, "label": "Turtle"}]}
    result = verify(written(tmp_path, RULE, wrong), *against(machine))

    answers = f"expected 302; the answer is 303 → {TARGET}1.ttl"
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{MAP['identifier']} [Accept: text/turtle] (Turtle): {answers}",
        "4 tests run: 3 passed, 1 failed",
    ]


def test_each_result_is_one_object_of_json(machine: OneMachine, tmp_path: Path) -> None:
    wrong = {**MAP, "tests": [{"status": 404, "label": "none"}]}
    result = verify(written(tmp_path, RULE, wrong), *against(machine), "--json")
    *lines, last = map(json.loads, result.stdout.splitlines())

    assert [each["passes"] for each in lines] == [True, True, True, False]
    assert lines[-1]["answer"]["target"] == f"{TARGET}1.html"
    assert (lines[-1]["label"], lines[0]["rule"]) == ("none", "T_{id}")
    assert last == {"run": 4, "passed": 3, "failed": 1, "passes": False}


def test_a_share_of_the_tests_may_be_enough(machine: OneMachine, tmp_path: Path) -> None:
    file = written(tmp_path, RULE, {**MAP, "tests": [{"status": 404}]})

    assert [verify(file, *against(machine), "--gate", gate).exit_code for gate in ("75", "76")] == [0, 1]


def test_a_test_without_an_answer_fails(tmp_path: Path) -> None:
    result = verify(written(tmp_path, MAP), "--against", "http://127.0.0.1:1")

    assert result.exit_code == 1
    assert "there was no answer: ConnectionRefusedError" in result.output


def test_a_faulty_line_of_a_file_is_reported(machine: OneMachine, tmp_path: Path) -> None:
    faulty = {**MAP, "tests": [{"path": "x"}]}
    result = verify(written(tmp_path, RULE, faulty), *against(machine))

    assert result.exit_code == 1
    assert "line 2: A test expects a `status`, a `target`, or both." in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["tests.txt", "--against", "a.example"],
        ["empty.jsonl", "--against", "a.example"],
        ["empty.jsonl", "--against", "ftp://a.example"],
        ["empty.jsonl", "--against", "a.example", "--sample", "1"],
    ],
)
def test_a_run_without_tests_exits_with_2(arguments: list[str], tmp_path: Path) -> None:
    for name in ("tests.txt", "empty.jsonl"):
        (tmp_path / name).write_text('{"identifier": "uri-gin/azgs/x", "title": "X"}\n')
    file, *others = arguments

    assert verify(str(tmp_path / file), *others).exit_code == 2


def test_a_server_publishes_the_results_of_all_tests(machine: OneMachine) -> None:
    def published() -> dict[str, Any] | None:
        answer = machine.ask("/registry.tests.json")
        return answer.json if answer.status == 200 and answer.json["run"] == 6 else None

    results = wait_for(published)
    assert (results["passed"], results["failed"], results["failures"]) == (6, 0, [])
    wait_for(lambda: '"tests_failed": 0' in machine.log)
