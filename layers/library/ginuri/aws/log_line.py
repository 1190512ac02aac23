"""A request as one line of the log, which is a metric as well, by function and outcome.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_METRICS = (
    '"CloudWatchMetrics": [{"Namespace": "ginuri", "Dimensions": [["function"], ["function", "outcome"]], '
    '"Metrics": [{"Name": "duration", "Unit": "Milliseconds"}]}]'
)


def write_log_line(  # noqa: PLR0913  a line has this much
    function: str,
    outcome: object,
    seconds: float,
    event: Mapping[str, Any],
    *,
    status: int,
    method: str,
    path: str,
) -> str:
    """Write log and metrics of an answered request, in CloudWatch's embedded metric format.

    Whatever is the same in every line is JSON already.
    """
    quote = json.dumps
    return (
        f'{{"_aws": {{"Timestamp": {int(time.time() * 1000)}, {_METRICS}}}, "function": "{function}", '
        f'"outcome": "{type(outcome).__name__}", "duration": {round(seconds * 1000, 3)}, '
        f'"status": {status}, "method": {quote(method)}, '
        f'"path": {quote(path)}, "request_id": {quote(event["requestContext"].get("requestId"))}}}\n'
    )
