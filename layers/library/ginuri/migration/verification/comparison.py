"""The comparison of the answers of two resolvers to the requests for one identifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import unquote

from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.causes import Comparison
from ginuri.registry.targets import Target, read_target

_UNKNOWN = {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND}
"""The statuses of text that is no identifier there, or is not registered."""


@dataclass(frozen=True, slots=True)
class SideAnswer:
    """What one resolver answers to a request."""

    uri: str
    """The requested URI, with the scheme of the connection."""
    answer: ResolverAnswer
    end: ResolverAnswer | None = None
    """The answer after the redirects on its own host, if these were followed."""

    @property
    def target(self) -> Target | None:
        """The target of its redirect."""
        return read_target(self.answer.location or "", self.uri)

    @property
    def falls_back(self) -> bool:
        """Whether it leads to the same path on another host, for this time."""
        target, requested = self.target, read_target(self.uri, self.uri)
        if self.answer.status != HTTPStatus.TEMPORARY_REDIRECT or target is None or requested is None:
            return False
        return target.host != requested.host and replace(target, scheme="", host=requested.host) == requested

    @property
    def is_detour(self) -> bool:
        """Whether its redirect leads to another URI of the same host."""
        target = self.target if self.answer.is_redirect else None
        requested = read_target(self.uri, self.uri)
        if target is None or requested is None:
            return False
        return target.host == requested.host and not target.is_at(self.uri)


@dataclass(frozen=True, slots=True)
class BothAnswers:
    """The answers of both resolvers to a request with one `Accept`."""

    accept: str | None
    here: SideAnswer
    there: SideAnswer


def compare_answers(answers: Sequence[BothAnswers], *, strict: bool = False) -> list[Comparison]:
    """Compare the answers to all requests for an identifier; `strict` compares statuses exactly.

    Otherwise, statuses of one class are the same.

    >>> moved = SideAnswer("http://a.example/a", ResolverAnswer(301, "HTTPS://b.example:443/%7ea"))
    >>> plain = SideAnswer("http://a.example/a", ResolverAnswer(302, "https://b.example/~a"))
    >>> [each.value for each in compare_answers([BothAnswers(None, moved, plain)])]
    ['same']
    """
    theirs = {each.there.target for each in answers if each.there.answer.is_redirect}
    ours = {each.here.target for each in answers if each.here.answer.is_redirect}

    def compare(both: BothAnswers) -> Comparison:
        found = _compare(both.here, both.there)
        if found is Comparison.OTHER_TARGET and (both.here.target in theirs or both.there.target in ours):
            return Comparison.OTHER_FORM
        if not strict or both.here.falls_back:
            return found
        is_other = found.agrees and both.here.answer.status != both.there.answer.status
        return Comparison.OTHER_STATUS if is_other else found

    return [compare(both) for both in answers]


def _compare(here: SideAnswer, there: SideAnswer) -> Comparison:
    ours, theirs = here.answer, there.answer
    if not (ours.is_known and theirs.is_known):
        if ours.is_known or theirs.is_known:
            return Comparison.ERROR_THERE if ours.is_known else Comparison.ERROR_HERE
        return Comparison.ERROR_AT_BOTH
    if here.falls_back and theirs.status in _UNKNOWN:
        return Comparison.KNOWN_TO_NEITHER
    if ours.is_found != theirs.is_found:
        return _missing(ours, theirs)
    if ours.is_found:
        found = _compare_found(here, there)
        return found if found.agrees or not here.falls_back else Comparison.FALLS_BACK
    is_unknown = {ours.status, theirs.status} <= _UNKNOWN
    return Comparison.KNOWN_TO_NEITHER if is_unknown else Comparison.SAME


def _compare_found(here: SideAnswer, there: SideAnswer) -> Comparison:
    ours, theirs = here.answer, there.answer
    if ours.is_redirect and theirs.is_redirect:
        return _compare_redirects(here, there)
    detour = _detour(here, there)
    if detour is not None:
        return detour
    if ours.is_redirect or theirs.is_redirect or ours.kind != theirs.kind:
        return Comparison.OTHER_KIND
    is_typed = None not in {ours.media_type, theirs.media_type}
    is_other = is_typed and ours.media_type != theirs.media_type
    return Comparison.OTHER_MEDIA_TYPE if is_other else Comparison.SAME


def _missing(ours: ResolverAnswer, theirs: ResolverAnswer) -> Comparison:
    if ours.status == HTTPStatus.NOT_ACCEPTABLE:
        return Comparison.NOT_ACCEPTABLE_HERE
    if theirs.status == HTTPStatus.NOT_ACCEPTABLE:
        return Comparison.NOT_ACCEPTABLE_THERE
    return Comparison.ONLY_HERE if ours.is_found else Comparison.ONLY_THERE


def _compare_redirects(here: SideAnswer, there: SideAnswer) -> Comparison:
    ours, theirs = here.target, there.target
    if ours is None or theirs is None:
        is_same = here.answer.location == there.answer.location
        return Comparison.SAME if is_same else Comparison.OTHER_TARGET
    if ours == theirs:
        return Comparison.SAME
    if ours.is_at(here.uri) or theirs.is_at(there.uri):
        return Comparison.TO_ITSELF
    detour = _detour(here, there)
    if detour is not None:
        return detour
    if replace(ours, query="") == replace(theirs, query=""):
        return _compare_queries(ours.query, theirs.query, here.uri)
    return next(
        (cause for cause, simplify in _SIMPLER if simplify(ours) == simplify(theirs)),
        Comparison.OTHER_TARGET,
    )


def _detour(here: SideAnswer, there: SideAnswer) -> Comparison | None:
    """Return that one side leads to the same end through another URI of its host."""
    if here.end is not None and _ends_alike(replace(here, answer=here.end), there):
        return Comparison.DETOUR_HERE
    if there.end is not None and _ends_alike(here, replace(there, answer=there.end)):
        return Comparison.DETOUR_THERE
    return None


def _ends_alike(here: SideAnswer, there: SideAnswer) -> bool:
    ours, theirs = here.answer, there.answer
    if ours.is_redirect and theirs.is_redirect:
        return here.target == there.target
    return ours.is_found and theirs.is_found and ours.kind == theirs.kind


def _compare_queries(ours: str, theirs: str, uri: str) -> Comparison:
    requested = read_target(uri, uri)
    query = "" if requested is None else requested.query
    if query and theirs in _joined(ours, query):
        return Comparison.LOST_QUERY
    if query and ours in _joined(theirs, query):
        return Comparison.ADDED_QUERY
    return Comparison.OTHER_QUERY


def _joined(query: str, other: str) -> Iterator[str]:
    pieces = [piece for piece in (query, other) if piece]
    yield "&".join(pieces)
    yield "&".join(reversed(pieces))


_SIMPLER: Sequence[tuple[Comparison, Callable[[Target], object]]] = (
    (Comparison.OTHER_FRAGMENT, lambda target: replace(target, fragment="")),
    (Comparison.OTHER_SCHEME, lambda target: replace(target, scheme="")),
    (Comparison.FINAL_SLASH, lambda target: replace(target, path=target.path.rstrip("/"))),
    (Comparison.LETTER_CASE, lambda target: repr(target).casefold()),
    (Comparison.ESCAPES, lambda target: unquote(unquote(repr(target)))),
)
"""What is left of a target for two to be equal, by the cause of their difference."""
