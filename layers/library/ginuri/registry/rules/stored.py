"""The rules of a prefix in their stored form, parsed when a request looks for a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from ginuri.registry.model import Rule
from ginuri.registry.reading import read_rules, read_values


class StoredRules(Sequence[Rule]):
    """The rules of a prefix, the most literal first. Most requests under a prefix look for none."""

    __slots__ = ("_body", "_modified", "_place", "_prefix", "_rules", "has_pairs")

    def __init__(self, prefix: str, body: str, place: int, modified: str) -> None:
        """Take the rules from their beginning in the body of a record to its end."""
        self._prefix, self._body, self._place, self._modified = prefix, body, place, modified
        self._rules: tuple[Rule, ...] | None = None
        self.has_pairs = body.find('"document', place) > 0 and any(rule.is_pairing for rule in self)
        """Whether a rule connects things with documents."""

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Rule]: ...

    def __getitem__(self, index: int | slice) -> Rule | Sequence[Rule]:
        if self._rules is None:
            values = read_values(f'{{"rules":{self._body[self._place :]}')
            self._rules = read_rules(self._prefix, values["rules"], self._modified)
        return self._rules[index]

    def __len__(self) -> int:
        return len(self[:])

    def __bool__(self) -> bool:
        return True  # the text is empty without rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(self[:])
