"""The live versions before a deployment, kept in the build folder until it has succeeded.

`python -m infra.deployment.before ENV`, after `sam deploy`, points the alias `previous` to them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment.environment import BUILT, UnusableValue, load_environment
from infra.deployment.stack import list_resources
from infra.deployment.versions import Function, moved_back, note_previous, read_functions

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

FILE = BUILT.parent / "live-versions.json"


def check_canary(functions: Sequence[Function], values: Mapping[str, str]) -> None:
    """Raise UnusableValue for a canary after an alias was moved by hand.

    CodeDeploy is given the version that traffic points to and the one to shift to, and CloudFormation knows
    only that of the stack. AWS does not document what happens if these differ.
    """
    moved = [f"{each.name} ({each.live}, not {each.deployed})" for each in moved_back(functions)]
    if moved and values.get("Canary") == "true":
        raise UnusableValue(
            f"other versions are live than those of the stack: {', '.join(moved)}. Deploy once with Canary = "
            "false in site.toml, or run make forward first (docs/how-to/go-back.md)."
        )


def keep(functions: Sequence[Function], file: Path) -> None:
    """Write the live versions to a file."""
    file.write_text(json.dumps({each.name: each.live for each in functions}), encoding="utf-8")


def note(client: LambdaClient, functions: Sequence[Function], file: Path) -> None:
    """Note the kept versions at the functions, and forget the file. Raises ClientError."""
    if not file.exists():
        return
    before = json.loads(file.read_text(encoding="utf-8"))
    for each in functions:
        if each.name in before:
            note_previous(client, each, before[each.name])
    file.unlink()


def _main() -> None:
    try:
        environment = load_environment(sys.argv[1])
        session = environment.session()
        client = session.client("lambda")
        resources = list_resources(session.client("cloudformation"), environment.stack)
        note(client, read_functions(client, resources), FILE)
    except (UnusableValue, BotoCoreError, ClientError) as error:
        sys.exit(f"The stack is deployed, but make back does not know the previous versions: {error}")


if __name__ == "__main__":
    _main()
