"""WSGI middleware before moto: refuses calls that DynamoDB refuses and moto accepts.

After the service's documentation:
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html and the reference of each
operation. moto never expires items: whoever reads one with a time to live compares it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from moto.dynamodb.models import dynamodb_backends
from werkzeug.wrappers import Response

from infra.local.aws.calls import Call, read_call
from infra.local.template import ACCOUNT

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Description = Mapping[str, Any]
"""The keys of a table and of its indexes, from DescribeTable."""

MOST_WRITTEN = 25
MOST_DIGITS = 38
MOST_EXPRESSION_BYTES = 4096
_NAME = re.compile(r"#?[A-Za-z_][A-Za-z0-9_]*")
_VALIDATION = "ValidationException"
_MISMATCH = "IdempotentParameterMismatchException"


class Strictness:
    """WSGI middleware that applies the rules of DynamoDB itself to its calls."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application
        self._done: dict[str, bytes] = {}
        self._lock = Lock()

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer the request: with moto's answer, or with a refusal."""
        call = read_call(environ)
        if call is None or call.service != "dynamodb" or not call.body:
            return self._application(environ, start_response)
        request = json.loads(call.body)
        refused = next(refusals(call.target, request, lambda table: _describe(call, table)), None)
        if refused:
            return _answer(400, _VALIDATION, refused)(environ, start_response)
        if call.target == "TransactWriteItems" and "ClientRequestToken" in request:
            return self._once(request["ClientRequestToken"], call.body, environ)(environ, start_response)
        return self._application(environ, start_response)

    def _once(self, token: str, body: bytes, environ: "WSGIEnvironment") -> Response:
        """Carry out a transaction of one token once; a repeated one succeeds without effect."""
        with self._lock:
            done = self._done.get(token)
            if done == body:
                return Response("{}", content_type="application/x-amz-json-1.0")
            if done is not None:
                return _answer(400, _MISMATCH, "another transaction had this token")
            response = Response.from_app(self._application, environ)
            if response.status_code == 200:  # noqa: PLR2004 - OK
                self._done[token] = body
            return response


def refusals(operation: str, request: Any, describe: Callable[[str], Description]) -> Iterator[str]:  # noqa: ANN401  JSON
    """Return the fault that DynamoDB finds in a call and moto does not."""
    written = sum(map(len, request.get("RequestItems", {}).values())) if operation == "BatchWriteItem" else 0
    if written > MOST_WRITTEN:
        yield f"a batch writes at most {MOST_WRITTEN} items, this one {written}"
    parts = list(_mappings(request))
    for number in (part["N"] for part in parts if "N" in part):
        if isinstance(number, str) and len(re.sub(r"[eE].*|\D", "", number).strip("0")) > MOST_DIGITS:
            yield f"a number has at most {MOST_DIGITS} digits: {number}"
    for part in parts:
        yield from _in_expressions(part)
        if isinstance(part.get("TableName"), str) and "Item" in part:
            yield from _in_item(part["Item"], describe(part["TableName"]))
    for table, requests in (request.get("RequestItems", {}) if operation == "BatchWriteItem" else {}).items():
        for item in (part["Item"] for part in _mappings(requests) if "Item" in part):
            yield from _in_item(item, describe(table))
    if operation in {"Query", "Scan"}:
        yield from _in_page(operation, request, describe(request["TableName"]))


def _in_expressions(part: Mapping[str, Any]) -> Iterator[str]:
    expressions = {
        name: text for name, text in part.items() if name.endswith("Expression") and isinstance(text, str)
    }
    for name, text in expressions.items():
        if len(text.encode()) > MOST_EXPRESSION_BYTES:
            yield f"{name} has more than {MOST_EXPRESSION_BYTES} bytes"
    if not expressions and part.keys() & {"ExpressionAttributeValues", "ExpressionAttributeNames"}:
        yield "names or values are given, and no expression uses them"


def _in_item(item: Mapping[str, Any], table: Description) -> Iterator[str]:
    for definition in table["AttributeDefinitions"]:
        name, kind = definition["AttributeName"], definition["AttributeType"]
        if name in item and kind not in item[name]:
            yield f"{name} is a key, of the table or of an index, and is to be of type {kind}"


def _in_page(operation: str, request: Mapping[str, Any], table: Description) -> Iterator[str]:
    own = [member["AttributeName"] for member in table["KeySchema"]]
    indexes = {member["IndexName"]: member["KeySchema"] for member in table.get("GlobalSecondaryIndexes", ())}
    index = [member["AttributeName"] for member in indexes.get(request.get("IndexName"), ())]
    if operation == "Query":
        names = request.get("ExpressionAttributeNames", {})
        used = {names.get(name, name) for name in _NAME.findall(request.get("FilterExpression", ""))}
        for name in used & set(index or own):
            yield f"{name} is a key: a query is not filtered by it, but by its condition"
    start = request.get("ExclusiveStartKey")
    if start is None:
        return
    if start.keys() != {*own, *index}:
        yield f"the starting key is to have {', '.join(sorted({*own, *index}))}, and nothing else"
    elif operation == "Query" and start[(index or own)[0]] not in _values(request):
        yield "the starting key is outside of what is asked for"


def _values(request: Mapping[str, Any]) -> list[Any]:
    return list(request.get("ExpressionAttributeValues", {}).values())


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401  JSON
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _mappings(inner)


def _describe(call: Call, table: str) -> Description:
    stored = dynamodb_backends[ACCOUNT][call.region].tables.get(table)
    # moto itself refuses calls on a missing table.
    if stored is None:
        return {"AttributeDefinitions": (), "KeySchema": ()}
    # moto's own description counts all items, while other threads write some.
    return {
        "AttributeDefinitions": stored.attr,
        "KeySchema": stored.schema,
        "GlobalSecondaryIndexes": [index.describe() for index in stored.global_indexes],
    }


def _answer(status: int, kind: str, message: str) -> Response:
    body = json.dumps({"__type": f"com.amazon.coral.validate#{kind}", "message": message})
    return Response(body, status, content_type="application/x-amz-json-1.0")
