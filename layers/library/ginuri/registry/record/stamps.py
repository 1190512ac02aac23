"""Stamps: the time and the source of a statement. The later stamp wins for each field."""

from __future__ import annotations

from typing import NamedTuple


class Stamp(NamedTuple):
    """The source of a statement, ordered by time, so that any order of delivery gives the same record."""

    put: str
    """The time of the upload: RFC 3339 in UTC with milliseconds, so that text order is time order."""
    upload: str
    version: str
    """The version of the uploaded object."""
    line: int
    """The first line of the registration, counted from 1."""

    @property
    def source(self) -> str:
        """Name the upload for people by its key and its time."""
        return f"{self.upload}, put {self.put}"

    def __str__(self) -> str:
        return f"{self.put} {self.upload}#{self.version}:{self.line:09d}"
