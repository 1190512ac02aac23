"""The expanded template, prepared for tests: resources by type, and references as plain names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

FUNCTIONS = ("ApiFunction", "DescribeFunction", "IngestFunction", "PublishFunction", "ResolveFunction")
ALIAS = "Aliaslive"
"""The suffix that SAM appends to a function's logical id for its alias."""
BUCKETS = ("ArchiveBucket", "ContentBucket", "ReportsBucket", "UploadsBucket")
REWRITTEN = "PublishedBucket"
"""The bucket whose files are all written again each day."""

Permission = tuple[str, str]
"""An action, and the logical id of its resource (`UploadsBucket/*` for the objects in it)."""


class Stack:
    """All resources of an expanded template by logical id."""

    def __init__(self, template: Mapping[str, Any]) -> None:
        self.template = template
        self.resources: Mapping[str, Mapping[str, Any]] = template["Resources"]

    def of_type(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """Return the properties of every resource of a CloudFormation type, by logical id."""
        return {
            name: resource["Properties"]
            for name, resource in self.resources.items()
            if resource["Type"] == kind
        }

    def properties(self, name: str) -> Mapping[str, Any]:
        """Return the properties of one resource."""
        properties: Mapping[str, Any] = self.resources[name]["Properties"]
        return properties

    def variables(self, function: str) -> set[str]:
        """Return the names of a function's environment variables."""
        return set(self.properties(function)["Environment"]["Variables"])

    def role(self, function: str) -> Mapping[str, Any]:
        """Return the properties of a function's role."""
        return self.properties(referred(self.properties(function)["Role"]))

    def permissions(self, function: str) -> list[Permission]:
        """Return the permissions of a function's role. Raises ValueError unless all are plain Allows."""
        return [
            permission
            for policy in self.role(function)["Policies"]
            for statement in policy["PolicyDocument"]["Statement"]
            for permission in _permissions(statement)
        ]

    def routes(self) -> dict[str, str]:
        """Return each route of the API, as `METHOD path`, with its function."""
        return {
            f"{_method(method)} {path}": _integrated(operation)
            for api in self.of_type("AWS::ApiGateway::RestApi").values()
            for path, stated in api["Body"]["paths"].items()
            for method, operation in if_true(stated).items()
        }


TABLE = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableInUse.Value}"
"""The table in use: the stack's own, or another one."""


def if_true(value: Any) -> Any:
    """Return a value of the template as it is if its condition holds."""
    match value:
        case {"Fn::If": [_, stated, _]}:
            return stated
        case _:
            return value


def referred(value: Any) -> str:
    """Return the target of an intrinsic: `X`, `X/*` for the objects in X, `X/index/Y` for an index of it.

    An alias stands for its function.
    """
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), "Arn"]}:
            return name.removesuffix(ALIAS)
        case {"Fn::Sub": str(text)} if found := re.fullmatch(r"\$\{(\w+)\.Arn\}(/\*|/index/\w+)", text):
            return found[1] + found[2]
        case {"Fn::Sub": str(text)} if text.startswith(TABLE):
            return f"RegistryTable{text.removeprefix(TABLE)}"
    raise ValueError(f"{value} is no plain reference")


def listed(value: Any) -> list[Any]:
    """Return a list, also for a single value."""
    return value if isinstance(value, list) else [value]


def _permissions(statement: Mapping[str, Any]) -> Iterator[Permission]:
    members = {"Sid", "Effect", "Action", "Resource", "Condition"}
    if statement["Effect"] != "Allow" or statement.keys() - members:
        raise ValueError(f"{statement} is no plain Allow")
    items = _items_of(statement.get("Condition"))
    for action in listed(statement["Action"]):
        for resource in listed(statement["Resource"]):
            yield action, f"{referred(resource)}{items}"


def _items_of(condition: Mapping[str, Any] | None) -> str:
    """Return the partition keys of a table that a permission is limited to, after a space; empty for all."""
    match condition:
        case None:
            return ""
        case {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [str(keys)]}} if len(condition) == 1:
            return f" {keys}"
        case _:
            raise ValueError(f"{condition} is no condition on partition keys")


def _method(name: str) -> str:
    return "ANY" if name == "x-amazon-apigateway-any-method" else name.upper()


def _integrated(operation: Mapping[str, Any]) -> str:
    integration = operation["x-amazon-apigateway-integration"]
    found = re.search(rf"/functions/\$\{{(\w+){ALIAS}\}}/invocations$", integration["uri"]["Fn::Sub"])
    if found is None or integration["type"] != "aws_proxy":
        raise ValueError(f"{integration} leads to no function")
    return found[1]
