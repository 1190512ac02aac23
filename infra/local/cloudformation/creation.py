"""The template becomes a stack: created by moto, completed by API calls."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.parsers import ResponseParserError

from infra.local.cloudformation.completion import TemplateRefused, Tools
from infra.local.cloudformation.missing_types import check, register, resources_of
from infra.local.cloudformation.moto_gaps import GAPS
from infra.local.cloudformation.resources import Resources
from infra.local.template import CODE_BUCKET, code_keys


def create(
    tools: Tools, template: dict[str, Any], name: str, parameters: Mapping[str, str]
) -> tuple[Resources, dict[str, str]]:
    """Create the expanded template as the stack `name`; return its resources and its outputs.

    Raises GapsAreWrong, TemplateRefused, and botocore's ClientError for the refusals of moto.
    """
    check(template)
    register()
    _put_code(tools, template)
    cloudformation = tools.account.client("cloudformation")
    try:
        stack_id = cloudformation.create_stack(
            StackName=name,
            TemplateBody=json.dumps(template),
            Capabilities=["CAPABILITY_IAM"],
            Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        )["StackId"]
    except ResponseParserError as error:  # moto's own traceback, which it has written to stderr, is no XML
        raise TemplateRefused("moto failed over the template; the end of the trace above says why") from error
    stack = cloudformation.describe_stacks(StackName=stack_id)["Stacks"][0]
    if stack["StackStatus"] != "CREATE_COMPLETE":
        raise TemplateRefused(f"moto did not create the stack: {stack['StackStatus']}")
    resources = resources_of(stack_id)
    _complete(tools, resources)
    return resources, {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}


def _put_code(tools: Tools, template: dict[str, Any]) -> None:
    """Store an empty object for each code package of the template, at the key that `sam deploy` would use."""
    s3 = tools.account.client("s3")
    s3.create_bucket(Bucket=CODE_BUCKET)
    for key in code_keys(template):
        s3.put_object(Bucket=CODE_BUCKET, Key=key, Body=b"")


def _complete(tools: Tools, resources: Resources) -> None:
    for created in resources.created:
        for name, complete in GAPS[created.kind].completed.items():
            if name in created.properties:
                complete(tools, created)
