"""Every identifier under `examples/` gets its documented answer, over HTTP, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPMessage
from typing import Any

import pytest

from infra.local import EXAMPLES, ROOT
from infra.local.stack import Stack
from tests.end_to_end.expectations import NOT_REGISTERED, Examples, Expected
from tests.example_registry import Descriptions, examples

ROWS = Examples(EXAMPLES)
_TOP = {"_host/schemes.jsonl", "_host/authorities.jsonl"}
# Names under other schemes and under hosts have their own tests.
FILES = [file for file in ROWS.of_file if file.startswith("uri-") or file in _TOP]
ACCEPTS_ANYTHING: Mapping[str, str] = {}


class Client:
    """Sends requests over one connection, with paths unchanged."""

    def __init__(self, stack: Stack) -> None:
        self._connection = HTTPConnection(stack.service.removeprefix("http://"), timeout=30)

    def ask(
        self, path: str, method: str = "GET", headers: Mapping[str, str] = ACCEPTS_ANYTHING
    ) -> tuple[int, HTTPMessage, bytes]:
        """Send a request and read the whole answer."""
        self._connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            self._connection.putheader(name, value)
        self._connection.endheaders()
        response = self._connection.getresponse()
        return response.status, response.headers, response.read()

    def see(self, path: str, method: str = "GET", **headers: str) -> Expected:
        """Send a request and read the parts of the answer that the oracle describes."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        status, told, body = self.ask(path, method, named)
        is_given = status == 200
        return Expected(
            status,
            told["Location"],
            told["Content-Location"] if is_given else None,
            told["Content-Type"] if is_given else None,
            body if is_given else None,
        )

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@pytest.fixture(scope="module")
def client(stack: Stack) -> Iterator[Client]:
    """Return a client of the stack."""
    made = Client(stack)
    yield made
    made.close()


def _differences(seen: Expected, expected: Expected) -> dict[str, tuple[Any, Any]]:
    return {
        name: (getattr(seen, name), wanted)
        for name, wanted in vars(expected).items()
        if getattr(seen, name) != wanted and (wanted is not None or name == "location")
    }


def test_the_oracle_matches_the_documented_counts() -> None:
    told = re.search(
        r"(\d+) rows, (\d+) identifiers", (ROOT / "docs/reference/examples.md").read_text(encoding="utf-8")
    )
    rows = [row for name, row in ROWS.rows.items() if name.startswith(("uri-gin/", "http://resources"))]

    assert told is not None
    assert sum(len(row.lines) for row in rows) == int(told[1])
    assert len(rows) == int(told[2])
    assert sum(ROWS.expect(name) == NOT_REGISTERED for name in ROWS.rows) == 2  # refused, and reserved


@pytest.mark.parametrize("file", FILES)
def test_every_identifier_of_a_file_is_answered_as_its_rows_state(client: Client, file: str) -> None:
    wrong = {
        name: difference
        for name in ROWS.names(file)
        if (difference := _differences(client.see(f"/{name}"), ROWS.expect(name)))
    }

    assert wrong == {}


@pytest.mark.parametrize("file", FILES)
def test_head_over_http_has_the_headers_of_get(client: Client, file: str) -> None:
    for name in list(ROWS.names(file))[:40]:
        got = client.ask(f"/{name}")
        headed = client.ask(f"/{name}", "HEAD")

        assert headed[2] == b""
        assert headed[0] == got[0], name
        # The gateway adds the length and the date.
        for told in (got[1], headed[1]):
            del told["Content-Length"], told["Date"]
        assert dict(headed[1]) == dict(got[1]), name


def test_every_form_can_be_requested_by_its_media_type(client: Client) -> None:
    wrong = {}
    for name in ROWS.rows:
        for form in ROWS.offered(name):
            media_type = form.get("media_type")
            if media_type is not None:
                seen = client.see(f"/{name}", Accept=f"{media_type}, */*;q=0.001")
                if difference := _differences(seen, ROWS.expect(name, accept=media_type)):
                    wrong[name, media_type] = difference

    assert wrong == {}


def test_a_document_in_two_languages_can_be_requested_in_each(client: Client) -> None:
    name = "uri-gin/usgin/doc/uriGuide"
    for language in ("de", "en"):
        seen = client.see(f"/{name}", Accept_Language=language)

        assert _differences(seen, ROWS.expect(name, language=language)) == {}

    assert (
        client.see(f"/{name}", Accept_Language="de").body != client.see(f"/{name}", Accept_Language="en").body
    )


def test_unacceptable_types_get_a_description_for_things_and_406_for_documents(client: Client) -> None:
    typed = [name for name in ROWS.rows if (forms := ROWS.offered(name)) and "media_type" in forms[0]]
    documents = [name for name in typed if not name.endswith("/")]
    things = [name for name in typed if name.endswith("/")]
    assert len(documents) > 50
    assert len(things) > 5

    assert {client.see(f"/{name}", Accept="application/x-none").status for name in typed} == {406}
    for name in things:
        seen = client.see(f"/{name}", Accept="application/x-none, application/ld+json;q=0.1")
        assert (seen.status, seen.location) == (303, f"/about/{name}")


@pytest.mark.parametrize("media_type", ["text/turtle", "application/rdf+xml", "application/n-triples"])
def test_a_thing_is_described_in_rdf_to_clients_that_accept_only_that(
    client: Client, media_type: str
) -> None:
    name = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/"

    seen = client.see(f"/{name}", Accept=media_type)
    told = client.see(f"/about/{name}", Accept=media_type)

    assert (seen.status, seen.location) == (303, f"/about/{name}")
    assert (told.status, told.media_type) == (200, media_type)
    assert f"http://resources.usgin.org/{name}".encode() in (told.body or b"")


def test_a_final_slash_or_an_extension_makes_another_identifier(client: Client) -> None:
    wrong = {}
    for name in [name for file in FILES for name in ROWS.of_file[file][-4:]]:
        base = name.rstrip("/")
        for other in (base, f"{base}/", f"{base}.pdf", f"{base}.html", f"{base}/.pdf"):
            if difference := _differences(client.see(f"/{other}"), ROWS.expect(other)):
                wrong[other] = difference

    assert wrong == {}


def test_every_redirect_to_this_host_ends_in_an_answer(client: Client) -> None:
    led_to = {ROWS.expect(name).location for file in FILES for name in ROWS.names(file)}
    ours = sorted(each for each in led_to if each and each.startswith("/"))
    # Other tests write all of these pages without a network; over HTTP, a sample is enough.
    described = {f"/about/{name}" for name in Descriptions(examples()).names()}
    asked = [path for path in ours if path not in described] + [path for path in ours if path in described][
        ::8
    ]
    dead = {path: status for path in asked if (status := client.ask(path)[0]) not in {200, 302, 307}}

    assert len(ours) > 400
    assert dead == {}


def test_the_host_is_described_under_its_own_name(client: Client) -> None:
    status, _, body = client.ask(
        "/", headers={"Host": "resources.usgin.org", "Accept": "application/ld+json"}
    )

    assert status == 200
    assert "Identifier host of the U.S. Geoscience Information Network" in body.decode()


def test_the_answer_is_the_same_on_every_host(client: Client) -> None:
    for name in ("uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/", "uri-gin/cgi/", "uri-gin/nobody/"):
        answers = {
            client.see(f"/{name}", Host=host) for host in ("resources.usgin.org", "geon.org:88", "x.example")
        }

        assert len(answers) == 1
        assert {each.status for each in answers} <= {303, 404}


def test_a_retired_identifier_is_gone_and_a_reserved_one_is_404(client: Client) -> None:
    gone = client.ask("/uri-gin/azgs/application/stationDataEntry20090601/")
    reserved = client.ask("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv2.0/")

    assert (gone[0], reserved[0]) == (410, 404)
    assert "stationDataEntry20100225" in gone[2].decode()
    assert "reserved" in reserved[2].decode()


def test_the_report_on_the_thermal_springs_has_its_three_lines(stack: Stack) -> None:
    key = "uri-gin/cadoggr/thermalsprings.csv"
    s3 = stack.client("s3")
    listed = s3.list_objects_v2(Bucket=stack.reports_bucket, Prefix=f"{key}/")["Contents"]
    written = {
        each["Key"]: s3.get_object(Bucket=stack.reports_bucket, Key=each["Key"])["Body"].read()
        for each in listed
    }
    report = next(
        json.loads(body)
        for name, body in written.items()
        if name.endswith(".json") and "progress" not in name
    )
    [refused] = [verdict for verdict in report["verdicts"] if verdict["verdict"] == "refused"]

    [(name, row)] = [(name, row) for name, row in ROWS.rows.items() if len(row.titles) > 1]
    assert (refused["identifier"], refused["lines"]) == (name, row.lines)
    assert row.lines == [82, 88, 89]
    assert {*report["counts"].items()} >= {("registered", 292), ("refused", 1)}
    for title in row.titles:
        assert title in str(refused["findings"])
    assert sum(name.endswith(".refused.csv") for name in written) == 1
