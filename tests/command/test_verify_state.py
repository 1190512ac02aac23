"""`ginuri verify --state`: a comparison that was interrupted goes on where it stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main

HOST = "purl.example.org"
NAMES = 60
IN_FLIGHT = 16 + 4
"""The identifiers in the queue of four workers, and those being worked on."""


@dataclass
class Resolver:
    """A resolver that answers each request after some time, and counts the requests."""

    address: str = ""
    seconds: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    status: int = 302


@pytest.fixture
def resolver() -> Iterator[Resolver]:
    """Run the resolver, which is both sides of the comparison."""
    served = Resolver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            served.asked[self.path] += 1
            time.sleep(served.seconds)
            self.send_response(served.status)
            self.send_header("Location", f"https://a.example{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Ignore a client that was killed."""

    with Server(("127.0.0.1", 0), Handler) as server:
        served.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield served
        server.shutdown()
        thread.join()


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """Return a list of names."""
    file = tmp_path / "names.txt"
    file.write_text("".join(f"http://{HOST}/net/{number}\n" for number in range(NAMES)) + "http://[x/\n")
    return file


def _arguments(resolver: Resolver, names: Path, *more: str) -> list[str]:
    there = ("--against", resolver.address, "--service", resolver.address)
    state = ("--state", str(names.with_name("state.jsonl")))
    return ["verify", str(names), *there, "--rate", "1000", "--accept", "none", *state, *more]


def _verify(resolver: Resolver, names: Path, *more: str) -> Result:
    return CliRunner().invoke(main, _arguments(resolver, names, *more), prog_name="ginuri")


def test_a_killed_comparison_goes_on_and_ends_like_one_that_was_not(resolver: Resolver, names: Path) -> None:
    resolver.seconds = 0.02
    command = [sys.executable, "-m", "ginuri.cli", *_arguments(resolver, names, "--json")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603  our own command
        end = time.monotonic() + 20
        while resolver.asked.total() < NAMES and time.monotonic() < end:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    stopped = names.with_name("state.jsonl").read_bytes().count(b"\n") - 1
    resolver.seconds = 0

    again = _verify(resolver, names, "--json")

    names.with_name("state.jsonl").unlink()
    assert 0 < stopped < NAMES
    assert sum(count > 2 for count in resolver.asked.values()) <= IN_FLIGHT
    assert again.stdout == _verify(resolver, names, "--json").stdout
    assert json.loads(again.stdout.splitlines()[-1])["summary"]["requests"] == NAMES


def test_a_finished_comparison_is_repeated_without_requests(resolver: Resolver, names: Path) -> None:
    first = _verify(resolver, names)
    again = _verify(resolver, names)

    assert first.stdout == again.stdout
    assert set(resolver.asked.values()) == {2}


def test_a_line_that_was_cut_off_is_requested_again(resolver: Resolver, names: Path) -> None:
    first = _verify(resolver, names)
    state = names.with_name("state.jsonl")
    state.write_bytes(state.read_bytes()[:-10])

    again = _verify(resolver, names)

    assert first.stdout == again.stdout
    last = f"/net/{NAMES - 1}"
    assert resolver.asked == {name: 4 if name == last else 2 for name in resolver.asked}
    assert len(resolver.asked) == NAMES
    assert state.read_bytes().count(b"\n") == NAMES + 1


def test_requests_without_an_answer_are_sent_again(resolver: Resolver, names: Path) -> None:
    resolver.status = 503
    failed = _verify(resolver, names)
    resolver.status = 302

    again, third = _verify(resolver, names), _verify(resolver, names)

    assert (failed.exit_code, again.exit_code, third.exit_code) == (1, 0, 0)
    assert f"{NAMES} same" in again.stdout
    assert set(resolver.asked.values()) == {4}


def test_statuses_of_stored_answers_can_be_compared_exactly_afterwards(
    resolver: Resolver, names: Path
) -> None:
    _verify(resolver, names)
    state = names.with_name("state.jsonl")
    state.write_text(state.read_text().replace("[302,", "[301,", 1))

    loose, strict = _verify(resolver, names), _verify(resolver, names, "--strict-status")

    assert (loose.exit_code, strict.exit_code) == (0, 1)
    assert "1 other status" in strict.stdout


@pytest.mark.parametrize(
    ("change", "more", "message"),
    [
        ("", ("--accept", "turtle"), "--accept was "),
        ("", ("--sample", "3"), "--sample was —, and is 3."),
        ("net/7/changed", (), "request was "),
    ],
)
def test_the_state_of_another_comparison_is_refused(
    resolver: Resolver, names: Path, change: str, more: tuple[str, ...], message: str
) -> None:
    _verify(resolver, names)
    names.write_text(names.read_text().replace("net/7\n", f"{change}\n") if change else names.read_text())

    result = _verify(resolver, names, *more)

    assert result.exit_code == 2
    assert "is the state of another comparison: " in result.stderr
    assert message in result.stderr


@pytest.mark.parametrize("content", ["any text\n", "[]\n", "{}\n"])
def test_a_file_that_is_no_state_is_left_alone(resolver: Resolver, names: Path, content: str) -> None:
    state = names.with_name("state.jsonl")
    state.write_text(content)

    result = _verify(resolver, names)

    assert (result.exit_code, state.read_text()) == (2, content)
    assert "state.jsonl: " in result.stderr


def test_a_sample_is_continued_with_the_same_seed(resolver: Resolver, names: Path) -> None:
    first = _verify(resolver, names, "--sample", "5", "--seed", "a")
    again = _verify(resolver, names, "--sample", "5", "--seed", "a")

    assert first.stdout == again.stdout
    assert resolver.asked.total() == 5 * 2
