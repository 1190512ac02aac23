"""Resolve and describe in one process; each request goes to the function of its route in the template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from describe.handler import handle as describe
from resolve.handler import handle as resolve

if TYPE_CHECKING:
    from ginuri.registry.budget import Invocation

_DESCRIBED = "/about."


def handle(event: dict[str, Any], invocation: Invocation) -> dict[str, Any]:
    """Answer one REST API proxy event with the function of its route."""
    return (describe if event["path"].startswith(_DESCRIBED) else resolve)(event, invocation)
