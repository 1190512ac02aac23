"""docs/reference/neighbouring-systems.md: every line runs, and every answer and every test name is right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

from ginuri.cli.main import main
from infra.local import ROOT
from infra.local.schedule import publish
from infra.local.stack import Stack
from tests.end_to_end.curling import Answer, Asked, NotUnderstood, ask, read_curl

_CELLS = re.compile(r"(?<!\\)\|")
_STATUS = re.compile(r"\d+\b")
_CODE = re.compile(r"``?([^`]+?)``?(?!`)")


@dataclass(frozen=True)
class Row:
    """A row of the page."""

    system: str
    line: int
    asks_for: str
    proved_by: tuple[str, ...]
    command: str
    answer: str

    def __str__(self) -> str:
        """Name it in the list of tests."""
        return f"line {self.line}: {self.command}"


def _rows() -> Iterator[Row]:
    system = ""
    for number, line in enumerate(
        (ROOT / "docs/reference/neighbouring-systems.md").read_text(encoding="utf-8").splitlines(), 1
    ):
        if line.startswith("## "):
            system = line[3:]
        cells = [cell.strip().replace("\\|", "|") for cell in _CELLS.split(line)[1:-1]]
        if cells and cells[0] != "it asks for" and not set("".join(cells)) <= set("-: "):
            assert len(cells) == 4, (
                f"docs/reference/neighbouring-systems.md:{number} has {len(cells)} cells instead of 4"
            )
            asks_for, proved_by, command, answer = cells
            tests = tuple(re.findall(r"test_\w+", proved_by))
            yield Row(system, number, asks_for, tests, "".join(_CODE.findall(command)), answer)


ROWS = list(_rows())
_DEFINED = {
    name
    for path in (ROOT / "tests").rglob("*.py")
    for name in re.findall(r"^ *(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def missing(answer: Answer, told: str) -> list[str]:
    """Return the parts of the column that the answer lacks."""
    status, words = _STATUS.match(told), [each.strip() for each in _CODE.findall(told)]
    is_so = status is not None and int(status[0]) == answer.status
    wrong = [] if is_so else [f"status {told[:3]}, not {answer.status}"]
    if answer.location is not None and answer.location not in words:
        wrong.append(f"where it leads: `{answer.location}`")
    return wrong + [each for each in words if each != answer.location and each not in answer.text]


def _answer(command: str, stack: Stack) -> Answer:
    if not command.startswith("ginuri "):
        return ask(read_curl(command), stack.service.removeprefix("http://"))
    ran = CliRunner().invoke(main, shlex.split(command)[1:], prog_name="ginuri")
    return Answer(ran.exit_code, (), ran.output)


@pytest.fixture(scope="module")
def published(stack: Stack) -> Stack:
    """Return the stack with its titles published, as `make serve` does."""
    publish(stack, lambda _: None)
    return stack


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_documented_curl_line_gets_the_documented_answer(published: Stack, row: Row) -> None:
    answer = _answer(row.command, published)

    assert missing(answer, row.answer) == [], answer.text[:2000]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_row_names_the_request_and_existing_tests(row: Row) -> None:
    assert row.asks_for
    assert row.system
    assert row.proved_by, "name a test"
    assert set(row.proved_by) <= _DEFINED
    assert _STATUS.match(row.answer), "an answer begins with its status"


def test_every_system_has_a_row() -> None:
    page = (ROOT / "docs/reference/neighbouring-systems.md").read_text(encoding="utf-8")

    assert {row.system for row in ROWS} == set(re.findall(r"^## (.+)$", page, re.MULTILINE))


# The parser of a line


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (
            "curl -sI http://127.0.0.1:8000/a%2fb//c?x=1#frag",
            Asked("/a%2fb//c?x=1", "HEAD", (("User-Agent", "curl/8"), ("Accept", "*/*"))),
        ),
        (
            "curl -L -H 'Host: id.example' -H 'Accept: text/turtle' '127.0.0.1:8000'",
            Asked(
                "/",
                "GET",
                (("Host", "id.example"), ("Accept", "text/turtle"), ("User-Agent", "curl/8")),
                is_following=True,
            ),
        ),
        (
            "curl -X POST --data 'a b' -H 'Content-Type: text/plain' http://127.0.0.1:8000/resolve",
            Asked(
                "/resolve",
                "POST",
                (("Content-Type", "text/plain"), ("User-Agent", "curl/8"), ("Accept", "*/*")),
                "a b",
            ),
        ),
        (
            "curl -sG --data-urlencode 'uri=urn:a:b#c' http://127.0.0.1:8000/resolve",
            Asked("/resolve?uri=urn%3Aa%3Ab%23c", "GET", (("User-Agent", "curl/8"), ("Accept", "*/*"))),
        ),
    ],
)
def test_a_curl_line_is_read_as_curl_reads_it(line: str, asked: Asked) -> None:
    assert read_curl(line) == asked


@pytest.mark.parametrize(
    "line",
    [
        "wget http://127.0.0.1:8000/",
        "curl -s",
        "curl --proxy x http://127.0.0.1:8000/",
        "curl http://127.0.0.1:8000/ | head",
        "curl http://example.org/127.0.0.1:8000/",
        "curl http://127.0.0.1:8000/ http://127.0.0.1:8000/",
    ],
)
def test_other_text_is_no_curl_line(line: str) -> None:
    with pytest.raises(NotUnderstood):
        read_curl(line)


def test_an_answer_with_less_than_the_page_is_reported() -> None:
    answer = Answer(303, (("Location", "/about/x"), ("Vary", "Accept")), "gone")

    assert missing(answer, "303 → `/about/x`, `Vary: Accept`") == []
    assert missing(answer, "303") == ["where it leads: `/about/x`"]
    assert missing(answer, "302 → `/about/x`, `here`") == ["status 302, not 303", "here"]


def test_redirects_are_followed_if_the_page_states_it(stack: Stack) -> None:
    at = stack.service.removeprefix("http://")
    person = "/uri-gin/azgs/person/StephenRichard"

    stays = ask(read_curl(f"curl -s http://127.0.0.1:8000{person}/"), at)
    goes = ask(read_curl(f"curl -sL http://127.0.0.1:8000{person}/"), at)

    assert (stays.status, stays.location) == (303, f"/about{person}/")
    assert (goes.status, goes.location) == (200, None)
