"""Sends HTTP requests to DynamoDB by libcurl, which signs them, verifies the server and keeps the connection.

libcurl sends a request again, once and on a new connection, if a kept connection turns out to be closed.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from ginuri.aws.dynamodb_http.failures import AwsFailure
from ginuri.aws.dynamodb_http.libcurl import load_libcurl

if TYPE_CHECKING:
    import pycurl

    from ginuri.aws.dynamodb_http.endpoints import Endpoint
    from ginuri.aws.dynamodb_http.ports import Keys
else:
    pycurl = load_libcurl()

CONNECT_SECONDS = 1
"""The seconds for connecting, looking up the name and TLS included."""
SILENT_SECONDS = 3
"""The seconds of silence within an answer; libcurl does not count the wait for its first byte."""
MOST_BYTES = 64 * 1024 * 1024
"""DynamoDB answers with at most 16 MB of items; as JSON they are longer."""

_TARGET = "X-Amz-Target: DynamoDB_20120810."
_HEADERS = ["Content-Type: application/x-amz-json-1.0", "Accept:", "Expect:"]
_CODES = {
    pycurl.E_COULDNT_RESOLVE_HOST: "EndpointConnectionError",
    pycurl.E_COULDNT_CONNECT: "EndpointConnectionError",
    pycurl.E_PEER_FAILED_VERIFICATION: "SSLError",
    pycurl.E_SSL_CONNECT_ERROR: "SSLError",
    pycurl.E_SSL_CACERT_BADFILE: "SSLError",
    pycurl.E_GOT_NOTHING: "ConnectionClosedError",
    pycurl.E_PARTIAL_FILE: "ConnectionClosedError",
    pycurl.E_RECV_ERROR: "ConnectionClosedError",
    pycurl.E_SEND_ERROR: "ConnectionClosedError",
}
"""botocore's names for connection failures; any other is `HTTPClientError`."""


class HttpAnswer:
    """An unparsed answer: its status, its header lines, its body."""

    __slots__ = ("body", "lines", "status")

    def __init__(self, status: int, lines: list[bytes], body: bytes) -> None:
        self.status = status
        self.lines = lines
        self.body = body

    def header(self, name: bytes) -> bytes | None:
        """Return a header by its name in lower case; the last one of several."""
        for line in reversed(self.lines):
            if line[: len(name)].lower() == name and line[len(name) : len(name) + 1] == b":":
                return line[len(name) + 1 :].strip()
        return None


class CurlTransport:
    """Sends calls to one endpoint: with a connection for each thread, never one from before a fork."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._own = threading.local()
        self._inherited: list[_Line] = []

    def post(self, operation: str, body: str, keys: Keys, date: str | None, seconds: float) -> HttpAnswer:
        """Send one call. Raises AwsFailure."""
        return self._line().post(operation, body, keys, date, seconds)

    def _line(self) -> _Line:
        line: _Line | None = getattr(self._own, "line", None)
        if line is None or line.process != os.getpid():
            if line is not None:
                # Closing the inherited handle would end the connection of the parent process.
                self._inherited.append(line)
            line = self._own.line = _Line(self._endpoint)
        return line


class _Line:
    """A handle of libcurl, with its connection; one call after another."""

    __slots__ = ("_body", "_curl", "_lines", "_milliseconds", "_signed", "process")

    def __init__(self, endpoint: Endpoint) -> None:
        self.process = os.getpid()
        self._body: list[bytes] = []
        self._lines: list[bytes] = []
        self._signed: tuple[str, Keys, str | None] | None = None
        self._milliseconds = 0
        self._curl = curl = pycurl.Curl()
        for option, value in (
            (pycurl.URL, endpoint.url),
            (pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS),
            (pycurl.AWS_SIGV4, f"aws:amz:{endpoint.region}:dynamodb"),
            (pycurl.USERAGENT, "ginuri"),
            (pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1),
            (pycurl.POST, 1),
            (pycurl.FOLLOWLOCATION, 0),
            (pycurl.NOSIGNAL, 1),  # a signal could interrupt any Python thread
            (pycurl.TCP_NODELAY, 1),
            (pycurl.TCP_KEEPALIVE, 1),
            (pycurl.CONNECTTIMEOUT, CONNECT_SECONDS),
            (pycurl.LOW_SPEED_LIMIT, 1),
            (pycurl.LOW_SPEED_TIME, SILENT_SECONDS),
            (pycurl.MAXFILESIZE, MOST_BYTES),
            (pycurl.WRITEFUNCTION, self._body.append),
            (pycurl.HEADERFUNCTION, self._lines.append),
        ):
            curl.setopt(option, value)
        if endpoint.authorities is not None:
            curl.setopt(pycurl.CAINFO, endpoint.authorities)
            curl.setopt(pycurl.SSLVERSION, pycurl.SSLVERSION_TLSv1_2)
            curl.setopt(pycurl.SSL_VERIFYPEER, 1)
            curl.setopt(pycurl.SSL_VERIFYHOST, 2)

    def post(self, operation: str, body: str, keys: Keys, date: str | None, seconds: float) -> HttpAnswer:
        curl = self._curl
        signed = (operation, keys, date)
        if signed != self._signed:
            self._sign(operation, keys, date)
            self._signed = signed
        self._body.clear()
        self._lines.clear()
        curl.setopt(pycurl.POSTFIELDS, body)
        milliseconds = max(1, int(seconds * 1000))
        if milliseconds != self._milliseconds:
            curl.setopt(pycurl.TIMEOUT_MS, milliseconds)
            self._milliseconds = milliseconds
        try:
            curl.perform()
        except pycurl.error as error:
            raise self._failure(*error.args) from error
        answer = HttpAnswer(curl.getinfo(pycurl.RESPONSE_CODE), self._lines[:], b"".join(self._body))
        self._body.clear()  # the body may have megabytes
        return answer

    def _sign(self, operation: str, keys: Keys, date: str | None) -> None:
        if self._signed is None or self._signed[1] != keys:
            self._curl.setopt(pycurl.USERNAME, keys[0])
            self._curl.setopt(pycurl.PASSWORD, keys[1])
        headers = [f"{_TARGET}{operation}", *_HEADERS]
        if keys[2] is not None:
            headers.append(f"X-Amz-Security-Token: {keys[2]}")
        if date is not None:
            headers.append(f"X-Amz-Date: {date}")
        self._curl.setopt(pycurl.HTTPHEADER, headers)

    def _failure(self, number: int, text: str) -> AwsFailure:
        code = _CODES.get(number, "HTTPClientError")
        if number == pycurl.E_OPERATION_TIMEDOUT:
            is_connected = self._curl.getinfo(pycurl.PRETRANSFER_TIME) > 0
            code = "ReadTimeoutError" if is_connected else "ConnectTimeoutError"
        return AwsFailure(code, text, is_lost=True)
