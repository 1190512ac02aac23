"""Each fault that a first deployment fails on is found beforehand, with its remedy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import ANY, Stubber
from moto import mock_aws

from infra.deployment.environment import Environment, UnusableValue
from infra.deployment.preflight.__main__ import CHECKS, main, make_plan, run_checks
from infra.deployment.preflight.edge import probe_cloudfront
from infra.deployment.preflight.finding import Finding, Verdict
from infra.deployment.preflight.plan import Plan
from infra.deployment.stack import Resource
from infra.local.template import ACCOUNT, REGION
from infra.release import read_template

ARN = f"arn:aws:acm:us-east-1:{ACCOUNT}:certificate/12345678-1234-1234-1234-123456789012"
UPLOADS = f"ginuri-dev-uploads-{ACCOUNT}-{REGION}"


class FakeAws:
    """Clients of moto, and stubbed ones for what moto lacks."""

    def __init__(self) -> None:
        self.stubs: dict[str, Stubber] = {}

    def __call__(self, service: str, region: str | None = None) -> Any:
        stub = self.stubs.get(service)
        return boto3.client(service, region_name=region or REGION) if stub is None else stub.client  # type: ignore[call-overload]

    def stub(self, service: str) -> Stubber:
        client: Any = boto3.client(service, region_name=REGION)  # type: ignore[call-overload]
        self.stubs[service] = Stubber(client)
        self.stubs[service].activate()
        return self.stubs[service]


@pytest.fixture
def aws() -> Iterator[FakeAws]:
    with mock_aws():
        yield FakeAws()


@cache
def template(root: Path) -> Mapping[str, Any]:
    return read_template(root)


def planned(aws: FakeAws, root: Path, **named: str) -> Plan:
    return make_plan(Environment("dev", "ginuri-dev", REGION, None, named), aws, template(root))


def check(name: str, plan: Plan) -> list[Finding]:
    return list(CHECKS[name](plan))


def verdict(name: str, plan: Plan) -> tuple[str, str]:
    [finding] = check(name, plan)
    assert finding.remedy or finding.verdict is Verdict.PASSED
    return str(finding.verdict), finding.text


@pytest.mark.parametrize(
    "name", ["region", "stack", "artefacts", "buckets", "log groups", "hosts", "certificate"]
)
def test_an_empty_account_passes(aws: FakeAws, root: Path, name: str) -> None:
    assert verdict(name, planned(aws, root))[0] == "passed"


def test_a_region_that_lacks_cloudfront_fails(aws: FakeAws, root: Path) -> None:
    environment = Environment("dev", "ginuri-dev", "us-gov-west-1", None, {})

    assert verdict("region", make_plan(environment, aws, template(root)))[0] == "failed"


def test_a_value_that_cannot_be_deployed_is_refused(aws: FakeAws, root: Path) -> None:
    with pytest.raises(UnusableValue, match="CanonicalHosts"):
        planned(aws, root, CanonicalHosts="id.example.org")


@pytest.mark.parametrize(
    ("status", "expected", "remedy"),
    [
        ("ROLLBACK_COMPLETE", "failed", "delete-stack"),
        ("UPDATE_IN_PROGRESS", "failed", "wait"),
        ("UPDATE_ROLLBACK_FAILED", "failed", "continue-update-rollback"),
        ("UPDATE_ROLLBACK_COMPLETE", "passed", ""),
    ],
)
def test_a_stack_that_cannot_be_updated_fails(
    aws: FakeAws, root: Path, status: str, expected: str, remedy: str
) -> None:
    plan = planned(aws, root)
    stack = {"StackName": "ginuri-dev", "CreationTime": datetime.now(UTC), "StackStatus": status}
    aws.stub("cloudformation").add_response("describe_stacks", {"Stacks": [stack]})

    [finding] = check("stack", plan)

    assert finding.verdict == expected
    assert remedy in finding.remedy


def test_a_missing_bucket_of_sam_fails(aws: FakeAws, root: Path) -> None:
    made = {
        "Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "code"}}},
        "Outputs": {"SourceBucket": {"Value": {"Ref": "Bucket"}}},
    }
    aws("cloudformation").create_stack(StackName="aws-sam-cli-managed-default", TemplateBody=json.dumps(made))
    assert verdict("artefacts", planned(aws, root))[0] == "passed"

    aws("s3").delete_bucket(Bucket="code")

    assert verdict("artefacts", planned(aws, root)) == (
        "failed",
        "the bucket of SAM, code, cannot be used (404)",
    )


@pytest.mark.parametrize(
    ("quota", "stated", "verdicts"),
    [
        (1000, "1000", ["passed"]),
        (10, "1000", ["warning", "failed", "warning"]),
        (110, "110", ["failed", "passed"]),
        (10, "10", ["warning"]),
        (500, "1000", ["warning"]),
    ],
)
def test_a_small_concurrency_is_a_warning(
    aws: FakeAws, root: Path, quota: int, stated: str, verdicts: list[str]
) -> None:
    plan = planned(aws, root, AccountConcurrency=stated)
    limits = {"AccountLimit": {"ConcurrentExecutions": quota}}
    aws.stub("lambda").add_response("get_account_settings", limits)

    findings = check("concurrency", plan)

    assert [str(each.verdict) for each in findings] == verdicts
    assert quota != 10 or "ingest may use 8" in findings[-1].text


@pytest.mark.parametrize(
    ("code", "fault"), [("403", "belongs to somebody else"), ("301", "is in another region")]
)
def test_a_bucket_of_somebody_else_fails(aws: FakeAws, root: Path, code: str, fault: str) -> None:
    plan = planned(aws, root)
    stub = aws.stub("s3")
    stub.add_client_error("head_bucket", code, expected_params={"Bucket": UPLOADS})
    for _ in range(4):
        stub.add_client_error("head_bucket", "404", expected_params={"Bucket": ANY})

    assert verdict("buckets", plan) == ("failed", f"the bucket {UPLOADS} {fault}" + _rest(code))


def _rest(code: str) -> str:
    return ", or may not be read" if code == "403" else ""


def test_a_retained_bucket_fails_unless_it_is_in_the_stack(aws: FakeAws, root: Path) -> None:
    aws("s3").create_bucket(Bucket=UPLOADS)
    plan = planned(aws, root)

    [finding] = check("buckets", plan)

    assert finding.verdict is Verdict.FAILED
    assert "recover-a-deleted-stack.md" in finding.remedy
    owned = _owning(plan, Resource("UploadsBucket", "AWS::S3::Bucket", UPLOADS))
    assert verdict("buckets", owned)[0] == "passed"


def test_a_name_too_long_for_buckets_fails(aws: FakeAws, root: Path) -> None:
    environment = Environment("dev", "ginuri-of-the-geological-survey", REGION, None, {})

    assert verdict("buckets", make_plan(environment, aws, template(root)))[0] == "failed"


def test_a_log_group_of_a_deleted_stack_fails(aws: FakeAws, root: Path) -> None:
    aws("logs").create_log_group(logGroupName="/aws/lambda/ginuri-dev-resolve")

    [finding] = check("log groups", planned(aws, root))

    assert finding.verdict is Verdict.FAILED
    assert finding.remedy == "aws logs delete-log-group --log-group-name /aws/lambda/ginuri-dev-resolve"


def test_a_policy_of_cloudfront_with_the_same_name_fails(aws: FakeAws, root: Path) -> None:
    plan = planned(aws, root)
    for own, expected in (((), "failed"), ((Resource("P", "AWS::CloudFront::CachePolicy", "id"),), "passed")):
        stub = aws.stub("cloudfront")
        empty = {"MaxItems": 100, "Quantity": 0}
        config = {"Name": f"ginuri-dev-{REGION}", "MinTTL": 0}
        policy = {"Id": "id", "LastModifiedTime": datetime.now(UTC), "CachePolicyConfig": config}
        items = [{"Type": "custom", "CachePolicy": policy}]
        stub.add_response("list_functions", {"FunctionList": empty})
        stub.add_response("list_cache_policies", {"CachePolicyList": {**empty, "Items": items}})
        stub.add_response("list_origin_request_policies", {"OriginRequestPolicyList": empty})

        assert verdict("names of the edge", _owning(plan, *own))[0] == expected


def test_an_account_without_distributions_stays_unknown(aws: FakeAws, root: Path) -> None:
    [finding] = check("CloudFront", planned(aws, root))

    assert finding.verdict is Verdict.UNKNOWN
    assert "PROBE=1" in finding.remedy


def test_the_probe_deletes_its_distribution(aws: FakeAws, root: Path) -> None:
    [finding] = probe_cloudfront(planned(aws, root))

    assert finding.verdict is Verdict.PASSED
    assert aws("cloudfront").list_distributions()["DistributionList"]["Quantity"] == 0


def test_the_probe_shows_an_account_that_is_not_verified(aws: FakeAws, root: Path) -> None:
    plan = planned(aws, root)
    message = "Your account must be verified before you can add new CloudFront resources."
    aws.stub("cloudfront").add_client_error("create_distribution", "AccessDenied", message)

    [finding] = probe_cloudfront(plan)

    assert finding.verdict is Verdict.FAILED
    assert "AWS Support" in finding.remedy


def test_a_host_of_another_distribution_fails(aws: FakeAws, root: Path) -> None:
    plan = planned(aws, root, HostNames="id.example.org", CertificateArn=ARN)
    other = {"Id": "E1", "Aliases": {"Quantity": 1, "Items": ["id.example.org"]}}
    page = {"Marker": "", "MaxItems": 100, "IsTruncated": False, "Quantity": 1, "Items": [other]}
    stub = aws.stub("cloudfront")
    stub.add_response("list_distributions", {"DistributionList": {**page, "Items": [_distribution(other)]}})

    assert verdict("hosts", plan) == ("failed", "the distribution E1 has id.example.org already")


def _distribution(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return a distribution with all required members."""
    empty = {"Quantity": 0}
    return {
        "ARN": "arn",
        "Status": "Deployed",
        "LastModifiedTime": datetime.now(UTC),
        "DomainName": "d.cloudfront.net",
        "Origins": {"Quantity": 1, "Items": [{"Id": "o", "DomainName": "o.example"}]},
        "DefaultCacheBehavior": {"TargetOriginId": "o", "ViewerProtocolPolicy": "allow-all"},
        "CacheBehaviors": empty,
        "CustomErrorResponses": empty,
        "Comment": "",
        "PriceClass": "PriceClass_All",
        "Enabled": True,
        "ViewerCertificate": {},
        "Restrictions": {"GeoRestriction": {"RestrictionType": "none", "Quantity": 0}},
        "WebACLId": "",
        "HttpVersion": "http2",
        "IsIPV6Enabled": True,
        "Staging": False,
        **stated,
    }


@pytest.mark.parametrize(
    ("certificate", "expected"),
    [
        ({"DomainName": "id.example.org", "Status": "ISSUED"}, "passed"),
        ({"DomainName": "*.example.org", "Status": "ISSUED"}, "passed"),
        ({"DomainName": "id.example.org", "Status": "PENDING_VALIDATION"}, "failed"),
        ({"DomainName": "*.id.example.org", "Status": "ISSUED"}, "failed"),
        ({"DomainName": "id.example.org", "Status": "ISSUED", "NotAfter": timedelta(days=9)}, "warning"),
    ],
)
def test_a_certificate_is_issued_for_every_host(
    aws: FakeAws, root: Path, certificate: dict[str, Any], expected: str
) -> None:
    plan = planned(aws, root, HostNames="id.example.org", CertificateArn=ARN)
    if "NotAfter" in certificate:
        certificate = {**certificate, "NotAfter": datetime.now(UTC) + certificate["NotAfter"]}
    aws.stub("acm").add_response("describe_certificate", {"Certificate": certificate})

    assert verdict("certificate", plan)[0] == expected


@pytest.mark.parametrize(
    "named",
    [
        {"HostNames": "id.example.org"},
        {"CertificateArn": ARN},
        {"HostNames": "a.example", "CertificateArn": ARN},
    ],
)
def test_a_missing_certificate_fails(aws: FakeAws, root: Path, named: dict[str, str]) -> None:
    assert verdict("certificate", planned(aws, root, **named))[0] == "failed"


@pytest.mark.parametrize(
    ("zone", "record", "expected"),
    [
        ("example.org", "", "passed"),
        ("example.org", "id.example.org", "failed"),
        ("example.com", "", "failed"),
    ],
)
def test_a_hosted_zone_has_the_host_and_no_record_of_it(
    aws: FakeAws, root: Path, zone: str, record: str, expected: str
) -> None:
    dns = aws("route53")
    made = dns.create_hosted_zone(Name=zone, CallerReference="x")["HostedZone"]["Id"].rpartition("/")[2]
    if record:
        change = {"Name": record, "Type": "A", "TTL": 60, "ResourceRecords": [{"Value": "192.0.2.1"}]}
        batch = {"Changes": [{"Action": "CREATE", "ResourceRecordSet": change}]}
        dns.change_resource_record_sets(HostedZoneId=made, ChangeBatch=batch)
    plan = planned(aws, root, HostNames="id.example.org", CertificateArn=ARN, HostedZoneId=made)

    assert verdict("hosted zone", plan)[0] == expected


def test_a_hosted_zone_that_does_not_exist_fails(aws: FakeAws, root: Path) -> None:
    plan = planned(aws, root, HostNames="id.example.org", CertificateArn=ARN, HostedZoneId="Z1")

    assert verdict("hosted zone", plan) == ("failed", "there is no hosted zone Z1")


@pytest.mark.parametrize("denied", [[], ["lambda:CreateFunction", "iam:PassRole"]])
def test_missing_permissions_are_named(aws: FakeAws, root: Path, denied: list[str]) -> None:
    plan = planned(aws, root)
    stub = aws.stub("iam")
    simulated = []

    def answer(params: Mapping[str, Any], **_: object) -> None:
        simulated.extend(params["ActionNames"])

    stub.client.meta.events.register("provide-client-params.iam.SimulatePrincipalPolicy", answer)
    for each in denied or [""]:
        results = [{"EvalActionName": each, "EvalDecision": "implicitDeny"}] if each else []
        stub.add_response("simulate_principal_policy", {"EvaluationResults": results})
    for _ in range(40):
        stub.add_response("simulate_principal_policy", {"EvaluationResults": []})

    found, text = verdict("permissions", plan)

    assert found == ("failed" if denied else "passed")
    assert all(each in text for each in denied)
    assert {"lambda:CreateFunction", "iam:PassRole", "cloudfront:CreateDistribution"} <= set(simulated)
    assert not any("*" in each for each in simulated)


def test_a_caller_that_may_not_simulate_stays_unknown(aws: FakeAws, root: Path) -> None:
    plan = planned(aws, root)
    aws.stub("iam").add_client_error("simulate_principal_policy", "AccessDenied")

    [finding] = check("permissions", plan)

    assert finding.verdict is Verdict.UNKNOWN
    assert "iam:SimulatePrincipalPolicy" in finding.remedy


def test_a_check_that_may_not_call_aws_stays_unknown(aws: FakeAws, root: Path) -> None:
    plan = planned(aws, root)
    aws.stub("iam").add_client_error("simulate_principal_policy", "AccessDenied")
    aws.stub("logs").add_client_error("describe_log_groups", "AccessDeniedException")

    findings = dict(run_checks(plan))

    assert findings["log groups"].text == "the caller may not call DescribeLogGroups"
    assert findings.keys() == CHECKS.keys()


def test_the_command_prints_one_document(aws: FakeAws, capsys: pytest.CaptureFixture[str]) -> None:
    aws.stub("iam").add_client_error("simulate_principal_policy", "AccessDenied")

    code = main(["dev", "--json"], aws)

    findings = json.loads(capsys.readouterr().out)
    assert {each["check"] for each in findings} == CHECKS.keys()
    assert code == any(each["verdict"] == "failed" for each in findings)


def test_an_unknown_environment_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test"]) == 1
    assert "ENV is dev or prod" in capsys.readouterr().err


def test_the_documentation_lists_every_check(root: Path) -> None:
    page = (root / "docs" / "how-to" / "deploy.md").read_text(encoding="utf-8")
    section = page.partition("## Before a first deployment")[2].partition("\n## ")[0]

    assert re.findall(r"^\| ([\w ]+) \|", section, re.MULTILINE)[1:] == list(CHECKS)


def _owning(plan: Plan, *resources: Resource) -> Plan:
    return Plan(
        plan.environment, plan.clients, plan.template, plan.values, plan.account, plan.caller, resources
    )
