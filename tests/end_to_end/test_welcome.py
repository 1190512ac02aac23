"""The output of `make serve` can be typed unchanged, in any shell."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.local.serve import PROFILE, welcome
from infra.local.stack import Stack
from infra.local.steward import add_steward

SHELLS = tuple(filter(shutil.which, ("sh", "dash", "bash", "zsh", "fish", "pwsh")))
# A word that every shell reads the same, PowerShell and cmd among them, without expansion.
WORD = re.compile(r'[A-Za-z0-9_:/.\-]+|"[A-Za-z0-9_:/.+?= \-]+"')


@pytest.fixture(scope="module")
def printed(stack: Stack) -> str:
    return welcome(stack, add_steward(stack))


def _commands(printed: str, name: str) -> list[str]:
    return [line.strip() for line in printed.splitlines() if line.startswith(f"  {name} ")]


def _run(shell: str, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  our own output
        [shell, "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_commands_need_no_quoting_for_another_shell(printed: str) -> None:
    commands = [*_commands(printed, "curl"), *_commands(printed, "aws")]

    assert len(commands) == 10
    assert [command for command in commands if re.sub(WORD, "", command).strip()] == []


@pytest.mark.parametrize("shell", SHELLS)
def test_every_request_is_answered(printed: str, shell: str) -> None:
    answers = {command: _run(shell, command) for command in _commands(printed, "curl")}

    assert len(answers) == 4
    for command, answer in answers.items():
        assert answer.returncode == 0, (command, answer.stderr)
        assert answer.stdout.split(" ")[1] in {"200", "303"}, (command, answer.stdout)


def test_every_address_for_a_browser_has_its_own_line(stack: Stack, printed: str) -> None:
    lines = printed.partition("In a browser:\n")[2].partition("\n\n")[0].splitlines()

    assert [line.strip() for line in lines] == [f"{stack.service}/reports/", f"{stack.service}/search?q=map"]


def test_the_printed_profile_connects_the_aws_command_line_to_the_stack(printed: str, tmp_path: Path) -> None:
    if shutil.which("aws") is None:
        pytest.skip("the AWS command line is not installed")
    files = {"AWS_CONFIG_FILE": tmp_path / "config", "AWS_SHARED_CREDENTIALS_FILE": tmp_path / "credentials"}
    environment = {name: str(path) for name, path in files.items()}

    ran = [
        _run("sh", command, **environment) for command in _commands(printed, "aws") if " cp " not in command
    ]

    assert [(answer.returncode, answer.stderr) for answer in ran] == [(0, "")] * 5
    assert f"[profile {PROFILE}]" in files["AWS_CONFIG_FILE"].read_text(encoding="utf-8")
    assert "uri-gin/azgs/" in ran[-1].stdout
