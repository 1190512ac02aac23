"""A cold start in a process of its own: imports a handler, answers one request, prints CPU and wall time.

Both sides exclude the interpreter's own start and the imports of Lambda's runtime client.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module

from infra.bench.workers.context import Context
from infra.bench.workers.own_process import stay_on


def main(module: str, event_text: str) -> None:
    """Print the milliseconds of CPU and of wall time until the first answer, as a JSON list."""
    event = json.loads(event_text)
    output, nowhere = sys.stdout, open(os.devnull, "w", buffering=1)  # noqa: PTH123, SIM115  pathlib would be imported before the clock runs
    sys.stdout = nowhere
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    status = import_module(module).handle(event, Context())["statusCode"]
    spent = [(time.process_time_ns() - cpu) / 1e6, (time.perf_counter_ns() - wall) / 1e6]
    sys.stdout = output
    if status not in {200, 303, 404}:  # a description, a thing, and an unregistered name
        raise AssertionError(f"{status} in place of 200, 303 or 404")
    print(json.dumps(spent))


if __name__ == "__main__":
    stay_on(0)
    main(sys.argv[1], sys.argv[2])
