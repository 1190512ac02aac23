"""The command beside a running stack, in this process: one of its own takes half a second to start."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from infra.local.coordinates import published
from infra.local.stack import Stack


def run_ginuri(stack: Stack, folder: Path, *arguments: str) -> Result:
    """Run a command, which finds the stack through a file in `folder`."""
    environment = {LOCAL_STACK_VARIABLE: str(folder / "stack.json"), "GINURI_STACK": ""}
    with published(stack, folder / "stack.json"):
        return CliRunner().invoke(main, arguments, env=environment, prog_name="ginuri")
