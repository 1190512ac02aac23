"""The names and rules whose answers may differ from those at an earlier moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ginuri.migration.apache_rules.subjects import RuleSubject
from ginuri.registry.model import RecordType
from ginuri.registry.reading import read_registered
from ginuri.registry.record.history import History
from ginuri.registry.record.stamps import Stamp

Values = Mapping[str, Any]
_TEXTS = frozenset({"title", "description", "properties", "links", "spatial", "contact", "homepage", "tests"})
_ABOUT = frozenset({"definition", "documentation", "grammar", "normalization", "registrant", "specification"})
_NO_ANSWER = _TEXTS | _ABOUT | {"part_of", "services", "triples", "successor", "reason", "requested_by"}
"""The fields that change no status and no target."""
_INHERITED = ("answered_by", "dereference", "default_media_type", "canonical_media_type", "broader", "case")
"""The fields that the answers for all names below depend on."""
_ANSWERING = frozenset({RecordType.RESOURCE, RecordType.ALIAS})
"""The types of records that lead anywhere but to their description."""


@dataclass(slots=True)
class Changes:
    """What changed since a moment, and the rules of today."""

    names: dict[str, Values] = field(default_factory=dict)
    """The names with records of their own that changed, and their values."""
    rules: list[RuleSubject] = field(default_factory=list)
    """The rules that are new or changed."""
    removed: list[RuleSubject] = field(default_factory=list)
    """The rules that are no longer in force."""
    prefixes: set[str] = field(default_factory=set)
    """The prefixes under which every answer may have changed."""
    current: list[RuleSubject] = field(default_factory=list)
    """All rules in force."""

    def add(self, history: History, since: str) -> None:
        """Compare the record of an identifier with the one before a moment."""
        name = history.identifier
        before = history.before(Stamp(since, "", "", 0))
        then = before.values() if before else {}
        now = record.values() if (record := history.at(_NOW)) else {}
        if _answering(now) != _answering(then) or bool(now) != bool(then):
            self._add_own(name, now, then)
        self._add_rules(name, now, then)

    def _add_own(self, name: str, now: Values, then: Values) -> None:
        if is_answering(now):
            self.names[name] = now
        if any(now.get(inherited) != then.get(inherited) for inherited in (*_INHERITED, "delegation")):
            self.prefixes.add(name)

    def _add_rules(self, name: str, now: Values, then: Values) -> None:
        ours, theirs = _rules(name, now), _rules(name, then)
        for pattern, subject in ours.items():
            self.current.append(subject)
            stated, before = now["rules"][pattern], then.get("rules", {}).get(pattern, {})
            if _answering(stated) == _answering(before):
                continue
            if subject.rule.is_pairing:
                self.prefixes.add(name)
            else:
                self.rules.append(subject)
        self.removed += [subject for pattern, subject in theirs.items() if pattern not in ours]


_NOW = "9999"


def _rules(name: str, values: Values) -> Mapping[str, RuleSubject]:
    stated = {
        pattern: read_registered(name, {"record": "rule", "rules": {pattern: rule}}, "").rules[0]
        for pattern, rule in values.get("rules", {}).items()
    }
    return {pattern: RuleSubject(name, rule) for pattern, rule in stated.items()}


def _answering(values: Values) -> Values:
    return {field: value for field, value in values.items() if field not in {*_NO_ANSWER, "rules"}}


def is_answering(values: Values) -> bool:
    """Return whether a record leads anywhere but to its description."""
    is_prefix = values.keys() <= {"rules", "delegation", "tests"}
    return not is_prefix and RecordType(values.get("record", RecordType.RESOURCE)) in _ANSWERING


def collect_changes(histories: Iterable[History], since: str) -> Changes:
    """Collect what changed since a moment; an empty one is before everything."""
    changes = Changes()
    for history in histories:
        changes.add(history, since)
    return changes
