"""A second local stack does not hide the first: the command asks which one is meant."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.local_stacks import running_stacks, stack_file
from ginuri.cli.main import main
from infra.local.coordinates import coordinates_file


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[list[int]]:
    """The ports of two stacks that run, in order; a third one was killed and left its file."""
    with ExitStack() as sockets:
        listening = [sockets.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        with socket.create_server(("127.0.0.1", 0)) as killed:
            gone = killed.getsockname()[1]
        running = sorted(each.getsockname()[1] for each in listening)
        for port in (*running, gone):
            file = stack_file(tmp_path, port)
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps({"service": f"http://127.0.0.1:{port}"}), encoding="utf-8")
        yield running


def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    environment = {"GINURI_LOCAL_STACK": "", "GINURI_STACK": "", "GINURI_REGISTRY": "", "LANG": "C"}
    return CliRunner().invoke(main, ["uploads", *arguments], env=environment)


def test_only_stacks_that_run_are_listed(tmp_path: Path, ports: list[int]) -> None:
    assert list(running_stacks(tmp_path)) == ports


def test_several_stacks_are_listed_with_the_option_to_name_one(
    tmp_path: Path, ports: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = _run(tmp_path, monkeypatch)

    assert ran.exit_code == 2
    assert f"Name one by its port: --stack {ports[0]}, --stack {ports[1]}." in ran.stderr


def test_a_port_names_a_stack(tmp_path: Path, ports: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    ran = _run(tmp_path, monkeypatch, "--stack", str(ports[1]))

    # The file has no more than an address.
    assert f"the local stack at http://127.0.0.1:{ports[1]} is not a stack of ginuri" in ran.stderr


def test_a_port_without_a_stack_is_a_fault(
    tmp_path: Path, ports: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = _run(tmp_path, monkeypatch, "--stack", "1")

    assert ports
    assert ran.exit_code == 2
    assert "No local stack runs on port 1." in ran.stderr


def test_a_variable_names_the_file_of_a_stack() -> None:
    assert coordinates_file({"GINURI_LOCAL_STACK": "/x.json"}, 8000) == Path("/x.json")
    assert coordinates_file({}, 8000).name == "8000.json"
