"""Every service answers in time however late DynamoDB and S3 are: normally, or with 503 and Retry-After."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moto import mock_aws

from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.dynamodb.upload_stamps import DynamoStampReader
from ginuri.aws.dynamodb_http.client import HttpDynamoDB
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications, LinkingReader
from ginuri.registry.budget import MOST_CALLS, MOST_SECONDS, RESERVE, Budget
from ginuri.registry.record.record import Record, apply
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.publications import Published
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import Response
from infra.bench.workers.context import Context
from tests.aws import FixedCredentials, dynamodb_client, new_table
from tests.builders import keyed, register, rest_event, stamp
from tests.publishing import published
from tests.slow import Delay, SlowDynamoDB, SlowPublished

HOST = "resources.example.org"
TIMEOUT = 10.0
THING = "uri-gin/azgs/map/1/"
RECORDS: dict[str, dict[str, Any]] = {
    "uri-gin/": {"record": "scheme"},
    "uri-gin/azgs/": {"record": "authority", "title": {"en": "Arizona"}},
    "uri-gin/azgs/map/": {"record": "resource-type", "broader": "uri-gin/usgin/doc/map/"},
    "uri-gin/usgin/": {"record": "authority"},
    "uri-gin/usgin/doc/": {"record": "resource-type"},
    "uri-gin/usgin/doc/image/": {"record": "resource-type", "broader": "uri-gin/usgin/doc/"},
    "uri-gin/usgin/doc/image/still/": {"record": "resource-type", "broader": "uri-gin/usgin/doc/image/"},
    "uri-gin/usgin/doc/map/": {"record": "resource-type", "broader": "uri-gin/usgin/doc/image/still/"},
    THING: {
        "title": {"en": "Geologic map"},
        "representations": [{"part": "a.pdf", "location": "https://a.example/a.pdf"}],
        "properties": {"creator": "http://resources.example.org/uri-gin/azgs/"},
    },
    "uri-gin/azgs/dated/1": {
        "representations": [
            {"location": "https://a.example/1", "valid_from": "2011-08-25"},
            {"location": "https://a.example/2", "valid_from": "2012-08-25"},
        ]
    },
}
MANY = json.dumps([THING, *(f"uri-gin/azgs/map/{number}" for number in range(2, 50))])
RESOLVED = [
    f"/{THING}",
    f"/{THING}a.pdf",
    "/uri-gin/azgs/map/none/",
    "/uri-gin/azgs/dated/1",
    "/uri-gin/azgs/well/7",
]
DESCRIBED = [
    *(f"/about.{form}/{THING}" for form in ("html", "jsonld", "ttl", "rdf", "nt", "json", "linkset", "erc")),
    f"/about/{THING}",
    "/about.html/uri-gin/azgs/map/",
    "/about.html/uri-gin/azgs/none/",
    "/members/uri-gin/azgs/map/",
    "/members.csv/uri-gin/azgs/",
    "/members.jsonld/uri-gin/azgs/",
    f"/explain/{THING}",
    "/explain/uri-gin/azgs/none/",
    "/timemap/uri-gin/azgs/dated/1",
    "/timemap.json/uri-gin/azgs/dated/1",
    f"/uri-res/N2L?{THING}",
    "/search?q=map",
    f"/search?q={THING}",
    "/suggest?q=geol",
    "/",
    "/dataset",
    "/registry",
    f"/resolve?uri=http://{HOST}/{THING}",
]


class Functions:
    """Both functions as in Lambda, with an empty memory, and with late DynamoDB and S3."""

    def __init__(self, table: tuple[Any, str], published_files: LinkingReader, seconds: float) -> None:
        client, name = table
        self.delay = Delay(seconds)
        budget = Budget(self.delay)
        self.dynamodb = SlowDynamoDB(client, self.delay)
        used: Any = HttpDynamoDB(self.dynamodb, FixedCredentials(), budget, 3, self.delay.sleep)
        reader = DynamoReader(used, name, self.delay.sleep)
        self._budget, self._finder = budget, RememberingFinder(reader, self.delay)
        self._answers = IdentifierResponses(MemoryContentStore(), HOST)
        publications = Publications(SlowPublished(published_files, self.delay, budget), self.delay)
        figures = PublishedFigures(publications)
        found = Published(publications, Searcher(publications), reader, HOST, figures)
        self._using = Collaborators(
            self._finder,
            reader,
            DynamoMemberLister(used, name),
            DescriptionResponses(DescriptionWriter().write),
            HOST,
            published=lambda: found,
            figures=lambda: figures,
            stamps=DynamoStampReader(used, name),
        )

    def resolve(self, path: str) -> tuple[Response, float]:
        """Request redirects; return the answer, and its seconds."""
        began = self.delay.now
        self._budget.begin(Context())
        answered = resolve(read_request(_event(path)), self._finder, self._answers)
        return answered.response, self.delay.now - began

    def describe(self, path: str, method: str = "GET", body: str | None = None) -> tuple[Response, float]:
        """Ask the function for descriptions; return its response, and after how many seconds."""
        began = self.delay.now
        self._budget.begin(Context())
        answered = describe(read_request(_event(path, method) | {"body": body}), self._using)
        return answered.response, self.delay.now - began

    def ask(self, path: str) -> tuple[Response, float]:
        """Send a request to the function of this path; `POST /resolve` looks up many names."""
        if path in RESOLVED:
            return self.resolve(path)
        return self.describe("/resolve", "POST", MANY) if path == "POST" else self.describe(path)


def _event(path: str, method: str = "GET") -> dict[str, Any]:
    path, _, query = path.partition("?")
    name, equals, value = query.partition("=")
    parameters = {name: value} if equals else {name: ""} if query else None
    return rest_event(path, method, {"Host": HOST, "Accept": "*/*"}, parameters)


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[Any, str]]:
    """A table with the records."""
    with mock_aws():
        client = dynamodb_client()
        name = new_table(client)
        for identifier, values in RECORDS.items():
            register(DynamoRegistry(client, name), identifier, **{"record": "resource", **values})
        rule = apply(
            Record("uri-gin/azgs/well/", {}), keyed({("rules", "{id}", "status_code"): 410}), stamp()
        )
        DynamoRegistry(client, name).write(rule)
        yield client, name


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> LinkingReader:
    """The files of the daily run."""
    listed = {
        name: values for name, values in RECORDS.items() if not {"rules", "representations"} & {*values}
    }
    store, _ = published(tmp_path_factory.mktemp("published"), listed)
    return cast("LinkingReader", store)


PATHS = st.sampled_from([*RESOLVED, *DESCRIBED, "POST"])


@given(asked=st.lists(PATHS, min_size=1, max_size=3), seconds=st.floats(0.0, 12.0))
def test_every_service_answers_in_time_or_asks_to_retry_later(
    table: tuple[Any, str], files: LinkingReader, asked: list[str], seconds: float
) -> None:
    functions = Functions(table, files, seconds)

    for path in asked:
        response, spent = functions.ask(path)

        assert spent <= MOST_SECONDS + 0.001
        if response.status == HTTPStatus.SERVICE_UNAVAILABLE:
            assert int(dict(response.headers)["Retry-After"]) > 0


@pytest.mark.parametrize("path", [*RESOLVED, *DESCRIBED, "POST"])
def test_every_service_answers_even_if_calls_take_a_tenth_second(
    table: tuple[Any, str], files: LinkingReader, path: str
) -> None:
    response, _ = Functions(table, files, 0.1).ask(path)

    assert response.status < HTTPStatus.INTERNAL_SERVER_ERROR


@pytest.mark.parametrize("path", RESOLVED)
def test_a_redirect_is_answered_even_if_every_call_lasts_two_seconds(
    table: tuple[Any, str], files: LinkingReader, path: str
) -> None:
    response, spent = Functions(table, files, 2.0).resolve(path)

    assert response.status < HTTPStatus.INTERNAL_SERVER_ERROR
    assert spent <= MOST_SECONDS


def test_a_first_hit_reads_the_types_above_it_level_by_level(
    table: tuple[Any, str], files: LinkingReader
) -> None:
    functions = Functions(table, files, 0.0)

    functions.resolve(f"/{THING}")

    # The thing and its ancestors; the broader type and those above it; the type that it inherits from.
    assert functions.dynamodb.calls == 3


def test_a_request_out_of_time_still_fills_the_memory(table: tuple[Any, str], files: LinkingReader) -> None:
    functions = Functions(table, files, 2.0)

    statuses = [functions.describe(f"/about.html/{THING}")[0].status for _ in range(2)]

    assert statuses == [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.OK]


def test_a_request_makes_no_more_calls_than_its_budget_has(
    table: tuple[Any, str], files: LinkingReader
) -> None:
    functions = Functions(table, files, 0.0)
    functions._budget.begin(Context())  # noqa: SLF001  like the handler
    functions._budget.calls_left = 1  # noqa: SLF001  instead of five hundred

    answered = resolve(read_request(_event(f"/{THING}")), functions._finder, functions._answers)  # noqa: SLF001  as the handler does

    assert answered.response.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert functions.dynamodb.calls == 1


def test_the_budget_restarts_with_each_request() -> None:
    delay = Delay()
    budget = Budget(delay)
    budget.begin(Context())
    for _ in range(10):
        budget.spend_call()
    delay.sleep(TIMEOUT)

    budget.begin(Context())

    assert budget.check() == min(TIMEOUT - RESERVE, MOST_SECONDS)
    assert budget.calls_left == MOST_CALLS


def test_a_budget_before_its_first_request_is_unlimited() -> None:
    budget = Budget(Delay())

    assert budget.spend_call(1e9) > 1e9
