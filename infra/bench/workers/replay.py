"""A handler in a fresh process without other code of the bench: answers events, then prints its memory.

Events come on standard input, one a line; each answer is a line of JSON, and the last line is the resident
memory in bytes.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from infra.bench.workers.context import Context
from infra.bench.workers.own_process import memory, stay_on


def main(module: str) -> None:
    """Answer event after event until the input ends."""
    output, nowhere = sys.stdout, open(os.devnull, "w", buffering=1)  # noqa: PTH123, SIM115  pathlib would be in the memory
    sys.stdout = nowhere
    handle = import_module(module).handle
    for line in sys.stdin:
        output.write(f"{json.dumps(handle(json.loads(line), Context()))}\n")
    output.write(f"{memory('VmRSS')}\n")
    output.flush()


if __name__ == "__main__":
    stay_on(0)
    main(sys.argv[1])
