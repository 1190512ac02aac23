"""Checks of time and load."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from infra.first_run.results import Verdict
from infra.first_run.target import Found, Target, judge

_MOST_SHARE = 50
_AT_ONCE, _MOST_COLD = 20, 0.5
_EDGE_METRICS = "us-east-1"


def read_function_share(target: Target) -> Found:
    """Read the share of its limit that the function of the edge uses."""
    shares = target.statistic(
        ("AWS/CloudFront", "FunctionComputeUtilization"),
        {"FunctionName": f"{target.stack}-{target.region}", "Region": "Global"},
        "Maximum",
        _EDGE_METRICS,
    )
    if not shares:
        return Found(Verdict.OPEN, "CloudWatch has no figures yet: repeat this in some minutes")
    return judge(f"{max(shares):g}", passed=max(shares) < _MOST_SHARE)


def time_cold_starts(target: Target) -> Found:
    """Send requests at once, past the cache, so that most of them meet no warm environment."""
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        return compare_times(list(threads.map(_time, [target] * _AT_ONCE)))


def compare_times(seconds: Sequence[float]) -> Found:
    """Judge the difference between the slowest answer and the fastest."""
    fastest, slowest = min(seconds), max(seconds)
    cold = slowest - fastest
    return judge(f"{fastest:.3f} s to {slowest:.3f} s: {cold:.3f} s more", passed=cold <= _MOST_COLD)


def _time(target: Target) -> float:
    begin = time.perf_counter()
    target.get(f"/uri-gin/smoke/?{secrets.token_hex(4)}")
    return time.perf_counter() - begin


def compare_concurrency(target: Target) -> Found:
    """Compare the quota of the account with the parameter of the stack."""
    limits = target.clients("lambda").get_account_settings()["AccountLimit"]
    quota, stated = str(limits["ConcurrentExecutions"]), target.values["AccountConcurrency"]
    return judge(f"{quota}; AccountConcurrency is {stated}", passed=quota == stated)
