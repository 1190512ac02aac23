"""The redirects of a folder, as read by the importer, and as answered by Debian's Apache httpd."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

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
def apache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    if not has_apache():
        pytest.skip("needs Apache httpd, as Debian has it")
    folder = tmp_path_factory.mktemp("site")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)  # Apache httpd runs as nobody
    for name, text in FILES.items():
        file = Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    with apache_folder(folder, HOST) as port, closing(Asker(port, HOST, str(folder))) as asker:
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
