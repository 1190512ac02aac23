"""The first run asks AWS by itself, a person for the rest, and keeps what was found."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from moto import mock_aws
from moto.server import ThreadedMotoServer

from infra.deployment.stack import Resource
from infra.first_run.page import PAGE, write_tables
from infra.first_run.probes import PROBES, load, logs
from infra.first_run.results import Results, Verdict, read_results, scrub
from infra.first_run.session import Choice, make, run
from infra.first_run.table import Check, Section, read_table
from infra.first_run.target import Found, Target
from infra.local.template import REGION
from tests.scripted_http import response, scripted, send
from tests.terminal import press_enter

OWN = Check("own", "an own check", "`look`", "all is well")
DISRUPTIVE = Check("breaks", "a check that disturbs", "`break`", "it holds", disruptive=True)
TABLE = [Section("Some", [OWN, DISRUPTIVE])]
LOG = "/aws/lambda/ginuri-resolve"


def answer(text: str) -> Callable[[str], str]:
    return lambda _question: text


def target(service: str = "http://127.0.0.1:1", client: Any = None) -> Target:
    def clients(service: str, region: str | None = None) -> Any:
        return client or boto3.client(service, region_name=region or REGION)  # type: ignore[call-overload]

    outputs = {"ServiceUrl": service, "GatewayUrl": service}
    resources = [
        Resource("ContentLostAlarm", "AWS::CloudWatch::Alarm", "ginuri-ContentLostAlarm"),
        *(Resource(name, "any", f"ginuri-{name}") for name in ("ResolveFunction", "DescribeFunction")),
    ]
    values = {"AccountConcurrency": "1000", "Release": "0" * 64}
    return Target("ginuri", REGION, values, outputs, resources, clients, pause=lambda _seconds: None)


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return Results(tmp_path / "first-run.json", REGION, "release")


@pytest.fixture
def aws() -> Iterator[None]:
    with mock_aws():
        yield


def test_the_page_has_the_tables_of_the_checks() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert write_tables(page, read_table()) == page, "make reference"


def test_every_function_belongs_to_a_check() -> None:
    assert PROBES.keys() <= {check.key for section in read_table() for check in section.checks}


def test_a_repeated_key_is_refused(tmp_path: Path) -> None:
    entry = '[[section.check]]\nkey = "x"\nname = "n"\ncommand = "c"\nexpected = "e"\n'
    (tmp_path / "checks.toml").write_text(f'[[section]]\ntitle = "t"\n{entry}{entry}', encoding="utf-8")

    with pytest.raises(ValueError, match="several checks with the key x"):
        read_table(tmp_path / "checks.toml")


@pytest.mark.parametrize(
    ("text", "verdict", "found"),
    [
        ("y", "passed", "yes"),
        ("No", "failed", "no"),
        ("", "open", "a person has to look"),
        ("it took a minute", "failed", "it took a minute"),
    ],
)
def test_a_check_without_a_function_asks_a_person(text: str, verdict: str, found: str) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return text

    made = make(OWN, target(), ask)

    assert (made.verdict, made.text) == (verdict, found)
    assert all(part in asked[0] for part in ("an own check", "`look`", "all is well"))


def test_a_disruptive_check_is_skipped_by_name(results: Results) -> None:
    made = list(run(TABLE, target(), results, answer("y"), Choice()))

    assert [(each.check, str(each.verdict)) for each in made] == [
        ("an own check", "passed"),
        ("a check that disturbs", "skipped"),
    ]
    made = list(run(TABLE, target(), results, answer("y"), Choice(disruptive=True)))
    assert [each.check for each in made] == ["a check that disturbs"]


def test_a_disruptive_result_outlives_a_run_without_it(results: Results) -> None:
    list(run(TABLE, target(), results, answer("n"), Choice(disruptive=True)))

    list(run(TABLE, target(), results, answer("y"), Choice()))

    assert {key: str(each.verdict) for key, each in results.checks.items()} == {
        "own": "passed",
        "breaks": "failed",
    }


def test_a_run_continues_where_it_stopped(results: Results) -> None:
    steps = run(TABLE, target(), results, answer("y"), Choice(disruptive=True))
    next(steps)

    continued = read_results(results.file, REGION, "release")
    made = list(run(TABLE, target(), continued, answer("y"), Choice(disruptive=True)))

    assert [each.check for each in made] == ["a check that disturbs"]
    assert read_results(results.file, REGION, "release").checks.keys() == {"own", "breaks"}


def test_another_release_is_checked_anew(results: Results) -> None:
    list(run(TABLE, target(), results, answer("y"), Choice()))

    assert read_results(results.file, REGION, "later").checks == {}


def test_a_result_names_what_was_expected_and_when(results: Results) -> None:
    list(run(TABLE, target(), results, answer("y"), Choice()))

    document = json.loads(results.file.read_text(encoding="utf-8"))
    assert (document["region"], document["release"]) == (REGION, "release")
    assert document["checks"]["own"].keys() == {"check", "expected", "found", "verdict", "date"}
    assert datetime.fromisoformat(document["checks"]["own"]["date"]) <= datetime.now(UTC)


@pytest.mark.parametrize(
    "secret", ["123456789012", "A" * 64, "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]
)
def test_no_secret_gets_into_the_file(secret: str) -> None:
    assert secret not in scrub(f"arn:aws:x:{secret}: and {secret}")


def test_an_unreachable_service_is_a_failed_check() -> None:
    found = make(replace(OWN, key="strong-etags"), target(), answer("y"))

    assert found.verdict is Verdict.FAILED
    assert "no connection" in found.text


def test_a_call_that_aws_refuses_stays_open() -> None:
    client = boto3.Session("testing", "testing", region_name=REGION).client("lambda")
    with Stubber(client) as stub:
        stub.add_client_error("get_account_settings", "AccessDenied", "not you\n")

        found = make(replace(OWN, key="concurrency"), target(client=client), answer(""))

    assert found.verdict is Verdict.OPEN
    assert "AccessDenied" in found.text


@pytest.mark.parametrize(
    ("key", "status", "verdict"),
    [
        ("gateway-closed", 403, "passed"),
        ("gateway-closed", 303, "failed"),
        ("first-publication", 200, "passed"),
        ("first-publication", 404, "failed"),
        ("strong-etags", 200, "failed"),
    ],
)
def test_a_request_is_judged_by_its_answer(key: str, status: int, verdict: str) -> None:
    with scripted(send(response(b"", status), close=True)) as server:
        found = make(replace(OWN, key=key), target(server.url), answer(""))

    assert found.verdict == verdict


def test_a_question_follows_the_function_of_its_check(aws: None) -> None:
    del aws
    client = boto3.client("cloudwatch", region_name=REGION)
    _put_alarm(client)
    check = replace(OWN, key="alarm-sent", question="did a mail arrive?")

    assert make(check, target(), answer("y")) == Found(Verdict.PASSED, "yes")
    assert client.describe_alarms()["MetricAlarms"][0]["StateValue"] == "ALARM"


def _put_alarm(client: Any) -> None:
    client.put_metric_alarm(
        AlarmName="ginuri-ContentLostAlarm",
        EvaluationPeriods=1,
        ComparisonOperator="GreaterThanThreshold",
        MetricName="x",
        Namespace="ginuri",
        Period=60,
        Statistic="Sum",
        Threshold=0,
    )


@pytest.mark.parametrize(("state", "verdict"), [("OK", "passed"), ("ALARM", "failed")])
def test_an_alarm_that_is_on_fails(aws: None, state: str, verdict: str) -> None:
    del aws
    client = boto3.client("cloudwatch", region_name=REGION)
    assert logs.list_alarms(target()).verdict is Verdict.FAILED  # there is none
    _put_alarm(client)
    client.set_alarm_state(AlarmName="ginuri-ContentLostAlarm", StateValue=state, StateReason="x")

    assert logs.list_alarms(target()).verdict == verdict


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [([], "open"), (['{"path": "/"}'], "passed"), (['{"path": "/"}', "START RequestId: x"], "failed")],
)
def test_lines_of_the_log_are_json(aws: None, lines: list[str], verdict: str) -> None:
    del aws
    _write_log(lines)
    with scripted(send(response(b""), close=True)) as server:
        assert logs.read_lines(target(server.url)).verdict == verdict


def test_a_trace_of_a_secret_fails(aws: None) -> None:
    del aws
    _write_log(["{}"])
    with scripted(send(response(b""), close=True)) as server:
        assert logs.search_for_secret(target(server.url)).verdict is Verdict.PASSED


def _write_log(lines: list[str]) -> None:
    client = boto3.client("logs", region_name=REGION)
    client.create_log_group(logGroupName=LOG)
    client.create_log_stream(logGroupName=LOG, logStreamName="x")
    if lines:
        events = [{"timestamp": int(time.time() * 1000), "message": line} for line in lines]
        client.put_log_events(logGroupName=LOG, logStreamName="x", logEvents=events)


@pytest.mark.parametrize(
    ("requests", "invocations", "verdict"), [(25, 15, "passed"), (25, 16, "failed"), (0, 0, "failed")]
)
def test_refused_requests_are_the_difference_of_two_metrics(
    aws: None, requests: int, invocations: int, verdict: str
) -> None:
    del aws
    client = boto3.client("cloudwatch", region_name=REGION)
    for namespace, metric, name, value, count in (
        ("AWS/ApiGateway", "Count", "ApiName", "ginuri", requests),
        ("AWS/Lambda", "Invocations", "FunctionName", "ginuri-ResolveFunction", invocations),
    ):
        data = {"MetricName": metric, "Dimensions": [{"Name": name, "Value": value}], "Value": float(count)}
        client.put_metric_data(Namespace=namespace, MetricData=[data])
    with scripted(send(response(b"", status=403), close=True)) as server:
        assert logs.count_refused(target(server.url)).verdict == verdict


@pytest.mark.parametrize(("share", "verdict"), [(None, "open"), (30, "passed"), (70, "failed")])
def test_the_share_of_the_edge_function_is_read_where_it_is(
    aws: None, share: int | None, verdict: str
) -> None:
    del aws
    client = boto3.client("cloudwatch", region_name="us-east-1")
    dimensions = [
        {"Name": "FunctionName", "Value": f"ginuri-{REGION}"},
        {"Name": "Region", "Value": "Global"},
    ]
    if share is not None:
        data = {"MetricName": "FunctionComputeUtilization", "Dimensions": dimensions, "Value": float(share)}
        client.put_metric_data(Namespace="AWS/CloudFront", MetricData=[data])

    assert load.read_function_share(target()).verdict == verdict


def test_cold_starts_are_the_slowest_of_many_requests() -> None:
    with scripted(send(response(b"", 303), close=True)) as server:
        load.time_cold_starts(target(server.url))

        assert len(server.requests) == 20
        assert len(set(server.requests)) == 20  # none is answered by a cache


@pytest.mark.parametrize(("slowest", "verdict"), [(0.5, "passed"), (0.7, "failed")])
def test_a_cold_start_takes_at_most_half_a_second_more(slowest: float, verdict: str) -> None:
    assert load.compare_times([0.2, slowest, 0.1]).verdict == verdict


@pytest.mark.parametrize(("quota", "verdict"), [(1000, "passed"), (10, "failed")])
def test_the_concurrency_is_that_of_the_parameter(quota: int, verdict: str) -> None:
    client = boto3.Session("testing", "testing", region_name=REGION).client("lambda")
    with Stubber(client) as stub:
        stub.add_response("get_account_settings", {"AccountLimit": {"ConcurrentExecutions": quota}})

        assert load.compare_concurrency(target(client=client)).verdict == verdict


def test_the_command_asks_at_the_terminal_and_writes_the_file(root: Path, tmp_path: Path) -> None:
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    endpoint = f"http://localhost:{server.get_host_and_port()[1]}"
    cloudformation = boto3.Session("testing", "testing", region_name=REGION).client(
        "cloudformation", endpoint_url=endpoint
    )
    release = {"Parameters": {"Release": {"Type": "String"}}}
    queue = {"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}}
    cloudformation.create_stack(
        StackName="ginuri-dev",
        TemplateBody=json.dumps({**release, **queue}),
        Parameters=[{"ParameterKey": "Release", "ParameterValue": "0123456789abcdef"}],
    )
    command = [sys.executable, "-m", "infra.first_run", "dev", "--only", "freshness", "dead-letter"]
    file = tmp_path / "results.json"

    questions, seen = press_enter([*command, "--file", str(file)], _environment(tmp_path, endpoint), root)
    server.stop()

    assert questions == ["y, n, or what came instead; Enter leaves it open:"]
    assert "results.json: 1 open, 1 skipped" in seen
    assert "skipped: an upload that cannot be processed" in seen
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["release"] == "0123456789ab"
    assert document["checks"]["freshness"]["verdict"] == "open"


def test_the_command_without_aws_explains_itself(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "infra.first_run", "dev"]

    questions, seen = press_enter(command, _environment(tmp_path, "http://127.0.0.1:1"), root)

    assert questions == []
    assert "error: Could not connect to the endpoint URL" in seen


def _environment(home: Path, endpoint: str) -> dict[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
    }
