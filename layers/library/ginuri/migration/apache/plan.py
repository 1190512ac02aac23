"""The plan of an import: candidates with their answers, none of which contradicts Apache httpd.

Apache httpd tries its directives in order; here the most literal pattern wins. So the answers of a candidate
are those of Apache httpd for the names that the candidate wins here. Where two patterns overlap, their common
names may be answered differently than either's others: they become a candidate of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ginuri.files.expressions.splitting import exclude_first, split_pattern
from ginuri.migration.apache.answers import NoAnswer, Responder, Table, tabulate
from ginuri.migration.apache.candidates import Candidate, Candidates, find_common
from ginuri.migration.apache.requests import UnsupportedConfiguration
from ginuri.registry.rules.comparison import Language, text_outside
from ginuri.registry.rules.templates import expand

_MOST_SPLITS = 3
_TAKEN = 8
"""The number of examples that the answers of a candidate are learned from."""
_MOST_PARTS = 256
"""The most candidates that others are divided into, beside one for each of them."""
_COMPARED = 3
"""The number of examples of common names that are compared."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A path that the winner here answers differently than Apache httpd, or that has two winners."""

    winner: Candidate
    other: Candidate
    path: str
    common: Candidate | None = None
    """The names that both match, the path among them."""


@dataclass(slots=True)
class Plan:
    """Candidates and their answers."""

    responder: Responder
    candidates: Candidates = field(default_factory=Candidates)
    tables: dict[Candidate, Table] = field(default_factory=dict)
    failures: dict[Candidate, NoAnswer] = field(default_factory=dict)
    conflicts: dict[Candidate, Conflict] = field(default_factory=dict)
    """The candidates that were left out, each with its conflict."""
    _most: int = 0
    """The most candidates; 0 for no limit."""
    _predicted: dict[tuple[Candidate, str], bool] = field(default_factory=dict)

    def add(self, candidates: Iterable[Candidate]) -> None:
        """Add candidates with their answers, or the parts of those without a common answer."""
        new = [candidate for candidate in candidates if candidate not in self.candidates]
        for candidate in new:
            self.candidates.add(candidate)
        for candidate in new:
            self._answer(candidate, 0)

    def _answer(self, candidate: Candidate, splits: int) -> bool:
        table = self._tabulate(candidate)
        if not isinstance(table, NoAnswer):
            self.tables[candidate] = table
            return True
        self.candidates.remove(candidate)
        new = self._split(candidate) if splits < _MOST_SPLITS else []
        if [self._answer(part, splits + 1) for part in new].count(True):
            return True
        for part in new:
            self.failures.pop(part, None)
        self.failures[candidate] = table
        return False

    def _split(self, candidate: Candidate) -> list[Candidate]:
        if self._most and len(self.tables) > self._most:
            return []
        return self._divide(candidate, split_pattern(candidate.text))

    def _divide(self, candidate: Candidate, texts: Sequence[str]) -> list[Candidate]:
        parts = [replace(candidate, text=text) for text in texts]
        new = [part for part in parts if part not in self.candidates]
        for part in new:
            self.candidates.add(part)
        return new

    def _tabulate(self, candidate: Candidate) -> Table | NoAnswer:
        won = [path for path in candidate.paths if self.candidates.winner(path) == candidate]
        paths = (won or candidate.paths)[:_TAKEN]
        values = {path: candidate.match(path) for path in paths}
        return tabulate(self.responder, {path: each for path, each in values.items() if each is not None})

    def settle(self) -> None:
        """Make candidates of common names with other answers, and leave out those in conflict."""
        overlaps = [conflict for candidate in self.candidates for conflict in self._compare_all(candidate)]
        common = {conflict.common: None for conflict in overlaps if conflict.common is not None}
        self._most = _MOST_PARTS + 2 * len(self.tables)
        room = self._most - len(self.tables)
        self.add(candidate for candidate in list(common)[:room] if candidate not in self.failures)
        self._split_losers()
        self._narrow_winners()
        self._break_ties()
        conflicts = [conflict for conflict in overlaps if not self._is_right(conflict.path)]
        conflicts += [conflict for each in self.candidates for conflict in self._find_conflicts(each)]
        while conflicts := [
            conflict
            for conflict in conflicts
            if conflict.winner in self.candidates and conflict.other in self.candidates
        ]:
            self._leave_out(conflicts)
        self._drop_covered()

    def _compare_all(self, candidate: Candidate) -> Iterator[Conflict]:
        if not candidate.is_name:
            for other in self.candidates.around(candidate):
                yield from self._compare(candidate, other)

    def _compare(self, candidate: Candidate, other: Candidate) -> Iterator[Conflict]:
        for common in find_common(candidate, other):
            for path in common.paths[:_COMPARED]:
                winner = self.candidates.winner(path)
                if winner is not None and not self.predicts(winner, path):
                    yield Conflict(winner, other if winner == candidate else candidate, path, common)
                    break

    def _split_losers(self) -> None:
        """Split patterns that lose names of theirs to another one, which answers them differently."""
        candidates = list(self.candidates)
        for _ in range(_MOST_SPLITS):
            losers = [each for each in candidates if not all(map(self._is_right, each.paths))]
            candidates = [part for loser in losers if not loser.is_name for part in self._replace(loser)]

    def _narrow_winners(self) -> None:
        """Narrow patterns that win names of another one, if its names differ in their first character."""
        for loser in list(self.candidates):
            for path in loser.paths:
                winner = self.candidates.winner(path)
                if winner is None or winner == loser or self.predicts(winner, path):
                    continue
                if winner.prefix == loser.prefix and (texts := exclude_first(winner.text, loser.text)):
                    self._replace(winner, texts)

    def _replace(self, candidate: Candidate, texts: Sequence[str] = ()) -> list[Candidate]:
        parts = self._divide(candidate, texts) if texts else self._split(candidate)
        if parts:
            self.candidates.remove(candidate)
        return [part for part in parts if self._answer(part, _MOST_SPLITS)]

    def _is_right(self, path: str) -> bool:
        winner = self.candidates.winner(path)
        return winner is None or self.predicts(winner, path)

    def _break_ties(self) -> None:
        """Split patterns with options that overlap others of equal precedence, which registries refuse."""
        candidates = list(self.candidates)
        for _ in range(_MOST_SPLITS):
            parts: list[Candidate] = []
            for each in candidates:
                if each in self.candidates and next(self._ties(each), None) is not None:
                    parts += self._replace(each)
            candidates = parts

    def _ties(self, candidate: Candidate) -> Iterator[Conflict]:
        if candidate.is_name:
            return
        for other in self.candidates.around(candidate):
            is_tie = other.rank == candidate.rank and other.prefix == candidate.prefix
            if is_tie and (common := find_common(candidate, other)):
                yield Conflict(candidate, other, common[0].paths[0], common[0])

    def _find_conflicts(self, candidate: Candidate) -> Iterator[Conflict]:
        for path in candidate.paths:
            winner = self.candidates.winner(path)
            if winner is not None and not self.predicts(winner, path):
                yield Conflict(winner, candidate, path)
        yield from self._ties(candidate)

    def _leave_out(self, conflicts: Iterable[Conflict]) -> None:
        """Leave out the candidate with the most conflicts; of equal ones, one that wins names of others."""
        counts: Counter[Candidate] = Counter()
        known: dict[Candidate, Conflict] = {}
        for conflict in conflicts:
            for candidate in {conflict.winner: None, conflict.other: None}:
                counts[candidate] += 1
                known.setdefault(candidate, conflict)
        worst, _ = counts.most_common(1)[0]
        self.candidates.remove(worst)
        self.conflicts[worst] = known[worst]

    def _drop_covered(self) -> None:
        """Leave out patterns all of whose names better ones match."""
        for candidate in list(self.candidates):
            if candidate.is_name:
                continue
            better = [other for other in self.candidates.around(candidate) if other.rank > candidate.rank]
            shorter = [
                _language(other, candidate.prefix) for other in better if other.prefix == candidate.prefix
            ]
            if any(
                text_outside(_language(candidate, candidate.prefix), [other]) is None for other in shorter
            ):
                self.candidates.remove(candidate)

    def is_used(self, candidate: Candidate) -> bool:
        """Return whether a directive that it comes from answers some of its names."""
        applied = {directive for cell in self.tables[candidate].values() for directive in cell.applied}
        return not candidate.is_common and any(owner.directive in applied for owner in candidate.owners)

    def is_needed(self, candidate: Candidate) -> bool:
        """Return whether another candidate would answer some of its names differently."""
        others = ((path, self.candidates.winner(path, without=candidate)) for path in candidate.paths)
        if any(cell.is_redirect for cell in self.tables[candidate].values()):
            return any(other is None or not self.predicts(other, path) for path, other in others)
        return any(other is not None and not self.predicts(other, path) for path, other in others)

    def predicts(self, candidate: Candidate, path: str) -> bool:
        """Return whether the answers of a candidate are those of Apache httpd for a path."""
        if (candidate, path) not in self._predicted:
            self._predicted[candidate, path] = self._predicts(candidate, path)
        return self._predicted[candidate, path]

    def _predicts(self, candidate: Candidate, path: str) -> bool:
        table, values = self.tables.get(candidate), candidate.match(path)
        if table is None or values is None:
            return False
        try:
            answers = self.responder.answers(path)
        except UnsupportedConfiguration:
            return False
        pairs = {
            (cell.status, cell.template, answers[context].status, answers[context].location)
            for context, cell in table.items()
        }
        return all(
            (status, expand(template, values)) == (own_status, location)
            for status, template, own_status, location in pairs
        )


def _language(candidate: Candidate, prefix: str) -> Language:
    return Language(candidate.pattern, candidate.prefix[len(prefix) :])
