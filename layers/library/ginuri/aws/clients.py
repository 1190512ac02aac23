"""Makes AWS clients, and turns their errors into RegistryUnavailable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import get_session

from ginuri.identifiers.errors import RegistryUnavailable

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


def make_dynamodb_client() -> DynamoDBClient:
    """Make a client of DynamoDB: botocore's, since importing boto3 would cost a start twelve milliseconds."""
    return cast("DynamoDBClient", get_session().create_client("dynamodb", config=CONFIG))


def make_s3_client() -> S3Client:
    """Make a client of S3, likewise."""
    return cast("S3Client", get_session().create_client("s3", config=S3_CONFIG))


@contextmanager
def unavailable() -> Iterator[None]:
    """Turn whatever AWS refuses or fails to do into RegistryUnavailable: it may work later."""
    try:
        yield
    except ClientError as error:
        raise RegistryUnavailable(error.response["Error"]["Code"]) from error
    except BotoCoreError as error:
        raise RegistryUnavailable(type(error).__name__) from error
