"""A steward of the local stack: a grant, and an access token to try the interface for stewards with."""

import json
import time
from collections.abc import Collection
from datetime import UTC, datetime

from ginuri.access.creation import RIGHTS, WantedToken, make_token
from ginuri.aws.dynamodb.access.tokens import DynamoTokens
from ginuri.files.reports.report import report_key
from ginuri.registration.authorization import Right
from infra.local.stack import Stack

STEWARD = "mailto:steward@example.org"
FOLDER = "uri-gin/azgs/"
_GRANTS = "_host/local-steward.jsonl"
_PATIENCE = 30.0


def add_steward(
    stack: Stack, owner: str = STEWARD, folder: str = FOLDER, may: Collection[Right] = RIGHTS
) -> str:
    """Grant a person a folder, and return the secret of a token for it.

    Raises TimeoutError if the grant is not registered in time.
    """
    grant = {"record": "grant", "identifier": folder, "to": owner, "may": sorted(may)}
    s3 = stack.client("s3")
    put = s3.put_object(Bucket=stack.uploads_bucket, Key=_GRANTS, Body=json.dumps(grant).encode())
    _wait(stack, report_key(_GRANTS, put["VersionId"]))
    wanted = WantedToken(owner, (folder,), frozenset(RIGHTS), name="local")
    secret, token = make_token(wanted, "local", datetime.now(UTC))
    DynamoTokens(stack.client("dynamodb"), stack.access_table).add(token)
    return secret


def _wait(stack: Stack, key: str) -> None:
    s3, deadline = stack.client("s3"), time.monotonic() + _PATIENCE
    while not s3.list_objects_v2(Bucket=stack.reports_bucket, Prefix=key).get("KeyCount"):
        if time.monotonic() > deadline:
            raise TimeoutError(f"there is no report at {key}")
        time.sleep(0.05)
