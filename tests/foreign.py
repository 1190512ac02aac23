"""What other people's code costs a run: the models of AWS are read once, and calls of AWS are not traced."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any

from botocore.client import BaseClient
from botocore.loaders import Loader
from botocore.session import Session
from moto.core.models import MockAWS

_CALLS: tuple[tuple[type, str], ...] = (
    (BaseClient, "_make_api_call"),
    (Session, "create_client"),
    (MockAWS, "start"),
    (MockAWS, "stop"),
    (ThreadingMixIn, "process_request_thread"),
)
"""Where our code calls botocore and moto, and where moto as a server begins to answer."""


@contextmanager
def untraced() -> Iterator[None]:
    """Measure no coverage of what is done in this thread, and in those that it starts."""
    tracer, of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        threading.settrace(of_threads)


def make_light() -> None:
    """Have botocore and moto do the same for less, in this process."""
    for owner, name in _CALLS:
        setattr(owner, name, _without_tracer(getattr(owner, name)))
    models: dict[Any, Any] = {}
    begin = Loader.__init__

    def begin_with_what_is_known(loader: Loader, *arguments: Any, **named: Any) -> None:
        # A session has a loader of its own, and reads a megabyte of JSON, for most tests anew.
        begin(loader, *arguments, **named)
        loader._cache = models  # type: ignore[attr-defined]  # noqa: SLF001  it has no other name

    Loader.__init__ = begin_with_what_is_known  # type: ignore[assignment,method-assign]


def _without_tracer(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def run(*arguments: Any, **named: Any) -> Any:
        # Not threading.settrace as above: other threads of ours may begin meanwhile.
        tracer = sys.gettrace()
        sys.settrace(None)
        try:
            return call(*arguments, **named)
        finally:
            sys.settrace(tracer)

    return run
