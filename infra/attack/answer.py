"""An answer as an attack reads it, from a function or over HTTP."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer; names of headers are in lower case."""

    status: int
    fields: Fields
    body: bytes = b""
    event_bytes: int = 0
    """The length of the function's answer as Lambda counts it; 0 if it is unknown."""
    failure: str = ""
    """The exception that a function raised instead of answering."""

    def header(self, name: str) -> str | None:
        """Return a header, several of one name joined; None if it is absent."""
        values = [value for field, value in self.fields if field == name]
        return ", ".join(values) if values else None

    @property
    def media_type(self) -> str:
        """The media type without parameters."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", errors="replace")

    def document(self) -> Any:  # noqa: ANN401  any JSON
        """Return the body read as JSON; None if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


def read_event(written: dict[str, Any]) -> Answer:
    """Read the return value of a function behind the gateway."""
    fields = tuple(
        (name.lower(), value) for name, values in written["multiValueHeaders"].items() for value in values
    )
    size = len(json.dumps(written, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return Answer(written["statusCode"], fields, base64.b64decode(written["body"]), size)


def failed(error: Exception) -> Answer:
    """Return the answer of a gateway if its function raised an exception."""
    return Answer(502, (), failure=f"{type(error).__name__}: {error}"[:300])
