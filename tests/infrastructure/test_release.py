"""Release changes only with a layer, a function or a parameter; versions follow it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml

from infra.local.template import expand
from infra.release import compute_release
from tests.infrastructure.stack import FUNCTIONS, Stack, referred

RELEASED_INDEXES = ["near", "members", "collections", "narrower"]
TEMPLATE = """
Globals: {Function: {Runtime: python3.13}}
Parameters:
  CanonicalHost: {Type: String, Default: id.example.org}
Resources:
  ResolveFunction:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: ResolveFunction, Timeout: 10}
  LibraryLayer:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: LibraryLayer}
  LatencyAlarm:
    Type: AWS::CloudWatch::Alarm
    Properties: {Threshold: 2000}
"""


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "template.yaml").write_text(TEMPLATE, encoding="utf-8")
    for name in ("ResolveFunction", "LibraryLayer", "Unused"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "module.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("folder", ["ResolveFunction", "LibraryLayer"])
def test_a_changed_file_of_a_function_or_a_layer_is_another_release(built: Path, folder: str) -> None:
    before = compute_release(built, {})

    (built / folder / "module.py").write_text("x = 2\n", encoding="utf-8")

    assert compute_release(built, {}) != before


def test_a_moved_file_is_another_release(built: Path) -> None:
    before = compute_release(built, {})

    (built / "LibraryLayer" / "module.py").rename(built / "LibraryLayer" / "other.py")

    assert compute_release(built, {}) != before


@pytest.mark.parametrize(
    ("before", "after"),
    [("Timeout: 10", "Timeout: 11"), ("python3.13", "python3.14")],
)
def test_a_changed_property_of_functions_is_another_release(built: Path, before: str, after: str) -> None:
    release = compute_release(built, {})

    (built / "template.yaml").write_text(TEMPLATE.replace(before, after), encoding="utf-8")

    assert compute_release(built, {}) != release


def test_a_parameters_value_is_another_release(built: Path) -> None:
    assert compute_release(built, {"CanonicalHost": "a.example"}) != compute_release(built, {})


def test_files_that_no_function_runs_do_not_change_the_release(built: Path) -> None:
    before = compute_release(built, {})

    (built / "template.yaml").write_text(TEMPLATE.replace("2000", "3000"), encoding="utf-8")
    (built / "Unused" / "module.py").write_text("x = 2\n", encoding="utf-8")
    (built / "LibraryLayer" / "module.py").touch()

    assert compute_release(built, {}) == before


@pytest.mark.parametrize("function", FUNCTIONS)
def test_another_release_is_another_retained_version_of_every_function(root: Path, function: str) -> None:
    versions = set()
    for release in ("a" * 64, "b" * 64):
        stack = Stack(expand(root / "template.yaml", parameters={"Release": release}))
        alias = stack.properties(f"{function}Aliaslive")
        version = alias["FunctionVersion"]["Fn::GetAtt"][0]
        assert referred(stack.properties(version)["FunctionName"]) == function
        assert stack.resources[version]["DeletionPolicy"] == "Retain"
        versions.add(version)

    assert len(versions) == 2


def test_layers_stay_for_the_versions_that_use_them(stack: Stack) -> None:
    layers = [each for each in stack.resources.values() if each["Type"] == "AWS::Lambda::LayerVersion"]

    assert {layer["DeletionPolicy"] for layer in layers} == {"Retain"}


def test_every_caller_of_a_function_uses_its_alias(stack: Stack) -> None:
    called = [
        *(each["FunctionName"] for each in stack.of_type("AWS::Lambda::Permission").values()),
        *(each["FunctionName"] for each in stack.of_type("AWS::Lambda::EventSourceMapping").values()),
        *(
            target["Arn"]
            for each in stack.of_type("AWS::Events::Rule").values()
            for target in each["Targets"]
        ),
    ]

    assert all(each["Ref"].endswith("Aliaslive") for each in called)


def test_a_canary_is_rolled_back_by_alarms_of_the_stack(root: Path) -> None:
    canary = Stack(expand(root / "template.yaml", parameters={"Canary": "true"}))
    groups = canary.of_type("AWS::CodeDeploy::DeploymentGroup")

    assert set(groups) == {"ResolveFunctionDeploymentGroup", "DescribeFunctionDeploymentGroup"}
    for group in groups.values():
        alarms = {referred(alarm["Name"]) for alarm in group["AlarmConfiguration"]["Alarms"]}
        assert alarms <= set(canary.of_type("AWS::CloudWatch::Alarm"))
        assert {"UnavailableAlarm", "ServerErrorsAlarm"} <= alarms
        assert len(alarms) <= 10  # that CodeDeploy accepts
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]


def test_a_canary_exists_only_on_request(stack: Stack) -> None:
    assert not stack.of_type("AWS::CodeDeploy::DeploymentGroup")


def test_the_workflow_deploys_the_configured_stacks_in_sequence(root: Path) -> None:
    page = (root / "docs" / "how-to" / "deploy-from-a-workflow.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(page.partition("```yaml\n")[2].partition("```")[0])
    configuration = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    jobs = workflow["jobs"]

    assert jobs["prod"]["needs"] == "dev"
    assert jobs["prod"]["steps"] == jobs["dev"]["steps"]
    for name, job in jobs.items():
        assert job["environment"] == job["env"]["ENV"] == name
        assert job["env"]["STACK"] == configuration[name]["deploy"]["parameters"]["stack_name"]


def test_a_new_index_needs_a_separate_deployment_with_a_warning(root: Path, stack: Stack) -> None:
    indexes = stack.properties("RegistryTable")["GlobalSecondaryIndexes"]

    assert [index["IndexName"] for index in indexes] == RELEASED_INDEXES, (
        "one index an update: deploy this one alone, then name it in the test"
    )
    assert "one index in an update" in (root / "UPGRADING.md").read_text(encoding="utf-8")
