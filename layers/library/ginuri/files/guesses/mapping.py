"""Proposes a mapping for a table, from its heading and a sample of its rows.

These are guesses: a command shows them, and writes the confirmed ones into the options of the upload.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ginuri.files.dois import is_doi
from ginuri.files.guesses.candidates import Ambiguity, Candidate, Doubt, MappingProposal, braced
from ginuri.files.guesses.identifiers import propose_identifier
from ginuri.files.guesses.places import may_be_pair, propose_place
from ginuri.files.guesses.samples import ColumnValues, fits, is_web_address, sample_columns
from ginuri.files.mapping.columns import is_field
from ginuri.files.mapping.templates import read_template
from ginuri.files.schema.fields import REPRESENTATION_FIELDS
from ginuri.files.tables.heading import field_of_heading
from ginuri.files.tables.language_columns import split_language
from ginuri.files.tables.proposals import field_of_name, propose_fields
from ginuri.files.tables.synonyms import is_of_person, is_title
from ginuri.identifiers.messages import message
from ginuri.registry.metadata.fields import FIELDS, PER_LANGUAGE
from ginuri.registry.model import RecordType

_IDENTIFIER, _LOCATION, _SPATIAL = "identifier", "location", "spatial"
_DOIS = "https://doi.org/"
_is_orcid = re.compile(r"https?://(?:www\.)?orcid\.org/", re.IGNORECASE).match
_OF_RESOURCES = {
    *REPRESENTATION_FIELDS,
    *(name for name, field in FIELDS.items() if RecordType.RESOURCE in field.on | field.read_on),
}


def propose_mapping(
    headings: Sequence[str], rows: Sequence[Sequence[str]], folder: str = ""
) -> MappingProposal:
    """Propose the fields of the columns of a table, and the questions that remain.

    `folder` is the prefix that identifiers without one are put under, such as `uri-gin/azgs/`.
    """
    guess = _Guess(sample_columns([" ".join(name.split()) for name in headings], rows))
    guess.take(propose_identifier(guess.free(), folder))
    guess.take_named(_own_field, is_own_name=True)
    if _SPATIAL not in guess.chosen:
        guess.take(propose_place(guess.free()))
    guess.take_named(_field_of_synonym)
    if _LOCATION not in guess.chosen:
        guess.take(_propose_location(guess.free()))
    similar = propose_fields([column.name for column in guess.by_title()], {*guess.chosen, _IDENTIFIER})
    guess.take_named({name: field for field, name in similar.items()}.get)
    unused = [column.name for column in guess.free() if column.name]
    return MappingProposal(list(guess.chosen.values()), guess.questions, unused)


class _Guess:
    """The fields that are chosen so far, and the columns that are left."""

    def __init__(self, columns: Sequence[ColumnValues]) -> None:
        self.chosen: dict[str, Candidate] = {}
        self.questions: list[Ambiguity] = []
        self._columns = {column.name: column for column in columns}

    def free(self) -> list[ColumnValues]:
        """Return the columns that no field is made from."""
        return list(self._columns.values())

    def by_title(self) -> list[ColumnValues]:
        """Return them in the order in which they may be the title: one called so before a name."""
        possible = [column for column in self.free() if not is_of_person(column.name)]
        return sorted(possible, key=lambda column: not is_title(column.name))

    def take(self, guess: Candidate | Ambiguity | None) -> None:
        """Choose a candidate, or the most likely one of a question."""
        match guess:
            case Ambiguity(candidates=[first, *_]):
                self.questions.append(guess)
                self.take(first)
            case Ambiguity():
                self.questions.append(guess)
                self._remove(guess.columns)
            case Candidate(field, source):
                self.chosen[field] = guess
                template = None if source in self._columns else read_template(field, source)
                self._remove(template.columns if template else [source])
            case None:
                pass

    def take_named(self, field_of: Callable[[str], str | None], *, is_own_name: bool = False) -> None:
        """Choose the columns whose names mean a field, unless their values do not fit."""
        for column in self.by_title():
            field = field_of(column.name)
            if not field or field in self.chosen or not (is_own_name or self._is_possible(field)):
                continue
            candidate = Candidate(field, column.name, is_own_name)
            if not self._is_possible(field):
                self.take(_other_meaning(column, candidate) if column.texts else None)
            elif fits(field, column, is_own_name=is_own_name):
                self.take(candidate)
            elif is_own_name and not (field == _SPATIAL and column.mostly(may_be_pair)):
                self.take(_other_meaning(column, candidate))

    def _is_possible(self, field: str) -> bool:
        """Return whether the rows may have a field: without a column `record`, they are resources."""
        return re.split("[.@]", field)[0] in _OF_RESOURCES or "record" in self.chosen

    def _remove(self, names: Sequence[str]) -> None:
        for name in names:
            self._columns.pop(name, None)


def _own_field(name: str) -> str | None:
    field = field_of_heading(name)
    return field if is_field(field) else None


def _field_of_synonym(name: str) -> str | None:
    """Return the field that the name of a column means, also with a language."""
    first, tag = split_language(name)
    if tag:
        word = field_of_heading(first)
        field = word if word in PER_LANGUAGE else field_of_name(first)
        if field in PER_LANGUAGE:
            return f"{field}@{tag}"
    found = field_of_name(name)
    return None if found == _IDENTIFIER else found


def _other_meaning(column: ColumnValues, own: Candidate) -> Ambiguity:
    return Ambiguity(
        Doubt.MEANING,
        [column.name],
        [Candidate(f"properties.{column.name}", column.name), own],
        message(
            "The column {column} is called like the field `{field}`, but has values such as {value}.",
            column=repr(column.name),
            field=own.field,
            value=repr(column.texts[0]),
        ),
    )


def _propose_location(columns: Sequence[ColumnValues]) -> Candidate | Ambiguity | None:
    sources = {
        column.name: f"{_DOIS}{braced(column.name)}" if column.mostly(is_doi) else column.name
        for column in columns
        if column.mostly(is_doi) or (column.mostly(is_web_address) and not column.mostly(_is_orcid))
    }
    candidates = sorted(
        (Candidate(_LOCATION, source) for source in sources.values()),
        key=lambda each: (field_of_name(each.source) != _LOCATION, not each.source.startswith(_DOIS)),
    )
    if len(candidates) < 2:  # noqa: PLR2004  one or none leaves no question
        return next(iter(candidates), None)
    words = message("Several columns have web addresses. Only one of them can be the location.")
    return Ambiguity(Doubt.MEANING, list(sources), candidates, words)
