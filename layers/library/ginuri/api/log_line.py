"""A request to the interface as one line of the log; on AWS, refused tokens and failures are metrics too."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from ginuri.access.tokens import METRICS as TOKEN_METRICS
from ginuri.access.tokens import Refusal
from ginuri.api.authentication import hide_secrets
from ginuri.api.problems import Kind
from ginuri.resolution.outcomes import Unavailable
from ginuri.web.log_line import NAMESPACE
from ginuri.web.request import Request

ANSWERED = "answered"
METRICS = {
    Kind.UNAUTHENTICATED.slug: TOKEN_METRICS[Refusal.UNKNOWN],
    Kind.TOO_MANY.slug: TOKEN_METRICS[Refusal.TOO_MANY],
    Kind.UNAVAILABLE.slug: Unavailable.__name__,
}
"""The metrics, by the kind of problem that they count."""


@dataclass(slots=True)
class Outcome:
    """What became of a request, for the log."""

    name: str = ANSWERED
    """The name of the kind of problem, if it was refused."""
    principal: str = ""
    """The owner of its token."""
    token: str = ""
    """The id of its token, which is not secret."""


def write_log_line(  # noqa: PLR0913  the fields of a line
    outcome: Outcome,
    seconds: float,
    *,
    status: int,
    request: Request,
    request_id: str | None,
    stack: str = "",
) -> str:
    """Write the line of an answered request; without a stack, it has no metric.

    It never contains the query, a header or a secret.
    """
    members = {
        **_metric(outcome, stack),
        "function": "api",
        "outcome": outcome.name,
        "duration": round(seconds * 1000, 3),
        "status": status,
        "method": request.method,
        "path": hide_secrets(request.path),
        "request_id": request_id,
        **({"principal": outcome.principal, "token": outcome.token} if outcome.token else {}),
    }
    return json.dumps(members) + "\n"


def _metric(outcome: Outcome, stack: str) -> dict[str, object]:
    name = METRICS.get(outcome.name)
    if name is None or not stack:
        return {}
    metric = {
        "Namespace": NAMESPACE,
        "Dimensions": [["stack"]],
        "Metrics": [{"Name": name, "Unit": "Count"}],
    }
    metadata = {"Timestamp": int(time.time() * 1000), "CloudWatchMetrics": [metric]}
    return {"_aws": metadata, "stack": stack, name: 1}
