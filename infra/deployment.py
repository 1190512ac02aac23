"""The parameters of a deployment, which `make deploy` passes to SAM: named values, deployed ones, defaults.

`python -m infra.deployment ENV`, run by the Python of the SAM CLI after `sam build`, prints the arguments of
`sam deploy`, every parameter of the template among them, and lists the changes on standard error. The values
of a site are in site.toml, which belongs to the site; a value that it does not name keeps its deployed value,
so a working copy without that file resets none of them. Exits with 1, and prints nothing, if a deployment
would be wrong.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.release import compute_release, read_template

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

_ROOT = Path(__file__).parents[1]
_BUILT = _ROOT / ".aws-sam" / "build"
_DECIDED = {
    "prod": {
        "CanonicalHost": "identifiers would be cited on the host of somebody else",
        "AlarmAddress": "nobody would receive an alarm",
    }
}
"""For each environment, the parameters whose defaults are refused unless they are named, and the reason."""
_SETTINGS = ("stack_name", "region", "profile")
"""The names in site.toml that are no parameters of the template."""
_RELEASE = "Release"
_GENERATION, _GENERATIONS = "SecretGeneration", 8
"""The step in the replacement of secrets, and the number of steps, the first of which follows the last."""


class UnusableValue(ValueError):
    """Raised for a value that cannot be deployed; the message names it and the solution."""


@dataclass(frozen=True)
class Environment:
    """The settings of an environment: those of samconfig.toml, and of site.toml in their place."""

    name: str
    stack: str
    region: str
    profile: str | None
    named: Mapping[str, str]
    """The values of the named parameters."""


@dataclass(frozen=True)
class Deployment:
    """The values of all parameters, and the deployed ones: none before the first deployment."""

    values: Mapping[str, str]
    deployed: Mapping[str, str]

    def changes(self) -> Iterator[str]:
        """Describe each value that changes, a line each."""
        for name, value in self.values.items():
            before = self.deployed.get(name)
            if before == value:
                continue
            if name == _RELEASE:
                yield "Release: functions, layers or parameters changed; functions get a new version"
            elif self.deployed:
                yield f"{name}: {'not deployed yet' if before is None else before} → {value}"
            else:
                yield f"{name}: {value}"


def read_environment(
    configuration: Mapping[str, Any], name: str, site: Mapping[str, Any] = MappingProxyType({})
) -> Environment:
    """Read an environment of samconfig.toml and of a site.

    Raises KeyError for an unknown environment, UnusableValue for a value with a blank or without a name.
    """
    stated = configuration[name]["deploy"]["parameters"]
    own = {key: _write(value) for key, value in site.get(name, {}).items()}
    settings = {**stated, **{key: own.pop(key) for key in _SETTINGS if key in own}}
    entries = (*stated["parameter_overrides"], *map("=".join, own.items()))
    named = dict(map(_read_entry, entries))
    return Environment(name, settings["stack_name"], settings["region"], settings.get("profile"), named)


def read_deployed(cloudformation: CloudFormationClient, stack: str) -> dict[str, str]:
    """Read the values of the parameters of a stack; empty if there is no such stack. Raises ClientError."""
    try:
        described = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
    except ClientError as error:
        if "does not exist" in str(error):
            return {}
        raise
    return {each["ParameterKey"]: each["ParameterValue"] for each in described.get("Parameters", ())}


def plan_deployment(built: Path, environment: Environment, deployed: Mapping[str, str]) -> Deployment:
    """Choose the value of every parameter of the template that `sam build` left in `built`.

    Raises FileNotFoundError if nothing was built, and UnusableValue.
    """
    parameters = read_template(built)["Parameters"]
    defaults = {name: str(parameter["Default"]) for name, parameter in parameters.items()}
    named = environment.named
    if unknown := named.keys() - defaults.keys():
        raise UnusableValue(
            f"site.toml names {', '.join(sorted(unknown))}: the template has no such parameter. "
            "docs/reference/parameters.md lists those that it has."
        )
    kept = {name: value for name, value in deployed.items() if name in defaults}
    values = {**defaults, **kept, **named}
    for name, reason in _DECIDED.get(environment.name, {}).items():
        if values[name] == defaults[name] and name not in named:
            raise UnusableValue(
                f"{environment.name} needs a value for {name}: with {values[name]!r}, {reason}. Write "
                f'{name} = "…" below [{environment.name}] in site.toml.'
            )
    for name, value in values.items():
        if re.search(r"\s", value) or not value:
            raise UnusableValue(
                f"{name} is deployed as {value!r}, which is empty or has a blank: SAM cannot pass it on. "
                f'Write {name} = "…" below [{environment.name}] in site.toml.'
            )
    _check_generation(values, deployed)
    return Deployment({**values, _RELEASE: compute_release(built, values)}, deployed)


def _check_generation(values: Mapping[str, str], deployed: Mapping[str, str]) -> None:
    before, after = deployed.get(_GENERATION), values.get(_GENERATION)
    if before is None or after in {before, following := str(int(before) % _GENERATIONS + 1)}:
        return
    raise UnusableValue(
        f"{_GENERATION} is deployed as {before} and would become {after}: the gateway would refuse the "
        f"secret that the edge still sends. Deploy {following} first; two steps replace a secret."
    )


def _write(value: object) -> str:
    """Write a value of TOML as CloudFormation expects it."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ",".join(map(str, value))
        case _:
            return str(value)


def _read_entry(entry: str) -> tuple[str, str]:
    name, separator, value = entry.partition("=")
    if not (name and separator and value) or len(entry.split()) > 1:
        raise UnusableValue(f"{entry!r}, of samconfig.toml or site.toml, is no NAME=VALUE without blanks")
    return name, value


def _arguments(environment: Environment, values: Mapping[str, str]) -> Iterator[str]:
    yield from ("--stack-name", environment.stack, "--region", environment.region)
    yield from ("--s3-prefix", environment.stack)
    yield from () if environment.profile is None else ("--profile", environment.profile)
    yield from ("--parameter-overrides", *map("=".join, values.items()))


def _read(name: str) -> dict[str, Any]:
    path = _ROOT / name
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _main() -> None:
    try:
        environment = read_environment(_read("samconfig.toml"), sys.argv[1], _read("site.toml"))
        session = boto3.Session(profile_name=environment.profile, region_name=environment.region)
        deployed = read_deployed(session.client("cloudformation"), environment.stack)
        deployment = plan_deployment(_BUILT, environment, deployed)
    except (UnusableValue, tomllib.TOMLDecodeError, BotoCoreError, ClientError) as error:
        sys.exit(f"Nothing was deployed. {error}")
    print(f"The stack {environment.stack} in {environment.region}:", file=sys.stderr)
    for line in list(deployment.changes()) or ["no parameter changes"]:
        print(f"  {line}", file=sys.stderr)
    print(*_arguments(environment, deployment.values), sep="\n")


if __name__ == "__main__":
    _main()
