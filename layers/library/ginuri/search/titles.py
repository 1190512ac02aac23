"""Finds a title under an authority or a type: `?title=` on its identifier."""

from __future__ import annotations

from ginuri.registry.moments import RecordsAt
from ginuri.registry.ports import MOST_FETCHED, RecordReader
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.decision import Question
from ginuri.resolution.outcomes import Choices, Decision, NoSuchTitle, SeeDescription, StandsFor
from ginuri.search.searcher import Searcher, SearchQuery, all_in_title, is_title

MOST_CHOICES = 20
"""The most choices for a title of several records."""


class TitleFinder:
    """Finds titles in the published index, and reads the current records."""

    def __init__(self, searcher: Searcher, reader: RecordReader) -> None:
        self._searcher = searcher
        self._reader = reader

    def find(self, decision: SeeDescription, question: Question) -> Decision:
        """Return the decision for a title under an authority or type: the same title, or one with all words.

        Records that still resolve come before others. Raises RegistryUnavailable.
        """
        under, title = decision.record.identifier, question.title
        found = self._searcher.search(SearchQuery(title, under, is_completed=False), 0, MOST_FETCHED)
        records = RecordsAt(self._reader, question.moment).fetch(found.names) if found and found.names else {}
        names = [name for name in (found.names if found else ()) if name in records and name != under]
        having = [records[name] for name in names]
        titled = [record for record in having if is_title(record, title)]
        titled = titled or [record for record in having if all_in_title(record, title)]
        named = [record for record in titled if STATUSES[record.status].leads_on] or titled
        if not named:
            return NoSuchTitle(decision.found, decision.record, title)
        if len(named) == 1:
            return StandsFor(decision.found, named[0].identifier, 301)
        return Choices(decision.found, tuple(record.identifier for record in named[:MOST_CHOICES]))
