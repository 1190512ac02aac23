"""WSGI middleware before moto: S3 sends a queue an event for every new object, with its version, as AWS does.

moto's own events leave the version out, and come for each part of an upload before the object exists. After
the S3 user guide, "Event message structure".
"""

import itertools
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

from moto.s3.models import s3_backends
from moto.sqs.models import sqs_backends
from moto.sts.models import sts_backends
from werkzeug.wrappers import Response

from ginuri.registry.clock import utc_now, write_moment
from infra.local.aws.calls import Call, bucket_and_key, read_call
from infra.local.aws.doorbell import Doorbell
from infra.local.template import ACCOUNT, REGION

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

# These requests change data beside an object, not its content, and have other events.
_BESIDE = {"acl", "tagging", "retention", "legal-hold", "partNumber"}


class Notifier:
    """WSGI middleware that maps buckets to the queues that they notify."""

    def __init__(self, doorbell: Doorbell) -> None:
        self._application = doorbell
        self._queues: dict[str, str] = {}
        self._sequence = itertools.count(1)

    def subscribe(self, bucket: str, queue: str) -> None:
        """From now on, notify the queue of every object in `bucket`. A test event comes first."""
        self._queues[bucket] = queue
        test = {"Service": "Amazon S3", "Event": "s3:TestEvent", "Time": _now(), "Bucket": bucket}
        self._send(queue, {**test, "RequestId": "local", "HostId": "local"})

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Return moto's answer; after a new object, the queue has its event by then."""
        call = read_call(environ)
        event = _event_name(call) if call else None
        if call is None or event is None or bucket_and_key(call)[0] not in self._queues:
            return self._application(environ, start_response)
        response = Response.from_app(self._application, environ, buffered=True)
        if response.status_code == 200 and b"<Error>" not in response.data:  # noqa: PLR2004 - OK
            self._notify(call, event, response.headers.get("x-amz-version-id"))
        return response(environ, start_response)

    def _notify(self, call: Call, event: str, version: str | None) -> None:
        bucket, key = bucket_and_key(call)
        stored: Any = s3_backends[ACCOUNT]["aws"].get_object(bucket, key, version)
        written = {
            "key": quote_plus(key, safe="/"),
            "size": stored.size,
            "eTag": stored.etag.strip('"'),
            **({"versionId": version} if version else {}),
            "sequencer": f"{next(self._sequence):018X}",
        }
        record = _record(event, bucket, written, _identity_of(call.access_key))
        self._send(self._queues[bucket], {"Records": [record]})

    def _send(self, queue: str, message: Mapping[str, object]) -> None:
        # Direct to moto, which runs in this process: a call over HTTP would take as long as the upload.
        sqs_backends[ACCOUNT][REGION].send_message(queue, json.dumps(message))
        self._application.ring()


def _event_name(call: Call) -> str | None:
    if call.service != "s3" or not bucket_and_key(call)[1] or call.query.keys() & _BESIDE:
        return None
    if call.method == "PUT":
        return "ObjectCreated:Copy" if call.copies else "ObjectCreated:Put"
    completes = call.method == "POST" and "uploadId" in call.query
    return "ObjectCreated:CompleteMultipartUpload" if completes else None


def _identity_of(access_key: str) -> str:
    """Return the unique id of a role and its session, as in AWS; other callers are users of this stack."""
    assumed = sts_backends[ACCOUNT]["aws"].get_assumed_role_from_access_key(access_key)
    return assumed.user_id if assumed else f"LOCAL:{access_key}"


def _record(event: str, bucket: str, written: dict[str, object], identity: str) -> dict[str, object]:
    return {
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "awsRegion": REGION,
        "eventTime": _now(),
        "eventName": event,
        "userIdentity": {"principalId": f"AWS:{identity}"},
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
    return write_moment(utc_now())
