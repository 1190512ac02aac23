"""Creates AWS clients, and turns their errors into RegistryUnavailable.

botocore is imported on first use: it would be most of a cold start.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, cast

from ginuri.aws.dynamodb_http.failures import as_failure
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.budget import Budget

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client


def make_dynamodb_client(attempts: int = 3, budget: Budget | None = None) -> DynamoDBClient:
    """Return a client of DynamoDB for the operations that ginuri calls.

    It is libcurl's, or botocore's if `GINURI_DYNAMODB_CLIENT` is `botocore` or the environment has an
    endpoint that only botocore supports. `attempts` is the number of tries of a read, within a `budget`.
    """
    if os.environ.get("GINURI_DYNAMODB_CLIENT") != "botocore":
        from ginuri.aws.dynamodb_http.endpoints import find_endpoint

        if (endpoint := find_endpoint()) is not None:
            from ginuri.aws.dynamodb_http.client import HttpDynamoDB

            return cast(
                "DynamoDBClient", HttpDynamoDB.at(endpoint, budget or Budget(time.monotonic), attempts)
            )
    from ginuri.aws.botocore_clients import make_botocore_dynamodb

    return make_botocore_dynamodb(attempts, budget)


def make_s3_client(budget: Budget | None = None) -> S3Client:
    """Create a client of S3 within a budget."""
    from ginuri.aws.botocore_clients import make_botocore_s3

    return make_botocore_s3(budget)


class unavailable:  # noqa: N801  it is called as a function, and reads like one
    """Turn every refusal or failure of AWS into RegistryUnavailable: it may work later."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Enter the context."""

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, Exception) and (failure := as_failure(error)) is not None:
            raise RegistryUnavailable(failure.code) from error
