"""The resources of a created stack with their properties, references resolved by moto."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Created:
    """One resource of the stack; `properties` are as in the template, with every reference resolved."""

    logical_id: str
    kind: str
    physical_id: str
    properties: Mapping[str, Any]


@dataclass(frozen=True)
class Resources:
    """All resources of one stack, in the order in which they were created."""

    created: tuple[Created, ...]

    def of_kind(self, kind: str) -> list[Created]:
        """Return the resources of a CloudFormation type."""
        return [resource for resource in self.created if resource.kind == kind]

    def named(self, logical_id: str) -> Created:
        """Return the resource with this logical id in the template.

        Raises KeyError if there is none.
        """
        for resource in self.created:
            if resource.logical_id == logical_id:
                return resource
        raise KeyError(logical_id)


def function_name(reference: str) -> str:
    """Return the name of a function from its name or its ARN, with or without an alias."""
    return reference.rpartition(":function:")[2].partition(":")[0]
