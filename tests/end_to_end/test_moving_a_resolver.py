"""The guide for moving a resolver: its commands, in order, with a real Apache httpd as the old server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ginuri.migration.verification.probe import Resolver
from infra.docs import FOLDER
from infra.docs.blocks import Block, is_like, read_blocks, read_commands
from tests.served_folder import OneMachine, serving
from tests.web_servers import serve_apache

PAGE = FOLDER / "how-to" / "move-a-resolver.md"
HOST = "purl.example.org"
CONFIGURATION = """\
RedirectMatch seeother "^/obo/ex/about$" "https://a.example/about.html"
RedirectMatch temp "^/obo/ex/releases/(.*)$" "https://a.example/releases/$1"
RewriteEngine On
RewriteRule "^/obo/ex/?$" "https://a.example/ex" [R=302,L]
RewriteRule "^/obo/ex\\.owl$" "https://a.example/ex.owl" [R=302,L]
RewriteRule "^/obo/ex\\.obo$" "https://a.example/ex.obo" [R=302,L]
"""
OLD_SERVER = f"""\
RedirectMatch temp "^/obo/ex/old\\.owl$" "https://archive.example/ex/old.owl"
{CONFIGURATION}
"""
LOGGING = r"""
LogFormat "%h %l %u %t \"%r\" %>s %O \"%{{Referer}}i\" \"%{{User-Agent}}i\" \"%{{Accept}}i\"" accept
CustomLog {log} accept
"""
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
REQUESTS: Sequence[tuple[str, str | None, int]] = [
    ("/obo/ex.owl", BROWSER, 1_200),
    ("/obo/ex.owl", "application/rdf+xml", 700),
    ("/obo/ex.owl", None, 250),
    ("/obo/ex", BROWSER, 100),
    ("/obo/ex/about", BROWSER, 90),
    ("/obo/ex/releases/2026-11-01/ex.owl", None, 30),
    ("/obo/ex/releases/a%20b?x=%2F", "*/*", 10),
    ("/obo/ex.obo", None, 10),
    ("/obo/ex/old.owl", "*/*", 16),
    ("/wp-login.php", None, 1),
]
"""The traffic of the old server: path, header and number."""


@dataclass(frozen=True)
class Move:
    """The folder in which the commands run, the old server, and the new one."""

    folder: Path
    old: str
    new: OneMachine

    @property
    def log(self) -> Path:
        """The log of the old server."""
        return self.folder / "logs" / "access.log"

    def run(self, command: str) -> list[str]:
        """Run a command of the page, and return the lines that it prints."""
        command = command.replace("/var/log/apache2", str(self.log.parent)).replace(
            "http://192.0.2.7", self.old
        )
        ran = subprocess.run(  # noqa: S602  the commands of the page
            command,
            shell=True,
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return ran.stdout.replace(self.old, "http://192.0.2.7").splitlines()

    def _environment(self) -> Mapping[str, str]:
        return os.environ | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GINURI_REGISTRY": str(self.new.folder),
            "NEW": f"http://127.0.0.1:{self.new.port}",
            "LANGUAGE": "en",
        }

    def read(self, section: str) -> Iterator[str]:
        """Write the files of a section of the page, and run its commands; yield unexpected output."""
        for block in _sections()[section]:
            if block.is_file and block.language == "json":
                (self.folder / block.title).write_text(block.body)
            for command in read_commands(block) if block.language == "console" else ():
                printed = self.run(command.text)
                if not is_like(printed, list(command.printed)):
                    yield f"{command.text}\n" + "\n".join(printed)


def _sections() -> Mapping[str, list[Block]]:
    """Return the blocks of the page by the number of their section."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    sections: dict[str, list[Block]] = {}
    for block in read_blocks(PAGE):
        above = [found[1] for line in lines[: block.line] if (found := re.match(r"## (\d)\.", line))]
        sections.setdefault(above[-1] if above else "", []).append(block)
    return sections


def _send_requests(address: str) -> None:
    resolver = Resolver(address, 10)
    for path, accept, number in REQUESTS:
        for _ in range(number):
            resolver.ask(HOST, path, [("Accept", accept)] if accept else [])
    resolver.close()
    port = int(address.rpartition(":")[2])
    for sent in (b"POST / HTTP/1.0\r\n\r\n", b"\x16\x03\x01\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(sent)
            while connection.recv(65_536):
                pass


@pytest.fixture
def move(tmp_path: Path) -> Iterator[Move]:
    """Run the old server with its traffic, and an empty registry."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    (tmp_path / "logs").mkdir()
    (tmp_path / "purls.conf").write_text(CONFIGURATION)
    logging = LOGGING.format(log=tmp_path / "logs" / "access.log")
    with (
        serve_apache(tmp_path / "apache", OLD_SERVER + logging) as old,
        serving(tmp_path / "registry") as new,
    ):
        _send_requests(old)
        yield Move(tmp_path, old, new)


def _answers(address: str, paths: Sequence[str]) -> dict[str, tuple[int, str | None]]:
    resolver = Resolver(address, 10)
    answers = {path: resolver.ask(HOST, path) for path in paths}
    resolver.close()
    return {path: (answer.status, answer.location) for path, answer in answers.items()}


def test_a_resolver_moves_in_and_back_as_the_guide_describes(move: Move) -> None:
    different: list[str] = []
    for section in ("1", "2", "3", "4"):
        different += move.read(section)
    lines = move.log.read_text().splitlines(keepends=True)
    (move.log.with_name("access.log.1")).write_text("".join(lines[:4]))
    for section in ("5", "6", "7", "8"):
        different += move.read(section)

    assert different == []
    paths = [path for path, *_ in REQUESTS if path != "/wp-login.php"] + ["/obo/ex/new.owl"]
    include = f"RewriteEngine On\nInclude {move.folder}/changes.conf\n"
    with serve_apache(move.folder / "again", include + OLD_SERVER) as back:
        answers = _answers(back, paths)
    assert answers == _answers(f"http://127.0.0.1:{move.new.port}", paths)
    assert answers["/obo/ex/new.owl"] == (302, "https://a.example/ex/new.owl")
    assert answers["/obo/ex.obo"] == (410, None)
