"""Checks of names that may be taken already: buckets, log groups, and what CloudFront names."""

from __future__ import annotations

from collections.abc import Iterator

from botocore.exceptions import ClientError

from infra.deployment.preflight.edge import list_all
from infra.deployment.preflight.finding import Finding, failed, passed
from infra.deployment.preflight.plan import Plan

_LONGEST_STACK = 25
_RECOVER = "docs/how-to/recover-a-deleted-stack.md"
_PATHS = {
    "AWS::CloudFront::Function": ("Name",),
    "AWS::CloudFront::CachePolicy": ("CachePolicyConfig", "Name"),
    "AWS::CloudFront::OriginRequestPolicy": ("OriginRequestPolicyConfig", "Name"),
}


def check_buckets(plan: Plan) -> Iterator[Finding]:
    """Ask for each bucket: names of buckets are shared by all accounts of AWS."""
    if len(plan.environment.stack) > _LONGEST_STACK:
        yield failed(
            f"{plan.environment.stack} is too long for the names of buckets",
            f"choose a stack_name of at most {_LONGEST_STACK} characters in site.toml.",
        )
        return
    names = [name for _, name in plan.named("AWS::S3::Bucket", "BucketName")]
    taken = [finding for name in names if not plan.owns(name) and (finding := _ask(plan, name))]
    yield from taken or [passed(f"{len(names)} names of buckets are free, or of this stack")]


def _ask(plan: Plan, name: str) -> Finding | None:
    try:
        plan.clients("s3").head_bucket(Bucket=name)
    except ClientError as error:
        match str(error.response["Error"]["Code"]):
            case "404":
                return None
            case "403":
                return failed(
                    f"the bucket {name} belongs to somebody else, or may not be read",
                    "choose another stack_name in site.toml, or allow s3:ListBucket.",
                )
            case "301":
                return failed(
                    f"the bucket {name} is in another region", "delete it, or choose another stack_name."
                )
            case _:
                raise
    return failed(
        f"the bucket {name} exists and is not in the stack, as after a stack was deleted",
        f"import it, or delete it if it is empty: {_RECOVER}",
    )


def check_log_groups(plan: Plan) -> Iterator[Finding]:
    """Ask for each log group: those of a deleted stack keep it from being created again."""
    logs = plan.clients("logs")
    names = [name for _, name in plan.named("AWS::Logs::LogGroup", "LogGroupName")]
    taken = [
        name
        for name in names
        if not plan.owns(name)
        and any(
            each["logGroupName"] == name
            for each in logs.describe_log_groups(logGroupNamePrefix=name)["logGroups"]
        )
    ]
    for name in taken:
        yield failed(
            f"the log group {name} exists and is not in the stack",
            f"aws logs delete-log-group --log-group-name {name}",
        )
    if not taken:
        yield passed(f"{len(names)} names of log groups are free, or of this stack")


def check_edge_names(plan: Plan) -> Iterator[Finding]:
    """Look for the function and the policies of the edge, whose names CloudFront shares among regions."""
    edge = plan.clients("cloudfront")
    existing = {
        "AWS::CloudFront::Function": [each["Name"] for each in list_all(edge.list_functions, "FunctionList")],
        "AWS::CloudFront::CachePolicy": [
            each["CachePolicy"]["CachePolicyConfig"]["Name"]
            for each in list_all(edge.list_cache_policies, "CachePolicyList", Type="custom")
        ],
        "AWS::CloudFront::OriginRequestPolicy": [
            each["OriginRequestPolicy"]["OriginRequestPolicyConfig"]["Name"]
            for each in list_all(edge.list_origin_request_policies, "OriginRequestPolicyList", Type="custom")
        ],
    }
    taken = [
        f"{kind.rpartition('::')[2]} {name}"
        for kind, names in existing.items()
        for _, name in plan.named(kind, *_PATHS[kind])
        if name in names and not plan.owns_a(kind)
    ]
    for each in taken:
        yield failed(
            f"CloudFront already has the {each}, and it is not in the stack",
            "delete it in CloudFront, or choose another stack_name in site.toml.",
        )
    if not taken:
        yield passed("the names of the edge are free, or of this stack")
