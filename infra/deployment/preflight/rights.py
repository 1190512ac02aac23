"""The check of the caller's permissions: those of the role of a workflow, simulated by IAM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError
from samtranslator.yaml_helper import yaml_parse

from infra.deployment.preflight.finding import Finding, failed, passed, unknown, warning
from infra.deployment.preflight.plan import Plan

_ROLE = Path(__file__).parents[1] / "workflow-role.yaml"
_ASSUMED = re.compile(r"arn:[\w-]+:sts::\d+:assumed-role/([^/]+)/.+")
_SHOWN = 8
_REMEDY = "attach the policies of infra/deployment/workflow-role.yaml: docs/how-to/deploy-from-a-workflow.md"


@dataclass(frozen=True)
class Group:
    """Actions on one kind of resource, with the values of the conditions that allow them."""

    actions: Sequence[str]
    resources: Sequence[str]
    context: Sequence[Mapping[str, Any]]


def check_permissions(plan: Plan) -> Iterator[Finding]:
    """Simulate what a deployment calls; patterns of actions are left out, as IAM simulates single ones."""
    if plan.caller.endswith(":root"):
        yield warning("the caller is the root user, who may do everything", "use a role for deployments.")
        return
    iam = plan.clients("iam")
    try:
        source = _source(iam, plan.caller)
        groups = list(_groups(plan))
        denied = [action for group in groups for action in _denied(iam, source, group)]
    except ClientError as error:
        if "AccessDenied" not in str(error.response["Error"]["Code"]):
            raise
        yield unknown(
            "the caller may not simulate its own permissions",
            "allow iam:SimulatePrincipalPolicy and iam:GetRole for the caller, or compare its policies with "
            "infra/deployment/workflow-role.yaml.",
        )
        return
    if denied:
        more = f" and {len(denied) - _SHOWN} more" if len(denied) > _SHOWN else ""
        yield failed(f"the caller may not call {', '.join(denied[:_SHOWN])}{more}", _REMEDY)
    else:
        count = sum(len(group.actions) for group in groups)
        yield passed(f"the caller may call {count} of {count} actions of a deployment")


def _source(iam: Any, caller: str) -> str:  # noqa: ANN401  a client of IAM
    """Return the user or role of a session, whose ARN lacks the path of the role."""
    assumed = _ASSUMED.fullmatch(caller)
    return caller if assumed is None else str(iam.get_role(RoleName=assumed[1])["Role"]["Arn"])


def _denied(iam: Any, source: str, group: Group) -> list[str]:  # noqa: ANN401  a client of IAM
    answer = iam.simulate_principal_policy(
        PolicySourceArn=source,
        ActionNames=group.actions,
        ResourceArns=group.resources,
        ContextEntries=group.context,
        MaxItems=1000,
    )
    denied = [each for each in answer["EvaluationResults"] if each["EvalDecision"] != "allowed"]
    return sorted({str(each["EvalActionName"]) for each in denied})


def _groups(plan: Plan) -> Iterator[Group]:
    resources = yaml_parse(_ROLE.read_text(encoding="utf-8"))["Resources"]
    for policy in resources.values():
        if policy["Type"] != "AWS::IAM::ManagedPolicy":
            continue
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]:
            actions = [each for each in _list(statement["Action"]) if "*" not in each]
            arns = [_fill(plan, each) for each in _list(statement["Resource"])]
            if actions and not any(arn.endswith("/none") for arn in arns):  # there is no hosted zone
                yield Group(actions, arns, list(_context(plan, statement.get("Condition", {}))))


def _context(plan: Plan, conditions: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for condition in conditions.values():
        for key, values in condition.items():
            yield {
                "ContextKeyName": key,
                "ContextKeyValues": [_fill(plan, _list(values)[0])],
                "ContextKeyType": "string",
            }


def _fill(plan: Plan, value: str | Mapping[str, str]) -> str:
    """Return a resource, with the values of the stack, and with a name in place of the rest of a pattern."""
    if isinstance(value, str):
        return value
    own = {"StackName": plan.environment.stack, "HostedZoneId": plan.values["HostedZoneId"]}
    text = plan.fill(value["Fn::Sub"])
    for name, filled in own.items():
        text = text.replace(f"${{{name}}}", filled)
    return text.replace("*", "preflight")


def _list(value: Any) -> list[Any]:  # noqa: ANN401  one, or several
    return value if isinstance(value, list) else [value]
