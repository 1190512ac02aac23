"""Preferences and representations → the chosen one (RFC 9110 §12.4, §12.5).

Lexicographic, as in Apache httpd: media type by client q × registered quality, then language, then roles,
then the order of registration. Profiles are tried before all that, the most wanted first; forms in a refused
language are chosen only if nothing else is acceptable. An unreadable header is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ginuri.frozen import Frozen
from ginuri.registry.model import Representation, Role
from ginuri.resolution.negotiation.preferences import (
    LONGEST_REMEMBERED,
    REMEMBERED,
    LanguageRanges,
    Languages,
    MediaRange,
    MediaType,
    read_media_ranges,
    read_media_type,
    read_profiles,
    read_ranges,
    read_weighted,
    remembered,
)

UNTYPED_WEIGHT = 0.001
"""The weight of a form without a media type for a header without `*/*`, if no typed form weighs less."""


class Preferences(Frozen):
    """The preferences in a client's headers; None for an absent header."""

    accept: str | None = None
    """Empty counts as absent (RFC 9110 §12.5.1 allows it)."""
    accept_language: str | None = None
    accept_profile: str | None = None
    accept_datetime: str | None = None
    """The requested time of a version (RFC 7089 §2.1.1)."""
    requires_profile = False
    """Whether only forms with a wanted profile are acceptable."""

    @property
    def names_html(self) -> bool:
        """Whether `Accept` names HTML, as browsers do: a first test, before work for pages only."""
        return "text/html" in (self.accept or "").lower()


class ProfileRequired(Preferences):
    """Preferences of a client that accepts only forms with a profile that it wants."""

    requires_profile = True


NO_PREFERENCES = Preferences()


class Roles(Frozen):
    """The media types of the two roles in a resource type; a representation's own role comes first."""

    default_media_type: str | None = None
    canonical_media_type: str | None = None


NO_ROLES = Roles()
ANYTHING = ("*", "*")
"""The name of the range `*/*`."""
Weighed = list[tuple[Representation, float]]
"""Representations that are acceptable, each with the client's q × its quality."""


def choose(
    preferences: Preferences, offered: Sequence[Representation], roles: Roles = NO_ROLES
) -> Representation | None:
    """Choose the representation; None if no acceptable one is offered."""
    if not preferences.accept_profile:
        return _choose(preferences, offered, roles)
    groups = _group_by_profile(preferences.accept_profile, offered, is_required=preferences.requires_profile)
    for forms in groups:
        chosen = _choose(preferences, forms, roles)
        if chosen is not None:
            return chosen
    return None


def _choose(
    preferences: Preferences, offered: Sequence[Representation], roles: Roles
) -> Representation | None:
    if len(offered) == 1 and offered[0].media_type is None:  # for speed: most locations
        return offered[0] if offered[0].quality else None
    acceptable = find_acceptable(preferences.accept, offered)
    if len(acceptable) < 2:  # noqa: PLR2004  there is only one
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


def find_acceptable(accept: str | None, offered: Sequence[Representation]) -> Weighed:
    """Find the forms that an Accept header accepts, with their weights.

    Parameters that no offered form of the type states are ignored: `text/html;charset=utf-8` matches a
    `text/html` without charset. If nothing is acceptable, parameters that the form itself does not state are
    ignored as well. A form that states another value is never chosen.

    A form without a media type is always acceptable, and weighs what `*/*` weighs; if the header has no
    `*/*`, or refuses it, such a form comes after all others that are acceptable.
    """
    header = accept or ""
    media_types = tuple([form.media_type for form in offered])
    weigh = _weigh_again if len(header) <= LONGEST_REMEMBERED else weigh_media_types
    acceptable = _weigh_all(offered, weigh(header, media_types)) or _weigh_all(
        offered, weigh(header, media_types, is_forgiving=True)
    )
    if None in media_types and not any(form.media_type is None for form, _ in acceptable):
        acceptable += _weigh_untyped(offered, acceptable)
    return acceptable


def _weigh_all(offered: Sequence[Representation], weights: Sequence[float]) -> Weighed:
    weighed = [(form, weight * form.quality) for form, weight in zip(offered, weights, strict=True)]
    return [pair for pair in weighed if pair[1] > 0]


def _weigh_untyped(offered: Sequence[Representation], typed: Weighed) -> Weighed:
    weight = min([UNTYPED_WEIGHT, *(weight / 2 for _, weight in typed)])
    return [(form, weight * form.quality) for form in offered if form.media_type is None and form.quality]


def weigh_media_types(
    accept: str, media_types: tuple[str | None, ...], *, is_forgiving: bool = False
) -> tuple[float, ...]:
    """Return for each media type the q of the most specific range that matches it; 0 if none does.

    RFC 9110 §12.5.1: without a readable Accept everything is acceptable. Only `*/*` matches the type of a
    form without a media type.
    """
    ranges = ranges_by_name(accept)
    if not ranges:
        return (1.0,) * len(media_types)
    offered = {text: read_media_type(text) for text in set(media_types) if text is not None}
    stated = stated_parameters(offered.values())
    of_all = () if is_forgiving else stated.get(ANYTHING, ())
    weights: dict[str | None, float] = {None: most_specific(ranges.get(ANYTHING, ()), {}, of_all) or 0.0}
    for text, media_type in offered.items():
        heeded = stated_parameters((media_type,)) if is_forgiving else stated
        weights[text] = _weigh_media_type(ranges, media_type, heeded)
    return tuple([weights[text] for text in media_types])


@remembered
def ranges_by_name(accept: str) -> Mapping[tuple[str, str], Sequence[MediaRange]]:
    """Read an Accept header into ranges by type and subtype."""
    ranges: dict[tuple[str, str], list[MediaRange]] = {}
    for media_range in read_media_ranges(accept):
        ranges.setdefault((media_range.type, media_range.subtype), []).append(media_range)
    return ranges


def stated_parameters(offered: Iterable[MediaType]) -> Mapping[tuple[str, str], set[str]]:
    """Return the names of the parameters that media types state, by the ranges that match these types."""
    stated: dict[tuple[str, str], set[str]] = {}
    for media_type in offered:
        if media_type.parameters:
            for name in media_type.range_names:
                stated.setdefault(name, set()).update(media_type.parameters)
    return stated


_weigh_again = lru_cache(maxsize=REMEMBERED)(weigh_media_types)  # most clients send the same headers


def _weigh_media_type(
    ranges: Mapping[tuple[str, str], Sequence[MediaRange]],
    media_type: MediaType,
    heeded: Mapping[tuple[str, str], set[str]],
) -> float:
    # RFC 9110 §12.5.1: the most specific reference has precedence.
    for name in media_type.range_names:
        best = most_specific(ranges.get(name, ()), media_type.parameters, heeded.get(name, ()))
        if best is not None:
            return best
    return 0.0


def most_specific(
    named: Sequence[MediaRange], stated: Mapping[str, str], heeded: Iterable[str]
) -> float | None:
    """Return the q of the most specific range of one name; None if none of them matches the form.

    A range whose parameters are all stated comes first, then the one with the most of them. Parameters that
    are not `heeded` are ignored, except in a refusal.
    """
    best = None
    for media_range in named:
        same, wanted = 0, media_range.parameters
        for name in heeded:
            if name in wanted:
                if name not in stated or wanted[name] != stated[name]:
                    break
                same += 1
        else:
            is_literal = same == len(wanted)
            rank = (is_literal, same, media_range.q)
            if (is_literal or media_range.q) and (best is None or rank > best):
                best = rank
    return None if best is None else best[-1]


@remembered
def _prefers_nothing(accept: str) -> bool:
    return all(media_range.is_anything for media_range in read_media_ranges(accept))


def role_rank(representation: Representation, roles: Roles) -> int:
    """Rank by role: default before canonical, and a form's own role before its type's."""
    own, media_type = representation.roles, representation.media_type
    if Role.DEFAULT in own:
        return 0
    if media_type is not None and media_type == roles.default_media_type:
        return 1
    if Role.CANONICAL in own:
        return 2
    return 3 if media_type is not None and media_type == roles.canonical_media_type else 4


def drop_refused_profiles(header: str | None, offered: Sequence[Representation]) -> Sequence[Representation]:
    """Leave out the forms with a profile that Accept-Profile refuses (q=0), unless all are refused."""
    refused = {profile for profile, q in read_profiles(header or "") if not q}
    if not refused:
        return offered
    return [form for form in offered if form.profile not in refused] or offered


def _group_by_profile(
    header: str, offered: Sequence[Representation], *, is_required: bool
) -> Sequence[Sequence[Representation]]:
    """Return the forms of each wanted profile, the most wanted first, then those without one, then all.

    W3C Content Negotiation by Profile §7: profiles that are not offered have no effect, unless one of the
    wanted is required.
    """
    allowed = drop_refused_profiles(header, offered)
    forms: dict[str | None, list[Representation]] = {}
    for form in allowed:
        forms.setdefault(form.profile, []).append(form)
    wanted = [forms[profile] for profile, q in read_profiles(header) if q and profile in forms]
    if is_required:
        return wanted
    return (*wanted, forms.get(None, ()), allowed) if wanted else (allowed,)


def _understood(languages: Languages, acceptable: Weighed) -> tuple[LanguageRanges | None, Weighed]:
    """Leave out forms in a language the client does not understand, if it understands another.

    Otherwise, leave out those in a refused language, if there is another. Everybody understands a form
    without a language. A language never causes a 406. The ranges are given if they prefer any.
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
