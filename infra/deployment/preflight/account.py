"""Checks of the account: its region, its concurrency, the stack and the bucket of SAM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError
from samtranslator.yaml_helper import yaml_parse

from infra.deployment.preflight.finding import Finding, failed, passed, warning
from infra.deployment.preflight.plan import Plan

_LINTED = Path(__file__).parents[3] / ".cfnlintrc.yaml"
_SAM = "aws-sam-cli-managed-default"
"""The stack that SAM makes for itself."""
_QUOTA = "L-B99A9384"
"""The quota of concurrent executions of Lambda."""
_UNRESERVED = 100
"""The executions that Lambda never reserves for a function (Lambda Developer Guide, Reserved concurrency)."""
_OF_NEW_ACCOUNTS = "10"
_ENOUGH = 100
_DEPLOYABLE = (
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
    "REVIEW_IN_PROGRESS",
)


def check_region(plan: Plan) -> Iterator[Finding]:
    """Check that the template was checked for the region."""
    region = plan.environment.region
    linted: Sequence[str] = yaml_parse(_LINTED.read_text(encoding="utf-8"))["regions"]
    if region in linted:
        yield passed(f"the template is checked for {region}")
    else:
        yield failed(
            f"the template is not checked for {region}",
            "choose another region in site.toml: China, GovCloud and isolated regions lack parts of it.",
        )


def check_stack(plan: Plan) -> Iterator[Finding]:
    """Check that CloudFormation can deploy the stack in its present state."""
    name = plan.environment.stack
    status = _status(plan.clients("cloudformation"), name)
    if status is None:
        yield passed(f"there is no stack {name} yet")
    elif status in _DEPLOYABLE:
        yield passed(f"the stack {name} can be updated")
    elif status.endswith("_IN_PROGRESS"):
        yield failed(f"the stack {name} is {status}", "wait until that has ended.")
    elif status == "UPDATE_ROLLBACK_FAILED":
        yield failed(
            f"the stack {name} is {status}",
            f"aws cloudformation continue-update-rollback --stack-name {name}",
        )
    else:
        yield failed(f"the stack {name} is {status}", f"aws cloudformation delete-stack --stack-name {name}")


def check_sam(plan: Plan) -> Iterator[Finding]:
    """Check the bucket that SAM uploads the artefacts to, which it makes at the first deployment."""
    stacks = plan.clients("cloudformation")
    status = _status(stacks, _SAM)
    if status is None:
        yield passed("SAM will make its bucket for artefacts")
        return
    outputs = stacks.describe_stacks(StackName=_SAM)["Stacks"][0].get("Outputs", [])
    bucket = next((each["OutputValue"] for each in outputs if each["OutputKey"] == "SourceBucket"), None)
    if status not in _DEPLOYABLE or bucket is None:
        yield failed(
            f"the stack {_SAM} is {status}, without a bucket for artefacts",
            f"aws cloudformation delete-stack --stack-name {_SAM}: SAM makes it again.",
        )
        return
    try:
        plan.clients("s3").head_bucket(Bucket=bucket)
    except ClientError as error:
        yield failed(
            f"the bucket of SAM, {bucket}, cannot be used ({_code(error)})",
            f"allow s3:ListBucket and s3:PutObject there, or, if it was deleted, delete the stack {_SAM}.",
        )
    else:
        yield passed(f"SAM has its bucket for artefacts, {bucket}")


def check_concurrency(plan: Plan) -> Iterator[Finding]:
    """Compare the quota of Lambda with the parameter that an alarm uses, and with the share of ingest."""
    limits = plan.clients("lambda").get_account_settings()["AccountLimit"]
    quota, stated = int(limits["ConcurrentExecutions"]), int(plan.values["AccountConcurrency"])
    if quota != stated:
        yield warning(
            f"Lambda has a concurrency of {quota} here, and AccountConcurrency is {stated}: the alarm would "
            "go off at another share",
            f"write AccountConcurrency = {quota} below [{plan.environment.name}] in site.toml.",
        )
    if quota - (reserved := _reserved(plan)) < _UNRESERVED and reserved:
        yield failed(
            f"of a concurrency of {quota}, {reserved} would be reserved for /api/, and Lambda keeps "
            f"{_UNRESERVED} for all functions",
            f'write ApiConcurrency = "none" below [{plan.environment.name}] in site.toml.',
        )
    if quota < _ENOUGH:
        yield warning(
            f"of a concurrency of {quota}, ingest may use {_share_of_ingest(plan)}; requests share the rest",
            f"aws service-quotas request-service-quota-increase --service-code lambda --quota-code {_QUOTA} "
            "--desired-value 1000; AWS raises the quota of a new account with its use, too.",
        )
    elif quota == stated:
        yield passed(f"Lambda has a concurrency of {quota}")


def _reserved(plan: Plan) -> int:
    """Return the executions that are reserved for the API, as the conditions of the template decide."""
    stated = plan.values["ApiConcurrency"]
    is_reserved = plan.values["HttpApi"] == "true" and plan.values["AccountConcurrency"] != _OF_NEW_ACCOUNTS
    return int(stated) if is_reserved and stated != "none" else 0


def _share_of_ingest(plan: Plan) -> int:
    events = plan.template["Resources"]["IngestFunction"]["Properties"]["Events"]
    return int(events["Upload"]["Properties"]["ScalingConfig"]["MaximumConcurrency"])


def _status(stacks: Any, name: str) -> str | None:  # noqa: ANN401  a client of CloudFormation
    try:
        return str(stacks.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"])
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise


def _code(error: ClientError) -> str:
    return str(error.response["Error"]["Code"])
