"""The rules of a prefix in pages: those in its own record first, then the others by their beginnings."""

from __future__ import annotations

from ginuri.frozen import Frozen
from ginuri.registry.model import Registered, Rule
from ginuri.registry.ports import MOST_FETCHED, BeginningLister, RecordReader
from ginuri.registry.rules.beginnings import record_of_beginning

MOST_BEGINNINGS = MOST_FETCHED
"""The most records with rules of a page: those of one call."""


class RulePage(Frozen):
    """A page of the rules of a prefix."""

    rules: tuple[Rule, ...]
    """The most literal first."""
    next_cursor: str | None
    """The beginning that the next page follows; None on the last page."""


def read_rules(
    record: Registered, lister: BeginningLister, reader: RecordReader, after: str = ""
) -> RulePage:
    """Read a page of the rules of a prefix, which follow a beginning. Raises RegistryUnavailable."""
    prefix = record.identifier
    page = lister.beginnings(prefix, after=after, most=MOST_BEGINNINGS)
    names = [record_of_beginning(prefix, beginning) for beginning in page.names]
    others = reader.fetch(names).values() if names else ()
    found = [rule for other in others for rule in other.rules if rule.prefix == prefix]
    own = () if after else record.rules
    ordered = sorted((*own, *found), key=lambda rule: rule.pattern.rank, reverse=True)
    return RulePage(tuple(ordered), page.next_cursor)
