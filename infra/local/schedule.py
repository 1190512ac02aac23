"""Runs the daily job of the template as soon as an upload was ingested."""

import json
import time
from collections.abc import Callable

from infra.local.functions.runtime_api import Failure
from infra.local.stack import Stack

FUNCTION = "PublishFunction"
_QUIET = 1.0  # seconds of idle time after which an upload counts as ingested
_PAUSE = 0.5  # seconds between two checks

Say = Callable[[str], None]


def publish(stack: Stack, say: Say) -> None:
    """Publish the registry and print the result; a failure keeps the last publication."""
    outcome = stack.invoke(FUNCTION, b"{}")
    if isinstance(outcome, Failure):
        say(f"nothing was published: {outcome.message}")
    else:
        say(f"published: {json.loads(outcome.payload)['records']:,} identifiers")


def publish_on_news(stack: Stack, say: Say) -> None:
    """Publish after uploads as soon as the queue is idle, until KeyboardInterrupt."""
    published = _count_deliveries(stack)
    while True:
        time.sleep(_PAUSE)
        delivered = _count_deliveries(stack)
        if delivered != published and min(source.idle_for() for source in stack.sources) >= _QUIET:
            published = delivered
            publish(stack, say)


def _count_deliveries(stack: Stack) -> int:
    return sum(len(source.deliveries) for source in stack.sources)
