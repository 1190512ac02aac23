"""`python -m infra.first_run ENV` checks on AWS what the tests cannot show.

It asks AWS and the service by itself, and a person for the rest, and writes first-run-REGION.json, which can
be committed. Repeated, it goes on with what has not passed for this release. Exits with 0 if every check
passed or was skipped, with 1 if one failed, with 2 if the stack cannot be checked, with 3 if some are open.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment.environment import Environment, UnusableValue, load_environment
from infra.deployment.preflight.plan import Clients, open_clients
from infra.deployment.stack import list_resources, read_deployed
from infra.first_run.results import Result, Results, Verdict, read_results
from infra.first_run.session import Ask, Choice, run
from infra.first_run.table import read_table
from infra.first_run.target import Target

_SHOWN_RELEASE = 12
_FAILED, _UNUSABLE, _OPEN = 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        environment = load_environment(options.environment)
        target = find_target(environment, open_clients(environment))
        file = options.file or Path(f"first-run-{target.region}.json")
        results = read_results(file, target.region, target.values["Release"][:_SHOWN_RELEASE])
        choice = Choice(options.disruptive, options.again, options.only)
        shown = sys.stderr if options.json else sys.stdout
        for result in run(read_table(), target, results, choose_ask(), choice):
            print(f"{result.verdict:8} {result.check}: {result.found}", file=shown, flush=True)
    except (UnusableValue, BotoCoreError, ClientError, ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return _UNUSABLE
    except KeyboardInterrupt:
        return 130
    if options.json:
        print(json.dumps(results.as_document(), indent=1, ensure_ascii=False))
    return _conclude(results)


def find_target(environment: Environment, clients: Clients) -> Target:
    """Find the stack. Raises UnusableValue without one, ClientError and BotoCoreError."""
    stacks = clients("cloudformation")
    deployed = read_deployed(stacks, environment.stack)
    if not deployed.values:
        raise UnusableValue(f"there is no stack {environment.stack} in {environment.region}: make deploy")
    own = {"AWS_REGION": environment.region, "AWS_DEFAULT_REGION": environment.region}
    profile = {} if environment.profile is None else {"AWS_PROFILE": environment.profile}
    return Target(
        environment.stack,
        environment.region,
        deployed.values,
        deployed.outputs,
        list_resources(stacks, environment.stack),
        clients,
        environment={**os.environ, **own, **profile},
    )


def choose_ask() -> Ask:
    """Ask at the terminal, if there is one; otherwise nobody knows."""
    return _ask_terminal if sys.stdin.isatty() else lambda _question: ""


def _ask_terminal(question: str) -> str:
    print(question, file=sys.stderr)
    print("  y, n, or what came instead; Enter leaves it open: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()


def _conclude(results: Results) -> int:
    counts = Counter(result.verdict for result in results.checks.values())
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    print(f"{results.file}: {summary}", file=sys.stderr)
    skipped: list[Result] = [each for each in results.checks.values() if each.verdict is Verdict.SKIPPED]
    for each in skipped:
        print(f"  skipped: {each.check}", file=sys.stderr)
    if counts[Verdict.FAILED]:
        return _FAILED
    return _OPEN if counts[Verdict.OPEN] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.first_run", description=__doc__)
    parser.add_argument("environment", help="dev or prod")
    parser.add_argument("--disruptive", action="store_true", help="also checks that disturb clients")
    parser.add_argument("--again", action="store_true", help="also checks that passed already")
    parser.add_argument("--only", nargs="*", default=(), metavar="KEY", help="checks by their keys")
    parser.add_argument("--file", type=Path, help="of the results (first-run-REGION.json)")
    parser.add_argument("--json", action="store_true", help="print the results as one document")
    return parser


if __name__ == "__main__":
    sys.exit(main())
