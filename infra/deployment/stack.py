"""The deployed stack: its parameters, tags and resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient


@dataclass(frozen=True)
class Deployed:
    """The values and tags of a stack: none before the first deployment."""

    values: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)


def read_deployed(cloudformation: CloudFormationClient, stack: str) -> Deployed:
    """Read the parameters, tags and outputs of a stack; empty if there is no such stack.

    Raises ClientError.
    """
    try:
        described = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
    except ClientError as error:
        if "does not exist" in str(error):
            return Deployed()
        raise
    return Deployed(
        {each["ParameterKey"]: each["ParameterValue"] for each in described.get("Parameters", ())},
        {each["Key"]: each["Value"] for each in described.get("Tags", ())},
        {each["OutputKey"]: each["OutputValue"] for each in described.get("Outputs", ())},
    )


@dataclass(frozen=True)
class Resource:
    """A resource of a stack: its logical id, its type, and the id that AWS gave it."""

    name: str
    kind: str
    id: str


def list_resources(cloudformation: CloudFormationClient, stack: str) -> list[Resource]:
    """List the resources of a stack. Raises ClientError."""
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack)
    return [
        Resource(each["LogicalResourceId"], each["ResourceType"], each["PhysicalResourceId"])
        for page in pages
        for each in page["StackResourceSummaries"]
        if "PhysicalResourceId" in each
    ]
