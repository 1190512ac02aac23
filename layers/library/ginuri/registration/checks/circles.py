"""Redirects from one identifier of ours to another: followed to their end, so that none goes round for ever.

What an upload states is followed as it would be answered for once it is registered, without preferences
(docs/explanation/decisions/0025-redirects-that-come-back.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.folding import fold
from ginuri.identifiers.roots import printable_name
from ginuri.registration.checks.own_addresses import OwnAddresses
from ginuri.registration.rows import Registration
from ginuri.registration.verdicts import Finding, Level, refuse, warn
from ginuri.registry.model import Alias, Prefix, Registered, Representation, Resource, Rule, Status
from ginuri.registry.ports import NearNameReader
from ginuri.registry.reading import read_registered
from ginuri.registry.record.record import REPRESENTATIONS, RULES, Change, Path, Record
from ginuri.registry.statuses import STATUSES
from ginuri.registry.version_names import version_path
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Decision,
    NotNormal,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
    WrittenOtherwise,
)
from ginuri.resolution.resolve import Question, resolve
from ginuri.resolution.rules import find_rule

MOST_HOPS = 5
"""How many redirects to names of our own are followed; what goes on after these is refused."""
_FORMS = {*REPRESENTATIONS, *RULES}
_EXAMPLES = 5
"""How many names are tried as an example of what a rule answers for."""


@dataclass(frozen=True, slots=True)
class RedirectChain:
    """The identifiers that a client is led to, one after the other, each of them ours."""

    names: tuple[str, ...]
    ends: bool
    """Whether it comes to something else than another redirect to one of ours."""

    @property
    def is_circle(self) -> bool:
        """Whether it comes back to where it was before."""
        return self.names[-1] in self.names[:-1]

    def __str__(self) -> str:
        return " → ".join(map(printable_name, self.names))


class CircleFinder:
    """Follows what an upload states to where it leads."""

    def __init__(self, registry: NearNameReader, own: OwnAddresses, put: str) -> None:
        self._registry = registry
        self._own = own
        self._put = put

    def leads_back(self, record: Record | None) -> bool:
        """Tell, by what is known of hosts, whether a record leads to a host of ours by a location."""
        return record is not None and any(self._own.has(each) for each in locations_of(record))

    def may_close_one(
        self, change: Change, around: Mapping[str, Registered | None], beside: Collection[str] | None = None
    ) -> bool:
        """Tell, by what was read around it, whether a record may close a circle: few do, and are judged.

        An alias does where what it stands for leads on, or is not registered: a rule may answer. A form with
        an identifier does likewise, also where that is `beside` it in one batch; for None, in any case.
        """
        record = change.after
        if self.leads_back(record):
            return True
        others: Sequence[str] = record.get("stands_for") or ()
        if len(others) == 1 and self._leads_on(around.get(others[0])):
            return True
        names = _identifiers_of(record)
        if beside is None or _is_revived(change):
            return bool(names)
        # What was not read was not stated now: it closed none when it was.
        return any(name in beside or (name in around and self._leads_on(around[name])) for name in names)

    def rules_lead_back(self, record: Registered | None) -> bool:
        """Tell likewise whether rules on a prefix do."""
        return any(self._own.has(form.location or "") for form in _forms_of_rules(record))

    def _leads_on(self, record: Registered | None) -> bool:
        if not isinstance(record, Resource):
            return record is None or isinstance(record, Alias | Prefix)
        return any(form.identifier or self._own.has(form.location or "") for form in record.representations)

    def judge(self, record: Record, registration: Registration) -> dict[str | None, list[Finding]]:
        """Follow all that leads to names of ours in a record as it would be once it is registered.

        Gives what there is to say of each rule by its pattern, and of the identifier itself by None. Of two
        rules of the prefix that close a circle, the later one did. Raises RegistryUnavailable.
        """
        self._own.look_up(locations_of(record))
        held = read_registered(record.identifier, record.values(), record.modified.put)
        stated = {pattern for path in registration.statements if (pattern := _pattern(path)) is not None}
        kept = [rule for rule in held.rules if rule.pattern.text not in stated]
        findings: dict[str | None, list[Finding]] = {}
        for pattern in dict.fromkeys(map(_pattern, registration.statements)):
            rule = next((each for each in held.rules if each.pattern.text == pattern), None)
            if pattern is None or rule is None:
                continue
            beside = replace(held, rules=_most_literal_first([*kept, rule]))
            findings[pattern] = list(self._of_rule(rule, beside))
            kept += [] if any(each.level is Level.REFUSED for each in findings[pattern]) else [rule]
        alone = replace(held, rules=_most_literal_first(kept))
        match held:
            case Alias():
                findings[None] = list(self._of_alias(held, alone))
            case Resource():
                findings[None] = list(self._of_resource(held, alone, locations_of(registration)))
            case _:
                pass
        return {pattern: each for pattern, each in findings.items() if each}

    def _of_alias(self, alias: Alias, held: Registered) -> Iterator[Finding]:
        way = self._follower(held).follow(alias.identifier) if len(alias.stands_for) == 1 else None
        if way is not None and not way.ends:
            yield _refuse("stands_for", alias.stands_for[0], way)

    def _of_resource(self, resource: Resource, held: Registered, stated: Sequence[str]) -> Iterator[Finding]:
        follower = self._follower(held)
        for form in resource.representations:
            target = self._own.target(form.location) if form.location else form.identifier
            if target is None:
                continue
            way = follower.follow(_name(resource, form))
            if not way.ends:
                yield _refuse("location" if form.location else "identifier", form.location or target, way)
            elif form.location in stated:
                yield warn(
                    "location",
                    "leads back",
                    form.location,
                    "This web address leads back to this registry, to {identifier}. State that in "
                    "`identifier` instead of `location`.",
                    identifier=printable_name(target),
                )

    def _of_rule(self, rule: Rule, held: Registered) -> Iterator[Finding]:
        forms = rule.answer.representations
        leading = [form for form in forms if form.identifier or self._own.has(form.location or "")]
        if not leading:
            return
        follower = self._follower(held)
        way = follower.follow_rule(held.identifier, rule)
        if (
            way is None or len(way.names) == 1
        ):  # another always wins, or it is a page of ours that it leads to
            return
        location = leading[0].location or leading[0].identifier
        if not way.ends:
            yield _refuse("location", location, way)
        elif leading[0].location:
            yield warn(
                "location",
                "leads back",
                location,
                "This web address leads back to this registry: {way}. That costs every client a further "
                "redirect; where you can, state the web address it leads to in the end.",
                way=way,
            )

    def _follower(self, held: Registered) -> _Follower:
        return _Follower(_ProposedRegistry(self._registry, held), self._own, self._put)


class _ProposedRegistry:
    """The registry with one record as it would be."""

    def __init__(self, registry: NearNameReader, held: Registered) -> None:
        self._registry = registry
        self._held = held

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records. Raises RegistryUnavailable."""
        own = self._held.identifier
        read = self._registry.fetch([name for name in names if name != own])
        return {**read, own: self._held} if own in names else read

    def near(self, folded: str) -> Sequence[str]:
        """Give identifiers that fold to this, the one as well that may not be found yet."""
        own = self._held.identifier
        near = self._registry.near(folded)
        return [*near, own] if own not in near and fold(own) == folded else near


class _Follower:
    """Follows redirects, as the functions that answer would send them."""

    def __init__(self, reader: NearNameReader, own: OwnAddresses, put: str) -> None:
        self._finder = RememberingFinder(reader, lambda: 0.0)  # all that is read for one registration
        self._own = own
        self._put = put
        self._ways: dict[str, RedirectChain] = {}

    def follow(self, name: str) -> RedirectChain:
        """Follow the redirects from an identifier. Raises RegistryUnavailable."""
        if name not in self._ways:
            self._ways[name] = self._follow(name)
        return self._ways[name]

    def follow_rule(self, prefix: str, rule: Rule) -> RedirectChain | None:
        """Follow them from an identifier that a rule answers for; None where none is found."""
        for number in range(1, _EXAMPLES + 1):
            try:
                example = parse(f"{prefix}{rule.pattern.example(number)}")
            except MalformedIdentifier:  # longer than an identifier may be
                return None
            found = self._finder.find(example)
            ruled = find_rule(found) if found.record is None else None
            if ruled is not None and ruled[0] is rule:
                return self.follow(example.normal_form)
        return None

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
        """Give the identifier that the answer for one leads to; None where it leads to none of ours."""
        match self._decide(identifier):
            case NotNormal(meant):
                return meant.normal_form
            case AnsweredElsewhere(_, host) if identifier.is_bound:
                return self._target(identifier.uri(host))
            case StandsFor(target=target) | WrittenOtherwise(target=target) | SeeVersion(name=target):
                return target
            case SeeRepresentation(address=address):
                return self._target(address)
            case _:
                return None

    def _decide(self, identifier: Identifier) -> Decision:
        own = (self._own.canonical_host, identifier.root.strip("/") if identifier.is_bound else "")
        decision = self._resolve(identifier, own)
        if isinstance(decision, AnsweredElsewhere) and not identifier.is_bound:
            # Where that host is ours as well, it is the next to be asked for the same.
            address = identifier.uri(decision.host)
            self._own.look_up((address,))
            return self._resolve(identifier, (*own, decision.host)) if self._own.has(address) else decision
        return decision

    def _resolve(self, identifier: Identifier, hosts: Sequence[str]) -> Decision:
        question = Question(identifier, hosts)
        return resolve(question, self._finder, lambda: datetime.fromisoformat(self._put)).decision

    def _target(self, address: str) -> str | None:
        if address.startswith("//"):  # what is bound to a host, or a location on the host that was asked
            address = f"http:{address}"
        elif address.startswith("/"):  # one of our own names (`ginuri.identifiers.roots.path_of`)
            return parse(address).normal_form
        self._own.look_up((address,))
        return self._own.target(address)


def _identifiers_of(record: Record) -> list[str]:
    return [
        entry.value
        for path, entry in record.entries.items()
        if path[-1] == "identifier" and path[0] in _FORMS and entry.value
    ]


def _is_revived(change: Change) -> bool:
    """Tell whether a record answers with its forms again that did not."""
    return not _leads_on(change.before) and _leads_on(change.after)


def _leads_on(record: Record) -> bool:
    return STATUSES[Status(record.get("status") or Status.VALID)].leads_on


def locations_of(about: Record | Registration) -> list[str]:
    """Give all locations in a record, or that are stated for it, with the templates of its rules.

    Those of a record that were cleared are among them.
    """
    if isinstance(about, Registration):
        return [value for path, value in about.statements.items() if value and _is_location(path)]
    return [entry.value for path, entry in about.entries.items() if entry.value and _is_location(path)]


def registered_locations(record: Registered) -> list[str]:
    """Give the locations of what was read to be answered with, and the templates of its rules."""
    forms = (*(record.representations if isinstance(record, Resource) else ()), *_forms_of_rules(record))
    return [form.location for form in forms if form.location]


def _forms_of_rules(record: Registered | None) -> Iterator[Representation]:
    rules = record.rules if record is not None else ()
    return (form for rule in rules for form in rule.answer.representations)


def _is_location(path: Path) -> bool:
    return path[-1] == "location" and path[0] in _FORMS


def _pattern(path: Path) -> str | None:
    return path[1] if path[0] == RULES[0] else None


def _most_literal_first(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    return tuple(sorted(rules, key=lambda rule: rule.pattern.literalness, reverse=True))


def _name(resource: Resource, form: Representation) -> str:
    """Name what answers with a form, whatever other forms there are."""
    if form.part:
        return f"{resource.identifier}{form.part}"
    return version_path(resource.identifier, form.valid_from) if form.valid_from else resource.identifier


def _refuse(field: str, value: str | None, way: RedirectChain) -> Finding:
    if way.is_circle:
        return refuse(
            field,
            "itself" if way.names[0] == way.names[-1] else "circle",
            value,
            "This redirect goes round in a circle: {way}. State the web address of the resource itself.",
            way=way,
        )
    return refuse(
        field,
        "circle",
        value,
        "After {most} redirects this still leads to another identifier of this registry: {way}. State the "
        "web address where that ends.",
        most=MOST_HOPS,
        way=way,
    )
