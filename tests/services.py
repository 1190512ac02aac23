"""A stand-in for a service: scripted answers, without a network."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.compat import HTTPHeaders

from ginuri.aws.dynamodb_http.transport import HttpAnswer

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class _Raw(io.BytesIO):
    """A body in the form that botocore reads."""

    def stream(self, **_: object) -> Iterator[bytes]:
        yield self.read()


class Asked(Protocol):
    """A service, and its received requests."""

    asked: list[dict[str, Any]]


class Service:
    """A service with scripted answers, the last one repeatedly."""

    def __init__(self, client: DynamoDBClient, *answers: tuple[int, dict[str, Any]]) -> None:
        self._answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        client.meta.events.register("before-send.dynamodb", self._answer)  # type: ignore[arg-type]  # any answer is accepted

    def _answer(self, request: AWSRequest, **_: object) -> AWSResponse:
        self.asked.append(json.loads(request.body))
        status, body = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        raw = _Raw(json.dumps(body).encode())
        headers = HTTPHeaders.from_dict({"content-type": "application/x-amz-json-1.0"})
        return AWSResponse(str(request.url), status, headers, raw)


class HttpService:
    """A service as HttpDynamoDB calls it, with the same answers."""

    def __init__(self, *answers: tuple[int, dict[str, Any]]) -> None:
        self._answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def post(self, _operation: str, body: str, *_: object) -> HttpAnswer:
        """Answer a request."""
        self.asked.append(json.loads(body))
        status, document = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        content = json.dumps(document).encode()
        return HttpAnswer(status, [b"x-amz-crc32: %d\r\n" % zlib.crc32(content)], content)
