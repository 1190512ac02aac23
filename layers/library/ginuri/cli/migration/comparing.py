"""A comparison on its way: identifiers are requested or recalled, compared, counted and printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import click

from ginuri.cli.migration.identifier_lists import SkippedLine
from ginuri.cli.migration.verification.report import SkippedLines, describe_share, write_report
from ginuri.cli.migration.verification.report_json import as_json, skipped_as_json, summary_as_json
from ginuri.cli.terminal import say, with_progress
from ginuri.migration.verification.comparison import BothAnswers, compare_answers
from ginuri.migration.verification.journal import Journal
from ginuri.migration.verification.requests import IdentifierUses, Resolvers, run_at_once
from ginuri.migration.verification.summary import ComparedUse, Summary


@dataclass(frozen=True, slots=True)
class _Listed:
    """A line of the list, and the number of its identifier among all."""

    number: int
    entry: IdentifierUses | SkippedLine


@dataclass(frozen=True, slots=True)
class _Answered:
    """The answers to the requests for an identifier."""

    answers: Sequence[BothAnswers] = ()
    is_new: bool = False
    """Whether they were requested now, and not recalled from a state."""


@dataclass(slots=True)
class Comparing:
    """A comparison of two resolvers, with what was counted so far."""

    resolvers: Resolvers
    summary: Summary
    journal: Journal | None
    is_strict: bool
    is_json: bool
    skipped: SkippedLines = field(default_factory=SkippedLines)

    def run(self, listed: Iterable[IdentifierUses | SkippedLine], at_once: int, label: str) -> None:
        """Compare the answers to all identifiers of a list. Raises OtherComparison."""
        with ThreadPoolExecutor(at_once) as pool:
            try:
                answered = run_at_once(_numbered(listed), self._answer, pool, at_once)
                length = len(listed) if isinstance(listed, Sized) else None
                for each, found in with_progress(answered, label, length=length):
                    self._count(each, found)
            except BaseException:
                # Nobody waits for the requests in the queue.
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def report(self, *, passes: bool) -> None:
        """Print the result."""
        if self.is_json:
            click.echo(summary_as_json(self.summary, self.skipped, passes=passes))
            say(describe_share(self.summary.counts), err=True)
        else:
            for line in write_report(self.summary, self.skipped, self.resolvers):
                click.echo(line)

    def _answer(self, listed: _Listed) -> _Answered:
        entry = listed.entry
        if isinstance(entry, SkippedLine):
            return _Answered()
        known = self.journal and self.journal.recall(listed.number, entry)
        # Requests without an answer are sent again.
        if known and not any(comparison.is_error for comparison in compare_answers(known)):
            return _Answered(known)
        return _Answered(self.resolvers.ask_both(entry), is_new=True)

    def _count(self, listed: _Listed, found: _Answered) -> None:
        entry = listed.entry
        if isinstance(entry, SkippedLine):
            self.skipped.add(entry)
            lines = [skipped_as_json(entry)]
        else:
            if found.is_new and self.journal:
                self.journal.store(listed.number, entry, found.answers)
            compared = self._compare(entry, found.answers)
            self.summary.add(compared, self.resolvers.there.host)
            lines = [as_json(each) for each in compared]
        if self.is_json:
            click.echo("\n".join(lines))

    def _compare(self, entry: IdentifierUses, answers: Sequence[BothAnswers]) -> list[ComparedUse]:
        comparisons = compare_answers(answers, strict=self.is_strict)
        return [
            ComparedUse(entry, use, both, comparison)
            for use, both, comparison in zip(entry.uses, answers, comparisons, strict=True)
        ]


def _numbered(listed: Iterable[IdentifierUses | SkippedLine]) -> Iterator[_Listed]:
    number = 0
    for entry in listed:
        yield _Listed(number, entry)
        number += isinstance(entry, IdentifierUses)
