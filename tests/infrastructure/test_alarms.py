"""Every alarm has a row in the runbook, and watches a metric that AWS or the code emits."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ginuri.access.tokens import METRICS as TOKEN_METRICS
from ginuri.cli.replays.aws_replay import DRILLED, RECOVERED
from ginuri.registration.verdicts import Outcome
from ginuri.web.log_line import ALARMING, METRICS, NAMESPACE
from infra.local.template import expand
from tests.infrastructure.stack import Stack

ALARM = "AWS::CloudWatch::Alarm"
DAY, WEEK = 86_400, 604_800
EMITTED = {
    *METRICS,
    *TOKEN_METRICS.values(),
    "published",
    "tests_failed",
    *(str(outcome) for outcome in Outcome),
    DRILLED,
    RECOVERED,
}
"""The functions that write metrics: for one request, for a run of publish, for an upload."""

Alarms = Mapping[str, Mapping[str, Any]]
Metric = tuple[str, str, tuple[str, ...]]
"""A namespace, a name, and the names of the dimensions."""


def _metrics(alarm: Mapping[str, Any]) -> Iterator[Metric]:
    for metric in [alarm, *(data["MetricStat"]["Metric"] for data in _queries(alarm))]:
        if "MetricName" in metric:
            names = tuple(dimension["Name"] for dimension in metric.get("Dimensions", ()))
            yield metric["Namespace"], metric["MetricName"], names


def _queries(alarm: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [data for data in alarm.get("Metrics", ()) if "MetricStat" in data]


def _widget_metrics(stack: Stack) -> Iterator[Metric]:
    [dashboard] = stack.of_type("AWS::CloudWatch::Dashboard").values()
    for widget in json.loads(dashboard["DashboardBody"]["Fn::Sub"])["widgets"]:
        above: list[Any] = []
        for row in widget["properties"]["metrics"]:
            texts = [cell for cell in row if isinstance(cell, str)]
            if texts[0] == "...":
                texts = [*above[: len(above) - len(texts) + 1], *texts[1:]]
            texts = [above[place] if text == "." else text for place, text in enumerate(texts)]
            above = texts
            yield texts[0], texts[1], tuple(texts[2::2])


def _assert_emitted(root: Path, metric: Metric) -> None:
    namespace, name, dimensions = metric
    if namespace == NAMESPACE:
        assert name in EMITTED
        assert dimensions == ("stack",)
    else:
        known = json.loads((root / "tests" / "data" / "aws_metrics.json").read_text(encoding="utf-8"))
        assert list(dimensions) in known[namespace]["metrics"][name]


def _rows(root: Path) -> list[str]:
    page = (root / "docs" / "how-to" / "runbook.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)


def test_alarms_and_rows_in_the_runbook_correspond(alarms: Alarms, root: Path) -> None:
    assert sorted(_rows(root)) == sorted(alarms)


def test_every_alarm_watches_a_metric_that_is_emitted(alarms: Alarms, root: Path) -> None:
    for alarm in alarms.values():
        watched = list(_metrics(alarm))
        assert watched
        for metric in watched:
            _assert_emitted(root, metric)


def test_the_dashboard_shows_metrics_that_are_emitted(stack: Stack, root: Path) -> None:
    shown = list(_widget_metrics(stack))

    assert shown
    for metric in shown:
        _assert_emitted(root, metric)


def test_every_alerting_metric_of_the_functions_has_an_alarm(stack: Stack) -> None:
    watched = {
        name
        for alarm in stack.of_type(ALARM).values()
        for namespace, name, _ in _metrics(alarm)
        if namespace == NAMESPACE
    }

    assert watched == {*ALARMING, *TOKEN_METRICS.values(), "published", "tests_failed"}


@pytest.mark.parametrize("function", ["ingest", "publish"])
def test_the_metrics_of_a_job_have_the_stack_as_their_only_dimension(root: Path, function: str) -> None:
    source = ast.parse((root / "functions" / function / "handler.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(source) if isinstance(node, ast.Call)]

    [stated] = [call for call in calls if ast.unparse(call.func) == "_metrics.set_default_dimensions"]
    [made] = [call for call in calls if ast.unparse(call.func) == "Metrics"]

    assert [keyword.arg for keyword in stated.keywords] == ["stack"]
    assert [ast.unparse(keyword) for keyword in made.keywords] == ["namespace=NAMESPACE"]


def test_every_alarm_notifies_the_topic_when_it_begins_and_ends(alarms: Alarms) -> None:
    for alarm in alarms.values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [{"Ref": "AlarmTopic"}]
        assert alarm["AlarmDescription"].endswith("See docs/how-to/runbook.md.")


def test_every_alarm_states_the_meaning_of_missing_data(alarms: Alarms) -> None:
    silent = {name: alarm["TreatMissingData"] for name, alarm in alarms.items()}

    # AWS writes no days of a certificate that has ended.
    assert {name for name, meaning in silent.items() if meaning == "ignore"} == {"CertificateAlarm"}
    assert set(silent.values()) == {"notBreaching", "ignore"}


def test_every_dead_letter_queue_has_its_own_alarm(stack: Stack) -> None:
    watched = [
        alarm["Dimensions"][0]["Value"]["Fn::GetAtt"][0]
        for alarm in stack.of_type(ALARM).values()
        if alarm.get("MetricName") == "ApproximateNumberOfMessagesVisible"
    ]

    assert sorted(watched) == sorted(
        name for name in stack.of_type("AWS::SQS::Queue") if "DeadLetter" in name
    )


def test_no_alarm_looks_back_longer_than_cloudwatch_allows(alarms: Alarms) -> None:
    # https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html, under Period
    for alarm in alarms.values():
        for period in [data["MetricStat"]["Period"] for data in _queries(alarm)] or [alarm["Period"]]:
            assert period * alarm["EvaluationPeriods"] <= (WEEK if period >= 3600 else DAY)


def test_an_expression_names_only_the_metrics_beside_it(alarms: Alarms) -> None:
    for alarm in alarms.values():
        if "Metrics" in alarm:
            [expression] = [data["Expression"] for data in alarm["Metrics"] if "Expression" in data]
            text = expression["Fn::Sub"] if isinstance(expression, dict) else expression
            named = set(re.findall(r"\b[a-z]\w*", re.sub(r"\$\{\w+\}", "", text)))
            assert named == {data["Id"] for data in _queries(alarm)}


@pytest.mark.untraced
def test_alarms_are_mailed_only_to_an_address_that_was_stated(root: Path) -> None:
    template = expand(root / "template.yaml")

    assert template["Parameters"]["AlarmAddress"]["Default"] == "none"
    assert template["Resources"]["AlarmMail"]["Condition"] == "HasAlarmAddress"
