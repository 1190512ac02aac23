"""Each function of the template exists, gets its variables, and leaves a trace when it fails."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ginuri.registry.budget import MOST_SECONDS, RESERVE
from infra.bench.records import REGISTRY, registered
from infra.bench.workers.events import get
from infra.bench.workers.processes import running_stub
from infra.local.template import expand
from tests.infrastructure.reach import reached
from tests.infrastructure.stack import FUNCTIONS, Stack, referred
from tests.infrastructure.usage import variables_read


def test_the_functions_are_exactly_these(stack: Stack) -> None:
    assert set(stack.of_type("AWS::Lambda::Function")) == set(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_handler_of_the_template_exists(stack: Stack, root: Path, function: str) -> None:
    properties = stack.properties(function)
    module, _, name = properties["Handler"].rpartition(".")

    source = root / properties["Code"]["S3Key"] / Path(*module.split(".")).with_suffix(".py")

    defined = {each.name for each in ast.parse(source.read_text()).body if isinstance(each, ast.FunctionDef)}
    assert name in defined


@pytest.mark.parametrize("function", FUNCTIONS)
def test_exactly_the_variables_that_the_code_reads_are_set(stack: Stack, root: Path, function: str) -> None:
    read = variables_read(reached(root, stack.properties(function)["Handler"]))

    assert {name for name in read if not name.startswith("AWS_")} == stack.variables(function)


@pytest.mark.parametrize("function", ["DescribeFunction", "ResolveFunction"])
def test_a_function_has_time_to_answer_after_its_budget(stack: Stack, function: str) -> None:
    assert stack.properties(function)["Timeout"] >= MOST_SECONDS + RESERVE


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_run_on_one_runtime_and_one_architecture(stack: Stack, function: str) -> None:
    properties = stack.properties(function)

    assert (properties["Runtime"], properties["Architectures"]) == ("python3.13", ["arm64"])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_has_its_own_log_that_expires(stack: Stack, function: str) -> None:
    group = referred(stack.properties(function)["LoggingConfig"]["LogGroup"])

    assert group == function.replace("Function", "LogGroup")
    assert stack.properties(group)["RetentionInDays"] == {"Ref": "LogRetentionDays"}


@pytest.mark.parametrize("function", ["DescribeFunction", "PublishFunction", "ResolveFunction"])
def test_a_failed_asynchronous_invocation_is_kept(stack: Stack, function: str) -> None:
    queue = referred(stack.properties(function)["DeadLetterConfig"]["TargetArn"])

    assert queue in stack.of_type("AWS::SQS::Queue")
    assert ("sqs:SendMessage", queue) in stack.permissions(function)


HEAVY = {
    *("asyncio", "boto3", "botocore", "dataclasses", "http.client", "inspect", "random", "ssl", "urllib3"),
    *("aws_lambda_powertools", "jinja2", "markupsafe", "pydantic", "segno"),
}
LIBRARY, PAGES = "layers/library", "layers/pages"
DEPENDENCIES, CURL = "layers/dependencies", "layers/curl"


@pytest.mark.parametrize(
    ("function", "layers"),
    [
        ("ResolveFunction", [LIBRARY, CURL, PAGES]),
        ("DescribeFunction", [LIBRARY, CURL, PAGES]),
        ("IngestFunction", [LIBRARY, CURL, DEPENDENCIES, PAGES]),
        ("PublishFunction", [LIBRARY, DEPENDENCIES]),
    ],
)
def test_a_function_has_exactly_the_layers_that_it_imports(
    stack: Stack, function: str, layers: list[str]
) -> None:
    assert _layers(stack, function) == layers


def test_a_redirect_imports_no_library_heavier_than_libcurl(stack: Stack, root: Path) -> None:
    variables = dict.fromkeys(stack.variables("ResolveFunction"), "any")
    redirected = (
        "import json, sys, resolve.handler\n"
        "context = type('Context', (), {'get_remaining_time_in_millis': lambda self: 10_000})()\n"
        "answer = resolve.handler.handle(json.loads(sys.argv[1]), context)\n"
        "print(answer['statusCode'], *sys.modules)"
    )

    with running_stub() as stub:
        ran = subprocess.run(  # noqa: S603  our own source
            [sys.executable, "-c", redirected, json.dumps(get(registered(0)))],
            env={
                **variables,
                "REGISTRY_TABLE": REGISTRY,
                "EDGE_SECRET": "",
                "AWS_REGION": "us-east-1",
                "AWS_ENDPOINT_URL_DYNAMODB": stub.endpoint,
                "AWS_ACCESS_KEY_ID": "any",
                "AWS_SECRET_ACCESS_KEY": "any",
                "PYTHONPATH": str(root / "functions"),
            },
            capture_output=True,
            text=True,
            check=True,
        )

    status, *imported = ran.stdout.splitlines()[-1].split()
    assert status == "303"
    assert "pycurl._pycurl" in imported
    assert not HEAVY & set(imported)


def test_describe_starts_without_anything_from_the_layers_of_dependencies_and_pages(
    stack: Stack, root: Path
) -> None:
    values = dict.fromkeys(stack.variables("DescribeFunction"), "any")

    ran = subprocess.run(
        [sys.executable, "-c", "import sys, describe.handler; print(*sys.modules)"],
        env={**values, "AWS_REGION": "us-east-1", "PYTHONPATH": str(root / "functions")},
        capture_output=True,
        text=True,
        check=True,
    )

    assert HEAVY & set(ran.stdout.split()) <= {"dataclasses", "inspect", "random"}


def test_the_edges_secrets_are_generated_and_not_parameters(stack: Stack, root: Path) -> None:
    secrets = stack.of_type("AWS::SecretsManager::Secret").values()
    parameters = expand(root / "template.yaml")["Parameters"].values()

    assert len(secrets) == 2
    for secret in secrets:
        assert secret["GenerateSecretString"]["PasswordLength"] >= 32
        assert secret["GenerateSecretString"]["ExcludePunctuation"]
        assert "Name" not in secret
    assert all(parameter["Default"] and "NoEcho" not in parameter for parameter in parameters)


@pytest.mark.parametrize("function", ["DescribeFunction", "ResolveFunction"])
def test_functions_that_answer_requests_have_both_secrets_of_the_edge(stack: Stack, function: str) -> None:
    reference, _ = stack.properties(function)["Environment"]["Variables"]["EDGE_SECRET"]["Fn::Sub"]

    names = [name for name in stack.of_type("AWS::SecretsManager::Secret") if f"${{{name}}}" in reference]
    assert names == ["FirstEdgeSecret", "SecondEdgeSecret"]


def test_only_the_daily_schedule_publishes_the_registry(stack: Stack) -> None:
    [rule] = stack.of_type("AWS::Events::Rule").values()
    [permission] = [
        each
        for each in stack.of_type("AWS::Lambda::Permission").values()
        if referred(each["FunctionName"]) == "PublishFunction"
    ]

    assert rule["ScheduleExpression"] == "rate(1 day)"
    assert [referred(target["Arn"]) for target in rule["Targets"]] == ["PublishFunction"]
    assert permission["Principal"] == "events.amazonaws.com"


def _layers(stack: Stack, function: str) -> list[str]:
    return [
        stack.properties(referred(layer))["Content"]["S3Key"]
        for layer in stack.properties(function)["Layers"]
    ]
