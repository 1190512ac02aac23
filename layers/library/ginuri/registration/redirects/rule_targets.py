"""Names under a rule whose redirects other rules of this registry answer.

The names that a location template can produce are compared with the patterns of rules, so that a loop is
found even if only a few names of a rule take part in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.roots import ancestors_of, root_of
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registry.model import Rule, RuleCuts
from ginuri.registry.ports import MOST_FETCHED, BeginningLister, RecordReader
from ginuri.registry.rules.beginnings import cover_of, record_of_beginning, records_above
from ginuri.registry.rules.comparison import Language, common_text
from ginuri.registry.rules.grammar import ALL, REST, Element, Option, Piece, mask_of, pieces_of
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import expand, variables

MOST_COMPARED = 300
"""The most pairs of a location and a rule that are compared for one rule."""
MOST_BELOW = 100
"""The most longer beginnings of rules of one prefix that a location may lead to."""
MOST_DEEP = 3
"""The most rules in a row, before the names of the first one are found by following examples only."""
_PATH = re.compile(r"https?://[^/?#{}]*((?:/(?:[^?#{}]|\{[+./]?[A-Za-z0-9_,]+\})*)?)", re.IGNORECASE)
_EXPRESSION = re.compile(r"\{([+./]?)([A-Za-z0-9_,]+)\}")
_UNRESERVED = mask_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class RuleTarget:
    """The names in this registry that the location of a rule can lead to."""

    prefix: str
    rule: Rule
    names: Pattern
    """The pattern of the whole names; its pieces are numbered."""
    variables: Mapping[str, str]
    """The variable of each piece."""

    @property
    def begin(self) -> str:
        """The literal text that all names begin with."""
        first = self.names.elements[0]
        return first if isinstance(first, str) else ""

    def origin_of(self, name: str) -> str | None:
        """Return a name of the rule that leads to a name; None if this location cannot lead there."""
        pieces = self.names.match(name)
        if pieces is None:
            return None
        values: dict[str, str] = {}
        for number, variable in self.variables.items():
            values.setdefault(variable, pieces[number])
        whole = values.get(ALL) or (None if _has_piece(self.rule.pattern, REST) else values.get(REST))
        rest = whole or "".join(_fill(element, values) for element in self.rule.pattern.elements)
        return f"{self.prefix}{rest}" if self.rule.pattern.match(rest) is not None else None


def targets_of(prefix: str, rule: Rule, own_addresses: OwnAddresses) -> Iterator[RuleTarget]:
    """Yield the names in this registry that the locations of a rule lead to. Raises RegistryUnavailable."""
    own_addresses.look_up(form.location for form in rule.answer.representations if form.location)
    for form in rule.answer.representations:
        location = form.location or ""
        path = _PATH.match(location) if own_addresses.has(location) else None
        if path is None:
            continue
        example = own_addresses.target(expand(location, dict.fromkeys(variables(location), "x")))
        if example is None:
            continue
        written = f"{root_of(example)[:-1]}{path[1]}" if example.startswith("//") else path[1][1:]
        yield _target(
            prefix, rule, written.replace("ark:/", "ark:", 1) if example.startswith("ark:") else written
        )


def _target(prefix: str, rule: Rule, written: str) -> RuleTarget:
    numbers, variable_by_piece = count(), dict[str, str]()

    def as_pieces(expression: re.Match[str]) -> str:
        sign, names = expression[1], expression[2].split(",")
        written = []
        for name in names:
            piece = f"v{next(numbers)}"
            variable_by_piece[piece] = name
            written.append(_written_piece(rule.pattern, name, piece, takes_reserved=sign == "+"))
        separator = sign if sign in {"/", "."} else ","
        return (separator if sign in {"/", "."} else "") + separator.join(written)

    names = Pattern(_EXPRESSION.sub(as_pieces, normalise_escapes(written)))
    return RuleTarget(prefix, rule, names, variable_by_piece)


def _written_piece(pattern: Pattern, variable: str, name: str, *, takes_reserved: bool) -> str:
    """Write the values of a variable as a piece; one that may be escaped takes any text."""
    piece = next((piece for piece in pieces_of(pattern.elements) if piece.name == variable), None)
    if piece is not None and not piece.type.takes_escapes:
        is_unescaped = takes_reserved or not piece.type.symbols & ~_UNRESERVED
        stated = re.search(rf"\{{{variable}:([^{{}}]*)\}}", pattern.text)
        if is_unescaped and stated is not None:
            return f"{{{name}:{stated[1]}}}"
    takes_slashes = takes_reserved and (piece is None or piece.type.takes_slashes)
    return f"{{+{name}}}" if takes_slashes else f"{{{name}}}"


def _has_piece(pattern: Pattern, name: str) -> bool:
    return any(piece.name == name for piece in pieces_of(pattern.elements)) and bool(pattern.text)


def _fill(element: Element, values: Mapping[str, str]) -> str:
    if isinstance(element, str):
        return element
    if isinstance(element, Option):
        is_there = all(piece.name in values for piece in pieces_of(element.elements))
        return "".join(_fill(inner, values) for inner in element.elements) if is_there else ""
    return _value(element, values)


def _value(piece: Piece, values: Mapping[str, str]) -> str:
    value = values.get(piece.name)
    return Pattern(f"{{{piece.name}}}").example() if value is None else value


class RuleReader(RecordReader, BeginningLister, Protocol):
    """Reads rules, and lists their beginnings."""


FindRules = Callable[[str], Sequence[tuple[str, Rule]]]
"""Finds the rules that may answer names with a beginning, each with its prefix."""


def rules_for(begin: str, registry: RuleReader) -> list[tuple[str, Rule]]:
    """Return the rules that may answer names with a beginning, each with its prefix.

    Of longer literal beginnings, the first `MOST_BELOW` of each prefix are included.
    Raises RegistryUnavailable.
    """
    cover, prefixes = cover_of(root_of(begin)), ancestors_of(f"{begin}x")
    above = registry.fetch((*prefixes, cover))
    cuts = above.get(cover)
    names = records_above(begin, root_of(begin), cuts.cuts) if isinstance(cuts, RuleCuts) else []
    for prefix in prefixes if isinstance(cuts, RuleCuts) else ():
        page = registry.beginnings(prefix, begin[len(prefix) :].lower(), most=MOST_BELOW)
        names += (record_of_beginning(prefix, beginning) for beginning in page.names)
    names = list(dict.fromkeys(names))
    records = [above[prefix] for prefix in prefixes if prefix in above]
    for start in range(0, len(names), MOST_FETCHED):
        records += registry.fetch(names[start : start + MOST_FETCHED]).values()
    return [(rule.prefix, rule) for record in records for rule in record.rules if rule.prefix in prefixes]


def names_led_to_rules(
    prefix: str, rule: Rule, own_addresses: OwnAddresses, find_rules: FindRules
) -> Iterator[str]:
    """Yield names of a rule, one for each rule that may answer after a few redirects.

    Raises RegistryUnavailable.
    """
    ways = [[target] for target in targets_of(prefix, rule, own_addresses)]
    compared = 0
    for way in ways:  # it grows meanwhile: the shortest ways come first
        last = way[-1]
        met = [(step.prefix, step.rule) for step in way]
        for other_prefix, other in [*met, *(pair for pair in find_rules(last.begin) if pair not in met)]:
            compared += 1
            if compared > MOST_COMPARED:
                return
            common = common_text(Language(last.names), Language(other.pattern, other_prefix))
            if not isinstance(common, str):
                continue
            if (name := _begin_of(way, common)) is not None:
                yield name
            if len(way) < MOST_DEEP and (other_prefix, other) not in met:
                ways += [[*way, target] for target in targets_of(other_prefix, other, own_addresses)]


def _begin_of(way: Sequence[RuleTarget], name: str) -> str | None:
    """Return the name that a way to another name begins with; None if no single one leads along all of it."""
    origin: str | None = name
    for step in reversed(way):
        origin = step.origin_of(origin) if origin is not None else None
    return origin
