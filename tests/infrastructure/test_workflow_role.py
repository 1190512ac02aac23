"""The role of a workflow may do what a deployment needs, according to AWS's own list, and little more."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER
from samtranslator.yaml_helper import yaml_parse

from infra.local.template import expand
from tests.infrastructure.stack import listed

UNUSED = {
    "firehose:*": "logs go nowhere else",
    "kinesis:*": "the table has no stream",
    "kms:*": "every key is AWS's own",
    "ec2:*": "functions are in no private network",
    "elasticfilesystem:*": "functions have no file system",
    "s3files:*": "functions have no file system",
    "s3tables:*": "buckets have no tables of metadata",
    "iam:CreateServiceLinkedRole": "the table has no replicas",
    "iam:*PermissionsBoundary": "roles have no boundary",
    "codedeploy:RegisterOnPremisesInstance": "deployments are of functions",
    "cloudfront:CreateDistributionWithTags": "CreateDistribution allows this call as well",
    "cloudfront:*ConnectionGroup": "the distribution has no tenants",
    "cloudfront:GetVpcOrigin": "the origin is public",
    "cloudfront:UpdateDistributionWithStagingConfig": "there is no staging distribution",
    "dynamodb:*Item": "nothing is imported into the table",
    "dynamodb:*KinesisStreamingDestination": "the table has no stream",
    "dynamodb:*TableReplica": "the table has no replicas",
    "dynamodb:ImportTable": "nothing is imported into the table",
    "dynamodb:Query": "nothing is imported into the table",
    "dynamodb:Scan": "nothing is imported into the table",
    "dynamodb:*ResourcePolicy": "the table has no policy",
    "dynamodb:UpdateContributorInsights": "they are off",
    "lambda:*CodeSigningConfig": "code is not signed",
    "lambda:*ProvisionedConcurrencyConfig": "nothing is provisioned",
    "lambda:AssociateRuntimeAlias": "the runtime is AWS's own",
    "lambda:PassCapacityProvider": "functions run on Lambda's own machines",
    "logs:*Delivery": "logs go nowhere else",
    "logs:*DataProtectionPolicy": "logs have no policy",
    "logs:*IndexPolicy": "logs have no index",
    "logs:*ResourcePolicy": "logs have no policy",
    "logs:*KmsKey": "every key is AWS's own",
    "logs:CreateLogStream": "nothing is imported into the table",
    "logs:DescribeLogStreams": "nothing is imported into the table",
    "logs:PutBearerTokenAuthentication": "logs come from functions only",
    "logs:PutLogEvents": "nothing is imported into the table",
    "logs:PutLogGroupDeletionProtection": "log groups may be deleted",
    "s3:DeleteObject": "a bucket is deleted only if it is empty",
    "s3:GetObjectMetadata": "nothing is imported into the table",
    "s3:PutObject*": "the stack writes no objects",
    "s3:REST.PUT.OBJECT": "logs go nowhere else",
    "s3:*BucketMetadata*": "buckets have no tables of metadata",
    "s3:DeleteBucket[ACELMRW]*": "buckets keep what the template sets",
    "s3:*BucketTagging": "DELETE of tags is PutBucketTagging in IAM",
    "secretsmanager:*Replica*": "secrets are in one region",
    "sns:PutDataProtectionPolicy": "the topic has no policy of data protection",
}
"""Actions that AWS lists for a type of resource, for properties that the template does not use."""
FURTHER = {
    "acm:DescribeCertificate": "make preflight",
    "cloudformation:*": "sam deploy",
    "cloudfront:List*": "make preflight",
    "iam:SimulatePrincipalPolicy": "make preflight",
    "lambda:GetAccountSettings": "make preflight",
    "lambda:InvokeFunction": "the first publication",
    "lambda:ListAliases": "make deploy notes the previous versions",
    "route53:GetHostedZone": "make preflight",
    "s3:PutObject": "the artefacts, and the smoke test",
}
"""Actions that AWS does not list for any resource of the stack, and what needs them."""
LONGEST_POLICY = 6_144
"""Characters of a managed policy; IAM does not count white space."""

Statements = list[Mapping[str, Any]]


@pytest.fixture(scope="module")
def role(root: Path) -> Mapping[str, Any]:
    text = (root / "infra" / "deployment" / "workflow-role.yaml").read_text(encoding="utf-8")
    resources: Mapping[str, Any] = yaml_parse(text)["Resources"]
    return resources


@pytest.fixture(scope="module")
def policies(role: Mapping[str, Any]) -> Mapping[str, Statements]:
    return {
        name: each["Properties"]["PolicyDocument"]["Statement"]
        for name, each in role.items()
        if each["Type"] == "AWS::IAM::ManagedPolicy"
    }


@pytest.fixture(scope="module")
def granted(policies: Mapping[str, Statements]) -> set[str]:
    return {
        action
        for statements in policies.values()
        for statement in statements
        for action in listed(statement["Action"])
    }


@pytest.fixture(scope="module")
def required(root: Path) -> Mapping[str, set[str]]:
    """Every action that AWS lists for the types of resources, with canaries or without."""
    expanded = [expand(root / "template.yaml", parameters={"Canary": each}) for each in ("true", "false")]
    types = {str(each["Type"]) for template in expanded for each in template["Resources"].values()}
    return {kind: set(_actions(kind)) for kind in types}


def test_the_role_may_create_change_and_delete_every_resource(
    required: Mapping[str, set[str]], granted: set[str]
) -> None:
    missing = {
        kind: sorted(
            action for action in actions if not _is_in(action, granted) and not _is_in(action, UNUSED)
        )
        for kind, actions in required.items()
    }

    assert {kind: actions for kind, actions in missing.items() if actions} == {}


def test_the_role_has_no_action_that_a_deployment_does_not_need(
    required: Mapping[str, set[str]], granted: set[str]
) -> None:
    needed = set().union(*required.values())

    assert [
        action
        for action in sorted(granted)
        if not fnmatch.filter(needed, action) and not _is_in(action, FURTHER)
    ] == []


def test_no_statement_allows_a_whole_service(granted: set[str]) -> None:
    assert [action for action in granted if re.fullmatch(r"[\w*-]*:?\*", action)] == []


def test_every_resource_belongs_to_the_stack_or_has_no_name(policies: Mapping[str, Statements]) -> None:
    everywhere = {
        statement["Sid"]
        for statements in policies.values()
        for statement in statements
        if "*" in listed(statement["Resource"])
    }

    assert everywhere == {
        "ReadTemplates",
        "GenerateSecrets",
        "ReadTheQuota",
        "CreateEventSources",
        "SaveQueries",
        "CheckBeforehand",
    }


def test_the_role_cannot_change_its_own_permissions(
    role: Mapping[str, Any], policies: Mapping[str, Statements]
) -> None:
    own = f"arn:aws:iam::1:role{role['Role']['Properties']['Path']}ginuri-deploy-Role-1"
    values = {"AWS::Partition": "aws", "AWS::AccountId": "1", "StackName": "ginuri"}
    changing = [
        re.sub(r"\$\{([\w:]+)\}", lambda found: values[found[1]], str(statement["Resource"]["Fn::Sub"]))
        for statements in policies.values()
        for statement in statements
        for action in listed(statement["Action"])
        if action.startswith("iam:") and action != "iam:SimulatePrincipalPolicy"
    ]

    assert any(fnmatch.fnmatch("arn:aws:iam::1:role/ginuri-ResolveRole-1", name) for name in changing)
    assert not any(fnmatch.fnmatch(own, name) for name in changing)


def test_roles_are_passed_to_every_service_that_assumes_one(
    root: Path, policies: Mapping[str, Statements]
) -> None:
    template = expand(root / "template.yaml", parameters={"Canary": "true"})
    services = {
        service
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::IAM::Role"
        for statement in resource["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        for service in listed(statement["Principal"]["Service"])
    }
    [passing] = [
        statement
        for statements in policies.values()
        for statement in statements
        if statement["Action"] == "iam:PassRole"
    ]

    assert set(passing["Condition"]["StringEquals"]["iam:PassedToService"]) == services


def test_each_policy_fits_into_a_managed_policy(policies: Mapping[str, Statements]) -> None:
    # A generous value in place of every parameter.
    longest = {
        name: len(re.sub(r"\$\{[\w:]+\}", "x" * 25, json.dumps(statements, separators=(",", ":"))))
        for name, statements in policies.items()
    }

    assert len(longest) <= 10  # of one role
    assert max(longest.values()) <= LONGEST_POLICY, longest


def _actions(kind: str) -> Iterator[str]:
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", kind).schema
    for name, handler in schema["handlers"].items():
        if name != "list":
            yield from handler.get("permissions", ())
    yield from schema["tagging"].get("permissions", ())


def _is_in(action: str, patterns: set[str] | Mapping[str, str]) -> bool:
    return any(fnmatch.fnmatchcase(action, pattern) for pattern in patterns)
