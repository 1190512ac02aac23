"""Guesses which columns of a table are which fields, and into which folder its identifiers belong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from ginuri.files.formats import heading_reader, mapping_of, read_lines
from ginuri.files.guesses.candidates import Candidate, Doubt, MappingProposal
from ginuri.files.guesses.mapping import propose_mapping
from ginuri.files.guesses.objects import read_object_rows
from ginuri.files.json_files import is_known_member
from ginuri.files.mapping.columns import NO_MAPPING, ColumnMapping, is_field
from ginuri.files.options import UploadOptions
from ginuri.files.tables.cells import read_cells
from ginuri.files.tables.heading import HeadingReader, has_values
from ginuri.files.tables.proposals import propose_fields
from ginuri.identifiers import read_identifier
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.roots import prefix_to_folder, registered_scheme
from ginuri.identifiers.stewards import HOST_FOLDER, folder_of
from ginuri.registration.verdicts import Finding

MOST_ROWS = 1_000
"""The rows that a guess looks at."""
IDENTIFIER = "identifier"
_NOTHING = MappingProposal([], [], [])


@dataclass(frozen=True, slots=True)
class Sample:
    """The heading of a table, and its first rows."""

    line: int
    """The line of the heading; 0 for objects, whose members have names."""
    names: Sequence[str]
    rows: Sequence[Sequence[str]]

    def values(self, name: str) -> list[str]:
        """Return the values of a column, without empty cells."""
        at = self.names.index(name)
        return [row[at].strip() for row in self.rows if at < len(row) and row[at].strip()]


@dataclass(frozen=True, slots=True)
class TableGuess:
    """A table, the mapping that is proposed for it, and the folders of its identifiers."""

    sample: Sample
    proposal: MappingProposal
    identifiers: str
    """The column with the identifiers, stated or proposed; empty without one, and if they are made."""
    folders: Mapping[str, int]
    """The folders of the identifiers in the sample, with their numbers, the most frequent first."""

    @property
    def made(self) -> Candidate | None:
        """The proposed template of identifiers, if no column has complete ones."""
        return None if self.identifiers else self.proposal.find(IDENTIFIER)


def read_sample(name: str, body: bytes, options: UploadOptions) -> Sample | None:
    """Read the heading and the first rows of a table, or of objects; None for any other file."""
    try:
        rows = read_rows(name, body, options)
        line, names = next(rows, (0, ()))
        found = [cells for _, cells in islice(rows, MOST_ROWS)]
    except (UnreadableFile, ValueError):
        return None
    return Sample(line, names, [row for row in found if any(row)]) if any(names) else None


def read_rows(name: str, body: bytes, options: UploadOptions) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the heading and the rows of a table or of objects, with their lines.

    Raises UnreadableFile, and ValueError.
    """
    yield from enumerate(read_object_rows(name, body, options))
    if heading_reader(name, options) is None:
        return
    test = ProposingReader(mapping_of(options))
    rows = read_cells(read_lines(name, [body], options, heading=test), test)
    heading = next(rows, None)
    if heading is None or not _is_heading(heading[1], test):
        return
    for line, cells in chain([heading], rows):
        if not isinstance(cells, Finding):
            yield line, [cell.strip() for cell in cells]


def _is_heading(names: Sequence[str] | Finding, test: HeadingReader) -> bool:
    """Return whether a row is a heading, and not the first row of a table without one."""
    return not isinstance(names, Finding) and (not has_values(names) or IDENTIFIER in test.fields(names))


def guess_table(name: str, body: bytes, options: UploadOptions, folder: str = "") -> TableGuess | None:
    """Guess the columns and the folder of a table; None if it is none. A stated mapping stays as it is.

    `folder` is the prefix that identifiers without one are put under, such as `uri-gin/azgs/`.
    """
    sample = read_sample(name, body, options)
    if sample is None:
        return None
    stated = mapping_of(options)
    known = [
        field if sample.line or is_known_member(name, stated) else name
        for name, field in zip(sample.names, HeadingReader(stated).fields(sample.names), strict=True)
    ]
    column = sample.names[known.index(IDENTIFIER)] if IDENTIFIER in known else ""
    folders = count_folders(sample.values(column) if column else _made(sample, stated))
    if options.columns:
        return TableGuess(sample, _NOTHING, column, folders)
    proposal = propose_mapping(sample.names, sample.rows, folder)
    if not sample.line:
        proposal = replace(proposal, chosen=[_of_member(each) for each in proposal.chosen])
    if folders:
        # The column is called so, and a row with another text in it is refused.
        return TableGuess(sample, _without_identifiers(proposal), column, folders)
    found = proposal.find(IDENTIFIER)
    if found is None or found.source not in sample.names:
        return TableGuess(sample, proposal, "", {})
    return TableGuess(sample, proposal, found.source, count_folders(sample.values(found.source)))


def _of_member(each: Candidate) -> Candidate:
    """Return a candidate for objects, whose members have other names than a field if spelt otherwise."""
    return replace(each, is_own_name=each.is_own_name and is_known_member(each.source, NO_MAPPING))


def _made(sample: Sample, stated: ColumnMapping) -> Iterator[str]:
    """Make the identifiers of the rows as a stated template says."""
    filler = HeadingReader(stated).templates(sample.names)
    for row in sample.rows:
        if len(row) == len(sample.names) and (text := filler.fill(row).values.get(IDENTIFIER)):
            yield text


def _without_identifiers(proposal: MappingProposal) -> MappingProposal:
    return MappingProposal(
        [each for each in proposal.chosen if each.field != IDENTIFIER],
        [each for each in proposal.questions if each.doubt not in {Doubt.NUMBERS, Doubt.IDENTIFIER}],
        proposal.unused,
    )


class ProposingReader(HeadingReader):
    """Takes a row for the heading as well if its names are proposed for the identifier and another field."""

    def is_heading(self, cells: Sequence[str], *, is_first: bool) -> bool:
        """Return whether a row names a column for the identifier, or may do so."""
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
    for value in values:
        # Only a registry knows the other schemes.
        identifier = None if registered_scheme(value) else read_identifier(value)
        if identifier is not None and (folder := folder_of(identifier)) != HOST_FOLDER:
            folders[prefix_to_folder(folder)] += 1
    return dict(folders.most_common())
