"""The pages of reports as an ASGI application, over the fakes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import pytest

from ginuri.files.reports.progress import UploadProgress, progress_key, write_progress
from ginuri.files.reports.report import report_key, write_unfinished
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.content import UploadVersion
from ginuri.server.reports import ReportPages
from ginuri.server.uploads_page import MOST_LISTED, MOST_SEARCHED
from tests.stacks import MemoryStack
from tests.steward import Report, settled

KEY = "uri-gin/azgs/wells (é) +1%.csv"
ROWS = "identifier,title\nuri-gin/azgs/é,No name\nuri-gin/azgs/doc/a,A\n"
Get = Callable[..., httpx.Response]


@pytest.fixture
def stack() -> MemoryStack:
    return MemoryStack(settled())


@pytest.fixture
def report(stack: MemoryStack) -> Report:
    """The report on an upload with one good row and one refused row."""
    stack.steward.identity = "AIDAEXAMPLE"
    return stack.steward.upload(KEY, ROWS, submitter="Ana")


@pytest.fixture
def get(stack: MemoryStack) -> Get:
    return partial(_send, ReportPages(stack))


def _send(pages: ReportPages, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    async def request() -> httpx.Response:
        transport = httpx.ASGITransport(pages)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8001") as client:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=named)

    return asyncio.run(request())


def _links(page: httpx.Response) -> list[str]:
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    return [each.partition('"')[0] for each in page.text.split('href="/reports/')[1:]]


def test_an_upload_links_its_page_its_report_and_its_refused_rows(get: Get, report: Report) -> None:
    links = [link for link in _links(get("/reports/")) if link.startswith("uri-gin/azgs/wells")]

    page, machine, refused = (get(f"/reports/{link}") for link in links)

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert machine.headers["content-type"] == "application/json"
    assert machine.json() == report.whole
    assert refused.headers["content-type"] == "text/plain; charset=utf-8"
    assert refused.content == b"".join(ROWS.encode().splitlines(keepends=True)[:2])


@pytest.mark.usefixtures("report")
def test_reports_are_listed_in_the_language_of_the_reader(get: Get) -> None:
    english, spanish = get("/reports/"), get("/reports/", accept_language="es-MX, es;q=0.9")
    chosen = get("/reports/?folder=uri-gin/&lang=es")

    assert "Reports on uploads" in english.text
    assert "Informes sobre las cargas" in spanish.text
    assert (spanish.headers["content-language"], spanish.headers["vary"]) == ("es", "Accept-Language")
    assert "Informes sobre las cargas" in chosen.text
    assert 'href="/reports/?folder=uri-gin%2F&amp;lang=en"' in chosen.text
    assert next(link for link in _links(spanish) if "wells" in link).endswith(".es.html")


def test_the_newest_upload_is_listed_first(get: Get, stack: MemoryStack, report: Report) -> None:
    stack.steward.upload("uri-gin/azgs/later.csv", "identifier,title\nuri-gin/azgs/doc/b,B\n")

    listed = "\n".join(_links(get("/reports/")))

    assert listed.index("later.csv") < listed.index(report.whole["upload"]["version"])
    assert "progress" not in listed


@pytest.mark.usefixtures("report")
def test_dry_runs_are_listed_in_a_section_of_their_own(get: Get, stack: MemoryStack) -> None:
    stack.steward.try_out("uri-gin/azgs/tried.csv", "identifier,title\nuri-gin/azgs/doc/d,D\n")

    uploads, _, dry_runs = get("/reports/").text.partition("<h2>Dry runs</h2>")

    assert "tried.csv" in dry_runs
    assert "tried.csv" not in uploads
    assert "2 identifiers in 2 rows: 1 refused" in uploads
    assert "by AIDAEXAMPLE, stated submitter: Ana" in uploads


@pytest.mark.usefixtures("report")
def test_the_list_can_be_limited_to_a_folder_and_a_state(get: Get) -> None:
    assert any("wells" in link for link in _links(get("/reports/?folder=uri-gin/azgs/&state=complete")))
    assert not any("azgs" in link for link in _links(get("/reports/?folder=uri-gin/usgin/")))
    assert "Nothing was uploaded that the filter lets through." in get("/reports/?state=unfinished").text


def test_uploads_are_listed_in_pages_newest_first(get: Get, stack: MemoryStack) -> None:
    for number in range(MOST_LISTED + 5):
        stack.steward.put(f"uri-gin/azgs/{number:03d}.csv", ROWS)

    first, second = get("/reports/?lang=es").text, get("/reports/?page=2").text

    assert first.count("<code>") == MOST_LISTED
    assert 'href="/reports/?page=2&amp;lang=es" rel="next"' in first
    assert 'rel="prev"' not in first
    assert "Uploads 51 to 57, newest first." in second
    assert 'href="/reports/" rel="prev"' in second
    assert 'rel="next"' not in second
    assert 'href="/reports/?page=2&amp;lang=es" hreflang="es"' in second


@pytest.mark.parametrize("page", ["0", "x", "-1", ""])
def test_a_page_of_another_name_is_the_first(get: Get, page: str) -> None:
    assert get(f"/reports/?page={page}").text == get("/reports/").text


def test_the_uploads_in_a_state_are_searched_page_by_page(get: Get, stack: MemoryStack) -> None:
    for number in range(MOST_SEARCHED):
        stack.steward.put(f"uri-gin/azgs/{number:03d}.csv", ROWS)

    found = get("/reports/?state=complete").text

    assert "Among the uploads 1 to 200, newest first." in found
    assert 'href="/reports/?state=complete&amp;page=2" rel="next"' in found
    assert "_host/all.jsonl" in get("/reports/?state=complete&page=2").text


def test_the_list_without_uploads_has_a_sentence_instead(get: Get, stack: MemoryStack) -> None:
    stack.steward.files.puts.clear()

    assert "Nothing was uploaded yet." in get("/reports/").text


@pytest.mark.parametrize(("is_given_up", "state"), [(True, "given up"), (False, "unfinished")])
def test_an_abandoned_upload_names_the_reason(
    get: Get, stack: MemoryStack, *, is_given_up: bool, state: str
) -> None:
    of = stack.steward.put("uri-gin/azgs/broken.csv", ROWS)
    body = write_unfinished(of, "part 1", 5, "the {table} is away", is_given_up=is_given_up)
    stack.steward.files.report(report_key(of.key, of.version), body)

    page = get(f"/reports/?state={state}").text

    assert "broken.csv" in page
    assert "the {table} is away" in page


def test_a_waiting_upload_shows_its_progress(get: Get, stack: MemoryStack) -> None:
    of = stack.steward.put("uri-gin/azgs/large.csv", ROWS)

    def show(progress: UploadProgress) -> str:
        stack.steward.files.report(progress_key(of.key, of.version), write_progress(progress))
        return get("/reports/?state=waiting").text

    assert "50 % done, 1,000 of 2,000 rows" in show(UploadProgress(50, 1_000, 2_000))
    assert "waiting until uri-gin/azgs/doc/ is registered" in show(
        UploadProgress(waits_for=("uri-gin/azgs/doc/",))
    )


@pytest.mark.usefixtures("report")
def test_a_report_is_sent_with_its_length(get: Get) -> None:
    link = next(link for link in _links(get("/reports/")) if link.endswith(".json") and "wells" in link)

    whole = get(f"/reports/{link}")

    assert whole.headers["content-length"] == str(len(whole.content))


def test_a_large_report_is_sent_in_chunks(stack: MemoryStack) -> None:
    class Large(MemoryStack):
        def report(self, key: str) -> Iterator[bytes]:
            return iter([key.encode(), b"b", b"c"])

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    scope = {"method": "GET", "raw_path": b"/reports/a.csv/v1.json", "query_string": b"", "headers": []}
    asyncio.run(ReportPages(Large(stack.steward))(scope, receive, send))

    assert [message.get("body") for message in sent] == [None, b"a.csv/v1.json", b"b", b"c", b""]
    assert b"content-length" not in dict(sent[0]["headers"])


@pytest.mark.parametrize(
    "path", ["/reports/none", "/reports/uri-gin/azgs/", "/reports//", "/reports/%ff", "/a"]
)
def test_an_unknown_report_is_not_found(get: Get, path: str) -> None:
    assert get(path).status_code == 404


def test_the_root_of_the_address_leads_to_the_list(get: Get) -> None:
    assert get("/").headers["location"] == "/reports/"


def test_a_report_is_not_written_over_http(get: Get) -> None:
    refused = get("/reports/x.json", "PUT")

    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_the_list_of_an_unavailable_registry_can_be_tried_again(stack: MemoryStack) -> None:
    class Away(MemoryStack):
        def versions(self, prefix: str) -> Iterator[UploadVersion]:
            raise RegistryUnavailable(f"none under {prefix}")

    answer = _send(ReportPages(Away(stack.steward)), "/reports/")

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


@pytest.mark.parametrize(
    ("host", "status"), [("localhost:9001", 200), ("127.0.0.1", 200), ("evil.example:8001", 421), ("", 421)]
)
def test_reports_on_loopback_are_read_under_its_names_only(
    stack: MemoryStack, host: str, status: int
) -> None:
    pages = ReportPages(stack, hosts={"127.0.0.1", "localhost"})

    assert _send(pages, "/reports/", Host=host).status_code == status
