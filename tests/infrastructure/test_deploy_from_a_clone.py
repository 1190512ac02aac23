"""`make deploy` in a clean clone, at a terminal, over the stack of a site: real SAM on moto."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.backends import get_backend
from moto.server import ThreadedMotoServer

from infra.deployment.stack import Deployed, read_deployed
from infra.local.template import ACCOUNT, REGION, expand
from tests.terminal import press_enter

SITE = {
    "CanonicalHost": "id.example.org",
    "HostNames": "id.example.org,purl.example.org",
    "CertificateArn": f"arn:aws:acm:{REGION}:{ACCOUNT}:certificate/12345678-1234-1234-1234-123456789012",
    "HostedZoneId": "Z0123456789ABCDEFGHIJ",
    "AlarmAddress": "operators@example.org",
    "LogRetentionDays": "90",
    "SecretGeneration": "4",
    "Canary": "false",
}
NAMED_BY_THE_PROJECT = {"Canary": "true"}
TAGS = {"cost-centre": "4711", "environment": "prod", "application": "ginuri"}


@dataclass(frozen=True)
class Attempt:
    """A run of `make deploy` at a terminal, and the stack before and after it."""

    questions: list[str]
    seen: str
    before: Deployed
    after: Deployed
    stated_tags: dict[str, str]
    """The tags of the change set, which moto does not give to the stack."""


@pytest.fixture(scope="module")
def attempt(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attempt]:
    if not (root / ".venv-sam" / "bin" / "sam").is_file():
        pytest.skip("the SAM CLI is not in .venv-sam: make build")
    clone = tmp_path_factory.mktemp("clone")
    template = _template(root)
    _clone(root, clone, template)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    # With a dot in its host, moto would take the first part for a bucket.
    endpoint = f"http://localhost:{server.get_host_and_port()[1]}"
    session = boto3.Session("testing", "testing", region_name=REGION)
    client = partial(session.client, endpoint_url=endpoint)
    try:
        cloudformation = client("cloudformation")
        _create(cloudformation, template)
        before = read_deployed(cloudformation, "ginuri")
        # `-o build`: what is built does not matter here.
        command = ["make", "-o", "build", "deploy", "ENV=prod"]
        questions, seen = press_enter(command, _with_aws(clone, endpoint), clone)
        after = read_deployed(cloudformation, "ginuri")
        yield Attempt(questions, seen, before, after, _stated_tags())
    finally:
        server.stop()


def test_a_clean_clone_deploys_without_any_question(attempt: Attempt) -> None:
    assert attempt.questions == []
    assert "Successfully created/updated stack - ginuri in us-east-1" in attempt.seen


def test_a_clean_clone_takes_no_value_off_a_site(attempt: Attempt) -> None:
    assert attempt.before.values.items() >= SITE.items()
    assert attempt.after.values.items() >= {**SITE, **NAMED_BY_THE_PROJECT}.items()
    assert attempt.after.values["Release"] != attempt.before.values["Release"]  # it was deployed


def test_a_clean_clone_keeps_the_tags_of_a_site(attempt: Attempt) -> None:
    assert attempt.before.tags == {"cost-centre": "4711", "environment": "prod"}
    assert attempt.stated_tags == TAGS


def test_a_deployment_shows_only_what_changes(attempt: Attempt) -> None:
    changes = attempt.seen.partition("The stack ginuri in us-east-1:\n")[2].splitlines()[:4]

    assert [line.strip().partition(":")[0] for line in changes[:3]] == ["Release", "Canary", "tags"]
    assert "HostNames" not in "".join(changes)


def test_a_deployment_invokes_the_publish_function_of_a_new_stack(attempt: Attempt) -> None:
    assert "Publishing the registry for the first time" in attempt.seen
    assert re.search(r"did not publish: .*ResourceNotFoundException.*Error 1", attempt.seen, re.DOTALL)


def _template(root: Path) -> dict[str, Any]:
    """Return a template with the parameters of the project's, and with a bucket that moto can make."""
    parameters = expand(root / "template.yaml")["Parameters"]
    parameters["HostNames"]["Type"] = "String"  # moto writes lists in its own way
    bucket = {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "published"}}
    function = {"Type": "AWS::SQS::Queue"}  # in place of the function, which moto cannot run
    return {"Parameters": parameters, "Resources": {"PublishedBucket": bucket, "PublishFunction": function}}


def _clone(root: Path, clone: Path, template: dict[str, Any]) -> None:
    for name in ("Makefile", "samconfig.toml"):
        shutil.copy(root / name, clone)
    shutil.copytree(root / "infra", clone / "infra", ignore=shutil.ignore_patterns("__pycache__", "local"))
    for name in (".venv-sam", "layers"):
        (clone / name).symlink_to(root / name)
    built = clone / ".aws-sam" / "build"
    built.mkdir(parents=True)
    (built / "template.yaml").write_text(json.dumps(template), encoding="utf-8")


def _create(cloudformation: Any, template: dict[str, Any]) -> None:
    """Create the stack of the site, and the bucket of SAM, which moto would create without its tag."""
    managed = {"B": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "sam-code"}}}
    cloudformation.create_stack(
        StackName="aws-sam-cli-managed-default",
        TemplateBody=json.dumps({"Resources": managed, "Outputs": {"SourceBucket": {"Value": {"Ref": "B"}}}}),
        Tags=[{"Key": "ManagedStackSource", "Value": "AwsSamCli"}],
    )
    cloudformation.create_stack(
        StackName="ginuri",
        TemplateBody=json.dumps(template),
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in SITE.items()],
        Tags=[{"Key": "cost-centre", "Value": "4711"}, {"Key": "environment", "Value": "prod"}],
    )


def _stated_tags() -> dict[str, str]:
    change_sets = get_backend("cloudformation")[ACCOUNT][REGION].change_sets.values()
    [stated] = [each.tags for each in change_sets if each.stack.name == "ginuri"]
    return dict(stated or {})


def _with_aws(home: Path, endpoint: str) -> dict[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "SAM_CLI_POLL_DELAY": "0.1",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": REGION,
    }
