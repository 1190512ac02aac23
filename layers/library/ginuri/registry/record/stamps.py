"""When and where a field was set; of two statements about one field, the later stamp wins."""

from __future__ import annotations

from typing import NamedTuple


class Stamp(NamedTuple):
    """The place of a statement: ordered by time first, so that any order of delivery ends the same."""

    put: str
    """When the upload was put: RFC 3339 in UTC with milliseconds, so that text order is time order."""
    upload: str
    """The key of the upload."""
    version: str
    """The version of the uploaded object."""
    line: int
    """The first line of the registration, counted from 1."""

    @property
    def source(self) -> str:
        """Name the upload for people: by its key, and when it was put."""
        return f"{self.upload}, put {self.put}"

    def __str__(self) -> str:
        return f"{self.put} {self.upload}#{self.version}:{self.line:09d}"
