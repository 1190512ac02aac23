"""Requests are read from the logs of servers, whatever the format, and counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ginuri.migration.inventories.inventory import Inventory, RequestKind, files_under, read_log
from ginuri.migration.inventories.logged_request import LineReader, LoggedRequest
from ginuri.migration.inventories.text_logs import compile_format

TIME = "[10/Oct/2026:13:55:36 -0700]"
COMMON = f'192.0.2.1 - jane doe {TIME} "GET /net/a?x=1 HTTP/1.0" 302 -'
COMBINED = f'{COMMON} "http://a.example/\\"x\\"" "Mozilla/5.0 \\"GET /no HTTP/1.0\\""'
APACHE = r"%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\" \"%{Accept}i\""
NGINX = (
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" '
    '"$http_user_agent" "$http_accept" ${host}'
)
S3 = (
    "79a59df900b949e5 purls [06/Feb/2026:00:00:38 +0000] 192.0.2.3 - 3E57 WEBSITE.GET.OBJECT net/a "
    '"GET /net/a?x=1 HTTP/1.1" 301 - 113 - 7 - "-" "curl/8.0" - - - - - purls.s3-website.example - - -'
)
ALB = (
    "https 2026-07-02T22:23:00.186641Z app/lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 302 "
    '302 0 57 "GET https://purl.example.org:443/net/a?x=1 HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 arn "Root=1"'
)
CLOUDFRONT = (
    "#Version: 1.0\n"
    "#Fields: date time cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header\n"
    "2026-10-10\t02:42:28\tGET\td111.cloudfront.net\t{stem}\t302\tMozilla/5.0%20(X11)\t{query}\tpurl.example.org"
)
IIS = (
    "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-10-10 02:42:28\n"
    "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-host cs(Accept) sc-status\n"
    "2026-10-10 02:42:28 192.0.2.2 GET /net/a x=1 80 purl.example.org text/turtle 302"
)
CADDY = {
    "level": "info",
    "logger": "http.log.access",
    "request": {
        "method": "GET",
        "host": "purl.example.org",
        "uri": "/net/a?x=1",
        "headers": {"Accept": ["text/turtle", "*/*;q=0.1"], "User-Agent": ["curl"]},
    },
    "status": 302,
}
HOST = "purl.example.org"


def _request(
    *, host: str | None = None, accept: str | None = None, target: str = "/net/a?x=1"
) -> LoggedRequest:
    return LoggedRequest(target, host, accept)


@pytest.mark.parametrize(
    ("log", "request_"),
    [
        (COMMON, _request()),
        (COMBINED, _request()),
        (f"{HOST}:443 {COMBINED}", _request(host=HOST)),
        (S3, _request()),
        (ALB, _request(host=HOST)),
        (CLOUDFRONT.format(stem="/net/a", query="x=1"), _request(host=HOST)),
        (CLOUDFRONT.format(stem="/net/a%2520b%7Cc", query="-"), _request(host=HOST, target="/net/a%20b%7Cc")),
        (CLOUDFRONT.format(stem="/net/a", query="x=%2526"), _request(host=HOST, target="/net/a?x=%26")),
        (CLOUDFRONT.format(stem="/net/a%25", query="-"), _request(host=HOST, target="/net/a%25")),
        (IIS, _request(host=HOST, accept="text/turtle")),
        (json.dumps(CADDY), _request(host=HOST, accept="text/turtle, */*;q=0.1")),
        (
            json.dumps({"request": {"method": "GET", "host": f"{HOST}:80", "uri": "/", "headers": {}}}),
            _request(host=HOST, accept="", target="/"),
        ),
        (
            '{"request_uri": "/net/a?x=1", "http_host": "a.example", "http_accept": "-"}',
            _request(host="a.example", accept=""),
        ),
        ('{"Host": "a.example", "Request": "/net/a", "Query": "?x=1"}', _request(host="a.example")),
        ('{"request": "GET /net/a?x=1 HTTP/2.0"}', _request()),
        (
            '{"cs-method": "GET", "cs-uri-stem": "/a%2520", "cs-uri-query": "-", "cs-host": "a.example"}',
            _request(host="a.example", target="/a%20"),
        ),
        (
            '{"host": "a.example", "path": "/net/a?x=1", "accept": "", "count": 7}',
            LoggedRequest("/net/a?x=1", "a.example", "", count=7),
        ),
        (f'192.0.2.1 - - {TIME} "GET /\\xc3\\xa4\\"%20 HTTP/1.1" 404 1', _request(target='/%C3%A4"%20')),
        (f'192.0.2.1 - - {TIME} "GET /ä HTTP/1.1" 404 1', _request(target="/%C3%A4")),
        (
            f'192.0.2.1 - - {TIME} "GET http://a.example HTTP/1.1" 404 1',
            _request(host="a.example", target="/"),
        ),
    ],
)
def test_a_request_is_read_in_the_format_of_the_log(
    tmp_path: Path, log: str, request_: LoggedRequest
) -> None:
    (tmp_path / "a.log").write_text(f"{log}\n", encoding="utf-8")

    assert [each for each in read_log(tmp_path / "a.log", None) if each] == [request_]


@pytest.mark.parametrize(
    "line",
    [
        '192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "-" 408 -',
        r'192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "\x16\x03\x01" 400 226',
        '192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /a b HTTP/1.1" 400 226',
        '192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "OPTIONS * HTTP/1.1" 200 -',
        '192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET http://[a/ HTTP/1.1" 400 -',
        "any text",
        '{"level": "info", "msg": "started"}',
        '{"path": 7}',
        "{}",
        "{",
    ],
)
def test_a_line_without_a_request_is_counted_as_such(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.log").write_text(f"{line}\n")
    inventory = Inventory("")

    for request in read_log(tmp_path / "a.log", None):
        inventory.add(request)

    assert (inventory.unread, inventory.counts) == (1, {})


@pytest.mark.parametrize(
    ("written", "line", "request_"),
    [
        (APACHE, f'{COMBINED} "text/turtle, */*;q=0.1"', _request(accept="text/turtle, */*;q=0.1")),
        (APACHE, f'{COMBINED} "-"', _request(accept="")),
        (NGINX, f'{COMBINED} "text/turtle" {HOST}', _request(accept="text/turtle", host=HOST)),
        ('%v:%p %h %l %u %t "%r" %>s %O', f"{HOST}:80 {COMMON}", _request(host=HOST)),
        (
            "%{%Y-%m-%d %H:%M:%S}t %m %400,501{Accept}i|%r",
            "2026-10-10 13:55:36 GET text/html|GET /net/a?x=1 HTTP/1.1",
            _request(accept="text/html"),
        ),
        ("$msec\t$request_method\t$request_uri", "1.5\tGET\t/net/a?x=1", _request()),
        ("100%% %r", "100% GET /net/a?x=1 HTTP/1.1", _request()),
    ],
)
def test_a_stated_format_names_the_place_of_the_header(
    written: str, line: str, request_: LoggedRequest
) -> None:
    read: LineReader = compile_format(written)

    assert read(f"{line}\n".encode()) == request_
    assert read(b"another line\n") is None


@pytest.mark.parametrize("written", ["", "%h %l", '"$uri" $status'])
def test_a_format_without_the_request_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        compile_format(written)


def test_requests_are_counted_by_address_and_header() -> None:
    inventory = Inventory(HOST)

    for request in (
        LoggedRequest("/a", accept="text/turtle"),
        LoggedRequest("/a", HOST, "text/turtle", "HEAD"),
        LoggedRequest("/a", HOST, ""),
        LoggedRequest("/b", count=9),
        LoggedRequest("/a", "b.example"),
        LoggedRequest("/a", method="POST"),
        None,
    ):
        inventory.add(request)

    assert inventory.counts == {
        RequestKind(HOST, "/a", "text/turtle"): 2,
        RequestKind(HOST, "/a", ""): 1,
        RequestKind(HOST, "/b", None): 9,
        RequestKind("b.example", "/a", None): 1,
    }
    assert (inventory.requests, inventory.unread, inventory.other_methods) == (13, 1, {"POST": 1})
    assert [(host, target) for host, target, _ in inventory.addresses()] == [
        (HOST, "/b"),
        (HOST, "/a"),
        ("b.example", "/a"),
    ]


def test_an_inventory_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    written, read = Inventory(HOST), Inventory("another.example")
    for request in (LoggedRequest("/ä", accept=""), LoggedRequest("/b", accept="text/csv", count=0.5)):
        written.add(request)

    (tmp_path / "a.jsonl").write_text("\n".join(written.lines()), encoding="utf-8")
    for line in read_log(tmp_path / "a.jsonl", None):
        read.add(line)

    assert read.counts == {
        RequestKind(HOST, "/%C3%A4", ""): 1,
        RequestKind(HOST, "/b", "text/csv"): 0.5,
    }


def test_logs_in_a_folder_are_read_compressed_or_not(tmp_path: Path) -> None:
    (tmp_path / "2026" / "10").mkdir(parents=True)
    (tmp_path / "2026" / "10" / "b.gz").write_bytes(gzip.compress(f"{COMMON}\n".encode()))
    (tmp_path / "2026" / "a.log").write_text(f"{COMMON}\n\n{COMMON}")

    files = list(files_under(tmp_path))

    assert [file.name for file in files] == ["b.gz", "a.log"]
    assert [len(list(read_log(file, None))) for file in files] == [1, 2]
