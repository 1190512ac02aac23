"""Replaces one part of a zip (APPNOTE 6.3.10); the compressed bytes of the other parts are copied."""

from __future__ import annotations

import io
import zipfile


def replace_part(package: bytes, name: str, content: bytes) -> bytes:
    """Return the package with the content of a part replaced; only the directory is rewritten.

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
