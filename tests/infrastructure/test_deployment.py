"""A deployment changes only the named parameters, and lists them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from infra.deployment.environment import Environment, UnusableValue, read_environment
from infra.deployment.parameters import plan_deployment
from infra.deployment.stack import read_deployed
from infra.local.template import expand

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

PARAMETERS = {
    "CanonicalHost": {"Type": "String", "Default": "resources.usgin.org"},
    "HostNames": {"Type": "CommaDelimitedList", "Default": "none"},
    "AlarmAddress": {"Type": "String", "Default": "none"},
    "SecretGeneration": {"Type": "String", "Default": "1"},
    "Release": {"Type": "String", "Default": "0"},
}
SITE = {
    "CanonicalHost": "id.example.org",
    "HostNames": "id.example.org,purl.example.org",
    "AlarmAddress": "operators@example.org",
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    template = {"Parameters": PARAMETERS, "Resources": {}}
    (tmp_path / "template.yaml").write_text(json.dumps(template), encoding="utf-8")
    return tmp_path


@pytest.fixture
def cloudformation() -> Iterator[CloudFormationClient]:
    with mock_aws():
        yield boto3.client("cloudformation", region_name="us-east-1")


def environment(name: str = "prod", **named: str) -> Environment:
    return Environment(name, "ginuri", "us-east-1", None, named)


def create(cloudformation: CloudFormationClient, values: Mapping[str, str]) -> None:
    queue = {"Type": "AWS::SQS::Queue"}
    cloudformation.create_stack(
        StackName="ginuri",
        TemplateBody=json.dumps({"Parameters": PARAMETERS, "Resources": {"Queue": queue}}),
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in values.items()],
    )


def test_a_clean_clone_keeps_the_values_of_a_site(built: Path, cloudformation: CloudFormationClient) -> None:
    site = {
        name: value for name, value in SITE.items() if name != "HostNames"
    }  # moto writes lists in its own way
    create(cloudformation, site)

    deployment = plan_deployment(built, environment(), read_deployed(cloudformation, "ginuri").values)

    assert {**deployment.values, **site} == deployment.values


@pytest.mark.parametrize(("before", "after"), [("1", "1"), ("1", "2"), ("7", "8"), ("8", "1")])
def test_secrets_are_replaced_step_by_step(built: Path, before: str, after: str) -> None:
    stated = environment(**SITE, SecretGeneration=after)

    deployment = plan_deployment(built, stated, {**SITE, "SecretGeneration": before})

    assert deployment.values["SecretGeneration"] == after


@pytest.mark.parametrize(
    ("before", "after", "following"), [("1", "3", "2"), ("2", "1", "3"), ("8", "2", "1")]
)
def test_a_jump_over_a_step_is_refused_with_the_next_one(
    built: Path, before: str, after: str, following: str
) -> None:
    stated = environment(**SITE, SecretGeneration=after)

    with pytest.raises(UnusableValue, match=f"Deploy {following} first"):
        plan_deployment(built, stated, {**SITE, "SecretGeneration": before})


def test_a_stated_value_replaces_the_deployed_one(built: Path) -> None:
    deployment = plan_deployment(built, environment(CanonicalHost="a.example"), SITE)

    assert deployment.values["CanonicalHost"] == "a.example"
    assert "CanonicalHost: id.example.org → a.example" in list(deployment.changes())


def test_a_first_deployment_has_the_defaults(built: Path, cloudformation: CloudFormationClient) -> None:
    deployed = read_deployed(cloudformation, "ginuri").values

    deployment = plan_deployment(built, environment("dev"), deployed)

    assert deployed == {}
    assert deployment.values["CanonicalHost"] == "resources.usgin.org"
    assert "HostNames: none" in list(deployment.changes())


def test_a_parameter_that_a_stack_lacks_has_its_default(built: Path) -> None:
    deployment = plan_deployment(built, environment("dev"), {"CanonicalHost": "id.example.org"})

    assert deployment.values["HostNames"] == "none"
    assert "HostNames: not deployed yet → none" in list(deployment.changes())


def test_a_parameter_removed_from_the_template_is_not_passed_on(built: Path) -> None:
    assert "Lost" not in plan_deployment(built, environment("dev"), {"Lost": "x"}).values


def test_only_changes_are_shown(built: Path) -> None:
    deployed = plan_deployment(built, environment(), SITE).values

    assert list(plan_deployment(built, environment(), deployed).changes()) == []


def test_a_changed_value_is_another_release(built: Path) -> None:
    deployed = plan_deployment(built, environment(), SITE).values

    changes = list(plan_deployment(built, environment(CanonicalHost="a.example"), deployed).changes())

    assert [line.partition(":")[0] for line in changes] == ["CanonicalHost", "Release"]


@pytest.mark.parametrize("name", ["CanonicalHost", "AlarmAddress"])
def test_prod_refuses_an_unstated_default(built: Path, name: str) -> None:
    site = {**SITE, name: PARAMETERS[name]["Default"]}

    with pytest.raises(UnusableValue, match=f"prod needs a value for {name}"):
        plan_deployment(built, environment(), site)
    for allowed in (environment("dev"), environment(**{name: site[name]})):
        assert plan_deployment(built, allowed, site).values[name] == site[name]


@pytest.mark.parametrize("value", ["a.example, b.example", ""])
def test_a_deployed_value_that_deployment_cannot_pass_on_is_refused(built: Path, value: str) -> None:
    with pytest.raises(UnusableValue, match="HostNames is deployed as"):
        plan_deployment(built, environment(), {**SITE, "HostNames": value})


def test_an_unknown_parameter_is_refused(built: Path) -> None:
    with pytest.raises(UnusableValue, match="CanonicalHosts"):
        plan_deployment(built, environment(CanonicalHosts="id.example.org"), SITE)


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_an_environment_names_parameters_of_the_template(root: Path, name: str) -> None:
    configuration = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))

    assert (
        read_environment(configuration, name).named.keys()
        <= expand(root / "template.yaml")["Parameters"].keys()
    )


def test_an_environment_is_read_from_its_configuration() -> None:
    entries = ["Canary=true", "HostNames=a.example,b.example"]
    stated = {"stack_name": "ginuri", "region": "eu-west-1", "parameter_overrides": entries}

    read = read_environment({"prod": {"deploy": {"parameters": stated}}}, "prod")

    assert read.named == {"Canary": "true", "HostNames": "a.example,b.example"}
    assert (read.stack, read.region, read.profile) == ("ginuri", "eu-west-1", None)


def test_the_file_of_a_site_precedes_the_settings_of_the_project() -> None:
    stated = {"stack_name": "ginuri", "region": "us-east-1", "parameter_overrides": ["Canary=true"]}
    own = {
        "region": "eu-west-1",
        "HostNames": ["a.example", "b.example"],
        "LogRetentionDays": 90,
        "Canary": False,
    }

    read = read_environment({"prod": {"deploy": {"parameters": stated}}}, "prod", {"prod": own})

    assert (read.stack, read.region) == ("ginuri", "eu-west-1")
    assert read.named == {"Canary": "false", "HostNames": "a.example,b.example", "LogRetentionDays": "90"}


def test_the_file_of_a_site_is_no_file_of_the_project(root: Path) -> None:
    assert "site.toml" in (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "CanonicalHost" not in (root / "samconfig.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", ["Canary", "=true", "Canary=", "HostNames=a.example, b.example"])
def test_an_entry_without_name_or_value_is_refused(entry: str) -> None:
    stated = {"stack_name": "ginuri", "region": "us-east-1", "parameter_overrides": [entry]}

    with pytest.raises(UnusableValue, match="NAME=VALUE"):
        read_environment({"dev": {"deploy": {"parameters": stated}}}, "dev")
