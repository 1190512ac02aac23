"""Sends the same events to a function of the local stack and to the built one, and compares the answers.

Both sides have one registry and the same buckets. Resolve and describe only read: their answers must be the
same to the last byte. Ingest gets two files that differ in one letter, and the reports may only differ in
that letter. Publish writes everything a second time.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from infra.emulator.process import Emulated
from infra.emulator.requests import Sent
from infra.local.functions.runtime_api import Failure
from infra.local.gateway.proxy_event import proxy_event
from infra.local.gateway.routes import choose, read_routes
from infra.local.stack import Stack
from infra.local.template import REGION

_FOLDER = "uri-gin/azgs"
_ROWS = """identifier,title,type,location
uri-gin/azgs/emulated/{letter}/,Map of the emulator,,https://data.example/{letter}.pdf
uri-gin/azgs/emulated/{letter}/,,,not an address
uri-gin/elsewhere/emulated/{letter}/,Not of this folder,,https://data.example/{letter}.pdf
"""
_STAMP = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\d{8}T\d{6}(\.?\d+)?Z"  # RFC 3339, and without separators
    r"|\w+, \d\d \w+ \d{4} [\d:]{8} GMT|\d{4}-\d\d-\d\d \d\d:\d\d UTC"  # of a header, and of a page
)
_BEFORE, _MOST_SHOWN = 200, 2000
"""Characters of a difference: equal ones before it, and all."""


@dataclass
class Comparison:
    """The number of equal answers, by function and status, and the differences."""

    equal: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def count(self, label: str, request: str, ours: object, emulated: object) -> None:
        """Count one pair of answers."""
        if ours == emulated:
            self.equal[label] += 1
        else:
            self.differences.append(f"{request}\n{_difference(ours, emulated)}")


def _difference(ours: object, emulated: object) -> str:
    """Write both sides from shortly before the first character that differs."""
    texts = [repr(ours), repr(emulated)]
    equal = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
    start = max(equal - _BEFORE, 0)
    local, other = (text[start : start + _MOST_SHOWN] for text in texts)
    return f"  local:    {local}\n  emulated: {other}"


def compare_answers(
    stack: Stack, emulated: Mapping[str, Emulated], requests: Sequence[Sent], comparison: Comparison
) -> None:
    """Send each request to the function that the gateway would choose, on both sides."""
    routes = read_routes(stack.resources)
    by_name = {function.plan.name: logical_id for logical_id, function in stack.functions.items()}
    for request in requests:
        received = request.received(stack.service.removeprefix("http://"))
        match = choose(routes, received.method, received.path)
        if match is None:
            raise LookupError(f"no route for {request}")
        function = by_name[match.route.function]
        event = proxy_event(received, match, "live", "local")
        ours = _invoke(stack, function, event)
        label = f"{function} {ours.get('statusCode')}"
        comparison.count(label, str(request), ours, emulated[function].invoke(event))


def compare_reports(stack: Stack, emulated: Emulated, comparison: Comparison) -> None:
    """Have each side ingest a file, and compare the reports without the letter, versions and stamps."""
    s3 = stack.client("s3")
    # The queue must not deliver either file to the local function.
    s3.put_bucket_notification_configuration(Bucket=stack.uploads_bucket, NotificationConfiguration={})
    events = {letter: _upload(stack, letter) for letter in "ab"}
    answers = _invoke(stack, "IngestFunction", events["a"]), emulated.invoke(events["b"])
    comparison.count("IngestFunction", "the answer to a message", *answers)
    ours, theirs = (_reports(stack, letter) for letter in "ab")
    comparison.count("names of reports", "reports", sorted(ours), sorted(theirs))
    for name in ours.keys() & theirs.keys():
        comparison.count("reports", name, ours[name], theirs[name])


def compare_publications(stack: Stack, emulated: Emulated, comparison: Comparison) -> None:
    """Publish the registry on both sides, and compare the files without the run and stamps."""
    ours = _invoke(stack, "PublishFunction", {})
    written = _objects(stack, stack.published_bucket, ours["run"])
    theirs = emulated.invoke({})
    rewritten = _objects(stack, stack.published_bucket, theirs["run"])
    comparison.count("PublishFunction", "the answer", ours["records"], theirs["records"])
    comparison.count("names of published objects", "published", sorted(written), sorted(rewritten))
    for key in written.keys() & rewritten.keys():
        comparison.count("published objects", key, written[key], rewritten[key])


def _invoke(stack: Stack, function: str, event: Mapping[str, Any]) -> dict[str, Any]:
    outcome = stack.invoke(function, json.dumps(event).encode())
    if isinstance(outcome, Failure):
        raise RuntimeError(f"{function} of the local stack: {outcome.message}")  # noqa: TRY004 - an outcome
    answer: dict[str, Any] = json.loads(outcome.payload)
    return answer


def _upload(stack: Stack, letter: str) -> dict[str, Any]:
    """Upload the file with `letter`; return the event that the queue would bring."""
    key = f"{_FOLDER}/emulated-{letter}.csv"
    body = _ROWS.format(letter=letter).encode()
    version = stack.client("s3").put_object(Bucket=stack.uploads_bucket, Key=key, Body=body)["VersionId"]
    stored = {"key": key, "versionId": version, "size": len(body)}
    notice = {
        "eventSource": "aws:s3",
        "eventName": "ObjectCreated:Put",
        "eventTime": "2026-01-01T00:00:00.000Z",
        # That of the stack's own event, which may be delivered before this one.
        "userIdentity": {"principalId": "AWS:LOCAL:local"},
        "s3": {"bucket": {"name": stack.uploads_bucket}, "object": stored},
    }
    record = {
        "messageId": "emulated",
        "receiptHandle": "emulated",
        "body": json.dumps({"Records": [notice]}),
        "attributes": {"ApproximateReceiveCount": "1"},
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:123456789012:local",
        "awsRegion": REGION,
    }
    return {"Records": [record]}


def _reports(stack: Stack, letter: str) -> dict[str, str]:
    """Return the reports on the file with `letter` by name, without the letter and the version."""
    s3 = stack.client("s3")
    key = f"{_FOLDER}/emulated-{letter}.csv"
    version = s3.head_object(Bucket=stack.uploads_bucket, Key=key)["VersionId"]
    own = re.compile(
        "|".join(
            (
                f"(?<=emulated[-/]){letter}",
                f"(?<=emulated/<wbr>){letter}",  # where a page breaks a long identifier
                f"(?<=data.example/){letter}",
                re.escape(version),
            )
        )
    )
    reports = _objects(stack, stack.reports_bucket, key)
    return {own.sub("…", name): own.sub("…", text) for name, text in reports.items()}


def _objects(stack: Stack, bucket: str, part: str) -> dict[str, str]:
    """Return the text of each object with `part` in its key, without that part and without stamps."""
    s3 = stack.client("s3")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    objects = {}
    for key in (
        stored["Key"] for page in pages for stored in page.get("Contents", []) if part in stored["Key"]
    ):
        body = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
        # Compressed, equal files differ: Python 3.13 leaves the operating system out of the header.
        text = (gzip.decompress(body) if key.endswith(".gz") else body).decode("latin-1")
        objects[_STAMP.sub("…", key.replace(part, "…"))] = _STAMP.sub("…", text.replace(part, "…"))
    return objects
