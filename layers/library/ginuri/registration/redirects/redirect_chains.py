"""Follows redirects from one identifier in this registry to another.

They are followed without preferences, as the resolve function would answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ginuri.identifiers import Identifier, parse, read_identifier
from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import TooManySteps
from ginuri.identifiers.roots import printable_name
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.redirects.rule_targets import RuleReader, rules_for
from ginuri.registry.clock import ENDING
from ginuri.registry.model import Registered, Rule
from ginuri.registry.moments import records_at
from ginuri.registry.ports import MOST_MEMBERS, NamePage, NearNameReader
from ginuri.resolution.decision import Question
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Decision,
    NotNormal,
    PassedThrough,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
    WrittenOtherwise,
)
from ginuri.resolution.resolve import resolve
from ginuri.resolution.rules import find_rule

MOST_HOPS = 5
"""The most redirects to follow within this registry; a longer chain is refused."""
_EXAMPLES = 5
"""The most identifiers to try to find one that a rule answers."""


@dataclass(frozen=True, slots=True)
class RedirectChain:
    """The identifiers in this registry that a client is redirected to, in order."""

    names: tuple[str, ...]
    ends: bool
    """Whether the last one does not redirect to an identifier in this registry."""

    @property
    def is_circle(self) -> bool:
        """Whether the chain returns to an earlier identifier."""
        return self.names[-1] in self.names[:-1]

    def __str__(self) -> str:
        return " → ".join(map(printable_name, self.names))


class RedirectReader(NearNameReader, RuleReader, Protocol):
    """Reads all that redirects depend on."""


class ProposedRegistry:
    """The registry as it would be with one proposed record."""

    def __init__(self, registry: RedirectReader, proposed: Registered) -> None:
        self._registry = registry
        self._proposed = proposed

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records as they will be. Raises RegistryUnavailable."""
        proposed = self._proposed.identifier
        records = records_at(self._registry.fetch([name for name in names if name != proposed]), ENDING)
        return {**records, proposed: self._proposed} if proposed in names else records

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """List the beginnings of registered rules. Raises RegistryUnavailable."""
        return self._registry.beginnings(prefix, start, after, most)

    def near(self, folded: str) -> Sequence[str]:
        """Return the identifiers that fold to a text, the proposed one included.

        Raises RegistryUnavailable.
        """
        proposed = self._proposed.identifier
        names = self._registry.near(folded)
        return [*names, proposed] if proposed not in names and fold(proposed) == folded else names

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        """Return registered identifiers in a container. Raises RegistryUnavailable."""
        return self._registry.beside(container, name, is_after=is_after)


class RedirectFollower:
    """Follows the redirects that the resolve function would send."""

    def __init__(
        self, reader: RedirectReader, own_addresses: OwnAddresses, put: str, passed: dict[str, None]
    ) -> None:
        """Take a collection for the identifiers whose answers are decided."""
        self._reader = reader
        self._finder = RememberingFinder(
            reader, lambda: 0.0
        )  # one follower serves one registration, so nothing it remembers expires
        self._own_addresses = own_addresses
        self._put = datetime.fromisoformat(put)
        self._chains: dict[str, RedirectChain] = {}
        self._passed = passed

    def follow(self, name: str) -> RedirectChain:
        """Follow the redirects from an identifier. Raises RegistryUnavailable."""
        if name not in self._chains:
            self._chains[name] = self._follow(name)
        return self._chains[name]

    def follow_rule(self, prefix: str, rule: Rule) -> RedirectChain | None:
        """Follow the redirects from an example of a rule's identifiers; None without an example.

        Raises RegistryUnavailable.
        """
        for number in range(1, _EXAMPLES + 1):
            example = read_identifier(f"{prefix}{rule.pattern.example(number)}")
            if example is None:  # longer than an identifier may be
                return None
            match = self._finder.find(example, self._put)
            try:
                winner = find_rule(match) if match.record is None else None
            except TooManySteps:  # a request for it is not redirected either
                continue
            if winner is not None and winner[0] is rule:
                return self.follow(example.normal_form)
        return None

    def rules_of(self, begin: str) -> list[tuple[str, Rule]]:
        """Return the rules that may answer names with a beginning, each with its prefix.

        Raises RegistryUnavailable.
        """
        return rules_for(begin, self._reader)

    def _follow(self, name: str) -> RedirectChain:
        names = [name]
        while len(names) <= MOST_HOPS + 1:
            following = self._next(parse(names[-1]))
            if following is None:
                return RedirectChain(tuple(names), ends=True)
            names.append(following)
            if following in names[:-1]:
                break
        return RedirectChain(tuple(names), ends=False)

    def _next(self, identifier: Identifier) -> str | None:
        """Return the identifier in this registry that the answer redirects to, if any."""
        self._passed[identifier.normal_form] = None
        match self._decide(identifier):
            case NotNormal(meant):
                return meant.normal_form
            case AnsweredElsewhere(_, host) if identifier.is_bound:
                return self._target(identifier.uri(host))
            case StandsFor(target=target) | WrittenOtherwise(target=target) | SeeVersion(name=target):
                return target
            case SeeRepresentation(address=address) | PassedThrough(address=address):
                return self._target(address)
            case _:
                return None

    def _decide(self, identifier: Identifier) -> Decision:
        hosts = (
            identifier.root.strip("/") if identifier.is_bound else "",
            self._own_addresses.canonical_host,
        )
        decision = self._resolve(identifier, hosts)
        if isinstance(decision, AnsweredElsewhere) and not identifier.is_bound:
            # If that host belongs to this registry too, the client requests the same identifier there.
            address = identifier.uri(decision.host)
            self._own_addresses.look_up((address,))
            return (
                self._resolve(identifier, (*hosts, decision.host))
                if self._own_addresses.has(address)
                else decision
            )
        return decision

    def _resolve(self, identifier: Identifier, hosts: Sequence[str]) -> Decision:
        return resolve(Question(identifier, self._put, hosts), self._finder).decision

    def _target(self, address: str) -> str | None:
        if address.startswith("//"):  # bound to a host, or relative to the scheme
            address = f"http:{address}"
        elif address.startswith("/"):  # an identifier on this host (`ginuri.identifiers.roots.path_of`)
            return parse(address).normal_form
        self._own_addresses.look_up((address,))
        return self._own_addresses.target(address)
