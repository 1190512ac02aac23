"""The corrections of the cells of a file, as far as they fit into memory beside its report."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from ginuri.files.formats import is_packed, is_spreadsheet, read_lines, reader_for
from ginuri.files.options import UploadOptions
from ginuri.files.packing import unpack
from ginuri.files.repairs.writer import Cell, Texts, write_repaired
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.checks.authorization import spell_as_folder
from ginuri.registration.positions import column_of, member_of
from ginuri.registration.verdicts import Finding

MOST_CORRECTED = 50_000
"""The most cells of a file that are corrected beside its report."""
MOST_BYTES, MOST_SPREADSHEET_BYTES = 16 * 1024 * 1024, 4 * 1024 * 1024
"""The largest text, unpacked, and the largest spreadsheet that are corrected beside a report."""
MOST_ROUNDS = 5
"""The most rounds of corrections: a second fault of a row may only show without the first."""


@dataclass(slots=True)
class CellCorrections:
    """The corrections of cells, up to `MOST_CORRECTED`; a cell has one at a time."""

    texts: dict[Cell, str] = field(default_factory=dict)
    is_complete: bool = True
    """Whether no correction is left out."""

    def add(self, findings: Iterable[Finding]) -> None:
        """Add the corrections of findings."""
        for finding in findings:
            if finding.suggestion is not None and finding.line is not None and finding.column:
                self.put((finding.line, finding.column), finding.suggestion)

    def put(self, cell: Cell, text: str) -> None:
        """Add the correction of a cell, if it has none yet."""
        if len(self.texts) < MOST_CORRECTED:
            self.texts.setdefault(cell, text)
        elif cell not in self.texts:
            self.is_complete = False


def fits(name: str, content: bytes) -> bool:
    """Return whether a file can be corrected within the memory and the time of its report."""
    most = MOST_SPREADSHEET_BYTES if is_spreadsheet(name) else MOST_BYTES
    try:
        return sum(map(len, unpack([content], most) if is_packed(name) else [content])) <= most
    except UnreadableFile:
        return False


def write_all(
    key: str, prefix: str, content: bytes, texts: Texts, options: UploadOptions
) -> tuple[bytes, AbstractSet[Cell]]:
    """Write corrections into an upload below a prefix, then those that it needs when it is read again.

    Returns the corrected cells. Raises UnreadableFile.
    """
    written, tried = set[Cell](), set[tuple[Cell, str]]()
    for _ in range(MOST_ROUNDS):
        content, cells = write_repaired(key, content, texts, options)
        written |= cells
        tried |= texts.items()
        found = _find(key, prefix, content, options) if cells else {}
        if not (texts := {cell: text for cell, text in found.items() if (cell, text) not in tried}):
            break
    return content, written


def _find(key: str, prefix: str, content: bytes, options: UploadOptions) -> Texts:
    """Find the corrections that the rows of a file need by themselves, without a registry."""
    corrections, read, table = CellCorrections(), reader_for(key, options), None
    for row in read(read_lines(key, [content], options)) if read else ():
        corrections.add(row.findings)
        if row.identifier is None:
            table = table or row.headings
        elif spelled := spell_as_folder(row.identifier.normal_form, prefix):
            column = column_of("identifier", table) if table else member_of("identifier", row.headings or {})
            corrections.put((row.line, column), spelled)
    return corrections.texts
