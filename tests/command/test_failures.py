"""Commands that fail or are interrupted, run as a user runs them: in a process, with an environment."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from ginuri.cli.stack import LOCAL_STACK_VARIABLE

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "ginuri.cli")
KEYS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
REGION = {"AWS_REGION": "us-east-1"}
IN_REGION = ("--region", "us-east-1")
NOWHERE = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
UPLOADS = ("uploads",)
INTERRUPT_IMPORT = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r} and self in sys.meta_path:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = {arguments!r}
from ginuri.cli.__main__ import run
run()
"""
LOSE_INTERRUPT = """
import os, signal, sys, weakref
class Freed: pass
import ginuri.cli.terminal
freed = Freed()
kept = weakref.ref(freed, lambda _: os.kill(os.getpid(), signal.SIGINT))
class Freeing:
    def find_spec(self, name, path=None, target=None):
        if name == "ginuri.cli.main":
            globals().pop("freed")
sys.meta_path.insert(0, Freeing())
sys.argv[1:] = ["--help"]
from ginuri.cli.__main__ import run
run()
"""


def _environment(home: Path, variables: Mapping[str, str] = {}) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GINURI_"))}
    files = {"AWS_CONFIG_FILE": str(home / "config"), "AWS_SHARED_CREDENTIALS_FILE": str(home / "keys")}
    alone = {
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "1",
        LOCAL_STACK_VARIABLE: str(home / "none.json"),
    }
    return {**others, **files, **alone, "LANGUAGE": "en", **variables}


def _run(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  our own command
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=_environment(home, variables),
    )


@pytest.mark.parametrize(
    ("command", "arguments", "variables", "remedy"),
    [
        (UPLOADS, (), {}, "make serve"),
        (UPLOADS, ("--stack", "ginuri"), KEYS, "--region or AWS_REGION"),
        (
            *(UPLOADS, ("--stack", "ginuri"), REGION),
            "`aws configure`, or name a profile with --profile or AWS_PROFILE",
        ),
        (UPLOADS, ("--stack", "ginuri"), {**REGION, "AWS_PROFILE": "work"}, "`aws configure --profile work`"),
        (UPLOADS, ("--stack", "ginuri", "--profile", "work", *IN_REGION), {}, "no AWS profile work"),
        (UPLOADS, (), {**REGION, **KEYS, "GINURI_STACK": "x", **NOWHERE}, "make serve"),
        (("rollback", "uri-gin/azgs/x.csv#1"), ("--stack", "ginuri"), KEYS, "--region or AWS_REGION"),
        (("history", "uri-gin/x/y"), (), {**REGION, **KEYS, "GINURI_STACK": "x", **NOWHERE}, "make serve"),
    ],
)
def test_a_command_without_its_stack_names_the_remedy_without_usage(
    tmp_path: Path,
    command: tuple[str, ...],
    arguments: tuple[str, ...],
    variables: dict[str, str],
    remedy: str,
) -> None:
    ran = _run(tmp_path, *command, *arguments, **variables)

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith("Error: ")
    assert remedy in ran.stderr


def test_a_missing_stack_is_reported_with_its_region(tmp_path: Path, endpoint: str) -> None:
    ran = _run(
        tmp_path, "uploads", "--stack", "none", "--region", "eu-west-1", AWS_ENDPOINT_URL=endpoint, **KEYS
    )

    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "There is no stack none in the region eu-west-1" in ran.stderr


def test_a_misused_command_prints_the_usage(tmp_path: Path) -> None:
    ran = _run(tmp_path, "uploads", "--nothing")

    assert ran.returncode == 2
    assert ran.stderr.startswith("Usage: ginuri uploads")


@pytest.mark.parametrize(
    ("command", "variables"),
    [("uploads", ("GINURI_STACK", "AWS_PROFILE", "AWS_REGION")), ("verify", ("GINURI_SERVICE",))],
)
def test_the_help_names_the_variables_of_the_environment(
    tmp_path: Path, command: str, variables: tuple[str, ...]
) -> None:
    printed = _run(tmp_path, command, "--help").stdout

    assert all(f"[env var: {name}" in " ".join(printed.split()) for name in variables)


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("ginuri.cli.main", ("--help",)),
        ("click", ("--help",)),
        ("ginuri.i18n.catalogue", ("parse", "uri-gin/azgs/")),
        ("ginuri.cli.identifiers.parse", ("parse", "uri-gin/azgs/")),
        ("boto3", ("uploads", "--stack", "ginuri")),
        ("rdflib", ("validate", "x.ttl", "--under", "uri-gin/azgs/")),
    ],
)
def test_an_interrupt_during_imports_prints_one_line(
    tmp_path: Path, module: str, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "x.ttl").write_text("<http://r.org/uri-gin/azgs/x> a <http://r.org/uri-gin/azgs/y> .")
    code = INTERRUPT_IMPORT.format(module=module, arguments=list(arguments))

    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=_environment(tmp_path),
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "\nInterrupted.\n")


def test_an_interrupt_that_python_would_drop_still_ends_the_command(tmp_path: Path) -> None:
    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", LOSE_INTERRUPT],
        capture_output=True,
        text=True,
        check=False,
        env=_environment(tmp_path),
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "\nInterrupted.\n")


@pytest.mark.parametrize(("language", "word"), [("en", "Interrupted."), ("es", "Interrumpido.")])
def test_an_interrupted_wait_for_aws_reports_in_the_users_language(
    tmp_path: Path, language: str, word: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(30)
        variables = {**KEYS, **REGION, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        with subprocess.Popen(  # noqa: S603  our own command
            [*COMMAND, "uploads", "--stack", "ginuri"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=_environment(tmp_path, {**variables, "LANGUAGE": language}),
        ) as command:
            connection, _ = silent.accept()
            command.send_signal(signal.SIGINT)
            printed, faults = command.communicate(timeout=30)
            connection.close()

    assert (command.returncode, printed, faults) == (130, "", f"\n{word}\n")


def test_an_interrupt_that_the_shell_ignores_is_ignored(tmp_path: Path) -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + INTERRUPT_IMPORT.format(
        module="click", arguments=["--version"]
    )

    ran = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=_environment(tmp_path)
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("ginuri, version")


def test_the_installed_command_handles_interrupts_before_it_imports_anything() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["scripts"] == {"ginuri": "ginuri.cli.__main__:run"}
