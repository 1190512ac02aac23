"""`ginuri inventory`: counts the requests in logs, as real servers write them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from tests.web_servers import serve_apache, serve_caddy, serve_nginx

HOST = "purl.example.org"
COMBINED = '192.0.2.{} - - [10/Oct/2026:13:55:36 -0700] "{} {} HTTP/1.1" 302 - "-" "curl/8"\n'
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SENT = [
    ("/net/a", "text/turtle"),
    ("/net/a", "text/turtle"),
    ("/net/a", None),
    ("/net/a%2Fb//c?x=%20y&z=\"'", BROWSER),
    ("/net/\\x", 'a/b;c="d\\"e"'),
]
"""The paths and headers that are sent to a real server."""
APACHE = r"%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\" \"%{Accept}i\" %{Host}i"
NGINX = (
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" '
    '"$http_user_agent" "$http_accept" $http_host'
)
Counted = dict[tuple[str | None, str, str | None], int]


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["inventory", *map(str, arguments)], prog_name="ginuri")


def _counted(text: str) -> Counted:
    lines = map(json.loads, text.splitlines())
    return {(line.get("host"), line["path"], line.get("accept")): line["count"] for line in lines}


def _send(address: str, requests: Sequence[tuple[str, str | None]]) -> None:
    port = urlsplit(address).port
    assert port
    for path, accept in requests:
        header = f"Accept: {accept}\r\n" if accept else ""
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(
                f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{header}Connection: close\r\n\r\n".encode()
            )
            while connection.recv(65_536):
                pass


def _logged(path: Path, lines: int) -> Path:
    """Wait until a log has so many lines: a server may write them after its answer."""
    end = time.monotonic() + 10
    while time.monotonic() < end and (not path.exists() or path.read_bytes().count(b"\n") < lines):
        time.sleep(0.02)
    return path


def _apache(folder: Path) -> AbstractContextManager[str]:
    return serve_apache(folder, f'LogFormat "{APACHE}" stated\nCustomLog {folder}/access.log stated')


def _nginx(folder: Path) -> AbstractContextManager[str]:
    return serve_nginx(folder, f"'{NGINX}'")


def _nginx_json(folder: Path) -> AbstractContextManager[str]:
    members = '"request_uri": "$request_uri", "http_accept": "$http_accept", "host": "$http_host"'
    return serve_nginx(folder, f"escape=json '{{ {members} }}'")


@pytest.mark.parametrize(
    ("serve", "options"),
    [
        (_apache, ("--log-format", APACHE)),
        (_nginx, ("--log-format", NGINX)),
        (_nginx_json, ()),
        (serve_caddy, ()),
    ],
    ids=["apache2", "nginx", "nginx in JSON", "caddy"],
)
def test_the_log_of_a_real_server_gives_the_requests_that_were_sent(
    tmp_path: Path, serve: Callable[[Path], AbstractContextManager[str]], options: Sequence[str]
) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    with serve(folder) as address:
        _send(address, SENT)
        log = _logged(folder / "access.log", len(SENT))

    result = _run(log, *options)

    assert result.exit_code == 0, result.output
    assert _counted(result.stdout) == {
        (HOST, path, accept or ""): SENT.count((path, accept)) for path, accept in SENT
    }


def test_a_log_without_the_header_is_counted_by_address(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    requests = [("GET", "/a"), ("GET", "/b"), ("HEAD", "/b"), ("POST", "/b"), ("GET", "/b")]
    log.write_text("".join(COMBINED.format(number, *each) for number, each in enumerate(requests)))

    result = _run(log, "--host", HOST, "--output", tmp_path / "inventory.jsonl")

    assert (tmp_path / "inventory.jsonl").read_text() == (
        f'{{"host": "{HOST}", "path": "/b", "count": 3}}\n{{"host": "{HOST}", "path": "/a", "count": 1}}\n'
    )
    assert result.output.splitlines() == [
        "requests: 4, addresses and headers: 2",
        "The logs do not have the header Accept of all requests.",
        "not counted, by method: POST 1",
    ]


def test_the_result_names_no_client(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(COMBINED.format("77", "GET", "/a") + "x\n")

    result = _run(log)

    assert result.stdout == '{"path": "/a", "count": 1}\n'
    assert "The logs do not have the host of all requests. Name it with --host." in result.stderr
    assert "not counted: 1 line without a request" in result.stderr


def test_logs_and_inventories_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "access.log").write_text(COMBINED.format("1", "GET", "/a"))
    (tmp_path / "logs" / "access.log.1").write_text(COMBINED.format("1", "GET", "/a"))
    (tmp_path / "a.jsonl").write_text(
        '{"path": "/a", "count": 5}\n{"path": "/a", "accept": "", "count": 1}\n'
    )

    result = _run(tmp_path / "logs", tmp_path / "a.jsonl")

    assert _counted(result.stdout) == {(None, "/a", None): 7, (None, "/a", ""): 1}


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("# nothing\n", (), "contains no requests."),
        ("x\n", ("--log-format", "%h %l"), "has neither %r nor $request"),
    ],
)
def test_logs_that_cannot_be_used_are_reported(
    tmp_path: Path, content: str, options: Sequence[str], message: str
) -> None:
    (tmp_path / "a.log").write_text(content)

    result = _run(tmp_path / "a.log", *options)

    assert (result.exit_code, message in result.stderr) == (2, True)


def test_a_truncated_compressed_log_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(b"\x1f\x8b\x08\x00")

    result = _run(tmp_path / "a.gz")

    assert result.exit_code == 2
    assert "a.gz: Compressed file ended" in result.stderr
