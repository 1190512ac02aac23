"""HTTP in and out, as with a REST API in front of functions; tested with toy handlers."""

import base64
import json
import socket
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest

from infra.local.functions.runtime_api import LARGEST_ANSWER
from infra.local.stack import Stack


def send(stack: Stack, request: bytes) -> bytes:
    """Write bytes to the gateway and return its whole output until it closes."""
    host, port = stack.service.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def event_of(stack: Stack, target: str, method: str = "GET", **headers: str) -> dict[str, Any]:
    """Return the event of a request; the target is sent unchanged."""
    connection = HTTPConnection(stack.service.removeprefix("http://"), timeout=10)
    try:
        connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        event: dict[str, Any] = json.loads(connection.getresponse().read())
    finally:
        connection.close()
    return event


def answer(http: httpx.Client, **said: Any) -> httpx.Response:
    """Return the gateway's response for a function's answer."""
    return http.post("/toy/answer", content=json.dumps(said))


@pytest.mark.parametrize(
    "path",
    [
        "/space%20value",
        "/slash%2Fvalue",
        "/question%3Fvalue",
        "/percent%25done",
        "/hash%23value",
        "/unicode-%CE%BB-%E4%B8%96%E7%95%8C",
        "/literal%252Fvalue",
        "/literal%253Fvalue",
        "/literal%2525value",
        "/lower%2fand%2Fupper",
        "/test%2Balias@gmail.com/plus/test+alias@gmail.com",
        "/params;a=b;c/next",
        "/a//b///c",
        "/a/./b/../c",
        "/broken%escape%",
        "/pipe|caret^brace{}",
        "/x/",
        "/x",
        "/info:ddc/22/eng//004.678",
        "/" + "x" * 1023,
    ],
)
def test_the_gateway_passes_a_path_byte_for_byte(toys: Stack, path: str) -> None:
    event = event_of(toys, path)

    assert event["path"] == path
    assert event["requestContext"]["path"] == "/live" + path


def test_leading_slashes_collapse_in_the_path_and_stay_in_the_context(toys: Stack) -> None:
    event = event_of(toys, "//uri-gin/x")

    assert event["path"] == "/uri-gin/x"
    assert event["requestContext"]["path"] == "/live//uri-gin/x"


def test_a_final_slash_is_lost_in_the_path_parameter(toys: Stack) -> None:
    event = event_of(toys, "/uri-gin/azgs/%C3%A9/")

    assert event["pathParameters"] == {"proxy": "uri-gin/azgs/%C3%A9"}
    assert event["resource"] == event["requestContext"]["resourcePath"] == "/{proxy+}"


def test_an_absolute_request_target_means_its_path(toys: Stack) -> None:
    event = event_of(toys, "http://resources.usgin.org//x%2Fy")

    assert event["requestContext"]["path"] == "/live//x%2Fy"


def test_the_query_is_decoded_and_split_at_semicolons(toys: Stack) -> None:
    event = event_of(toys, "/x?repeat=one&repeat=two&empty=&plus=a+b&escaped=a%2Bb;next=c%3Dd")

    assert event["multiValueQueryStringParameters"] == {
        "repeat": ["one", "two"],
        "empty": [""],
        "plus": ["a b"],
        "escaped": ["a+b"],
        "next": ["c=d"],
    }
    assert event["queryStringParameters"]["repeat"] == "two"
    assert event["path"] == "/x"


def test_an_absent_query_or_body_is_null(toys: Stack) -> None:
    event = event_of(toys, "/x")

    assert event["queryStringParameters"] is None
    assert event["multiValueQueryStringParameters"] is None
    assert (event["body"], event["isBase64Encoded"]) == (None, False)


def test_repeated_headers_are_whole_only_in_the_multi_value_headers(http: httpx.Client) -> None:
    event = http.get("/x", headers=[("Accept", "text/html"), ("Accept", "text/turtle;q=0.5")]).json()

    assert event["multiValueHeaders"]["accept"] == ["text/html", "text/turtle;q=0.5"]
    assert event["headers"]["accept"] == "text/turtle;q=0.5"


def test_the_gateway_passes_on_client_address_and_method(toys: Stack) -> None:
    event = event_of(toys, "/x", **{"X-Forwarded-For": "192.0.2.7", "User-Agent": "test"})

    assert event["headers"]["X-Forwarded-For"] == "192.0.2.7, 127.0.0.1"
    assert event["headers"]["User-Agent"] == "test"
    context = event["requestContext"]
    assert context["identity"]["sourceIp"] == "127.0.0.1"
    assert (context["stage"], context["httpMethod"], context["protocol"]) == ("live", "GET", "HTTP/1.1")
    assert context["domainName"] == "127.0.0.1"
    assert context["requestId"]


def test_the_override_header_changes_the_method(toys: Stack) -> None:
    event = event_of(toys, "/x", "POST", **{"X-HTTP-Method-Override": "PATCH"})

    assert event["httpMethod"] == "PATCH"


def test_a_binary_body_arrives_whole(http: httpx.Client) -> None:
    body = bytes(range(256))

    event = http.post("/x", content=body).json()

    assert event["isBase64Encoded"]
    assert base64.b64decode(event["body"]) == body


@pytest.mark.parametrize(
    ("path", "who"),
    [
        ("/", "describe /"),
        ("/about", "describe /about"),
        ("/about/", "describe /about"),
        ("/about/uri-gin/x/", "describe /about/{proxy+}"),
        ("/about.json/uri-gin", "describe /about.json/{proxy+}"),
    ],
)
def test_a_literal_route_precedes_the_general_one(http: httpx.Client, path: str, who: str) -> None:
    assert http.get(path).text == who


@pytest.mark.parametrize("path", ["/aboutx", "/About/x", "/about.xml/x", "/x/about/y", "/%61bout/x"])
def test_a_path_like_a_literal_route_is_an_identifier(http: httpx.Client, path: str) -> None:
    assert http.get(path).json()["resource"] == "/{proxy+}"


def test_a_binary_answer_leaves_whole(http: httpx.Client) -> None:
    body = bytes(range(256))
    encoded = base64.b64encode(body).decode()

    response = answer(
        http, statusCode=200, headers={"Content-Type": "image/png"}, body=encoded, isBase64Encoded=True
    )

    assert response.content == body
    assert response.headers["content-type"] == "image/png"


def test_an_answer_keeps_its_repeated_headers(http: httpx.Client) -> None:
    links = ["</a>; rel=a", "</b>; rel=b"]

    response = answer(http, statusCode=303, headers={"Location": "/x"}, multiValueHeaders={"Link": links})

    assert response.status_code == 303
    assert response.headers.get_list("link") == links
    assert response.headers["location"] == "/x"


def test_multi_value_headers_override_headers(http: httpx.Client) -> None:
    response = answer(http, statusCode=200, headers={"etag": "a"}, multiValueHeaders={"ETag": ["b"]})

    assert response.headers.get_list("etag") == ["b"]


def test_an_answer_without_a_content_type_becomes_json(http: httpx.Client) -> None:
    assert answer(http, statusCode=404).headers["content-type"] == "application/json"


@pytest.mark.parametrize("name", ["Date", "Server", "WWW-Authenticate", "Connection", "Content-MD5"])
def test_headers_of_the_gateway_itself_are_renamed(http: httpx.Client, name: str) -> None:
    response = answer(http, statusCode=200, headers={name: "mine"})

    assert response.headers[f"x-amzn-remapped-{name}"] == "mine"
    assert response.headers.get(name) != "mine"


def test_head_is_answered_without_the_body(http: httpx.Client) -> None:
    head, get = http.head("/x"), http.get("/x")

    assert head.status_code == 200
    assert head.content == b""
    assert abs(int(head.headers["content-length"]) - len(get.content)) < 10


def test_not_modified_has_no_body(http: httpx.Client) -> None:
    response = answer(http, statusCode=304, headers={"ETag": '"a"'}, body="ignored")

    assert response.status_code == 304
    assert response.content == b""


@pytest.mark.parametrize(
    "said",
    [
        {"statusCode": "no number"},
        {"statusCode": 99},
        {"status": 200},
        {"statusCode": 200, "body": {"no": "text"}},
        {"statusCode": 200, "body": "no base64", "isBase64Encoded": True},
        {"statusCode": 200, "headers": {"Link": ["no text"]}},
        {"statusCode": 200, "headers": {"Link": "two\r\nlines"}},
        {"statusCode": 200, "headers": {"Link": "x" * 10_241}},
        {"statusCode": 200, "multiValueHeaders": {"Link": "no list"}},
    ],
)
def test_a_malformed_answer_is_a_bad_gateway(http: httpx.Client, said: dict[str, Any]) -> None:
    response = answer(http, **said)

    assert response.status_code == 502
    assert response.json() == {"message": "Internal server error"}


@pytest.mark.parametrize("how", ["raise", "exit"])
def test_a_failing_function_is_a_bad_gateway_and_the_next_call_works(http: httpx.Client, how: str) -> None:
    assert http.get(f"/toy/{how}").status_code == 502
    assert http.get("/x").status_code == 200


def test_the_error_of_a_failing_function_is_in_its_log(toys: Stack, http: httpx.Client) -> None:
    http.get("/toy/raise")

    assert any("ValueError: as asked" in line for line in toys.log("ResolveFunction"))


def test_an_answer_may_be_as_large_as_lambda_allows(http: httpx.Client) -> None:
    frame = len(json.dumps({"statusCode": 200, "body": ""}))

    largest = http.get(f"/toy/large/{LARGEST_ANSWER - frame}")
    larger = http.get(f"/toy/large/{LARGEST_ANSWER - frame + 1}")

    assert (largest.status_code, len(largest.content)) == (200, LARGEST_ANSWER - frame)
    assert larger.status_code == 502
    assert http.get("/x").status_code == 200


def test_a_body_may_be_no_larger_than_lambda_allows(http: httpx.Client) -> None:
    assert http.post("/x", content=b"x" * 5_000_000).status_code == 413
    assert http.post("/x", content=b"x" * 11_000_000).status_code == 413


def test_a_function_too_slow_for_the_gateway_is_a_gateway_timeout(
    start_toys: Callable[..., Any],
) -> None:
    with start_toys(patience=0.3) as toys:
        response = httpx.get(f"{toys.service}/toy/sleep/1")

    assert response.status_code == 504
    assert response.json() == {"message": "Endpoint request timed out"}


def test_a_function_slower_than_the_template_allows_is_ended(start_toys: Callable[..., Any]) -> None:
    with start_toys(("Timeout: 10\n", "Timeout: 1\n")) as toys:
        late = httpx.get(f"{toys.service}/toy/sleep/5")
        next_one = httpx.get(f"{toys.service}/x")

        assert any("Task timed out after 1.00 seconds" in line for line in toys.log("ResolveFunction"))
    assert late.status_code == 502
    assert next_one.status_code == 200


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET /caf\xc3\xa9 HTTP/1.1",
        b"GET /two words HTTP/1.1",
        b"GET no-path HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"nonsense",
    ],
)
def test_a_malformed_http_request_is_a_bad_request(toys: Stack, request_line: bytes) -> None:
    said = send(toys, request_line + b"\r\nHost: x\r\nConnection: close\r\n\r\n")

    assert said.startswith(b"HTTP/1.1 400 ")
