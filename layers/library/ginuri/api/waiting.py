"""Waits for the report on an upload, and concludes the answer."""

from __future__ import annotations

from ginuri.api.exchanges import Exchange, UploadName
from ginuri.api.ports import ApiCollaborators
from ginuri.api.routes.reports import read_whole_report
from ginuri.frozen import replace
from ginuri.web.response import Response

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5
"""Seconds between two looks for a report: the pause grows from the first to the longest."""


def finish(exchange: Exchange, using: ApiCollaborators, default: int = 0) -> Response:
    """Wait as long as the client prefers, and return the answer with the report, or without it."""
    pending, seconds = exchange.pending, exchange.wait_seconds(default)
    if pending is None:
        raise AssertionError("only an answer about an upload waits")
    deadline = using.clock() + seconds
    while True:
        report = _await(pending.upload, deadline, using)
        if report is None:
            return pending.meanwhile
        concluded = pending.conclude(report)
        if isinstance(concluded, Response):
            applied = ("Preference-Applied", f"wait={seconds}")
            is_asked = "prefer" in exchange.request.headers
            return replace(concluded, headers=(*concluded.headers, applied)) if is_asked else concluded
        pending = concluded


def _await(upload: UploadName, deadline: float, using: ApiCollaborators) -> bytes | None:
    pause = _FIRST_PAUSE
    while (left := deadline - using.clock()) > 0:
        if (report := read_whole_report(using, upload)) is not None:
            return report
        using.sleep(min(pause, left))
        pause = min(pause * 1.5, _LONGEST_PAUSE)
    return None
