"""The permissions that a request to an AWS endpoint needs: a table of the calls of functions and commands.

After the Service Authorization Reference: an action and the resource it is checked against. For an operation
that is not in the table, `needs` returns None, and the caller decides.
"""

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote

from infra.local.template import ACCOUNT

Body = dict[str, Any]

_READ = "ginuri.call"  # the key of a request's environment that has the parsed call
_EQUALS = re.compile(r"(?<![<>])= *(?P<value>:\w+)")
_SCOPE = re.compile(r"(?P<key>[^/\s=]+)/\d{8}/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request")


@dataclass(frozen=True)
class Need:
    """A permission that a call needs."""

    action: str
    resource: str
    listed: str | None = (
        None  # the prefix of listed keys, the queried partition key or the namespace, if it has one
    )


@dataclass(frozen=True)
class Call:
    """A signed request: its signer, its service and its region; the rest of the HTTP request."""

    access_key: str
    service: str
    region: str
    method: str
    path: str  # decoded, as in WSGI
    query: dict[str, str]
    copies: str  # `bucket/key` or `bucket/key?versionId=…`, the source of a copy in S3
    target: str  # X-Amz-Target, the operation of DynamoDB and SQS
    body: bytes


def read_call(environ: dict[str, Any]) -> Call | None:
    """Read a WSGI request, once; None if it is not signed, by header or by link.

    The body is read only if it contains the operation's resources, and can be read again.
    """
    if _READ not in environ:
        environ[_READ] = _read_call(environ, _operation_body(environ))
    call: Call | None = environ[_READ]
    return call


def _read_call(environ: dict[str, Any], body: bytes) -> Call | None:
    query = {
        name: values[0] for name, values in parse_qs(environ["QUERY_STRING"], keep_blank_values=True).items()
    }
    signed = environ.get("HTTP_AUTHORIZATION", "") or query.get("X-Amz-Credential", "")
    scope = _SCOPE.search(signed)
    if scope is None:
        return None
    return Call(
        access_key=scope["key"],
        service=scope["service"],
        region=scope["region"],
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace"),
        query=query,
        copies=unquote(environ.get("HTTP_X_AMZ_COPY_SOURCE", "")).removeprefix("/"),
        target=environ.get("HTTP_X_AMZ_TARGET", "").partition(".")[2],
        body=body,
    )


def _operation_body(environ: dict[str, Any]) -> bytes:
    is_form = environ.get("CONTENT_TYPE", "").startswith("application/x-www-form-urlencoded")
    if "HTTP_X_AMZ_TARGET" not in environ and not (is_form and environ["REQUEST_METHOD"] == "POST"):
        return b""
    body: bytes = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = io.BytesIO(body)
    return body


def needs(call: Call) -> list[Need] | None:
    """Return the permissions that `call` needs, or None if the operation is not in the table."""
    reader = _SERVICES.get(call.service)
    return reader(call) if reader else None


def bucket_and_key(call: Call) -> tuple[str, str]:
    """Return the bucket and the key (empty for a call on the bucket) of a path-style S3 request."""
    bucket, _, key = call.path.removeprefix("/").partition("/")
    return bucket, key


# S3 distinguishes its operations by the method and the query.
_S3_OBJECT = {
    ("GET", ""): "s3:GetObject",
    ("HEAD", ""): "s3:GetObject",
    ("GET", "versionId"): "s3:GetObjectVersion",
    ("HEAD", "versionId"): "s3:GetObjectVersion",
    ("PUT", ""): "s3:PutObject",
    ("PUT", "uploadId"): "s3:PutObject",
    ("POST", "uploads"): "s3:PutObject",
    ("POST", "uploadId"): "s3:PutObject",
    ("DELETE", "uploadId"): "s3:AbortMultipartUpload",
}
_MARKS = ("versionId", "uploadId", "uploads")
# Any other name in the query makes it another operation, except these.
_PASSED_OVER = {*_MARKS, "partNumber", "x-id"}
_LISTING = {"prefix", "encoding-type", "max-keys", "delimiter"}
_LISTED = {
    "list-type": ("s3:ListBucket", {"continuation-token", "start-after"}),
    "versions": ("s3:ListBucketVersions", {"key-marker", "version-id-marker"}),
}


def _s3(call: Call) -> list[Need] | None:
    bucket, key = bucket_and_key(call)
    if not key and call.method == "GET":
        return _s3_listing(call, bucket)
    other = {
        name
        for name in call.query
        if name not in _PASSED_OVER and not name.startswith(("X-Amz-", "response-"))
    }
    mark = next((name for name in _MARKS if name in call.query), "")
    action = _S3_OBJECT.get((call.method, mark))
    if not key or other or action is None:
        return None
    needed = [Need(action, f"arn:aws:s3:::{bucket}/{key}")]
    if call.copies:
        source, _, version = call.copies.partition("?versionId=")
        needed.append(Need(f"s3:GetObject{'Version' if version else ''}", f"arn:aws:s3:::{source}"))
    return needed


def _s3_listing(call: Call, bucket: str) -> list[Need] | None:
    for mark, (action, others) in _LISTED.items():
        if mark in call.query and call.query.keys() <= {mark, *_LISTING, *others}:
            return [Need(action, f"arn:aws:s3:::{bucket}", call.query.get("prefix"))]
    return None


def _dynamodb(call: Call) -> list[Need] | None:
    name = call.target
    body = json.loads(call.body or b"{}")
    reader = _DYNAMODB.get(name)
    if reader is None:
        return None
    arn = f"arn:aws:dynamodb:{call.region}:{ACCOUNT}:table/"
    queried = _partition_key(body)
    return [Need(f"dynamodb:{action}", arn + table, queried) for action, table in reader(name, body)]


def _partition_key(body: Body) -> str | None:
    found = _EQUALS.search(body.get("KeyConditionExpression", ""))
    return body["ExpressionAttributeValues"][found["value"]]["S"] if found else None


def _one_table(name: str, body: Body) -> Iterator[tuple[str, str]]:
    index = f"/index/{body['IndexName']}" if "IndexName" in body else ""
    yield name, body["TableName"] + index


def _many_tables(name: str, body: Body) -> Iterator[tuple[str, str]]:
    for table in body["RequestItems"]:
        yield name, table


_IN_TRANSACTIONS = {
    "Get": "GetItem",
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


def _transaction(_: str, body: Body) -> Iterator[tuple[str, str]]:
    for item in body["TransactItems"]:
        for kind, request in item.items():
            yield _IN_TRANSACTIONS[kind], request["TableName"]


_DYNAMODB: dict[str, Callable[[str, Body], Iterator[tuple[str, str]]]] = {
    "GetItem": _one_table,
    "PutItem": _one_table,
    "UpdateItem": _one_table,
    "DeleteItem": _one_table,
    "Query": _one_table,
    "Scan": _one_table,
    "DescribeTable": _one_table,
    "CreateTable": _one_table,
    "DeleteTable": _one_table,
    "BatchGetItem": _many_tables,
    "BatchWriteItem": _many_tables,
    "TransactGetItems": _transaction,
    "TransactWriteItems": _transaction,
}

_SQS = {
    "ReceiveMessage": "sqs:ReceiveMessage",
    "DeleteMessage": "sqs:DeleteMessage",
    "ChangeMessageVisibility": "sqs:ChangeMessageVisibility",
    "GetQueueAttributes": "sqs:GetQueueAttributes",
    "SendMessage": "sqs:SendMessage",
    "SendMessageBatch": "sqs:SendMessage",
}


def _sqs(call: Call) -> list[Need] | None:
    action = _SQS.get(call.target)
    if action is None:
        return None
    queue = json.loads(call.body)["QueueUrl"].rpartition("/")[2]
    return [Need(action, f"arn:aws:sqs:{call.region}:{ACCOUNT}:{queue}")]


def _cloudformation(call: Call) -> list[Need] | None:
    form = parse_qs(call.body.decode())
    if form.get("Action") != ["DescribeStacks"] or "StackName" not in form:
        return None
    [name] = form["StackName"]
    # A stack that is given by name, not by id, is checked as any stack of that name.
    return [
        Need(
            "cloudformation:DescribeStacks", f"arn:aws:cloudformation:{call.region}:{ACCOUNT}:stack/{name}/*"
        )
    ]


def _cloudwatch(call: Call) -> list[Need] | None:
    if call.target != "PutMetricData":
        return None
    return [Need("cloudwatch:PutMetricData", "*", json.loads(call.body)["Namespace"])]


def _sts(call: Call) -> list[Need] | None:
    # Everybody may ask for their own identity.
    form = parse_qs(call.body.decode())
    return [] if form.get("Action") == ["GetCallerIdentity"] else None


_SERVICES: dict[str, Callable[[Call], list[Need] | None]] = {
    "cloudformation": _cloudformation,
    "dynamodb": _dynamodb,
    "monitoring": _cloudwatch,
    "s3": _s3,
    "sqs": _sqs,
    "sts": _sts,
}
