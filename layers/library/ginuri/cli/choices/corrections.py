"""The corrections that are offered before a file is uploaded: those of `ginuri repair`, in one question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginuri.cli.terminal import localize
from ginuri.cli.uploads.repair import Repairs, describe_corrections
from ginuri.files.options import UploadOptions
from ginuri.files.repairs.writer import is_rewritable
from ginuri.identifiers.messages import counted

MOST_BYTES = 8 * 1024 * 1024
"""The largest file that is checked before it is uploaded: a check takes as long as processing it."""
_MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Corrected:
    """A file with corrected cells."""

    body: bytes
    done: Sequence[Mapping[str, Any]]
    """The findings whose suggestions were written."""

    def describe(self) -> Iterator[str]:
        """Write the number of cells, then each correction once."""
        yield localize(
            counted("{number} cell can be corrected:", "{number} cells can be corrected:", len(self.done))
        )
        yield from describe_corrections(self.done, _MOST_SHOWN)


def find_corrections(key: str, body: bytes, options: UploadOptions) -> Corrected | None:
    """Correct what a check of the file can suggest a correction for; None if there is nothing to correct."""
    if len(body) > MOST_BYTES or not is_rewritable(key, options):
        return None
    repairs = Repairs(key, options)
    corrected, _ = repairs.carry_out(body, asks=False, is_quiet=True)
    return Corrected(corrected, repairs.done) if repairs.done else None
