"""A request as one line of the log; on AWS, the outcomes that an operator watches are metrics as well.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
"""

from __future__ import annotations

import json
import time

from ginuri.resolution.outcomes import FallenBack, Unavailable

NAMESPACE = "ginuri"
ALARMING = ("ContentLost", "Unavailable")
"""The outcomes that are metrics with an alarm, by their own names."""
METRICS = (*ALARMING, "FallenBack")
"""The outcomes that are metrics. The last one is counted until the server behind a fallback can go.

Others are only in the log: a metric has a price for each combination of its dimensions.
"""


def write_log_line(  # noqa: PLR0913  the fields of a line
    function: str,
    outcome: object,
    seconds: float,
    *,
    status: int,
    method: str,
    path: str,
    request_id: str | None,
    stack: str = "",
) -> str:
    """Write the line of an answered request; without a stack, it has no metric.

    It never contains the query, a header or the client's address. The constant part of every line is prepared
    JSON.
    """
    name, quote = type(outcome).__name__, json.dumps
    return (
        f'{{{_write_metric(name, stack, outcome) if name in METRICS else ""}"function": "{function}", '
        f'"outcome": "{name}", "duration": {round(seconds * 1000, 3)}, "status": {status}, '
        f'"method": {quote(method)}, "path": {quote(path)}, "request_id": {quote(request_id)}}}\n'
    )


def _write_metric(name: str, stack: str, outcome: object) -> str:
    details = _write_details(outcome)
    if not stack:
        return details
    metadata = {
        "Timestamp": int(time.time() * 1000),
        "CloudWatchMetrics": [
            {
                "Namespace": NAMESPACE,
                "Dimensions": [["stack"]],
                "Metrics": [{"Name": name, "Unit": "Count"}],
            }
        ],
    }
    return f'"_aws": {json.dumps(metadata)}, "stack": {json.dumps(stack)}, "{name}": 1, {details}'


def _write_details(outcome: object) -> str:
    if isinstance(outcome, FallenBack):
        # The names of the operator's own records: the log tells which of them still fall back.
        return f'"stated_by": {json.dumps(outcome.stated_by)}, "fallback": {json.dumps(outcome.host)}, '
    return f'"reason": {json.dumps(outcome.reason)}, ' if isinstance(outcome, Unavailable) else ""
