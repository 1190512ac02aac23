"""The page of a description, where the chosen form is RDF that a browser only accepts as `*/*`."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.registry.model import Representation, Role
from ginuri.resolution.negotiation.negotiation import (
    ANYTHING,
    Preferences,
    most_specific,
    ranges_by_name,
    stated_parameters,
)
from ginuri.resolution.negotiation.preferences import read_media_type, read_profiles

_PAGE = ("text", "html")
RDF_TYPES = frozenset(
    (
        *(("application", name) for name in ("ld+json", "n-quads", "n-triples", "rdf+json", "rdf+xml")),
        *(("application", name) for name in ("trig", "trix", "x-trig", "x-turtle")),
        *(("text", name) for name in ("n3", "rdf+n3", "turtle")),
    )
)
"""The media types of RDF, some by a former name that files still have."""


def prefers_page(preferences: Preferences, chosen: Representation, offered: Sequence[Representation]) -> bool:
    """Return whether a client prefers the page of a thing's description to the form chosen from all offered.

    The form is RDF, and only `*/*` accepts it, with a lower q than that of `text/html`. A form without a
    media type, a page or a default among the offered ones precedes the description, and so does a form with
    a wanted profile.
    """
    page = most_specific(ranges_by_name(preferences.accept or "").get(_PAGE, ()), {}, ())
    if not page or _has_precedence(offered) or _is_wanted(chosen.profile, preferences):
        return False
    q = _q_of_anything(preferences.accept or "", chosen, offered)
    return q is not None and q < page


def _has_precedence(offered: Sequence[Representation]) -> bool:
    return any(
        form.media_type is None or _name(form.media_type) == _PAGE or Role.DEFAULT in form.roles
        for form in offered
    )


def _q_of_anything(accept: str, chosen: Representation, offered: Sequence[Representation]) -> float | None:
    """Return the q of `*/*` if it alone accepts the chosen form, and that is RDF."""
    if chosen.media_type is None or _name(chosen.media_type) not in RDF_TYPES:
        return None
    media_type, ranges = read_media_type(chosen.media_type), ranges_by_name(accept)
    stated = stated_parameters(read_media_type(form.media_type) for form in offered if form.media_type)
    for name in media_type.range_names:
        q = most_specific(ranges.get(name, ()), media_type.parameters, stated.get(name, ()))
        if q is not None:
            return q if name == ANYTHING else None
    return None


def _is_wanted(profile: str | None, preferences: Preferences) -> bool:
    wanted = dict(read_profiles(preferences.accept_profile or ""))
    return profile is not None and wanted.get(profile, 0) > 0


def _name(media_type: str) -> tuple[str, str]:
    read = read_media_type(media_type)
    return read.type, read.subtype
