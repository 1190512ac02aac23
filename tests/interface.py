"""Reads the description of the HTTP interface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from infra.openapi import SERVED


def read_interface() -> dict[str, Any]:
    """Read the document, with the references in its paths replaced by their targets."""
    document: dict[str, Any] = json.loads(SERVED.read_text(encoding="utf-8"))

    def follow(part: Any) -> Any:
        if isinstance(part, list):
            return [follow(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" not in part:
            return {name: follow(value) for name, value in part.items()}
        target: Any = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return follow(target)

    return {**document, "paths": follow(document["paths"])}


def operations(interface: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Return each path with each of its methods, in capitals."""
    for path, item in interface["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield path, method.upper(), operation


def answers(operation: Mapping[str, Any]) -> set[tuple[int, str]]:
    """Return the statuses and media types of an operation; an empty type for an answer without content."""
    return {
        (int(status), media_type)
        for status, response in operation["responses"].items()
        for media_type in response.get("content") or [""]
    }
