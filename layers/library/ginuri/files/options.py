"""The options of an upload, sent as the metadata of the object (`x-amz-meta-…`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.registration.verdicts import Finding, refuse

_DRY_RUN, _MANY, _CORRECTION = "dry-run", "many", "correction"
_SNAPSHOT, _REASON, _SUBMITTER, _COLUMNS = "snapshot", "reason", "submitter", "map"
_PLAIN = " !#$&'()*+,-./:;<=>?@[]^_`{|}~"
"""The characters besides letters and digits that are not escaped; S3 takes ASCII only."""


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """The options of an upload."""

    is_dry_run: bool = False
    """Whether to report what would change, and change nothing."""
    is_many: bool = False
    """Whether it may change or retire more than a tenth of the records under its prefix."""
    is_correction: bool = False
    """Whether it may change what is immutable: a record's type, a resource's kind. Requires a reason."""
    snapshot: str = ""
    """The prefix that the file is complete for: other records under it are retired."""
    reason: str = ""
    """Why it is uploaded, in words for people."""
    submitter: str = ""
    """Who uploads it, as they call themselves."""
    columns: str = ""
    """The mapping of columns to fields: `identifier=uri,title=label`."""


def read_options(metadata: Mapping[str, str]) -> UploadOptions:
    """Read options from the metadata of an object.

    Any value but `false` asks for a dry run; the options that allow more must be exactly `true`.
    """
    return UploadOptions(
        metadata.get(_DRY_RUN, "false").strip().lower() != "false",
        metadata.get(_MANY, "").strip().lower() == "true",
        metadata.get(_CORRECTION, "").strip().lower() == "true",
        *(unquote(metadata.get(name, "")).strip() for name in (_SNAPSHOT, _REASON, _SUBMITTER, _COLUMNS)),
    )


def write_options(options: UploadOptions) -> dict[str, str]:
    """Write options as the metadata of an object, in ASCII."""
    flags = {_DRY_RUN: options.is_dry_run, _MANY: options.is_many, _CORRECTION: options.is_correction}
    texts = {
        _SNAPSHOT: options.snapshot,
        _REASON: options.reason,
        _SUBMITTER: options.submitter,
        _COLUMNS: options.columns,
    }
    return {name: "true" for name, is_set in flags.items() if is_set} | {
        name: quote(text, safe=_PLAIN) for name, text in texts.items() if text
    }


def fault_of_options(options: UploadOptions, under: str) -> Finding | None:
    """Return the finding against the options of an upload to the folder of a prefix, if any."""
    prefix = options.snapshot
    if not prefix:
        return None
    try:
        normal = parse(prefix).normal_form
    except MalformedIdentifier as error:
        return refuse("snapshot", error.rule, prefix, error.words)
    if normal == prefix and prefix.endswith(("/", ":")) and prefix.startswith(under):
        return None
    return refuse(
        "snapshot",
        "folder",
        prefix,
        "The prefix of a snapshot must end in a slash and start with the folder of the upload, {folder}.",
        folder=under,
    )
