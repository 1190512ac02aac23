"""Counted calls, measured CPU and list prices, multiplied."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse

from infra.cost.counts import Counts, Kind
from infra.cost.files import ROWS_OF_A_PART, count_part
from infra.cost.measure import MEASURED
from infra.cost.writes import Units
from infra.local.template import expand

MILLION = 1_000_000
HIT_RATES = (0.5, 0.8, 0.95)
CALL_MILLISECONDS = 5
"""The time of a call to DynamoDB in Lambda, waiting included: assumed."""
MEMORY_OF_A_PROCESSOR = 1769
"""MB: a function with less has that share of a processor."""
IDLE_RECORDS = 10_000
RECORD_BYTES = 1_200
PUBLISH_MICROSECONDS = 75
"""CPU a record of publish (docs/explanation/performance.md)."""
DAYS, HOURS = 30, 720
CHECKERS_A_REGION = 2
"""The health checkers in each region of Route 53: eight regions send some 1.4 million requests a month."""
IDLE_POLLS_A_MINUTE = 15
"""Five pollers that wait for twenty seconds each, while the queue is empty."""
REQUESTS_A_MESSAGE = 3
"""A message is sent, received and deleted."""
WRITERS = 8
"""The number of concurrent writes of a part."""
PRICES = Path(__file__).with_name("prices.json")
Amounts = Mapping[str, float]
"""US dollars by their purpose."""


@cache
def prices() -> dict[str, Any]:
    """Read the list of prices."""
    listed: dict[str, Any] = json.loads(PRICES.read_text(encoding="utf-8"))
    return listed


@cache
def measured() -> dict[str, Any]:
    """Read the measured figures."""
    figures: dict[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return figures


def price(name: str, number: float) -> float:
    """Return the price of a number of units."""
    listed = prices()["prices"][name]
    return float(listed["usd"]) / float(listed["per"]) * number


def billed_milliseconds(microseconds: float, calls: float, memory: int) -> int:
    """Return the billed time of a request: its CPU at the function's share, and the waiting for calls."""
    processor = min(1.0, memory / MEMORY_OF_A_PROCESSOR)
    return math.ceil(microseconds / 1000 / processor + calls * CALL_MILLISECONDS)


def request_costs(kind: Kind, counts: Counts, template: Mapping[str, Any]) -> Amounts:
    """Return the cost of a million requests of a kind behind the gateway."""
    memory = _memory(template, kind.function)
    billed = billed_milliseconds(measured()["microseconds"][kind.case], counts.calls, memory)
    return {
        "gateway": price("gateway request", MILLION),
        "Lambda": price("function request", MILLION)
        + price("function second", MILLION * billed / 1000 * memory / 1024),
        "table": price("read unit", MILLION * counts.read_units),
        "log": price("log byte", MILLION * counts.log_bytes),
        "traffic": price("egress byte", MILLION * counts.answer_bytes),
    }


def own_share(amounts: Amounts) -> float:
    """Return the part of the cost that depends on ginuri's own code."""
    return sum(amount for name, amount in amounts.items() if name not in {"gateway", "traffic"})


def edge_costs(amounts: Amounts, counts: Counts, hit_rate: float) -> float:
    """Return the cost of a million requests through the edge; its fetches are not billed as traffic."""
    edge = (
        price("edge request", MILLION)
        + price("edge function", MILLION)
        + price("edge byte", MILLION * counts.answer_bytes)
    )
    behind = sum(amount for name, amount in amounts.items() if name != "traffic")
    return edge + (1 - hit_rate) * behind


def most_costs(template: Mapping[str, Any], counts: Counts) -> Amounts:
    """Return the cost of the most hits that a route of the gateway takes, none of them in the edge."""
    rate = float(template["Parameters"]["RequestsPerSecond"]["Default"])
    million = edge_costs(request_costs(Kind.HIT, counts, template), counts, 0)
    times = {"an hour": 1, "a day": 24, "a month": HOURS}
    return {name: hours * 3600 * rate / MILLION * million for name, hours in times.items()}


def registration_costs(template: Mapping[str, Any], units: Units) -> Amounts:
    """Return the cost of a million registrations, each of which writes its record."""
    memory = _memory(template, "ingest")
    processor = memory / MEMORY_OF_A_PROCESSOR
    milliseconds = measured()["registration"]["microseconds"] / 1000 / processor + CALL_MILLISECONDS / WRITERS
    parts = MILLION / ROWS_OF_A_PART
    requests = count_part(milliseconds / 1000)
    return {
        "writes to the table": price("write unit", MILLION * units.writes),
        "reads from the table": price("read unit", MILLION * units.reads),
        "Lambda": price("function second", MILLION * milliseconds / 1000 * memory / 1024),
        "queue and reports": price("queue request", parts * REQUESTS_A_MESSAGE * requests.messages)
        + price("object put", parts * requests.puts)
        + price("object get", parts * (requests.gets + parts)),
    }


def idle_costs(template: Mapping[str, Any]) -> Amounts:
    """Return the cost of a month without requests: monitoring, and publishing once a day."""
    resources = list(template["Resources"].values())
    stored = IDLE_RECORDS * RECORD_BYTES
    run = PUBLISH_MICROSECONDS * IDLE_RECORDS / 1_000_000
    return {
        "alarms": price("alarm", sum(map(_watched, _of(resources, "AWS::CloudWatch::Alarm")))),
        "dashboard": price("dashboard", len(_of(resources, "AWS::CloudWatch::Dashboard"))),
        "metrics": price("metric", DAYS / HOURS),
        "secrets": price("secret", len(_of(resources, "AWS::SecretsManager::Secret"))),
        "polling of the empty queue": price("queue request", IDLE_POLLS_A_MINUTE * 60 * HOURS),
        f"{IDLE_RECORDS:,} records, recoverable": price("table byte", stored)
        + price("recovery byte", stored),
        "publishing every day": DAYS
        * (
            price("read unit", stored / 4096)
            + price("function second", run * _memory(template, "publish") / 1024)
            + price("object put", 20)
        ),
    }


def watching_costs(template: Mapping[str, Any], of_the_edge: Mapping[str, Any], counts: Counts) -> Amounts:
    """Return the cost of a month of the stack of the edge, with all of its parts and no other requests."""
    resources = list(of_the_edge["Resources"].values())
    checks = [each["HealthCheckConfig"] for each in _of(resources, "AWS::Route53::HealthCheck")]
    a_minute = sum(CHECKERS_A_REGION * len(each["Regions"]) * 60 / each["RequestInterval"] for each in checks)
    of_a_location = CHECKERS_A_REGION * 60 / checks[0]["RequestInterval"]
    cached = 1 - 1 / of_a_location  # an answer stays in each location for a minute
    million = edge_costs(request_costs(Kind.HIT, counts, template), counts, cached)
    firewalls = _of(resources, "AWS::WAFv2::WebACL")
    rules = sum(len(each["Rules"]) for each in firewalls)
    return {
        "alarms": price("alarm", sum(map(_watched, _of(resources, "AWS::CloudWatch::Alarm")))),
        "probes": price("health check", len(checks))
        + price("health check by https", sum(each["Type"] == "HTTPS" for each in checks)),
        "requests of the probes": a_minute * 60 * HOURS / MILLION * million,
        "firewall": price("firewall", len(firewalls)) + price("firewall rule", rules),
    }


def _memory(template: Mapping[str, Any], function: str) -> int:
    return int(template["Resources"][f"{function.capitalize()}Function"]["Properties"]["MemorySize"])


def _of(resources: Sequence[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    return [resource["Properties"] for resource in resources if resource["Type"] == kind]


def _watched(alarm: Mapping[str, Any]) -> int:
    return sum("MetricStat" in data for data in alarm.get("Metrics", ())) or 1


def read_template(root: Path) -> dict[str, Any]:
    """Expand the project's template."""
    return expand(root / "template.yaml")


def read_global_template(root: Path) -> dict[str, Any]:
    """Read the template of the edge."""
    template: dict[str, Any] = yaml_parse((root / "global.yaml").read_text(encoding="utf-8"))
    return template
