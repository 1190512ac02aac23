"""What the answers look like that are JSON: the schemas of `/openapi.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginuri.web.lookups import MOST_LISTED

TEXT = {"type": "string"}
MAYBE_TEXT = {"type": ["string", "null"]}
SCHEMAS: Mapping[str, Any] = {
    "Problem": {
        "description": "RFC 9457: what is the matter, and what may be done about it.",
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": TEXT,
            "title": TEXT,
            "status": {"type": "integer"},
            "detail": TEXT,
            "advice": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["rel", "title"],
                    "properties": {
                        "rel": TEXT,
                        "title": TEXT,
                        "href": TEXT,
                        "type": TEXT,
                        "hreflang": TEXT,
                    },
                },
            },
        },
    },
    "Explanation": {
        "type": "object",
        "required": ["uri", "identifier", "outcome", "status", "location", "steps"],
        "properties": {
            "uri": TEXT,
            "identifier": TEXT,
            "outcome": TEXT,
            "status": {"type": "integer"},
            "location": MAYBE_TEXT,
            "steps": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["step", "result"],
                    "properties": {"step": TEXT, "result": {}},
                },
            },
        },
    },
    "Identifiers": {"type": "array", "items": TEXT, "maxItems": MOST_LISTED},
    "Item": {
        "description": "What a request for one identifier gets.",
        "type": "object",
        "required": ["uri", "identifier", "status", "outcome", "location", "title", "error"],
        "properties": {
            "uri": {"type": "string", "description": "As it was sent."},
            "identifier": {"type": ["string", "null"], "description": "Its normal form."},
            "status": {"type": "integer"},
            "outcome": TEXT,
            "location": MAYBE_TEXT,
            "title": MAYBE_TEXT,
            "error": MAYBE_TEXT,
        },
    },
}
