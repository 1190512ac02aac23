"""The process of the interface dies before or after any change: a repeated request is carried out once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from tests.api_service import AZGS, Answer, ApiService, uploads_of
from tests.steward import line

Asking = Callable[[], Answer]
"""Sends a request, the same each time."""
DOC = f"{AZGS}doc/"
PATH = f"/api/records/{quote(f'{DOC}1', safe='')}"
CHANGES = {"tokens": ("use", "add", "revoke"), "putter": ("put",), "restorer": ("restore",)}
"""The calls of the interface that change something, by adapter."""


class Died(BaseException):
    """Raised where the process ends."""


@dataclass
class Adapter:
    """An adapter, from which the process counts its changes."""

    adapter: Any
    changes: tuple[str, ...]
    process: Process

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.adapter, name)
        return self.process.around(call) if name in self.changes else call


@dataclass
class Process:
    """A process that dies at one of its changes, counted from one; with 0, it lives."""

    dies_at: int = 0
    is_before: bool = False
    changes: int = 0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def change(*arguments: Any, **named: Any) -> Any:
            self.changes += 1
            if self.changes == self.dies_at and self.is_before:
                raise Died
            answer = call(*arguments, **named)
            if self.changes == self.dies_at:
                raise Died
            return answer

        return change

    def run(self, service: ApiService) -> None:
        """Let the service be answered by this process."""
        adapters = {name: getattr(service.using, name) for name in CHANGES}
        service.configure(
            **{
                name: Adapter(getattr(each, "adapter", each), CHANGES[name], self)
                for name, each in adapters.items()
            }
        )


def _asking(service: ApiService, method: str, target: str, body: object = b"", /, **headers: str) -> Asking:
    return partial(service.ask, method, target, body, Prefer="wait=5", Idempotency_Key="k1", **headers)


def _upload(service: ApiService) -> Asking:
    target = f"/api/uploads?folder={AZGS}&name=wells.jsonl"
    return _asking(service, "POST", target, line(f"{DOC}1").encode())


def _put(service: ApiService) -> Asking:
    return _asking(service, "PUT", PATH, {"title": "One"}, If_None_Match="*")


def _patch(service: ApiService) -> Asking:
    service.steward.upload(f"{AZGS}before.jsonl", line(f"{DOC}1", location="https://a.example/"))
    return _asking(service, "PATCH", PATH, {"title": "Two"})


def _mint(service: ApiService) -> Asking:
    wanted = {"prefix": DOC, "template": "eeddeek", "count": 3, "registration": {"title": "Sample"}}
    return _asking(service, "POST", "/api/identifiers", wanted)


def _mint_again(service: ApiService) -> Asking:
    """Mint names of which two are taken, so that a second upload follows the first."""
    [first, second, _] = _mint(ApiService())().json["identifiers"]
    service.steward.upload(f"{AZGS}taken.jsonl", line(first) + line(second))
    return _mint(service)


def _undo(service: ApiService) -> Asking:
    """Undo the second of two uploads that name a stored file, which is restored as well."""
    named = line(f"{DOC}1", representations=[{"file": "map.pdf", "media_type": "application/pdf"}])
    for number in (1, 2):
        service.steward.upload(f"{AZGS}map.pdf", f"%PDF {number}")
        upload = service.steward.put(f"{AZGS}wells.jsonl", named)
        service.steward.deliver(upload)
    return _asking(service, "POST", f"/api/uploads/{quote(upload.key, safe='')}/{upload.version}/undo")


REQUESTS = (_upload, _put, _patch, _mint, _mint_again, _undo)


def _outcome(service: ApiService, answer: Answer) -> Mapping[str, Any]:
    """Return what a request left, without the versions of uploads."""
    registry = service.steward.memory
    records = registry.read([name for name, _ in registry.standing(DOC)])
    told = [answer.json.get(name) for name in ("counts", "identifiers")]
    return {
        "answer": (answer.status, *told),
        "uploads": Counter(key for key in uploads_of(service) if key.startswith(f"{AZGS}api-")),
        "values": {name: json.dumps(record.values(), default=str) for name, record in records.items()},
        "changes": {name: len(list(registry.history(name).steps())) for name in records},
    }


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.__name__.strip("_"))
def test_a_request_whose_process_died_anywhere_is_carried_out_once(
    request_: Callable[[ApiService], Asking],
) -> None:
    undisturbed, living = ApiService(), Process()
    living.run(undisturbed)
    expected = _outcome(undisturbed, request_(undisturbed)())
    assert expected["answer"][0] < 300
    assert {*expected["uploads"].values()} == {1}
    assert living.changes >= 2

    for dies_at, is_before in product(range(1, living.changes + 1), (True, False)):
        service = ApiService()
        ask = request_(service)
        Process(dies_at, is_before).run(service)
        with pytest.raises(Died):
            ask()
        Process().run(service)
        answer = ask()

        assert _outcome(service, answer) == expected, (dies_at, is_before)
        assert ask() == answer


@pytest.mark.parametrize("is_before", [True, False])
def test_a_token_whose_secret_was_lost_is_listed_and_revoked(is_before: bool) -> None:  # noqa: FBT001
    service = ApiService()
    Process(2, is_before).run(service)
    with pytest.raises(Died):
        service.ask("POST", "/api/tokens", {"name": "lost", "days": 1})
    Process().run(service)
    lost = [each["id"] for each in service.ask("GET", "/api/tokens").json["tokens"] if each["name"] == "lost"]

    assert len(lost) == (0 if is_before else 1)
    assert [service.ask("DELETE", f"/api/tokens/{each}").status for each in lost] == [204] * len(lost)


@pytest.mark.parametrize("is_before", [True, False])
def test_a_revocation_whose_process_died_is_repeated(is_before: bool) -> None:  # noqa: FBT001
    service = ApiService()
    made = service.ask("POST", "/api/tokens", {"name": "old", "days": 1}).json
    Process(2, is_before).run(service)
    with pytest.raises(Died):
        service.ask("DELETE", f"/api/tokens/{made['id']}")
    Process().run(service)

    assert service.ask("DELETE", f"/api/tokens/{made['id']}").status == 204
    assert service.ask("GET", "/api/me", token=made["token"]).status == 401
