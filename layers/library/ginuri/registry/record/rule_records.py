"""Records with the rules of one literal beginning, which may be of several prefixes.

In such a record, the prefix of a rule precedes its pattern, with a space between them: neither contains one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ginuri.registry.record.answer_tests import Values
from ginuri.registry.record.grant_records import is_grant_record, prefix_of_grants, record_of_grants
from ginuri.registry.record.history import History, Statement
from ginuri.registry.record.record import Change, Entries, Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import (
    ELSEWHERE,
    FIRST,
    OF_RECORD,
    RECORD_FIRST,
    JsonValue,
    Key,
    RecordPlace,
    Statements,
    of_rule,
)
from ginuri.registry.rules.beginnings import STORED, beginning_of

MOST_PREFIXES = 30
"""The most prefixes whose cuts are stored apart; those of further ones count for all prefixes."""
_CUTS = "cuts"
_ELSEWHERE = Key(of_rule(ELSEWHERE), None, FIRST)


def is_rule_record(name: str) -> bool:
    """Return whether a name is that of a record with rules, or with cuts, rather than an identifier."""
    return name.startswith(STORED)


def has_rules_elsewhere(record: Record) -> bool:
    """Return whether rules of a prefix are in other records than its own."""
    return _ELSEWHERE in record.entries


def raise_revision(prefix: Record, stamp: Stamp) -> Change:
    """Return the change that gives a prefix another revision, because a rule in another record changed."""
    return apply(prefix, {_ELSEWHERE: 0}, stamp)


def states_first(prefix: Record | None, stamp: Stamp) -> bool:
    """Return whether a stamp is the earliest of the rules of a prefix, which then keeps it."""
    known = prefix.entries.get(_ELSEWHERE) if prefix is not None else None
    return known is None or stamp < known.stamp


def put_under(prefix: str, statements: Mapping[Key, JsonValue]) -> Statements:
    """Return the statements about rules of a prefix as a record with a beginning has them."""
    return Statements({_put_under(prefix, key): value for key, value in statements.items()})


def _put_under(prefix: str, key: Key) -> Key:
    pattern = key.place.pattern
    return key if pattern is None else key._replace(place=place_in_rule_record(prefix, pattern))


def place_in_rule_record(prefix: str, pattern: str) -> RecordPlace:
    """Return the place of a rule in a record with a beginning."""
    return of_rule(f"{prefix} {pattern}")


def read_key(key: Key) -> tuple[str, Key]:
    """Return the prefix of a rule in a record with a beginning, and the key without it."""
    prefix, _, pattern = (key.place.pattern or "").partition(" ")
    return prefix, key._replace(place=of_rule(pattern))


def rules_of(record: Record, prefix: str) -> Record:
    """Return the rules of one prefix in a record with a beginning, as a record of that prefix."""
    return replace(record, identifier=prefix, entries=entries_of(record.entries, prefix))


def entries_of(entries: Entries, prefix: str) -> Entries:
    """Return the entries of one prefix in a record with a beginning, and the one that is of no rule."""
    start = f"{prefix} "
    return {
        key if key.place == OF_RECORD else read_key(key)[1]: entry
        for key, entry in entries.items()
        if key == RECORD_FIRST or (key.place.pattern or "").startswith(start)
    }


def prefixes_in(entries: Entries) -> list[str]:
    """Return the prefixes of the rules in a record with a beginning, in the order of their registration."""
    patterns = (key.place.pattern for key in entries)
    return list(dict.fromkeys(pattern.partition(" ")[0] for pattern in patterns if pattern))


def listed_beginnings(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the prefixes that have rules in a record, each with the beginning that leads there."""
    whole = record.identifier.removeprefix(STORED)
    return ((prefix, whole[len(prefix) :]) for prefix in prefixes_in(record.entries))


def standing_under(
    prefix: str, stored: Iterable[tuple[str, Values]], *, with_grants: bool
) -> Iterator[tuple[str, Values]]:
    """Yield the values of the identifiers under a prefix; rules in other records come by themselves.

    So do the grants on prefixes, if they are wanted.
    """
    for name, values in stored:
        if is_grant_record(name) and not with_grants:
            continue
        several = (
            values_by_prefix(values).items() if is_rule_record(name) else [(prefix_of_grants(name), values)]
        )
        yield from (each for each in several if each[0].startswith(prefix))


def merge_rules(standing: Iterable[tuple[str, Values]]) -> dict[str, Values]:
    """Return the values of each identifier with all its rules, for registries that fit into memory."""
    merged: dict[str, Values] = {}
    for name, values in standing:
        before = merged.get(name, {})
        rules = {**_rules_in(before), **_rules_in(values)}
        merged[name] = {**before, **values, **({"rules": rules} if rules else {})}
    return merged


def histories_under(prefix: str, stored: Iterable[History], *, with_grants: bool) -> Iterator[History]:
    """Yield the histories of the identifiers under a prefix; rules in other records have their own.

    So do the grants on prefixes, if they are wanted.
    """
    for history in stored:
        name = history.identifier
        if is_grant_record(name) and not with_grants:
            continue
        own = replace(history, identifier=prefix_of_grants(name))
        several = histories_by_prefix(history) if is_rule_record(name) else [own]
        yield from (each for each in several if each.identifier.startswith(prefix))


def record_names_under(prefix: str) -> tuple[str, str, str]:
    """Return the beginnings of the names of records under a prefix: identifiers, their rules, and grants."""
    return prefix, f"{STORED}{prefix.lower()}", record_of_grants(prefix)


def values_by_prefix(values: Values) -> dict[str, Values]:
    """Return the values of a record with a beginning by prefix, each as those of the record of its prefix."""
    divided: dict[str, dict[str, JsonValue]] = {}
    for stored, rule in _rules_in(values).items():
        prefix, _, pattern = stored.partition(" ")
        divided.setdefault(prefix, {})[pattern] = rule
    return {prefix: {"rules": rules} for prefix, rules in divided.items()}


def _rules_in(values: Values) -> Values:
    rules = values.get("rules")
    return rules if isinstance(rules, dict) else {}


def histories_by_prefix(history: History) -> Iterator[History]:
    """Divide the history of a record with a beginning into those of the prefixes of its rules."""
    divided: dict[str, list[Statement]] = {}
    for statement in history.statements:
        if statement.key.place != OF_RECORD:
            prefix, key = read_key(statement.key)
            divided.setdefault(prefix, []).append(replace(statement, key=key))
    return (History(prefix, tuple(statements)) for prefix, statements in divided.items())


def history_of(prefix: str, history: History) -> History:
    """Return the history of the rules of one prefix in a record with a beginning."""
    several = (each for each in histories_by_prefix(history) if each.identifier == prefix)
    return next(several, History(prefix, ()))


def merge_histories(histories: Sequence[History]) -> History:
    """Return the statements of several histories of one identifier as one, in order."""
    statements = [statement for history in histories for statement in history.statements]
    return History(histories[0].identifier, tuple(sorted(statements, key=lambda each: each.stamp)))


def add_cuts(cover: Record, patterns: Iterable[tuple[str, str]], stamp: Stamp) -> Change | None:
    """Return the change that adds the cuts of rules, by prefix and pattern; None if it has all of them.

    >>> stated = [("//id.example/", "a_{id}"), ("//id.example/obo/", "{id}")]
    >>> change = add_cuts(Record("rules //id.example/", {}), stated, Stamp("", "", "", 1))
    >>> change and change.after.values()
    {'cuts': {'//id.example/ _': True}}
    """
    known = {key.member for key in cover.entries if key.field == _CUTS and key.member}
    added: dict[Key, JsonValue] = {}
    for prefix, pattern in patterns:
        sign = beginning_of(prefix, pattern)[-1:]
        prefixes = {member.partition(" ")[0] for member in known}
        is_apart = prefix in prefixes or len(prefixes - {""}) < MOST_PREFIXES
        member = f"{prefix if is_apart else ''} {sign}"
        if sign and member not in known:
            known.add(member)
            added[Key(OF_RECORD, None, _CUTS, member)] = True
    return apply(cover, added, stamp) if added else None
