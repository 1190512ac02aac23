"""Guesses which columns of a table are which fields, and into which folder its identifiers belong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ginuri.files.columns import is_field
from ginuri.files.formats import heading_reader, mapping_of, read_lines
from ginuri.files.options import UploadOptions
from ginuri.files.tables.cells import read_cells
from ginuri.files.tables.heading import HeadingReader
from ginuri.files.tables.proposals import propose_fields
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier, UnreadableFile
from ginuri.identifiers.roots import prefix_to_folder, registered_scheme
from ginuri.identifiers.stewards import HOST_FOLDER, folder_of
from ginuri.registration.verdicts import Finding

MOST_ROWS = 1_000
"""The rows that a guess looks at."""
IDENTIFIER = "identifier"
_LOCATION = "location"


@dataclass(frozen=True, slots=True)
class Sample:
    """The heading of a table, and its first rows."""

    line: int
    """The line of the heading."""
    names: Sequence[str]
    rows: Sequence[Sequence[str]]

    def values(self, name: str) -> list[str]:
        """Return the values of a column, without empty cells."""
        at = self.names.index(name)
        return [row[at].strip() for row in self.rows if at < len(row) and row[at].strip()]


@dataclass(frozen=True, slots=True)
class TableGuess:
    """The columns of a table that are taken for fields, and the folders of its identifiers."""

    sample: Sample
    fields: Mapping[str, str]
    """The guessed column of each field; fields that the heading names need no guess."""
    identifiers: str = ""
    """The column with the identifiers, by its heading or as guessed; empty without one."""
    folders: Mapping[str, int] | None = None
    """The folders of the identifiers in the sample, with their numbers, the most frequent first."""
    is_relative: bool = False
    """Whether the values of that column are no identifiers without a prefix before them."""


def read_sample(name: str, body: bytes, options: UploadOptions) -> Sample | None:
    """Read the heading and the first rows of a table; None for another or an unreadable file."""
    if heading_reader(name, options) is None:
        return None
    test = _ProposingReader(mapping_of(options))
    try:
        rows = read_cells(read_lines(name, [body], options, heading=test), test)
        line, names = next(rows, (0, []))
        if isinstance(names, Finding) or not any(map(str.strip, names)):
            return None
        found = [cells for _, cells in islice(rows, MOST_ROWS) if not isinstance(cells, Finding)]
    except UnreadableFile:
        return None
    return Sample(line, [each.strip() for each in names], [row for row in found if any(map(str.strip, row))])


def guess_table(name: str, body: bytes, options: UploadOptions) -> TableGuess | None:
    """Guess the columns and the folder of a table; None if it is none. Stated columns stay."""
    sample = read_sample(name, body, options)
    if sample is None:
        return None
    known = HeadingReader(mapping_of(options)).fields(sample.names)
    taken = {field for field in known if is_field(field)}
    free = [each for each, field in zip(sample.names, known, strict=True) if not is_field(field)]
    guessed = propose_fields(free, taken)
    guessed |= _by_values(sample, [each for each in free if each not in guessed.values()], {*taken, *guessed})
    column = guessed.get(IDENTIFIER, "")
    if not column and IDENTIFIER in known:
        column = sample.names[known.index(IDENTIFIER)]
    if not column:
        return TableGuess(sample, guessed)
    values = sample.values(column)
    is_relative = not any(map(_read, values))
    return TableGuess(sample, guessed, column, count_folders(values), is_relative=is_relative)


class _ProposingReader(HeadingReader):
    """Takes a row for the heading as well if its names are proposed for the identifier and another field."""

    def is_heading(self, cells: Sequence[str], *, is_first: bool) -> bool:
        if super().is_heading(cells, is_first=is_first):
            return True
        known = {field for field in self.fields(cells) if is_field(field)}
        proposed = propose_fields(cells, known)
        return IDENTIFIER in proposed and len(known) + len(proposed) > 1 and bool(self.count_names(cells))


def count_folders(values: Iterable[str]) -> Mapping[str, int]:
    """Count the folders of the values that are identifiers, the most frequent first.

    >>> count_folders(["uri-gin/azgs/a", "http://resources.usgin.org/uri-gin/azgs/b", "17"])
    {'uri-gin/azgs/': 2}
    """
    folders: Counter[str] = Counter()
    for identifier in filter(None, map(_read, values)):
        if (folder := folder_of(identifier)) != HOST_FOLDER:
            folders[prefix_to_folder(folder)] += 1
    return dict(folders.most_common())


def _read(value: str) -> Identifier | None:
    """Read an identifier; None for another text, also of a scheme that only a registry knows."""
    try:
        return None if registered_scheme(value) else parse(value)
    except MalformedIdentifier:
        return None


def _by_values(sample: Sample, names: Sequence[str], taken: set[str]) -> dict[str, str]:
    """Find the columns of identifiers and of locations by what all of their values are."""
    found: dict[str, str] = {}
    for name in names:
        values = sample.values(name)
        if not values:
            continue
        if IDENTIFIER not in {*taken, *found} and _are_identifiers(values):
            found[IDENTIFIER] = name
        elif _LOCATION not in {*taken, *found} and all(map(_is_address, values)):
            found[_LOCATION] = name
    return found


def _are_identifiers(values: Sequence[str]) -> bool:
    # Web addresses may be identifiers, or where these lead: only other spellings tell.
    return len(set(values)) == len(values) and all(
        not _is_address(value) and count_folders([value]) for value in values
    )


def _is_address(value: str) -> bool:
    return value.lower().startswith(("http://", "https://"))
