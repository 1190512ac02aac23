"""The values of all parameters of a deployment: named ones, deployed ones, defaults.

A value that no file names keeps its deployed value, so a working copy without the file of a site resets none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.deployment.environment import Environment, UnusableValue
from infra.release import compute_release, read_template

_DECIDED = {
    "prod": {
        "CanonicalHost": "identifiers would be cited on the host of somebody else",
        "AlarmAddress": "nobody would receive an alarm",
    }
}
"""For each environment, the parameters whose defaults are refused unless they are named, and the reason."""
_RELEASE = "Release"
_GENERATION, _GENERATIONS = "SecretGeneration", 8
"""The step in the replacement of secrets, and the number of steps, the first of which follows the last."""


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


def plan_deployment(built: Path, environment: Environment, deployed: Mapping[str, str]) -> Deployment:
    """Choose the value of every parameter of the template that `sam build` left in `built`.

    Raises FileNotFoundError if nothing was built, and UnusableValue.
    """
    values = choose_values(read_template(built), environment, deployed)
    return Deployment({**values, _RELEASE: compute_release(built, values)}, deployed)


def choose_values(
    template: Mapping[str, Any], environment: Environment, deployed: Mapping[str, str]
) -> dict[str, str]:
    """Choose the values of the parameters of a template. Raises UnusableValue."""
    parameters = template["Parameters"]
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
    return values


def write_arguments(
    environment: Environment, stack: str, region: str, values: Mapping[str, str], tags: Mapping[str, str]
) -> Iterator[str]:
    """Yield the arguments of `sam deploy` for a stack of an environment, with all parameters and tags."""
    yield from ("--stack-name", stack, "--region", region, "--s3-prefix", stack)
    yield from () if environment.profile is None else ("--profile", environment.profile)
    yield from ("--tags", *map("=".join, tags.items())) if tags else ()
    yield from ("--parameter-overrides", *map("=".join, values.items()))


def _check_generation(values: Mapping[str, str], deployed: Mapping[str, str]) -> None:
    before, after = deployed.get(_GENERATION), values.get(_GENERATION)
    if before is None or after in {before, following := str(int(before) % _GENERATIONS + 1)}:
        return
    raise UnusableValue(
        f"{_GENERATION} is deployed as {before} and would become {after}: the gateway would refuse the "
        f"secret that the edge still sends. Deploy {following} first; two steps replace a secret."
    )
