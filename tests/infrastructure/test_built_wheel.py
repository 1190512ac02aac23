"""The built wheel in an empty environment: it serves a registry, which is there after a restart.

`make wheels` installs it from a package index, with each Python that the project supports and with the oldest
libraries.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.installation import Environment, build_wheel, download, install

MOST_BYTES = 1_800_000
"""The most bytes of the wheel."""
PYTHONS = os.environ.get("GINURI_PYTHONS", "").split()
"""The versions of `make wheels`, such as 3.11-oldest; without any, that of the tests, without a download."""
ROWS = "identifier,title,location\nuri-gin/azgs/doc/first,The first,https://example.org/1.pdf\n"


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(root, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(params=PYTHONS or [""])
def environment(request: pytest.FixtureRequest, wheel: Path, tmp_path: Path) -> Environment:
    """An environment with the wheel and what `ginuri serve` needs."""
    if not request.param:
        return install(wheel, tmp_path / "environment", "serve")
    version, _, oldest = request.param.partition("-")
    if (python := _find_python(version)) is None:
        pytest.skip(f"Python {version} is not here")
    return download(wheel, tmp_path / "environment", python, "serve", has_oldest=bool(oldest))


def _find_python(version: str) -> Path | None:
    # pyenv's own `python3.13` on the path only runs if that version is activated.
    installed = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    found = shutil.which(f"python{version}")
    return next(iter(sorted(installed)), Path(found) if found else None)


@contextmanager
def _serving(environment: Environment, *options: str) -> Iterator[str]:
    """Run `ginuri serve registry` until the block ends, and return its address."""
    command = [str(environment.folder / "bin" / "ginuri"), "serve", "registry", "--port", "0", *options]
    variables = {"LANGUAGE": "en", "PYTHONWARNINGS": "error"}
    with subprocess.Popen(  # noqa: S603  our own program
        command,
        cwd=environment.folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            words = next(line for line in server.stdout if line.startswith("ready "))
            yield words.removeprefix("ready ").strip()
        finally:
            server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=20)
    assert (server.returncode, errors) == (0, "")


def test_an_identifier_answers_after_a_restart_of_the_installed_server(environment: Environment) -> None:
    (environment.folder / "rows.csv").write_text(ROWS, encoding="utf-8")

    with _serving(environment, "--examples"):
        upload = environment.run(
            "ginuri", "upload", "rows.csv", "--under", "uri-gin/azgs/", "--registry", "registry", "--yes"
        )
    with _serving(environment) as service:
        answer = httpx.get(f"{service}/uri-gin/azgs/doc/first")
        qr_code = httpx.get(f"{service}/qr.svg/uri-gin/azgs/doc/first")

    assert (upload.returncode, upload.stderr) == (0, "")
    assert answer.headers["location"] == "https://example.org/1.pdf"
    assert qr_code.status_code == 200


def test_the_wheel_stays_small(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
