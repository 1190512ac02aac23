"""The options of `ginuri verify`: which requests are sent, and how fast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ginuri.migration.verification.accepts import NAMED

_Command = TypeVar("_Command", bound=Callable[..., Any])


def request_options(command: _Command) -> _Command:
    """Add the options that say which requests are sent."""
    accept = click.option(
        "--accept",
        "accepts",
        multiple=True,
        default=tuple(NAMED),
        show_default=True,
        metavar="HEADER",
        help=f"An Accept header to send, or {', '.join(NAMED)}; may be repeated. Each identifier is "
        "requested with each.",
    )
    sample = click.option(
        "--sample",
        "most",
        type=click.IntRange(1),
        metavar="NUMBER",
        help="Request at most this many identifiers under each prefix, the most used rather than others.",
    )
    seed = click.option(
        "--seed",
        default="",
        metavar="TEXT",
        help="With --sample: another text gives another sample, the same text the same.",
    )
    return accept(sample(seed(command)))


def load_options(command: _Command) -> _Command:
    """Add the options that limit the load of both resolvers."""
    rate = click.option(
        "--rate",
        default=10.0,
        show_default=True,
        type=click.FloatRange(0, 1000, min_open=True),
        help="The maximum number of requests per second to each.",
    )
    at_once = click.option(
        "--at-once",
        default=4,
        show_default=True,
        type=click.IntRange(1, 64),
        help="The number of identifiers requested at once.",
    )
    seconds = click.option(
        "--timeout",
        "seconds",
        default=10.0,
        show_default=True,
        type=click.FloatRange(0, 600, min_open=True),
        help="Seconds to wait for an answer.",
    )
    return rate(at_once(seconds(command)))
