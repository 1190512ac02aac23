"""A page of a list as JSON."""

from __future__ import annotations

from ginuri.descriptions.description import Register
from ginuri.descriptions.json.indented import write_indented
from ginuri.descriptions.json.registration import summarize_members


def write_register_json(register: Register) -> bytes:
    """Write a page of a list as JSON, in UTF-8."""
    document = {"identifier": register.identifier, "uri": register.uri, **summarize_members(register)}
    return write_indented(document).encode()
