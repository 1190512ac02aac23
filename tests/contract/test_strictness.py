"""The local stack refuses the same calls as DynamoDB Local, though moto accepts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from ginuri.server.sockets import listen_near
from infra.local.aws.moto_server import MotoServer
from tests.aws import dynamodb_client, new_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    Call = Callable[[DynamoDBClient, str], Any]

A = {":a": {"S": "a"}}
OF_A = {"KeyConditionExpression": "identifier = :a", "ExpressionAttributeValues": A}
NEAR_A = {
    "KeyConditionExpression": "folded = :a",
    "ExpressionAttributeValues": A,
    "IndexName": "near",
}


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    """Run moto behind the middleware of the local stack, and return its address."""
    server = MotoServer(listen_near(0))
    server.start()
    yield server.endpoint
    server.stop()


@pytest.fixture(params=["moto", "dynamodb-local"])
def client(request: pytest.FixtureRequest) -> Iterator[DynamoDBClient]:
    """Return a client of one service after the other."""
    fixture = "moto" if request.param == "moto" else "dynamodb_local"
    made = dynamodb_client(request.getfixturevalue(fixture))
    yield made
    made.close()


def _key(name: str) -> dict[str, Any]:
    return {"identifier": {"S": name}, "version": {"S": "now"}}


def _item(name: str = "a", **fields: Any) -> dict[str, Any]:
    return {**_key(name), "folded": {"S": "a"}, **fields}


def _put(**asked: Any) -> Call:
    return lambda client, table: client.put_item(TableName=table, **({"Item": _item()} | asked))


def _query(**asked: Any) -> Call:
    return lambda client, table: client.query(TableName=table, **asked)


def _scan(**asked: Any) -> Call:
    return lambda client, table: client.scan(TableName=table, **asked)


def _transaction(*names: str, once: str = "") -> Call:
    def write(client: DynamoDBClient, table: str) -> None:
        new = "attribute_not_exists(identifier)"
        for name in names:
            put: Any = {"TableName": table, "Item": _item(name), "ConditionExpression": new}
            client.transact_write_items(
                TransactItems=[{"Put": put}], ClientRequestToken=f"{once}{table}"[:36]
            )

    return write


def _batch(items: int, **fields: Any) -> Call:
    return lambda client, table: client.batch_write_item(
        RequestItems={table: [{"PutRequest": {"Item": _item(f"{n}", **fields)}} for n in range(items)]}
    )


def _transact(*items: dict[str, Any]) -> Call:
    return lambda client, table: client.transact_write_items(
        TransactItems=[{"Put": {"TableName": table, "Item": item}} for item in items]
    )


_MOST = 400 * 1024
"""The most bytes of an item, names of attributes included."""
_LARGE = _item(much={"S": "x" * _MOST})
_LARGE_IN_PIECES = _item() | {f"a{number}": {"S": "\u00e9" * 50_000} for number in range(5)}
_LARGE_BUT_TAKEN = _item(much={"S": "x" * 400_000})
_MUCH = " OR ".join(f"attribute_exists(a{number})" for number in range(220))
REFUSED: dict[str, Call] = {
    "26 items in a batch": _batch(26),
    "an index's key of another type": _put(Item=_item(folded={"N": "1"})),
    "an index's key of another type in a batch": _batch(1, folded={"N": "1"}),
    "a number of 39 digits": _put(Item=_item(a={"N": "1" * 39})),
    "a number of 39 digits within": _put(Item=_item(a={"L": [{"M": {"b": {"N": f"0.{'1' * 39}"}}}]})),
    "a query filtered by its key": _query(FilterExpression="version = :a", **OF_A),
    "a query filtered by its key, renamed": _query(
        FilterExpression="#v = :a", ExpressionAttributeNames={"#v": "version"}, **OF_A
    ),
    "a query filtered by the index's key": _query(FilterExpression="folded = :a", **NEAR_A),
    "a filter of 4 kB": _scan(FilterExpression=_MUCH),
    "a condition of 4 kB": _put(ConditionExpression=_MUCH),
    "a projection of 4 kB": _scan(
        ProjectionExpression=", ".join(f"attribute{number}" for number in range(400))
    ),
    "a start in another partition": _query(ExclusiveStartKey=_key("b"), **OF_A),
    "a start that is no key": _scan(ExclusiveStartKey={"folded": {"S": "a"}}),
    "a start that lacks the index's key": _query(ExclusiveStartKey=_key("a"), **NEAR_A),
    "values for no expression": _put(ExpressionAttributeValues=A),
    "an item of more than 400 kB": _put(Item=_LARGE),
    "an item of more than 400 kB in bytes": _put(Item=_LARGE_IN_PIECES),
    "an item of more than 400 kB in a batch": _batch(1, much={"S": "x" * _MOST}),
    "a sort key of more than 1,024 bytes": _put(Item=_item(version={"S": "x" * 1025})),
    "one token for two transactions": _transaction("a", "b"),
}
TAKEN: dict[str, Call] = {
    "25 items in a batch": _batch(25),
    "a number of 38 digits": _put(Item=_item(a={"N": f"{'1' * 38}000"})),
    "a scan filtered by a key": _scan(FilterExpression="version = :a", ExpressionAttributeValues=A),
    "an attribute that is called as a type": _put(Item=_item(a={"M": {"N": {"S": "1" * 39}}})),
    "an item with fields that are called as arguments": _put(
        Item=_item(a={"M": {"Item": {"S": "x"}, "TableName": {"S": "x"}}})
    ),
    "an item of nearly 400 kB": _put(Item=_LARGE_BUT_TAKEN),
    "two items of nearly 400 kB in a transaction": _transact(
        _LARGE_BUT_TAKEN, _LARGE_BUT_TAKEN | {"version": {"S": "x"}}
    ),
    "a sort key of 1,024 bytes": _put(Item=_item(version={"S": "x" * 1024})),
    "a start within": _query(ExclusiveStartKey=_key("a"), **OF_A),
    "a start within an index": _query(ExclusiveStartKey=_item("a"), **NEAR_A),
    "one token for one transaction twice": _transaction("a", "a"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.untraced
def test_requests_that_dynamodb_refuses_are_refused(client: DynamoDBClient, name: str) -> None:
    table = new_table(client)

    with pytest.raises(ClientError) as refused:
        REFUSED[name](client, table)

    kind = "IdempotentParameterMismatchException" if "token" in name else "ValidationException"
    assert refused.value.response["Error"]["Code"] == kind


def test_a_transaction_with_an_item_over_400_kilobytes_is_refused(
    client: DynamoDBClient,
) -> None:
    with pytest.raises(ClientError) as refused:
        _transact(_item("b"), _LARGE)(client, new_table(client))

    told = refused.value.response
    reasons: Any = told.get("CancellationReasons", ())
    messages = [told["Error"]["Message"], *(reason.get("Message", "") for reason in reasons)]
    assert "Item size has exceeded the maximum allowed size" in "\n".join(messages)


@pytest.mark.parametrize("name", TAKEN)
def test_an_item_just_under_the_limit_is_accepted(client: DynamoDBClient, name: str) -> None:
    TAKEN[name](client, new_table(client))


def test_a_refused_transaction_may_be_requested_again(client: DynamoDBClient) -> None:
    table = new_table(client)
    client.put_item(TableName=table, Item=_item("a"))
    with pytest.raises(ClientError, match="TransactionCanceled"):
        _transaction("a", once="again")(client, table)
    client.delete_item(TableName=table, Key=_key("a"))

    _transaction("a", once="again")(client, table)

    assert client.get_item(TableName=table, Key=_key("a"))["Item"] == _item("a")
