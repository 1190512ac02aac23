"""Another table like the stack's: the input of `aws dynamodb create-table`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from botocore.session import get_session
from botocore.validate import validate_parameters
from moto import mock_aws

from infra.registry_table import main
from tests.aws import dynamodb_client
from tests.infrastructure.stack import Stack

if TYPE_CHECKING:
    import pytest


def test_another_table_has_the_keys_and_indexes_of_the_stack(
    capsys: pytest.CaptureFixture[str], stack: Stack
) -> None:
    main(["ginuri-new"])
    asked = json.loads(capsys.readouterr().out)
    shape = get_session().get_service_model("dynamodb").operation_model("CreateTable").input_shape
    assert shape is not None
    validate_parameters(asked, shape)

    with mock_aws():
        dynamodb_client().create_table(**asked)
        table = dynamodb_client().describe_table(TableName="ginuri-new")["Table"]

    stated = stack.properties("RegistryTable")
    assert {part: table[part] for part in ("KeySchema", "AttributeDefinitions")} == {
        part: stated[part] for part in ("KeySchema", "AttributeDefinitions")
    }
    assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == [
        index["IndexName"] for index in stated["GlobalSecondaryIndexes"]
    ]
    assert table["DeletionProtectionEnabled"] is True
