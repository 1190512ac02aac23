"""Changes of a request that lead to another answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ginuri.frozen import replace
from ginuri.identifiers import Identifier, read_identifier
from ginuri.registry.http_dates import http_date_of
from ginuri.registry.model import Representation, Resource
from ginuri.registry.statuses import STATUSES
from ginuri.registry.version_names import is_day
from ginuri.resolution.decision import Question
from ginuri.resolution.outcomes import Decision
from ginuri.resolution.resolve import Resolution

MOST_TRIED = 16
ACCEPT, ACCEPT_LANGUAGE, ACCEPT_PROFILE, ACCEPT_DATETIME = (
    "Accept",
    "Accept-Language",
    "Accept-Profile",
    "Accept-Datetime",
)
TRIED = {
    ACCEPT: "accept",
    ACCEPT_LANGUAGE: "accept_language",
    ACCEPT_PROFILE: "accept_profile",
    ACCEPT_DATETIME: "accept_datetime",
}
"""The headers that affect an answer, each with its attribute of `Preferences`."""
_OF_EVERYTHING = ("*/*", "text/html", "text/turtle", "application/ld+json")
_MOST_DAYS = 4


@dataclass(frozen=True, slots=True)
class Alternative:
    """A request with one difference, and its answer."""

    question: Question
    decision: Decision
    header: str = ""
    """The header that differs; empty if the identifier does."""
    value: str = ""
    """The value of the header, or the other identifier."""


def find_alternatives(
    question: Question, resolution: Resolution, ask: Callable[[Question], Resolution]
) -> Iterator[Alternative]:
    """Yield requests that differ from a question in one thing, each with its decision, which may be the same.

    `ask` decides a question. Raises RegistryUnavailable.
    """
    identifier = question.identifier
    if not isinstance(identifier, Identifier):
        return
    tried = 0
    for header, value in dict.fromkeys(_preferences(resolution)):
        if tried == MOST_TRIED:
            break
        preferences = replace(question.preferences, **{TRIED[header]: value})
        if preferences != question.preferences:
            tried += 1
            other = replace(question, preferences=preferences)
            yield Alternative(other, ask(other).decision, header, value)
    name = _other_slash(identifier)
    if name is not None:
        other = replace(question, identifier=name)
        yield Alternative(other, ask(other).decision, value=name.normal_form)


def _preferences(resolution: Resolution) -> Iterator[tuple[str, str]]:
    forms = _forms(resolution)
    yield from ((ACCEPT, form.media_type) for form in forms if form.media_type)
    yield from ((ACCEPT, media_type) for media_type in _OF_EVERYTHING)
    yield from ((ACCEPT_LANGUAGE, form.language) for form in forms if form.language)
    yield from ((ACCEPT_PROFILE, f"<{form.profile}>") for form in forms if form.profile)
    days = sorted({form.valid_from for form in forms if form.valid_from and is_day(form.valid_from)})
    yield from ((ACCEPT_DATETIME, http_date_of(day)) for day in days[-_MOST_DAYS:])


def _forms(resolution: Resolution) -> Sequence[Representation]:
    record = getattr(resolution.decision, "record", None)
    if not isinstance(record, Resource) or STATUSES[record.status].is_hidden:
        return ()
    return record.representations


def _other_slash(identifier: Identifier) -> Identifier | None:
    name = identifier.normal_form
    if name == identifier.root or not identifier.is_normal:
        return None
    return read_identifier(name.removesuffix("/") if name.endswith("/") else f"{name}/")
