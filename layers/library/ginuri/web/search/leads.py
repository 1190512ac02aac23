"""The target of a text in the search box that is an identifier or a URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote

from ginuri.identifiers import Identifier
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.hosts import same_host
from ginuri.identifiers.service_paths import ABOUT, description_path
from ginuri.identifiers.wrappers import unwrap
from ginuri.registry.ports import Finder
from ginuri.resolution.decision import Question
from ginuri.resolution.descriptions.decision import (
    Describe,
    DescribeHolder,
    DescribeNormalForm,
    DescribeOtherSpelling,
    decide_description,
    reconsider_description,
)
from ginuri.resolution.descriptions.paths import DescriptionRequest, read_description_path
from ginuri.resolution.fallbacks import fall_back
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES
from ginuri.resolution.outcomes import Malformed, NoSuchHost, NoSuchScheme, NotRegistered
from ginuri.search.words import words_of
from ginuri.web.answers.advice import explain
from ginuri.web.answers.problems import Problem
from ginuri.web.lookups import read_text


@dataclass(frozen=True, slots=True)
class Lead:
    """The text is an identifier with a description at a path."""

    path: str


@dataclass(frozen=True, slots=True)
class NearNames:
    """The text is an unregistered or malformed identifier."""

    problem: Problem
    """The reason, with similar and neighbouring names."""
    words: str
    """The text to search for instead: the end of an identifier often names its subject."""


def read_identifier(text: str) -> Identifier | MalformedIdentifier | None:
    """Parse an identifier, its URL, or that of its description, in any form; None for words.

    Only a text with a slash or a colon can be an identifier, and only if it begins with a scheme:
    "wells/springs" is two words.
    """
    if "/" not in text and ":" not in text:
        return None
    written = unwrap(text)
    path = f"/{written.partition('://')[2].partition('/')[2]}"
    is_description = path.startswith(f"/{ABOUT}") and read_description_path(path).rest != path[1:]
    identifier = read_text(read_description_path(path).rest if is_description else written).identifier
    return None if isinstance(identifier, UnknownScheme) else identifier


def lead(
    text: str, hosts: Sequence[str], finder: Finder, canonical_host: str, moment: datetime
) -> Lead | NearNames | None:
    """Decide the redirect for a text: to its description, to the nearest name, or to results; None for words.

    `hosts` are those of this service. Raises RegistryUnavailable.
    """
    identifier = read_identifier(text)
    if identifier is None:
        return None
    if not isinstance(identifier, Identifier):
        return NearNames(explain(Malformed(identifier)), text)
    if not identifier.scheme and any(same_host(identifier.host or "", host) for host in hosts):
        return Lead("/")
    return _lead_to(Question(identifier, moment, hosts), identifier, finder, canonical_host)


def _lead_to(
    question: Question, identifier: Identifier, finder: Finder, canonical_host: str
) -> Lead | NearNames | None:
    found = finder.find(identifier, question.moment)
    identifier = found.identifier
    request = DescriptionRequest(None, identifier.normal_form)
    outcome = decide_description(request, found, NO_PREFERENCES, canonical_host)
    if isinstance(outcome, NotRegistered):
        fallen = fall_back(outcome, question, finder)
        outcome = reconsider_description(request, outcome, finder.near(identifier), fallen)
    match outcome:
        case Describe() if identifier.scheme or found.record:
            return Lead(description_path(identifier.normal_form))
        case DescribeNormalForm(address) | DescribeHolder(address) | DescribeOtherSpelling(address):
            return Lead(address)
        case NotRegistered(near=(only,)):
            return Lead(description_path(only))
        case NotRegistered():
            from ginuri.resolution.neighbours import add_neighbours

            outcome = add_neighbours(outcome, finder)
            return NearNames(explain(outcome), _last_words(identifier))
        case NoSuchScheme():  # or words, as in "wells:springs"
            from ginuri.web.answers.elsewhere import find_known_name

            is_known = find_known_name(outcome) is not None
            return NearNames(explain(outcome), _last_words(identifier)) if is_known else None
        case _:
            return NearNames(explain(NoSuchHost(identifier)), _last_words(identifier))


def _last_words(identifier: Identifier) -> str:
    return " ".join(words_of(unquote(identifier.normal_form.rstrip("/").rpartition("/")[2])))
