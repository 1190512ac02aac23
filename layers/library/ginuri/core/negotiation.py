"""Preferences and representations → the one to give (RFC 9110 §12.4, §12.5).

Lexicographic, as Apache httpd's: media type by client q × registered quality, then language, then roles, then
the order of registration; a profile filters first. A malformed header costs its say, not the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ginuri.core.model import Representation, Role
from ginuri.core.preferences import (
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


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a client would like, as its headers say it; None where it says nothing."""

    accept: str | None = None
    accept_language: str | None = None
    accept_profile: str | None = None
    accept_datetime: str | None = None
    """The moment whose version is wanted (RFC 7089 §2.1.1)."""


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True)
class Roles:
    """The media types that a resource type gives the two roles; a representation's own role comes first."""

    default_media_type: str | None = None
    canonical_media_type: str | None = None


NO_ROLES = Roles()


def choose(
    preferences: Preferences, offered: Sequence[Representation], roles: Roles = NO_ROLES
) -> Representation | None:
    """Choose the representation to give; None where no acceptable one is offered."""
    offered = _with_profile(preferences.accept_profile, offered)
    accept = preferences.accept or ""
    ranges = read_media_ranges(accept)
    weights = [media_type_weight(accept, each.media_type) * each.quality for each in offered]
    acceptable = [(each, weight) for each, weight in zip(offered, weights, strict=True) if weight > 0]
    if not acceptable:
        return None
    languages, acceptable = _understood(read_weighted(preferences.accept_language or ""), acceptable)
    if not languages and all(each.is_anything for each in ranges):
        return min(acceptable, key=lambda pair: (role_rank(pair[0], roles), -pair[1]))[0]
    return min(
        acceptable,
        key=lambda pair: (
            -pair[1],
            -language_weight(languages, pair[0].language),
            role_rank(pair[0], roles),
        ),
    )[0]


@remembered
def media_type_weight(accept: str, media_type: str | None) -> float:
    """Give the q of the most specific range of an Accept header that takes a media type; 0 where none does.

    RFC 9110 §12.5.1: no (readable) Accept takes everything. Without a media type any request is satisfied.
    """
    ranges = read_media_ranges(accept)
    if not ranges or media_type is None:
        return 1.0
    wanted = read_media_type(media_type)
    taking = [each for each in ranges if each.takes(wanted)]
    return max(taking, key=lambda each: (each.specificity, each.q)).q if taking else 0.0


def language_weight(languages: Languages, language: str | None) -> float:
    """Give the q of the longest range that matches a language tag (RFC 4647 §3.3.1, §3.4).

    `en` takes `en-GB` (basic filtering); `en-GB` falls back to `en` and its kin, by very little.
    """
    if language is None or not languages:
        return 0.0
    tag = language.lower()
    matching = [(len(name), q) for name, q in languages if tag == name or tag.startswith(f"{name}-")]
    if matching:
        return max(matching)[1]
    anything = [q for name, q in languages if name == "*"]
    if anything:
        return anything[0]
    kin = [q for name, q in languages if "-" in name and tag.split("-")[0] == name.split("-")[0]]
    return max(kin, default=0.0) * FALLBACK_WEIGHT


def role_rank(representation: Representation, roles: Roles) -> int:
    """Rank by role: the default before the canonical, and each one's own role before its type's."""
    claims = (
        Role.DEFAULT in representation.roles,
        representation.media_type is not None and representation.media_type == roles.default_media_type,
        Role.CANONICAL in representation.roles,
        representation.media_type is not None and representation.media_type == roles.canonical_media_type,
    )
    return next((rank for rank, claimed in enumerate(claims) if claimed), len(claims))


def _with_profile(header: str | None, offered: Sequence[Representation]) -> Sequence[Representation]:
    # W3C Content Negotiation by Profile §7: profiles nobody offers leave everything as it was.
    for profile in read_profiles(header or ""):
        conforming = [each for each in offered if each.profile == profile]
        if conforming:
            return conforming
    return offered


def _understood(
    languages: Languages, acceptable: list[tuple[Representation, float]]
) -> tuple[Languages, list[tuple[Representation, float]]]:
    """Leave out what is in a language the client does not understand, if it understands another.

    A language nobody wrote in never makes a 406: what has no language is given then. `*` prefers nothing.
    """
    if all(name == "*" for name, _ in languages):
        return (), acceptable
    weights = [language_weight(languages, each.language) for each, _ in acceptable]
    understood = [
        pair
        for pair, weight in zip(acceptable, weights, strict=True)
        if weight > 0 or pair[0].language is None
    ]
    return (languages if any(weights) else ()), understood or acceptable
