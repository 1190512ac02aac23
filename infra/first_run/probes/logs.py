"""Checks of logs, metrics and alarms."""

from __future__ import annotations

import json
import secrets

from infra.deployment.publication import PublicationFailed, publish
from infra.first_run.results import Verdict
from infra.first_run.target import Found, Target, judge
from infra.smoke.exchange import Address, exchange

_NAME = "/uri-gin/smoke/"
_REFUSED = 10
_MOST_NAMES = 100
"""The names of one call of DescribeAlarms."""
_MINUTES = 180.0
"""The patience for metrics, in seconds."""


def read_lines(target: Target) -> Found:
    """Ask once, and look whether every line of the log is JSON of our own."""
    target.get(f"{_NAME}?{secrets.token_hex(4)}")
    target.pause(20)
    lines = target.log_lines("resolve")
    if not lines:
        return Found(Verdict.OPEN, "no lines within ten minutes")
    others = [line for line in lines if not _is_ours(line)]
    return judge(f"{len(lines)} lines, {len(others)} others: {' '.join(others[:1])}", passed=not others)


def _is_ours(line: str) -> bool:
    try:
        return "START" not in line and "platform.start" not in line and isinstance(json.loads(line), dict)
    except ValueError:
        return False


def publish_and_list_metrics(target: Target) -> Found:
    """Run publish, and wait for the metric that CloudWatch takes from its line."""
    try:
        publish(target.clients("lambda"), target.physical("PublishFunction"))
    except PublicationFailed as error:
        return Found(Verdict.FAILED, f"publish failed: {error}")
    return target.wait_for(lambda: _list_metrics(target), _MINUTES)


def _list_metrics(target: Target) -> Found:
    listed = target.clients("cloudwatch").list_metrics(Namespace="ginuri", MetricName="published")
    dimensions = [
        {each["Name"]: each["Value"] for each in metric["Dimensions"]} for metric in listed["Metrics"]
    ]
    return judge(f"published with {dimensions}", passed={"stack": target.stack} in dimensions)


def count_refused(target: Target) -> Found:
    """Ask the gateway in vain, and compare its count with the invocations."""
    address = Address.read(target.outputs["GatewayUrl"])
    for _ in range(_REFUSED):
        exchange(address, "GET", _NAME, {}, "", 20.0)
    return target.wait_for(lambda: _count(target), _MINUTES)


def _count(target: Target) -> Found:
    requests = sum(
        target.statistic(("AWS/ApiGateway", "Count"), {"ApiName": target.stack}, "Sum", minutes=15)
    )
    invoked = sum(
        sum(target.statistic(("AWS/Lambda", "Invocations"), {"FunctionName": name}, "Sum", minutes=15))
        for name in map(target.physical, ("ResolveFunction", "DescribeFunction"))
    )
    return judge(f"{requests:g} requests, {invoked:g} invocations", passed=requests - invoked >= _REFUSED)


def set_off_alarm(target: Target) -> Found:
    """Set off an alarm, which mails to AlarmAddress."""
    name = target.physical("ContentLostAlarm")
    target.clients("cloudwatch").set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="first run")
    return Found(Verdict.PASSED, "the alarm was set off")


def list_alarms(target: Target) -> Found:
    """List the alarms of the stack that are on."""
    names = [each.id for each in target.resources if each.kind == "AWS::CloudWatch::Alarm"]
    described = target.clients("cloudwatch").describe_alarms(AlarmNames=names[:_MOST_NAMES])
    alarms = described["MetricAlarms"]
    on = [str(each["AlarmName"]) for each in alarms if each["StateValue"] == "ALARM"]
    return judge(f"{len(alarms)} alarms, {len(on)} on: {', '.join(on)}", passed=bool(alarms) and not on)


def search_for_secret(target: Target) -> Found:
    """Send a query and a cookie, and search the log for both."""
    word = f"s3cr3t{secrets.token_hex(4)}"
    target.get(f"{_NAME}?token={word}", {"Cookie": word})
    target.pause(20)
    found = target.log_lines("resolve", pattern=f'"{word}"')
    return judge(f"{len(found)} lines", passed=not found)
