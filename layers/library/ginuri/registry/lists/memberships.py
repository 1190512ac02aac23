"""Further memberships of an identifier, derived from its own record, so that one write suffices.

docs/explanation/decisions/0017-slim-indexes-for-collections-and-types.md
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginuri.identifiers.stewards import steward
from ginuri.registry.model import RecordType

REGISTER = "register"
"""The segment of an authority's registers (source: "Meta-resource identifiers")."""
RESOURCE_TYPES = "resourceType"


def types_register(authority: str) -> str:
    """Return the register of an authority's resource types.

    >>> types_register("uri-gin/azgs/")
    'uri-gin/azgs/register/resourceType/'
    """
    return f"{authority}{REGISTER}/{RESOURCE_TYPES}/"


def collection_of(identifier: str, values: Mapping[str, Any]) -> str | None:
    """Return the collection of a record: the stated one, or the register of types for a type.

    `values` are the current values (`Record.values`).

    >>> collection_of("uri-gin/azgs/doc/", {"record": "resource-type"})
    'uri-gin/azgs/register/resourceType/'
    >>> collection_of("//id.example/def/school/", {"record": "resource-type"})
    '//id.example/register/resourceType/'
    """
    if values.get("record") == RecordType.RESOURCE_TYPE:
        return types_register(steward(identifier))
    part_of: str | None = values.get("part_of")
    return part_of


def broader_of(values: Mapping[str, Any]) -> str | None:
    """Return the broader type of a type; None if it states none."""
    broader: str | None = values.get("broader")
    return broader
