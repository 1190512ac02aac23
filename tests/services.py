"""What stands in for a service: it answers as it was told to, over no network."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.compat import HTTPHeaders

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class _Raw(io.BytesIO):
    """A body as botocore reads it."""

    def stream(self, **_: object) -> Iterator[bytes]:
        yield self.read()


class Service:
    """A service that answers with what it was told to, the last answer for good."""

    def __init__(self, client: DynamoDBClient, *answers: tuple[int, dict[str, Any]]) -> None:
        self._answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        client.meta.events.register("before-send.dynamodb", self._answer)  # type: ignore[arg-type]  # an answer given here is taken

    def _answer(self, request: AWSRequest, **_: object) -> AWSResponse:
        self.asked.append(json.loads(request.body))
        status, body = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        raw = _Raw(json.dumps(body).encode())
        headers = HTTPHeaders.from_dict({"content-type": "application/x-amz-json-1.0"})
        return AWSResponse(str(request.url), status, headers, raw)
