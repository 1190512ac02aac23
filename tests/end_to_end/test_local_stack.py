"""The template becomes a working stack, and leaves nothing behind when it ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local import ROOT
from infra.local.__main__ import INGESTING
from infra.local.cloudformation.completion import TemplateRefused
from infra.local.cloudformation.missing_types import GapsAreWrong, check
from infra.local.cloudformation.moto_gaps import GAPS, Gap
from infra.local.functions.runtime_api import Answer
from infra.local.stack import FunctionBroken, Stack
from infra.local.template import expand

KEY: Any = {"identifier": {"S": "uri-gin/x"}, "version": {"S": "of the first stack"}}


def test_every_type_and_property_of_the_template_is_known() -> None:
    check(expand(ROOT / "template.yaml"))


def test_a_type_that_is_not_listed_is_named() -> None:
    template = {"Resources": {"Alarm": {"Type": "AWS::CloudWatch::CompositeAlarm"}}}

    with pytest.raises(
        GapsAreWrong, match=r"Alarm: AWS::CloudWatch::CompositeAlarm is not listed; moto lacks it"
    ):
        check(template)


def test_a_property_that_is_not_listed_is_named() -> None:
    template = {"Resources": {"Table": {"Type": "AWS::DynamoDB::Table", "Properties": {"Surprise": 1}}}}

    with pytest.raises(GapsAreWrong, match=r"Table: AWS::DynamoDB::Table is not known to keep Surprise"):
        check(template)


def test_a_type_that_moto_newly_supports_is_reported() -> None:
    with pytest.raises(GapsAreWrong, match=r"AWS::SQS::Queue is listed as missing, and moto has learnt it"):
        check({"Resources": {}}, GAPS | {"AWS::SQS::Queue": Gap(instead="us")})


def test_a_type_that_moto_does_not_support_is_reported() -> None:
    with pytest.raises(GapsAreWrong, match=r"AWS::Nowhere::Land is listed as known to moto, which lacks it"):
        check({"Resources": {}}, GAPS | {"AWS::Nowhere::Land": Gap()})


def test_settings_that_moto_drops_are_set_afterwards(toys: Stack) -> None:
    s3, bucket = toys.client("s3"), toys.uploads_bucket

    assert s3.get_bucket_versioning(Bucket=bucket)["Status"] == "Enabled"
    assert all(s3.get_public_access_block(Bucket=bucket)["PublicAccessBlockConfiguration"].values())
    [rule] = s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 7}
    [owner] = s3.get_bucket_ownership_controls(Bucket=bucket)["OwnershipControls"]["Rules"]
    assert owner["ObjectOwnership"] == "BucketOwnerEnforced"
    backups = toys.client("dynamodb").describe_continuous_backups(TableName=toys.registry_table)
    recovery = backups["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
    assert recovery["PointInTimeRecoveryStatus"] == "ENABLED"


def test_settings_listed_as_kept_by_moto_are_kept(toys: Stack) -> None:
    queue = toys.client("sqs").get_queue_attributes(QueueUrl=toys.ingest_queue, AttributeNames=["All"])
    table = toys.client("dynamodb").describe_table(TableName=toys.registry_table)["Table"]
    encryption = toys.client("s3").get_bucket_encryption(Bucket=toys.content_bucket)

    stated = toys.resources.named("IngestQueue").properties
    assert queue["Attributes"]["VisibilityTimeout"] == str(stated["VisibilityTimeout"])
    redrive = json.loads(queue["Attributes"]["RedrivePolicy"])
    assert redrive["maxReceiveCount"] == stated["RedrivePolicy"]["maxReceiveCount"]
    assert table["DeletionProtectionEnabled"]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert encryption["ServerSideEncryptionConfiguration"]["Rules"]


def test_a_function_gets_only_the_variables_of_the_template(toys: Stack) -> None:
    variables = httpx.get(f"{toys.service}/toy/environment").json()

    assert variables["REGISTRY_TABLE"] == toys.registry_table
    assert variables["CONTENT_BUCKET"] == toys.content_bucket
    default = expand(ROOT / "template.yaml")["Parameters"]["CanonicalHost"]["Default"]
    assert variables["CANONICAL_HOST"] == default
    kept = toys.client("secretsmanager").get_secret_value(SecretId=toys.edge_secret)
    [sent] = json.loads(kept["SecretString"]).values()
    accepted = variables["EDGE_SECRET"].split()
    assert sent in accepted
    assert len(set(accepted)) == 2
    assert all(re.fullmatch("[0-9A-Za-z]{64}", secret) for secret in accepted)
    assert "UPLOADS_BUCKET" not in variables
    assert "HOME" not in variables


def test_a_queue_without_a_policy_for_the_bucket_is_refused(start_toys: Callable[..., Any]) -> None:
    changed = ("Principal: {Service: s3.amazonaws.com}", "Principal: {Service: sns.amazonaws.com}")

    with pytest.raises(TemplateRefused, match="UploadsBucket may not send to"), start_toys(changed):
        pass


def test_a_role_that_may_not_take_from_the_queue_is_refused(start_toys: Callable[..., Any]) -> None:
    with (
        pytest.raises(TemplateRefused, match="role of IngestFunction may not take from"),
        start_toys(("- sqs:DeleteMessage\n", "- sqs:PurgeQueue\n")),
    ):
        pass


def test_a_handler_that_cannot_be_loaded_is_named_with_the_reason(start_toys: Callable[..., Any]) -> None:
    changed = ("Handler: describe.handler.handle", "Handler: describe.nowhere.handle")

    with (
        pytest.raises(FunctionBroken, match=r"DescribeFunction did not start: .*describe\.nowhere"),
        start_toys(changed),
    ):
        pass


def start(*arguments: str, coordinates: Path) -> subprocess.Popen[str]:
    """Start the stack as `make serve` does."""
    return subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "infra.local", *arguments],
        cwd=ROOT,
        env=os.environ | {"GINURI_LOCAL_STACK": str(coordinates)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_until_ready(running: subprocess.Popen[str]) -> list[str]:
    assert running.stdout is not None
    lines = []
    for line in running.stdout:
        lines.append(line.rstrip())
        if line.startswith("ready "):
            break
    return lines


def descendants(pid: int) -> set[int]:
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    found = {int(child) for thread in threads for child in thread.read_text(encoding="ascii").split()}
    return found.union(*(descendants(child) for child in found))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_stack_and_its_processes(tmp_path: Path, number: signal.Signals) -> None:
    uploads, coordinates = tmp_path / "uploads", tmp_path / "stack.json"
    uploads.mkdir()

    with start("--port", "0", "--uploads", str(uploads), coordinates=coordinates) as running:
        lines = read_until_ready(running)
        where = json.loads(coordinates.read_text(encoding="utf-8"))
        children = descendants(running.pid)
        answered = httpx.get(where["service"] + "/").status_code
        running.send_signal(number)
        status = running.wait(timeout=10)

    assert lines[-1] == f"ready {where['service']}"
    assert answered == 200
    assert status == 0
    assert len(children) == 4 + INGESTING
    time.sleep(0.2)
    assert not any(alive(child) for child in children)
    assert not coordinates.exists()
    for url in (where["service"], where["endpoint"]):
        with pytest.raises(httpx.ConnectError):
            httpx.get(url)


def test_a_port_in_use_is_reported_clearly(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start("--port", str(port), coordinates=tmp_path / "x.json") as failing:
            said, error = failing.communicate(timeout=20)

    assert failing.returncode == 1
    assert said == ""
    assert re.fullmatch(rf"error: port {port} cannot be used: .*in use\n", error)


def test_a_missing_folder_is_reported_clearly(tmp_path: Path) -> None:
    with start("--uploads", "no/such/folder", coordinates=tmp_path / "x.json") as failing:
        said, error = failing.communicate(timeout=20)

    assert (failing.returncode, said) == (1, "")
    assert error == "error: there is no folder no/such/folder\n"


def test_two_stacks_of_one_process_do_not_share_a_registry(
    toys: Stack, start_toys: Callable[..., Any]
) -> None:
    toys.client("dynamodb").put_item(TableName=toys.registry_table, Item=KEY)

    with start_toys() as other:
        found = other.client("dynamodb").get_item(TableName=other.registry_table, Key=KEY)

        assert "Item" not in found
        assert isinstance(other.invoke("ResolveFunction", b'{"path": "/x"}'), Answer)
