"""`python -m infra.deployment ENV` prints the arguments of `sam deploy`, with all parameters and tags.

It lists the changes on standard error. Exits with 1, and prints nothing, if a deployment would be wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment.before import FILE, check_canary, keep
from infra.deployment.environment import BUILT, UnusableValue, load_environment
from infra.deployment.parameters import plan_deployment, write_arguments
from infra.deployment.stack import list_resources, read_deployed
from infra.deployment.tags import plan_tags
from infra.deployment.versions import read_functions


def _main() -> None:
    try:
        environment = load_environment(sys.argv[1])
        session = environment.session()
        cloudformation = session.client("cloudformation")
        deployed = read_deployed(cloudformation, environment.stack)
        deployment = plan_deployment(BUILT, environment, deployed.values)
        tags = plan_tags(environment, deployed.tags)
        resources = list_resources(cloudformation, environment.stack) if deployed.values else []
        functions = read_functions(session.client("lambda"), resources)
        check_canary(functions, deployment.values)
        keep(functions, FILE)
    except (UnusableValue, BotoCoreError, ClientError) as error:
        sys.exit(f"Nothing was deployed. {error}")
    print(f"The stack {environment.stack} in {environment.region}:", file=sys.stderr)
    retagged = [f"tags: {_list(deployed.tags)} → {_list(tags)}"] if tags != deployed.tags else []
    for line in [*deployment.changes(), *retagged] or ["no parameter changes"]:
        print(f"  {line}", file=sys.stderr)
    arguments = write_arguments(environment, environment.stack, environment.region, deployment.values, tags)
    print(*arguments, sep="\n")


def _list(tags: Mapping[str, str]) -> str:
    return ", ".join(map("=".join, sorted(tags.items()))) or "none"


if __name__ == "__main__":
    _main()
