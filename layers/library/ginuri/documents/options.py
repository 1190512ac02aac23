"""What is asked for beside an upload: it travels as the metadata of the object (`x-amz-meta-…`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_DRY_RUN = "dry-run"


@dataclass(frozen=True, slots=True)
class Options:
    """How an upload is to be taken in."""

    is_dry_run: bool = False
    """Whether it is only to be told what would come of it."""


def read_options(metadata: Mapping[str, str]) -> Options:
    """Read options from the metadata of an object. Whoever names a dry run, in whatever words, gets one."""
    return Options(metadata.get(_DRY_RUN, "false").strip().lower() != "false")


def write_options(options: Options) -> dict[str, str]:
    """Write options as the metadata of an object."""
    return {_DRY_RUN: "true"} if options.is_dry_run else {}
