"""Refuses loops and endless chains of redirects among identifiers in this registry.

They are followed as they would be answered after the upload
(docs/explanation/decisions/0025-redirects-that-come-back.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ginuri.identifiers.roots import printable_name
from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.redirects.redirect_chains import (
    MOST_HOPS,
    ProposedRegistry,
    RedirectChain,
    RedirectFollower,
    RedirectReader,
)
from ginuri.registration.redirects.rule_targets import names_led_to_rules
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, is_refused, refuse, warn
from ginuri.registry.clock import ENDING
from ginuri.registry.model import Alias, Registered, Representation, Resource, Rule
from ginuri.registry.moments import values_at
from ginuri.registry.reading import read_registered
from ginuri.registry.record.record import Record
from ginuri.registry.version_names import version_path

_SUFFIXES = ("/1", ".1")
"""Examples of suffixes of an ARK that passes them on."""
_MOST_FOLLOWED = 20
"""The most names of a rule that are followed because another rule may answer their targets."""


class RedirectJudge:
    """Follows the redirects of one proposed record."""

    def __init__(
        self, registry: RedirectReader, own_addresses: OwnAddresses, put: str, passed: dict[str, None]
    ) -> None:
        """Take a collection for the identifiers that the redirects pass."""
        self._registry = registry
        self._own_addresses = own_addresses
        self._put = put
        self._passed = passed

    def judge(
        self, record: Record, registration: Registration, stated_locations: Sequence[str]
    ) -> dict[str | None, list[Finding]]:
        """Return the findings on each rule by its pattern, and on the record itself by None.

        If two rules of the prefix close a loop, the later one is refused. Raises RegistryUnavailable.
        """
        proposed = read_registered(record.identifier, values_at(record.values(), ENDING), record.modified.put)
        stated_patterns, prefix = registration.statements.rules(), registration.identifier.normal_form
        stated: dict[str, Rule] = {}
        accepted: list[Rule] = []
        for rule in proposed.rules:
            if rule.prefix == prefix and rule.pattern.text in stated_patterns:
                stated[rule.pattern.text] = rule
            else:
                accepted.append(rule)
        findings: dict[str | None, list[Finding]] = {}
        for pattern in stated_patterns:
            if pattern not in stated:
                continue
            rule = stated[pattern]
            with_rule = replace(proposed, rules=_most_literal_first([*accepted, rule]))
            findings[pattern] = list(self._judge_rule(rule, with_rule))
            accepted += [] if is_refused(findings[pattern]) else [rule]
        with_accepted = replace(proposed, rules=_most_literal_first(accepted))
        match proposed:
            case Alias():
                findings[None] = list(self._judge_alias(proposed, with_accepted))
            case Resource():
                findings[None] = list(self._judge_resource(proposed, with_accepted, stated_locations))
            case _:
                pass
        return {pattern: found for pattern, found in findings.items() if found}

    def _judge_alias(self, alias: Alias, proposed: Registered) -> Iterator[Finding]:
        chain = self._follower(proposed).follow(alias.identifier) if len(alias.stands_for) == 1 else None
        if chain is not None and not chain.ends:
            yield _refuse("stands_for", alias.stands_for[0], chain)

    def _judge_resource(
        self, resource: Resource, proposed: Registered, stated_locations: Sequence[str]
    ) -> Iterator[Finding]:
        follower = self._follower(proposed)
        for form in resource.representations:
            target = self._own_addresses.target(form.location) if form.location else form.identifier
            if target is None:
                continue
            chain = _follow_all(follower, resource, form)
            if not chain.ends:
                yield _refuse("location" if form.location else "identifier", form.location or target, chain)
            elif form.location in stated_locations:
                yield warn(
                    "location",
                    "leads back",
                    form.location,
                    "This web address leads back to this registry, to {identifier}. State that in "
                    "`identifier` instead of `location`.",
                    identifier=printable_name(target),
                )

    def _judge_rule(self, rule: Rule, proposed: Registered) -> Iterator[Finding]:
        forms = rule.answer.representations
        own_forms = [
            form for form in forms if form.identifier or self._own_addresses.has(form.location or "")
        ]
        if not own_forms:
            return
        follower = self._follower(proposed)
        chain = follower.follow_rule(rule.prefix, rule)
        location = own_forms[0].location or own_forms[0].identifier
        led = names_led_to_rules(rule.prefix, rule, self._own_addresses, follower.rules_of)
        chains = [*([] if chain is None else [chain]), *map(follower.follow, islice(led, _MOST_FOLLOWED))]
        endless = next((each for each in chains if not each.ends), None)
        if endless is not None:
            yield _refuse("location", location, endless)
        # Without a chain it is never chosen; with a short one it is located on a page of this service.
        elif chain is not None and len(chain.names) > 1 and own_forms[0].location:
            yield warn(
                "location",
                "leads back",
                location,
                "This web address leads back to this registry: {way}. That costs every client a further "
                "redirect; where you can, state the web address it leads to in the end.",
                way=chain,
            )

    def _follower(self, proposed: Registered) -> RedirectFollower:
        registry = ProposedRegistry(self._registry, proposed)
        return RedirectFollower(registry, self._own_addresses, self._put, self._passed)


def _most_literal_first(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    return tuple(sorted(rules, key=lambda rule: rule.pattern.rank, reverse=True))


def _name(resource: Resource, form: Representation) -> str:
    """Return the identifier that answers with this form alone."""
    if form.part:
        return f"{resource.identifier}{form.part}"
    return version_path(resource.identifier, form.valid_from) if form.valid_from else resource.identifier


def _follow_all(follower: RedirectFollower, resource: Resource, form: Representation) -> RedirectChain:
    """Follow a form, and for an ARK also a passed suffix; return the first chain that does not end."""
    name = _name(resource, form)
    chains = [follower.follow(name)]
    if name == resource.identifier and name.startswith("ark:"):
        chains += [follower.follow(f"{name}{suffix}") for suffix in _SUFFIXES]
    return next((chain for chain in chains if not chain.ends), chains[0])


def _refuse(field: str, value: str | None, chain: RedirectChain) -> Finding:
    if chain.is_circle:
        return refuse(
            field,
            "itself" if chain.names[0] == chain.names[-1] else "circle",
            value,
            "This redirect goes round in a circle: {way}. State the web address of the resource itself.",
            way=chain,
        )
    return refuse(
        field,
        "circle",
        value,
        "After {most} redirects this still leads to another identifier of this registry: {way}. State the "
        "web address where that ends.",
        most=MOST_HOPS,
        way=chain,
    )
