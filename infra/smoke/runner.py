"""Sends the requests of the table that apply to a stack, one after the other."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from infra.smoke.check import find_faults, links_to_itself
from infra.smoke.exchange import Address, NoAnswer, Reply, exchange
from infra.smoke.table import SmokeRequest, Table

REGISTERED = "/about.json/uri-gin/smoke/"
"""Answered once the registrations of the table exist."""
STEWARDS = "/api/me"
"""Not found in a stack with the parameter `HttpApi=false`."""
MOST_UNANSWERED = 3
"""The number of consecutive failures after which the rest is not sent."""
_PLACEHOLDER = re.compile(r"\{([A-Za-z-]+)\}")
_OK, _BAD_REQUEST, _NOT_FOUND, _SERVER_ERROR = 200, 400, 404, 500

Say = Callable[[str], None]


class NotReady(RuntimeError):
    """Raised when the table cannot be used there, with the solution."""


@dataclass(frozen=True)
class Target:
    """The address and the settings. `common` is sent with every request, such as the secret of the edge."""

    address: Address
    common: Mapping[str, str]
    seconds: float

    def ask(self, request: SmokeRequest, headers: Mapping[str, str]) -> Reply:
        """Send one request, with these headers in place of its own. Raises NoAnswer."""
        address = self.address.over(request.scheme)
        sent = {**self.common, **headers}
        return exchange(address, request.method, request.target, sent, request.data, self.seconds)

    def get(self, target: str) -> Reply:
        """Send a request that is not in the table. Raises NoAnswer."""
        return self.ask(SmokeRequest("GET", target, _OK), {})


@dataclass(frozen=True)
class Result:
    """The result of one request: empty if it is as expected."""

    number: int
    """Its place in the table, from 1."""
    request: SmokeRequest
    faults: tuple[str, ...]
    look: str = ""

    def __str__(self) -> str:
        """Return the request, the expected and the actual answer, and the file to read, in one line."""
        return f"{self.number}. {self.request}: {'; '.join(self.faults)} → {self.look}"


def find_place(target: Target, wait: float, say: Say, pause: float = 5.0) -> frozenset[str]:
    """Wait until the registrations of the table are answered; return the kind of stack.

    Raises NotReady if they are not after `wait` seconds; checks again after each `pause`.
    """
    end = time.monotonic() + wait
    while True:
        try:
            headers = _get_ready(target, REGISTERED)
            break
        except NotReady as error:
            if time.monotonic() >= end:
                raise
            say(f"not yet: {error}")
            time.sleep(pause)
    try:
        published = target.get("/registry").status == _OK
        # An interface refuses this request otherwise: it has no token, and perhaps no https.
        has_api = target.get(STEWARDS).status != _NOT_FOUND
    except NoAnswer as error:
        raise NotReady(str(error)) from error
    is_edge = headers.get("x-cache", "").endswith("from cloudfront")
    is_aws = not headers.keys().isdisjoint({"x-amz-cf-id", "x-amz-apigw-id", "x-amzn-requestid"})
    return frozenset(
        {
            "edge" if is_edge else "gateway",
            "aws" if is_aws else "local",
            "published" if published else "unpublished",
            "api" if has_api else "no-api",
        }
    )


def _get_ready(target: Target, path: str) -> Mapping[str, str]:
    try:
        reply = target.get(path)
    except NoAnswer as error:
        raise NotReady(str(error)) from error
    if reply.status != _OK:
        raise NotReady(_explain(reply))
    return reply.headers


def run(table: Table, target: Target, place: frozenset[str]) -> Iterator[Result]:
    """Send the requests for such a stack; yield each result as it comes.

    Ends early after a few requests in a row without an answer.
    """
    before: Reply | None = None
    unanswered = 0
    for number, request in enumerate(table.requests, 1):
        if not request.places <= place:
            continue
        try:
            headers = {name: _fill(value, before) for name, value in request.headers.items()}
        except LookupError as error:
            yield Result(number, request, (str(error),), request.look)
            continue
        try:
            reply = target.ask(request, headers)
        except NoAnswer as error:
            before, unanswered = None, unanswered + 1
            is_last = unanswered == MOST_UNANSWERED
            faults = (f"expected {request.status}, {error}", *(["the rest is not asked"] if is_last else []))
            yield Result(number, request, faults, table.looks["none"])
            if is_last:
                return
            continue
        before, unanswered = reply, 0
        faults = tuple(find_faults(request, reply, table.forbidden))
        if not faults and request.is_followed:
            faults = tuple(_follow(target, reply, table.not_yet if "unpublished" in place else ()))
        look = table.looks["5xx"] if reply.status >= _SERVER_ERROR else request.look
        yield Result(number, request, faults, look if faults else "")


def _follow(target: Target, reply: Reply, not_yet: Sequence[str]) -> Iterator[str]:
    for link in links_to_itself(reply):
        try:
            status = target.get(link).status
        except NoAnswer as error:
            yield f"expected an answer to its link {link}, {error}"
        else:
            if status >= _BAD_REQUEST and not (status == _NOT_FOUND and link.partition("?")[0] in not_yet):
                yield f"expected an answer to its link {link}, came {status}"


def _fill(value: str, before: Reply | None) -> str:
    def find(named: re.Match[str]) -> str:
        found = before and before.headers.get(named[1].lower())
        if not found:
            raise LookupError(f"not asked, as the answer before had no {named[1]}")
        return found

    return _PLACEHOLDER.sub(find, value)


def _explain(reply: Reply) -> str:
    match reply.status:
        case 403:
            return "403: a gateway refuses whoever is not its edge; give the address of the edge (ServiceUrl)"
        case 404:
            return "uri-gin/smoke/ is not registered there: make smoke STACK=NAME registers it"
        case status:
            return f"{REGISTERED} was answered with {status}"
