"""The rules that a stated rule is compared with: few of those that a prefix may have.

Two rules can match one identifier only if one literal beginning is the start of the other. The records of
shorter beginnings have known names. Of the longer ones, only those matter whose rules the stated rule may
equal or hide:

- rules of the same prefix with no more literal characters, as the most literal pattern wins;
- rules of a shorter prefix, as the longer prefix wins.

If the stated rule is the one that could be hidden, an example of it is under the beginning of the other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from ginuri.identifiers.roots import ancestors_of, root_of
from ginuri.registration.checks.rule_conflicts import SurroundingRules
from ginuri.registration.rows import Registration
from ginuri.registry.ports import MOST_FETCHED, MOST_MEMBERS, Registry
from ginuri.registry.reading import place_of_rule, read_pattern
from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import has_rules_elsewhere, is_rule_record, listed_beginnings
from ginuri.registry.rules.beginnings import cover_of, record_of_beginning, records_above
from ginuri.registry.rules.patterns import Pattern

MOST_BELOW = 10_000
"""The most records with longer beginnings that a rule is compared with; one that may meet more is refused."""
ALL_OF_FEW = 100
"""The most such records that are all read, whether they matter or not: one call."""
_BEYOND = "\x7f"
"""Follows every character of an identifier in normal form."""
_PIECES = re.compile(r"\{[^}]*\}")
_OPTIONS = re.compile(r"\[[^\]]*\]")


def literal_length(pattern: str) -> int:
    """Return the number of literal characters of a pattern, without those of its pieces and options.

    >>> literal_length("HP_{id:[0-9]}[.{form}]/x")
    5
    """
    return len(_OPTIONS.sub("", _PIECES.sub("", pattern)))


def examples_of(registration: Registration) -> Iterator[tuple[str, str]]:
    """Yield two names for each stated rule: what both are under, all its names are under."""
    prefix = registration.identifier.normal_form
    patterns = (Pattern(text) for text in registration.rules)
    return ((f"{prefix}{pattern.example(1)}", f"{prefix}{pattern.example(2)}") for pattern in patterns)


def prefixes_around(registration: Registration) -> list[str]:
    """Return the prefixes whose rules may conflict with the stated ones: above it, its own, and below it."""
    if not registration.rules:
        return []
    identifier = registration.identifier
    own = identifier.normal_form
    below = (
        name
        for one, other in examples_of(registration)
        for name in ancestors_of(one)
        if len(name) > len(own) and other.startswith(name)
    )
    return list(dict.fromkeys((own, *reversed(identifier.ancestors), *below)))


def rule_records_around(registration: Registration) -> list[str]:
    """Return the records with rules whose beginnings all names of a stated rule share, with its own."""
    root = registration.identifier.root
    names = (
        name
        for one, other in examples_of(registration)
        for name in set(records_above(one, root, None)) & set(records_above(other, root, None))
    )
    own = [registration.record_name] if registration.beginning else []
    return list(dict.fromkeys((*own, *sorted(names))))


class RuleNeighbours:
    """Finds the rules around stated rules, and reads the records that are not known yet.

    What it read is valid for one batch, whose revisions were read before.
    """

    def __init__(self, registry: Registry, retiring: Collection[tuple[str, str]] = frozenset()) -> None:
        """Take the prefixes and patterns of the rules that the upload retires, which are left out."""
        self._registry = registry
        self._retiring = retiring
        self._whole: dict[str, Sequence[str] | None] = {}
        """The beginnings of a prefix, if they fit a page."""
        self._noted: dict[str, dict[str, None]] = {}
        self._looked_up = set[str]()
        self._patterns: dict[str, tuple[Record, dict[str, list[Pattern]]]] = {}

    def note(self, record: Record) -> None:
        """Note the beginnings of a record that is not written yet."""
        for prefix, beginning in listed_beginnings(record):
            self._noted.setdefault(prefix, {})[beginning] = None

    def find(self, registration: Registration, records: dict[str, Record]) -> SurroundingRules:
        """Return the rules around those of a registration, and add their records to the known ones.

        Raises RegistryUnavailable.
        """
        if not registration.rules:
            return SurroundingRules()
        below = self._below(registration, records)
        names = [*prefixes_around(registration), *rule_records_around(registration), *(below or ())]
        self.look_up(names, records)
        patterns: dict[str, list[Pattern]] = {}
        for name in dict.fromkeys(names):
            if name in records:
                for prefix, several in self._patterns_of(records[name]).items():
                    patterns.setdefault(prefix, []).extend(several)
        home = records.get(registration.record_name)
        at_home = self._patterns_of(home).items() if home is not None else ()
        return SurroundingRules(
            patterns,
            records=records,
            at_home=frozenset((prefix, each.text) for prefix, several in at_home for each in several),
            is_crowded=below is None,
        )

    def look_up(self, names: Iterable[str], records: dict[str, Record]) -> None:
        """Add the records with rules among some names, each of which is read once.

        Raises RegistryUnavailable.
        """
        unknown = [name for name in dict.fromkeys(names) if is_rule_record(name)]
        unknown = [name for name in unknown if name not in records and name not in self._looked_up]
        self._looked_up.update(unknown)
        for start in range(0, len(unknown), MOST_FETCHED):
            records |= self._registry.read(unknown[start : start + MOST_FETCHED])

    def _below(self, registration: Registration, records: dict[str, Record]) -> list[str] | None:
        """Return the records with longer beginnings to compare with; None if there are too many."""
        own = registration.identifier.normal_form
        most_literal = max(map(literal_length, registration.rules))
        found = list[str]()
        for prefix in (own, *registration.identifier.ancestors):
            record = records.get(prefix)
            if record is None or not (has_rules_elsewhere(record) or prefix in self._noted):
                continue
            start = f"{own[len(prefix) :].lower()}{registration.beginning}"
            if prefix == own and 0 < len(registration.beginning) == most_literal:
                continue  # all longer beginnings are more literal
            several = self._starting_with(prefix, start, most_literal if prefix == own else None)
            if several is None:
                return None
            found += (record_of_beginning(prefix, beginning) for beginning in several if beginning != start)
        return found

    def _starting_with(self, prefix: str, start: str, longest: int | None) -> list[str] | None:
        """Return the beginnings that start with a text, without longer ones if they are many."""
        noted = [each for each in self._noted.get(prefix, ()) if each.startswith(start)]
        few, shorter = list[str](), list[str]()
        for beginning in chain(noted, self._list(prefix, start, longest)):
            if longest is None or len(beginning) <= longest:
                shorter.append(beginning)
            if len(few) < ALL_OF_FEW:
                few.append(beginning)
            elif len(shorter) > MOST_BELOW:
                return None
            elif longest is not None and longest <= len(start):
                break  # none of them is shorter
        return few if len(few) < ALL_OF_FEW else shorter

    def _list(self, prefix: str, start: str, longest: int | None) -> Iterator[str]:
        """Yield the beginnings that start with a text; of those that are too long, at least a page."""
        if prefix not in self._whole:
            page = self._registry.beginnings(prefix, most=MOST_MEMBERS)
            self._whole[prefix] = page.names if page.next_cursor is None else None
        whole = self._whole[prefix]
        if whole is not None:
            yield from (beginning for beginning in whole if beginning.startswith(start))
            return
        after: str | None = ""
        while after is not None:
            page = self._registry.beginnings(prefix, start, after)
            yield from page.names
            after = page.next_cursor
            if after is not None and longest is not None and len(after) > longest:
                after = f"{after[:longest]}{_BEYOND}"  # all others that start like it are too long as well

    def _patterns_of(self, record: Record) -> dict[str, list[Pattern]]:
        """Return the patterns of a record by prefix, the most literal first."""
        known = self._patterns.get(record.identifier)
        if known is not None and known[0] is record:
            return known[1]
        rules = record.values().get("rules")
        patterns: dict[str, list[Pattern]] = {}
        for stored, values in rules.items() if isinstance(rules, dict) else ():
            prefix, text = place_of_rule(record.identifier, stored)
            if (prefix, text) not in self._retiring:
                patterns.setdefault(prefix, []).append(read_pattern(text, values))
        for several in patterns.values():
            several.sort(key=lambda pattern: pattern.rank, reverse=True)
        self._patterns[record.identifier] = record, patterns
        return patterns


def cover_around(registration: Registration) -> str:
    """Return the name of the record with the cuts under the scheme or host of a registration."""
    return cover_of(root_of(registration.identifier.normal_form))
