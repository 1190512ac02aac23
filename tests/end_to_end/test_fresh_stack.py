"""The smoke test of a fresh stack, as an operator runs it: with and without its edge, published or not.

The links of such a stack, under any name, never contain its stage, its gateway or another port.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from infra.first_run.results import Results
from infra.first_run.session import Choice, run
from infra.first_run.table import read_table
from infra.first_run.target import Target
from infra.local.coordinates import published
from infra.local.stack import Options, Stack, local_stack
from infra.local.template import REGION
from infra.smoke.__main__ import main

SERVICE = "d111111abcdef8.cloudfront.net"
"""Like the address that `make deploy` prints."""
BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
CITED = "resources.usgin.org"
"""The default of CanonicalHost, on which identifiers are cited."""
_LINKED = re.compile(r'\s(?:href|src|action)="([^"]*)"|<([^>]*)>; rel=')
_NEXT = re.compile(r"/(?:uri-gin|about|members)/(?:uri-gin/)?smoke/[^?]*$")


class Clock:
    """Seconds, of which a test skips some."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def coordinates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("running") / "stack.json"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, clock: Clock, coordinates: Path) -> Iterator[Stack]:
    """A stack behind its edge with an empty registry."""
    options = Options(logs=tmp_path_factory.mktemp("logs"), edge=True, clock=clock)
    with local_stack(options) as running, published(running, coordinates):
        yield running


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch, coordinates: Path) -> None:
    """The stack is found like one of `make serve`."""
    monkeypatch.setenv("GINURI_LOCAL_STACK", str(coordinates))
    monkeypatch.delenv("GINURI_STACK", raising=False)


def test_an_empty_stack_explains_how_to_load_the_registrations(
    fresh: Stack, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([fresh.service]) == 2
    assert "make smoke STACK=NAME" in capsys.readouterr().err
    clock.ahead += 1000
    fresh.kill("DescribeFunction")  # its cache is new as well


def test_smoke_registers_its_records_and_passes_through_the_edge(
    fresh: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([])

    printed = capsys.readouterr()
    assert _without_number(printed.out) == (
        f"requests to {fresh.service} (api, edge, local, unpublished): 0 failed\n"
    )
    assert code == 0
    assert "registered" in printed.err
    assert not re.search("warned|refused", printed.err)


def test_smoke_passes_at_the_gateway_as_well(fresh: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([fresh.gateway, "--referer", fresh.referer])

    assert _without_number(capsys.readouterr().out) == (
        f"requests to {fresh.gateway} (api, gateway, local, unpublished): 0 failed\n"
    )
    assert code == 0


def test_a_gateway_without_the_secret_names_whom_to_ask(
    fresh: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([fresh.gateway]) == 2
    assert "ServiceUrl" in capsys.readouterr().err


def test_a_second_smoke_run_changes_nothing_and_accepts_cached_answers(
    fresh: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == main([fresh.service]) == 0

    said = capsys.readouterr().err
    assert "unchanged" in said
    assert not re.search("registered|(?<!un)changed", said)


def test_a_first_run_passes_its_requests_through_the_edge(fresh: Stack, tmp_path: Path) -> None:
    outputs = {"ServiceUrl": fresh.service, "GatewayUrl": fresh.gateway}
    target = Target("ginuri", REGION, {}, outputs, [], lambda service, _region=None: fresh.client(service))
    results = Results(tmp_path / "first-run.json", REGION, "release")
    keys = ("gateway-closed", "strong-etags", "preferences-share")

    made = list(run(read_table(), target, results, lambda _question: "", Choice(only=keys)))

    assert {result.check: result.found for result in made if result.verdict != "passed"} == {}
    assert results.checks.keys() == set(keys)


def test_a_stack_is_found_by_its_name_as_in_aws(
    fresh: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Other tests of this process have stacks in the same account.
    standing = fresh.client("cloudformation").describe_stacks()["Stacks"]
    described = max(standing, key=lambda stack: stack["CreationTime"])
    monkeypatch.setenv("AWS_ENDPOINT_URL", fresh.endpoint)
    monkeypatch.setenv("AWS_REGION", REGION)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", fresh.account.credentials.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", fresh.account.credentials.secret_key)

    code = main([fresh.service, "--stack", described["StackName"], "--json"])

    document = json.loads(capsys.readouterr().out)
    assert (code, document["failed"], document["url"]) == (0, 0, fresh.service)
    assert main(["--stack", "none"]) == 2
    assert "There is no stack none" in capsys.readouterr().err


def test_links_and_redirects_work_under_any_host_without_stage_or_gateway(fresh: Stack) -> None:
    """The host of an absolute address in an answer is the one for citing, or the target of an identifier."""
    waiting, seen = ["/", "/uri-gin/smoke/map/M/", "/members/uri-gin/smoke/"], set[str]()
    with httpx.Client(base_url=fresh.service, headers={"Host": SERVICE, "Accept": BROWSER}) as client:
        while waiting:
            seen.add(path := waiting.pop())
            answer = client.get(path)
            assert answer.status_code in {200, 300, 301, 302, 303, 307, 403, 404, 410, 451}, path
            for link in _links(answer):
                assert not re.search(r"/live\b|127\.0\.0\.1|execute-api", link), (path, link)
                host = urlsplit(link).netloc
                assert not host or host.endswith((CITED, "example.org", "schema.org")), (path, link)
                if _NEXT.match(link) and link not in {*seen, *waiting}:
                    waiting.append(link)

    assert len(seen) > 40


def test_published_files_are_checked_after_publication(
    fresh: Stack, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh.invoke("PublishFunction", b"{}")
    clock.ahead += 1000

    code = main([])

    assert _without_number(capsys.readouterr().out) == (
        f"requests to {fresh.service} (api, edge, local, published): 0 failed\n"
    )
    assert code == 0


def _without_number(summary: str) -> str:
    return re.sub(r"\A\d+ (?=requests)", "", summary)


def _links(answer: httpx.Response) -> Iterator[str]:
    """Yield the links of an answer, without fragments: its Location, its headers, its page."""
    headers = [value for name, value in answer.headers.multi_items() if name in {"link", "content-location"}]
    text = answer.text if answer.headers["content-type"].startswith("text/html") else ""
    found = (unescape(a or b) for part in (*headers, text) for a, b in _LINKED.findall(part))
    for link in (answer.headers.get("location", ""), *found):
        if target := link.partition("#")[0]:
            yield target
