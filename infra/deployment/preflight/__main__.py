"""`python -m infra.deployment.preflight ENV` checks what a first deployment fails on.

It prints a line for each check, with the remedy, and changes nothing; `--probe` makes a disabled distribution
and deletes it. Exits with 0 if a deployment can succeed as far as that can be known, with 1 if it would fail,
with 2 if AWS cannot be asked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment.environment import Environment, UnusableValue, load_environment
from infra.deployment.parameters import choose_values
from infra.deployment.preflight import account, edge, names, rights
from infra.deployment.preflight.finding import Finding, Verdict, failed, unknown
from infra.deployment.preflight.plan import Clients, Plan, open_clients
from infra.deployment.stack import list_resources, read_deployed
from infra.release import read_template

_ROOT = Path(__file__).parents[3]
_LONGEST = 200
"""Characters of an error that are shown."""
_DENIED = ("AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError")

CHECKS: dict[str, Callable[[Plan], Iterator[Finding]]] = {
    "region": account.check_region,
    "stack": account.check_stack,
    "artefacts": account.check_sam,
    "permissions": rights.check_permissions,
    "concurrency": account.check_concurrency,
    "buckets": names.check_buckets,
    "log groups": names.check_log_groups,
    "names of the edge": names.check_edge_names,
    "CloudFront": edge.check_cloudfront,
    "hosts": edge.check_hosts,
    "certificate": edge.check_certificate,
    "hosted zone": edge.check_zone,
}
"""Every check, by its name."""


def make_plan(environment: Environment, clients: Clients, template: Mapping[str, Any]) -> Plan:
    """Read what a deployment of a template is about to make.

    Raises UnusableValue, ClientError and BotoCoreError.
    """
    stacks = clients("cloudformation")
    caller = clients("sts").get_caller_identity()
    deployed = read_deployed(stacks, environment.stack)
    values = choose_values(template, environment, deployed.values)
    own = list_resources(stacks, environment.stack) if deployed.values else []
    return Plan(environment, clients, template, values, caller["Account"], caller["Arn"], own)


def run_checks(plan: Plan, *, probe: bool = False) -> Iterator[tuple[str, Finding]]:
    """Run every check; yield the name of each with what it found."""
    for name, check in CHECKS.items():
        chosen = edge.probe_cloudfront if probe and check is edge.check_cloudfront else check
        try:
            for finding in chosen(plan):
                yield name, finding
        except (BotoCoreError, ClientError) as error:
            yield name, _explain(error)


def _explain(error: BotoCoreError | ClientError) -> Finding:
    if isinstance(error, ClientError) and error.response["Error"]["Code"] in _DENIED:
        return unknown(f"the caller may not call {error.operation_name}", "allow it, or check this by hand.")
    return unknown(str(error)[:_LONGEST], "repeat the command, or check this by hand.")


def main(arguments: Sequence[str] | None = None, clients: Clients | None = None) -> int:
    """Print the findings, and return the exit code; the clients are those of the environment's session."""
    parser = argparse.ArgumentParser(prog="python -m infra.deployment.preflight", description=__doc__)
    parser.add_argument("environment", help="dev or prod")
    parser.add_argument("--probe", action="store_true", help="make a disabled distribution, and delete it")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    try:
        environment = load_environment(options.environment)
        findings = list(_report(environment, clients or open_clients(environment), options))
    except (BotoCoreError, ClientError) as error:
        print(f"error: AWS cannot be asked: {error}", file=sys.stderr)
        return 2
    except UnusableValue as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps([{"check": name, **asdict(finding)} for name, finding in findings], indent=1))
    return int(any(finding.verdict is Verdict.FAILED for _, finding in findings))


def _report(
    environment: Environment, clients: Clients, options: argparse.Namespace
) -> Iterator[tuple[str, Finding]]:
    try:
        plan = make_plan(environment, clients, read_template(_ROOT))
        found: Iterator[tuple[str, Finding]] = run_checks(plan, probe=options.probe)
    except UnusableValue as error:
        found = iter([("values", failed(str(error), "change site.toml."))])
    for name, finding in found:
        if not options.json:
            print(f"{finding.verdict:8} {name}: {finding.text}", flush=True)
            if finding.remedy:
                print(f"{'':8} → {finding.remedy}", flush=True)
        yield name, finding


if __name__ == "__main__":
    sys.exit(main())
