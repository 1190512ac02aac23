"""Reports on uploads are read over HTTP, on the local stack."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from html.parser import HTMLParser
from itertools import product
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from infra.local import ROOT
from infra.local.aws.clients import Account, Credentials
from infra.local.stack import Stack
from infra.local.steward import add_steward
from infra.local.template import expand
from tests.end_to_end.uploading import put, upload, wait_for_report

AUTHORITY = b'{"record": "authority", "identifier": "uri-gin/reps/", "title": "Reports"}\n'
LINES = "identifier,title\nuri-gin/reps/é,No name\nuri-gin/reps/a,A\n".encode()
KEY = "uri-gin/reps/wells (é) +1%.csv"
FOLDER, JANE = "uri-gin/reps/", "mailto:jane@example.org"
FORGED = {"principal": JANE, "may": "rwxg=uri-gin/", "token": "ab" * 32}
ROWS = ".findings tbody tr:visible"


@pytest.fixture(scope="module")
def report(empty_stack: Stack) -> Any:
    upload(empty_stack, "_host/reports.jsonl", AUTHORITY)
    return upload(empty_stack, KEY, LINES)


@pytest.fixture(scope="module")
def web(empty_stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=empty_stack.service, timeout=30) as client:
        yield client


class _Links(HTMLParser):
    """The links of a page, with their texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if tag == "a" and name == "href"]


def _listed(web: httpx.Client, **query: str) -> list[str]:
    page = web.get("/reports/", params=query)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    return [each for each in _Links(page.text).found if each.startswith("/reports/")]


def test_a_report_is_read_over_http_in_each_of_its_forms(web: httpx.Client, report: Any) -> None:
    links = [each for each in _listed(web) if report["upload"]["version"] in each]

    page, machine, refused = (web.get(each) for each in links)

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f"Report on {KEY}" in unescape(page.text)
    assert machine.headers["content-type"] == "application/json"
    assert machine.json() == report
    assert refused.headers["content-type"].startswith("text/")
    assert refused.content == b"".join(LINES.splitlines(keepends=True)[:2])


def test_a_principal_that_a_user_states_in_metadata_does_not_count(empty_stack: Stack, report: Any) -> None:
    told = upload(empty_stack, f"{FOLDER}forged.csv", LINES, FORGED)

    assert (told["identity"], told["principal"]) == ("LOCAL:local", "LOCAL:local")
    assert "token" not in told
    assert told["counts"] == report["counts"] | {"registered": 0, "unchanged": 1}


def test_a_role_with_the_session_name_of_the_api_is_another(empty_stack: Stack) -> None:
    role = empty_stack.client("iam").create_role(RoleName="forger", AssumeRolePolicyDocument="{}")["Role"]
    session = empty_stack.functions["ApiFunction"].plan.name
    keys = empty_stack.client("sts").assume_role(RoleArn=role["Arn"], RoleSessionName=session)["Credentials"]
    named = (keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"])
    where: Any = {"Bucket": empty_stack.uploads_bucket, "Key": f"{FOLDER}forged.csv"}

    with closing(Account(empty_stack.endpoint, Credentials(*named))) as forger:
        put = forger.client("s3").put_object(**where, Body=LINES, Metadata=FORGED)

    told = wait_for_report(empty_stack, where["Key"], put["VersionId"])
    assert told["identity"] == told["principal"] == f"{role['RoleId']}:{session}"
    assert "token" not in told


@pytest.fixture(scope="module")
def api(empty_stack: Stack, report: Any) -> Iterator[httpx.Client]:
    """A client with a token that may register, but not retire."""
    assert report["is_complete"]
    secret, wanted = add_steward(empty_stack, JANE, FOLDER), {"name": "n", "folders": [FOLDER], "days": 1}
    with httpx.Client(base_url=empty_stack.service, timeout=30) as client:
        client.headers = {"Authorization": f"Bearer {secret}", "Prefer": "wait=10"}
        narrower = client.post("/api/tokens", json={**wanted, "rights": ["read", "register"]}).json()
        client.headers["Authorization"] = f"Bearer {narrower['token']}"
        yield client


def test_the_principal_of_an_upload_by_the_api_is_its_owner(empty_stack: Stack, api: httpx.Client) -> None:
    told = api.post("/api/uploads", params={"folder": FOLDER, "name": "api.csv"}, content=LINES).json()

    arn = empty_stack.functions["ApiFunction"].plan.role
    role = empty_stack.client("iam").get_role(RoleName=arn.rpartition("/")[2])["Role"]
    assert (told["principal"], told["identity"].partition(":")[0]) == (JANE, role["RoleId"])
    assert told["counts"]["unchanged"] == 1


def test_a_signed_put_can_do_no_more_than_its_token(empty_stack: Stack, api: httpx.Client) -> None:
    body = b"identifier,status\nuri-gin/reps/a,retired\n"
    wanted = {"folder": FOLDER, "name": "signed.csv", "size": str(len(body))}
    signed = api.post("/api/uploads", params=wanted).json()
    put, wider = signed["put"], {"x-amz-meta-may": "rwx=uri-gin/reps/"}

    forged = httpx.put(put["url"], content=body, headers=put["headers"] | wider)
    stated = httpx.put(put["url"], content=body, headers=put["headers"])

    assert (forged.status_code, stated.status_code) == (403, 200)
    told = wait_for_report(empty_stack, signed["key"], stated.headers["x-amz-version-id"])
    assert (told["principal"], told["counts"]["refused"]) == (JANE, 1)
    assert "retire" in told["verdicts"][0]["findings"][0]["message"]


def test_a_head_request_for_a_report_has_its_headers_only(web: httpx.Client, report: Any) -> None:
    link = next(each for each in _listed(web) if each.endswith(f"{report['upload']['version']}.json"))

    heard = web.head(link)

    assert (heard.status_code, heard.content) == (200, b"")
    assert heard.headers["content-length"] == str(len(web.get(link).content))


def test_a_path_that_only_begins_like_reports_goes_to_the_resolver(web: httpx.Client) -> None:
    assert "Unknown host" in web.get("/reportsx/a").text


def test_deployed_stacks_serve_no_reports() -> None:
    functions = expand(ROOT / "template.yaml")["Resources"].values()

    assert "/reports" not in json.dumps([each for each in functions if each["Type"].startswith("AWS::ApiG")])


@pytest.mark.usefixtures("report")
def test_uploads_of_stored_files_are_listed_too(web: httpx.Client, empty_stack: Stack) -> None:
    version = put(empty_stack, "uri-gin/reps/map.pdf", b"%PDF")
    upload(empty_stack, "uri-gin/reps/after.csv", b"identifier,title\nuri-gin/reps/c,C\n")

    assert f"/reports/uri-gin/reps/map.pdf/{version}.json" in _listed(web)


def test_the_list_and_the_page_of_a_report_link_each_other(web: httpx.Client, report: Any) -> None:
    version = report["upload"]["version"]
    page = web.get(next(link for link in _listed(web) if link.endswith(f"{version}.html")))

    links = _Links(page.text).found
    assert f"{web.base_url}/reports/" in {link.replace("//reports", "/reports") for link in links}
    assert f"./{version}.refused.csv" in links
    address = next(link for link in links if "/about/" in link)
    assert web.get(address).status_code == 200


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    arguments = ["--no-sandbox", "--disable-gpu"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments) as browser,
    ):
        yield browser


@pytest.fixture
def page_address(web: httpx.Client, report: Any) -> str:
    link = next(link for link in _listed(web) if link.endswith(f"{report['upload']['version']}.html"))
    return f"{str(web.base_url).rstrip('/')}{link}"


def test_axe_finds_no_fault_in_the_list_and_a_report(
    web: httpx.Client, browser: Browser, page_address: str
) -> None:
    phone = ViewportSize(width=360, height=760)
    with (
        browser.new_context(bypass_csp=True) as desk,
        browser.new_context(bypass_csp=True, color_scheme="dark", viewport=phone) as dark,
    ):
        for context, address in product((desk, dark), (f"{web.base_url}/reports/", page_address)):
            tab = context.new_page()
            tab.goto(address)
            assert Axe().run(tab).response["violations"] == [], address


def test_the_counts_of_a_report_filter_its_rows_without_a_script(browser: Browser, page_address: str) -> None:
    with browser.new_context(java_script_enabled=False) as context, context.new_page() as tab:
        tab.goto(page_address)
        assert tab.locator(ROWS).count() == 2

        tab.locator("#show-warned").focus()
        tab.keyboard.press("Space")

        assert tab.locator(ROWS).count() == 1
        assert not tab.locator("#find").is_visible()


def test_a_script_finds_the_rows_of_a_report_with_a_text(browser: Browser, page_address: str) -> None:
    with browser.new_context() as context, context.new_page() as tab:
        tab.goto(page_address)

        tab.fill("#find", "reps/é")

        assert (tab.locator(ROWS).count(), tab.locator("#found").inner_text()) == (1, "1")
