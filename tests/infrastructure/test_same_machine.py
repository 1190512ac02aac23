"""The local stack's AWS answers programs on this machine, and refuses websites in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import Client
from werkzeug.wrappers import Response

from ginuri.server.sockets import listen
from infra.local.aws.clients import Account
from infra.local.aws.moto_server import MotoServer
from infra.local.aws.same_machine import NAMES, SameMachine

PORT = 8001
OWN = tuple(f"{name}:{PORT}" for name in NAMES)
_GUARDED = Client(SameMachine(Response("answered"), PORT))

_LABEL = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=8)
_NAME = st.lists(_LABEL, min_size=1, max_size=4).map(".".join)
_PORT = st.integers(1, 65_535)
FOREIGN_HOSTS = st.one_of(
    st.builds("{}:{}".format, _NAME, st.just(PORT)),
    st.builds("{}:{}".format, st.sampled_from(NAMES), _PORT),
    st.builds("{}.{}:{}".format, st.sampled_from(NAMES), _NAME, st.just(PORT)),
    st.builds("{}.{}".format, _NAME, st.sampled_from(OWN)),
    st.sampled_from((*NAMES, "", "127.1:8001", "0.0.0.0:8001", "127.0.0.1:08001", "localhost.:8001")),
).filter(lambda host: host not in OWN)
FOREIGN_ORIGINS = st.one_of(
    st.builds("{}://{}".format, st.sampled_from(("http", "https", "chrome-extension")), FOREIGN_HOSTS),
    st.builds("https://{}".format, st.sampled_from(OWN)),
    st.sampled_from(("null", "", "file://", f"http://{OWN[0]}/", f"http://{OWN[0]} http://evil.example")),
)
METHODS = st.sampled_from(("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"))


def _status(method: str, **headers: str) -> int:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return _GUARDED.open("/moto-api/reset", method=method, headers=named).status_code


@given(METHODS, FOREIGN_HOSTS)
def test_a_request_with_another_host_is_refused(method: str, host: str) -> None:
    assert _status(method, Host=host) == 403


@given(METHODS, st.sampled_from(OWN), FOREIGN_ORIGINS)
def test_a_page_of_another_origin_is_refused(method: str, host: str, origin: str) -> None:
    assert _status(method, Host=host, Origin=origin) == 403


@given(METHODS, st.sampled_from(OWN))
def test_a_cross_site_request_is_refused_without_an_origin_too(method: str, host: str) -> None:
    assert _status(method, Host=host, Sec_Fetch_Site="cross-site") == 403


@given(METHODS, st.sampled_from(OWN), st.sampled_from(OWN))
def test_a_program_of_this_machine_is_answered(method: str, host: str, other: str) -> None:
    assert _status(method, Host=host) == 200
    assert _status(method, Host=host, Origin=f"http://{other}") == 200
    # A browser that follows a redirect of the service on the next port, or a typed address, is no website.
    assert {_status(method, Host=host, Sec_Fetch_Site=site) for site in ("same-site", "none")} == {200}


@pytest.fixture(scope="module")
def server() -> Iterator[MotoServer]:
    running = MotoServer(listen(0))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def account(server: MotoServer) -> Iterator[Account]:
    with closing(Account(server.endpoint)) as own:
        yield own


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example:{port}"},
        {"Host": "evil.example"},
    ],
)
def test_a_website_cannot_empty_the_stack_and_the_sdk_still_works(
    server: MotoServer, account: Account, headers: dict[str, str]
) -> None:
    s3 = account.client("s3")
    s3.create_bucket(Bucket="kept")
    port = server.endpoint.rpartition(":")[2]
    with closing(HTTPConnection("127.0.0.1", int(port), timeout=10)) as website:
        sent = {name: value.format(port=port) for name, value in headers.items()}
        website.request("POST", "/moto-api/reset", headers={"Content-Type": "text/plain"} | sent)
        answered = website.getresponse()
        said = answered.read().decode()

    assert (answered.status, "access-control-allow-origin" in answered.headers) == (403, False)
    assert "Only programs on this machine" in said
    assert "kept" in [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_the_sdk_stores_and_reads_under_either_name(server: MotoServer, name: str) -> None:
    endpoint = server.endpoint.replace("127.0.0.1", name)
    with closing(Account(endpoint)) as own:
        queue = own.client("sqs").create_queue(QueueName=f"by-{name.replace('.', '-')}")["QueueUrl"]
        own.client("sqs").send_message(QueueUrl=queue, MessageBody="read")
        messages = own.client("sqs").receive_message(QueueUrl=queue)["Messages"]

    assert [message["Body"] for message in messages] == ["read"]
