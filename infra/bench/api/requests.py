"""The measured requests."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from ginuri.client import Client, Report
from infra.bench.api.sending import Sent, Service, Watch, send

FOLDER = "uri-gin/azgs/"
CLIENTS = 8
PUT = "`PUT`, to the verdict"
FILE = "rows of one file, to the verdict"
RECORD = "`GET` of a record"
ME = "`GET /api/me`"
_WARMING = 16
_ONE, _EIGHT = "well-a-", "well-b-"


def measure(service: Service, number: int) -> list[Sent]:
    """Register so many identifiers one by one by one client, by eight, and by one file; then read."""
    measure_puts(service, "warming-", CLIENTS, _WARMING)
    return [
        measure_puts(service, _ONE, 1, number),
        measure_puts(service, _EIGHT, CLIENTS, number),
        _measure_file(service, number),
        *(
            send(service, name, clients, number, request)
            for name, request in ((RECORD, _read), (ME, _ask))
            for clients in (1, CLIENTS)
        ),
    ]


def measure_puts(service: Service, stem: str, clients: int, number: int) -> Sent:
    """Register so many new identifiers, whose names begin with `stem`, by a `PUT` for each."""
    return send(service, PUT, clients, number, partial(_put, stem))


def _put(stem: str, client: Client, number: int) -> None:
    _check(client.put(_name(stem, number), _registration(number)), 1)


def _measure_file(service: Service, number: int) -> Sent:
    lines = (
        json.dumps({"identifier": _name("well-c-", each), **_registration(each)}) for each in range(number)
    )
    body = "".join(f"{line}\n" for line in lines).encode()
    with Client(service.address, service.new_token()) as client:
        client.me()
        watch = Watch(service)
        report = client.upload(body, FOLDER, name="wells.jsonl")
        sent = watch.stop(FILE, 1, number)
    _check(report, number)
    return sent


def _read(client: Client, number: int) -> None:
    client.record(_name(_ONE, number))


def _ask(client: Client, _: int) -> None:
    client.me()


def _name(stem: str, number: int) -> str:
    return f"{FOLDER}doc/{stem}{number:07d}"


def _registration(number: int) -> dict[str, Any]:
    return {
        "title": {"en": f"Well {number}", "es": f"Pozo {number}"},
        "representations": [{"media_type": "text/html", "location": f"https://example.org/{number}.html"}],
        "links": [{"rel": "license", "href": "https://example.org/by/"}],
        "properties": {"county": "Cochise"},
    }


def _check(report: Report, number: int) -> None:
    if report.counts.get("registered") != number:
        raise AssertionError(f"not all of {number} were registered: {report.counts} {[*report.findings]}")
