"""Reads the mapping of an upload that is stored beside it."""

from __future__ import annotations

from dataclasses import replace

from ginuri.files.mapping.stored_mapping import MOST_MAPPING_BYTES, MappingReference, read_reference
from ginuri.files.options import UploadOptions
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.content import UploadStore


def with_mapping(options: UploadOptions, folder: str, uploads: UploadStore) -> UploadOptions | Finding:
    """Return the options with the mapping that they refer to, or the finding against the reference.

    Raises RegistryUnavailable.
    """
    reference = read_reference(options.columns)
    if reference is None:
        return options
    content = _read(reference, folder, uploads)
    if content is None or not reference.fits(content):
        return refuse(
            "",
            "map",
            options.columns,
            "The mapping of this upload is not stored as {file}, in the version that the upload names. "
            "Upload the file again with its mapping.",
            file=reference.key(folder),
        )
    return replace(options, columns=content.decode(errors="replace"))


def _read(reference: MappingReference, folder: str, uploads: UploadStore) -> bytes | None:
    key = reference.key(folder)
    head = uploads.head(key, reference.version)
    if head is None or head.size > MOST_MAPPING_BYTES:
        return None
    return b"".join(uploads.read(key, reference.version))
