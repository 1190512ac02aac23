"""One machine returns the same answers as the functions of AWS, over the same registry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from infra.attack.answer import Answer
from infra.emulator.requests import Sent, requests
from tests.example_registry import upload_examples
from tests.front import HOST, NOW, Front
from tests.functional.test_answers_through_the_edge import ask_front, compared, read_answer, recorded
from tests.one_machine import OneMachine

pytestmark = pytest.mark.functions
EVERY = 5
"""One of so many identifiers is requested."""
QUERIES = (
    "/resolve?uri=/uri-gin/azgs/",
    "/uri-res/N2L?uri-gin/azgs/",
    "/search?q=well&lang=es",
    "/search?q=no%20such%20word",
    "/suggest?q=geo",
    "/feed.atom",
    "/sitemap.xml",
    "/registry.jsonl.gz",
    "/registry.tests.json",
    "/uri-gin/?title=Map",
    "/uri-gin/azgs/?a=b&a=%2F;c",
    "/about/uri-gin/azgs/?lang=es",
    "/members/uri-gin/azgs/?after=uri-gin/azgs/doc/",
    "/members.csv/uri-gin/usgin/",
    "/uri-gin/azgs/%C3%A9",
    "/uri-gin/azgs/a%2Fb",
    "//uri-gin/azgs/",
    "/uri-gin/azgs//",
)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """Everything under `examples/`, published."""
    steward = upload_examples()
    return Front(steward.memory, tmp_path_factory.mktemp("published"), steward.content)


@pytest.fixture(scope="module")
def machine(front: Front, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OneMachine]:
    """One machine with a copy of all that."""
    made = OneMachine(tmp_path_factory.mktemp("registry"), HOST, NOW)
    with closing(made):
        made.copy(front.registry, front.content, front.store)
        yield made


def test_one_machine_answers_as_the_functions_do(front: Front, machine: OneMachine) -> None:
    names = sorted(name for name, _ in front.registry.standing(""))
    sent = [*requests(names, EVERY), *map(Sent, QUERIES)]

    assert len(sent) > 500
    _compare(front, machine, sent)


def test_one_machine_negotiates_as_the_functions_do(
    front: Front, machine: OneMachine, shared_data: Path
) -> None:
    _compare(front, machine, recorded(shared_data))


def test_one_machine_answers_posted_questions_as_the_functions_do(front: Front, machine: OneMachine) -> None:
    form = (("content-type", "application/x-www-form-urlencoded"),)
    body = b"uri=/uri-gin/azgs/&uri=/uri-gin/nobody/"

    _compare(front, machine, [Sent("/resolve", "POST", form, body=body), Sent("/", "POST", form, body=body)])


def _compare(front: Front, machine: OneMachine, requested: Iterator[Sent] | list[Sent]) -> None:
    for sent in requested:
        expected = ask_front(front, sent.received(HOST))
        assert compared(_ask(machine, sent), sent.method) == compared(expected, sent.method), sent


def _ask(machine: OneMachine, sent: Sent) -> Answer:
    return read_answer(machine.ask(sent.target, sent.method, sent.received(HOST).headers, sent.body))
