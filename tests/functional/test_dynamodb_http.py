"""The functions' own client of DynamoDB, against a server that lies, hangs, stops half-way or forgets."""

from __future__ import annotations

import os
import socket
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from ginuri.aws.dynamodb_http import transport
from ginuri.aws.dynamodb_http.client import HttpDynamoDB
from ginuri.aws.dynamodb_http.endpoints import Endpoint
from ginuri.aws.dynamodb_http.failures import AwsFailure
from ginuri.aws.dynamodb_http.ports import Keys
from ginuri.aws.dynamodb_http.retries import RetryBudget
from ginuri.aws.dynamodb_http.transport import CurlTransport, HttpAnswer
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.budget import RESERVE, Budget
from infra.bench.workers.context import Context
from tests.aws import FixedCredentials, curl_client
from tests.scripted_http import Script, ScriptedServer, response, scripted, send

ITEM = {"Item": {"identifier": {"S": "uri-gin/azgs/"}, "body": {"S": '{"title":"Übersicht"}'}}}
GOOD = send(response(ITEM))
KEY = {"identifier": {"S": "uri-gin/azgs/"}, "version": {"S": "now"}}
THROTTLED = {"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException", "message": "no"}


def ask(client: Any) -> Any:
    """Read the item."""
    return client.get_item(TableName="registry", Key=KEY)


def client_of(server: ScriptedServer, attempts: int = 1) -> Any:
    """Make a client of a server."""
    return curl_client(server.url, attempts)


def test_an_item_is_read_over_one_connection() -> None:
    with scripted(GOOD) as server:
        client = client_of(server)
        answers = [ask(client) for _ in range(3)]

    assert answers == [ITEM] * 3
    assert (len(server.requests), server.connections) == (3, 1)


def test_a_request_has_only_the_necessary_headers() -> None:
    with scripted(GOOD) as server:
        ask(client_of(server))

    head = server.requests[0].partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert head[0] == "POST / HTTP/1.1"
    assert sorted(line.partition(":")[0].lower() for line in head[1:]) == [
        "authorization",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-amz-date",
        "x-amz-target",
    ]


WHOLE = response(ITEM)
HEAD, _, BODY = WHOLE.partition(b"\r\n\r\n")


def _endless(line: bytes) -> Script:
    def script(connection: socket.socket, _: bytes) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(line)

    return script


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (send(WHOLE[:10], close=True), "ConnectionClosedError|HTTPClientError"),
        (send(WHOLE[:-10], close=True), "ConnectionClosedError"),
        (send(close=True), "ConnectionClosedError"),
        (send(response(ITEM, length=len(BODY) - 4)), "ChecksumError"),
        (send(response(ITEM, length=len(BODY) + 4), close=True), "ConnectionClosedError"),
        (send(response(ITEM, length=transport.MOST_BYTES + 1)), "HTTPClientError"),
        (send(response(ITEM, crc=1)), "ChecksumError"),
        (send(WHOLE.replace(b"x-amz-crc32", b"x-amz-other")), "ChecksumError"),
        (send(HEAD + b"\r\n\r\n" + BODY.replace(b"azgs", b"usgs")), "ChecksumError"),
        (send(response(b"<html>Sign in to this network</html>")), "ResponseParserError"),
        (send(response(b"[]")), "ResponseParserError"),
        (send(response(b"[" * 100_000)), "ResponseParserError"),
        (send(response(b'{"Item": "\xff"}')), "ResponseParserError"),
        (send(b"\x16\x03\x01\x00garbage\r\n\r\n", close=True), "HTTPClientError"),
        (send(response(b"", 302)), "302"),
        (send(response(b"what?", 500)), "500"),
        (_endless(b"X-More: and more\r\n"), "HTTPClientError|ConnectionClosedError"),
        (_endless(b"X" * 4096), "HTTPClientError|ConnectionClosedError"),
    ],
    ids=[
        "cut in the head",
        "cut in the body",
        "closed without a word",
        "longer than it says",
        "shorter than it says",
        "too long to be read",
        "a wrong checksum",
        "no checksum",
        "an item changed on the way",
        "a page",
        "a list",
        "too deep",
        "not UTF-8",
        "not HTTP",
        "a redirect",
        "an error that is not JSON",
        "headers without end",
        "a header without end",
    ],
)
def test_an_incomplete_or_foreign_answer_is_a_failure(script: Script, code: str) -> None:
    with scripted(script) as server, pytest.raises(AwsFailure, match=code):
        ask(client_of(server))


def _drip(connection: socket.socket, _: bytes) -> None:
    connection.sendall(HEAD + b"\r\n\r\n")
    for number in range(len(BODY)):
        connection.sendall(BODY[number : number + 1])
        time.sleep(0.05)


@pytest.mark.parametrize(
    "script",
    [lambda *_: time.sleep(2), send(HEAD, pause=2), send(HEAD + b"\r\n\r\n" + BODY[:5], pause=2), _drip],
    ids=["no answer", "half a head", "half a body", "a byte now and then"],
)
def test_calls_do_not_wait_for_a_slow_service(script: Script) -> None:
    with scripted(script, GOOD) as server:
        line = CurlTransport(Endpoint(f"{server.url}/", "us-east-1", None))
        started = time.monotonic()
        with pytest.raises(AwsFailure, match="ReadTimeoutError"):
            line.post("GetItem", "{}", ("testing", "testing", None), None, 0.3)
        assert time.monotonic() - started < 1.5

        answer = line.post("GetItem", "{}", ("testing", "testing", None), None, 5)

    assert answer.body == BODY  # on another connection: a late answer is not used


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1:1/", "gopher://127.0.0.1:1/", "dict://127.0.0.1:1/", "file:///"]
)
def test_an_endpoint_of_another_protocol_is_refused(url: str) -> None:
    line = CurlTransport(Endpoint(url, "us-east-1", None))

    with pytest.raises(AwsFailure, match="HTTPClientError"):
        line.post("GetItem", "{}", ("testing", "testing", None), None, 1)


def test_a_refused_connection_is_distinguished_from_a_slow_service() -> None:
    with socket.socket() as taken:  # a bound port without a listener
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(AwsFailure, match="EndpointConnectionError"):
            ask(curl_client(f"http://127.0.0.1:{taken.getsockname()[1]}"))


def test_an_extra_answer_is_not_used_for_the_next_request() -> None:
    other = response({"Item": {"identifier": {"S": "uri-gin/usgs/"}}})
    with scripted(send(WHOLE + other), GOOD) as server:
        client = client_of(server)
        answers = [ask(client), ask(client)]

    assert answers == [ITEM, ITEM]


def test_a_closed_connection_is_replaced_silently() -> None:
    with scripted(send(WHOLE, close=True)) as server:
        client = client_of(server)
        for _ in range(3):
            assert ask(client) == ITEM
            time.sleep(0.02)

    assert server.connections == 3


def test_a_request_on_a_dying_connection_is_repeated_once() -> None:
    with scripted(GOOD, send(close=True), GOOD) as server:
        client = client_of(server)
        assert ask(client) == ITEM
        assert client.put_item(TableName="registry", Item=KEY) == ITEM

    assert len(server.requests) == 3
    assert server.requests[1].partition(b"\r\n\r\n")[2] == server.requests[2].partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    "script",
    [
        send(response(THROTTLED, 400)),
        send(response({}, 503)),
        send(response(ITEM, crc=1)),
        send(WHOLE[:-10], close=True),
    ],
    ids=["throttled", "unavailable", "damaged", "cut"],
)
def test_a_read_is_retried_and_a_write_is_not(script: Script) -> None:
    with scripted(script, script, GOOD) as server:
        assert ask(client_of(server, attempts=3)) == ITEM
    with scripted(script, GOOD) as server, pytest.raises(AwsFailure):
        client_of(server, attempts=3).put_item(TableName="registry", Item=KEY)

    assert len(server.requests) == 1


def test_a_failing_read_is_not_repeated_forever() -> None:
    with scripted(send(response(THROTTLED, 400))) as server, pytest.raises(AwsFailure, match="Throttling"):
        ask(client_of(server, attempts=3))

    assert len(server.requests) == 3


def test_a_permanent_failure_is_not_retried() -> None:
    refused = {"__type": "com.amazon.coral.service#AccessDeniedException", "Message": "no"}
    with scripted(send(response(refused, 400))) as server, pytest.raises(AwsFailure) as failure:
        ask(client_of(server, attempts=3))

    assert (failure.value.code, failure.value.text, failure.value.status) == (
        "AccessDeniedException",
        "no",
        400,
    )
    assert len(server.requests) == 1


def test_requests_to_a_table_in_trouble_are_not_tripled() -> None:
    with scripted(send(response(THROTTLED, 400))) as server:
        client = client_of(server, attempts=3)
        for _ in range(200):
            with pytest.raises(AwsFailure):
                ask(client)

    assert len(server.requests) == 200 + 100  # a retry costs five of five hundred


def test_a_call_ends_within_its_deadline_even_if_every_try_fails() -> None:
    now = 0.0

    class Hanging:
        """A transport on which every try takes its whole time."""

        def __init__(self) -> None:
            self.seconds: list[float] = []

        def post(self, *arguments: Any) -> Any:
            nonlocal now
            self.seconds.append(arguments[-1])
            now += arguments[-1]
            raise AwsFailure("ReadTimeoutError", is_lost=True)

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    hanging = Hanging()
    client = HttpDynamoDB(hanging, FixedCredentials(), Budget(lambda: now), 10, sleep)
    with pytest.raises(AwsFailure, match="ReadTimeoutError"):
        ask(client)

    assert 5 < now <= 8
    assert len(hanging.seconds) == 2


def test_a_kept_connection_that_died_unnoticed_delays_about_a_second() -> None:
    with scripted(GOOD, lambda *_: time.sleep(4), GOOD) as server:
        client = client_of(server, attempts=3)
        ask(client)
        started = time.monotonic()
        assert ask(client) == ITEM
        assert time.monotonic() - started < 2

    assert server.connections == 2


class _Late:
    """A transport on which an answer takes some seconds of its own clock."""

    def __init__(self, *seconds: float) -> None:
        self._seconds = list(seconds)
        self.now = 0.0
        self.tries = 0

    def post(self, *arguments: Any) -> HttpAnswer:
        self.tries += 1
        seconds = self._seconds.pop(0) if len(self._seconds) > 1 else self._seconds[0]
        self.now += min(seconds, arguments[-1])
        if seconds > arguments[-1]:
            raise AwsFailure("ReadTimeoutError", is_lost=True)
        return HttpAnswer(200, [b"x-amz-crc32: %d" % zlib.crc32(BODY)], BODY)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def _client_of(late: _Late) -> tuple[HttpDynamoDB, Budget]:
    budget = Budget(lambda: late.now)
    return HttpDynamoDB(late, FixedCredentials(), budget, 3, late.sleep), budget


def test_a_slow_service_is_called_twice_and_then_waited_for() -> None:
    late = _Late(0.01, 2.0)
    client, _ = _client_of(late)

    for _ in range(10):
        assert ask(client) == ITEM

    assert late.tries == 11


def test_a_first_try_without_time_for_a_second_uses_the_whole_time() -> None:
    late = _Late(0.01, 4.0)
    client, _ = _client_of(late)
    ask(client)
    client._retries = RetryBudget(0)  # noqa: SLF001  as after a hundred retries

    assert ask(client) == ITEM
    assert late.tries == 2


def test_a_call_takes_no_longer_than_the_budget_of_the_request() -> None:
    late = _Late(60.0)
    client, budget = _client_of(late)
    budget.begin(Context(4_000))

    with pytest.raises(AwsFailure, match="ReadTimeoutError"):
        ask(client)
    with pytest.raises(RegistryUnavailable, match="the time of the request ran out"):
        ask(client)

    assert late.now == pytest.approx(4.0 - RESERVE)
    assert late.tries == 1


def test_a_connection_does_not_keep_an_answer_in_memory() -> None:
    with scripted(GOOD) as server:
        line = CurlTransport(Endpoint(f"{server.url}/", "us-east-1", None))
        line.post("GetItem", "{}", ("testing", "testing", None), None, 5)

        assert not line._line()._body  # noqa: SLF001  megabytes would stay


def test_reasons_of_a_cancelled_transaction_are_read() -> None:
    cancelled = {
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": "cancelled",
        "CancellationReasons": [{"Code": "ConditionalCheckFailed", "Message": "failed"}, {"Code": "None"}],
    }
    with scripted(send(response(cancelled, 400))) as server, pytest.raises(AwsFailure) as failure:
        client_of(server).transact_write_items(TransactItems=[])

    assert failure.value.reasons == (("ConditionalCheckFailed", "failed"), ("None", ""))


def _refusal(code: str, date: datetime) -> Script:
    body = {"__type": f"com.amazon.coral.service#{code}", "message": "no"}
    return send(response(body, 400, date=format_datetime(date, usegmt=True)))


def _signed_at(request: bytes) -> datetime:
    [line] = [line for line in request.split(b"\r\n") if line.lower().startswith(b"x-amz-date:")]
    return datetime.strptime(line.decode().partition(":")[2].strip(), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


@pytest.mark.parametrize("hours", [-30, 5])
def test_the_services_clock_corrects_a_wrong_one_for_later_requests(hours: int) -> None:
    theirs = datetime.now(UTC) + timedelta(hours=hours)
    with scripted(_refusal("InvalidSignatureException", theirs), GOOD) as server:
        client = client_of(server)
        assert [ask(client), ask(client)] == [ITEM, ITEM]

    assert len(server.requests) == 3
    assert all(abs(_signed_at(request) - theirs) < timedelta(minutes=1) for request in server.requests[1:])


def test_a_request_with_another_signature_fault_is_not_repeated() -> None:
    with (
        scripted(_refusal("InvalidSignatureException", datetime.now(UTC))) as server,
        pytest.raises(AwsFailure, match="InvalidSignatureException"),
    ):
        ask(client_of(server))

    assert len(server.requests) == 1


class Renewable:
    """Credentials that change when they are renewed."""

    def __init__(self, *tokens: str) -> None:
        self._tokens = list(tokens)

    def current(self) -> Keys:
        return "testing", "testing", self._tokens[0]

    def renew(self) -> bool:
        return bool(self._tokens.pop(0)) and bool(self._tokens)


def test_expired_credentials_are_renewed() -> None:
    expired = _refusal("ExpiredTokenException", datetime.now(UTC))
    with scripted(expired, GOOD) as server:
        line = CurlTransport(Endpoint(f"{server.url}/", "us-east-1", None))
        assert ask(HttpDynamoDB(line, Renewable("old", "new"), Budget(time.monotonic))) == ITEM

    tokens = [
        b"x-amz-security-token: " + token in server.requests[at].lower()
        for at, token in enumerate((b"old", b"new"))
    ]
    assert tokens == [True, True]


def test_credentials_refused_again_are_not_sent_forever() -> None:
    with scripted(_refusal("ExpiredTokenException", datetime.now(UTC))) as server:
        line = CurlTransport(Endpoint(f"{server.url}/", "us-east-1", None))
        with pytest.raises(AwsFailure, match="ExpiredTokenException"):
            ask(HttpDynamoDB(line, Renewable("old", "new", "newer"), Budget(time.monotonic)))

    assert len(server.requests) == 2


def test_each_thread_has_its_own_connections() -> None:
    with scripted(send(WHOLE, pause=0.05)) as server, ThreadPoolExecutor(4) as pool:
        client = client_of(server)
        answers = list(pool.map(lambda _: ask(client), range(12)))

    assert answers == [ITEM] * 12
    assert 1 < server.connections <= 4


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_its_own_connection_and_leaves_others_open() -> None:
    with scripted(GOOD) as server:
        client = client_of(server)
        ask(client)
        child = os.fork()
        if child == 0:
            os._exit(0 if ask(client) == ITEM else 1)
        assert os.waitpid(child, 0)[1] == 0
        ask(client)

    assert (len(server.requests), server.connections) == (3, 2)
