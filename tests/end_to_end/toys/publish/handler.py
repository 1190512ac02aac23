"""A handler that publishes nothing."""

from typing import Any


def handle(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    return {"records": 0}
