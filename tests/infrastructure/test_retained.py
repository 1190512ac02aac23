"""The retained resources of a deleted stack can be imported into a new stack of its name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.session import get_session
from botocore.validate import validate_parameters

from infra.retained import main
from tests.infrastructure.stack import BUCKETS, REWRITTEN, Stack

TABLE = "ginuri-RegistryTable-1ABC2DEF3GHI"
TOKENS = "ginuri-AccessTable-1DEF2GHI3JKL"
ARGUMENTS = (
    "--stack",
    "ginuri",
    "--account",
    "123456789012",
    "--region",
    "eu-central-1",
    "--table",
    TABLE,
    "--access-table",
    TOKENS,
)
DATA = {"RegistryTable", "AccessTable", *BUCKETS, REWRITTEN}


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The input of `aws cloudformation create-change-set`."""
    main(ARGUMENTS)
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


@pytest.fixture
def resources(asked: dict[str, Any]) -> dict[str, Any]:
    """Its template."""
    template = json.loads(asked["TemplateBody"])
    assert template.keys() == {"Resources"}  # outputs and new resources would be refused
    found: dict[str, Any] = template["Resources"]
    return found


def test_the_output_is_a_valid_change_set(asked: dict[str, Any]) -> None:
    shape = get_session().get_service_model("cloudformation").operation_model("CreateChangeSet").input_shape

    assert shape is not None
    validate_parameters(asked, shape)
    assert (asked["StackName"], asked["ChangeSetType"]) == ("ginuri", "IMPORT")
    assert len(asked["TemplateBody"]) <= 51_200


def test_every_resource_with_data_is_imported_under_its_earlier_name(asked: dict[str, Any]) -> None:
    named = {each["LogicalResourceId"]: each["ResourceIdentifier"] for each in asked["ResourcesToImport"]}

    assert named == {
        "RegistryTable": {"TableName": TABLE},
        "AccessTable": {"TableName": TOKENS},
        "UploadsBucket": {"BucketName": "ginuri-uploads-123456789012-eu-central-1"},
        "ArchiveBucket": {"BucketName": "ginuri-archive-123456789012-eu-central-1"},
        "ContentBucket": {"BucketName": "ginuri-content-123456789012-eu-central-1"},
        "ReportsBucket": {"BucketName": "ginuri-reports-123456789012-eu-central-1"},
        "PublishedBucket": {"BucketName": "ginuri-published-123456789012-eu-central-1"},
    }


def test_an_imported_resource_is_as_in_the_template(resources: dict[str, Any], stack: Stack) -> None:
    assert resources.keys() == DATA
    for name, resource in resources.items():
        whole = stack.resources[name]
        assert {key: resource[key] for key in ("Type", "DeletionPolicy", "UpdateReplacePolicy")} == {
            key: whole[key] for key in ("Type", "DeletionPolicy", "UpdateReplacePolicy")
        }
        stated, left_out = resource["Properties"], whole["Properties"].keys() - resource["Properties"].keys()
        # An import has only existing properties of a table: each index that differed would have to be built
        # again.
        added_later = {"NotificationConfiguration"} if name == "UploadsBucket" else set()
        assert left_out - {"ReplicationConfiguration"} == added_later
        assert {key: stated[key] for key in stated.keys() - {"BucketName"}} == {
            key: whole["Properties"][key] for key in stated.keys() - {"BucketName"}
        }


def test_imported_resources_refer_only_to_each_other(resources: dict[str, Any]) -> None:
    written = json.dumps(resources)

    assert not any(sign in written for sign in ('"Ref"', '"Fn::', "${", "DependsOn"))


def test_without_a_table_only_buckets_are_imported(capsys: pytest.CaptureFixture[str]) -> None:
    main(ARGUMENTS[:-4])
    asked = json.loads(capsys.readouterr().out)

    assert {each["LogicalResourceId"] for each in asked["ResourcesToImport"]} == {*BUCKETS, REWRITTEN}
    assert json.loads(asked["TemplateBody"])["Resources"].keys() == {*BUCKETS, REWRITTEN}
