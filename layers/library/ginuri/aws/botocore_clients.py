"""Clients of botocore: for S3 and SQS, and for DynamoDB where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import get_session

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    # Every request is written here and nowhere else; validating it again costs a fortieth of a call.
    parameter_validation=False,
    # botocore's own tells of the machine; composing it, twice in each call, costs a seventh of the call.
    user_agent="ginuri",
)
S3_CONFIG = CONFIG.merge(Config(signature_version="s3v4"))  # older signatures are refused by younger buckets


def make_botocore_dynamodb(attempts: int) -> DynamoDBClient:
    """Make a client of DynamoDB: botocore's, since importing boto3 would cost a start twelve milliseconds."""
    config = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": attempts}))
    return cast("DynamoDBClient", get_session().create_client("dynamodb", config=config))


def make_botocore_s3() -> S3Client:
    """Make a client of S3, likewise."""
    return cast("S3Client", get_session().create_client("s3", config=S3_CONFIG))
