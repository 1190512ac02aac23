"""The documented configurations of nginx and Caddy pass on the path as sent, the host and the protocol."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
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
_CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_CONTEXT.check_hostname, _CONTEXT.verify_mode = False, ssl.CERT_NONE  # the certificates are of this test


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


@dataclass(frozen=True)
class Ports:
    """The ports on which a proxy listens, without and with TLS."""

    http: int
    https: int


def nginx(folder: Path, ports: Ports, upstream: int) -> list[str]:
    """Write the configuration of nginx, and return the command that runs it."""
    server = documented("ginuri.conf").replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    server = server.replace("listen 80;", f"listen 127.0.0.1:{ports.http};")
    server = server.replace("listen 443 ssl;", f"listen 127.0.0.1:{ports.https} ssl;")
    server = server.replace(f"/etc/letsencrypt/live/{HOST}", str(folder))
    named = ("-subj", f"/CN={HOST}", "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *named)
    subprocess.run(made, check=True, capture_output=True)  # noqa: S603  our own arguments
    paths = "".join(
        f"{each}_temp_path {folder}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {paths}\n{server} }}",
        encoding="utf-8",
    )
    return ["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, ports: Ports, upstream: int) -> list[str]:
    """Write the configuration of Caddy with certificates of its own, and return the command that runs it."""
    site = documented("Caddyfile").replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    options = ("admin off", "local_certs", "skip_install_trust")
    listening = (f"http_port {ports.http}", f"https_port {ports.https}", "default_bind 127.0.0.1")
    lines = "".join(f"\t{option}\n" for option in (*options, *listening))
    (folder / "Caddyfile").write_text(f"{{\n{lines}}}\n{site}")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES: dict[str, Callable[[Path, Ports, int], list[str]]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def running(arguments: list[str], folder: Path, ports: Ports) -> Iterator[Ports]:
    """Run a proxy until the end, and return its ports."""
    variables = os.environ | dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, env=variables) as proxy:  # noqa: S603  our own arguments
        try:
            end = time.monotonic() + _PATIENCE
            while time.monotonic() < end and proxy.poll() is None:
                with suppress(OSError):
                    passed_on(ports, "/", is_secure=True)
                    break
                time.sleep(0.05)
            yield ports
        finally:
            proxy.terminate()
            proxy.communicate(timeout=_PATIENCE)


@pytest.fixture(scope="module", params=PROXIES)
def proxy(
    request: pytest.FixtureRequest, echo: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ports]:
    """Run a proxy with its documented configuration in front of the server."""
    if missing := [name for name in (request.param, "openssl") if shutil.which(name) is None]:
        pytest.skip(f"{missing[0]} is not installed")
    ports, folder = Ports(free_port(), free_port()), tmp_path_factory.mktemp(request.param)
    with running(PROXIES[request.param](folder, ports, echo), folder, ports):
        yield ports


def passed_on(ports: Ports, target: str, *fields: str, is_secure: bool = False) -> list[str]:
    """Send a request to a proxy, and return the lines of the one that it sent on."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {HOST}", "Connection: close", *fields, "", ""]
    port = ports.https if is_secure else ports.http
    with socket.create_connection(("127.0.0.1", port), _PATIENCE) as connected:
        connection = _CONTEXT.wrap_socket(connected, server_hostname=HOST) if is_secure else connected
        with connection:
            connection.sendall("\r\n".join(lines).encode())
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    return answer.partition(b"\r\n\r\n")[2].decode().splitlines()


@pytest.mark.parametrize("target", PATHS)
def test_a_documented_proxy_passes_on_the_path_byte_for_byte(proxy: Ports, target: str) -> None:
    assert passed_on(proxy, target)[0] == f"GET {target} HTTP/1.1"


@pytest.mark.parametrize(("is_secure", "protocol"), [(False, "http"), (True, "https")])
def test_a_documented_proxy_states_host_and_protocol_itself(
    proxy: Ports, protocol: str, *, is_secure: bool
) -> None:
    forged = ("X-Forwarded-Host: evil.example", "X-Forwarded-Proto: evil")
    sent = passed_on(proxy, "/uri-gin/", *forged, is_secure=is_secure)
    lines = [line.lower() for line in sent]

    assert {f"host: {HOST}", f"x-forwarded-host: {HOST}", f"x-forwarded-proto: {protocol}"} <= set(lines)
    assert "evil" not in "".join(lines)
