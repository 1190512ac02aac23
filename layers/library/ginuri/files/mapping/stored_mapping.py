"""Mappings that are too long for the metadata of an object: each is stored as a file beside its uploads.

The file has its SHA-256 as its name, in the folder of the upload, and the upload names the digest and the
version. So an upload has the same mapping each time it is processed, and nobody needs further permissions.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from ginuri.files.options import UploadOptions, write_options

MOST_METADATA_BYTES = 2_048
"""The most bytes of names and values in the metadata of an object in S3."""
MOST_MAPPING_BYTES = 64 * 1024
SUFFIX = ".map"
# reference = "sha256:" 64HEXDIG "#" version     ; the version of an object in S3 has at most 1,024 bytes
_REFERENCE = re.compile(r"sha256:(?P<digest>[0-9a-f]{64})#(?P<version>\S{1,1024})")


@dataclass(frozen=True, slots=True)
class MappingReference:
    """A stored mapping, as an upload names it."""

    digest: str
    version: str

    def key(self, folder: str) -> str:
        """Return the key of the file."""
        return key_of(self.digest, folder)

    def fits(self, content: bytes) -> bool:
        """Return whether a content is the stored mapping."""
        return hashlib.sha256(content).hexdigest() == self.digest


def read_reference(columns: str) -> MappingReference | None:
    """Read the option `map` as a reference; None if it is a mapping itself."""
    found = _REFERENCE.fullmatch(columns)
    return MappingReference(found["digest"], found["version"]) if found else None


def key_of(digest: str, folder: str) -> str:
    """Return the key of a mapping with a digest.

    >>> key_of("0" * 64, "uri-gin/azgs/")[:20]
    'uri-gin/azgs/0000000'
    """
    return f"{folder}{digest}{SUFFIX}"


def is_too_long(options: UploadOptions) -> bool:
    """Return whether the options of an upload do not fit into the metadata of an object."""
    written = write_options(options)
    return sum(len(text.encode()) for pair in written.items() for text in pair) > MOST_METADATA_BYTES


def store_beside(options: UploadOptions) -> tuple[str, bytes]:
    """Return the digest of a mapping, and the content of its file."""
    content = options.columns.encode()
    return hashlib.sha256(content).hexdigest(), content


def refer(options: UploadOptions, digest: str, version: str) -> UploadOptions:
    """Return the options with a reference in place of the mapping."""
    return replace(options, columns=f"sha256:{digest}#{version}")
