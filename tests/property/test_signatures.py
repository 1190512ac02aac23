"""libcurl signs like botocore, for every region, credential, operation, date and body."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from datetime import datetime

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from hypothesis import given
from hypothesis import strategies as st

from ginuri.aws.dynamodb_http.endpoints import Endpoint
from ginuri.aws.dynamodb_http.ports import Keys
from ginuri.aws.dynamodb_http.transport import CurlTransport
from tests.scripted_http import ScriptedServer, response, scripted, send

_TOKEN = string.ascii_letters + string.digits + "+/="
KEYS = st.tuples(
    st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=32),
    st.text(_TOKEN, min_size=1, max_size=64),
    st.none() | st.text(_TOKEN, min_size=1, max_size=1200),
)
REGIONS = st.sampled_from(["us-east-1", "eu-central-1", "us-gov-west-1", "cn-north-1", "eusc-de-east-1"])
OPERATIONS = st.sampled_from(["GetItem", "BatchGetItem", "Query", "PutItem", "TransactWriteItems"])
BODIES = st.text(max_size=300).map(json.dumps)
DATES = st.none() | st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1)).map(  # noqa: DTZ001  UTC, as dates are signed
    lambda date: date.strftime("%Y%m%dT%H%M%SZ")
)
CALLS = st.lists(st.tuples(OPERATIONS, BODIES, DATES), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with scripted(send(response({}))) as running:
        yield running


@given(keys=KEYS, region=REGIONS, calls=CALLS)
def test_a_signature_equals_that_of_botocore(
    server: ScriptedServer, keys: Keys, region: str, calls: list[tuple[str, str, str | None]]
) -> None:
    line = CurlTransport(Endpoint(f"{server.url}/", region, None))
    for operation, body, date in calls:
        server.requests.clear()
        line.post(operation, body, keys, date, 5)

        head, _, sent = server.requests[0].partition(b"\r\n\r\n")
        lines = (line.decode().partition(": ") for line in head.split(b"\r\n")[1:])
        headers = {name.lower(): value for name, _, value in lines}
        assert sent == body.encode()
        assert headers["x-amz-target"] == f"DynamoDB_20120810.{operation}"
        assert headers.get("x-amz-security-token") == keys[2]
        assert date in {None, headers["x-amz-date"]}
        assert headers["authorization"] == _sign(headers, sent, keys, region)


def _sign(headers: dict[str, str], body: bytes, keys: Keys, region: str) -> str:
    """Sign the signed headers again, by botocore."""
    named = headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    assert {name for name in headers if name.startswith("x-amz-")} | {"host", "content-type"} <= set(named)
    request = AWSRequest("POST", f"http://{headers['host']}/", {name: headers[name] for name in named}, body)
    request.context["timestamp"] = headers["x-amz-date"]
    signer = SigV4Auth(Credentials(*keys), "dynamodb", region)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return (
        f"AWS4-HMAC-SHA256 Credential={signer.scope(request)}, "
        f"SignedHeaders={';'.join(named)}, Signature={signer.signature(text, request)}"
    )
