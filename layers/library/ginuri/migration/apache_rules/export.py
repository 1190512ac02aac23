"""The registrations that changed since a moment, as rewrite rules that give the answers of the registry.

A server with these rules before its own answers for changed names as the registry does. Exact names come
first, then rules by their precedence. The names and rules that come before a changed rule are repeated,
because those of the server come after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from os.path import commonprefix

from ginuri.identifiers.messages import Words
from ginuri.identifiers.roots import ancestors_of
from ginuri.migration.apache_rules.changes import Changes, Values, is_answering
from ginuri.migration.apache_rules.names import names_of, write_below, write_name
from ginuri.migration.apache_rules.replies import Inexpressible, Replies
from ginuri.migration.apache_rules.subjects import RegistryView, RuleSubject
from ginuri.registry.ports import Archive
from ginuri.registry.rules.comparison import Language, common_text

_HEADING = """\
# Include this file in a virtual host, before its own rules. Accept is compared by the media types that it
# names, not by their weights.
RewriteEngine On
AllowEncodedSlashes NoDecode
"""
Lines = Sequence[str] | Inexpressible


@dataclass(slots=True)
class ApacheExport:
    """Writes rewrite rules, and counts what they cannot express."""

    view: RegistryView
    archive: Archive
    names: int = 0
    rules: int = 0
    inexpressible: list[tuple[str, Words]] = field(default_factory=list)

    def lines(self, changes: Changes) -> Iterator[str]:
        """Yield the lines of the file. Raises RegistryUnavailable."""
        yield from _HEADING.splitlines()
        records = self._records(changes)
        below: list[tuple[int, str, Sequence[str]]] = []
        for record, values in sorted(records.items()):
            for name, media_types in names_of(record, values):
                yield from self._name(name, write_name(name, media_types, self.view))
            below.append((len(record), record, write_below(record, self.view)))
        below += [(len(prefix), prefix, write_below(prefix, self.view)) for prefix in changes.prefixes]
        blocks = [(length, lines) for length, _, lines in below if lines]
        blocks += [(len(subject.prefix), lines) for subject, lines in self._rules(changes)]
        # Stable: rules of one prefix keep their order.
        for _, lines in sorted(blocks, key=lambda block: -block[0]):
            yield from lines

    def _records(self, changes: Changes) -> Mapping[str, Values]:
        """Return the records that changed, and those that a changed rule or prefix applies to."""
        records = changes.names
        touched: dict[str, list[RuleSubject]] = {}
        for subject in (*changes.rules, *changes.removed):
            touched.setdefault(subject.prefix, []).append(subject)
        if not touched and not changes.prefixes:
            return records
        common = commonprefix([*touched, *changes.prefixes])  # noqa: RUF071  any beginning of names
        standing = self.archive.standing(common)
        return records | {
            name: values
            for name, values in standing
            if is_answering(values) and _is_touched(name, touched, changes.prefixes)
        }

    def _rules(self, changes: Changes) -> Iterator[tuple[RuleSubject, Sequence[str]]]:
        changed = [
            *changes.rules,
            *(
                subject
                for subject in changes.current
                if not subject.rule.is_pairing
                and any(subject.prefix.startswith(prefix) for prefix in changes.prefixes)
            ),
        ]
        subjects = {(subject.prefix, subject.rule.pattern.text): subject for subject in changed}
        for subject in sorted(subjects.values(), key=lambda each: each.rank, reverse=True):
            lines = self._rule(subject, subject.write(self.view))
            yield subject, [*self._before(subject, changes.current, subjects), *lines]
        for subject in sorted(changes.removed, key=lambda each: each.rank, reverse=True):
            yield subject, list(self._instead(subject, changes.current))

    def _before(
        self, subject: RuleSubject, current: Sequence[RuleSubject], written: Mapping[tuple[str, str], object]
    ) -> Iterator[str]:
        """Write the unchanged rules that win over a rule, for its names only."""
        winners = (each for each in current if each.rank > subject.rank and _overlap(each, subject))
        for winner in sorted(winners, key=lambda each: each.rank, reverse=True):
            if (winner.prefix, winner.rule.pattern.text) not in written and not winner.rule.is_pairing:
                yield from self._rule(winner, winner.write(self.view, [subject.condition()]))

    def _instead(self, removed: RuleSubject, current: Sequence[RuleSubject]) -> Iterator[str]:
        """Write what answers for the names of a rule that is no longer in force."""
        others = (each for each in current if not each.rule.is_pairing and _overlap(each, removed))
        for other in sorted(others, key=lambda each: each.rank, reverse=True):
            yield from self._rule(other, other.write(self.view, [removed.condition()]))
        absent = self.view.replies(f"{removed.prefix}{removed.rule.pattern.example()}")
        # With a fallback, the server itself answers for the names that are not registered.
        if not (isinstance(absent, Replies) and absent.default.status == HTTPStatus.TEMPORARY_REDIRECT):
            yield from removed.write_absent()

    def _name(self, name: str, written: Lines) -> Sequence[str]:
        self.names += not isinstance(written, Inexpressible)
        return self._noted(name, written)

    def _rule(self, subject: RuleSubject, written: Lines) -> Sequence[str]:
        name = f"{subject.prefix}{subject.rule.pattern.text}"
        if isinstance(written, Inexpressible):
            return self._noted(name, written)
        self.rules += 1
        omitted = self._noted(name, Inexpressible(subject.omitted)) if subject.omitted else ()
        return [*omitted, *written]

    def _noted(self, subject: str, written: Lines) -> Sequence[str]:
        if not isinstance(written, Inexpressible):
            return written
        self.inexpressible.append((subject, written.reason))
        return [f"# {subject}: {written.reason}"]


def _is_touched(name: str, touched: Mapping[str, Sequence[RuleSubject]], prefixes: set[str]) -> bool:
    for ancestor in ancestors_of(name):
        if ancestor in prefixes:
            return True
        rest = name[len(ancestor) :]
        if any(subject.rule.pattern.match(rest) is not None for subject in touched.get(ancestor, ())):
            return True
    return False


def _overlap(one: RuleSubject, other: RuleSubject) -> bool:
    """Return whether two rules have a name in common; True as well if that is too intricate to decide."""
    shorter, longer = sorted((one, other), key=lambda subject: len(subject.prefix))
    if not longer.prefix.startswith(shorter.prefix):
        return False
    beyond = longer.prefix[len(shorter.prefix) :]
    common = common_text(Language(shorter.rule.pattern), Language(longer.rule.pattern, beyond))
    return common is not None
