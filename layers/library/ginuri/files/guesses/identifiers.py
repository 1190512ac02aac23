"""Proposes the column, or the template, with the identifiers of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ginuri.files.guesses.candidates import Ambiguity, Candidate, Doubt, braced
from ginuri.files.guesses.samples import (
    ColumnValues,
    is_identifier_below,
    is_relative_name,
    is_whole_number,
    pair_of_numbers,
)
from ginuri.files.mapping.columns import is_field
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.heading import field_of_heading
from ginuri.files.tables.proposals import field_of_name, propose_fields
from ginuri.files.tables.synonyms import CODES
from ginuri.identifiers.messages import message

_FIELD = "identifier"
_CODES = {fold_word(name) for name in CODES}
_LONGEST_CODE = 60
_SEVERAL = re.compile(r"\s\s|[|,;\t]\s*\w*[^\W\d]|://|\buri-")
_MOST_OF = 0.5
"""The share of identifiers in their column: other rows may be totals or mistakes, which are refused."""
_NAMED, _UNNAMED = 1, 4
"""The last rank of a column that is named as the identifier, and that of one without a word for it."""


def propose_identifier(columns: Sequence[ColumnValues], folder: str) -> Candidate | Ambiguity | None:
    """Propose the identifiers of the rows; None without a column that could identify them."""
    ranks = {column.name: _rank(column.name) for column in columns if column.name}
    ranked = sorted(
        (column for column in columns if column.name),
        key=lambda column: (not column.is_unique, column.counts_rows, ranks[column.name]),
    )
    shares = {column.name: column.share(is_identifier_below(folder)) for column in ranked}
    whole = [column.name for column in ranked if shares[column.name] > _MOST_OF]
    if whole:
        named = [column.name for column in columns if field_of_heading(column.name) == _FIELD]
        found = [Candidate(_FIELD, name, is_own_name=named == [name]) for name in whole]
        if len(found) == 1 or ranks[whole[0]] <= _NAMED:
            return found[0]
        words = message("Several columns have identifiers. Which of them does the file register?")
        return Ambiguity(Doubt.IDENTIFIER, whole, found, words)
    others = [column for column in ranked if column.is_unique and not shares[column.name]]
    relative = [column for column in others if column.mostly(is_relative_name)]
    codes = [
        column
        for column in others
        if column not in relative
        and ranks[column.name] < _UNNAMED
        and column.all(_is_code)
        and not column.share(_is_name_of_field)  # explanations of the columns
    ]
    if not (relative or codes):
        return None
    first = (relative or codes)[0]
    signs = [(column.name, "+") for column in relative] + [(column.name, "") for column in codes]
    return Ambiguity(
        Doubt.NUMBERS if first.all(is_whole_number) else Doubt.IDENTIFIER,
        [name for name, _ in signs],
        [Candidate(_FIELD, f"{folder}{braced(name, sign)}") for name, sign in signs],
        message(
            "No column has complete identifiers. They can be made from the column {column}, such as "
            "{example}.",
            column=repr(first.name),
            example=f"{folder}{first.texts[0]}",
        ),
    )


def _rank(name: str) -> int:
    """Return how little the name of a column says that it identifies rows."""
    signs = (
        field_of_heading(name) == _FIELD,
        field_of_name(name) == _FIELD,
        fold_word(name.rstrip(".")) in _CODES,
        bool(propose_fields([name], ()).get(_FIELD)) or _has_code_word(name),
        True,
    )
    return signs.index(True)


def _has_code_word(name: str) -> bool:
    words = "".join(character if character.isalnum() else " " for character in name).split()
    ends = [fold_word(word) for word in (*words[-1:], *words[:1])]
    return any(word in _CODES or word.endswith("id") for word in ends)


def _is_name_of_field(text: str) -> bool:
    return is_field(field_of_heading(text))


def _is_code(text: str) -> bool:
    # Not several cells in one, which other separators are between.
    return len(text) <= _LONGEST_CODE and not (_SEVERAL.search(text) or pair_of_numbers(text))
