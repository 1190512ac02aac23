"""Replaces the part of a spreadsheet with repaired cells; the bytes of all other parts stay."""

from __future__ import annotations

import codecs
import io
import re
import zipfile

from ginuri.files.spreadsheets.chosen_sheet import ChosenSheet
from ginuri.files.spreadsheets.open_documents import CONTENT
from ginuri.files.spreadsheets.repairs.documents import repair_content
from ginuri.files.spreadsheets.repairs.worksheets import Cells, repair_worksheet

_ENCODING = re.compile(rb"<\?xml[^>]*\sencoding=[\"']([^\"']*)")


def repair_sheet(package: bytes, sheet: ChosenSheet, cells: Cells) -> tuple[bytes, set[tuple[int, int]]]:
    """Replace texts in a sheet of a spreadsheet, and return the replaced cells.

    Cells with a formula stay, and all cells of a sheet outside UTF-8.
    """
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        content = opened.read(sheet.part)
    if not _is_utf8(content):
        return package, set()
    if sheet.part == CONTENT:
        repaired, replaced = repair_content(content, sheet.place, cells)
    else:
        repaired, replaced = repair_worksheet(content, cells)
    return (replace_part(package, sheet.part, repaired) if replaced else package), replaced


def _is_utf8(content: bytes) -> bool:
    head = content.removeprefix(codecs.BOM_UTF8)
    declared = _ENCODING.match(head)
    return head.startswith(b"<") and (declared is None or declared[1].lower() == b"utf-8")


def replace_part(package: bytes, name: str, content: bytes) -> bytes:
    """Return the package with the content of a part replaced; the bytes of other parts are copied.

    Raises zipfile.BadZipFile.
    """
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as before, zipfile.ZipFile(written, "w") as after:
        entries, entry = before.infolist(), before.getinfo(name)
        begin = entry.header_offset
        end = min(
            (other.header_offset for other in entries if other.header_offset > begin),
            default=before.start_dir,
        )
        packed = _pack(entry, content)
        for other in entries:
            if other.header_offset > begin:
                other.header_offset += len(packed) - (end - begin)
        entry.header_offset = begin
        written.write(b"".join((package[:begin], packed, package[end : before.start_dir])))
        # Closing writes the directory at this position.
        after.filelist, after.start_dir, after.comment = entries, written.tell(), before.comment
    return written.getvalue()


def _pack(entry: zipfile.ZipInfo, content: bytes) -> bytes:
    """Return the local header and the compressed content of an entry, and update its sizes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as alone:
        alone.writestr(entry, content)
        end = alone.start_dir
    return written.getvalue()[:end]
