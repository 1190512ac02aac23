"""Proposes a mapping for a table, from its heading and a sample of its rows.

These are guesses: a command shows them, and writes the confirmed ones into the options of the upload.
"""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.files.dois import is_doi
from ginuri.files.guesses.candidates import Ambiguity, Candidate, Doubt, MappingProposal, braced
from ginuri.files.guesses.identifiers import propose_identifier
from ginuri.files.guesses.places import propose_place
from ginuri.files.guesses.samples import ColumnValues, fits, is_web_address, sample_columns
from ginuri.files.mapping.columns import is_field
from ginuri.files.tables.heading import field_of_heading
from ginuri.files.tables.language_columns import split_language
from ginuri.files.tables.proposals import field_of_name, propose_fields
from ginuri.identifiers.messages import message
from ginuri.registry.metadata.fields import PER_LANGUAGE

_IDENTIFIER, _LOCATION, _SPATIAL = "identifier", "location", "spatial"
_DOIS = "https://doi.org/"


def propose_mapping(
    headings: Sequence[str], rows: Sequence[Sequence[str]], folder: str = ""
) -> MappingProposal:
    """Propose the fields of the columns of a table, with reasons and with the questions that remain.

    `folder` is the prefix that identifiers without one are put under, such as `uri-gin/azgs/`.
    """
    guess = _Guess(sample_columns([" ".join(name.split()) for name in headings], rows))
    guess.take(propose_identifier(guess.free(), folder))
    guess.take_own_names()
    if _SPATIAL not in guess.chosen:
        guess.take(propose_place(guess.free()))
    guess.take_synonyms()
    if _LOCATION not in guess.chosen:
        guess.take(_propose_location(guess.free()))
    guess.take_similar()
    unused = [column.name for column in guess.free() if column.name]
    return MappingProposal(list(guess.chosen.values()), guess.questions, unused)


class _Guess:
    """The fields that are chosen so far, and the columns that are left."""

    def __init__(self, columns: Sequence[ColumnValues]) -> None:
        self.chosen: dict[str, Candidate] = {}
        self.questions: list[Ambiguity] = []
        self._columns = columns
        self._taken: set[str] = set()

    def free(self) -> list[ColumnValues]:
        """Return the columns that no field is made from."""
        return [column for column in self._columns if column.name not in self._taken]

    def take(self, guess: Candidate | Ambiguity | None) -> None:
        """Choose a candidate, or the most likely one of a question."""
        match guess:
            case Ambiguity():
                self.questions.append(guess)
                if guess.candidates:
                    self._choose(guess.candidates[0])
                self._taken |= {name for name in guess.columns if not guess.candidates}
            case Candidate():
                self._choose(guess)
            case None:
                pass

    def take_own_names(self) -> None:
        """Choose the columns that are called like a field, unless their values do not fit."""
        for column in self.free():
            field = field_of_heading(column.name)
            if not is_field(field) or field in self.chosen:
                continue
            own = Candidate(
                field, column.name, message("The column is called like the field."), is_own_name=True
            )
            if fits(field, column):
                self._choose(own)
            elif field != _IDENTIFIER:
                self.take(_other_meaning(column, own))

    def take_synonyms(self) -> None:
        """Choose the columns whose names mean a field, also with a language."""
        for column in self.free():
            name, tag = split_language(column.name)
            word = field_of_heading(name) if tag else ""
            field = word if word in PER_LANGUAGE else field_of_name(name)
            if tag and field in PER_LANGUAGE:
                field = f"{field}@{tag}"
            elif tag:
                field = field_of_name(column.name)
            if not field or field in self.chosen or field == _IDENTIFIER:
                continue
            found = Candidate(field, column.name, message("The name of the column means this field."))
            if fits(field, column):
                self._choose(found)

    def take_similar(self) -> None:
        """Choose the columns that have a word for a field in their names, and values that fit."""
        columns = {column.name: column for column in self.free()}
        for field, name in propose_fields(list(columns), self.chosen).items():
            if field != _IDENTIFIER and fits(field, columns[name]):
                reason = message("A word in the name of the column means this field.")
                self._choose(Candidate(field, name, reason, is_certain=False))

    def _choose(self, candidate: Candidate) -> None:
        self.chosen[candidate.field] = candidate
        names = {column.name for column in self._columns}
        source = candidate.source
        self._taken |= {source} if source in names else {name for name in names if braced(name) in source}
        self._taken |= {name for name in names if f"{{+{braced(name)[1:]}" in source}


def _other_meaning(column: ColumnValues, own: Candidate) -> Ambiguity:
    kept = Candidate(
        f"properties.{column.name}",
        column.name,
        message("Its values are no values of `{field}`.", field=own.field),
        is_certain=False,
    )
    return Ambiguity(
        Doubt.MEANING,
        [column.name],
        [kept, own],
        message(
            "The column {column} is called like the field `{field}`, but has values such as {value}.",
            column=repr(column.name),
            field=own.field,
            value=repr(column.texts[0]),
        ),
    )


def _propose_location(columns: Sequence[ColumnValues]) -> Candidate | Ambiguity | None:
    dois = [
        Candidate(_LOCATION, f"{_DOIS}{braced(column.name)}", message("The values are DOIs."))
        for column in columns
        if column.mostly(is_doi)
    ]
    links = [
        Candidate(_LOCATION, column.name, message("The values are web addresses."))
        for column in columns
        if column.mostly(is_web_address) and not column.mostly(is_doi)
    ]
    named = [each for each in (*dois, *links) if field_of_name(each.source) == _LOCATION]
    candidates = [*named, *(each for each in (*dois, *links) if each not in named)]
    if len(candidates) < 2:  # noqa: PLR2004  one or none leaves no question
        return next(iter(candidates), None)
    names = [column.name for column in columns if column.mostly(is_doi) or column.mostly(is_web_address)]
    return Ambiguity(
        Doubt.MEANING,
        names,
        candidates,
        message("Several columns have web addresses. Only one of them can be the location."),
    )
