"""The stack that is checked, and what a check asks it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from infra.deployment.preflight.plan import Clients
from infra.deployment.stack import Resource
from infra.first_run.results import Verdict
from infra.smoke.exchange import Address, Reply, exchange

_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Found:
    """What a check found."""

    verdict: Verdict
    text: str


def judge(text: str, *, passed: bool) -> Found:
    """Return what was found, with its verdict."""
    return Found(Verdict.PASSED if passed else Verdict.FAILED, text)


@dataclass(frozen=True)
class Target:
    """A deployed stack."""

    stack: str
    region: str
    values: Mapping[str, str]
    outputs: Mapping[str, str]
    resources: Sequence[Resource]
    clients: Clients
    pause: Callable[[float], None] = time.sleep
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables of commands, such as the profile."""

    def physical(self, name: str) -> str:
        """Return the id of a resource. Raises KeyError."""
        return {each.name: each.id for each in self.resources}[name]

    def get(
        self, target: str, headers: Mapping[str, str] | None = None, *, over: str = "", url: str = ""
    ) -> Reply:
        """Ask the service, or another address, byte for byte. Raises NoAnswer."""
        address = Address.read(url or self.outputs["ServiceUrl"]).over(over)
        return exchange(address, "GET", target, headers or {}, "", _SECONDS)

    def wait_for(self, ready: Callable[[], Found], seconds: float, pause: float = 15.0) -> Found:
        """Ask again until a check passes or the time is up."""
        for _ in range(max(1, round(seconds / pause))):
            found = ready()
            if found.verdict is Verdict.PASSED:
                return found
            self.pause(pause)
        return ready()

    def log_lines(self, function: str, minutes: int = 10, pattern: str = "") -> list[str]:
        """Read the newest lines of the log of a function. Raises ClientError."""
        begin = datetime.now(UTC) - timedelta(minutes=minutes)
        filtered = {"filterPattern": pattern} if pattern else {}
        pages = self.clients("logs").get_paginator("filter_log_events")
        return [
            str(event["message"])
            for page in pages.paginate(
                logGroupName=f"/aws/lambda/{self.stack}-{function}",
                startTime=int(begin.timestamp() * 1000),
                **filtered,
            )
            for event in page["events"]
        ]

    def statistic(
        self,
        metric: tuple[str, str],
        dimensions: Mapping[str, str],
        statistic: str,
        region: str | None = None,
        minutes: int = 60,
    ) -> list[float]:
        """Read a metric of CloudWatch, minute by minute. Raises ClientError."""
        now = datetime.now(UTC)
        answer: Any = self.clients("cloudwatch", region).get_metric_statistics(
            Namespace=metric[0],
            MetricName=metric[1],
            Dimensions=[{"Name": name, "Value": value} for name, value in dimensions.items()],
            StartTime=now - timedelta(minutes=minutes),
            EndTime=now + timedelta(minutes=1),  # times are sent in whole seconds
            Period=60,
            Statistics=[statistic],
        )
        return [float(point[statistic]) for point in answer["Datapoints"]]
