"""Clients for an AWS endpoint on this machine, which ignore the AWS settings of the user."""

import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, overload

import boto3
import botocore.session
from botocore.config import Config
from botocore.loaders import JSONFileLoader, Loader

from infra.local.template import REGION

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_iam import IAMClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sts import STSClient

# A mistake in the local stack should show at once, not after five tries of botocore.
_CONFIG = Config(
    region_name=REGION,
    retries={"total_max_attempts": 1},
    read_timeout=30,
    user_agent="ginuri",  # botocore composes its own for each call
)


class _FileLoader(JSONFileLoader):
    """Reads a description of a service once: botocore does for each session, moto for three more sessions."""

    load_file = staticmethod(cache(JSONFileLoader().load_file))


Loader.FILE_LOADER_CLASS = _FileLoader


@dataclass(frozen=True)
class Credentials:
    """The credentials of a caller; a role's have a token."""

    access_key: str
    secret_key: str
    token: str | None = None


# Credentials of the user, for the AWS command line: any values work, because moto checks no signature.
USER = Credentials("local", "local")


class Account:
    """An AWS account at `endpoint`, with the rights of `credentials`. Clients are created once."""

    def __init__(self, endpoint: str, credentials: Credentials = USER) -> None:
        self.endpoint = endpoint
        self.credentials = credentials
        self._clients: dict[str, Any] = {}
        # A profile in the user's environment need not exist here.
        quiet = botocore.session.Session(
            session_vars={
                "profile": (None, None, None, None),
                "config_file": (None, None, os.devnull, None),
                "credentials_file": (None, None, os.devnull, None),
            }
        )
        self._session = boto3.Session(
            credentials.access_key, credentials.secret_key, credentials.token, REGION, quiet
        )

    @overload
    def client(self, service: Literal["cloudformation"]) -> "CloudFormationClient": ...
    @overload
    def client(self, service: Literal["dynamodb"]) -> "DynamoDBClient": ...
    @overload
    def client(self, service: Literal["iam"]) -> "IAMClient": ...
    @overload
    def client(self, service: Literal["s3"]) -> "S3Client": ...
    @overload
    def client(self, service: Literal["secretsmanager"]) -> Any: ...  # noqa: ANN401 - its types are not installed
    @overload
    def client(self, service: Literal["sqs"]) -> "SQSClient": ...
    @overload
    def client(self, service: Literal["sts"]) -> "STSClient": ...
    def client(self, service: Any) -> Any:
        """Return the one client for `service`. Clients may be used by several threads."""
        if service not in self._clients:
            self._clients[service] = self._session.client(service, endpoint_url=self.endpoint, config=_CONFIG)
        return self._clients[service]

    def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            client.close()
