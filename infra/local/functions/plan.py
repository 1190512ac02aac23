"""The settings to run each function of the created stack: its environment, code and role."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.aws.calls import Need
from infra.local.aws.clients import Account, Credentials
from infra.local.aws.permissions import Statement, allowed, read_policy
from infra.local.cloudformation.resources import Created, Resources
from infra.local.cloudformation.secret_references import resolve
from infra.local.template import ACCOUNT, REGION, folder_of


@dataclass(frozen=True)
class FunctionPlan:
    """A function to run. `timeout` in seconds, `python_path` in the order of the search."""

    logical_id: str
    name: str
    arn: str
    handler: str
    runtime: str
    folder: Path
    python_path: tuple[Path, ...]
    variables: Mapping[str, str]
    role: str
    timeout: int
    memory: int


def plan_functions(resources: Resources, account: Account, root: Path) -> list[FunctionPlan]:
    """Return the plan of each function of the stack, whose template is in the folder `root`.

    Raises TemplateRefused for a variable with an unsupported reference.
    """
    layers = {
        layer.physical_id: folder_of(layer.properties["Content"], root)
        for layer in resources.of_kind("AWS::Lambda::LayerVersion")
    }
    functions = resources.of_kind("AWS::Lambda::Function")
    return [_plan(function, layers, account, root) for function in functions]


def _plan(function: Created, layers: Mapping[str, Path], account: Account, root: Path) -> FunctionPlan:
    stated = function.properties
    variables = stated.get("Environment", {}).get("Variables", {})
    folder = folder_of(stated["Code"], root)
    return FunctionPlan(
        logical_id=function.logical_id,
        name=function.physical_id,
        arn=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function.physical_id}",
        handler=stated["Handler"],
        runtime=stated["Runtime"],
        folder=folder,
        python_path=(folder, *(layers[arn] for arn in stated.get("Layers", []))),
        variables={name: resolve(account, value) for name, value in variables.items()},
        role=stated["Role"],
        timeout=int(stated.get("Timeout", 3)),
        memory=int(stated.get("MemorySize", 128)),
    )


def assume(account: Account, plan: FunctionPlan) -> Credentials:
    """Return credentials of the function's role."""
    answer = account.client("sts").assume_role(RoleArn=plan.role, RoleSessionName=plan.name[:64])
    credentials = answer["Credentials"]
    return Credentials(
        credentials["AccessKeyId"], credentials["SecretAccessKey"], credentials["SessionToken"]
    )


def statements_of(account: Account, role_arn: str) -> list[Statement]:
    """Return all policies of a role, inline and attached.

    Raises UnknownPolicyElement for unsupported elements.
    """
    iam = account.client("iam")
    role = role_arn.rpartition("/")[2]
    statements = []
    for name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
        statements += read_policy(iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"])
    for attached in iam.list_attached_role_policies(RoleName=role)["AttachedPolicies"]:
        version = iam.get_policy(PolicyArn=attached["PolicyArn"])["Policy"]["DefaultVersionId"]
        policy = iam.get_policy_version(PolicyArn=attached["PolicyArn"], VersionId=version)
        statements += read_policy(policy["PolicyVersion"]["Document"])
    return statements


def polls(statements: list[Statement], queue_arn: str) -> bool:
    """Return whether a role may do what an event source mapping does in its name, as AWS asks."""
    actions = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
    return all(allowed(statements, Need(action, queue_arn)) for action in actions)


def environment(
    plan: FunctionPlan, endpoint: str, credentials: Credentials, runtime_api: str
) -> dict[str, str]:
    """Return the whole environment of the function's process: Lambda's own variables and the template's."""
    # The runtime client and boto3 come from this interpreter; Lambda provides its own.
    paths = [str(path) for path in plan.python_path]
    return {
        "PATH": os.defpath,
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "PYTHONPATH": os.pathsep.join(paths),
        "AWS_ENDPOINT_URL": endpoint,
        # The user's configuration of AWS does not exist in Lambda.
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": credentials.access_key,
        "AWS_SECRET_ACCESS_KEY": credentials.secret_key,
        "AWS_SESSION_TOKEN": credentials.token or "",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_LAMBDA_RUNTIME_API": runtime_api,
        "AWS_LAMBDA_FUNCTION_NAME": plan.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(plan.memory),
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{plan.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": "local",
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{plan.runtime}",
        "LAMBDA_TASK_ROOT": str(plan.folder),
        "LAMBDA_RUNTIME_DIR": str(Path(os.__file__).parent),
        "_HANDLER": plan.handler,
        **plan.variables,
    }
