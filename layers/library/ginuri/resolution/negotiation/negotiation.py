"""Preferences and representations → the one to give (RFC 9110 §12.4, §12.5).

Lexicographic, as Apache httpd's: media type by client q × registered quality, then language, then roles, then
the order of registration; a profile filters first, and what is in a refused language steps back. A malformed
header costs its say, not the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ginuri.frozen import Frozen
from ginuri.registry.model import Representation, Role
from ginuri.resolution.negotiation.preferences import (
    LONGEST_REMEMBERED,
    REMEMBERED,
    MediaRange,
    MediaType,
    read_media_ranges,
    read_media_type,
    read_profiles,
    read_weighted,
    remembered,
)

Languages = Sequence[tuple[str, float]]
"""Language ranges in lower case with their q, in order."""
FALLBACK_WEIGHT = 0.001
"""How little a range like `en-GB` says about a text in `en`: it decides only where nothing else does."""


class Preferences(Frozen):
    """The preferences in a client's headers; None for an absent header."""

    accept: str | None = None
    """Empty counts as absent (RFC 9110 §12.5.1 lets us)."""
    accept_language: str | None = None
    accept_profile: str | None = None
    accept_datetime: str | None = None
    """The moment whose version is wanted (RFC 7089 §2.1.1)."""


NO_PREFERENCES = Preferences()


class Roles(Frozen):
    """The media types that a resource type gives the two roles; a representation's own role comes first."""

    default_media_type: str | None = None
    canonical_media_type: str | None = None


NO_ROLES = Roles()
Weighed = list[tuple[Representation, float]]
"""Representations that are acceptable, each with the client's q × its quality."""


def choose(
    preferences: Preferences,
    offered: Sequence[Representation],
    roles: Roles = NO_ROLES,
    *,
    is_strict: bool = False,
) -> Representation | None:
    """Choose the representation to give; None if no acceptable one is offered.

    `is_strict`: only what is acceptable to the letter (see `find_acceptable`).
    """
    offered = _with_profile(preferences.accept_profile, offered)
    acceptable = find_acceptable(preferences.accept, offered, is_strict=is_strict)
    if len(acceptable) < 2:  # noqa: PLR2004  there is nothing to choose between
        return acceptable[0][0] if acceptable else None
    ranges, acceptable = _understood(read_weighted(preferences.accept_language or ""), acceptable)
    if ranges is not None:
        return min(
            acceptable,
            key=lambda pair: (-pair[1], -(ranges.weigh(pair[0].language) or 0.0), role_rank(pair[0], roles)),
        )[0]
    if _prefers_nothing(preferences.accept or ""):
        return min(acceptable, key=lambda pair: (role_rank(pair[0], roles), -pair[1]))[0]
    return min(acceptable, key=lambda pair: (-pair[1], role_rank(pair[0], roles)))[0]


def find_acceptable(
    accept: str | None, offered: Sequence[Representation], *, is_strict: bool = False
) -> Weighed:
    """Find what an Accept header accepts of what is offered, with its weight.

    To the letter first. Where that is nothing, parameters that a representation does not state are ignored:
    `text/html;charset=utf-8` takes a `text/html` without charset, but none that states another charset.
    """
    header = accept or ""
    media_types = tuple([form.media_type for form in offered])
    weigh = _weigh_again if len(header) <= LONGEST_REMEMBERED else weigh_media_types
    acceptable = _weigh_all(offered, weigh(header, media_types))
    if acceptable or is_strict:
        return acceptable
    return _weigh_all(offered, weigh(header, media_types, is_forgiving=True))


def _weigh_all(offered: Sequence[Representation], weights: Sequence[float]) -> Weighed:
    weighed = [(form, weight * form.quality) for form, weight in zip(offered, weights, strict=True)]
    return [pair for pair in weighed if pair[1] > 0]


def weigh_media_types(
    accept: str, media_types: tuple[str | None, ...], *, is_forgiving: bool = False
) -> tuple[float, ...]:
    """Return for each media type the q of the most specific range that takes it; 0 where none does.

    RFC 9110 §12.5.1: no (readable) Accept takes everything. Without a media type any request is satisfied.
    """
    ranges: dict[tuple[str, str], list[MediaRange]] = {}
    for media_range in read_media_ranges(accept):
        ranges.setdefault((media_range.type, media_range.subtype), []).append(media_range)
    if not ranges:
        return (1.0,) * len(media_types)
    weights = {
        media_type: 1.0
        if media_type is None
        else _weigh_media_type(ranges, read_media_type(media_type), is_forgiving=is_forgiving)
        for media_type in set(media_types)
    }
    return tuple([weights[media_type] for media_type in media_types])


_weigh_again = lru_cache(maxsize=REMEMBERED)(weigh_media_types)  # most clients send what others sent


def _weigh_media_type(
    ranges: Mapping[tuple[str, str], Sequence[MediaRange]], wanted: MediaType, *, is_forgiving: bool
) -> float:
    # RFC 9110 §12.5.1: the most specific reference has precedence.
    for name in ((wanted.type, wanted.subtype), (wanted.type, "*"), ("*", "*")):
        best = _most_specific(ranges.get(name, ()), wanted.parameters, is_forgiving=is_forgiving)
        if best is not None:
            return best
    return 0.0


def _most_specific(
    named: Sequence[MediaRange], stated: Mapping[str, str], *, is_forgiving: bool
) -> float | None:
    """Return the q of the range with most of the stated parameters, of those of one name; None for none."""
    best = None
    for media_range in named:
        same, wanted = 0, media_range.parameters
        for name in stated:
            if name in wanted:
                if wanted[name] != stated[name]:
                    break  # stated with another value
                same += 1
        else:
            # What is refused to the letter stays refused, whatever is forgiven to another range.
            rank = (same, same == len(wanted), media_range.q)
            if (is_forgiving or rank[1]) and (best is None or rank > best):
                best = rank
    return None if best is None else best[-1]


@remembered
def _prefers_nothing(accept: str) -> bool:
    return all(media_range.is_anything for media_range in read_media_ranges(accept))


class LanguageRanges(Frozen):
    """Language ranges as they are looked up, each with its highest q."""

    named: Mapping[str, float]
    kin: Mapping[str, float]
    """By first subtag, those that have more than that."""

    @property
    def has_preference(self) -> bool:
        """Whether a language is wanted; `*` prefers nothing, and q=0 only refuses."""
        return any(q > 0 for name, q in self.named.items() if name != "*")

    def weigh(self, language: str | None) -> float | None:
        """Return the q of the longest range that matches a language tag (RFC 4647 §3.3.1, §3.4).

        0 is a refusal (RFC 9110 §12.4.2), None says nothing. `en` takes `en-GB` (basic filtering); `en-GB`
        falls back to `en` and its kin, by very little, and never refuses them.
        """
        if not language:
            return None
        name = tag = language.lower()
        while name:
            if name in self.named:
                return self.named[name]
            name = name.rpartition("-")[0]
        if "*" in self.named:
            return self.named["*"]
        return self.kin.get(tag.partition("-")[0], 0.0) * FALLBACK_WEIGHT or None


def read_ranges(languages: Languages) -> LanguageRanges:
    """Make language ranges ready to be looked up."""
    return _index(tuple(languages))


@lru_cache(maxsize=64)
def _index(languages: tuple[tuple[str, float], ...]) -> LanguageRanges:
    named: dict[str, float] = {}
    kin: dict[str, float] = {}
    for name, q in languages:
        named[name] = max(q, named.get(name, 0.0))
        first, dash, _ = name.partition("-")
        if dash:
            kin[first] = max(q, kin.get(first, 0.0))
    return LanguageRanges(named, kin)


def role_rank(representation: Representation, roles: Roles) -> int:
    """Rank by role: the default before the canonical, and each one's own role before its type's."""
    own, media_type = representation.roles, representation.media_type
    if Role.DEFAULT in own:
        return 0
    if media_type is not None and media_type == roles.default_media_type:
        return 1
    if Role.CANONICAL in own:
        return 2
    return 3 if media_type is not None and media_type == roles.canonical_media_type else 4


def _with_profile(header: str | None, offered: Sequence[Representation]) -> Sequence[Representation]:
    # W3C Content Negotiation by Profile §7: profiles that are not offered change nothing.
    wanted = read_profiles(header) if header else ()
    if not wanted:
        return offered
    had = {form.profile for form in offered}
    profile = next((uri for uri in wanted if uri in had), None)
    return offered if profile is None else [form for form in offered if form.profile == profile]


def _understood(languages: Languages, acceptable: Weighed) -> tuple[LanguageRanges | None, Weighed]:
    """Leave out what is in a language the client does not understand, if it understands another.

    Failing that, what is in a language it refuses, if there is another. What has no language is understood by
    everybody. A language nobody wrote in never makes a 406. The ranges are given where they prefer something.
    """
    if not languages or not any(form.language for form, _ in acceptable):
        return None, acceptable
    ranges = read_ranges(languages)
    weights = [ranges.weigh(form.language) for form, _ in acceptable]
    if ranges.has_preference:
        understood = [
            pair for pair, weight in zip(acceptable, weights, strict=True) if weight or not pair[0].language
        ]
        if understood:
            return (ranges if any(weights) else None), understood
    allowed = [pair for pair, weight in zip(acceptable, weights, strict=True) if weight != 0]
    return None, allowed or acceptable
