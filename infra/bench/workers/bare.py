"""The bare handler of all comparisons: an unconfigured botocore client, one GetItem, a 303."""

from __future__ import annotations

import json
import os
from typing import Any

import botocore.session

_client = botocore.session.get_session().create_client("dynamodb")
_table = os.environ["REGISTRY_TABLE"]


def handle(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer one REST API proxy event with a redirect to the item's location, or a 404."""
    key = {"identifier": {"S": event["path"][1:]}, "version": {"S": "now"}}
    answer = _client.get_item(TableName=_table, Key=key)  # type: ignore[attr-defined]  # made at run time
    item = answer.get("Item")
    if item is None:
        return _answer(404, {"Content-Type": "application/json"}, json.dumps({"title": "not registered"}))
    return _answer(303, {"Location": item["location"]["S"]})


def _answer(status: int, headers: dict[str, str], body: str = "") -> dict[str, Any]:
    return {"statusCode": status, "headers": headers, "body": body, "isBase64Encoded": False}
