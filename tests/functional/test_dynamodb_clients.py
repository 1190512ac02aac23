"""The choice of a function's DynamoDB client, its endpoint, and its credentials."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from botocore.exceptions import NoCredentialsError
from botocore.loaders import create_loader
from botocore.regions import EndpointResolver

from ginuri.aws.clients import make_dynamodb_client
from ginuri.aws.dynamodb_http.client import HttpDynamoDB
from ginuri.aws.dynamodb_http.credentials import find_credentials
from ginuri.aws.dynamodb_http.endpoints import find_endpoint
from ginuri.aws.dynamodb_http.failures import AwsFailure, as_failure


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Set an environment with only a region of AWS."""
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "access")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    return monkeypatch


def test_a_function_calls_dynamodb_by_libcurl() -> None:
    assert isinstance(make_dynamodb_client(), HttpDynamoDB)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GINURI_DYNAMODB_CLIENT", "botocore"),
        ("AWS_USE_FIPS_ENDPOINT", "true"),
        ("AWS_USE_DUALSTACK_ENDPOINT", "True"),
    ],
)
def test_an_environment_variable_restores_botocore(
    environment: pytest.MonkeyPatch, name: str, value: str
) -> None:
    environment.setenv(name, value)

    client: Any = make_dynamodb_client()

    assert client.meta.service_model.service_name == "dynamodb"
    client.close()


def test_the_endpoint_of_every_region_equals_that_of_botocore(environment: pytest.MonkeyPatch) -> None:
    resolver = EndpointResolver(create_loader().load_data("endpoints"))
    theirs = {
        region: f"https://{found['hostname']}/"
        for partition in resolver.get_available_partitions()
        for region in resolver.get_available_endpoints("dynamodb", partition)
        if (found := resolver.construct_endpoint("dynamodb", region))
    }
    ours = {}
    for region in theirs:
        environment.setenv("AWS_REGION", region)
        endpoint = find_endpoint()
        assert endpoint is not None
        assert endpoint.region == region
        ours[region] = endpoint.url

    assert ours == theirs


def test_a_configured_endpoint_comes_first(environment: pytest.MonkeyPatch) -> None:
    found = []
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"):
        environment.setenv(name, "true" if "IGNORE" in name else f"http://127.0.0.1:8000/{name}")
        endpoint = find_endpoint()
        assert endpoint is not None
        found.append((endpoint.url, endpoint.authorities is None))

    assert found == [
        ("http://127.0.0.1:8000/AWS_ENDPOINT_URL/", True),
        ("http://127.0.0.1:8000/AWS_ENDPOINT_URL_DYNAMODB/", True),
        ("https://dynamodb.us-east-1.amazonaws.com/", False),
    ]


def test_credentials_of_the_environment_are_read_again_on_request(environment: pytest.MonkeyPatch) -> None:
    credentials = find_credentials()
    assert credentials.current() == ("access", "secret", None)
    assert not credentials.renew()

    environment.setenv("AWS_SESSION_TOKEN", "token")

    assert credentials.current() == ("access", "secret", None)
    assert credentials.renew()
    assert credentials.current() == ("access", "secret", "token")


class _Container(BaseHTTPRequestHandler):
    """Returns credentials like a container's agent, new ones each time."""

    given = 0

    def do_GET(self) -> None:
        type(self).given += 1
        body = {
            "AccessKeyId": f"access {self.given}",
            "SecretAccessKey": "secret",
            "Token": "token",
            "Expiration": "2099-01-01T00:00:00Z",
        }
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def container(environment: pytest.MonkeyPatch) -> Iterator[None]:
    """Provide credentials through a container's agent only."""
    environment.delenv("AWS_ACCESS_KEY_ID")
    environment.delenv("AWS_SECRET_ACCESS_KEY")
    environment.setenv("AWS_CONFIG_FILE", "/dev/null")
    environment.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    with HTTPServer(("127.0.0.1", 0), _Container) as server:
        environment.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"http://127.0.0.1:{server.server_port}/")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("container")
def test_credentials_of_a_container_come_through_botocore() -> None:
    credentials = find_credentials()

    first = credentials.current()
    again = credentials.current()

    assert first == again
    assert first[1:] == ("secret", "token")
    assert credentials.renew()
    assert credentials.current() != first


@pytest.mark.parametrize(
    ("missing", "code"),
    [
        (["AWS_ACCESS_KEY_ID"], "NoCredentialsError"),
        (["AWS_SECRET_ACCESS_KEY"], "PartialCredentialsError"),
        (["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"], "NoCredentialsError"),
    ],
)
def test_missing_credentials_are_a_named_failure(
    environment: pytest.MonkeyPatch, missing: list[str], code: str
) -> None:
    vanishing = find_credentials()
    for name in missing:
        environment.delenv(name)
    environment.setenv("AWS_CONFIG_FILE", "/dev/null")
    environment.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    environment.setenv("AWS_EC2_METADATA_DISABLED", "true")

    with pytest.raises(AwsFailure, match=code):
        find_credentials().current()
    assert vanishing.renew()
    with pytest.raises(AwsFailure, match="NoCredentialsError"):
        vanishing.current()


def test_errors_of_botocore_without_a_response_are_failures_of_aws() -> None:
    failure = as_failure(NoCredentialsError())

    assert failure is not None
    assert (failure.code, failure.status, failure.is_lost) == ("NoCredentialsError", 0, False)


def test_an_error_from_outside_aws_is_no_failure_of_aws() -> None:
    assert as_failure(ValueError("no")) is None


def test_other_importers_of_pycurl_get_the_same_module() -> None:
    program = (
        "from ginuri.aws.dynamodb_http.libcurl import load_libcurl; curl = load_libcurl().Curl;"
        "import pycurl; assert pycurl.Curl is curl; assert load_libcurl().Curl is curl"
    )

    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603  our own source
