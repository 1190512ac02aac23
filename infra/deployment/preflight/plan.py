"""What a deployment is about to make: its environment, the values of its parameters, its resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from infra.deployment.environment import Environment
from infra.deployment.stack import Resource


class Clients(Protocol):
    """Opens clients of AWS, in the region of the stack unless another one is given."""

    def __call__(self, service: str, region: str | None = None) -> Any:  # noqa: ANN401  each has its own type
        """Return a client."""


def open_clients(environment: Environment) -> Clients:
    """Open the clients of an environment. Raises BotoCoreError."""
    session = environment.session()

    def client(service: str, region: str | None = None) -> Any:  # noqa: ANN401  each has its own type
        return session.client(service, region_name=region)  # type: ignore[call-overload]

    return client


@dataclass(frozen=True)
class Plan:
    """A deployment that was not made yet."""

    environment: Environment
    clients: Clients
    template: Mapping[str, Any]
    values: Mapping[str, str]
    account: str
    caller: str
    """The ARN of the caller."""
    own: Sequence[Resource]
    """The resources that the stack has already."""

    def owns(self, name: str) -> bool:
        """Return whether the stack has a resource of that name."""
        return any(each.id == name for each in self.own)

    def owns_a(self, kind: str) -> bool:
        """Return whether the stack has a resource of that type."""
        return any(each.kind == kind for each in self.own)

    def named(self, kind: str, *path: str) -> Iterator[tuple[str, str]]:
        """Yield the logical id and the name of each resource of a type whose name the template states."""
        for logical, resource in self.template["Resources"].items():
            if resource["Type"] != kind:
                continue
            value: Any = resource["Properties"]
            for key in path:
                value = value.get(key, {})
            if isinstance(value, Mapping) and isinstance(value.get("Fn::Sub"), str):
                yield logical, self.fill(value["Fn::Sub"])

    def fill(self, text: str) -> str:
        """Return a text of the template with the pseudo parameters of the stack filled in."""
        values = {
            "AWS::StackName": self.environment.stack,
            "AWS::AccountId": self.account,
            "AWS::Region": self.environment.region,
            "AWS::Partition": "aws",
        }
        for name, value in values.items():
            text = text.replace(f"${{{name}}}", value)
        return text

    def hosts(self) -> list[str]:
        """Return the hosts of the edge."""
        value = self.values["HostNames"]
        return [] if value == "none" else value.split(",")
