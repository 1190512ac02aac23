"""Do the service's own paths get the right answer: explanations, look-ups, the interface?"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.registry.ports import NearNameReader
from ginuri.resolution.finder import Mapper, RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
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


def ask(  # noqa: PLR0913  the parts of a request
    reader: NearNameReader,
    path: str,
    method: str = "GET",
    *,
    uri: str | None = None,
    body: str | None = None,
    headers: Mapping[str, str] | None = None,
    mapper: Mapper = map,
    query: Mapping[str, str] | None = None,
) -> Answer:
    event = rest_event(path, method, {"Host": HOST, **(headers or {})}, query)
    if uri is not None:
        event |= {"queryStringParameters": {"uri": uri}, "multiValueQueryStringParameters": {"uri": [uri]}}
    answers = DescriptionResponses(DescriptionWriter().write)
    finder = RememberingFinder(reader, time.monotonic, mapper)
    answered = answer(
        read_request(event | {"body": body}),
        Collaborators(finder, reader, MemoryRegistry(), answers, HOST),
    )
    return Answer(write_gateway(answered.response, method))


def told(answer: Answer) -> Any:
    assert answer.headers["Content-Type"] == "application/json"
    return json.loads(answer.content)


def look_up(reader: NearNameReader, *uris: str) -> list[dict[str, Any]]:
    listed = told(ask(reader, "/resolve", "POST", body=json.dumps(uris)))
    assert isinstance(listed, list)
    return listed


def steps(explanation: Mapping[str, Any]) -> dict[str, Any]:
    return {each["step"]: each["result"] for each in explanation["steps"]}


def test_an_explanation_describes_the_decision_instead_of_executing_it(registry: MemoryRegistry) -> None:
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


def test_a_list_marks_the_names_that_another_host_answers_for(registry: MemoryRegistry) -> None:
    register(registry, "uri-gin/azgs/doc/", delegation={"answered_by": "maps.example.org"})

    there, here = look_up(registry, MAP, "uri-gin/azgs/")

    assert (there["status"], there["location"]) == (307, f"http://maps.example.org/{MAP}")
    assert here["status"] == 303


def test_an_explanation_lists_its_steps_in_order(registry: MemoryRegistry) -> None:
    headers = {
        "Accept": "image/tiff;q=0.7",
        "Accept-Language": "de, en;q=0.5",
        "Accept-Profile": "<urn:b>;q=0, <urn:a>;q=0.5, <urn:a>;q=0.1",
    }

    explanation = told(ask(registry, f"/explain/{MAP}", headers=headers))

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
        "profiles": [{"profile": "urn:a", "q": 0.5}, {"profile": "urn:b", "q": 0.0}],
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


def test_a_browser_gets_an_explanation_as_a_page(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/explain/{MAP}", headers={"Accept": "text/html, <script>/*;q=0.9"})

    page = answered.content.decode()
    assert answered.status == 200
    assert answered.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<h1>Why this answer</h1>" in page
    assert "<script>" not in page


@pytest.mark.parametrize("path", ["/explain", "/explain/"])
def test_an_explanation_without_an_identifier_is_400_with_advice(registry: MemoryRegistry, path: str) -> None:
    answered = ask(registry, path)

    assert answered.status == 400
    assert answered.problem["detail"]


@pytest.mark.parametrize(
    ("name", "outcome", "status", "rule"),
    [
        ("uri-gin/azgs//", "Malformed", 400, "segment-nz"),
        ("uri_gin/azgs/", "NoSuchScheme", 404, "URIscheme"),
        ("http://", "Malformed", 400, "uriHost"),
    ],
)
def test_a_malformed_identifier_is_explained_by_the_step_that_failed(
    registry: MemoryRegistry, name: str, outcome: str, status: int, rule: str
) -> None:
    answered = ask(registry, f"/explain/{name}")

    explanation = told(answered)
    assert answered.status == 200
    assert (explanation["outcome"], explanation["status"]) == (outcome, status)
    assert (explanation["uri"], explanation["identifier"], explanation["location"]) == (None, None, None)
    assert [each["step"] for each in explanation["steps"]] == ["parse", "decide"]
    assert steps(explanation)["parse"]["written"] == name
    assert steps(explanation)["parse"]["rule"] == rule
    assert steps(explanation)["parse"]["failed"]


def test_a_malformed_identifier_is_explained_on_a_page(registry: MemoryRegistry) -> None:
    headers = {"Accept": "text/html", "Accept-Language": "es"}

    page = ask(registry, "/explain/uri-gin/%3Cb%3E//", headers=headers).content.decode()

    assert "uri-gin/%3Cb%3E//" in page
    assert "El identificador no es válido." in page


def test_a_name_bound_to_an_unregistered_host_is_explained(registry: MemoryRegistry) -> None:
    for name in ("doi/10.1", "http://evil.example/x", "http://evil.example/%61"):
        explanation = told(ask(registry, f"/explain/{name}"))

        assert (explanation["outcome"], explanation["status"]) == ("NoSuchHost", 404)
        assert explanation["location"] is None


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
        (f"{MAP}#a b%20c%é\r\nSet-Cookie: x", f"/{MAP}#a%20b%20c%25%C3%A9Set-Cookie:%20x"),
        (f"{MAP}#a\0b", f"/{MAP}#a%00b"),
        (f"http://{HOST}/", "/"),
        (f"https://{HOST.upper()}.:443", "/"),
        ("http://purl.example.org/", "http://purl.example.org/"),
        ("http://purl.example.org/net/%61#b", "http://purl.example.org/net/a#b"),
        ("//purl.example.org.//net", "http://purl.example.org//net"),
    ],
)
def test_an_identifier_in_any_form_leads_to_its_path_with_fragment(
    registry: MemoryRegistry, uri: str, location: str
) -> None:
    register(registry, "//purl.example.org/", record="host")

    answered = ask(registry, "/resolve", uri=uri)

    assert answered.status == 302
    assert answered.headers["Location"] == location
    assert answered.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "uri", ["doi:10.1/%", "ftp://a.example/uri-gin/azgs/", "uri-gin/azgs//", "nothing", "#a"]
)
def test_text_without_an_identifier_is_400_with_advice(registry: MemoryRegistry, uri: str) -> None:
    answered = ask(registry, "/resolve", uri=uri)

    assert answered.status == 400
    assert answered.problem["detail"]


@pytest.mark.parametrize(
    "uri", ["http://evil.example/phish", "//evil.example/phish", "http://evil.example/", f"//{HOST}/a%2Db"]
)
@pytest.mark.parametrize("host", [HOST, "evil.example.org"])
def test_the_list_service_leads_to_no_unregistered_host(
    registry: MemoryRegistry, uri: str, host: str
) -> None:
    answered = ask(registry, "/resolve", uri=uri, headers={"Host": host})

    assert (answered.status, "Location" in answered.headers) == (404, False)
    assert "which is not registered here" in answered.problem["detail"]
    assert [each["href"] for each in answered.problem["advice"]] == ["/"]


@pytest.mark.parametrize("path", ["timemap", "about", "members", "uri-res/N2L", "uri-res/N2R"])
@pytest.mark.parametrize("name", ["%61", "authority/x/", "net/registry/x"])
def test_no_service_redirects_to_an_unregistered_host(registry: MemoryRegistry, path: str, name: str) -> None:
    uri = f"http://evil.example/{name}"
    query = {uri: ""} if path.startswith("uri-res") else None

    answered = ask(registry, f"/{path}" if query else f"/{path}/{uri}", query=query)

    assert "evil" not in answered.headers.get("Location", "").removeprefix(f"/{path}/http://evil")
    assert answered.status in {301, 404}


@pytest.mark.parametrize("service", ["N2L", "N2Ls", "N2R", "N2Rs", "N2C", "N2Ns"])
def test_an_escaped_host_is_not_another_spelling_of_a_registered_one(
    registry: MemoryRegistry, service: str
) -> None:
    register(registry, "//purl.example.org/", record="host")
    register(registry, "//purl.example.org/net/", title={"en": "A thing"})

    answered = ask(registry, f"/uri-res/{service}", query={"//purl.ex%61mple.org/net/": ""})

    assert (answered.status, "Location" in answered.headers) == (404, False)


@pytest.mark.parametrize(
    "uri",
    [
        f"<{MAP}>",
        f"<URL:http://a.example/{MAP}>",
        f"<URL: {MAP} >",
        f" “http://a.example./{MAP}” ",
        f'"{MAP}"',
        f"'{MAP}'",
        f"url:{MAP[:20]}\r\n    {MAP[20:]}\n",
        f"http://a.example.:8080/{MAP}",
    ],
)
def test_services_accept_identifiers_in_wrappers(registry: MemoryRegistry, uri: str) -> None:
    answered = ask(registry, "/resolve", uri=uri)
    (item,) = look_up(registry, uri)

    assert (answered.status, answered.headers["Location"]) == (302, f"/{MAP}")
    assert (item["uri"], item["identifier"], item["status"]) == (uri, MAP, 303)


@pytest.mark.parametrize("path", ["about.json", "explain", "members.json", "timemap"])
@pytest.mark.parametrize(
    "name", ["uri-gin/azgs/doc/act", "http://resources.example.org/uri-gin/azgs/doc/act"]
)
def test_an_identifier_may_be_escaped_as_a_whole_below_service_paths(
    versions: MemoryRegistry, path: str, name: str
) -> None:
    whole, plain = (
        ask(versions, f"/{path}/{written}", headers={"Accept": "application/json"})
        for written in (quote(name, safe=""), name)
    )

    assert (whole.status, plain.status) == (200, 200)
    assert whole.content == plain.content


def test_an_escaped_slash_within_an_identifier_does_not_divide_it(registry: MemoryRegistry) -> None:
    register(registry, "uri-gin/azgs/a%2Fb", title={"en": "With a slash"})

    whole = ask(registry, f"/about.json/{quote('uri-gin/azgs/a%2Fb', safe='')}")
    plain = ask(registry, "/about.json/uri-gin/azgs/a%2Fb")
    divided = ask(registry, "/about.json/uri-gin/azgs/a/b")

    assert (whole.status, plain.status, divided.status) == (200, 200, 302)
    assert divided.headers["Location"] == "/about.json/uri-gin/azgs/a%2Fb"
    assert whole.content == plain.content


@pytest.mark.parametrize("uri", [None, "", " ", "<>", "URL:", "<URL: >"])
def test_a_request_without_an_identifier_gets_an_example(registry: MemoryRegistry, uri: str | None) -> None:
    answered = ask(registry, "/resolve", uri=uri)

    assert answered.status == 400
    assert "/resolve?uri=" in answered.problem["detail"]


@pytest.mark.parametrize("uri", [None, "", " "])
@pytest.mark.parametrize(
    ("language", "heading"), [("en", "Resolve an identifier"), ("es", "Resolver un identificador")]
)
def test_a_browser_without_an_identifier_gets_a_form(
    registry: MemoryRegistry, uri: str | None, language: str, heading: str
) -> None:
    headers = {"Accept": "text/html", "Accept-Language": language}
    answered = ask(registry, "/resolve", uri=uri, headers=headers)
    page = answered.content.decode()

    assert (answered.status, answered.headers["Content-Language"]) == (200, language)
    assert f"<h1>{heading}</h1>" in page
    assert '<form class="search" action="/resolve" method="get">' in page
    # A browser applies the policy also to the final target of the answer's redirects.
    assert "form-action 'self' http: https:;" in answered.headers["Content-Security-Policy"]
    assert answered.headers["Vary"] == "Accept, Accept-Language, Accept-Profile"


def test_a_browser_with_a_malformed_identifier_gets_no_form(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/resolve", uri="uri-gin//", headers={"Accept": "text/html"})

    assert answered.status == 400
    assert b'action="/resolve"' not in answered.content


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


def test_a_list_may_be_inside_an_object(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/resolve", "POST", body=json.dumps({"uris": [MAP, MAP]}))

    assert [each["identifier"] for each in told(answered)] == [MAP, MAP]
    assert answered.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "media_type",
    ["text/csv", "application/x-www-form-urlencoded", "application/jsonl", "text/json", "?", "a/b;c=d"],
)
def test_a_list_of_another_media_type_is_refused_with_the_accepted_one(
    registry: MemoryRegistry, media_type: str
) -> None:
    answered = ask(registry, "/resolve", "POST", body=json.dumps([MAP]), headers={"content-type": media_type})

    assert (answered.status, answered.headers["Accept-Post"]) == (415, "application/json")
    assert answered.headers["Cache-Control"] == "no-store"
    assert media_type.partition(";")[0] in answered.problem["detail"]


@pytest.mark.parametrize(
    "media_type", ["application/json", "Application/JSON; charset=UTF-8", " application/json ;q=1", ""]
)
def test_a_list_in_json_is_read(registry: MemoryRegistry, media_type: str) -> None:
    headers = {"Content-Type": media_type}

    assert ask(registry, "/resolve", "POST", body=json.dumps([MAP]), headers=headers).status == 200


def test_the_media_type_of_a_list_is_refused_before_it_is_parsed(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/resolve", "POST", body="x" * 600_000, headers={"Content-Type": "text/csv"})

    assert answered.status == 415


def test_the_options_of_resolve_name_the_accepted_media_type(registry: MemoryRegistry) -> None:
    assert ask(registry, "/resolve", "OPTIONS").headers["Accept-Post"] == "application/json"


def test_a_hundred_identifiers_are_read_in_the_fewest_calls(registry: MemoryRegistry) -> None:
    wells = [f"uri-gin/azgs/well/{number}/" for number in range(96)]
    for well in wells:
        register(registry, well, title={"en": "A well"})
    before = registry.calls

    items = look_up(registry, *wells)

    assert [each["status"] for each in items] == [303] * 96
    assert registry.calls - before == 1


def test_an_unregistered_identifier_takes_one_call_for_each_similar_name(registry: MemoryRegistry) -> None:
    before = registry.calls

    look_up(registry, MAP, "uri-gin/azgs/nothing/", "uri-gin/azgs/Nothing", "uri-gin/azgs/neither/")

    assert registry.calls - before == 1 + 2


@pytest.mark.parametrize("other", [MAP.rstrip("/"), MAP.replace("azgs", "AZGS")])
def test_another_spelling_in_a_list_gets_the_answer_of_a_get(registry: MemoryRegistry, other: str) -> None:
    (item,) = look_up(registry, f"{other}#p2")

    assert (item["status"], item["outcome"]) == (302, "WrittenOtherwise")
    assert item["location"] == f"/{MAP}#p2"


def test_a_lists_language_counts_for_its_items_and_its_accept_header_not(
    registry: MemoryRegistry,
) -> None:
    document = "uri-gin/azgs/doc/guide"
    forms = [
        {"part": f".{tag}", "media_type": "text/html", "language": tag, "location": "https://a.b/"}
        for tag in ("en", "de")
    ]
    register(registry, document, representations=forms)
    headers = {"Accept": "application/json", "Accept-Language": "de"}

    answered = ask(registry, "/resolve", "POST", body=json.dumps([document]), headers=headers)

    assert [(each["status"], each["location"]) for each in told(answered)] == [(302, f"/{document}.de")]
    assert "Accept-Language" in answered.headers["Vary"]


def test_the_profile_of_a_list_counts_for_its_items(registry: MemoryRegistry) -> None:
    document = "uri-gin/azgs/doc/data"
    forms = [
        {"part": f".{name}", "media_type": "text/xml", "profile": f"urn:{name}", "location": "https://a.b/"}
        for name in ("x", "y")
    ]
    register(registry, document, representations=forms)
    headers = {"Accept-Profile": "<urn:y>"}

    answered = ask(registry, "/resolve", "POST", body=json.dumps([document]), headers=headers)

    assert [each["location"] for each in told(answered)] == [f"/{document}.y"]


@pytest.mark.parametrize("threads", [1, 8])
def test_a_registry_that_fails_half_way_leaves_no_partial_list(
    registry: MemoryRegistry, threads: int
) -> None:
    body = json.dumps([MAP, *(f"uri-gin/azgs/nothing/{number}/" for number in range(20))])

    with ThreadPoolExecutor(threads) as pool:
        answered = ask(Leaving(registry, after=10), "/resolve", "POST", body=body, mapper=pool.map)

    assert answered.status == 503
    assert answered.headers["Retry-After"] == "7"


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
def test_an_exceeded_limit_is_named(registry: MemoryRegistry, body: str | None, status: int) -> None:
    answered = ask(registry, "/resolve", "POST", body=body)

    assert answered.status == status
    assert answered.problem["status"] == status


def test_no_text_in_a_list_causes_a_server_error(registry: MemoryRegistry) -> None:
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
def test_a_script_of_another_origin_gets_the_allowed_methods(
    registry: MemoryRegistry, path: str, methods: str
) -> None:
    options, deleted = ask(registry, path, "OPTIONS"), ask(registry, path, "DELETE")

    assert (options.status, deleted.status) == (204, 405)
    assert options.headers["Access-Control-Allow-Methods"] == methods
    assert deleted.headers["Allow"] == methods
    assert "Content-Type" in options.headers["Access-Control-Allow-Headers"] or path != "/resolve"


@pytest.mark.parametrize("path", ["/resolve", f"/explain/{MAP}"])
def test_services_without_a_registry_have_retry_after(path: str) -> None:
    answered = ask(Away(), path, "POST" if path == "/resolve" else "GET", body=json.dumps([MAP]))

    assert answered.status == 503
    assert answered.headers["Retry-After"] == "7"


def test_the_interface_is_served_as_openapi_json(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/openapi.json")

    assert answered.status == 200
    assert told(answered)["openapi"] == "3.1.0"


class Leaving:
    """A registry that fails after some queries about other spellings."""

    def __init__(self, registry: MemoryRegistry, after: int) -> None:
        self._registry = registry
        self._left = iter(range(after))

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        return self._registry.fetch(names)

    def near(self, folded: str) -> Sequence[str]:
        if next(self._left, None) is None:
            raise RegistryUnavailable(f"asked for {folded}", retry_after=7)
        return self._registry.near(folded)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        return self._registry.beside(container, name, is_after=is_after)


class Away:
    """A registry that does not answer."""

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        raise RegistryUnavailable(f"asked for {len(names)}", retry_after=7)

    def near(self, folded: str) -> Sequence[str]:
        raise RegistryUnavailable(f"asked for {folded}", retry_after=7)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        raise RegistryUnavailable(f"asked for {name} in {container}: {is_after}", retry_after=7)


# -- TimeMaps

ACT = "uri-gin/azgs/doc/act"
LINKS, LINK_FORMAT = "link", "application/link-format"


@pytest.fixture
def versions(registry: MemoryRegistry) -> MemoryRegistry:
    """The registry with an act with two known versions, and a map with a stored one."""
    forms = [
        {"media_type": "text/html", "location": f"https://example.org/{day}", "valid_from": day}
        for day in ("1991-02-01", "1997-06-01", "prospective")
    ]
    register(registry, ACT, title={"en": "The act"}, representations=forms)
    stored = {"media_type": "image/tiff", "file": {**FILE, "length": 11}, "valid_from": "1980-01-01"}
    register(registry, "uri-gin/azgs/doc/chart/", representations=[stored])
    return registry


def test_a_timemap_lists_the_original_itself_and_every_version_with_its_moment(
    versions: MemoryRegistry,
) -> None:
    answered = ask(versions, f"/timemap/{ACT}")

    assert (answered.status, answered.headers["Content-Type"]) == (200, LINK_FORMAT)
    assert answered.headers["Content-Location"] == f"/timemap.link/{ACT}"
    assert answered.headers["Vary"] == "Accept"
    assert answered.content.decode() == (
        f'<http://{HOST}/{ACT}>; rel="original timegate",\n'
        f'<http://{HOST}/timemap.link/{ACT}>; rel="self"; type="application/link-format"; '
        'from="Fri, 01 Feb 1991 00:00:00 GMT"; until="Sun, 01 Jun 1997 00:00:00 GMT",\n'
        f'<http://{HOST}/{ACT}/1991-02-01>; rel="first memento"; datetime="Fri, 01 Feb 1991 00:00:00 GMT",\n'
        f'<http://{HOST}/{ACT}/1997-06-01>; rel="last memento"; datetime="Sun, 01 Jun 1997 00:00:00 GMT"\n'
    )
    assert ask(versions, f"/timemap.link/{ACT}").content == answered.content


@pytest.mark.parametrize("accept", ["application/json", "application/json, application/link-format;q=0.5"])
def test_a_timemap_is_available_as_json(versions: MemoryRegistry, accept: str) -> None:
    answered = ask(versions, f"/timemap/{ACT}", headers={"Accept": accept})

    mementos = told(answered)["mementos"]
    assert mementos["list"] == [
        {"datetime": "1991-02-01T00:00:00Z", "uri": f"http://{HOST}/{ACT}/1991-02-01"},
        {"datetime": "1997-06-01T00:00:00Z", "uri": f"http://{HOST}/{ACT}/1997-06-01"},
    ]
    assert (mementos["first"], mementos["last"]) == (mementos["list"][0], mementos["list"][1])
    assert told(answered)["original_uri"] == told(answered)["timegate_uri"] == f"http://{HOST}/{ACT}"
    assert ask(versions, f"/timemap.json/{ACT}").content == answered.content
    assert ask(versions, f"/timemap.json/{ACT}", headers={"Accept": LINK_FORMAT}).content == answered.content


def test_the_timemap_of_a_thing_names_its_timegate(versions: MemoryRegistry) -> None:
    thing = f"http://{HOST}/uri-gin/azgs/doc/chart/"
    answered = ask(versions, "/timemap.link/uri-gin/azgs/doc/chart/").content.decode()

    assert answered.startswith(f'<{thing}>; rel="original",\n<{thing}current>; rel="timegate",\n')
    assert 'rel="first last memento"' in answered


@pytest.mark.parametrize("name", ["1997-06-01", "1995-01-01", "current"])
@pytest.mark.parametrize("form", ["timemap", "timemap.json"])
def test_the_timemap_of_a_version_is_the_one_of_all(versions: MemoryRegistry, form: str, name: str) -> None:
    answered = ask(versions, f"/{form}/{ACT}/{name}")

    assert (answered.status, answered.headers["Location"]) == (302, f"/{form}/{ACT}")


@pytest.mark.parametrize("form", ["timemap", "timemap.json"])
def test_the_timemap_of_another_spelling_is_that_of_the_normal_form(
    versions: MemoryRegistry, form: str
) -> None:
    answered = ask(versions, f"/{form}/{ACT.replace('a', '%61')}")

    assert (answered.status, answered.headers["Location"]) == (301, f"/{form}/{ACT}")


@pytest.mark.parametrize("written", [ACT.upper().replace("URI-GIN", "uri-gin"), f"{ACT}/"])
def test_the_timemap_of_another_spelling_redirects_to_the_registered_one(
    versions: MemoryRegistry, written: str
) -> None:
    answered = ask(versions, f"/timemap.json/{written}")

    assert (answered.status, answered.headers["Location"]) == (302, f"/timemap.json/{ACT}")


def test_the_timemap_of_another_case_is_that_of_the_normal_one(versions: MemoryRegistry) -> None:
    register(versions, "info:doi/", record="namespace", case="upper")

    answered = ask(versions, "/timemap/info:doi/10.1/a")

    assert (answered.status, answered.headers["Location"]) == (301, "/timemap/info:doi/10.1/A")


@pytest.mark.parametrize(
    ("path", "query", "location"),
    [
        ("/about/uri-gin/%61zgs/", {"a": "b"}, "/about/uri-gin/azgs/?a=b"),
        (
            "/members/uri-gin/%61zgs/",
            {"after": "uri-gin/azgs/x"},
            "/members/uri-gin/azgs/?after=uri-gin/azgs/x",
        ),
        ("/members/info:doi/10.1/a", {"after": "info:doi/1"}, "/members/info:doi/10.1/A?after=info:doi/1"),
    ],
)
def test_the_query_is_kept_on_the_way_to_the_normal_form(
    versions: MemoryRegistry, path: str, query: Mapping[str, str], location: str
) -> None:
    register(versions, "info:doi/", record="namespace", case="upper")

    answered = ask(versions, path, query=query)

    assert (answered.status, answered.headers["Location"]) == (301, location)


def test_an_explanation_shows_where_the_query_goes(registry: MemoryRegistry) -> None:
    explained = told(ask(registry, f"/explain/{MAP.replace('a', '%61')}", query={"a": "b"}))

    assert (explained["status"], explained["location"]) == (301, f"/{MAP}?a=b")


@pytest.mark.parametrize(
    ("path", "status"),
    [(MAP, 404), ("uri-gin/azgs/", 404), ("uri-gin/azgs/nothing", 404), ("uri-gin/azgs//", 400)],
)
def test_an_identifier_without_versions_has_no_timemap(
    versions: MemoryRegistry, path: str, status: int
) -> None:
    answered = ask(versions, f"/timemap/{path}", headers={"Accept": LINK_FORMAT})

    assert answered.status == status
    assert answered.problem["detail"]


def test_a_version_is_explained_and_looked_up_like_any_name(versions: MemoryRegistry) -> None:
    explained = told(ask(versions, f"/explain/{ACT}/1997-06-01"))
    then = told(
        ask(versions, f"/explain/{ACT}", headers={"Accept-Datetime": "Fri, 01 Mar 1991 00:00:00 GMT"})
    )
    listed = told(ask(versions, "/resolve", "POST", body=json.dumps([ACT, f"{ACT}/original"])))
    long_ago = {"Accept-Datetime": "Fri, 01 Mar 1991 00:00:00 GMT"}
    past = told(ask(versions, "/resolve", "POST", body=json.dumps([ACT]), headers=long_ago))

    assert (explained["status"], explained["location"]) == (302, "https://example.org/1997-06-01")
    assert then["location"] == f"/{ACT}/1991-02-01"
    assert [each["location"] for each in listed] == [f"/{ACT}/1997-06-01", f"/{ACT}/1991-02-01"]
    assert [each["location"] for each in past] == [f"/{ACT}/1991-02-01"]


def test_a_version_is_described_by_its_document(versions: MemoryRegistry) -> None:
    answered = ask(versions, f"/about.json/{ACT}/1997-06-01")
    page = ask(versions, f"/about.html/{ACT}").content.decode()

    assert (answered.status, answered.headers["Location"]) == (303, f"/about.json/{ACT}")
    assert f'<a href="/{ACT}/1997-06-01">1 June 1997</a>' in page
    assert told(ask(versions, f"/about.json/{ACT}"))["representations"][0]["valid_from"] == "1991-02-01"
    stored = told(ask(versions, "/about.json/uri-gin/azgs/doc/chart/"))["representations"]
    assert stored[0]["uri"] == f"http://{HOST}/uri-gin/azgs/doc/chart/1980-01-01"


def test_a_linkset_links_every_version(versions: MemoryRegistry) -> None:
    document = json.loads(ask(versions, f"/about.linkset/{ACT}").content)

    [own] = [each for each in document["linkset"] if each["anchor"] == f"http://{HOST}/{ACT}"]
    assert [each["href"] for each in own["memento"]] == [
        f"http://{HOST}/{ACT}/{day}" for day in ("1991-02-01", "1997-06-01")
    ]
    assert own["first"] == [own["memento"][0]]
    assert own["memento"][0]["datetime"] == ["Fri, 01 Feb 1991 00:00:00 GMT"]
    assert [each["href"] for each in own["timegate"]] == [f"http://{HOST}/{ACT}"]
    assert len(own["timemap"]) == 2


@pytest.mark.parametrize("path", ["/resolve", "/explain/uri-gin/azgs/x"])
def test_a_page_shows_no_control_character_of_its_address(registry: MemoryRegistry, path: str) -> None:
    query = {"uri": "uri-gin/azgs/\x00\x9b", "Accept": "\x1b[2J", "title": "\x07"}

    page = ask(registry, path, query=query, headers={"Accept": "text/html"})

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", page.content.decode())
