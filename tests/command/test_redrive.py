"""`ginuri redrive`: failed uploads return to the ingest queue, and no message is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

OBJECT = {"key": "uri-gin/azgs/wells+%28%C3%A9%29.csv", "versionId": "v1"}
NOTIFICATION = json.dumps({"Records": [{"eventTime": "now", "s3": {"object": OBJECT}}]})
PART = json.dumps({"upload": {"bucket": "u", "key": "uri-gin/azgs/+.csv", "version": "v2"}, "part": 3})
NONE = json.dumps({"Event": "s3:TestEvent"})
TOLD = {
    NOTIFICATION: [{"key": "uri-gin/azgs/wells (é).csv", "version": "v1"}],
    PART: [{"key": "uri-gin/azgs/+.csv", "version": "v2"}],
    NONE: [],
}


@dataclass
class _Queues:
    sqs: SQSClient
    ingest: str
    dead: str
    where: Path

    def fail(self, *bodies: str) -> None:
        for body in bodies:
            self.sqs.send_message(QueueUrl=self.dead, MessageBody=body)

    def lie_in(self, queue: str) -> list[str]:
        """Read the messages that anybody can receive from a queue."""
        bodies: list[str] = []
        while found := self.sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
            bodies += [each["Body"] for each in found]
        return bodies

    def change(self, **told: str) -> None:
        self.where.write_text(json.dumps({**json.loads(self.where.read_text()), **told}))

    def run(self, *arguments: str) -> Result:
        environment = {LOCAL_STACK_VARIABLE: str(self.where), "GINURI_STACK": ""}
        return CliRunner().invoke(main, ["redrive", *arguments], env=environment, prog_name="ginuri")


@pytest.fixture
def queues(endpoint: str, tmp_path: Path) -> Iterator[_Queues]:
    sqs = boto3.Session("testing", "testing", region_name="us-east-1").client("sqs", endpoint_url=endpoint)
    ingest, dead = (sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("ingest", "dead"))
    told = {"endpoint": endpoint, "region": "us-east-1", "access_key": "testing", "secret_key": "testing"}
    where = tmp_path / "stack.json"
    outputs = {"service": "http://a.example", "ingest_queue": ingest, "dead_letter_queue": dead}
    where.write_text(json.dumps({**told, **outputs}))
    yield _Queues(sqs, ingest, dead, where)
    for queue in (ingest, dead):
        sqs.delete_queue(QueueUrl=queue)
    sqs.close()


def _json(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_redriven_messages_are_unchanged_and_their_uploads_are_printed(queues: _Queues) -> None:
    queues.fail(NOTIFICATION, PART, NONE)

    result = queues.run()

    assert result.exit_code == 0
    assert sorted(result.stdout.splitlines()[:-1]) == [
        f"a message about no upload: {NONE}",
        "uri-gin/azgs/+.csv  (version v2)",
        "uri-gin/azgs/wells (é).csv  (version v1)",
    ]
    assert result.stdout.splitlines()[-1] == "3 messages put back into the ingest queue"
    assert sorted(queues.lie_in(queues.ingest)) == sorted(TOLD)
    assert queues.lie_in(queues.dead) == []


def test_redrive_prints_each_message_as_json(queues: _Queues) -> None:
    queues.fail(*TOLD)

    told = _json(queues.run("--json"))

    assert {each["message"]: each["uploads"] for each in told} == TOLD
    assert all(each["redriven"] for each in told)


def test_a_dry_run_prints_each_message_once_and_moves_none(queues: _Queues) -> None:
    bodies = [json.dumps({"upload": {"key": f"a/{number}.csv", "version": "v"}}) for number in range(25)]
    queues.fail(*bodies)

    result = queues.run("--dry-run", "--json")

    assert sorted(each["message"] for each in _json(result)) == sorted(bodies)
    assert not any(each["redriven"] for each in _json(result))
    assert queues.lie_in(queues.ingest) == []
    assert sorted(queues.lie_in(queues.dead)) == sorted(bodies)


def test_more_messages_than_one_batch_are_all_redriven(queues: _Queues) -> None:
    bodies = [json.dumps({"upload": {"key": f"a/{number}.csv", "version": "v"}}) for number in range(25)]
    queues.fail(*bodies)

    result = queues.run()

    assert result.stdout.endswith("25 messages put back into the ingest queue\n")
    assert sorted(queues.lie_in(queues.ingest)) == sorted(bodies)


def test_a_message_that_fails_again_meanwhile_is_not_sent_again(queues: _Queues) -> None:
    queues.change(ingest_queue=queues.dead)  # every message that is put back returns at once
    queues.fail(PART)

    result = queues.run()

    assert result.exit_code == 0
    assert "1 message put back" in result.stdout
    assert _still_there(queues) == 1


def test_a_message_that_cannot_be_sent_is_not_deleted(queues: _Queues) -> None:
    queues.fail(PART)
    queues.change(ingest_queue=f"{queues.ingest}-gone")

    result = queues.run()

    assert result.exit_code == 2
    assert "The queues cannot be used" in result.stderr
    assert _still_there(queues) == 1


def test_an_empty_queue_exits_with_0(queues: _Queues) -> None:
    assert (queues.run().exit_code, queues.run().stdout) == (0, "The dead-letter queue is empty.\n")
    assert (queues.run("--json").exit_code, queues.run("--json").stdout) == (0, "")


@pytest.mark.parametrize("body", ["", "x", "[]", "null", '{"upload": 1}', '{"Records": [{}]}', "\x1b[2J"])
def test_redrive_handles_any_message_and_prints_no_control_characters(queues: _Queues, body: str) -> None:
    queues.fail(f" {body}".replace("\x1b", "\u009b"))

    result = queues.run()

    assert "a message about no upload" in result.stdout
    assert "\u009b" not in result.stdout
    assert len(queues.lie_in(queues.ingest)) == 1


def test_a_stack_in_aws_names_its_queues(queues: _Queues, endpoint: str) -> None:
    access = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
    aws = {"AWS_ENDPOINT_URL": endpoint, "AWS_DEFAULT_REGION": "us-east-1", **access}
    outputs = {"IngestQueue": {"Value": queues.ingest}, "IngestDeadLetterQueue": {"Value": queues.dead}}
    template = {"Resources": {"Other": {"Type": "AWS::SQS::Queue"}}, "Outputs": outputs}
    session = boto3.Session("testing", "testing", region_name="us-east-1")
    client = session.client("cloudformation", endpoint_url=endpoint)
    client.create_stack(StackName="ginuri-redrive", TemplateBody=json.dumps(template))
    client.close()
    queues.fail(PART)

    result = CliRunner().invoke(main, ["redrive", "--stack", "ginuri-redrive"], env=aws)

    assert result.exit_code == 0
    assert queues.lie_in(queues.ingest) == [PART]


def test_redrive_without_a_stack_explains_how_to_start_one(queues: _Queues) -> None:
    queues.where.unlink()

    assert queues.run().exit_code == 2


def _still_there(queues: _Queues) -> int:
    asked = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    attributes = queues.sqs.get_queue_attributes(QueueUrl=queues.dead, AttributeNames=asked)["Attributes"]  # type: ignore[arg-type]  # names of the service itself
    return sum(int(each) for each in attributes.values())
