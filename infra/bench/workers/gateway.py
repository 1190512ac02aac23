"""Resolve and describe in one process, a request going where the template's API sends its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from describe.handler import handle as describe
from resolve.handler import handle as resolve

if TYPE_CHECKING:
    from ginuri.registry.budget import Invocation

_DESCRIBED = "/about."


def handle(event: dict[str, Any], invocation: Invocation) -> dict[str, Any]:
    """Answer one REST API proxy event by the function that it is for."""
    return (describe if event["path"].startswith(_DESCRIBED) else resolve)(event, invocation)
