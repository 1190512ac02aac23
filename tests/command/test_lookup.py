"""`ginuri get`, `explain` and `search` ask a service, and print its answers for people."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from tests.builders import register
from tests.front import Front
from tests.functional.test_front_page import registry

MAP = "uri-gin/azgs/doc/map/1/"
PDF = "https://maps.example/1.pdf"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    memory = registry()
    forms = [{"media_type": "application/pdf", "location": PDF}]
    register(memory, MAP, 1, title={"en": "Geologic map of Bisbee"}, representations=forms)
    front = Front(memory, tmp_path_factory.mktemp("published"))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            answer = front.ask(path, query=query, headers=dict(self.headers))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, *_arguments: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def _run(service: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--service", service], prog_name="ginuri")


def test_get_prints_title_uri_and_forms(service: str) -> None:
    ran = _run(service, "get", f"http://other.example/{MAP}")

    assert ran.exit_code == 0
    assert "Geologic map of Bisbee" in ran.stdout
    assert f"application/pdf  {PDF}" in ran.stdout


def test_get_prints_the_json_of_the_service(service: str) -> None:
    ran = _run(service, "get", MAP, "--json")

    assert json.loads(ran.stdout)["identifier"] == MAP


def test_an_unregistered_identifier_exits_with_advice(service: str) -> None:
    ran = _run(service, "get", "uri-gin/azgs/doc/map/7/")

    assert ran.exit_code == 1
    assert ran.stdout == ""
    assert "404 This identifier is not registered" in ran.stderr
    assert f"{service}/about/uri-gin/azgs/doc/map/" in ran.stderr


def test_a_malformed_identifier_is_not_asked_for(service: str) -> None:
    ran = _run(service, "get", "uri-gin//azgs")

    assert ran.exit_code == 1
    assert "404" not in ran.stderr


@pytest.mark.parametrize(("accept", "location"), [("application/pdf", PDF), ("text/turtle", f"/about/{MAP}")])
def test_explain_prints_the_answer_and_its_steps(service: str, accept: str, location: str) -> None:
    ran = _run(service, "explain", MAP, "--accept", accept)

    assert ran.exit_code == 0
    assert f"303 See Other  {location}" in ran.stdout
    assert "decide: " in ran.stdout


def test_search_prints_identifiers_with_titles(service: str) -> None:
    found, absent = _run(service, "search", "bisbee", "geologic"), _run(service, "search", "quokka")

    assert (found.exit_code, absent.exit_code) == (0, 1)
    assert found.stdout == f"{MAP}  Geologic map of Bisbee\n"
    assert found.stderr == "1 result\n"


@pytest.mark.parametrize("service", ["http://127.0.0.1:1", "ftp://id.example", "id.example"])
@pytest.mark.parametrize("arguments", [("get", MAP), ("explain", MAP), ("search", "map")])
def test_a_service_that_cannot_be_asked_is_a_fault(service: str, arguments: tuple[str, ...]) -> None:
    ran = _run(service, *arguments)

    assert ran.exit_code == 2
    assert service in ran.stderr
