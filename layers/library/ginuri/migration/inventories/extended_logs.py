"""Logs in W3C's Extended Log File Format, whose first lines name the fields: CloudFront, IIS."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from ginuri.migration.inventories.logged_request import LoggedRequest, make_request
from ginuri.migration.inventories.text_logs import BYTES

FIELDS = b"#Fields:"
_HOSTS = ("x-host-header", "cs-host", "cs(Host)")
"""The fields with the host; last, since CloudFront's `cs(Host)` is the name of the distribution."""
_ACCEPTS = ("cs(Accept)", "cs-accept")
_ESCAPED_PERCENT = re.compile(r"%25(?=[0-9A-Fa-f]{2})")


class ExtendedReader:
    """Reads the lines of a file, and remembers the fields that its directives name."""

    def __init__(self) -> None:
        self._fields: list[str] = []

    def __call__(self, line: bytes) -> LoggedRequest | None:
        """Read a line; None for a directive, and without a request."""
        text = line.decode(BYTES).rstrip("\r\n")
        if line.startswith(FIELDS):
            self._fields = text.split()[1:]
        if text.startswith("#"):
            return None
        is_cloudfront = "\t" in text
        values = dict(zip(self._fields, text.split("\t" if is_cloudfront else " "), strict=False))
        return read_extended(values, is_escaped=is_cloudfront)


def read_extended(values: Mapping[str, str], *, is_escaped: bool) -> LoggedRequest | None:
    """Make a request from fields by name; `is_escaped` if percent signs are, as in CloudFront's logs."""
    target = values.get("cs-uri-stem", "")
    query = values.get("cs-uri-query", "-")
    if query not in {"-", ""}:
        target += f"?{query}"
    accept = next((values[name] for name in _ACCEPTS if name in values), None)
    return make_request(
        _ESCAPED_PERCENT.sub("%", target) if is_escaped else target,
        host=next((values[name] for name in _HOSTS if name in values), None),
        accept=accept and unquote(accept),
        method=values.get("cs-method", "GET"),
        encoding=BYTES,
    )
