"""Shells complete commands and options."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def _complete(**variables: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "ginuri.cli"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"LANG": "C", "LANGUAGE": "", "LC_ALL": ""} | variables,
    )
    return ran.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_has_a_script(shell: str) -> None:
    script = _complete(_GINURI_COMPLETE=f"{shell}_source")

    assert f"{shell}_complete" in script


@pytest.mark.parametrize(
    ("words", "incomplete", "completed"),
    [
        ("ginuri upl", "upl", ["upload", "uploads"]),
        ("ginuri ", "", None),
        ("ginuri get --serv", "--serv", ["--service"]),
    ],
)
def test_powershell_completes_commands_and_options(
    words: str, incomplete: str, completed: list[str] | None
) -> None:
    lines = _complete(
        _GINURI_COMPLETE="powershell_complete", COMP_WORDS=words, COMP_CWORD=incomplete
    ).splitlines()

    names = [line.partition("\t")[0] for line in lines]
    assert all(line.partition("\t")[2] for line in lines)
    assert names == completed if completed else {"get", "upload"} <= set(names)


def test_bash_completes_commands() -> None:
    completed = _complete(_GINURI_COMPLETE="bash_complete", COMP_WORDS="ginuri sea", COMP_CWORD="1")

    assert completed == "plain,search\n"
