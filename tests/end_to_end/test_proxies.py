"""The documented configurations of nginx and Caddy pass on a path as it was sent, and the host."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ginuri.server.sockets import listen
from infra.docs import FOLDER
from infra.docs.blocks import read_blocks

PAGE = FOLDER / "how-to" / "run-on-one-machine.md"
HOST = "id.example.org"
PATHS = [
    "/uri-gin/a%2Fb",
    "/uri-gin/azgs//doc",
    "/uri-gin/azgs/x%3Fy",
    "/uri-gin/azgs/./x/../y",
    "/uri-gin/azgs/a%2fB%2Dc?x=%2F&y=a+b",
    "/uri-gin/azgs/%E6%B1%89;v=1",
    "/about/http://other.example//x",
]
_PATIENCE = 10.0


@pytest.fixture(scope="module")
def echo() -> Iterator[int]:
    """Run a server that answers with the request that it got, and return its port."""
    listening = listen(0)

    def answer() -> None:
        with suppress(OSError):  # until the socket is closed
            while True:
                connection, _ = listening.accept()
                with connection:
                    sent = b""
                    while b"\r\n\r\n" not in sent and (chunk := connection.recv(65_536)):
                        sent += chunk
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(sent)}\r\nConnection: close\r\n\r\n"
                    connection.sendall(head.encode() + sent)

    thread = threading.Thread(target=answer)
    thread.start()
    yield listening.getsockname()[1]
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with listen(0) as listening:
        port: int = listening.getsockname()[1]
        return port


def documented(name: str) -> str:
    """Return a configuration of the page."""
    return next(block.body for block in read_blocks(PAGE) if block.title.endswith(name))


def nginx(folder: Path, port: int, upstream: int) -> list[str]:
    """Write the configuration of nginx without TLS, and return the command that runs it."""
    server = documented("ginuri.conf").replace("listen 80;", f"listen 127.0.0.1:{port};")
    server = re.sub(r" *(listen 443|ssl_)[^\n]*\n", "", server).replace(
        "127.0.0.1:8000", f"127.0.0.1:{upstream}"
    )
    paths = "".join(
        f"{each}_temp_path {folder}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {paths}\n{server} }}",
        encoding="utf-8",
    )
    return ["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, upstream: int) -> list[str]:
    """Write the configuration of Caddy without TLS, and return the command that runs it."""
    site = documented("Caddyfile").replace(f"http://{HOST}, https://{HOST}", f"http://{HOST}:{port}")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{site}")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES: dict[str, Callable[[Path, int, int], list[str]]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def running(arguments: list[str], folder: Path, port: int) -> Iterator[int]:
    """Run a proxy until the end, and return its port."""
    variables = os.environ | dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, env=variables) as proxy:  # noqa: S603  our own arguments
        try:
            end = time.monotonic() + _PATIENCE
            while time.monotonic() < end and proxy.poll() is None:
                with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield port
        finally:
            proxy.terminate()
            proxy.communicate(timeout=_PATIENCE)


@pytest.fixture(scope="module", params=PROXIES)
def proxy(
    request: pytest.FixtureRequest, echo: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """Run a proxy with its documented configuration in front of the server."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    port, folder = free_port(), tmp_path_factory.mktemp(request.param)
    with running(PROXIES[request.param](folder, port, echo), folder, port):
        yield port


def passed_on(port: int, target: str, *fields: str) -> list[str]:
    """Send a request to a proxy, and return the lines of the one that it sent on."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {HOST}", "Connection: close", *fields, "", ""]
    with socket.create_connection(("127.0.0.1", port), _PATIENCE) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    return answer.partition(b"\r\n\r\n")[2].decode().splitlines()


@pytest.mark.parametrize("target", PATHS)
def test_a_documented_proxy_passes_on_the_path_byte_for_byte(proxy: int, target: str) -> None:
    assert passed_on(proxy, target)[0] == f"GET {target} HTTP/1.1"


def test_a_documented_proxy_overwrites_the_forwarded_host_of_a_client(proxy: int) -> None:
    sent = passed_on(proxy, "/uri-gin/", "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: evil")
    lines = [line.lower() for line in sent]

    assert {f"host: {HOST}", f"x-forwarded-host: {HOST}", "x-forwarded-proto: http"} <= set(lines)
    assert "evil" not in "".join(lines)
