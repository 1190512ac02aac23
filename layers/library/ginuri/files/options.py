"""What is asked for beside an upload: it travels as the metadata of the object (`x-amz-meta-…`)."""

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
"""What stands in metadata as it is, beside letters and digits; S3 takes ASCII only."""


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """How an upload is to be taken in."""

    is_dry_run: bool = False
    """Whether it is only to be told what would come of it."""
    is_many: bool = False
    """Whether it may change or retire more than a tenth of what stands under its prefix."""
    is_correction: bool = False
    """Whether it may change what stays for good: a record's type, a resource's kind. It needs a reason."""
    snapshot: str = ""
    """The prefix under which the file is everything: what else stands there is retired."""
    reason: str = ""
    """Why it is handed in, in words for people."""
    submitter: str = ""
    """Who hands it in, as they call themselves."""
    columns: str = ""
    """Which column is which field: `identifier=uri,title=label`."""


def read_options(metadata: Mapping[str, str]) -> UploadOptions:
    """Read options from the metadata of an object.

    Whoever names a dry run, in whatever words, gets one; what lets more happen must be said in so many words.
    """
    return UploadOptions(
        metadata.get(_DRY_RUN, "false").strip().lower() != "false",
        metadata.get(_MANY, "").strip().lower() == "true",
        metadata.get(_CORRECTION, "").strip().lower() == "true",
        *(unquote(metadata.get(name, "")).strip() for name in (_SNAPSHOT, _REASON, _SUBMITTER, _COLUMNS)),
    )


def write_options(options: UploadOptions) -> dict[str, str]:
    """Write options as the metadata of an object, which holds ASCII only."""
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
    """Find what is wrong with what was asked for beside an upload to the folder of a prefix."""
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
