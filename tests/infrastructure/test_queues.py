"""An upload reaches the ingest function, or the queue of failed uploads."""

from __future__ import annotations

from ginuri.sqlite.queue import MOST_RECEIVES
from tests.infrastructure.stack import Stack, referred


def test_every_object_created_in_the_uploads_bucket_notifies_the_ingest_queue(stack: Stack) -> None:
    [told] = stack.properties("UploadsBucket")["NotificationConfiguration"]["QueueConfigurations"]

    assert told.keys() == {"Event", "Queue"}
    assert (told["Event"], referred(told["Queue"])) == ("s3:ObjectCreated:*", "IngestQueue")


def test_only_the_uploads_bucket_notifies(stack: Stack) -> None:
    telling = {
        name
        for name, bucket in stack.of_type("AWS::S3::Bucket").items()
        if "NotificationConfiguration" in bucket
    }

    assert telling == {"UploadsBucket"}


def test_only_the_uploads_bucket_may_send_to_the_ingest_queue(stack: Stack) -> None:
    policy = stack.properties("IngestQueuePolicy")
    [statement] = policy["PolicyDocument"]["Statement"]
    [source] = statement["Condition"]["ArnEquals"].values()

    assert [referred(queue) for queue in policy["Queues"]] == ["IngestQueue"]
    assert (statement["Effect"], statement["Action"]) == ("Allow", "sqs:SendMessage")
    assert statement["Principal"] == {"Service": "s3.amazonaws.com"}
    assert referred(statement["Resource"]) == "IngestQueue"
    name = stack.properties("UploadsBucket")["BucketName"]["Fn::Sub"]
    assert source == {"Fn::Sub": f"arn:${{AWS::Partition}}:s3:::{name}"}
    assert statement["Condition"]["StringEquals"] == {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}


def test_the_bucket_waits_until_the_queue_accepts_its_messages(stack: Stack) -> None:
    assert stack.resources["UploadsBucket"]["DependsOn"] == "IngestQueuePolicy"


def test_an_upload_that_fails_five_times_is_kept_apart(stack: Stack) -> None:
    redrive = stack.properties("IngestQueue")["RedrivePolicy"]

    assert referred(redrive["deadLetterTargetArn"]) == "IngestDeadLetterQueue"
    assert redrive["maxReceiveCount"] == MOST_RECEIVES


def test_an_upload_stays_hidden_while_it_is_processed(stack: Stack) -> None:
    visibility = stack.properties("IngestQueue")["VisibilityTimeout"]

    assert visibility > stack.properties("IngestFunction")["Timeout"]


def test_uploads_are_processed_one_by_one_and_fail_one_by_one(stack: Stack) -> None:
    [mapping] = stack.of_type("AWS::Lambda::EventSourceMapping").values()

    assert referred(mapping["EventSourceArn"]) == "IngestQueue"
    assert referred(mapping["FunctionName"]) == "IngestFunction"
    assert mapping["BatchSize"] == 1
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_a_queue_is_encrypted_and_keeps_its_messages_for_two_weeks(stack: Stack) -> None:
    for queue in stack.of_type("AWS::SQS::Queue").values():
        assert (queue["SqsManagedSseEnabled"], queue["MessageRetentionPeriod"]) == (True, 14 * 24 * 3600)
