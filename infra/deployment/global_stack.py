"""`python -m infra.deployment.global_stack ENV` prints the arguments of `sam deploy` for global.yaml.

Its values are those of the deployed stack, and of the table [global.ENV] in site.toml; one that is named
nowhere keeps its deployed value. Exits with 1, and prints nothing, if a deployment would be wrong.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from samtranslator.yaml_helper import yaml_parse

from infra.deployment.environment import Environment, UnusableValue, load_environment
from infra.deployment.parameters import write_arguments
from infra.deployment.stack import Deployed, Resource, list_resources, read_deployed
from infra.deployment.tags import plan_tags

_ROOT = Path(__file__).parents[2]
TEMPLATE = _ROOT / "global.yaml"
REGION = "us-east-1"
_OF_THE_STACK = ("AlarmAddress", "CertificateArn")
"""The parameters that have the values of the stack, unless they are named."""
_OF_ITS_RESOURCES = {"DistributionId": "Distribution", "EdgeFunctionName": "EdgeFunction"}
"""The parameters that name a resource of the stack, which nobody can choose."""
_TABLE = "global"


def name_of(stack: str) -> str:
    """Return the name of the stack in us-east-1 for a stack."""
    return f"{stack}-global"


def plan_values(
    parameters: Mapping[str, Mapping[str, Any]],
    named: Mapping[str, str],
    deployed: Deployed,
    resources: Iterable[Resource],
    kept: Mapping[str, str],
) -> dict[str, str]:
    """Choose the value of every parameter of global.yaml. Raises UnusableValue."""
    chosen = [name for name in parameters if name not in _OF_ITS_RESOURCES]
    if unknown := named.keys() - set(chosen):
        raise UnusableValue(
            f"site.toml names {', '.join(sorted(unknown))} below [global]: there is no such parameter to "
            "choose. docs/reference/parameters.md lists those that there are."
        )
    ids = {resource.name: resource.id.rpartition("/")[2] for resource in resources}
    if missing := set(_OF_ITS_RESOURCES.values()) - ids.keys():
        raise UnusableValue(f"The stack has no {', '.join(sorted(missing))} yet: deploy it first.")
    values = {
        **{name: str(parameters[name]["Default"]) for name in chosen},
        **{name: value for name, value in kept.items() if name in chosen},
        **{name: deployed.values[name] for name in _OF_THE_STACK if name in deployed.values},
        **named,
        **{name: ids[resource] for name, resource in _OF_ITS_RESOURCES.items()},
    }
    for name, value in values.items():
        pattern = parameters[name].get("AllowedPattern", ".+")
        if not re.fullmatch(pattern, value) or re.search(r"\s", value):
            raise UnusableValue(
                f"{name} cannot be {value!r}. {parameters[name].get('ConstraintDescription', '')}"
            )
    return values


def read_named(site: Mapping[str, Any], environment: str) -> dict[str, str]:
    """Read the values of an environment from site.toml."""
    return {name: str(value) for name, value in site.get(_TABLE, {}).get(environment, {}).items()}


def plan_arguments(environment: Environment, site: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arguments of `sam deploy`. Raises UnusableValue, BotoCoreError and ClientError."""
    session = environment.session()
    cloudformation = session.client("cloudformation")
    deployed = read_deployed(cloudformation, environment.stack)
    resources = list_resources(cloudformation, environment.stack) if deployed.values else []
    stack = name_of(environment.stack)
    own = boto3.Session(profile_name=environment.profile, region_name=REGION).client("cloudformation")
    before = read_deployed(own, stack)
    parameters = yaml_parse(TEMPLATE.read_text(encoding="utf-8"))["Parameters"]
    named = read_named(site, environment.name)
    values = plan_values(parameters, named, deployed, resources, before.values)
    tags = plan_tags(environment, before.tags)
    yield from ("--template-file", str(TEMPLATE))
    yield from write_arguments(environment, stack, REGION, values, tags)


def _main() -> None:
    path = _ROOT / "site.toml"
    try:
        environment = load_environment(sys.argv[1])
        site = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        arguments = list(plan_arguments(environment, site))
    except (UnusableValue, BotoCoreError, ClientError) as error:
        sys.exit(f"Nothing was deployed. {error}")
    print(*arguments, sep="\n")


if __name__ == "__main__":
    _main()
