"""The stack of the edge: its values are those of the stack and of site.toml; parts are optional."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from infra.deployment.environment import Environment, UnusableValue, read_environment
from infra.deployment.global_stack import plan_arguments, plan_values, read_named
from infra.deployment.stack import Deployed, Resource
from tests.infrastructure.stack import Stack

RESOURCES = (
    Resource("Distribution", "AWS::CloudFront::Distribution", "E2QWRUHAPOMQZL"),
    Resource("EdgeFunction", "AWS::CloudFront::Function", "arn:aws:cloudfront::1:function/ginuri-eu-west-1"),
)
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234"
DEPLOYED = Deployed(
    {"AlarmAddress": "operators@example.org", "CertificateArn": CERTIFICATE, "Canary": "true"}
)
PROBED = {"ProbeHost": "id.example.org", "ProbePath": "/uri-gin/azgs/"}
SITE = tomllib.loads("""
[prod]
region = "eu-west-1"
[global.prod]
ProbeHost = "id.example.org"
ProbePath = "/uri-gin/azgs/"
MonthlyBudget = 50
""")


def test_the_values_of_the_stack_are_taken_over(global_stack: Stack) -> None:
    values = plan_values(global_stack.template["Parameters"], {}, DEPLOYED, RESOURCES, {})

    assert values == {
        "AlarmAddress": "operators@example.org",
        "CertificateArn": CERTIFICATE,
        "DistributionId": "E2QWRUHAPOMQZL",
        "EdgeFunctionName": "ginuri-eu-west-1",
        **dict.fromkeys(("ProbeHost", "ProbePath", "MonthlyBudget", "RequestsOfAClient"), "none"),
    }


def test_a_site_names_values_beside_those_of_its_stack(root: Path, global_stack: Stack) -> None:
    configuration = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    named = read_named(SITE, "prod")

    assert named == {**PROBED, "MonthlyBudget": "50"}
    assert (
        plan_values(global_stack.template["Parameters"], named, DEPLOYED, RESOURCES, {}).items()
        >= named.items()
    )
    assert read_named(SITE, "dev") == {}
    assert read_environment(configuration, "prod", SITE).region == "eu-west-1"


def test_an_unnamed_value_stays_as_it_is_deployed(global_stack: Stack) -> None:
    kept = {**PROBED, "DistributionId": "EOLD", "AlarmAddress": "former@example.org", "Removed": "x"}

    values = plan_values(global_stack.template["Parameters"], {}, DEPLOYED, RESOURCES, kept)

    assert values.items() >= PROBED.items()
    assert values["DistributionId"] == "E2QWRUHAPOMQZL"
    assert values["AlarmAddress"] == "operators@example.org"
    assert "Removed" not in values


@pytest.mark.parametrize(
    ("named", "resources", "message"),
    [
        ({"ProbeName": "x"}, RESOURCES, "site.toml names ProbeName"),
        ({"DistributionId": "E1"}, RESOURCES, "site.toml names DistributionId"),
        (
            {"ProbePath": "uri-gin/azgs/"},
            RESOURCES,
            "ProbePath cannot be 'uri-gin/azgs/'. A path that begins",
        ),
        ({"ProbePath": "/a b"}, RESOURCES, "ProbePath cannot be"),
        ({}, (), "The stack has no Distribution, EdgeFunction yet: deploy it first"),
    ],
)
def test_an_unusable_value_is_refused_with_the_reason(
    global_stack: Stack, named: dict[str, str], resources: tuple[Resource, ...], message: str
) -> None:
    with pytest.raises(UnusableValue, match=message):
        plan_values(global_stack.template["Parameters"], named, DEPLOYED, resources, {})


def test_the_stack_of_the_edge_is_deployed_to_us_east_1() -> None:
    named = {"Distribution": "E2QWRUHAPOMQZL", "EdgeFunction": "ginuri-eu-west-1"}
    resources = {  # moto creates no distributions
        name: {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": queue}} for name, queue in named.items()
    }
    template = {"Parameters": {"AlarmAddress": {"Type": "String"}}, "Resources": resources}
    with mock_aws():
        boto3.client("cloudformation", "eu-west-1").create_stack(
            StackName="ginuri",
            TemplateBody=json.dumps(template),
            Parameters=[{"ParameterKey": "AlarmAddress", "ParameterValue": "operators@example.org"}],
        )
        environment = Environment("prod", "ginuri", "eu-west-1", None, {}, {"application": "ginuri"})

        arguments = list(plan_arguments(environment, SITE))

    pairs = list(pairwise(arguments))
    assert ("--stack-name", "ginuri-global") in pairs
    assert ("--region", "us-east-1") in pairs
    assert ("--tags", "application=ginuri") in pairs
    assert {
        "DistributionId=E2QWRUHAPOMQZL",
        "EdgeFunctionName=ginuri-eu-west-1",
        "AlarmAddress=operators@example.org",
        "CertificateArn=none",
        "ProbePath=/uri-gin/azgs/",
    } < set(arguments)


def test_one_name_is_probed_by_http_and_by_https(global_stack: Stack) -> None:
    probes = global_stack.of_type("AWS::Route53::HealthCheck")
    checks = [probe["HealthCheckConfig"] for probe in probes.values()]

    assert {(check["Type"], check["Port"]) for check in checks} == {("HTTP", 80), ("HTTPS", 443)}
    for check in checks:
        assert check["FullyQualifiedDomainName"] == {"Ref": "ProbeHost"}
        assert check["ResourcePath"] == {"Ref": "ProbePath"}
        assert len(check["Regions"]) >= 3


def test_optional_parts_are_created_only_on_request(global_stack: Stack) -> None:
    conditions = {name: resource.get("Condition") for name, resource in global_stack.resources.items()}

    assert {name for name, condition in conditions.items() if condition is None} == {
        "AlarmTopic",
        "EdgeErrorsAlarm",
        "EdgeFunctionAlarm",
    }
    assert conditions["Budget"] == "HasBudget"
    assert conditions["Firewall"] == "HasFirewall"


def test_the_firewall_of_the_stack_is_that_of_its_parameter(stack: Stack, global_stack: Stack) -> None:
    [distribution] = stack.of_type("AWS::CloudFront::Distribution").values()
    [firewall] = global_stack.of_type("AWS::WAFv2::WebACL").values()
    [rule] = firewall["Rules"]

    attached = {"Fn::If": ["HasFirewall", {"Ref": "WebAclArn"}, {"Ref": "AWS::NoValue"}]}
    assert distribution["DistributionConfig"]["WebACLId"] == attached
    assert firewall["Scope"] == "CLOUDFRONT"
    assert rule["Statement"]["RateBasedStatement"]["Limit"] == {"Ref": "RequestsOfAClient"}


def test_the_template_fits_into_a_request_and_has_no_aliases_of_yaml(root: Path, global_stack: Stack) -> None:
    text = (root / "global.yaml").read_text(encoding="utf-8")

    assert len(text) < 51_200
    assert "*notify" not in text
    assert json.loads(json.dumps(global_stack.template))
