"""The interface for stewards over real HTTP, with the shipped fakes behind it, and as a stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from ginuri.cli.service_stack import ServiceStack
from ginuri.client import Client
from tests.api_service import ApiService
from tests.http_answers import Answered, Asked, answering


@contextmanager
def serving(service: ApiService, lose: Callable[[Asked], bool] = lambda _: False) -> Iterator[str]:
    """Serve the interface on a port of this machine, and yield its address; lose some answers."""
    one_at_a_time = Lock()  # the fakes are made for one thread

    def answer(asked: Asked) -> Answered:
        headers = {name.replace("-", "_"): value for name, value in asked.headers.items()}
        with one_at_a_time:
            answered = service.ask(asked.method, asked.target, asked.body, token="", **headers)
            service.place.process()
        if lose(asked):
            return Answered(None)
        sent = {name: values[0] for name, values in answered.headers.items()}
        return Answered(answered.status, answered.body, sent)

    with answering(answer) as address:
        yield address


@contextmanager
def service_stack(
    service: ApiService, lose: Callable[[Asked], bool] = lambda _: False
) -> Iterator[ServiceStack]:
    """Return the interface as a stack."""
    with serving(service, lose) as address, Client(address, service.secret) as client:
        yield ServiceStack(client)
