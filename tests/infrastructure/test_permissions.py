"""The functions have the permissions for exactly their calls."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.infrastructure.reach import reached
from tests.infrastructure.stack import FUNCTIONS, Permission, Stack, referred
from tests.infrastructure.usage import SERVICES, actions_called


def _on(resource: str, *actions: str) -> set[Permission]:
    return set(itertools.product(actions, [resource]))


READ = ("dynamodb:GetItem", "dynamodb:BatchGetItem")
MADE: dict[str, set[Permission]] = {
    "ResolveFunction": {
        *_on("RegistryTable", *READ),
        *_on("RegistryTable/index/near", "dynamodb:Query"),
        *_on("RegistryTable/index/members", "dynamodb:Query"),
        *_on("ContentBucket/*", "s3:GetObjectVersion"),
        *_on("PublishedBucket/*", "s3:GetObject"),
    },
    "DescribeFunction": {
        *_on("RegistryTable", *READ),
        *_on("RegistryTable beginnings *", "dynamodb:Query"),
        *_on("RegistryTable/index/near", "dynamodb:Query"),
        *_on("RegistryTable/index/members", "dynamodb:Query"),
        *_on("RegistryTable/index/collections", "dynamodb:Query"),
        *_on("RegistryTable/index/narrower", "dynamodb:Query"),
        *_on("ContentBucket/*", "s3:GetObjectVersion"),
        *_on("PublishedBucket/*", "s3:GetObject"),
    },
    "ApiFunction": {
        *_on("RegistryTable", *READ, "dynamodb:Query"),
        *_on("RegistryTable/index/members", "dynamodb:Query"),
        *_on("AccessTable", "dynamodb:BatchGetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"),
        *_on("AccessTable/index/owners", "dynamodb:Query"),
        *_on("UploadsBucket/*", "s3:PutObject", "s3:GetObjectVersion"),
        *_on("UploadsBucket", "s3:ListBucketVersions"),
        *_on("ContentBucket/*", "s3:GetObjectVersion"),
        *_on("ReportsBucket/*", "s3:GetObject"),
        *_on("ArchiveBucket/*", "s3:GetObject"),
        *_on("ArchiveBucket", "s3:ListBucket"),
    },
    "PublishFunction": {
        *_on("RegistryTable", "dynamodb:Scan", *READ),
        *_on("RegistryTable/index/near", "dynamodb:Query"),
        *_on("RegistryTable/index/members", "dynamodb:Query"),
        *_on("ReportsBucket/*", "s3:GetObject"),
        *_on("ReportsBucket", "s3:ListBucket"),
        *_on("PublishedBucket/*", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"),
        *_on("PublishedBucket", "s3:ListBucket"),
    },
    "IngestFunction": {
        *_on("RegistryTable", *READ, "dynamodb:PutItem", "dynamodb:ConditionCheckItem", "dynamodb:Query"),
        *_on("RegistryTable/index/near", "dynamodb:Query"),
        *_on("RegistryTable/index/members", "dynamodb:Query"),
        *_on("AccessTable", "dynamodb:GetItem"),
        *_on("UploadsBucket/*", "s3:GetObject", "s3:GetObjectVersion"),
        *_on("UploadsBucket", "s3:ListBucketVersions"),
        *_on("ContentBucket/*", "s3:GetObject", "s3:PutObject"),
        *_on("ReportsBucket/*", "s3:GetObject", "s3:PutObject"),
        *_on("ReportsBucket", "s3:ListBucket"),
        *_on("IngestQueue", "sqs:SendMessage"),
    },
}
LOG = ("logs:CreateLogStream", "logs:PutLogEvents")
POLL = (
    "sqs:ReceiveMessage",
    "sqs:DeleteMessage",
    "sqs:ChangeMessageVisibility",
    "sqs:GetQueueAttributes",
)
# S3 answers 403 in place of 404 for a missing object, unless the caller may list the bucket.
NEEDED_TO_HEAR_OF_404: dict[str, set[Permission]] = {
    "ResolveFunction": {*_on("ContentBucket", "s3:ListBucket"), *_on("PublishedBucket", "s3:ListBucket")},
    "DescribeFunction": {*_on("ContentBucket", "s3:ListBucket"), *_on("PublishedBucket", "s3:ListBucket")},
    "ApiFunction": {*_on("UploadsBucket", "s3:ListBucket"), *_on("ReportsBucket", "s3:ListBucket")},
    "PublishFunction": set(),
    "IngestFunction": {
        *_on("UploadsBucket", "s3:ListBucket"),
        *_on("ContentBucket", "s3:ListBucket"),
    },
}
# The calls that Lambda itself makes in the function's name.
MADE_BY_LAMBDA: dict[str, set[Permission]] = {
    "ResolveFunction": {*_on("ResolveLogGroup", *LOG), *_on("ResolveDeadLetterQueue", "sqs:SendMessage")},
    "DescribeFunction": {*_on("DescribeLogGroup", *LOG), *_on("DescribeDeadLetterQueue", "sqs:SendMessage")},
    "ApiFunction": {*_on("ApiLogGroup", *LOG), *_on("ApiDeadLetterQueue", "sqs:SendMessage")},
    "PublishFunction": {*_on("PublishLogGroup", *LOG), *_on("PublishDeadLetterQueue", "sqs:SendMessage")},
    "IngestFunction": {*_on("IngestLogGroup", *LOG), *_on("IngestQueue", *POLL)},
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_has_exactly_these_permissions(stack: Stack, function: str) -> None:
    permissions = stack.permissions(function)

    assert set(permissions) == (MADE[function] | NEEDED_TO_HEAR_OF_404[function] | MADE_BY_LAMBDA[function])
    assert len(set(permissions)) == len(permissions)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_may_make_exactly_the_calls_in_its_source(stack: Stack, root: Path, function: str) -> None:
    called = actions_called(reached(root, stack.properties(function)["Handler"]))

    assert called == {action for action, _ in MADE[function]}


@pytest.mark.parametrize("function", ["DescribeFunction", "ResolveFunction"])
def test_a_function_that_answers_requests_may_not_write(stack: Stack, function: str) -> None:
    actions = {action for action, _ in stack.permissions(function) if action.startswith(SERVICES[:2])}

    assert actions <= {*READ, "dynamodb:Query", "s3:GetObject", "s3:GetObjectVersion", "s3:ListBucket"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_has_its_own_role_without_foreign_policies(stack: Stack, function: str) -> None:
    assert referred(stack.properties(function)["Role"]) == function.replace("Function", "Role")
    assert not stack.role(function).keys() & {"ManagedPolicyArns", "PermissionsBoundary"}


def test_only_lambda_and_for_copies_s3_may_assume_a_role(stack: Stack) -> None:
    for name, role in stack.of_type("AWS::IAM::Role").items():
        service = "s3" if name == "CopyRole" else "lambda"
        statements = role["AssumeRolePolicyDocument"]["Statement"]
        assert [each["Principal"] for each in statements] == [{"Service": f"{service}.amazonaws.com"}]


def test_the_role_for_copies_writes_only_in_the_second_region(stack: Stack) -> None:
    [policy] = stack.properties("CopyRole")["Policies"]
    arn = "arn:${AWS::Partition}:s3:::${AWS::StackName}-*-${AWS::AccountId}-"
    for statement in policy["PolicyDocument"]["Statement"]:
        is_written = any(action.startswith("s3:Replicate") for action in statement["Action"])
        region = "${CopyRegion}" if is_written else "${AWS::Region}"
        assert statement["Resource"]["Fn::Sub"].removesuffix("/*") == f"{arn}{region}"


def test_permissions_are_granted_only_by_roles(stack: Stack) -> None:
    kinds = {resource["Type"] for resource in stack.resources.values()}

    assert {kind for kind in kinds if kind.startswith("AWS::IAM::")} == {"AWS::IAM::Role"}
