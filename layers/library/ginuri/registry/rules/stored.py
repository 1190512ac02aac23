"""The rules of a prefix in their stored form, parsed when a request looks for a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from ginuri.registry.model import Rule


class StoredRules(Sequence[Rule]):
    """The rules of a prefix, the most literal first. Most requests under a prefix do not use them."""

    __slots__ = ("_read", "_rules", "has_days", "has_pairs")

    def __init__(self, read: Callable[[], tuple[Rule, ...]], *, may_pair: bool, has_days: bool) -> None:
        """Take a function that reads the rules; one of them may name a document, or have a day."""
        self._read = read
        self._rules: tuple[Rule, ...] | None = None
        self.has_pairs = may_pair and any(rule.is_pairing for rule in self)
        """Whether a rule pairs documents with things."""
        self.has_days = has_days
        """Whether the status of a rule may end on a day."""

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Rule]: ...

    def __getitem__(self, index: int | slice) -> Rule | Sequence[Rule]:
        if self._rules is None:
            self._rules = self._read()
        return self._rules[index]

    def __len__(self) -> int:
        return len(self[:])

    def __bool__(self) -> bool:
        return True  # it is made only for a prefix with rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(self[:])
