"""The commands of the runbook are valid, run on moto, and find the lines that functions write."""

from __future__ import annotations

import io
import json
import re
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from infra.deployment.global_stack import name_of
from infra.docs.blocks import read_blocks, read_commands
from tests.aws import sqs_client
from tests.infrastructure.aws_cli import call, check, note_commands
from tests.infrastructure.stack import Stack

STACK = "ginuri"
ONLY_ON_AWS = {"get-account-settings", "get-health-check-status", "request-service-quota-increase"}
"""Operations that moto does not have."""
PHYSICAL = {
    STACK: {"AlarmTopic", "PublishDeadLetterQueue", "PublishFunction"},
    f"{STACK}-global": {"HttpProbe"},
}
"""The resources that the commands look up."""


@pytest.fixture(scope="module")
def noted(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Return the arguments of every command of the page: those of its block, then those within its text."""
    page = root / "docs" / "how-to" / "runbook.md"
    [block] = [block for block in read_blocks(page) if block.language == "console"]
    within = re.findall(r"`(aws [^`]+)`", page.read_text(encoding="utf-8"))
    script = "\n".join([*(command.text for command in read_commands(block)), *within])
    return note_commands(script, tmp_path_factory.mktemp("commands"))


@pytest.fixture
def deployed() -> Iterator[None]:
    """Create the resources that the commands name."""
    with mock_aws(config={"lambda": {"use_docker": False}}):
        for stack, names in PHYSICAL.items():
            queues = {name: {"Type": "AWS::SQS::Queue"} for name in names}
            boto3.client("cloudformation", "us-east-1").create_stack(
                StackName=stack, TemplateBody=json.dumps({"Resources": queues})
            )
        sqs_client().create_queue(QueueName="physical-PublishDeadLetterQueue")
        boto3.client("sns", "us-east-1").create_topic(Name="physical-AlarmTopic")
        for function in ("resolve", "describe", "ingest", "publish"):
            boto3.client("logs", "us-east-1").create_log_group(logGroupName=f"/aws/lambda/{STACK}-{function}")
        _create_function("physical-PublishFunction")
        yield


def _create_function(name: str) -> None:
    role = boto3.client("iam", "us-east-1").create_role(RoleName="r", AssumeRolePolicyDocument="{}")["Role"]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("f.py", "")
    boto3.client("lambda", "us-east-1").create_function(
        FunctionName=name,
        Role=role["Arn"],
        Runtime="python3.13",
        Handler="f.f",
        Code={"ZipFile": archive.getvalue()},
    )


@pytest.mark.usefixtures("deployed")
def test_every_command_of_the_runbook_runs(noted: list[list[str]]) -> None:
    assert noted
    for arguments in noted:
        if arguments[1] in ONLY_ON_AWS:
            check(arguments)
        else:
            call(arguments)


def test_commands_name_the_stack_and_resources_of_the_template(
    noted: list[list[str]], root: Path, stack: Stack, global_stack: Stack
) -> None:
    page = (root / "docs" / "how-to" / "runbook.md").read_text(encoding="utf-8")
    configuration = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    looked_up = [
        (_value(arguments, "--stack-name"), _value(arguments, "--logical-resource-id"))
        for arguments in noted
        if "--logical-resource-id" in arguments
    ]
    groups = {group["LogGroupName"]["Fn::Sub"] for group in stack.of_type("AWS::Logs::LogGroup").values()}
    read = {arguments[2] for arguments in noted if arguments[:2] == ["logs", "tail"]}

    assert re.findall(r"GINURI_STACK=(\S+)", page) == [STACK]
    assert configuration["prod"]["deploy"]["parameters"]["stack_name"] == STACK
    assert set(looked_up) == {(name, each) for name, names in PHYSICAL.items() for each in names}
    assert PHYSICAL[STACK] <= set(stack.resources)
    assert PHYSICAL[name_of(STACK)] <= set(global_stack.resources)
    assert read <= {group.replace("${AWS::StackName}", STACK) for group in groups}


def _value(arguments: list[str], option: str) -> str:
    return arguments[arguments.index(option) + 1]


def test_a_search_of_the_log_finds_errors_timeouts_and_killed_functions(
    noted: list[list[str]], root: Path
) -> None:
    [pattern] = {arguments[-1] for arguments in noted if "--filter-pattern" in arguments}
    terms = [re.fullmatch(r'\(\$\.([\w.]+) = "(\w+)"\)', term) for term in pattern.strip("{ }").split(" || ")]
    platform = (root / "tests" / "data" / "lambda_platform_lines.jsonl").read_text(encoding="utf-8")

    searched = {(found[1], found[2]) for found in terms if found}

    assert len(searched) == len(terms)
    assert ("level", "ERROR") in searched
    for line in platform.splitlines():
        assert ("record.status", json.loads(line)["record"]["status"]) in searched


@pytest.mark.parametrize(
    "arguments",
    [
        ["sqs", "purge-queue", "--queue-ur", "https://sqs.example/q"],
        ["logs", "tail", "/aws/lambda/f", "--from", "1h"],
        ["cloudwatch", "describe-alarms", "--state-value", "ALARM", "--prefix", "f"],
    ],
)
def test_an_unknown_option_of_a_command_is_noticed(arguments: list[str]) -> None:
    with mock_aws(), pytest.raises(ValueError, match="no"):
        call(arguments)
