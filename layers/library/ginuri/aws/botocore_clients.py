"""Clients of botocore: for S3 and SQS, and optionally for DynamoDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from botocore.config import Config
from botocore.session import get_session

if TYPE_CHECKING:
    from botocore.client import BaseClient
    from botocore.response import StreamingBody
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

    from ginuri.registry.budget import Budget

CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    # Only this package writes requests; validating them costs a fortieth of a call.
    parameter_validation=False,
    # botocore's default describes the machine; composing it, twice in each call, is a seventh of the
    # call.
    user_agent="ginuri",
)
S3_CONFIG = CONFIG.merge(Config(signature_version="s3v4"))  # recent buckets refuse older signatures


_CHUNK = 64 * 1024
_CONNECT_SECONDS, _READ_SECONDS = 1, 2
"""The limits of a try within a budget; botocore cannot change them for each call."""


def make_botocore_dynamodb(attempts: int, budget: Budget | None = None) -> DynamoDBClient:
    """Return a client of DynamoDB: botocore's, because importing boto3 takes twelve milliseconds."""
    config = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": attempts}))
    return cast("DynamoDBClient", _make("dynamodb", config, budget))


def make_botocore_s3(budget: Budget | None = None) -> S3Client:
    """Make a client of S3 with botocore."""
    return cast("S3Client", _make("s3", S3_CONFIG, budget))


def _make(service: str, config: Config, budget: Budget | None) -> BaseClient:
    if budget is None:
        return get_session().create_client(service, config=config)
    within = config.merge(Config(connect_timeout=_CONNECT_SECONDS, read_timeout=_READ_SECONDS))
    client = get_session().create_client(service, config=within)

    def spend(**_: object) -> None:
        # Called before each try, to prevent one that may not end in time.
        budget.spend_call(_CONNECT_SECONDS + _READ_SECONDS)

    def bound(parsed: dict[str, Any], **_: object) -> None:
        if "Body" in parsed:
            parsed["Body"] = _BoundedBody(parsed["Body"], budget)

    client.meta.events.register(f"before-send.{service}", spend)
    client.meta.events.register(f"after-call.{service}", bound)
    return client


class _BoundedBody:
    """The content of an object, which is read only within the time of the request."""

    def __init__(self, body: StreamingBody, budget: Budget) -> None:
        self._body, self._budget = body, budget

    def read(self) -> bytes:
        """Read the whole content. Raises RegistryUnavailable."""
        chunks = []
        for chunk in self._body.iter_chunks(_CHUNK):
            chunks.append(chunk)
            self._budget.check()
        return b"".join(chunks)
