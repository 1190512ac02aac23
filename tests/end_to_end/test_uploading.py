"""From an object in the uploads bucket to the ingest function: its events and its failures."""

import json
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import httpx
import pytest
from click.testing import CliRunner

from ginuri.aws.botocore_clients import S3_CONFIG
from ginuri.aws.upload_putter import S3UploadPutter
from ginuri.cli.main import main
from ginuri.registry.content import PresignedPut
from infra.local.aws.clients import Account, Credentials
from infra.local.coordinates import published
from infra.local.stack import Stack
from infra.local.template import REGION
from infra.local.uploads import UploadFailed, upload_folder


def wait_until(holds: Callable[[], Any], seconds: float = 15) -> None:
    """Wait until `holds()` is true; fail after too long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def send(stack: Stack, *bodies: str) -> list[str]:
    """Send messages to the ingest queue in one call and return their ids."""
    entries: list[Any] = [
        {"Id": str(number), "MessageBody": body} for number, body in enumerate(bodies, start=1)
    ]
    sent = stack.client("sqs").send_message_batch(QueueUrl=stack.ingest_queue, Entries=entries)
    return [each["MessageId"] for each in sorted(sent["Successful"], key=lambda each: each["Id"])]


def received(stack: Stack, message_id: str) -> list[tuple[int, bool]]:
    """Return each delivery of a message: its receive count, and whether the function processed it."""
    deliveries = [each for source in stack.sources for each in source.deliveries]
    return [(each.receive_count, not each.failure) for each in deliveries if each.message_id == message_id]


def every_time(stack: Stack) -> list[tuple[int, bool]]:
    """Return the deliveries of a message that fails as often as the template allows."""
    redrive = stack.resources.named("IngestQueue").properties["RedrivePolicy"]
    return [(count, False) for count in range(1, int(redrive["maxReceiveCount"]) + 1)]


def dead(stack: Stack) -> int:
    """Return the number of messages in the dead-letter queue."""
    attributes = stack.client("sqs").get_queue_attributes(
        QueueUrl=stack.dead_letter_queue, AttributeNames=["ApproximateNumberOfMessages"]
    )
    return int(attributes["Attributes"]["ApproximateNumberOfMessages"])


def handed(stack: Stack) -> list[list[dict[str, Any]]]:
    """Return every batch of records that the toy for ingest received."""
    lines = [line for line in stack.log("IngestFunction") if line.startswith('{"records"')]
    return [json.loads(line)["records"] for line in lines]


def new_objects(stack: Stack) -> list[dict[str, Any]]:
    """Return the events that S3 sent to the queue for new objects."""
    records = [record for batch in handed(stack) for record in batch if "aws:s3" in record["body"]]
    bodies = [json.loads(record["body"]) for record in records]
    return [record for body in bodies for record in body.get("Records", [])]


def test_an_uploaded_object_is_announced_to_ingest_with_its_version(toys: Stack) -> None:
    key = "uri-gin/azgs/wells (é) +1.csv"

    put = toys.client("s3").put_object(Bucket=toys.uploads_bucket, Key=key, Body=b"twelve bytes")

    wait_until(lambda: put["VersionId"] in str(new_objects(toys)))
    [told] = [each for each in new_objects(toys) if each["s3"]["object"].get("versionId") == put["VersionId"]]
    assert told["eventName"] == "ObjectCreated:Put"
    assert told["s3"]["bucket"]["name"] == toys.uploads_bucket
    written = told["s3"]["object"]
    assert written["key"] == "uri-gin/azgs/wells+%28%C3%A9%29+%2B1.csv"
    assert (written["size"], written["eTag"]) == (12, put["ETag"].strip('"'))


def _assume(toys: Stack, name: str) -> Account:
    """Make a role, and return the account with its rights."""
    role = toys.client("iam").create_role(RoleName=name, AssumeRolePolicyDocument="{}")["Role"]
    answer = toys.client("sts").assume_role(RoleArn=role["Arn"], RoleSessionName="jane")
    keys = answer["Credentials"]
    credentials = Credentials(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"])
    assert answer["AssumedRoleUser"]["AssumedRoleId"] == f"{role['RoleId']}:jane"
    return Account(toys.endpoint, credentials)


def _signing(account: Account) -> Any:
    """Return a client with the settings of the functions."""
    keys = account.credentials
    named = (keys.access_key, keys.secret_key, keys.token)
    return boto3.Session(*named, REGION).client("s3", endpoint_url=account.endpoint, config=S3_CONFIG)


def test_an_event_has_the_identity_of_the_role_that_put_the_object(toys: Stack) -> None:
    with closing(_assume(toys, "one")) as one, closing(_assume(toys, "other")) as other:
        put = {"by a user": toys.client("s3"), "by a role": one.client("s3")}
        for key, s3 in put.items():
            s3.put_object(Bucket=toys.uploads_bucket, Key=key, Body=b"")
        signed = S3UploadPutter(lambda: _signing(other), toys.uploads_bucket).presign("signed", 2, {}, 60)
        assert httpx.put(signed.url, content=b"{}", headers=signed.headers).status_code == 200
        roles = [toys.client("iam").get_role(RoleName=name)["Role"]["RoleId"] for name in ("one", "other")]

    def identities() -> dict[str, str]:
        events = [
            each for each in new_objects(toys) if each["s3"]["object"]["key"].replace("+", " ") in wanted
        ]
        return {each["s3"]["object"]["key"]: each["userIdentity"]["principalId"] for each in events}

    wanted = {*put, "signed"}
    wait_until(lambda: len(identities()) == len(wanted))
    assert identities() == {
        "by+a+user": "AWS:LOCAL:local",
        "by+a+role": f"AWS:{roles[0]}:jane",
        "signed": f"AWS:{roles[1]}:jane",
    }


@pytest.fixture
def signed(toys: Stack) -> PresignedPut:
    """A signed request that puts five bytes with a principal, once."""
    putter = S3UploadPutter(lambda: _signing(toys.account), toys.uploads_bucket)
    return putter.presign(f"signed/{uuid4()} (é).csv", 5, {"principal": "mailto:jane@example.org"}, 60)


def test_a_signed_put_is_accepted_once_as_it_was_signed(signed: PresignedPut) -> None:
    first, second = (httpx.put(signed.url, content=b"12345", headers=signed.headers) for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 412)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"x-amz-meta-principal": "mailto:ana@example.org"}, b"12345"),
        ({"x-amz-meta-may": "rwxg=uri-gin/"}, b"12345"),
        ({"x-amz-meta-principal": None}, b"12345"),
        ({"if-none-match": None}, b"12345"),
        ({"content-length": "6"}, b"123456"),
    ],
)
def test_a_put_that_differs_from_the_signed_one_is_refused(
    signed: PresignedPut, headers: dict[str, str | None], body: bytes
) -> None:
    changed = {name: value for name, value in {**signed.headers, **headers}.items() if value is not None}

    assert httpx.put(signed.url, content=body, headers=changed).status_code == 403


def test_a_signed_put_is_of_one_key_and_one_time(toys: Stack, signed: PresignedPut) -> None:
    elsewhere = signed.url.replace("/signed/", "/other/")
    putter = S3UploadPutter(lambda: _signing(toys.account), toys.uploads_bucket)
    past = putter.presign("signed/late.csv", 5, {}, 0)

    wait_until(lambda: httpx.put(past.url, content=b"12345", headers=past.headers).status_code == 403, 3)
    assert httpx.put(elsewhere, content=b"12345", headers=signed.headers).status_code == 403


def test_a_multipart_upload_is_announced_once_when_complete(toys: Stack) -> None:
    s3 = toys.client("s3")
    where: Any = {"Bucket": toys.uploads_bucket, "Key": "uri-gin/azgs/large.csv"}
    upload: Any = where | {"UploadId": s3.create_multipart_upload(**where)["UploadId"]}
    sizes = [5 * 1024 * 1024, 10]
    tags = [
        s3.upload_part(**upload, PartNumber=number, Body=b"x" * size)["ETag"]
        for number, size in enumerate(sizes, start=1)
    ]

    parts: Any = [{"PartNumber": number, "ETag": tag} for number, tag in enumerate(tags, start=1)]
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})

    def told() -> list[tuple[str, int]]:
        events = [each for each in new_objects(toys) if each["s3"]["object"]["key"] == where["Key"]]
        return [(each["eventName"], each["s3"]["object"]["size"]) for each in events]

    wait_until(told)
    assert told() == [("ObjectCreated:CompleteMultipartUpload", sum(sizes))]


def test_s3_begins_with_a_test_event(toys: Stack) -> None:
    wait_until(lambda: handed(toys))

    assert json.loads(handed(toys)[0][0]["body"])["Event"] == "s3:TestEvent"


def test_a_failing_message_returns_and_ends_in_the_dead_letter_queue(toys: Stack) -> None:
    before = dead(toys)

    [failing] = send(toys, "raise")

    wait_until(lambda: dead(toys) == before + 1)
    assert received(toys, failing) == every_time(toys)


def test_dead_letters_are_put_back_and_processed(start_toys: Callable[..., Any], tmp_path: Path) -> None:
    body = json.dumps({"upload": {"key": "uri-gin/azgs/mended.csv", "version": "v1"}})
    environment = {"GINURI_LOCAL_STACK": str(tmp_path / "stack.json"), "GINURI_STACK": ""}

    with start_toys() as toys, published(toys, tmp_path / "stack.json"):
        toys.client("sqs").send_message(QueueUrl=toys.dead_letter_queue, MessageBody=body)
        result = CliRunner().invoke(main, ["redrive", "--json"], env=environment)
        wait_until(lambda: any(each.body == body for source in toys.sources for each in source.deliveries))
        left = dead(toys)

    assert (result.exit_code, left) == (0, 0)
    assert [json.loads(line)["message"] for line in result.stdout.splitlines()] == [body]


def test_a_message_returns_when_the_function_is_killed(toys: Stack) -> None:
    [message] = send(toys, "first-time-forever")
    wait_until(lambda: message in str(handed(toys)))

    toys.kill("IngestFunction")

    wait_until(lambda: len(received(toys, message)) == 2)
    assert received(toys, message) == [(1, False), (2, True)]


def test_only_the_reported_messages_of_a_batch_return(start_toys: Callable[..., Any]) -> None:
    with start_toys(("BatchSize: 1 ", "BatchSize: 10 ")) as toys:
        send(toys, "wait-a-moment")  # so that the next messages are in one batch
        wait_until(lambda: "wait-a-moment" in str(handed(toys)))
        good, failing, also_good = send(toys, "good", "fail", "good")
        wait_until(lambda: dead(toys) == 1)

        assert received(toys, good) == received(toys, also_good) == [(1, True)]
        assert received(toys, failing) == every_time(toys)
        batches = [[record["messageId"] for record in batch] for batch in handed(toys)]
        assert [good, failing, also_good] in batches


def test_a_batch_that_fails_without_a_report_returns_whole(start_toys: Callable[..., Any]) -> None:
    with start_toys(("BatchSize: 1 ", "BatchSize: 10 ")) as toys:
        send(toys, "wait-a-moment")
        wait_until(lambda: "wait-a-moment" in str(handed(toys)))
        good, raising = send(toys, "good", "raise")
        wait_until(lambda: dead(toys) == 2)

        assert received(toys, good) == received(toys, raising) == every_time(toys)


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    return folder


def test_an_upload_that_makes_the_function_fail_is_an_error(toys: Stack, tmp_path: Path) -> None:
    folder = write(tmp_path, "_host/raise.jsonl")

    with pytest.raises(UploadFailed, match=r"_host/raise.jsonl: the ingest function failed: ValueError"):
        upload_folder(toys, folder, folder, print)
