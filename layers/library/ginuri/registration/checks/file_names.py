"""Warns of names that some file systems do not allow: USGIN URI Policies 1.1, "File name restrictions".

The strict grammar reports punctuation, and a full stop or a hyphen at an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from ginuri.identifiers import Identifier
from ginuri.registration.verdicts import Finding, warn

MOST_CHARACTERS = 64
"""The most characters of a name on a CD, including its extension (ISO 9660 with Joliet)."""
# Windows: CON, PRN, AUX, NUL, CLOCK$, COM1 to COM9, LPT1 to LPT9, as a name before or after the full stop
_PORTS = (f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10))
_DEVICES = frozenset(("con", "prn", "aux", "nul", "clock$", *_PORTS))


def check_file_names(identifier: Identifier, part: str = "") -> Iterator[Finding]:
    """Warn of each segment, or of a part, that some file systems do not allow as a file name."""
    field = "part" if part else "identifier"
    for segment in (part,) if part else identifier.segments:
        name = unquote(segment)
        if name.lower().partition(".")[0] in _DEVICES or name.lower().rpartition(".")[2] in _DEVICES:
            yield warn(
                field,
                "file name",
                segment,
                "On Windows this is the name of a device; no file can have it there.",
            )
        if len(name) > MOST_CHARACTERS:
            yield warn(
                field,
                "file name",
                segment,
                "This name has {length} characters; some file systems allow at most {most}.",
                length=len(name),
                most=MOST_CHARACTERS,
            )
