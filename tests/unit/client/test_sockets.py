"""Connections through the proxy of the environment."""

from __future__ import annotations

import socket
import threading

import pytest

from ginuri.client import Client, ServiceUnreachable
from ginuri.client.connection import ATTEMPTS


def test_a_service_is_reached_through_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as proxy:

        def refuse() -> None:
            for _ in range(ATTEMPTS):
                connection, _ = proxy.accept()
                with connection:
                    asked.append(connection.recv(4_096))
                    connection.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")

        thread = threading.Thread(target=refuse)
        thread.start()
        for name in ("no_proxy", "NO_PROXY", "HTTPS_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("https_proxy", f"http://jane:p%40ss@127.0.0.1:{proxy.getsockname()[1]}")
        with pytest.raises(ServiceUnreachable, match="403 Forbidden"):
            Client("https://id.example.org", "gin_secret", sleep=lambda _: None).me()
        thread.join()

    assert asked[0].startswith(b"CONNECT id.example.org:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic amFuZTpwQHNz\r\n" in asked[0]
    assert b"gin_secret" not in b"".join(asked)


def test_without_a_proxy_a_service_is_reached_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")

    with pytest.raises(ServiceUnreachable, match=r"https://id\.invalid does not answer"):
        Client("https://id.invalid", "gin_secret", sleep=lambda _: None).me()
