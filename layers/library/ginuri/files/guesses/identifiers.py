"""Proposes the column, or the template, with the identifiers of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginuri.files.guesses.candidates import Ambiguity, Candidate, Doubt, braced
from ginuri.files.guesses.samples import (
    ColumnValues,
    is_identifier_below,
    is_relative_name,
    is_web_address,
    is_whole_number,
    pair_of_numbers,
)
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.heading import field_of_heading
from ginuri.files.tables.proposals import field_of_name, propose_fields
from ginuri.files.tables.synonyms import CODES
from ginuri.identifiers.messages import message

_FIELD = "identifier"
_CODES = {fold_word(name) for name in CODES}
_LONGEST_CODE = 60
_MOST_OF = 0.5
"""The share of identifiers in their column: other rows may be totals or mistakes, which are refused."""


def propose_identifier(columns: Sequence[ColumnValues], folder: str) -> Candidate | Ambiguity | None:
    """Propose the identifiers of the rows; None without a column that could identify them."""
    is_whole = is_identifier_below(folder)
    whole = _ranked(columns, lambda column: column.share(is_whole) > _MOST_OF)
    others = [column for column in columns if not column.share(is_whole)]
    relative = _ranked(others, lambda column: column.is_unique and column.mostly(is_relative_name))
    codes = _ranked(others, _is_code)
    if whole and (len(whole) == 1 or _is_named(whole[0])):
        return _whole(whole[0], columns)
    if whole:
        return Ambiguity(
            Doubt.IDENTIFIER,
            [column.name for column in whole],
            [_whole(column, columns) for column in whole],
            message("Several columns have identifiers. Which of them does the file register?"),
        )
    candidates = [_relative(column, folder) for column in relative]
    candidates += [_code(column, folder) for column in codes if column not in relative]
    if not candidates:
        return None
    first = (relative or codes)[0]
    return Ambiguity(
        Doubt.NUMBERS if first.all(is_whole_number) else Doubt.IDENTIFIER,
        [column.name for column in (*relative, *(column for column in codes if column not in relative))],
        candidates,
        message(
            "No column has complete identifiers. They can be made from the column {column}, such as "
            "{example}.",
            column=repr(first.name),
            example=f"{folder}{first.texts[0]}",
        ),
    )


_UNNAMED = 4
"""The rank of a column whose name is no word for an identifier."""


def _ranked(columns: Sequence[ColumnValues], test: Callable[[ColumnValues], bool]) -> Sequence[ColumnValues]:
    return sorted((column for column in columns if column.name and test(column)), key=_order)


def _order(column: ColumnValues) -> tuple[bool, bool, int]:
    return not column.is_unique, column.counts_rows, _rank(column)


def _rank(column: ColumnValues) -> int:
    """Return how little the name of a column says that it identifies rows."""
    name = column.name
    if field_of_heading(name) == _FIELD:
        return 0
    if field_of_name(name) == _FIELD:
        return 1
    if fold_word(name.rstrip(".")) in _CODES:
        return 2
    return 3 if propose_fields([name], ()).get(_FIELD) or _has_code_word(name) else _UNNAMED


def _has_code_word(name: str) -> bool:
    words = "".join(character if character.isalnum() else " " for character in name).split()
    ends = [fold_word(word) for word in (*words[-1:], *words[:1])]
    return any(word in _CODES or word.endswith("id") for word in ends)


def _is_named(column: ColumnValues) -> bool:
    return _rank(column) <= 1


def _is_code(column: ColumnValues) -> bool:
    if _rank(column) == _UNNAMED or not column.is_unique:
        return False
    return column.all(
        lambda text: len(text) <= _LONGEST_CODE and not is_web_address(text) and not pair_of_numbers(text)
    )


def _whole(column: ColumnValues, columns: Sequence[ColumnValues]) -> Candidate:
    named = [other.name for other in columns if field_of_heading(other.name) == _FIELD]
    return Candidate(
        _FIELD, column.name, message("The values are identifiers."), is_own_name=named == [column.name]
    )


def _relative(column: ColumnValues, folder: str) -> Candidate:
    reason = message("The values are names within the folder.")
    return Candidate(_FIELD, f"{folder}{{+{braced(column.name)[1:]}", reason, is_certain=False)


def _code(column: ColumnValues, folder: str) -> Candidate:
    reason = message("Every row has a value of its own.")
    return Candidate(_FIELD, f"{folder}{braced(column.name)}", reason, is_certain=False)
