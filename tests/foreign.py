"""Makes foreign code faster: the models of AWS are read once, and calls of AWS are not traced."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any

import botocore.hooks
from botocore.client import BaseClient
from botocore.hooks import EventAliaser
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
"""The places where our code calls botocore and moto, and where moto as a server begins to answer."""


@contextmanager
def untraced() -> Iterator[None]:
    """Measure no coverage in this thread, and in those that it starts."""
    tracer, of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        threading.settrace(of_threads)


def make_light() -> None:
    """Make botocore and moto faster in this process, with the same results."""
    for owner, name in _CALLS:
        setattr(owner, name, _without_tracer(getattr(owner, name)))
    # Each session reads a megabyte of JSON with its own loader, again for most tests; sessions and their
    # clients look up the newer names of all events.
    _share(Loader, "_cache")
    _share(EventAliaser, "_alias_name_cache")
    botocore.hooks.accepts_kwargs = _accepts_names  # type: ignore[assignment]


def _share(owner: type, name: str) -> None:
    """Share one cache among all objects of a class, for results that each would compute."""
    known: dict[Any, Any] = {}
    begin: Callable[..., None] = owner.__init__  # type: ignore[misc]

    @functools.wraps(begin)
    def begin_with_what_is_known(self: object, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named)
        setattr(self, name, known)

    owner.__init__ = begin_with_what_is_known  # type: ignore[misc]


def _accepts_names(function: Any) -> bool:
    """Return whether a handler of events accepts any name: botocore computes its whole signature for that."""
    code = getattr(function, "__code__", None)
    return bool(
        inspect.getfullargspec(function)[2] if code is None else code.co_flags & inspect.CO_VARKEYWORDS
    )


def _without_tracer(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def run(*arguments: Any, **named: Any) -> Any:
        # threading.settrace would stop the trace of threads that begin meanwhile.
        tracer = sys.gettrace()
        sys.settrace(None)
        try:
            return call(*arguments, **named)
        finally:
            sys.settrace(tracer)

    return run
