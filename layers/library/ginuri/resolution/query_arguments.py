"""Query arguments that stand for preferences, as a host states them.

W3C Content Negotiation by Profile §8 calls them QSA: `?_profile=dcat&_mediatype=text/turtle`. A value is a
list of media types or profiles, or of short names of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from ginuri.frozen import Frozen, replace
from ginuri.registry.locations import append_query
from ginuri.registry.metadata.query_arguments import (
    MEDIA_TYPE,
    PROFILE,
    QueryArgument,
    StatedArguments,
    arguments_of,
)
from ginuri.registry.model import Representation
from ginuri.registry.ports import Found
from ginuri.resolution.decision import Question
from ginuri.resolution.descriptions.formats import choose_format, formats_of
from ginuri.resolution.links import Link
from ginuri.resolution.negotiation.negotiation import Preferences, ProfileRequired
from ginuri.resolution.negotiation.preferences import read_media_ranges, read_profiles
from ginuri.resolution.outcomes import (
    Decision,
    NotAcceptable,
    SeeDescription,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
)

ALTERNATES = ("http://www.w3.org/ns/dx/connegp/altr", "http://www.w3.org/ns/dx/conneg/altr")
"""The profile of lists of all forms (§6.3), and its former name: a description is such a list."""
_ALTERNATES_TOKEN = {"alt": ALTERNATES[0]}  # §8.3.2
_NOTHING_ACCEPTED = "*/*;q=0"
# A URI between angle brackets may contain commas.
_ELEMENT = re.compile(r"<[^<>]*>|[^,<>]+")
# A gateway decodes `+` as a blank, which neither a media type nor a URI contains.
_LOST_PLUS = re.compile(r"(?<=[\w.\-]) (?=[\w.\-])")


class StatedPreferences(Frozen):
    """The preferences that a query states."""

    question: Question
    """The question with these preferences, and without the arguments in its query."""
    arguments: str
    """The arguments, as they were sent."""
    has_media_type: bool

    @property
    def _lists_forms(self) -> bool:
        profiles = read_profiles(self.question.preferences.accept_profile or "")
        return any(profile in ALTERNATES for profile, _ in profiles)

    def complete(self, decision: Decision) -> Decision:
        """Complete a decision about the question: the format of a description, the arguments of redirects."""
        match decision:
            case NotAcceptable(found, record, offered) if self._lists_forms:
                return self._describe(SeeDescription(found, record, negotiated=True, offered=offered))
            case SeeDescription():
                return self._describe(decision)
            case StandsFor() | SeeVersion():
                return replace(decision, query=self.arguments)
            case SeeRepresentation(representation=form) if form.identifier and form.location is None:
                # The form is a document of its own, which negotiates again.
                return replace(decision, address=append_query(decision.address, self.arguments))
            case _:
                return decision

    def _describe(self, decision: SeeDescription) -> SeeDescription | NotAcceptable:
        preferences = self.question.preferences
        unacceptable = NotAcceptable(decision.found, decision.record, decision.offered)
        if preferences.requires_profile and not self._lists_forms:
            return unacceptable
        if decision.extension or not self.has_media_type:
            return decision
        chosen = choose_format(preferences.accept, formats_of(decision.record))
        return unacceptable if chosen is None else replace(decision, extension=chosen.extension)


def read_arguments(question: Question, stated: StatedArguments) -> StatedPreferences | None:
    """Read the preferences in the query of a question; None if it has no arguments of the host.

    Of several arguments for the same preference, the first counts; empty ones are ignored.
    """
    arguments = {argument.name: argument for argument in arguments_of(stated)}
    first: dict[str, tuple[str, QueryArgument]] = {}
    pairs: tuple[list[str], list[str]] = [], []
    for pair in question.query.split("&"):
        name, _, value = pair.partition("=")
        argument = arguments.get(unquote(name))
        pairs[argument is None].append(pair)
        if argument is not None and value:
            first.setdefault(argument.meaning, (unquote(value), argument))
    sent, others = map("&".join, pairs)
    if not sent:
        return None
    preferences = _replace(question.preferences, first)
    return StatedPreferences(
        replace(question, preferences=preferences, query=others), sent, MEDIA_TYPE in first
    )


def _replace(preferences: Preferences, first: Mapping[str, tuple[str, QueryArgument]]) -> Preferences:
    if MEDIA_TYPE in first:
        value, argument = first[MEDIA_TYPE]
        accept = ", ".join(argument.tokens.get(each, each) for each in _elements(value))
        preferences = replace(preferences, accept=accept if read_media_ranges(accept) else _NOTHING_ACCEPTED)
    if PROFILE in first:
        value, argument = first[PROFILE]
        tokens = {**_ALTERNATES_TOKEN, **argument.tokens}
        profiles = ", ".join(f"<{tokens.get(each, each)}>" for each in _elements(value)) or "<>"
        preferences = ProfileRequired(
            preferences.accept, preferences.accept_language, profiles, preferences.accept_datetime
        )
    return preferences


def _elements(value: str) -> Iterator[str]:
    for found in _ELEMENT.finditer(value):
        if element := found[0].strip("<> "):
            yield _LOST_PLUS.sub("+", element)


def link_arguments(found: Found, offered: Sequence[Representation]) -> Iterator[Link]:
    """Yield the links to forms by the arguments of the host (§8.3.4), each target once."""
    first: dict[str, QueryArgument] = {}
    for argument in arguments_of(found.query_arguments):
        first.setdefault(argument.meaning, argument)
    forms: dict[str, Representation] = {}
    for form in offered:
        values = ((PROFILE, form.profile), (MEDIA_TYPE, form.media_type))
        stated = [first[meaning].write(value) for meaning, value in values if value and meaning in first]
        if stated:
            forms.setdefault("&".join(stated), form)
    for query, form in forms.items():
        target = append_query(found.identifier.path, query)
        yield Link("alternate", target, form.media_type, profile=form.profile)
