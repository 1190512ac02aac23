"""The whole stack behind its edge: no client gets another's answer, and none bypasses the edge."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

import httpx
import pytest

from infra.bench.edge import read_clients
from infra.local import EXAMPLES
from infra.local.serve import welcome
from infra.local.stack import Options, Stack, local_stack
from infra.local.uploads import upload_folder

PURLS = "purl.example.org"
DATA = "data.example.net"
ARGUMENTS = {
    "_host": {"record": "host", "identifier": f"http://{DATA}/", "title": "Data",
        "query_arguments": {"_mediatype": "media_type", "_profile": {"dcat": "http://www.w3.org/ns/dcat"}}},
    DATA: {"identifier": f"http://{DATA}/set/", "title": "A set", "representations": [
        {"media_type": "text/html", "location": "https://data.example/page"},
        {"media_type": "application/ld+json", "location": "https://data.example/jsonld"},
        {"media_type": "application/ld+json", "location": "https://data.example/dcat",
         "profile": "http://www.w3.org/ns/dcat"}]},
}  # fmt: skip
"""A host with query arguments, and a thing on it, by folder."""
PATHS = [
    ("", "/"),
    ("", "/uri-gin/azgs/"),
    ("", "/uri-gin/azgs/person/StephenRichard/"),
    ("", "/uri-gin/azgs/none"),
    ("", "/uri-gin//"),
    ("", "/uri-gin/%61zgs/"),
    ("", "/about/uri-gin/azgs/"),
    ("", "/about.ttl/uri-gin/azgs/"),
    ("", "/members/uri-gin/azgs/"),
    ("", "/explain/uri-gin/azgs/"),
    ("", "/resolve?uri=http%3A%2F%2Fresources.usgin.org%2Furi-gin%2Fazgs%2F"),
    ("", "/uri-res/N2L?urn:cgi:feature:x"),
    ("", "/uri-res/N2C?uri-gin/azgs/"),
    (PURLS, "/"),
    (PURLS, "/net/none"),
    ("www.legislation.gov.uk", "/id/ukpga/1998/42"),
    ("www.legislation.gov.uk", "/ukpga/1998/42"),
]
FOLDERS = ("_host", "uri-gin/azgs", "purl.example.org", "www.legislation.gov.uk")
"""The examples behind those paths."""
PAIRS = 200
"""The number of requested pairs of a path and a client."""
OWN = {"age", "date", "via", "x-cache"}
"""Headers of the edge itself, and the server's date."""


class Clock:
    """The seconds that a test skips."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def edged(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Stack]:
    """The stack with some of the examples, behind its edge."""
    options = Options(logs=tmp_path_factory.mktemp("logs"), edge=True, clock=clock)
    uploads = tmp_path_factory.mktemp("uploads")
    for folder in FOLDERS:
        shutil.copytree(EXAMPLES / folder, uploads / folder)
    for folder, line in ARGUMENTS.items():
        (uploads / folder).mkdir(exist_ok=True)
        (uploads / folder / "arguments.jsonl").write_text(json.dumps(line), encoding="utf-8")
    with local_stack(options) as running:
        upload_folder(running, uploads, EXAMPLES, lambda _: None)
        yield running


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=30) as client:
        for name in ("Accept", "Accept-Encoding", "User-Agent"):
            del client.headers[name]
        yield client


@pytest.fixture(scope="module")
def clients() -> list[dict[str, str]]:
    """The usual headers of clients."""
    return [dict(headers) for headers in dict.fromkeys(client.headers for client in read_clients())]


def _ask(
    http: httpx.Client, stack: Stack, host: str, path: str, headers: Mapping[str, str]
) -> httpx.Response:
    return http.get(f"{stack.service}{path}", headers={**headers, **({"Host": host} if host else {})})


def _ask_gateway(
    http: httpx.Client, stack: Stack, host: str, path: str, headers: Mapping[str, str]
) -> httpx.Response:
    """Send a request as an edge without cache and without rewriting would."""
    sent = {"Referer": stack.referer, "X-Ginuri-Edge": stack.referer, "CloudFront-Forwarded-Proto": "http"}
    sent["X-Ginuri-Host"] = host or stack.service.partition("//")[2]
    _, _, query = path.partition("?")
    if query:
        sent["X-Ginuri-Query"] = query
    return http.get(f"{stack.gateway}{path}", headers={**headers, **sent})


def _ask_without_query(
    http: httpx.Client, stack: Stack, host: str, path: str, headers: Mapping[str, str]
) -> httpx.Response:
    """Send a request as an edge that does not pass on the query as sent: the gateway decodes it."""
    sent = {"Referer": stack.referer, "X-Ginuri-Edge": stack.referer, "X-Ginuri-Host": host}
    return http.get(f"{stack.gateway}{path}", headers={**headers, **sent})


def _seen(answer: httpx.Response) -> tuple[int, Mapping[str, str], bytes]:
    return (
        answer.status_code,
        {name: value for name, value in answer.headers.items() if name not in OWN},
        answer.content,
    )


def test_clients_never_get_an_answer_to_another_request(
    edged: Stack, http: httpx.Client, clock: Clock, clients: Sequence[Mapping[str, str]]
) -> None:
    random, hits = Random(17), 0  # noqa: S311  a sample and an order, no secret
    asked = random.sample([(*place, client) for place in PATHS for client in clients], PAIRS)
    expected = [_seen(_ask_gateway(http, edged, *each)) for each in asked]

    for _ in range(2):
        for place in random.sample(range(len(asked)), len(asked)):
            clock.now += random.choice([0, 0, 0, 0.2, 3])
            answer = _ask(http, edged, *asked[place])
            hits += answer.headers["x-cache"].startswith("Hit")
            assert _seen(answer) == expected[place], asked[place]

    assert {path for _, path, _ in asked} == {path for _, path in PATHS}
    assert all(any(client is sent for _, _, sent in asked) for client in clients)
    assert {status for status, _, _ in expected} >= {200, 301, 302, 303, 400, 404}
    assert 0.1 < hits / (2 * len(asked)) < 0.9, "neither warm nor cold"


def test_equivalent_preferences_share_an_answer_and_others_do_not(
    edged: Stack, http: httpx.Client, clock: Clock
) -> None:
    clock.now += 1000
    path = "/about/uri-gin/azgs/"
    marks = [
        _ask(http, edged, "", path, {"Accept": accept, "Accept-Language": language})
        .headers["x-cache"]
        .split()[0]
        for accept, language in [
            ("text/turtle, text/html;q=0.5", "es, en;q=0.5"),
            ("TEXT/html;q=.50,text/turtle;q=1.0", "EN;q=.5,es"),
            ("text/turtle, text/html;q=0.6", "es, en;q=0.5"),
            ("text/turtle, text/html;q=0.5", "es, en;q=0.6"),
        ]
    ]

    assert marks == ["Miss", "Hit", "Miss", "Miss"]


@pytest.mark.parametrize("door", [_ask, _ask_without_query])
def test_query_arguments_choose_through_the_edge_and_at_the_gateway(
    edged: Stack, http: httpx.Client, door: Callable[..., httpx.Response]
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    queries = ("", "?_mediatype=application/ld+json", "?_profile=dcat", "?_mediatype=image/png")

    answers = [door(http, edged, DATA, f"/set/{query}", browser) for query in queries]

    assert [answer.headers.get("location") for answer in answers] == [
        *(f"https://data.example/{name}" for name in ("page", "jsonld", "dcat")),
        None,
    ]
    assert answers[-1].status_code == 406


def test_every_client_gets_the_form_of_its_query(
    edged: Stack, http: httpx.Client, clients: Sequence[Mapping[str, str]]
) -> None:
    queries = {
        "?_mediatype=application/ld+json": "jsonld",
        "?_profile=dcat&_mediatype=application/ld+json": "dcat",
    }

    given = [
        (name, _ask(http, edged, DATA, f"/set/{query}", client).headers.get("location"))
        for client in clients
        for query, name in queries.items()
        if "accept-profile" not in client
    ]

    assert given == [(name, f"https://data.example/{name}") for name, _ in given]


def test_answers_are_cached_a_minute_at_most_and_404s_half_a_minute(
    edged: Stack, http: httpx.Client, clock: Clock
) -> None:
    clock.now += 1000
    marks: dict[str, list[str]] = {}
    for path in ("/uri-gin/azgs/", "/uri-gin/azgs/none", "/explain/uri-gin/azgs/"):
        start, marks[path] = clock.now, []
        for later in (0, 29, 30, 59, 60):
            clock.now = start + later
            marks[path].append(_ask(http, edged, "", path, {}).headers["x-cache"].split()[0])

    assert marks == {
        "/uri-gin/azgs/": ["Miss", "Hit", "Hit", "Hit", "Miss"],
        "/uri-gin/azgs/none": ["Error", "Hit", "Error", "Hit", "Error"],
        "/explain/uri-gin/azgs/": ["Miss"] * 5,
    }


def test_the_command_past_the_edge_is_printed(edged: Stack) -> None:
    [command] = [line.strip() for line in welcome(edged, "gin_token").splitlines() if edged.gateway in line]

    asked = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)  # noqa: S603  the printed line

    assert asked.stdout.startswith("HTTP/1.1 303 ")
    assert "x-cache" not in asked.stdout


@pytest.mark.parametrize("sent", [{}, {"Referer": ""}, {"Referer": "https://example.org/"}])
def test_the_gateway_refuses_requests_without_the_secret(
    edged: Stack, http: httpx.Client, sent: Mapping[str, str]
) -> None:
    assert http.get(f"{edged.gateway}/uri-gin/", headers=sent).status_code == 403


def test_the_gateway_accepts_both_generations_of_the_secret(edged: Stack, http: httpx.Client) -> None:
    secrets = _secrets(edged)

    assert edged.referer in secrets
    assert len(secrets) == 2
    for secret in secrets:
        headers = {"Referer": secret, "X-Ginuri-Edge": secret, "X-Ginuri-Host": PURLS}
        assert http.get(f"{edged.gateway}/about.json", headers=headers).json()["uri"] == f"http://{PURLS}/"


def test_a_client_can_neither_impersonate_the_edge_nor_override_the_method(
    edged: Stack, http: httpx.Client, clock: Clock
) -> None:
    clock.now += 1000
    forged = {
        "X-Ginuri-Host": PURLS,
        "X-Ginuri-Query": "forged=1",
        "X-Ginuri-Edge": "forged",
        "Referer": "forged",
    }

    described = _ask(http, edged, "", "/about.json", forged).json()
    overridden = _ask(http, edged, "", "/uri-gin/", {"X-HTTP-Method-Override": "DELETE"})

    assert described["uri"] != f"http://{PURLS}/"
    assert overridden.status_code == 303


def test_a_preflight_is_answered_through_the_edge(edged: Stack, http: httpx.Client) -> None:
    sent = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}

    answer = http.options(f"{edged.service}/uri-gin/azgs/", headers=sent)

    assert answer.headers["access-control-allow-origin"] == "*"


def test_while_the_registry_fails_the_edge_serves_only_existing_answers(
    edged: Stack, http: httpx.Client, clock: Clock
) -> None:
    clock.now += 1000
    paths = ["/uri-gin/azgs/", "/uri-gin/azgs/none", "/uri-gin/aasg/none"]
    before = {path: _ask(http, edged, "", path, {}).status_code for path in paths[:2]}
    assert before == {paths[0]: 303, paths[1]: 404}
    dynamodb = edged.client("dynamodb")
    dynamodb.update_table(TableName=edged.registry_table, DeletionProtectionEnabled=False)
    dynamodb.delete_table(TableName=edged.registry_table)
    edged.kill("ResolveFunction")  # its cache is new as well

    clock.now += 60
    failing = [_ask(http, edged, "", path, {}) for path in paths]
    clock.now += 86_400
    later = _ask(http, edged, "", paths[0], {})

    assert failing[0].status_code == 303
    assert failing[0].headers["age"] == "60"
    assert [answer.status_code >= 500 for answer in (*failing, later)] == [False, True, True, True]


def _secrets(stack: Stack) -> set[str]:
    """Return the secrets of this stack; others of this process are in the same account."""
    manager = stack.client("secretsmanager")
    names = [secret.physical_id for secret in stack.resources.of_kind("AWS::SecretsManager::Secret")]
    return {
        value
        for name in names
        for value in json.loads(manager.get_secret_value(SecretId=name)["SecretString"]).values()
    }
