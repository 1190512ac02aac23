"""The faster replacements of the local stack give the same results as moto."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random
from typing import Any

import pytest
from moto import mock_aws

from infra.local.aws.moto_pace import quicken
from tests.aws import dynamodb_client, new_table

_NAMES = [f"uri-gin/azgs/doc/{number:03d}" for number in range(60)]


@pytest.mark.parametrize("most", [7, 100])
def test_a_query_returns_the_items_of_its_key_in_pages(most: int) -> None:
    quicken()
    with mock_aws():
        client = dynamodb_client()
        table = new_table(client)
        for name in Random(7).sample(_NAMES, len(_NAMES)):  # noqa: S311  any order
            steward = "uri-gin/azgs/" if int(name[-3:]) % 3 else "uri-gin/cgi/"
            item = {"identifier": name, "version": "now", "steward": steward, "folded": name}
            client.put_item(TableName=table, Item={key: {"S": value} for key, value in item.items()})
        pages = client.get_paginator("query").paginate(
            TableName=table,
            IndexName="members",
            KeyConditionExpression="steward = :steward AND identifier > :after",
            ExpressionAttributeValues={":steward": {"S": "uri-gin/azgs/"}, ":after": {"S": _NAMES[3]}},
            PaginationConfig={"PageSize": most},
        )
        under = [item["identifier"]["S"] for page in pages for item in page["Items"]]
        own = client.query(
            TableName=table,
            KeyConditionExpression="identifier = :name",
            ExpressionAttributeValues={":name": {"S": _NAMES[5]}},
        )
        scanned = [item["identifier"]["S"] for item in client.scan(TableName=table)["Items"]]

    assert under == [name for name in _NAMES[4:] if int(name[-3:]) % 3]
    assert [item["identifier"]["S"] for item in own["Items"]] == [_NAMES[5]]
    assert scanned == _NAMES


_KEY = {"identifier": {"S": "a"}, "version": {"S": "now"}}


@pytest.mark.parametrize("kind", ["Put", "Update"])
@pytest.mark.parametrize("fails", [True, False])
def test_a_failed_transaction_leaves_the_table_unchanged(kind: str, *, fails: bool) -> None:
    quicken()
    with mock_aws():
        client = dynamodb_client()
        table = new_table(client)
        client.put_item(TableName=table, Item={**_KEY, "body": {"S": "before"}})
        after = {":body": {"S": "after"}}
        change: Any = {"TableName": table, "Item": {**_KEY, "body": after[":body"]}}
        if kind == "Update":
            updates = {"UpdateExpression": "SET body = :body", "ExpressionAttributeValues": after}
            change = {"TableName": table, "Key": _KEY, **updates}
        new = {"TableName": table, "Item": {**_KEY, "version": {"S": "then"}}}
        other = {"TableName": table, "Key": {**_KEY, "identifier": {"S": "b"}}}
        exists = f"attribute_{'' if fails else 'not_'}exists(identifier)"
        items: Any = [
            {kind: change},
            {"Put": new},
            {"ConditionCheck": {**other, "ConditionExpression": exists}},
        ]
        with pytest.raises(client.exceptions.TransactionCanceledException) if fails else nullcontext():
            client.transact_write_items(TransactItems=items)
        stands = [(item["version"]["S"], item.get("body")) for item in client.scan(TableName=table)["Items"]]

    before = [("now", {"S": "before"})]
    assert stands == (before if fails else [("now", {"S": "after"}), ("then", None)])


def test_values_of_every_kind_are_read_back() -> None:
    quicken()
    kinds: Any = {
        "text": {"S": "é"},
        "number": {"N": "1.5"},
        "bytes": {"B": b"\xff"},
        "nothing": {"NULL": True},
        "truth": {"BOOL": False},
        "texts": {"SS": ["a"]},
        "list": {"L": [{"S": ""}, {"N": "2"}, {"L": []}]},
        "map": {"M": {"S": {"S": "s"}, "inner": {"M": {"n": {"N": "3"}}}}},
    }
    with mock_aws():
        client = dynamodb_client()
        table = new_table(client)
        client.put_item(TableName=table, Item={**_KEY, **kinds})
        got = client.get_item(TableName=table, Key=_KEY)["Item"]
        [scanned] = client.scan(TableName=table)["Items"]
        [batched] = client.batch_get_item(RequestItems={table: {"Keys": [_KEY]}})["Responses"][table]

    assert got == scanned == batched == {**_KEY, **kinds}
