"""A folder of Apache httpd, imported and uploaded: requests are led where Apache httpd led them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.migration.apache.contexts import NOTHING, Client, Context
from ginuri.migration.apache.folders import read_folders
from ginuri.migration.apache.importer import import_apache
from ginuri.migration.apache.requests import Answer, Headers, Request
from ginuri.migration.entries import ConvertedEntry, Registration
from tests.answers import Answer as Given
from tests.apache_sites import FILES, HOST, PATHS
from tests.resolving import Service
from tests.steward import Report, Steward

CONTENTS = {name: text.encode() for name, text in FILES.items()}
CLIENTS = (
    NOTHING,
    Context(Client.TYPE, "text/turtle"),
    Context(Client.TYPE, "text/html"),
    Context(Client.TYPE, "application/rdf+xml"),
    Context(Client.TYPE, "application/ld+json"),
    Context(Client.BROWSER),
)
ON_NAMES = {"/plain/query?q=1"}
"""The query of a request for a single name, which a registration does not pass on."""
UNANCHORED = {"/plain/axb"}
"""Names that only a dot without a backslash matches."""
LEFT_OUT = {"/OLD/a.b", "/compared/letter/a", "/compared/letter/z", "/compared/number/10"}
"""Names that are left out: folders answer for them differently, or a number or an order decides."""
SLASHED = {"/words", "/onto/docs"}
"""Folders without an answer: Apache httpd adds the final slash, and then answers with 404."""


@cache
def _registrations() -> Sequence[Registration]:
    return [
        line
        for outcome in import_apache(CONTENTS, HOST)
        if isinstance(outcome, ConvertedEntry)
        for line in outcome.registrations
    ]


@cache
def _upload() -> tuple[MemoryRegistry, Report]:
    registry = MemoryRegistry()
    steward = Steward(registry)
    steward.upload(
        "_host/host.jsonl", json.dumps({"record": "host", "identifier": f"http://{HOST}/", "title": "A"})
    )
    lines = "".join(f"{json.dumps(dict(line))}\n" for line in _registrations())
    return registry, steward.upload(f"{HOST}/all.jsonl", lines)


def _ask_apache(target: str, client: Context) -> Answer:
    path, _, query = target.partition("?")
    return read_folders(CONTENTS, HOST).answer(
        Request(path.replace("%20", " "), Headers(client.headers), query)
    )


def _ask(service: Service, target: str, client: Context) -> Given:
    path, _, query = target.partition("?")
    headers = {name.title().replace("-", "_"): value for name, value in client.headers.items()}
    return service.ask(path, query=query, Host=HOST, **headers)


def test_every_line_of_an_imported_folder_is_registered() -> None:
    _, report = _upload()

    assert not [each for each in report.verdicts if each.verdict == "refused"]


@pytest.mark.parametrize("target", sorted({*PATHS} - ON_NAMES - UNANCHORED - LEFT_OUT - SLASHED))
def test_an_imported_folder_leads_where_apache_leads(target: str) -> None:
    registry, _ = _upload()
    service = Service(registry)

    for client in CLIENTS:
        there = _ask_apache(target, client)
        if there.location:
            here = _ask(service, target, client)
            location = here.headers["Location"].replace(f"http://{HOST}/", f"https://{HOST}/")
            assert (here.status, location) == (there.status, there.location), client


@pytest.mark.parametrize("path", ["/plain/gone", "/moved/gone"])
def test_an_imported_name_that_is_gone_is_410(path: str) -> None:
    registry, _ = _upload()

    assert Service(registry).ask(path, Host=HOST).status == 410


def test_names_of_a_broken_folder_are_not_registered() -> None:
    registry, _ = _upload()

    assert Service(registry).ask("/broken/b", Host=HOST).status == 404
