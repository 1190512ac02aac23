"""The corrections of the cells of a file, as far as they fit into memory beside its report."""

from __future__ import annotations

from dataclasses import dataclass, field

from ginuri.files.formats import is_packed, suffix_of
from ginuri.files.repairs.writer import REPAIRED, Cell
from ginuri.registration.verdicts import Verdict

MOST_CORRECTED = 10_000
"""The most cells of a file that are corrected beside its report."""
MOST_BYTES, MOST_PACKED_BYTES = 8 * 1024 * 1024, 1024 * 1024
"""The largest file, and the largest compressed one or workbook, that is corrected beside its report."""
_WORKBOOKS = {".xlsx", ".xlsm"}


@dataclass(slots=True)
class CellCorrections:
    """The corrections of cells, up to `MOST_CORRECTED`; a cell has one at a time."""

    texts: dict[Cell, str] = field(default_factory=dict)
    is_complete: bool = True
    """Whether no correction is left out."""

    def add(self, verdict: Verdict) -> None:
        """Add the corrections of a verdict."""
        for finding in verdict.findings:
            if finding.suggestion is None or finding.line is None or not finding.column:
                continue
            cell = finding.line, finding.column
            if len(self.texts) < MOST_CORRECTED:
                self.texts.setdefault(cell, finding.suggestion)
            elif cell not in self.texts:
                self.is_complete = False


def is_repairable(name: str, size: int) -> bool:
    """Return whether the cells of a file of this size can be corrected in memory."""
    suffix = suffix_of(name)
    most = MOST_PACKED_BYTES if is_packed(name) or suffix in _WORKBOOKS else MOST_BYTES
    return suffix in REPAIRED and size <= most
