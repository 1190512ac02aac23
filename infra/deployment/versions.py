"""The versions of functions: the live one, the one of the stack, and the one before it.

Clients use the alias `live` of each function. `make deploy` points the alias `previous` to the version that
was live before it: the highest earlier number may be of a deployment that an alarm rolled back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.deployment.stack import Resource

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_lambda.type_defs import AliasConfigurationTypeDef

LIVE, PREVIOUS = "live", "previous"
_FUNCTION, _VERSION = "AWS::Lambda::Function", "AWS::Lambda::Version"


class CannotMove(RuntimeError):
    """Raised when another version must not become live, with the solution."""


@dataclass(frozen=True)
class Function:
    """A function of a stack, and its versions."""

    name: str
    live: str
    revision: str
    """The state of the alias `live` that was read."""
    shifts: bool
    """Whether a canary is under way."""
    deployed: str
    """The version of the stack."""
    previous: str | None
    """The version that was live before that one; None if that is not known."""


def read_functions(functions: LambdaClient, resources: Iterable[Resource]) -> list[Function]:
    """Read the functions of a stack. Raises ClientError."""
    listed = list(resources)
    versions = {
        name: version
        for each in listed
        if each.kind == _VERSION and ":" in each.id
        for name, version in [each.id.split(":")[-2:]]
    }
    read = (
        _read(functions, each.id, versions[each.id])
        for each in listed
        if each.kind == _FUNCTION and each.id in versions
    )
    return [function for function in read if function is not None]


def _read(functions: LambdaClient, name: str, deployed: str) -> Function | None:
    """Read a function; None before its first version is live, as after an interrupted deployment."""
    live = _find_alias(functions, name, LIVE)
    if live is None:
        return None
    weights = live.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})
    previous = _find_alias(functions, name, PREVIOUS)
    noted = previous is not None and previous.get("Description") == _describe(deployed)
    return Function(
        name,
        live["FunctionVersion"],
        live["RevisionId"],
        bool(weights),
        deployed,
        previous["FunctionVersion"] if previous is not None and noted else None,
    )


def note_previous(functions: LambdaClient, function: Function, before: str) -> None:
    """Point the alias `previous` to the version that was live before the deployment. Raises ClientError."""
    if before == function.deployed:
        return
    exists = _find_alias(functions, function.name, PREVIOUS) is not None
    write = functions.update_alias if exists else functions.create_alias
    write(
        FunctionName=function.name,
        Name=PREVIOUS,
        FunctionVersion=before,
        Description=_describe(function.deployed),
    )


def check_back(functions: LambdaClient, function: Function) -> None:
    """Raise CannotMove unless the previous version can answer in place of the one of the stack."""
    if function.shifts:
        raise CannotMove(
            f"{function.name} is in the middle of a canary. Stop its deployment, and CodeDeploy goes back "
            "within seconds: aws deploy list-deployments --include-only-statuses InProgress, then aws deploy "
            "stop-deployment --auto-rollback-enabled --deployment-id …"
        )
    if function.previous is None:
        raise CannotMove(
            f"it is not known which version of {function.name} was live before {function.deployed}: make "
            "deploy notes it. Deploy the earlier commit instead."
        )
    old, new = (
        _read_variables(functions, function.name, each) for each in (function.previous, function.deployed)
    )
    if old.get("REGISTRY_TABLE") != new.get("REGISTRY_TABLE"):
        raise CannotMove(
            f"version {function.previous} of {function.name} uses another table than {function.deployed}. "
            "Deploy the earlier commit, with the table of today, instead."
        )
    secrets = [set(each.get("EDGE_SECRET", "").split()) for each in (old, new)]
    if secrets[0].isdisjoint(secrets[1]) and any(secrets):
        raise CannotMove(
            f"version {function.previous} of {function.name} does not know the secret of the edge any more. "
            "Deploy the earlier commit, with the SecretGeneration of today, instead."
        )


def move(functions: LambdaClient, function: Function, version: str) -> None:
    """Make a version live, unless another call changed the alias since. Raises ClientError."""
    functions.update_alias(
        FunctionName=function.name, Name=LIVE, FunctionVersion=version, RevisionId=function.revision
    )


def moved_back(functions: Iterable[Function]) -> Iterator[Function]:
    """Yield the functions whose live version is not that of the stack."""
    return (each for each in functions if each.live != each.deployed)


def _describe(deployed: str) -> str:
    return f"live before version {deployed}"


def _find_alias(functions: LambdaClient, function: str, name: str) -> AliasConfigurationTypeDef | None:
    pages = functions.get_paginator("list_aliases").paginate(FunctionName=function)
    return next((each for page in pages for each in page["Aliases"] if each["Name"] == name), None)


def _read_variables(functions: LambdaClient, function: str, version: str) -> Mapping[str, str]:
    read = functions.get_function_configuration(FunctionName=function, Qualifier=version)
    return read.get("Environment", {}).get("Variables", {})
