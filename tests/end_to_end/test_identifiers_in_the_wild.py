"""500 ginURIs from public repositories, sent over HTTP unchanged."""

from __future__ import annotations

import http.client
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from infra.local.stack import Stack

ANSWERED = {200, 301, 302, 303, 307, 404}


@pytest.fixture(scope="module")
def connection(stack: Stack) -> Iterator[http.client.HTTPConnection]:
    """Connect to the front door."""
    made = http.client.HTTPConnection(stack.service.removeprefix("http://"), timeout=30)
    yield made
    made.close()


def _ask(
    connection: http.client.HTTPConnection, target: str, host: str = "resources.usgin.org"
) -> tuple[int, str]:
    connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", host)
    connection.endheaders()
    response = connection.getresponse()
    return response.status, response.read().decode()


def _wild(data: Path) -> Iterator[tuple[str, str]]:
    lines = (data / "usgin" / "real-ginuris-sample.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        uri, _, *why = line.split("\t")
        yield uri, "".join(why).strip()


def test_every_identifier_in_the_wild_is_answered_without_a_server_error(
    connection: http.client.HTTPConnection, shared_data: Path
) -> None:
    answers: dict[str, int] = {}
    for uri, _ in _wild(shared_data):
        asked = urlsplit(uri)
        target = uri.partition(asked.netloc)[2]
        answers[uri], _ = _ask(connection, target, asked.netloc)

    expected = {
        uri: {"fragment": {400}, "uri_gin-underscore": {404}}.get(why, ANSWERED)
        for uri, why in _wild(shared_data)
    }
    assert len(answers) == 500
    assert {uri: status for uri, status in answers.items() if status not in expected[uri]} == {}
    assert Counter(status >= 500 for status in answers.values()) == {False: 500}


def test_a_fragment_is_recognised_as_one(connection: http.client.HTTPConnection, shared_data: Path) -> None:
    uri = next(uri for uri, why in _wild(shared_data) if why == "fragment")
    target = uri.partition(urlsplit(uri).netloc)[2]

    status, body = _ask(connection, target)

    assert (status, "fragment" in body) == (400, True)


def test_an_underscore_in_the_scheme_gets_a_suggestion(
    connection: http.client.HTTPConnection, shared_data: Path
) -> None:
    uri = next(uri for uri, why in _wild(shared_data) if why == "uri_gin-underscore")

    status, body = _ask(connection, urlsplit(uri).path)

    assert (status, "uri-gin" in body) == (404, True)


def test_a_needless_escape_redirects_to_the_registered_identifier(
    connection: http.client.HTTPConnection, shared_data: Path
) -> None:
    found = [urlsplit(uri).path for uri, why in _wild(shared_data) if why in {"", "colon", "plus"}][::20]
    assert len(found) > 15
    for path in found:
        escaped = re.sub(r"/(\w)([^/]*/?)$", lambda last: f"/%{ord(last[1]):02x}{last[2]}", path)

        connection.putrequest("GET", escaped)
        connection.endheaders()
        response = connection.getresponse()
        response.read()

        assert (response.status, response.headers["Location"]) == (301, path)
