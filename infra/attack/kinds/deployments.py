"""Deployments with drawn values of parameters: a deployed value stays unless another one is named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from infra.attack.trials import Fault, Trial, trial
from infra.deployment.environment import Environment, UnusableValue
from infra.deployment.parameters import plan_deployment

PLANS = 20
"""The number of deployments in one case."""
DEFAULTS = {
    "CanonicalHost": "resources.example.org",
    "HostNames": "none",
    "CertificateArn": "none",
    "AlarmAddress": "none",
    "Canary": "false",
    "Release": "0",
}


@dataclass(frozen=True)
class Deployments:
    """The kind."""

    built: Path

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Plan some deployments."""
        self.built.mkdir(parents=True, exist_ok=True)
        parameters = {name: {"Type": "String", "Default": value} for name, value in DEFAULTS.items()}
        template = json.dumps({"Parameters": parameters, "Resources": {}})
        (self.built / "template.yaml").write_text(template, encoding="utf-8")
        for _ in range(PLANS):
            deployed, named = _draw(chance, "deployed"), _draw(chance, "named")
            environment = Environment(chance.choice(("dev", "prod")), "ginuri", "us-east-1", None, named)
            yield trial(f"{environment.name}: {deployed} and {named}", self._plan(environment, deployed))

    def _plan(self, environment: Environment, deployed: Mapping[str, str]) -> Iterator[Fault]:
        try:
            values = plan_deployment(self.built, environment, deployed).values
        except UnusableValue:
            if environment.name != "prod":
                yield Fault("deployments-are-planned", "refused")
            return
        yield from compare(values, deployed, environment)


def compare(
    values: Mapping[str, str], deployed: Mapping[str, str], environment: Environment
) -> Iterator[Fault]:
    """Find the values that neither the site nor the environment stated."""
    for name, default in DEFAULTS.items():
        expected = environment.named.get(name, deployed.get(name, default))
        if name != "Release" and values[name] != expected:
            yield Fault("deployed-values-stay", f"{name}: {values[name]} in place of {expected}")
    undecided = {"CanonicalHost", "AlarmAddress"} - environment.named.keys()
    if environment.name == "prod" and any(values[name] == DEFAULTS[name] for name in undecided):
        yield Fault("production-is-decided", f"{dict(values)}")


def _draw(chance: Random, origin: str) -> dict[str, str]:
    names = [name for name in DEFAULTS if name != "Release"]
    drawn = chance.sample(names, chance.randrange(len(names) + 1))
    return {name: chance.choice((DEFAULTS[name], f"{origin}.example")) for name in drawn}
