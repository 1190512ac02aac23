"""The publish function's handler, wired as in Lambda, and the answers from its files."""

from __future__ import annotations

import gzip
import importlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from aws_lambda_powertools import Metrics
from moto import mock_aws
from rdflib import Graph
from rdflib.compare import isomorphic

from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.published_files import S3PublishedReader
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.publications import Published
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.aws import dynamodb_client, new_bucket, new_table, s3_client
from tests.builders import register, rest_event

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

HOST = "resources.example.org"
HANDLER = "publish.handler"
UNDER = "uri-gin/azgs/map/"
SUMMARY = {"put": "2011-08-25T17:29:00.000Z", "counts": {"registered": 3}}


@dataclass(frozen=True)
class Service:
    """A registry, the function that publishes it, and the two that answer."""

    publish: Callable[[dict[str, Any], object], dict[str, Any]]
    registry: DynamoRegistry
    reader: DynamoReader
    s3: S3Client

    def describe(self, path: str, method: str = "GET", query: str = "", **sent: str) -> Answer:
        """Send a request to the describe function."""
        event = _event(path, method, query, sent)
        publications = self._publications()
        published = Published(
            publications, Searcher(publications), self.reader, HOST, PublishedFigures(publications)
        )
        using = Collaborators(
            RememberingFinder(self.reader, time.monotonic),
            self.reader,
            MemoryRegistry(),
            DescriptionResponses(DescriptionWriter().write),
            HOST,
            published=lambda: published,
        )
        return Answer(write_gateway(describe(read_request(event), using).response, method))

    def resolve(self, path: str, query: str = "", **sent: str) -> Answer:
        """Send a request to the resolve function."""
        finder, answers = (
            RememberingFinder(self.reader, time.monotonic),
            IdentifierResponses(MemoryContentStore(), HOST),
        )
        titles = TitleFinder(Searcher(self._publications()), self.reader)
        event = _event(path, "GET", query, sent)
        answered = resolve(read_request(event), finder, answers, make_titles=lambda: titles)
        return Answer(write_gateway(answered.response, "GET"))

    def _publications(self) -> Publications:
        return Publications(S3PublishedReader(lambda: self.s3, "published"), time.monotonic)


def _event(path: str, method: str, query: str, sent: Mapping[str, str]) -> dict[str, Any]:
    headers = {"Host": HOST} | {name.replace("_", "-"): value for name, value in sent.items()}
    pairs = dict(pair.split("=") for pair in query.split("&") if pair)
    told: Any = {name: [value] for name, value in pairs.items()}
    return rest_event(path, method, headers) | {
        "queryStringParameters": pairs or None,
        "multiValueQueryStringParameters": told or None,
    }


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A registry with an authority, a type and four maps, of which one is retired."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws():
        dynamodb, s3 = dynamodb_client(), s3_client()
        table = new_table(dynamodb)
        new_bucket(s3, "reports")
        s3.create_bucket(Bucket="published")
        s3.put_object(
            Bucket="reports", Key="uri-gin/azgs/a.csv/v1.summary.json", Body=json.dumps(SUMMARY).encode()
        )
        for name, value in {
            "REGISTRY_TABLE": table,
            "REPORTS_BUCKET": "reports",
            "PUBLISHED_BUCKET": "published",
            "STACK": "ginuri",
            "CANONICAL_HOST": HOST,
            "POWERTOOLS_METRICS_NAMESPACE": "ginuri",
        }.items():
            monkeypatch.setenv(name, value)
        registry = DynamoRegistry(dynamodb, table)
        register(registry, "uri-gin/azgs/", record="authority", title={"en": "Arizona"})
        register(registry, UNDER, record="resource-type", title={"en": "Map"})
        register(registry, f"{UNDER}1/", title={"en": "Geologic map of Bisbee"})
        register(registry, f"{UNDER}2/", title={"en": "Geologic map of Tucson"})
        register(registry, f"{UNDER}3/", title={"en": "Soils of Tucson, a map"})
        register(registry, f"{UNDER}4/", title={"en": "Geologic map of Bisbee"}, status="retired")
        # Modules of another function, which Lambda runs elsewhere.
        Metrics().clear_default_dimensions()
        Metrics().clear_metrics()
        sys.modules.pop(HANDLER, None)
        handler = importlib.import_module(HANDLER)
        yield Service(handler.handle, registry, DynamoReader(dynamodb, table), s3)
        sys.modules.pop(HANDLER, None)


@pytest.mark.parametrize(
    "path",
    [
        "/sitemap.xml",
        "/sitemaps/1.xml.gz",
        "/feed.atom",
        "/registry.jsonl.gz",
        "/registry.tests.json",
        "/registry",
        "/search",
    ],
)
def test_before_the_first_run_a_search_gets_advice(service: Service, path: str) -> None:
    answer = service.describe(path, query="q=map")

    assert answer.status == 404
    assert answer.problem["title"].endswith(("published yet", "available yet"))
    assert answer.headers["Cache-Control"] == "max-age=30"


def test_robots_get_the_addresses_of_the_sitemaps_before_any_run(service: Service) -> None:
    answer = service.describe("/robots.txt")

    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert f"Sitemap: http://{HOST}/sitemap.xml\n" in answer.content.decode()


def test_the_handler_publishes_and_reports_the_counts(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    told = service.publish({}, None)

    line = json.loads(capsys.readouterr().out)
    assert told["records"] == 6
    assert (line["function"], line["published"], line["run"]) == ("publish", [6.0], told["run"])
    assert line["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["stack"]]


def test_the_data_set_has_validators_for_conditional_requests(service: Service) -> None:
    service.publish({}, None)

    answer = service.describe("/registry.jsonl.gz")
    head = service.describe("/registry.jsonl.gz", "HEAD")
    again = service.describe("/registry.jsonl.gz", If_None_Match=answer.headers["ETag"])
    other = service.describe("/registry.jsonl.gz", If_Match='"other"')

    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/gzip")
    assert len(gzip.decompress(answer.content).splitlines()) == 6
    assert answer.headers["Cache-Control"] == "max-age=3600, stale-if-error=86400"
    assert "Last-Modified" in answer.headers
    assert (head.status, head.content, head.headers["ETag"]) == (200, b"", answer.headers["ETag"])
    assert (again.status, again.content) == (304, b"")
    assert other.status == 412


def test_a_large_file_redirects_to_a_link(service: Service) -> None:
    service.publish({}, None)
    told = json.loads(service.s3.get_object(Bucket="published", Key="current.json")["Body"].read())
    told["files"]["registry.jsonl.gz"]["length"] = 5_000_000
    service.s3.put_object(Bucket="published", Key="current.json", Body=json.dumps(told).encode())

    answer = service.describe("/registry.jsonl.gz")

    assert (answer.status, answer.headers["Cache-Control"]) == (307, "max-age=60")
    assert f"{told['run']}/registry.jsonl.gz" in answer.headers["Location"]


def test_the_data_set_is_described_in_dcat_and_void(service: Service) -> None:
    service.publish({}, None)

    answer = service.describe("/registry")
    page = service.describe("/registry", Accept="text/html")

    told = json.loads(answer.content)
    given = service.describe("/registry.jsonl.gz")
    assert (answer.headers["Content-Type"], answer.headers["Vary"]) == (
        "application/ld+json",
        "Accept, Accept-Language",
    )
    assert told["@type"] == ["dcat:Dataset", "void:Dataset"]
    assert told["void:entities"] == 6
    assert told["dcat:distribution"]["dcat:byteSize"]["@value"] == str(len(given.content))
    assert b'href="/registry.jsonl.gz"' in page.content


@pytest.mark.parametrize("accept", ["text/html;charset=utf-8", "text/html; charset=UTF-8;q=0.5, image/png"])
def test_searches_and_the_data_set_are_negotiated_like_descriptions(service: Service, accept: str) -> None:
    service.publish({}, None)

    for path, query in (("/registry", ""), ("/search", "q=geologic"), ("/search", "")):
        page = service.describe(path, query=query, Accept=accept, Accept_Language="en;q=0")
        absent, empty = service.describe(path, query=query), service.describe(path, query=query, Accept=" ")
        told = (page.headers["Content-Type"], page.headers["Content-Language"])
        assert told == ("text/html; charset=utf-8", "es")
        assert (empty.status, empty.headers["Content-Type"]) == (
            absent.status,
            absent.headers["Content-Type"],
        )


@pytest.mark.filterwarnings("ignore:(Dataset[.]|ConjunctiveGraph):DeprecationWarning")
def test_the_description_of_the_data_set_is_one_graph_in_every_format(service: Service) -> None:
    service.publish({}, None)
    formats = {
        "application/ld+json": "json-ld",
        "text/turtle": "turtle",
        "application/rdf+xml": "xml",
        "application/n-triples": "nt",
    }

    graphs = []
    for media_type, name in formats.items():
        answer = service.describe("/registry", Accept=media_type)
        assert answer.headers["Content-Type"] == media_type
        graphs.append(Graph().parse(data=answer.content, format=name))

    assert len(graphs[0]) > 20
    assert all(isomorphic(graphs[0], each) for each in graphs[1:])


def test_sitemaps_and_the_feed_are_served(service: Service) -> None:
    service.publish({}, None)

    index, sitemap = service.describe("/sitemap.xml"), service.describe("/sitemaps/1.xml.gz")
    feed, missing = service.describe("/feed.atom"), service.describe("/sitemaps/2.xml.gz")

    assert f"<loc>http://{HOST}/sitemaps/1.xml.gz</loc>" in index.content.decode()
    assert f"<loc>http://{HOST}/{UNDER}1/</loc>" in gzip.decompress(sitemap.content).decode()
    assert feed.headers["Content-Type"] == "application/atom+xml"
    assert "uri-gin/azgs/a.csv: 3 registered" in feed.content.decode()
    assert missing.problem["advice"][0]["href"] == "/sitemap.xml"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_published_files_are_read_only(service: Service, method: str) -> None:
    answer = service.describe("/search", method)

    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


def results(answer: Answer) -> list[str]:
    return [each["identifier"] for each in json.loads(answer.content)["results"]]


def test_a_search_shows_the_current_title_and_status_of_each_result(service: Service) -> None:
    service.publish({}, None)
    register(service.registry, f"{UNDER}2/", 30, title={"en": "Renamed"}, status="retired")

    answer = service.describe("/search", query="q=tucson")

    told = json.loads(answer.content)
    assert results(answer) == [f"{UNDER}2/", f"{UNDER}3/"]
    assert (told["results"][0]["title"], told["results"][0]["status"]) == ("Renamed", "retired")
    assert (told["total"], told["is_total"], told["last_word_completed"]) == (2, True, True)
    assert told["as_of"].endswith("Z")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=map&status=retired", [f"{UNDER}4/"]),
        ("q=map&type=resource-type", [UNDER]),
        (f"q=bisbee&type={UNDER}&status=valid", [f"{UNDER}1/"]),
        ("q=map&authority=uri-gin/cgs/", []),
        ("q=arizona&authority=/uri-gin/azgs", ["uri-gin/azgs/"]),
        (f"q=arizona&authority=http://{HOST}/uri-gin/azgs/", ["uri-gin/azgs/"]),
        ("q=", []),
        ("", []),
    ],
)
def test_a_search_can_be_limited_by_authority_type_and_status(
    service: Service, query: str, found: list[str]
) -> None:
    service.publish({}, None)

    assert results(service.describe("/search", query=query)) == found


def test_facets_lead_to_as_many_results_as_they_count(service: Service) -> None:
    service.publish({}, None)

    told = json.loads(service.describe("/search", query="q=map").content)

    facets = {
        name: [(value["title"], value["count"]) for value in values]
        for name, values in told["facets"].items()
    }
    assert facets == {
        "authority": [("Arizona", 5)],
        "type": [("Map", 5)],
        "record": [("Resource", 4), ("Resource type", 1)],
        "status": [("Valid", 4), ("Retired", 1)],
    }
    for values in told["facets"].values():
        for value in values:
            path, _, query = value["href"].partition("?")
            narrowed = json.loads(service.describe(path, query=unquote(query)).content)
            assert narrowed["total"] == value["count"]
    assert told["results"][1] == {
        "identifier": f"{UNDER}1/",
        "title": "Geologic map of Bisbee",
        "record": "resource",
        "status": "valid",
        "authority": "uri-gin/azgs/",
        "type": UNDER,
        "describedby": f"/about/{UNDER}1/",
    }


def test_a_filter_can_be_removed(service: Service) -> None:
    service.publish({}, None)

    page = service.describe(
        "/search", query=f"q=bisbee&type={UNDER}&status=retired", Accept="text/html"
    ).content.decode()

    assert '<a href="/search?q=bisbee&amp;status=retired">Remove' in page
    assert '<a href="/search?q=bisbee&amp;type=uri-gin%2Fazgs%2Fmap%2F">Remove' in page
    assert "1 result." in page
    assert f'<input type="hidden" name="type" value="{UNDER}">' in page


def test_a_misspelt_word_shows_the_corrected_results_with_a_notice(service: Service) -> None:
    service.publish({}, None)

    told = json.loads(service.describe("/search", query="q=gelogic tuscon").content)
    page = service.describe("/search", query="q=gelogic tuscon", Accept="text/html").content.decode()

    assert [result["identifier"] for result in told["results"]] == [f"{UNDER}2/"]
    assert (told["query"]["q"], told["searched"], told["total"]) == ("gelogic tuscon", "geologic tucson", 1)
    assert told["did_you_mean"] == [{"text": "geologic tucson", "href": "/search?q=geologic+tucson"}]
    assert "No results for gelogic tuscon." in page
    assert (
        'Showing results for: <a href="/search?q=geologic+tucson"><strong>geologic tucson</strong></a>'
        in page
    )


def test_an_empty_result_names_the_known_words_and_the_unfiltered_count(
    service: Service,
) -> None:
    service.publish({}, None)

    apart = service.describe("/search", query="q=arizona bisbee soils", Accept="text/html").content.decode()
    filtered = service.describe(
        "/search", query="q=bisbee&status=superseded", Accept="text/html"
    ).content.decode()

    assert '<li><a href="/search?q=arizona">arizona</a>: 1 record</li>' in apart
    assert '<a href="/search?q=bisbee">2 results without these filters.</a>' in filtered


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("q=a&status=lost", "status=lost is not one of reserved, embargoed, valid, superseded, retired"),
        ("q=a&type=book", "type=book is neither a resource type"),
        ("q=a&page=0", "page=0 is not a number from 1 to 10,000"),
        ("q=a&page=x", "page=x is not a number"),
        ("q=a&most=101", "most=101 is not a number from 1 to 100"),
        (f"q={'a' * 1001}", "q has 1,001 characters"),
        (
            "q=a&authority=uri-gin/cgs/&type=uri-gin/azgs/map/",
            "is not a resource type of authority=uri-gin/cgs/",
        ),
    ],
)
def test_an_impossible_search_is_refused_with_the_reason(service: Service, query: str, said: str) -> None:
    answer = service.describe("/search", query=query)

    assert answer.status == 400
    assert said in answer.problem["detail"]


@pytest.mark.untraced
def test_results_come_in_linked_pages(service: Service) -> None:
    service.publish({}, None)

    first = service.describe("/search", query="q=geologic&most=2")
    second = service.describe("/search", query="q=geologic&most=2&page=2")

    assert first.linked("next") == ["/search?q=geologic&most=2&page=2"]
    assert second.linked("prev") == ["/search?q=geologic&most=2&page=1"]
    assert second.linked("next") == []
    assert results(first) + results(second) == [f"{UNDER}{number}/" for number in (1, 2, 4)]


def test_the_page_of_a_search_shows_its_date_and_marks_retired_results(service: Service) -> None:
    service.publish({}, None)

    page = service.describe("/search", query="q=bisbee", Accept="text/html").content.decode()
    hostile = service.describe("/search", query='q="><script>', Accept="text/html").content.decode()

    assert "2 results." in page
    assert 'As of <time datetime="' in page
    assert '<span class="role">retired</span>' in page
    assert '<input id="box" type="search" name="q" value="bisbee"' in page
    assert "<script>" not in hostile


def test_browsers_get_a_description_of_the_search(service: Service) -> None:
    answer = service.describe("/opensearch.xml")
    page = service.describe("/registry", Accept="text/html")

    assert answer.headers["Content-Type"] == "application/opensearchdescription+xml"
    assert f'template="http://{HOST}/search?q={{searchTerms}}"' in answer.content.decode()
    assert b'<link rel="search"' in page.content


@pytest.mark.parametrize("name", ["page", "most", "status", "type", "authority", "lang", "format", "sort"])
def test_an_empty_argument_of_a_search_counts_as_absent(service: Service, name: str) -> None:
    service.publish({}, None)

    absent = service.describe("/search", query="q=map")
    empty = service.describe("/search", query=f"q=map&{name}=")

    assert (empty.status, json.loads(empty.content)["results"]) == (
        200,
        json.loads(absent.content)["results"],
    )


@pytest.mark.parametrize("name", ["q", "authority", "status", "page"])
def test_a_page_of_a_search_shows_no_control_characters(service: Service, name: str) -> None:
    service.publish({}, None)

    page = service.describe("/search", query=f"{name}=%1B%5B2J%C2%9B", Accept="text/html")

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", page.content.decode())


def test_one_match_of_a_title_gets_a_redirect(service: Service) -> None:
    service.publish({}, None)

    answer = service.resolve(f"/{UNDER}", "title=geologic map, of TUCSON")
    words = service.resolve("/uri-gin/azgs/", "title=soils")

    assert (answer.status, answer.headers["Location"]) == (301, f"/{UNDER}2/")
    assert (words.status, words.headers["Location"]) == (301, f"/{UNDER}3/")


@pytest.mark.parametrize("title", ["tucson", "soils", "moon, stars"])
def test_an_explanation_applies_the_requested_title(service: Service, title: str) -> None:
    service.publish({}, None)

    got = service.resolve(f"/{UNDER}", f"title={title}")
    explained = json.loads(service.describe(f"/explain/{UNDER}", query=f"title={title}").content)

    assert (explained["status"], explained["location"]) == (got.status, got.headers.get("Location"))


def test_a_valid_match_comes_before_retired_ones(service: Service) -> None:
    service.publish({}, None)

    answer = service.resolve(f"/{UNDER}", "title=Geologic map of Bisbee")

    assert (answer.status, answer.headers["Location"]) == (301, f"/{UNDER}1/")


@pytest.mark.untraced
def test_several_matches_of_a_title_are_choices(service: Service) -> None:
    service.publish({}, None)

    answer = service.resolve(f"/{UNDER}", "title=tucson")

    assert answer.status == 300
    assert [each["href"] for each in answer.choices] == [f"/{UNDER}2/", f"/{UNDER}3/"]


@pytest.mark.parametrize("is_published", [False, True])
def test_a_title_without_a_match_gets_advice(service: Service, *, is_published: bool) -> None:
    if is_published:
        service.publish({}, None)

    answer = service.resolve(f"/{UNDER}", "title=moon, stars")

    assert answer.status == 404
    assert answer.problem["title"] == "No matching title"
    where = answer.problem["advice"][0]["href"]
    assert where == "/search?q=moon%2C+stars&authority=uri-gin%2Fazgs%2Fmap%2F"


@pytest.mark.parametrize(
    ("path", "query"), [(f"{UNDER}1/", "title=tucson"), (UNDER, "title="), (UNDER, "q=x")]
)
def test_titles_are_looked_up_only_under_authorities_and_types(
    service: Service, path: str, query: str
) -> None:
    service.publish({}, None)

    assert service.resolve(f"/{path}", query).headers["Location"] == f"/about/{path}"


def test_earlier_values_are_not_published(service: Service) -> None:
    register(service.registry, f"{UNDER}1/", 30, title={"en": "Soils of Bisbee"})

    service.publish({}, None)

    assert results(service.describe("/search", query="q=bisbee+soils".replace("+", " "))) == [f"{UNDER}1/"]
    assert len(gzip.decompress(service.describe("/registry.jsonl.gz").content).splitlines()) == 6
