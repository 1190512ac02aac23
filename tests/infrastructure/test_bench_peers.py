"""The bench of peers sends all the same requests, and skips missing ones by name; nothing is timed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from infra.bench.dynamodb_local import NotHere
from infra.bench.peers.__main__ import (
    BARE_HANDLER,
    OUR_HANDLER,
    Spent,
    judge,
    judge_handler,
    measure,
    write_tables,
)
from infra.bench.peers.rules import PROBES, Answer, Asked, rules
from infra.bench.peers.servers import PEERS, Server, running
from infra.bench.records import registered

pytestmark = pytest.mark.untraced

_APACHE = [name for name in PEERS if name.startswith("Apache")]


def test_the_handler_answers_every_probe_correctly() -> None:
    assert judge_handler() == dict.fromkeys(PROBES, True)


def test_a_server_that_redirects_everything_is_right_only_about_heads() -> None:
    answers = judge(lambda _: Answer(303, "https://example.org/1.html"))

    assert {name for name, is_right in answers.items() if is_right} == {"HEAD"}


def test_an_empty_server_is_right_only_about_unregistered_names() -> None:
    assert {name for name, is_right in judge(lambda _: Answer(404)).items() if is_right} == {"404"}


def test_the_rules_have_the_requested_number_and_one_with_an_escape() -> None:
    *names, escaped = [name for name, _ in rules(5)]

    assert names == [registered(number) for number in range(5)]
    assert "%2F" in escaped


@pytest.mark.parametrize("name", _APACHE)
def test_apache_is_wrong_only_about_quality_values(name: str) -> None:
    with _running(name) as server:
        answers = judge(server.answer)

    assert {probe for probe, is_right in answers.items() if not is_right} == {"q"}


def test_a_resolver_of_thirty_lines_handles_only_final_slashes_and_404() -> None:
    with _running("FastAPI, SQLAlchemy") as server:
        answers = judge(server.answer)

    assert {probe for probe, is_right in answers.items() if is_right} == {"final slash", "404"}


def test_the_cpu_of_all_processes_of_a_server_is_counted() -> None:
    with _running(_APACHE[0]) as server:
        before = server.cpu()
        server.answer(Asked(registered(0)))

        assert server.cpu() > before > 0


def test_handlers_and_servers_are_measured_in_the_same_rounds() -> None:
    with _running(_APACHE[0]) as server:
        spent = measure(5, 3, {"Apache": server})

    floor = ["two system calls", "a dictionary in memory"]
    assert list(spent) == [OUR_HANDLER, BARE_HANDLER, *floor, "Apache"]
    assert spent[OUR_HANDLER].ratio == 1
    assert all(each.cpu > 0 for each in spent.values())


def test_the_tables_have_a_column_for_each_size_and_each_probe() -> None:
    spent = {10: {OUR_HANDLER: Spent(900, 1), "Apache": Spent(90, 0.1)}, 20: {OUR_HANDLER: Spent(901, 1)}}

    cpu, _, probes = write_tables({OUR_HANDLER: dict.fromkeys(PROBES, True)}, spent).partition("\n\n")

    assert [cell.strip() for cell in cpu.splitlines()[0].split("|")[2:-1]] == [
        *("10 rules", "ratio"),
        *("20 rules", "ratio"),
    ]
    assert [cell.strip() for cell in cpu.splitlines()[3].split("|")[1:-1]] == [
        *("Apache", "90 µs", "0.10"),
        *("-", "-"),
    ]
    assert [cell.strip() for cell in probes.splitlines()[0].split("|")[2:-1]] == list(PROBES)


@contextmanager
def _running(name: str) -> Iterator[Server]:
    with ExitStack() as stack:
        try:
            server = stack.enter_context(running(PEERS[name], 10))
        except NotHere as reason:
            pytest.skip(str(reason))
        yield server
