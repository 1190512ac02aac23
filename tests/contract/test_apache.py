"""The redirects of a folder, as read by the importer, and as answered by Debian's Apache httpd."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ginuri.migration.apache.contexts import ANYTHING, BROWSER, NOTHING, Client, Context
from ginuri.migration.apache.folders import read_folders
from ginuri.migration.apache.requests import Headers, Request
from infra.migration.apache_server import apache_folder, has_apache
from infra.migration.connections import Answered, Asker
from tests.apache_sites import FILES, HOST, PATHS

CLIENTS = (
    NOTHING,
    ANYTHING,
    BROWSER,
    Context(Client.TYPE, "text/turtle"),
    Context(Client.TYPE, "text/html"),
    Context(Client.TYPE, "application/rdf+xml"),
    Context(Client.TYPE, "application/ld+json"),
)
"""The clients that ask for every path."""


@pytest.fixture(scope="module")
def apache() -> Iterator[Asker]:
    if not has_apache():
        pytest.skip("needs Apache httpd, as Debian has it")
    # Apache httpd runs as nobody, and every run of pytest closes the folders of all runs to other users.
    with TemporaryDirectory(prefix="ginuri-site-") as folder:
        Path(folder).chmod(0o755)
        for name, text in FILES.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        with apache_folder(Path(folder), HOST) as port, closing(Asker(port, HOST, folder)) as asker:
            yield asker


@pytest.mark.parametrize("target", PATHS)
def test_the_importer_answers_a_request_as_apache_does(target: str, apache: Asker) -> None:
    site = read_folders({name: text.encode() for name, text in FILES.items()}, HOST)
    path, _, query = target.partition("?")

    for client in CLIENTS:
        expected = apache.ask(target, {name.title(): value for name, value in client.headers.items()})
        answer = site.answer(Request(path.replace("%20", " "), Headers(client.headers), query))
        assert apache.comparable(answer.status, answer.location) == expected, client


def test_an_answer_has_a_status_and_perhaps_a_location(apache: Asker) -> None:
    assert apache.ask("/plain/a.b", {}) == Answered(301, "https://b.example/dot")
