"""`python -m infra.deployment.back ENV` makes the previous version of every function live, within seconds.

With `--forward`, the version of the stack becomes live again. Repeated, it changes nothing more. Exits with
1, and moves nothing, if a function cannot go back.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment.environment import UnusableValue, load_environment
from infra.deployment.stack import Resource, list_resources
from infra.deployment.versions import CannotMove, Function, check_back, move, moved_back, read_functions

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

_WARNING = """\
The stack still has the newer version, and a deployment without changes does not make it live again:
`make forward` does. Before a deployment with Canary = true, either run that, or deploy once with
Canary = false (docs/how-to/go-back.md)."""


def go_back(functions: LambdaClient, resources: Sequence[Resource]) -> list[tuple[Function, str]]:
    """Make the previous versions live; return the functions with their new versions.

    All are checked before one is moved. Raises CannotMove and ClientError.
    """
    found = read_functions(functions, resources)
    for each in found:
        check_back(functions, each)
    return _move_all(functions, [(each, str(each.previous)) for each in found])


def go_forward(functions: LambdaClient, resources: Sequence[Resource]) -> list[tuple[Function, str]]:
    """Make the versions of the stack live; return the functions with their new versions.

    Raises ClientError.
    """
    moved = moved_back(read_functions(functions, resources))
    return _move_all(functions, [(each, each.deployed) for each in moved])


def _move_all(functions: LambdaClient, targets: Sequence[tuple[Function, str]]) -> list[tuple[Function, str]]:
    moved = [(function, version) for function, version in targets if function.live != version]
    for function, version in moved:
        move(functions, function, version)
        print(f"{function.name}: {function.live} → {version}")
    return moved


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m infra.deployment.back", description=__doc__)
    parser.add_argument("environment", help="dev or prod")
    parser.add_argument("--forward", action="store_true", help="make the version of the stack live again")
    options = parser.parse_args()
    try:
        environment = load_environment(options.environment)
        session = environment.session()
        resources = list_resources(session.client("cloudformation"), environment.stack)
        moved = (go_forward if options.forward else go_back)(session.client("lambda"), resources)
    except CannotMove as reason:
        sys.exit(f"Nothing was moved: {reason}")
    except (UnusableValue, BotoCoreError, ClientError) as error:
        sys.exit(f"{error} Repeat the command: functions that were moved already stay as they are.")
    if not moved:
        print("Nothing to move.")
    elif not options.forward:
        print(_WARNING, file=sys.stderr)


if __name__ == "__main__":
    _main()
