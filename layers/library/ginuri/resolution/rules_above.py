"""The rules that may match a name: those of its prefixes, and those with a literal beginning of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ginuri.identifiers.roots import ancestors_of, root_of
from ginuri.registry.model import Registered, Rule, RuleCuts
from ginuri.registry.rules.beginnings import cover_of, records_above


def rules_above(name: str, records: Mapping[str, Registered]) -> Iterator[tuple[str, Sequence[Rule]]]:
    """Yield the prefixes of a name with their rules: the longest, and the most literal of one, first."""
    others = _others(name, records)
    for prefix in reversed(ancestors_of(name)):
        holder = records.get(prefix)
        own: Sequence[Rule] = holder.rules if holder is not None else ()
        apart = [rule for record in others for rule in record.rules if rule.prefix == prefix]
        if apart:
            # Two rules that match one name are never equally literal.
            own = sorted((*own, *apart), key=lambda rule: rule.pattern.rank, reverse=True)
        yield prefix, own


def _others(name: str, records: Mapping[str, Registered]) -> list[Registered]:
    """Return the records with the rules of the beginnings of a name."""
    root = root_of(name)
    cover = records.get(cover_of(root))
    if not isinstance(cover, RuleCuts):
        return []
    return [record for above in records_above(name, root, cover.cuts) if (record := records.get(above))]
