"""WSGI middleware before moto: S3 sends a queue an event for every new object, with its version, as AWS does.

moto's own events leave the version out, and come for each part of an upload before there is an object.
After the S3 user guide, "Event message structure".
"""

import itertools
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

from moto.s3.models import s3_backends
from werkzeug.wrappers import Response

from infra.local.aws.calls import Call, bucket_and_key, read_call
from infra.local.aws.clients import Account
from infra.local.template import ACCOUNT, REGION

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# An object can be written without its content: these change what is beside it, and come under other events.
_BESIDE = {"acl", "tagging", "retention", "legal-hold", "partNumber"}


class Notifier:
    """WSGI middleware that knows which bucket notifies which queue."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application
        self._queues: dict[str, tuple[Account, str]] = {}
        self._sequence = itertools.count(1)

    def subscribe(self, bucket: str, account: Account, queue_url: str) -> None:
        """From now on, tell the queue of every object created in `bucket`. A test event comes first."""
        self._queues[bucket] = (account, queue_url)
        test = {"Service": "Amazon S3", "Event": "s3:TestEvent", "Time": _now(), "Bucket": bucket}
        _send(account, queue_url, {**test, "RequestId": "local", "HostId": "local"})

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer with moto's answer; where that was a new object, the queue has heard of it by then."""
        call = read_call(environ, b"")
        event = _event_name(call) if call else None
        if call is None or event is None or bucket_and_key(call)[0] not in self._queues:
            return self._application(environ, start_response)
        response = Response.from_app(self._application, environ, buffered=True)
        if response.status_code == 200 and b"<Error>" not in response.data:  # noqa: PLR2004 - OK
            self._notify(call, event, response.headers.get("x-amz-version-id"))
        return response(environ, start_response)

    def _notify(self, call: Call, event: str, version: str | None) -> None:
        bucket, key = bucket_and_key(call)
        account, queue_url = self._queues[bucket]
        stored: Any = s3_backends[ACCOUNT]["aws"].get_object(bucket, key, version)
        written = {
            "key": quote_plus(key, safe="/"),
            "size": stored.size,
            "eTag": stored.etag.strip('"'),
            **({"versionId": version} if version else {}),
            "sequencer": f"{next(self._sequence):018X}",
        }
        _send(account, queue_url, {"Records": [_record(event, bucket, written)]})


def _event_name(call: Call) -> str | None:
    if call.service != "s3" or not bucket_and_key(call)[1] or call.query.keys() & _BESIDE:
        return None
    if call.method == "PUT":
        return "ObjectCreated:Copy" if call.copies else "ObjectCreated:Put"
    completes = call.method == "POST" and "uploadId" in call.query
    return "ObjectCreated:CompleteMultipartUpload" if completes else None


def _record(event: str, bucket: str, written: dict[str, object]) -> dict[str, object]:
    return {
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "awsRegion": REGION,
        "eventTime": _now(),
        "eventName": event,
        "userIdentity": {"principalId": "AWS:LOCAL"},
        "requestParameters": {"sourceIPAddress": "127.0.0.1"},
        "responseElements": {"x-amz-request-id": "local", "x-amz-id-2": "local"},
        "s3": {
            "s3SchemaVersion": "1.0",
            "configurationId": "local",
            "bucket": {
                "name": bucket,
                "ownerIdentity": {"principalId": "LOCAL"},
                "arn": f"arn:aws:s3:::{bucket}",
            },
            "object": written,
        },
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _send(account: Account, queue_url: str, message: Mapping[str, object]) -> None:
    account.client("sqs").send_message(QueueUrl=queue_url, MessageBody=json.dumps(message))
