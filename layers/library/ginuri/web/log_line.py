"""A request as one line of the log; on AWS, the two outcomes that need an operator are metrics as well.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
"""

from __future__ import annotations

import json
import time

from ginuri.resolution.outcomes import Unavailable

NAMESPACE = "ginuri"
METRICS = ("ContentLost", "Unavailable")
"""The outcomes that are metrics, by their own names.

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
    reason = f'"reason": {json.dumps(outcome.reason)}, ' if isinstance(outcome, Unavailable) else ""
    if not stack:
        return reason
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
    return f'"_aws": {json.dumps(metadata)}, "stack": {json.dumps(stack)}, "{name}": 1, {reason}'
