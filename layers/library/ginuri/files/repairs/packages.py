"""Replaces one part of a zip (APPNOTE 6.3.10); the bytes of the other parts are copied as they are packed."""

from __future__ import annotations

import io
import zipfile


def replace_part(package: bytes, name: str, content: bytes) -> bytes:
    """Return the package with this content in place of a part; only the directory is written anew.

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
        # Closing writes the directory of these entries there.
        after.filelist, after.start_dir, after.comment = entries, written.tell(), before.comment
    return written.getvalue()


def _pack(entry: zipfile.ZipInfo, content: bytes) -> bytes:
    """Return the local header and the packed content of an entry, which gets the new sizes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as alone:
        alone.writestr(entry, content)
        end = alone.start_dir
    return written.getvalue()[:end]
