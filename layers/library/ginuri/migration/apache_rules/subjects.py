"""The names and rules of a registry that rewrite rules are written for, and the replies to each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from ginuri.frozen import replace
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.messages import Words, message
from ginuri.migration.apache_rules.directives import (
    Condition,
    ends_with_slash,
    for_address,
    on,
    write_replies,
)
from ginuri.migration.apache_rules.expressions import (
    RESERVED,
    Wanted,
    escape,
    expressions_of,
    takes_reserved,
)
from ginuri.migration.apache_rules.replies import Inexpressible, Replies, Reply, collect_replies
from ginuri.registry.model import Prefix, Rule
from ginuri.registry.ports import Finder, Found
from ginuri.registry.rules.grammar import pieces_of
from ginuri.registry.rules.templates import expand, variables
from ginuri.resolution.decision import Question, decide
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import Decision, Versioned
from ginuri.resolution.resolve import resolve

_VARIABLE = "zz{}zz"
"""A text in place of a variable, which no escape changes."""


@dataclass(frozen=True, slots=True)
class RegistryView:
    """The registry at a moment."""

    finder: Finder
    moment: datetime
    canonical_host: str

    def question(self, identifier: Identifier, preferences: Preferences, query: str) -> Question:
        """Return the question of a request for an identifier."""
        hosts = (host_of(identifier.normal_form) or self.canonical_host,)
        return Question(identifier, self.moment, hosts, preferences, query)

    def replies(self, name: str, media_types: Sequence[str] = ()) -> Replies | Inexpressible:
        """Return the replies to requests for a name that is offered in these media types."""
        identifier = parse(spelled(name))

        def ask(preferences: Preferences, query: str) -> Decision:
            return resolve(self.question(identifier, preferences, query), self.finder).decision

        return collect_replies(ask, media_types, self.canonical_host)


def host_of(name: str) -> str:
    """Return the host that a name in normal form is bound to; empty for none."""
    return name[2:].partition("/")[0] if name.startswith("//") else ""


def spelled(name: str) -> str:
    """Spell a normal form as an identifier that can be parsed."""
    return f"http:{name}" if name.startswith("//") else name


def path_expression(name: str) -> str:
    """Return the expression of the path of a name, in normal form.

    The slash after `ark:` may be there or not (draft-kunze-ark §2.1).
    """
    path = name[name.index("/", 2) :] if name.startswith("//") else f"/{name}"
    return escape(path).replace("/ark:", "/ark:/?", 1) if name.startswith("ark:") else escape(path)


@dataclass(frozen=True, slots=True)
class RuleSubject:
    """A rule and its prefix."""

    prefix: str
    rule: Rule

    @property
    def host(self) -> str:
        """The host of its names; empty for none."""
        return host_of(self.prefix)

    @property
    def rank(self) -> tuple[int, tuple[tuple[int, ...], str]]:
        """Its place: the greatest of those that match a name answers."""
        return len(self.prefix), self.rule.pattern.rank

    def write_absent(self) -> Iterator[str]:
        """Write the rule that its names do not exist."""
        replies = Replies(Reply(HTTPStatus.NOT_FOUND), {})
        return write_replies(replies, [*on(self.host), self.condition()], {}, self.host)

    def condition(self) -> Condition:
        """Return the condition that a request is for a name of the rule."""
        [expression] = expressions_of(self.rule.pattern, Wanted((), ()))
        return for_address(f"{path_expression(self.prefix)}{expression.text}")

    def write(self, view: RegistryView, within: Sequence[Condition] = ()) -> Sequence[str] | Inexpressible:
        """Write the rewrite rules, for the names that fulfil further conditions as well."""
        lines: list[str] = []
        wanted = self._wanted()
        for expression in expressions_of(self.rule.pattern, wanted):
            address = for_address(f"{path_expression(self.prefix)}{expression.text}")
            by_ending = self._by_ending(view, expression.groups)
            if isinstance(by_ending, Inexpressible):
                return by_ending
            groups = {_VARIABLE.format(name): number for name, number in expression.groups.items()}
            for ending, replies in by_ending:
                conditions = [*on(self.host), *within, *ending, address]
                lines += write_replies(replies, conditions, groups, self.host)
        return lines

    def _by_ending(
        self, view: RegistryView, known: Mapping[str, int]
    ) -> Sequence[tuple[Sequence[Condition], Replies]] | Inexpressible:
        """Return the replies to names with a final slash and to others, or those to all."""
        # Things and documents get different statuses, and the final slash distinguishes them.
        examples = dict.fromkeys(
            example
            for number in (1, 2)
            for end in ("", "/")
            if self.rule.pattern.match(example := f"{self.rule.pattern.example(number).rstrip('/')}{end}")
        )
        found: dict[bool, Replies] = {}
        for example in examples:
            replies = self._ask(example, view, known)
            if isinstance(replies, Inexpressible):
                return replies
            found.setdefault(example.endswith("/"), replies)
        if len({repr(replies) for replies in found.values()}) == 1:
            return [((), next(iter(found.values())))]
        return [((ends_with_slash(ends=ends),), replies) for ends, replies in found.items()]

    def _ask(self, example: str, view: RegistryView, known: Mapping[str, int]) -> Replies | Inexpressible:
        identifier = parse(spelled(f"{self.prefix}{example}"))
        found = self._alone(view.finder.find(identifier, view.moment), known)
        media_types = [form.media_type for form in self.rule.answer.representations if form.media_type]

        def ask(preferences: Preferences, query: str) -> Decision | Versioned:
            return decide(found, view.question(identifier, preferences, query))

        return collect_replies(ask, media_types, view.canonical_host)

    def _alone(self, found: Found, known: Mapping[str, int]) -> Found:
        """Return what is found for an example if this is the only rule, with tokens for its variables."""
        tokens = {name: _VARIABLE.format(name) for name in known}
        forms = tuple(
            replace(form, location=expand(form.location, tokens)) if form.location else form
            for form in self.rule.answer.representations
        )
        rule = replace(self.rule, answer=replace(self.rule.answer, representations=forms))
        records = {
            name: replace(record, rules=())
            for name, record in found.records.items()
            if name in found.identifier.ancestors
        }
        holder = records.get(self.prefix) or Prefix(identifier=self.prefix, modified="")
        return Found(found.identifier, {**records, self.prefix: replace(holder, rules=(rule,))})

    def _wanted(self) -> Wanted:
        templates = [form.location for form in self.rule.answer.representations if form.location]
        names = {name for template in templates for name in variables(template)}
        limited = {name for name in names if any(_is_escaped(name, each) for each in templates)}
        return Wanted(names, limited)

    @property
    def omitted(self) -> Words:
        """What the expressions of the rule leave out; empty for nothing."""
        limited = self._wanted().limited
        pieces = [
            piece.name
            for piece in pieces_of(self.rule.pattern.elements)
            if piece.name in limited and not piece.type.words and takes_reserved(piece.type)
        ]
        if not pieces:
            return ""
        return message(
            "Names whose {variables} contains one of {characters} are left out: it is escaped in the query.",
            variables=", ".join(f"{{{piece}}}" for piece in pieces),
            characters=RESERVED,
        )


def _is_escaped(name: str, template: str) -> bool:
    """Return whether the reserved characters of a variable are escaped in the query of a template.

    In a path they mean the same with and without an escape to most servers, and Apache leaves them alone.
    """
    without, with_colon = (
        expand(template, {name: value}).partition("?")[2].count("%3A") for value in ("", ":")
    )
    return with_colon > without
