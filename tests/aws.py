"""Clients, a table and buckets, in moto or in DynamoDB Local."""

from __future__ import annotations

import time
import uuid
from functools import cache
from typing import TYPE_CHECKING, cast

import boto3
import moto  # noqa: F401  must be imported before the session, or moto does not intercept its calls
from botocore.config import Config

from ginuri.aws.botocore_clients import CONFIG, S3_CONFIG
from ginuri.aws.dynamodb_http.client import HttpDynamoDB
from ginuri.aws.dynamodb_http.endpoints import Endpoint
from ginuri.aws.dynamodb_http.ports import Keys, Transport
from ginuri.aws.dynamodb_http.transport import CurlTransport
from ginuri.registry.budget import Budget

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

_ONE_ATTEMPT = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 1}))


@cache
def _session() -> boto3.Session:
    # One session for all: each session reads the model of a service from disk.
    return boto3.Session("testing", "testing", region_name="us-east-1")


def dynamodb_client(endpoint: str | None = None) -> DynamoDBClient:
    """Return a client like the functions', but without retries."""
    return _session().client("dynamodb", endpoint_url=endpoint, config=_ONE_ATTEMPT)


class FixedCredentials:
    """Permanent credentials."""

    def __init__(self, *keys: str) -> None:
        access_key, secret_key, token = (*(keys or ("testing", "testing")), None)[:3]
        self._keys = access_key, secret_key, token

    def current(self) -> Keys:
        return cast("Keys", self._keys)

    def renew(self) -> bool:
        return False


def curl_client(transport: Transport | str, attempts: int = 1) -> DynamoDBClient:
    """Return the functions' own client, with a transport or for an address."""
    if isinstance(transport, str):
        transport = CurlTransport(Endpoint(transport, "us-east-1", None))
    return cast(
        "DynamoDBClient",
        HttpDynamoDB(transport, FixedCredentials(), Budget(time.monotonic), attempts, lambda _: None),
    )


def s3_client() -> S3Client:
    """Return a client like the functions'."""
    return _session().client("s3", config=S3_CONFIG)


def sqs_client() -> SQSClient:
    """Make a client of SQS."""
    return _session().client("sqs")


def new_table(client: DynamoDBClient, name: str | None = None) -> str:
    """Create a table with the keys and the indexes of the template's table."""
    name = name or f"registry-{uuid.uuid4()}"
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[
            {"AttributeName": "identifier", "KeyType": "HASH"},
            {"AttributeName": "version", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "identifier", "AttributeType": "S"},
            {"AttributeName": "version", "AttributeType": "S"},
            {"AttributeName": "folded", "AttributeType": "S"},
            {"AttributeName": "steward", "AttributeType": "S"},
            {"AttributeName": "collection", "AttributeType": "S"},
            {"AttributeName": "broader", "AttributeType": "S"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "near",
                "KeySchema": [{"AttributeName": "folded", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
            {
                "IndexName": "members",
                "KeySchema": [
                    {"AttributeName": "steward", "KeyType": "HASH"},
                    {"AttributeName": "identifier", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
            {
                "IndexName": "collections",
                "KeySchema": [
                    {"AttributeName": "collection", "KeyType": "HASH"},
                    {"AttributeName": "identifier", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
            {
                "IndexName": "narrower",
                "KeySchema": [
                    {"AttributeName": "broader", "KeyType": "HASH"},
                    {"AttributeName": "identifier", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
        ],
    )
    return name


def new_access_table(client: DynamoDBClient) -> str:
    """Create a table with the keys and the index of the template's table of tokens."""
    name = f"access-{uuid.uuid4()}"
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[
            {"AttributeName": "id", "AttributeType": "S"},
            {"AttributeName": "owner", "AttributeType": "S"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "owners",
                "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
        ],
    )
    return name


def new_bucket(client: S3Client, name: str) -> None:
    """Create a versioned bucket, like the template's."""
    client.create_bucket(Bucket=name)
    client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
