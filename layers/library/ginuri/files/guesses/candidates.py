"""A proposed mapping of columns: what was chosen, for which reasons, and what remains to be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ginuri.identifiers.messages import Message


class Doubt(StrEnum):
    """The question that only a person can answer."""

    NUMBERS = "numbers"
    """Whether identifiers are made from these numbers or codes."""
    IDENTIFIER = "identifier"
    """Which of several columns identifies the rows."""
    PLACE = "place"
    """Whether coordinates are swapped, or in a projection."""
    MEANING = "meaning"
    """What a column means whose heading and values do not agree, or which of several columns is a field."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A field, and the column or the template that it may come from."""

    field: str
    source: str
    is_own_name: bool = False
    """Whether the column is read as this field without a mapping."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A question about some columns."""

    doubt: Doubt
    columns: Sequence[str]
    candidates: Sequence[Candidate]
    """The answers, the most likely first; that one is among the chosen. None if no answer can be proposed."""
    reason: Message


@dataclass(frozen=True, slots=True)
class MappingProposal:
    """A mapping for a table."""

    chosen: Sequence[Candidate]
    """One candidate for each field."""
    questions: Sequence[Ambiguity]
    unused: Sequence[str]
    """The headings of the columns that would not be registered."""

    def find(self, field: str) -> Candidate | None:
        """Return what is proposed for a field."""
        return next((each for each in self.chosen if each.field == field), None)

    def sources(self) -> Mapping[str, str]:
        """Return the mapping as far as it has to be stated: the columns and templates by field."""
        return {each.field: each.source for each in self.chosen if not each.is_own_name}


def braced(name: str, sign: str = "") -> str:
    """Write the name of a column as part of a template, after `+` if its reserved characters stay.

    >>> braced("Well ID"), braced("Name {en}", "+")
    ('{Well ID}', '{+Name {{en}}}')
    """
    return "{" + sign + " ".join(name.split()).replace("{", "{{").replace("}", "}}") + "}"
