"""A proxy event of a REST API → a request, the path byte for byte as it was sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ginuri.core.negotiation import Preferences


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asked, as far as anything here depends on it."""

    method: str
    path: str
    """As it was sent: no escape undone, no slash lost."""
    host: str = ""
    preferences: Preferences = field(default_factory=Preferences)
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The query as the gateway decoded it, the last of each name."""


def read_request(event: Mapping[str, Any]) -> Request:
    """Read a REST API proxy event. Never from `pathParameters`, which lose the final slash."""
    headers = event.get("multiValueHeaders") or {}
    fields: dict[str, str] = {}
    for name, values in headers.items():
        # RFC 9110 §5.1, §5.3: names are case-insensitive, and repeated fields are one list.
        fields[name.lower()] = ", ".join(
            [fields[name.lower()], *values] if name.lower() in fields else values
        )
    return Request(
        method=event["httpMethod"],
        path=_path(event),
        host=fields.get("host", ""),
        preferences=Preferences(
            fields.get("accept"), fields.get("accept-language"), fields.get("accept-profile")
        ),
        parameters=event.get("queryStringParameters") or {},
    )


def _path(event: Mapping[str, Any]) -> str:
    path: str = event["path"]
    context = event["requestContext"]
    whole: str = context.get("path") or path
    stage = f"/{context.get('stage')}/"
    if whole.startswith(stage):
        whole = whole[len(stage) - 1 :]
    # The gateway folds leading slashes in `path`, and only there.
    return whole if whole.startswith("//") and whole.lstrip("/") == path.lstrip("/") else path
