"""One shape for every refusal or failure of AWS, with any client.

botocore's errors are read without importing botocore: if it was not imported, none of them was raised.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class AwsFailure(Exception):
    """A call that failed.

    `code` is the service's own, or botocore's name for the failure of the connection. `status` is the HTTP
    status, 0 without an answer. `reasons` are code and text for each item of a cancelled transaction.
    `kept` is the item that failed a condition, if the call asked for it. `is_lost` means that no reliable
    answer came back: the call may or may not have had its effect.
    """

    def __init__(  # noqa: PLR0913  the parts of an answer
        self,
        code: str,
        text: str = "",
        *,
        status: int = 0,
        reasons: tuple[tuple[str, str], ...] = (),
        kept: Mapping[str, Any] | None = None,
        is_lost: bool = False,
    ) -> None:
        super().__init__(f"{code}: {text}" if text else code)
        self.code = code
        self.text = text
        self.status = status
        self.reasons = reasons
        self.kept = kept
        self.is_lost = is_lost


def as_failure(error: Exception) -> AwsFailure | None:
    """Return an error as a failure of AWS; None if it is not one."""
    if isinstance(error, AwsFailure):
        return error
    return _read_botocore(error) if "botocore" in sys.modules else None


def read_reasons(cancellation: object) -> tuple[tuple[str, str], ...]:
    """Read the `CancellationReasons` of an answer."""
    if not isinstance(cancellation, list):
        return ()
    return tuple((reason.get("Code") or "None", reason.get("Message") or "") for reason in cancellation)


def _read_botocore(error: Exception) -> AwsFailure | None:
    from botocore.exceptions import (
        BotoCoreError,
        ClientError,
        ConnectionError,  # noqa: A004  botocore's name
        HTTPClientError,
    )
    from botocore.parsers import ResponseParserError

    match error:
        case ClientError():
            response: Any = error.response
            return AwsFailure(
                response["Error"]["Code"],
                response["Error"].get("Message", ""),
                status=response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0),
                reasons=read_reasons(response.get("CancellationReasons")),
                kept=response.get("Item"),
            )
        case ConnectionError() | HTTPClientError() | ResponseParserError():
            return AwsFailure(type(error).__name__, str(error), is_lost=True)
        case BotoCoreError():
            return AwsFailure(type(error).__name__, str(error))
        case _:
            return None
