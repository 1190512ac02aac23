"""A handler, invoked like Lambda, with a time limit: `infra.attack.processes.invoked MODULE SECONDS`.

Reads events, one a line; writes a line of JSON for each, with its seconds and the answer or the exception.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module


class Context:
    """The part of an invocation's context that handlers use."""

    aws_request_id = "attack"

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until Lambda ends the invocation."""
        return max(0, int((self._end - time.monotonic()) * 1000))


def main(module: str, seconds: float) -> None:
    """Answer event after event."""
    output, sys.stdout = sys.stdout, open(os.devnull, "w", buffering=1)  # noqa: PTH123, SIM115  stays open
    handle = import_module(module).handle
    for line in sys.stdin:
        started = time.monotonic()
        try:
            result = {"answer": handle(json.loads(line), Context(seconds))}
        except Exception as error:  # noqa: BLE001  Lambda reports any
            result = {"error": f"{type(error).__name__}: {error}"}
        output.write(f"{json.dumps({'seconds': time.monotonic() - started, **result})}\n")
        output.flush()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
