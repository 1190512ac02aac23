"""Services that answer late, by a clock of their own: DynamoDB, and published files."""

from __future__ import annotations

import json
import re
import zlib
from typing import TYPE_CHECKING, Any

from ginuri.aws.dynamodb_http.failures import AwsFailure
from ginuri.aws.dynamodb_http.ports import Keys
from ginuri.aws.dynamodb_http.transport import HttpAnswer
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.budget import Budget

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from ginuri.published.publications import LinkingReader

_LONGEST_TRY = 3.0


class Delay:
    """The delay in seconds, and the clock that counts it."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time of the clock."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Move the clock."""
        self.now += seconds


class SlowDynamoDB:
    """A transport that answers like a client's service, but later."""

    def __init__(self, client: DynamoDBClient, delay: Delay) -> None:
        self._client, self._delay = client, delay
        self.calls = 0

    def post(self, operation: str, body: str, _keys: Keys, _date: str | None, seconds: float) -> HttpAnswer:
        """Answer a request, or fail when its time is over."""
        self.calls += 1
        self._delay.sleep(min(seconds, self._delay.seconds))
        if self._delay.seconds > seconds:
            raise AwsFailure("ReadTimeoutError", is_lost=True)
        method = getattr(self._client, re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower())
        answer: dict[str, Any] = method(**json.loads(body))
        del answer["ResponseMetadata"]
        content = json.dumps(answer).encode()
        return HttpAnswer(200, [b"x-amz-crc32: %d\r\n" % zlib.crc32(content)], content)


class SlowPublished:
    """A reader of published files that reads late, like a client within a budget."""

    def __init__(self, reader: LinkingReader, delay: Delay, budget: Budget) -> None:
        self._reader, self._delay, self._budget = reader, delay, budget

    def read(self, key: str) -> bytes | None:
        """Read a file."""
        self._wait()
        return self._reader.read(key)

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file."""
        self._wait()
        return self._reader.read_range(key, first, length)

    def link(self, key: str, media_type: str, method: str) -> str:
        """Sign a link."""
        return self._reader.link(key, media_type, method)

    def _wait(self) -> None:
        self._budget.spend_call(_LONGEST_TRY)
        self._delay.sleep(min(_LONGEST_TRY, self._delay.seconds))
        if self._delay.seconds > _LONGEST_TRY:
            raise RegistryUnavailable("ReadTimeoutError")
