"""A client of DynamoDB for the operations that ginuri calls.

Parameters and answers are botocore's, which are DynamoDB's own JSON: nothing is translated. All errors are
`AwsFailure`.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ginuri.aws.dynamodb_http.credentials import find_credentials
from ginuri.aws.dynamodb_http.endpoints import Endpoint
from ginuri.aws.dynamodb_http.failures import AwsFailure, read_reasons
from ginuri.aws.dynamodb_http.retries import CALL_SECONDS, RetryBudget, is_passing, pause_before
from ginuri.aws.dynamodb_http.transport import CurlTransport, HttpAnswer

if TYPE_CHECKING:
    from ginuri.aws.dynamodb_http.ports import Budget, CredentialSource, Transport

TRY_SECONDS = 5.0
"""The seconds that one exchange may take."""
FIRST_TRY_SECONDS = 1.0
"""The least timeout of the first try of a read, because its connection may have died unnoticed."""

_OK = 200
_EXPIRED = {"ExpiredTokenException", "ExpiredToken", "UnrecognizedClientException"}
_WRONG_TIME = {
    "InvalidSignatureException",
    "RequestExpired",
    "RequestInTheFuture",
    "RequestTimeTooSkewed",
    "SignatureDoesNotMatch",
}
_MOST_SKEW = 240.0
"""The tolerated error of the local clock in seconds; AWS accepts five minutes."""

Answer = dict[str, Any]


class HttpDynamoDB:
    """Calls DynamoDB. Raises AwsFailure.

    Reads are tried up to `attempts` times if that may help, and only within `CALL_SECONDS` and the `budget`.
    Writes are tried once: the caller knows whether a repetition is safe (`retrying_client`).
    """

    def __init__(
        self,
        transport: Transport,
        credentials: CredentialSource,
        budget: Budget,
        attempts: int = 3,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._transport, self._credentials, self._attempts = transport, credentials, attempts
        self._sleep, self._budget, self._clock = sleep, budget, budget.clock
        self._retries = RetryBudget()
        self._skew = 0.0
        self._answered_in: float | None = None

    @classmethod
    def at(cls, endpoint: Endpoint, budget: Budget, attempts: int) -> HttpDynamoDB:
        """Create a client for an endpoint, with the environment's credentials."""
        return cls(CurlTransport(endpoint), find_credentials(), budget, attempts)

    def get_item(self, **parameters: Any) -> Answer:
        """Call GetItem."""
        return self._read("GetItem", parameters)

    def batch_get_item(self, **parameters: Any) -> Answer:
        """Call BatchGetItem."""
        return self._read("BatchGetItem", parameters)

    def query(self, **parameters: Any) -> Answer:
        """Call Query."""
        return self._read("Query", parameters)

    def scan(self, **parameters: Any) -> Answer:
        """Call Scan."""
        return self._read("Scan", parameters)

    def put_item(self, **parameters: Any) -> Answer:
        """Call PutItem."""
        return self._exchange("PutItem", json.dumps(parameters), self._clock() + self._seconds())

    def update_item(self, **parameters: Any) -> Answer:
        """Call UpdateItem."""
        return self._exchange("UpdateItem", json.dumps(parameters), self._clock() + self._seconds())

    def transact_write_items(self, **parameters: Any) -> Answer:
        """Call TransactWriteItems."""
        return self._exchange("TransactWriteItems", json.dumps(parameters), self._clock() + self._seconds())

    def _seconds(self) -> float:
        """Return how long a call may take. Raises the budget's own error if nothing of it is left."""
        return min(CALL_SECONDS, self._budget.spend_call())

    def _read(self, operation: str, parameters: dict[str, Any]) -> Answer:
        body, seconds, tries = json.dumps(parameters), self._first_try(), 1
        until = (began := self._clock()) + self._seconds()
        while True:
            try:
                answer = self._exchange(operation, body, until, seconds)
            except AwsFailure as failure:
                self._answered_in = None
                pause = pause_before(tries)
                is_too_late = self._clock() + pause >= until
                if tries >= self._attempts or not is_passing(failure) or is_too_late:
                    raise
                if not self._retries.spend():
                    raise
                self._sleep(pause)
                seconds, tries, began = TRY_SECONDS, tries + 1, self._clock()
            else:
                self._answered_in = self._clock() - began
                self._retries.earn()
                return answer

    def _first_try(self) -> float:
        """Return the timeout of the first try: a second, or twice the time of the last answer.

        It is that of a whole try if there was no answer before, or if no second try would follow.
        """
        if self._answered_in is None or self._attempts == 1 or not self._retries.is_left:
            return TRY_SECONDS
        return min(TRY_SECONDS, max(FIRST_TRY_SECONDS, 2 * self._answered_in))

    def _exchange(self, operation: str, body: str, until: float, seconds: float = TRY_SECONDS) -> Answer:
        answer = self._post(operation, body, until, seconds)
        if answer.status == _OK:
            return _read_document(answer)
        failure = _read_failure(answer)
        if not self._mend(failure, answer):
            raise failure
        answer = self._post(operation, body, until, seconds)
        if answer.status == _OK:
            return _read_document(answer)
        raise _read_failure(answer)

    def _post(self, operation: str, body: str, until: float, seconds: float) -> HttpAnswer:
        seconds = min(seconds, until - self._clock())
        date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() + self._skew)) if self._skew else None
        return self._transport.post(operation, body, self._credentials.current(), date, seconds)

    def _mend(self, failure: AwsFailure, answer: HttpAnswer) -> bool:
        """Correct expired credentials or a wrong clock; return whether they caused a refusal.

        A refused call had no effect, so writes may be sent again.
        """
        if failure.code in _EXPIRED:
            return self._credentials.renew()
        if failure.code not in _WRONG_TIME:
            return False
        theirs, ours = _read_date(answer), time.time()
        if theirs is None or abs(theirs - ours - self._skew) < _MOST_SKEW:
            return False  # the signature is wrong for another reason
        self._skew = theirs - ours
        return True


def _read_document(answer: HttpAnswer) -> Answer:
    # Only answers of DynamoDB have the checksum: without it, `{}` would mean a record that does not exist.
    if answer.header(b"x-amz-crc32") != b"%d" % zlib.crc32(answer.body):
        raise AwsFailure("ChecksumError", status=answer.status, is_lost=True)
    document = _parse(answer.body)
    if document is None:
        raise AwsFailure("ResponseParserError", status=answer.status, is_lost=True)
    return document


def _read_failure(answer: HttpAnswer) -> AwsFailure:
    document = _parse(answer.body) or {}
    kind = document.get("__type") or (answer.header(b"x-amzn-errortype") or b"").decode("latin-1")
    code = str(kind).rpartition("#")[2].partition(":")[0] or str(answer.status)
    text = document.get("message") or document.get("Message") or ""
    reasons = read_reasons(document.get("CancellationReasons"))
    return AwsFailure(code, str(text), status=answer.status, reasons=reasons, kept=document.get("Item"))


def _parse(body: bytes) -> Answer | None:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _read_date(answer: HttpAnswer) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime((answer.header(b"date") or b"").decode("latin-1")).timestamp()
    except ValueError:
        return None
