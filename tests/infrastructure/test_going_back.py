"""The previous version of every function becomes live within one call a function, or nothing is moved."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from infra.deployment.back import go_back, go_forward
from infra.deployment.before import check_canary, keep, note
from infra.deployment.environment import UnusableValue
from infra.deployment.stack import Resource
from infra.deployment.versions import CannotMove, Function, read_functions

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

NAMES = ("ginuri-ResolveFunction-1", "ginuri-IngestFunction-2")
VARIABLES = {"REGISTRY_TABLE": "ginuri-RegistryTable-1", "EDGE_SECRET": "one two"}
ROLE = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole"}]}


class Deployments:
    """The functions of a stack in moto; each deployment publishes a version of every one."""

    def __init__(self, client: LambdaClient, role: str, kept: Path) -> None:
        self.client = client
        self.kept = kept
        self.deployed: dict[str, str] = {}
        for name in NAMES:
            client.create_function(
                FunctionName=name,
                Role=role,
                Runtime="python3.13",
                Handler="x.y",
                Code={"ZipFile": _archive()},
                Environment={"Variables": VARIABLES},
            )

    def deploy(self, variables: Mapping[str, str] = VARIABLES, *, succeeds: bool = True) -> None:
        """Publish a version and make it live, as `make deploy` does; a failed one was rolled back."""
        keep(self.functions(), self.kept)
        for name in NAMES:
            self.client.update_function_configuration(
                FunctionName=name, Environment={"Variables": {**VARIABLES, **variables}}
            )
            version = self.client.publish_version(FunctionName=name)["Version"]
            if succeeds:
                self._point(name, version)
                self.deployed[name] = version
        if succeeds:
            note(self.client, self.functions(), self.kept)

    def _point(self, name: str, version: str) -> None:
        write = self.client.update_alias if name in self.deployed else self.client.create_alias
        write(FunctionName=name, Name="live", FunctionVersion=version)

    def functions(self) -> list[Function]:
        return read_functions(self.client, self.resources())

    def resources(self) -> list[Resource]:
        arn = "arn:aws:lambda:us-east-1:123456789012:function"
        functions = [Resource(f"F{name}", "AWS::Lambda::Function", name) for name in NAMES]
        versions = [
            Resource(f"V{name}", "AWS::Lambda::Version", f"{arn}:{name}:{version}")
            for name, version in self.deployed.items()
        ]
        return [*functions, *versions]

    def live(self) -> set[str]:
        aliases = (self.client.get_alias(FunctionName=name, Name="live") for name in NAMES)
        return {alias["FunctionVersion"] for alias in aliases}


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Deployments]:
    with mock_aws():
        iam = boto3.client("iam", region_name="us-east-1")
        role = iam.create_role(RoleName="r", AssumeRolePolicyDocument=json.dumps(ROLE))["Role"]["Arn"]
        client = boto3.client("lambda", region_name="us-east-1")
        yield Deployments(client, role, tmp_path / "live.json")


def _archive() -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("x.py", "")
        return file.getvalue()


def test_the_version_before_the_last_deployment_becomes_live(stack: Deployments) -> None:
    for _ in range(3):
        stack.deploy()

    moved = go_back(stack.client, stack.resources())

    assert {function.name: version for function, version in moved} == dict.fromkeys(NAMES, "2")
    assert stack.live() == {"2"}


def test_a_repeated_command_goes_no_further_back(stack: Deployments) -> None:
    for _ in range(3):
        stack.deploy()

    go_back(stack.client, stack.resources())

    assert go_back(stack.client, stack.resources()) == []
    assert stack.live() == {"2"}


def test_a_version_that_was_rolled_back_is_not_the_previous_one(stack: Deployments) -> None:
    stack.deploy()
    stack.deploy(succeeds=False)
    stack.deploy()
    assert stack.live() == {"3"}

    go_back(stack.client, stack.resources())

    assert stack.live() == {"1"}


def test_the_version_of_the_stack_becomes_live_again(stack: Deployments) -> None:
    stack.deploy()
    stack.deploy()
    go_back(stack.client, stack.resources())

    go_forward(stack.client, stack.resources())

    assert stack.live() == {"2"}
    assert go_forward(stack.client, stack.resources()) == []


def test_a_deployment_after_going_back_notes_the_version_that_was_live(stack: Deployments) -> None:
    stack.deploy()
    stack.deploy()
    go_back(stack.client, stack.resources())
    stack.deploy()

    go_back(stack.client, stack.resources())

    assert stack.live() == {"1"}


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"REGISTRY_TABLE": "restored"}, "another table"),
        ({"EDGE_SECRET": "three four"}, "secret of the edge"),
    ],
)
def test_a_version_that_cannot_answer_any_more_stays_back(
    stack: Deployments, variables: dict[str, str], reason: str
) -> None:
    stack.deploy()
    stack.deploy(variables)

    with pytest.raises(CannotMove, match=reason):
        go_back(stack.client, stack.resources())
    assert stack.live() == {"2"}


def test_one_replaced_secret_does_not_keep_a_version_back(stack: Deployments) -> None:
    stack.deploy()
    stack.deploy({"EDGE_SECRET": "two three"})

    go_back(stack.client, stack.resources())

    assert stack.live() == {"1"}


def test_a_canary_is_stopped_by_its_own_command(stack: Deployments) -> None:
    stack.deploy()
    stack.deploy()
    stack.client.update_alias(
        FunctionName=NAMES[0],
        Name="live",
        FunctionVersion="1",
        RoutingConfig={"AdditionalVersionWeights": {"2": 0.1}},
    )

    with pytest.raises(CannotMove, match="stop-deployment --auto-rollback-enabled"):
        go_back(stack.client, stack.resources())


def test_a_first_deployment_has_nothing_to_go_back_to(stack: Deployments) -> None:
    stack.deploy()

    with pytest.raises(CannotMove, match="not known which version"):
        go_back(stack.client, stack.resources())


def test_an_interrupted_first_deployment_has_no_functions(stack: Deployments) -> None:
    for name in NAMES:
        stack.deployed[name] = stack.client.publish_version(FunctionName=name)["Version"]

    assert stack.functions() == []


def test_a_canary_is_refused_while_an_older_version_is_live(stack: Deployments) -> None:
    stack.deploy()
    stack.deploy()
    check_canary(stack.functions(), {"Canary": "true"})

    go_back(stack.client, stack.resources())

    with pytest.raises(UnusableValue, match="Canary = false"):
        check_canary(stack.functions(), {"Canary": "true"})
    check_canary(stack.functions(), {"Canary": "false"})
