"""The names of uploads on the command line: key, key and version, or the address of the report."""

from __future__ import annotations

import re
from urllib.parse import unquote

from ginuri.cli.ports import Stack
from ginuri.cli.terminal import fault, wrong_value
from ginuri.files.undoing import ENDINGS
from ginuri.identifiers.messages import message

# Versions of S3 and keys may contain slashes: the key ends at the first suffix of a registry file.
_ADDRESS = re.compile(
    rf"(?:.*/reports/|s3://[^/]+/)?(.+?(?:{ENDINGS}))(?:#(.+)|/(.+?)(?:\.[a-z]{{2}})?\.(?:json|html))",
    re.IGNORECASE,
)


def read_version(value: str) -> tuple[str, str]:
    """Read the key and the version of an upload. Raises click.BadParameter."""
    found = _ADDRESS.fullmatch(unquote(value) if value.startswith("http") else value)
    if found is None or "/" not in found[1]:
        raise wrong_value(
            message(
                "Write the upload as uri-gin/azgs/wells.csv#<version>, or give the address of its report. To "
                "list uploads, run `ginuri uploads`."
            )
        )
    return found[1], found[2] or found[3]


def read_upload(value: str) -> tuple[str, str | None]:
    """Read the key of an upload, and its version if it is named. Raises click.BadParameter."""
    if _ADDRESS.fullmatch(unquote(value) if value.startswith("http") else value):
        return read_version(value)
    key, _, version = value.partition("#")
    if "/" not in key or "://" in key or key.endswith("/"):
        raise wrong_value(
            message(
                "Write the upload as uri-gin/azgs/wells.csv or uri-gin/azgs/wells.csv#<version>, or give the "
                "address of its report."
            )
        )
    return key, version or None


def find_version(stack: Stack, key: str, version: str | None) -> str:
    """Return the version of an upload, the newest if none is named. Raises click.UsageError without any."""
    if version:
        return version
    newest = next((uploaded.version for uploaded in stack.versions(key) if uploaded.key == key), None)
    if newest is None:
        raise fault(message("Nothing was uploaded as {key}.", key=key))
    return newest
