"""Each alarm goes off for its causes, by the data points that AWS documents for them, and only then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from infra.local.template import expand
from tests.infrastructure.alarm_causes import CAUSES, Cause, Emitted
from tests.infrastructure.metric_math import MORE, Points, evaluate, rings
from tests.infrastructure.stack import Stack, if_true, referred

Alarms = Mapping[str, Mapping[str, Any]]
CANARY_SECONDS, SECONDS_OF_DELAY = 300, 60
"""`Canary10Percent5Minutes`, and the time until CloudWatch has the points of a minute."""


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.what)
def test_a_cause_sets_off_exactly_its_alarms(stack: Stack, alarms: Alarms, cause: Cause) -> None:
    emitted = cause.emitted()

    ringing = {
        name for name, alarm in alarms.items() if rings(alarm, _watched(stack.template, alarm, emitted))
    }

    assert ringing == cause.alarms


def test_every_alarm_has_a_cause(alarms: Alarms) -> None:
    assert set(alarms) == {alarm for cause in CAUSES for alarm in cause.alarms}


def test_every_alarm_of_the_canary_can_go_off_within_it(root: Path) -> None:
    canary = Stack(expand(root / "template.yaml", parameters={"Canary": "true"}))
    groups = canary.of_type("AWS::CodeDeploy::DeploymentGroup")

    assert groups
    for group in groups.values():
        assert group["DeploymentConfigName"]["Fn::Sub"][1] == {"ConfigName": "Canary10Percent5Minutes"}
        for name in (referred(alarm["Name"]) for alarm in group["AlarmConfiguration"]["Alarms"]):
            alarm = canary.properties(name)
            points = alarm.get("DatapointsToAlarm", alarm["EvaluationPeriods"])
            assert points * _period(alarm) <= CANARY_SECONDS - SECONDS_OF_DELAY


@pytest.mark.parametrize(
    ("points", "breaching", "not_breaching"),
    [  # of three points, three and two have to be beyond the threshold
        ("0-X-X", (False, True), (False, True)),
        ("0----", (False, True), (False, False)),
        ("-----", (True, True), (False, False)),
        ("0XX-X", (True, True), (True, True)),
        ("----X", (True, True), (False, False)),
        ("00X0X", (False, True), (False, True)),
        ("----0", (False, True), (False, False)),
    ],
)
def test_states_match_the_documented_examples(
    points: str, breaching: tuple[bool, bool], not_breaching: tuple[bool, bool]
) -> None:
    values = [{"0": 0.0, "X": 1.0, "-": None}[point] for point in points]
    alarm = {"EvaluationPeriods": 3, "ComparisonOperator": "GreaterThanThreshold", "Threshold": 0}

    for treatment, expected in (("breaching", breaching), ("notBreaching", not_breaching)):
        stated = [
            rings({**alarm, "TreatMissingData": treatment, "DatapointsToAlarm": wanted}, values)
            for wanted in (3, 2)
        ]
        assert tuple(stated) == expected


def test_expressions_match_the_documented_treatment_of_missing_points() -> None:
    metrics: dict[str, Points] = {"a": [30, 20, None, None], "b": [10, None, 20, None]}

    assert evaluate("a + b", metrics) == [40, 20, 20, None]
    assert evaluate("a / b", metrics) == [3, None, 0, None]
    assert evaluate("FILL(a, 0) / (b >= 0)", metrics) == [30, None, 0, None]
    assert evaluate("100 * a", metrics) == [3000, 2000, None, None]


def _watched(template: Mapping[str, Any], alarm: Mapping[str, Any], emitted: Emitted) -> Points:
    """Return the points that an alarm evaluates."""
    length = alarm["EvaluationPeriods"] + MORE
    if "Metrics" not in alarm:
        return _points(emitted, alarm, length)
    [expression] = [data["Expression"] for data in alarm["Metrics"] if "Expression" in data]
    metrics = {
        data["Id"]: _points(emitted, data["MetricStat"]["Metric"], length)
        for data in alarm["Metrics"]
        if "MetricStat" in data
    }
    return evaluate(_write(template, expression), metrics)


def _points(emitted: Emitted, metric: Mapping[str, Any], length: int) -> Points:
    values = emitted.get(_name(metric), [])
    newest = values if isinstance(values, list) else [values] * length
    return [*[None] * (length - len(newest)), *newest][-length:]


def _name(metric: Mapping[str, Any]) -> str:
    dimensions = [_resource(dimension["Value"]) for dimension in metric.get("Dimensions", ())]
    return " ".join((metric["Namespace"], metric["MetricName"], *dimensions))


def _resource(value: Any) -> str:
    match if_true(value):
        case str() as literal:
            return literal
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), _]}:
            return name
        case _:
            raise ValueError(f"{value} is no name of a resource")


def _write(template: Mapping[str, Any], expression: Any) -> str:
    if isinstance(expression, str):
        return expression
    text: str = expression["Fn::Sub"]
    return re.sub(r"\$\{(\w+)\}", lambda found: str(template["Parameters"][found[1]]["Default"]), text)


def _period(alarm: Mapping[str, Any]) -> int:
    [period] = {
        data["MetricStat"]["Period"] for data in alarm.get("Metrics", ()) if "MetricStat" in data
    } or {alarm["Period"]}
    return int(period)
