"""A handler that returns its own name."""

from typing import Any


def handle(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return {"statusCode": 200, "body": f"api {event['resource']}"}
