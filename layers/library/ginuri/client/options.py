"""The options of an upload as keyword arguments, and as the query of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

_READ = (".jsonl", ".csv", ".tsv", ".xlsx", ".xlsm", ".ods", ".ttl", ".rdf", ".jsonld", ".nt")
_READ_IF_STATED = (".json", ".geojson")
_PACKED = ".gz"


class UploadOptions(TypedDict, total=False):
    """The options of `Client.upload`: those of the command `ginuri upload`, which its help describes."""

    dry_run: bool
    """Show what would change; change nothing."""
    many: bool
    """Allow it to change more than a tenth of the folder."""
    correction: bool
    """Allow it to change a record's type or a resource's kind; needs a reason."""
    strict_tests: bool
    """Register nothing if a test would fail."""
    only_new: bool
    """Register only identifiers that nothing answers for yet."""
    store: bool
    """Store the file, whatever it is, for registrations to name in `file`."""
    snapshot: str
    """The prefix for which the file is complete: all other identifiers under it are retired."""
    reason: str
    """The reason for people; it is kept with the upload."""
    submitter: str
    """The name of the submitter; it is kept with the upload."""
    language: str
    """The language of the report, such as `es`."""
    map: str
    """The columns of the fields: `identifier=uri,title=label`."""
    sheet: str
    """The sheet to read; without it, the first visible one."""
    encoding: str
    """The code page of a text that is not UTF-8, such as `windows-1252`."""
    hidden_rows: str
    """`register` or `leave-out`: the hidden rows of a sheet."""
    links: str
    """The columns of a sheet whose cells stand for the web addresses that they link to."""
    dates: str
    """`day-first` or `month-first`: the order of dates such as 3/4/2024; or by column, `Issued=day-first`."""
    read_as: str
    """`registrations`: read a `.json` or `.geojson` file instead of storing it."""


def write_query(options: Mapping[str, object]) -> dict[str, str]:
    """Write options as the arguments of a query, under the names that they have in an upload's metadata.

    >>> write_query({"dry_run": True, "many": False, "reason": "moved"})
    {'dry-run': 'true', 'reason': 'moved'}
    """
    stated = {name.replace("_", "-"): value for name, value in options.items() if value}
    return {name: "true" if value is True else str(value) for name, value in stated.items()}


def is_stored(name: str, options: Mapping[str, str]) -> bool:
    """Return whether a file is stored as it is, under its own name, rather than read as registrations.

    >>> is_stored("map.pdf", {}), is_stored("wells.CSV.gz", {}), is_stored("wells.csv", {"store": "true"})
    (True, False, True)
    """
    plain = name.lower().removesuffix(_PACKED)
    is_read = plain.endswith(_READ) or (plain.endswith(_READ_IF_STATED) and "read-as" in options)
    return "store" in options or not is_read
