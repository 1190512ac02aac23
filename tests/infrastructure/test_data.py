"""Resources with data outlive the stack, are encrypted, keep old versions and are not public."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from samtranslator.yaml_helper import yaml_parse

from ginuri.registry.content import WORK_FOLDER
from infra.retained import RETAINING
from tests.infrastructure.stack import BUCKETS, REWRITTEN, Stack, referred


def test_the_buckets_are_exactly_these(stack: Stack) -> None:
    assert set(stack.of_type("AWS::S3::Bucket")) == {*BUCKETS, REWRITTEN}


@pytest.mark.parametrize("name", ["RegistryTable", "AccessTable", *BUCKETS, REWRITTEN])
def test_resources_with_data_outlive_the_stack(stack: Stack, name: str) -> None:
    resource = stack.resources[name]

    assert resource["DeletionPolicy"] in RETAINING
    assert resource["UpdateReplacePolicy"] == "Retain"


def test_a_failed_first_deployment_can_be_repeated(stack: Stack, root: Path) -> None:
    retained = {
        name: resource
        for name, resource in stack.resources.items()
        if resource.get("DeletionPolicy") in RETAINING
    }
    named = {
        name for name, each in retained.items() if each["Properties"].keys() & {"BucketName", "TableName"}
    }
    protected = {
        name for name, each in retained.items() if each["Properties"].get("DeletionProtectionEnabled")
    }

    # A rollback that left a name taken, or could not delete a resource, would block the next deployment.
    assert {retained[name]["DeletionPolicy"] for name in named} == {"RetainExceptOnCreate"}
    assert {retained[name]["DeletionPolicy"] for name in retained.keys() - named} == {"Retain"}
    assert not named & protected
    # A rolled back stack is only a name, which would be taken as well.
    settings = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    assert {settings[name]["deploy"]["parameters"]["on_failure"] for name in ("dev", "prod")} == {"DELETE"}


def test_the_table_is_keyed_by_identifier_and_version(stack: Stack) -> None:
    table = stack.properties("RegistryTable")

    assert {(key["AttributeName"], key["KeyType"]) for key in table["KeySchema"]} == {
        ("identifier", "HASH"),
        ("version", "RANGE"),
    }


def test_the_key_of_the_table_is_not_billed_and_every_second_restorable(stack: Stack) -> None:
    table = stack.properties("RegistryTable")

    assert "SSESpecification" not in table  # the key of AWS KMS, billed by request
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}


def test_the_table_is_protected_against_deletion(stack: Stack) -> None:
    assert stack.properties("RegistryTable")["DeletionProtectionEnabled"] is True


def test_no_restore_brings_revoked_tokens_back(stack: Stack) -> None:
    table = stack.properties("AccessTable")

    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": False}
    assert stack.of_type("AWS::Backup::BackupPlan") == {}
    variables = stack.properties("IngestFunction")["Environment"]["Variables"]
    assert variables["ACCESS_TABLE"] == {"Ref": "AccessTable"}


def test_the_table_of_tokens_is_kept_and_expired_tokens_are_not(stack: Stack) -> None:
    table = stack.properties("AccessTable")

    assert table["DeletionProtectionEnabled"] is True
    assert table["TimeToLiveSpecification"] == {"AttributeName": "delete_after", "Enabled": True}


def test_a_use_of_a_token_writes_no_index(stack: Stack) -> None:
    [index] = stack.properties("AccessTable")["GlobalSecondaryIndexes"]

    assert index["Projection"] == {"ProjectionType": "KEYS_ONLY"}


@pytest.mark.parametrize("bucket", BUCKETS)
def test_a_bucket_is_encrypted_and_versioned(stack: Stack, bucket: str) -> None:
    properties = stack.properties(bucket)
    rules = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]

    assert [rule["ServerSideEncryptionByDefault"] for rule in rules] == [{"SSEAlgorithm": "AES256"}]
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}


def test_the_rewritten_bucket_is_encrypted_and_keeps_no_versions(stack: Stack) -> None:
    properties = stack.properties(REWRITTEN)
    rules = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]

    assert [rule["ServerSideEncryptionByDefault"] for rule in rules] == [{"SSEAlgorithm": "AES256"}]
    assert "VersioningConfiguration" not in properties


@pytest.mark.parametrize("bucket", BUCKETS)
def test_only_intermediate_data_in_a_bucket_expire(stack: Stack, bucket: str) -> None:
    rules = [
        rule
        for rule in stack.properties(bucket)["LifecycleConfiguration"]["Rules"]
        if rule.get("Prefix") != WORK_FOLDER
    ]

    assert {key for rule in rules for key in rule} == {"Id", "Status", "AbortIncompleteMultipartUpload"}


def test_intermediate_data_outlive_every_message(stack: Stack) -> None:
    rules = stack.properties("ReportsBucket")["LifecycleConfiguration"]["Rules"]
    [rule] = [rule for rule in rules if rule.get("Prefix") == WORK_FOLDER]
    queues = [stack.properties(name) for name in ("IngestQueue", "IngestDeadLetterQueue")]

    assert rule["ExpirationInDays"] * 86_400 > sum(queue["MessageRetentionPeriod"] for queue in queues)


@pytest.mark.parametrize("bucket", [*BUCKETS, REWRITTEN])
def test_a_bucket_blocks_public_access(stack: Stack, bucket: str) -> None:
    properties = stack.properties(bucket)

    assert properties["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }
    assert properties["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}


@pytest.mark.parametrize("bucket", [*BUCKETS, REWRITTEN])
def test_a_bucket_is_accessible_over_tls_only(stack: Stack, bucket: str) -> None:
    policy = stack.properties(f"{bucket}Policy")
    [statement] = policy["PolicyDocument"]["Statement"]

    assert referred(policy["Bucket"]) == bucket
    assert {referred(each) for each in statement["Resource"]} == {bucket, f"{bucket}/*"}
    assert (statement["Effect"], statement["Principal"], statement["Action"]) == ("Deny", "*", "s3:*")
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_everything_follows_the_table_in_use(stack: Stack) -> None:
    others = {
        name: each for name, each in stack.resources.items() if name not in {"RegistryTable", "TableInUse"}
    }

    assert stack.properties("TableInUse")["Value"] == {
        "Fn::If": ["HasOtherTable", {"Ref": "RegistryTableName"}, {"Ref": "RegistryTable"}]
    }
    assert [name for name, each in others.items() if "RegistryTable" in json.dumps(each)] == []


@pytest.mark.parametrize("name", BUCKETS)
def test_a_bucket_is_copied_to_its_namesake_in_the_second_region(stack: Stack, name: str) -> None:
    condition, copied, _ = stack.properties(name)["ReplicationConfiguration"]["Fn::If"]
    [rule] = copied["Rules"]
    own_name = stack.properties(name)["BucketName"]["Fn::Sub"]

    assert condition == "HasCopies"
    assert rule["Destination"]["Bucket"] == {
        "Fn::Sub": f"arn:${{AWS::Partition}}:s3:::{own_name.replace('AWS::Region', 'CopyRegion')}"
    }
    assert rule["DeleteMarkerReplication"] == {"Status": "Disabled"}


def test_the_buckets_for_copies_are_those_of_a_stack_in_that_region(stack: Stack, root: Path) -> None:
    template = yaml_parse((root / "copies.yaml").read_text(encoding="utf-8"))
    _, parts, buckets = template["Resources"]["Fn::ForEach::Buckets"]
    [bucket] = buckets.values()
    names = {bucket["Properties"]["BucketName"]["Fn::Sub"].replace("${Part}", part) for part in parts}

    assert bucket["DeletionPolicy"] in RETAINING
    assert names == {
        stack.properties(each)["BucketName"]["Fn::Sub"].replace("AWS::StackName", "Stack")
        for each in (*BUCKETS, REWRITTEN)
    }
    for name in ("BucketEncryption", "OwnershipControls", "PublicAccessBlockConfiguration"):
        assert bucket["Properties"][name] == stack.properties("UploadsBucket")[name]
