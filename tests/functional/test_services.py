"""Do the service's own paths get the right answer: explanations, look-ups, the interface?"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from describe.flow import Collaborators, answer
from ginuri.adapters.memory import MemoryRegistry
from ginuri.core.errors import RegistryUnavailable
from ginuri.core.finding import RememberingFinder
from ginuri.core.model import Registered
from ginuri.core.registry import NearReader
from ginuri.descriptions.writing import DescriptionWriter
from ginuri.web.description_answers import DescriptionAnswers
from ginuri.web.pages import write_page
from ginuri.web.response import write_gateway
from ginuri.web.service_answers import ServiceAnswers
from tests.answers import Answer
from tests.builders import MAP, register, rest_event

HOST = "resources.example.org"
FILE = {"key": "azgs/m.tif", "version": "v1", "sha256": "ab" * 32, "stored": "2011-08-25T17:29:00Z"}


@pytest.fixture
def registry() -> MemoryRegistry:
    """A registry with a map that has a form elsewhere, a stored one, and a large one."""
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority", title={"en": "Arizona Geological Survey"})
    register(
        registry,
        MAP,
        title={"en": "Geologic map"},
        representations=[
            {"part": "m.pdf", "media_type": "application/pdf", "location": "https://example.org/m.pdf"},
            {"part": "m.tif", "media_type": "image/tiff", "file": {**FILE, "length": 11}},
            {"part": "all.tif", "media_type": "image/tiff", "file": {**FILE, "length": 9_000_000}},
        ],
    )
    register(registry, "uri-gin/azgs/old/", status="retired", title={"en": "An old one"}, reason="Lost.")
    return registry


def ask(  # noqa: PLR0913  a request has this much
    reader: NearReader,
    path: str,
    method: str = "GET",
    *,
    uri: str | None = None,
    body: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    event = rest_event(path, method, {"Host": HOST, **(headers or {})})
    if uri is not None:
        event |= {"queryStringParameters": {"uri": uri}, "multiValueQueryStringParameters": {"uri": [uri]}}
    answers = DescriptionAnswers(DescriptionWriter(write_page).write)
    finder = RememberingFinder(reader, time.monotonic)
    answered = answer(
        event | {"body": body}, Collaborators(finder, reader, answers, ServiceAnswers(HOST), HOST)
    )
    return Answer(write_gateway(answered.response, method))


def told(answer: Answer) -> Any:
    assert answer.headers["Content-Type"] == "application/json"
    return json.loads(answer.content)


def look_up(reader: NearReader, *uris: str) -> list[dict[str, Any]]:
    listed = told(ask(reader, "/resolve", "POST", body=json.dumps(uris)))
    assert isinstance(listed, list)
    return listed


def steps(explanation: Mapping[str, Any]) -> dict[str, Any]:
    return {each["step"]: each["result"] for each in explanation["steps"]}


def test_an_explanation_tells_the_decision_instead_of_acting_on_it(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/explain/{MAP}", headers={"Accept": "application/pdf;q=0.5, image/png"})

    explanation = told(answered)
    assert answered.status == 200
    assert explanation["identifier"] == MAP
    assert explanation["outcome"] == "SeeRepresentation"
    assert (explanation["status"], explanation["location"]) == (303, f"/{MAP}m.pdf")
    assert steps(explanation)["decide"]["representation"]["media_type"] == "application/pdf"
    assert len(steps(explanation)["decide"]["offered"]) == 3


def test_an_explanation_names_the_host_that_a_prefix_is_delegated_to(registry: MemoryRegistry) -> None:
    register(registry, "uri-gin/azgs/doc/", delegation={"answered_by": "maps.example.org"})

    explanation = told(ask(registry, f"/explain/{MAP}"))

    above = {each["identifier"]: each for each in steps(explanation)["find"]["ancestors"]}
    assert explanation["outcome"] == "AnsweredElsewhere"
    assert (explanation["status"], explanation["location"]) == (307, f"http://maps.example.org/{MAP}")
    assert steps(explanation)["decide"]["answered_by"] == "maps.example.org"
    assert above["uri-gin/azgs/doc/"]["answered_by"] == "maps.example.org"
    assert "answered_by" not in above["uri-gin/azgs/"]


def test_a_list_tells_which_of_it_another_host_answers_for(registry: MemoryRegistry) -> None:
    register(registry, "uri-gin/azgs/doc/", delegation={"answered_by": "maps.example.org"})

    there, here = look_up(registry, MAP, "uri-gin/azgs/")

    assert (there["status"], there["location"]) == (307, f"http://maps.example.org/{MAP}")
    assert here["status"] == 303


def test_an_explanation_tells_its_steps_in_order(registry: MemoryRegistry) -> None:
    headers = {"Accept": "text/html;level=1;q=0.7", "Accept-Language": "de, en;q=0.5"}

    explanation = told(ask(registry, f"/explain/{MAP}", headers=headers | {"Accept": "image/tiff;q=0.7"}))

    assert [each["step"] for each in explanation["steps"]] == [
        "parse",
        "find",
        "host",
        "preferences",
        "decide",
    ]
    assert steps(explanation)["host"] == HOST
    assert steps(explanation)["parse"]["kind_by_syntax"] == "thing"
    assert steps(explanation)["preferences"] == {
        "media_types": [{"range": "image/tiff", "q": 0.7}],
        "languages": [{"range": "de", "q": 1.0}, {"range": "en", "q": 0.5}],
        "profiles": [],
    }
    above = {each["identifier"]: each["registered"] for each in steps(explanation)["find"]["ancestors"]}
    assert above["uri-gin/azgs/"]
    assert not above["uri-gin/azgs/doc/"]


@pytest.mark.parametrize(
    ("path", "outcome", "status", "location"),
    [
        ("uri-gin/azgs/", "SeeDescription", 303, "/about/uri-gin/azgs/"),
        ("uri-gin/azgs/old/", "Retired", 410, None),
        ("uri-gin/azgs/nothing/", "NotRegistered", 404, None),
        ("uri-gin/%61zgs/", "NotNormal", 301, "/uri-gin/azgs/"),
        (f"{MAP}m.tif", "Give", 200, None),
        (f"{MAP}all.tif", "Give", 307, None),
    ],
)
def test_every_outcome_is_explained_with_its_status(
    registry: MemoryRegistry, path: str, outcome: str, status: int, location: str | None
) -> None:
    answered = ask(registry, f"/explain/{path}")

    explanation = told(answered)
    assert answered.status == 200
    assert (explanation["outcome"], explanation["status"], explanation["location"]) == (
        outcome,
        status,
        location,
    )


def test_an_explanation_is_a_page_for_a_browser(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/explain/{MAP}", headers={"Accept": "text/html, <script>/*;q=0.9"})

    page = answered.content.decode()
    assert answered.status == 200
    assert answered.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f"What a request for {MAP} gets" in page
    assert "<script" not in page


@pytest.mark.parametrize("path", ["/explain", "/explain/", "/explain/uri-gin/azgs//", "/explain/doi/10.1"])
def test_what_cannot_be_explained_is_400_with_advice(registry: MemoryRegistry, path: str) -> None:
    answered = ask(registry, path)

    assert answered.status == 400
    assert answered.problem["detail"]


@pytest.mark.parametrize(
    ("uri", "location"),
    [
        (f"http://resources.usgin.org/{MAP}", f"/{MAP}"),
        (f"https://other.example:8443/{MAP}", f"/{MAP}"),
        (f"/{MAP}", f"/{MAP}"),
        (MAP, f"/{MAP}"),
        ("http://geon.org/uri-gin/%61zgs/a%2fb", "/uri-gin/azgs/a%2Fb"),
        (f"{MAP}#section-2", f"/{MAP}#section-2"),
        (f"{MAP}#", f"/{MAP}#"),
        (f"{MAP}#a b%20c%é\r\nSet-Cookie: x", f"/{MAP}#a%20b%20c%25%C3%A9%0D%0ASet-Cookie:%20x"),
        ("http://resources.usgin.org/", "/"),
    ],
)
def test_an_identifier_in_any_form_leads_to_its_path_with_its_fragment(
    registry: MemoryRegistry, uri: str, location: str
) -> None:
    answered = ask(registry, "/resolve", uri=uri)

    assert answered.status == 302
    assert answered.headers["Location"] == location
    assert answered.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "uri", ["doi:10.1/2", "ftp://a.example/uri-gin/azgs/", "uri-gin/azgs//", "nothing", "#a"]
)
def test_what_cannot_be_an_identifier_is_400_with_advice(registry: MemoryRegistry, uri: str) -> None:
    answered = ask(registry, "/resolve", uri=uri)

    assert answered.status == 400
    assert answered.problem["detail"]


def test_asking_for_nothing_is_told_how_to_ask(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/resolve")

    assert answered.status == 400
    assert "/resolve?uri=" in answered.problem["detail"]


def test_a_list_is_answered_item_by_item_in_order(registry: MemoryRegistry) -> None:
    items = look_up(
        registry, f"http://a.example/{MAP}#p2", "uri-gin/azgs/old/", "uri-gin/azgs//", "uri-gin/x/"
    )

    assert items[0] == {
        "uri": f"http://a.example/{MAP}#p2",
        "identifier": MAP,
        "status": 303,
        "outcome": "SeeRepresentation",
        "location": f"/{MAP}m.pdf#p2",
        "title": "Geologic map",
        "error": None,
    }
    assert [(each["status"], each["outcome"]) for each in items[1:]] == [
        (410, "Retired"),
        (400, "Malformed"),
        (404, "NotRegistered"),
    ]
    assert items[1]["title"] == "An old one"
    assert "Reason: Lost." in items[1]["error"]
    assert items[2]["identifier"] is None


def test_an_object_may_hold_the_list(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/resolve", "POST", body=json.dumps({"uris": [MAP, MAP]}))

    assert [each["identifier"] for each in told(answered)] == [MAP, MAP]
    assert answered.headers["Cache-Control"] == "no-store"


def test_a_hundred_identifiers_are_read_in_as_few_calls_as_there_can_be(registry: MemoryRegistry) -> None:
    before = registry.calls

    items = look_up(registry, *(f"uri-gin/azgs/well/{number}/" for number in range(96)))

    assert len(items) == 96
    assert registry.calls - before == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 400),
        ("{", 400),
        ("[" * 100_000, 400),
        ('"uri-gin/azgs/"', 422),
        ("[1]", 422),
        ("{}", 422),
        ('{"uris": "uri-gin/azgs/"}', 422),
        (json.dumps(["uri-gin/azgs/"] * 101), 413),
        (json.dumps(["x" * 600_000]), 413),
    ],
)
def test_a_limit_is_told_by_name(registry: MemoryRegistry, body: str | None, status: int) -> None:
    answered = ask(registry, "/resolve", "POST", body=body)

    assert answered.status == status
    assert answered.problem["status"] == status


def test_no_text_in_a_list_is_an_error_of_ours(registry: MemoryRegistry) -> None:
    odd = [
        "",
        "#",
        "\ud800",
        "uri-gin/\ud800",
        "\x00",
        "http://",
        "http://[/",
        "uri-gin/azgs/%",
        "//a/b#\ud800",
    ]

    items = look_up(registry, *odd)

    assert [each["uri"] for each in items] == odd
    assert {each["status"] for each in items} <= {400, 404}


@pytest.mark.parametrize(
    ("path", "methods"), [("/resolve", "GET, HEAD, POST, OPTIONS"), (f"/explain/{MAP}", "GET, HEAD, OPTIONS")]
)
def test_a_script_of_another_origin_is_told_what_it_may_do(
    registry: MemoryRegistry, path: str, methods: str
) -> None:
    options, deleted = ask(registry, path, "OPTIONS"), ask(registry, path, "DELETE")

    assert (options.status, deleted.status) == (204, 405)
    assert options.headers["Access-Control-Allow-Methods"] == methods
    assert deleted.headers["Allow"] == methods
    assert "Content-Type" in options.headers["Access-Control-Allow-Headers"] or path != "/resolve"


@pytest.mark.parametrize("path", ["/resolve", f"/explain/{MAP}"])
def test_a_registry_that_is_away_says_when_to_ask_again(path: str) -> None:
    answered = ask(Away(), path, "POST" if path == "/resolve" else "GET", body=json.dumps([MAP]))

    assert answered.status == 503
    assert answered.headers["Retry-After"] == "7"


def test_the_interface_is_described_where_it_is(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/openapi.json")

    assert answered.status == 200
    assert told(answered)["openapi"] == "3.1.0"


class Away:
    """A registry that does not answer."""

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        raise RegistryUnavailable(f"asked for {len(names)}", retry_after=7)

    def near(self, folded: str) -> Sequence[str]:
        raise RegistryUnavailable(f"asked for {folded}", retry_after=7)
