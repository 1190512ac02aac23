"""The ingest function's handler, wired as in Lambda: from queue messages to the registry and reports."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest
from aws_lambda_powertools import Metrics
from botocore.exceptions import ClientError
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.files.reports.report import Upload, page_key, report_key
from ginuri.ingest.queue_messages import ChunkRows, write_part
from ginuri.registry.model import Resource
from tests.aws import dynamodb_client, new_access_table, new_bucket, new_table, s3_client, sqs_client
from tests.steward import HOST, LINES, TABLE, TYPES, line

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

WELL = "uri-gin/azgs/doc/well"


@dataclass(frozen=True)
class _Context:
    """The part of an invocation's context that powertools reads."""

    function_name: str = "ingest"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:ingest"
    aws_request_id: str = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"


@dataclass(frozen=True)
class _Function:
    """The function, its buckets and its table."""

    handle: Callable[[dict[str, Any], object], dict[str, Any]]
    s3: S3Client
    registry: DynamoRegistry
    take: Callable[[], list[str]]
    """Removes all messages from the queue."""

    def put(
        self,
        key: str,
        content: str | bytes,
        *,
        event_key: str | None = None,
        said: Mapping[str, str] | None = None,
        identity: str = "AIDAEXAMPLE",
    ) -> str:
        """Upload a file, with its metadata, and return the message of S3 about it."""
        body = content.encode() if isinstance(content, str) else content
        version = self.s3.put_object(Bucket="uploads", Key=key, Body=body, Metadata=said or {})["VersionId"]
        told = {"key": event_key or quote_plus(key, safe="/"), "versionId": version, "size": len(body)}
        record = {
            "eventSource": "aws:s3",
            "eventName": "ObjectCreated:Put",
            "eventTime": "2011-08-25T17:29:00.123Z",
            "userIdentity": {"principalId": f"AWS:{identity}"},
            "s3": {"bucket": {"name": "uploads"}, "object": told},
        }
        return json.dumps({"Records": [record]})

    def deliver(self, *bodies: str, tries: int = 1) -> list[str]:
        """Pass on a batch of messages, and return the numbers of those that failed."""
        messages = [
            {
                "messageId": str(number),
                "receiptHandle": "r",
                "body": body,
                "eventSource": "aws:sqs",
                "attributes": {"ApproximateReceiveCount": str(tries)},
            }
            for number, body in enumerate(bodies)
        ]
        answer = self.handle({"Records": messages}, _Context())
        return [each["itemIdentifier"] for each in answer["batchItemFailures"]]

    def reports(self) -> dict[str, bytes]:
        """Read everything in the reports bucket."""
        listed = self.s3.list_objects_v2(Bucket="reports").get("Contents", [])
        keys = [each["Key"] for each in listed]
        return {key: self.s3.get_object(Bucket="reports", Key=key)["Body"].read() for key in keys}

    def counts(self, body: str) -> dict[str, int]:
        """Read the counts of the report on the upload of a message."""
        stored = json.loads(body)["Records"][0]["s3"]["object"]
        [report] = [
            report for key, report in self.reports().items() if key.endswith(f"/{stored['versionId']}.json")
        ]
        return {outcome: number for outcome, number in json.loads(report)["counts"].items() if number}


@pytest.fixture
def function(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[_Function]:
    """Import the handler as Lambda does, with a table and buckets; an authority is registered."""
    with mock_aws():
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        table = new_table(dynamodb_client())
        monkeypatch.setenv("REGISTRY_TABLE", table)
        monkeypatch.setenv("ACCESS_TABLE", new_access_table(dynamodb_client()))
        s3 = s3_client()
        for name in ("uploads", "content", "reports"):
            new_bucket(s3, name)
            monkeypatch.setenv(f"{name.upper()}_BUCKET", name)
        sqs = sqs_client()
        queue = sqs.create_queue(QueueName="ingest")["QueueUrl"]
        monkeypatch.setenv("INGEST_QUEUE", queue)
        monkeypatch.setenv("MOST_RECEIVES", "5")
        monkeypatch.setenv("STACK", "ginuri")
        monkeypatch.setenv("CANONICAL_HOST", "resources.usgin.org")
        monkeypatch.setenv("REPORTS_ADDRESS", "none")
        monkeypatch.setenv("API_IDENTITY", "AROAEXAMPLE")
        monkeypatch.setenv("GINURI_DYNAMODB_CLIENT", "botocore")  # moto intercepts only botocore
        # Modules of another function, which Lambda runs elsewhere.
        Metrics().clear_default_dimensions()
        Metrics().clear_metrics()
        sys.modules.pop("ingest.handler", None)
        module = importlib.import_module("ingest.handler")

        def take() -> list[str]:
            bodies = []
            while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
                for message in messages:
                    sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
                    bodies.append(message["Body"])
            return bodies

        made = _Function(module.handle, s3, DynamoRegistry(dynamodb_client(), table), take)
        assert made.deliver(made.put("_host/all.jsonl", HOST), made.put("uri-gin/azgs/1.jsonl", TYPES)) == []
        capsys.readouterr()
        yield made
        sys.modules.pop("ingest.handler", None)


def test_an_upload_becomes_records_and_a_report(function: _Function) -> None:
    body = function.put(TABLE, f"identifier,title\n{WELL},Well\n{WELL}2,Well\nnone,Well\n")

    failed = function.deliver(body)

    reports = {key: report for key, report in function.reports().items() if key.startswith(f"{TABLE}/")}
    [refused] = [report for key, report in reports.items() if key.endswith(".refused.csv")]
    assert failed == []
    assert function.counts(body) == {"registered": 2, "refused": 1}
    assert set(function.registry.fetch([WELL, f"{WELL}2"])) == {WELL, f"{WELL}2"}
    assert refused == b"identifier,title\nnone,Well\n"


@pytest.mark.parametrize(("asked", "language", "warned"), [("es-MX", "es", 0), ("tlh", "en", 1)])
def test_a_report_is_in_the_language_requested_by_metadata(
    function: _Function, asked: str, language: str, warned: int
) -> None:
    body = function.put(TABLE, f"identifier,title\n{WELL},Well\n,Well\n", said={"language": asked})

    function.deliver(body)

    version = json.loads(body)["Records"][0]["s3"]["object"]["versionId"]
    reports = function.reports()
    report, page = json.loads(reports[report_key(TABLE, version)]), reports[page_key(TABLE, version)]
    assert (report["language"], report["counts"]["warned"] - warned) == (language, 0)
    assert f'<html lang="{language}">'.encode() in page
    assert (
        report["verdicts"][-1]["findings"][0]["message"]
        == {
            "es": "La celda del identificador está vacía. Escriba un identificador o elimine la fila.",
            "en": "The identifier cell is empty. Write an identifier, or delete the row.",
        }[language]
    )


@pytest.mark.untraced
def test_a_dry_run_writes_a_report_and_no_records(function: _Function) -> None:
    text = f"identifier,title,file\n{WELL},Well,well.pdf\n"
    function.put("uri-gin/azgs/well.pdf", b"%PDF")
    body = function.put(TABLE, text, said={"dry-run": "true"})

    failed = function.deliver(body)

    [page] = [
        key
        for key in function.reports()
        if key.startswith(TABLE) and key.endswith(".html") and ".es." not in key
    ]
    assert failed == []
    assert function.counts(body) == {"registered": 1}
    assert b"<h1>Dry run of wells.csv</h1>" in function.reports()[page]
    assert function.s3.head_object(Bucket="reports", Key=page)["ContentType"] == "text/html; charset=utf-8"
    assert function.registry.fetch([WELL]) == {}
    assert "Contents" not in function.s3.list_objects_v2(Bucket="content")


@pytest.mark.parametrize(
    ("key", "escaped"),
    [
        ("uri-gin/azgs/wells 2011 (é).jsonl", "uri-gin/azgs/wells+2011+%28%C3%A9%29.jsonl"),
        ("uri-gin/azgs/a+b%20c.jsonl", "uri-gin/azgs/a%2Bb%2520c.jsonl"),
        ("uri-gin/azgs/wells.jsonl", "uri-gin%2Fazgs%2Fwells.jsonl"),
    ],
)
@pytest.mark.untraced
def test_the_key_is_escaped_in_the_event_and_plain_in_the_report(
    function: _Function, key: str, escaped: str
) -> None:
    body = function.put(key, line(WELL), event_key=escaped)

    assert function.deliver(body) == []
    assert function.counts(body) == {"registered": 1}
    assert any(report.startswith(f"{key}/") for report in function.reports())


@pytest.mark.untraced
def test_the_stamp_of_a_record_is_the_upload(function: _Function) -> None:
    body = function.put(LINES, "\n" + line(WELL))

    function.deliver(body)

    stamp = function.registry.read([WELL])[WELL].created
    version = json.loads(body)["Records"][0]["s3"]["object"]["versionId"]
    assert (stamp.put, stamp.upload, stamp.version, stamp.line) == (
        "2011-08-25T17:29:00.123Z",
        LINES,
        version,
        2,
    )


@pytest.mark.untraced
def test_the_test_message_of_the_queue_is_ignored(function: _Function) -> None:
    before = function.reports()

    failed = function.deliver(
        json.dumps({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "uploads"})
    )

    assert failed == []
    assert function.reports() == before


@pytest.mark.untraced
def test_only_the_message_that_fails_is_delivered_again(function: _Function) -> None:
    function.put("uri-gin/azgs/well.pdf", b"%PDF")
    stored = function.put(LINES, line(f"{WELL}1", representations=[{"part": ".pdf", "file": "well.pdf"}]))
    plain = function.put(TABLE, f"identifier,title\n{WELL}2,Well\n")
    function.s3.delete_bucket(Bucket="content")

    failed = function.deliver(stored, plain)
    new_bucket(function.s3, "content")
    again = function.deliver(stored)

    assert (failed, again) == (["0"], [])
    assert function.counts(plain) == {"registered": 1}
    assert function.counts(stored) == {"registered": 1}


@pytest.mark.untraced
def test_a_second_delivery_changes_nothing(function: _Function) -> None:
    body = function.put(LINES, line(WELL) + line(f"{WELL}2") + "{\n")
    function.deliver(body)
    held, reports = function.registry.read([WELL, f"{WELL}2"]), function.reports()

    function.deliver(body)

    assert function.registry.read([WELL, f"{WELL}2"]) == held
    assert function.reports() == reports


@pytest.mark.untraced
def test_the_same_stored_file_is_copied_once_for_several_records(function: _Function) -> None:
    function.put("uri-gin/azgs/well.pdf", b"%PDF")
    forms = [{"part": ".pdf", "media_type": "application/pdf", "file": "well.pdf"}]

    function.deliver(function.put(LINES, line(WELL, representations=forms)))
    function.deliver(function.put(LINES, line(f"{WELL}2", representations=forms)))

    records = function.registry.fetch([WELL, f"{WELL}2"])
    files = [each.representations[0].file for each in records.values() if isinstance(each, Resource)]
    assert files[0] is not None
    assert files[0] == files[1]
    kept = function.s3.get_object(Bucket="content", Key=files[0].key, VersionId=files[0].version)
    assert (kept["Body"].read(), files[0].length) == (b"%PDF", 4)
    assert files[0].sha256 == "315d429b7714cedb6ad04ac31240145257692630457f3c88253c5beceac76027"


@pytest.mark.untraced
def test_a_missing_stored_file_is_reported(function: _Function) -> None:
    body = function.put(
        LINES, line(WELL, representations=[{"part": ".pdf", "file": "none.pdf"}]) + line(f"{WELL}2")
    )

    assert function.deliver(body) == []
    assert function.counts(body) == {"registered": 1, "refused": 1}


@pytest.mark.parametrize(
    "bad",
    [
        {"representations": [{"part": ".pdf", "file": "x" * 1_500}]},
        {"representations": [{"part": ".pdf", "file": "a\x00b.pdf"}]},
        {"properties": {f"property {number}": None for number in range(12_000)}},
        {"title": {"en": "\x00"}},
        {"description": "é" * 40_000},
        {"properties": {"x" * 70_000: "y"}},
    ],
    ids=["long name", "NUL in a name", "much cleared", "NUL", "long text", "long property"],
)
@pytest.mark.untraced
def test_the_store_accepts_everything_that_a_steward_may_write(
    function: _Function, bad: dict[str, Any]
) -> None:
    body = function.put(LINES, line(WELL, **bad) + line(f"{WELL}2"))

    assert function.deliver(body) == []
    assert sum(function.counts(body).values()) == 2
    assert f"{WELL}2" in function.registry.fetch([f"{WELL}2"])


@pytest.mark.untraced
def test_a_stored_file_deleted_during_ingest_is_reported(function: _Function) -> None:
    function.put("uri-gin/azgs/well.pdf", b"%PDF")
    version = function.s3.head_object(Bucket="uploads", Key="uri-gin/azgs/well.pdf")["VersionId"]
    body = function.put(
        LINES, line(WELL, representations=[{"part": ".pdf", "file": "well.pdf"}]) + line(f"{WELL}2")
    )
    function.s3.delete_bucket(Bucket="content")
    test = json.dumps({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "uploads"})
    assert function.deliver(body, test) == ["0"]  # it was found, and could not be stored

    new_bucket(function.s3, "content")
    function.s3.delete_object(Bucket="uploads", Key="uri-gin/azgs/well.pdf", VersionId=version)

    assert function.deliver(body) == []
    assert function.counts(body) == {"registered": 1, "refused": 1}


def test_a_deleted_version_is_reported(function: _Function) -> None:
    body = function.put(LINES, line(WELL))
    version = json.loads(body)["Records"][0]["s3"]["object"]["versionId"]
    function.s3.delete_object(Bucket="uploads", Key=LINES, VersionId=version)

    assert function.deliver(body) == []
    assert function.counts(body) == {"refused": 1}


@pytest.mark.untraced
def test_an_upload_writes_one_line_of_log_and_metrics(
    function: _Function, capsys: pytest.CaptureFixture[str]
) -> None:
    body = function.put(LINES, line(WELL) + "{\n")

    function.deliver(body)

    [told] = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert (told["function"], told["key"]) == ("ingest", LINES)
    assert (told["registered"], told["refused"]) == ([1.0], [1.0])
    assert told["identity"] == told["principal"] == "AIDAEXAMPLE"


@pytest.mark.untraced
def test_the_log_names_the_owner_of_an_upload_by_the_api(
    function: _Function, capsys: pytest.CaptureFixture[str]
) -> None:
    pinned = {"principal": "mailto:jane@example.org", "may": "rw=uri-gin/azgs/", "token": "ab" * 32}
    body = function.put(LINES, line(WELL), said=pinned, identity="AROAEXAMPLE:api")

    function.deliver(body)

    [told] = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert (told["identity"], told["principal"], told["token"]) == (
        "AROAEXAMPLE:api",
        "mailto:jane@example.org",
        "ab" * 32,
    )


def test_the_parts_of_an_upload_pass_through_the_queue(function: _Function) -> None:
    body = function.put(LINES, "".join(line(f"{WELL}{number}") for number in range(30)) + "{\n")
    stored = json.loads(body)["Records"][0]["s3"]["object"]
    upload = Upload("uploads", LINES, stored["versionId"], "2011-08-25T17:29:00.123Z")

    function.s3.put_object(Bucket="reports", Key=f"_parts/{LINES}/{upload.version}/metadata", Body=b"{}")

    messages, rounds = [write_part(ChunkRows(upload, 0, 0))], 0
    while messages:
        assert function.deliver(*messages) == []
        messages, rounds = function.take(), rounds + 1

    assert rounds == 3
    assert function.counts(body) == {"registered": 30, "refused": 1}


def test_after_its_last_try_the_report_of_an_upload_states_the_failure(function: _Function) -> None:
    function.put("uri-gin/azgs/well.pdf", b"%PDF")
    body = function.put(LINES, line(WELL, representations=[{"part": ".pdf", "file": "well.pdf"}]))
    function.s3.delete_bucket(Bucket="content")

    test = json.dumps({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "uploads"})
    failed = [function.deliver(body, test, tries=number) for number in (4, 5)]
    [report] = [json.loads(told) for key, told in function.reports().items() if key.startswith(f"{LINES}/")]
    new_bucket(function.s3, "content")

    assert failed == [["0"], ["0"]]
    assert report["is_complete"] is False
    assert report["unfinished"]["tries"] == 5
    assert "ginuri redrive" in report["unfinished"]["way_out"]
    assert "NoSuchBucket" in report["unfinished"]["reason"]
    assert function.deliver(body) == []
    assert function.counts(body) == {"registered": 1}


@pytest.mark.untraced
def test_the_reports_bucket_has_only_reports(function: _Function) -> None:
    with pytest.raises(ClientError):
        function.s3.get_object(Bucket="reports", Key=LINES)
    assert {key.rpartition("/")[0] for key in function.reports()} == {
        "_host/all.jsonl",
        "uri-gin/azgs/1.jsonl",
    }
