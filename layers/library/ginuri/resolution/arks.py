"""Suffix passthrough: an unregistered ARK leads to the target of one above it, with the rest appended.

As at N2T, https://n2t.net/e/suffix_passthrough.html, for the qualifiers of draft-kunze-ark-42 §2.5:
`ark:12345/x8/c3.pdf` may be a variant of `ark:12345/x8/c3`, or a variant of a part of `ark:12345/x8`.
"""

from __future__ import annotations

from ginuri.identifiers import Identifier, Kind
from ginuri.registry.locations import append_suffix, is_location
from ginuri.registry.model import Registered, Representation, Resource
from ginuri.registry.ports import Found
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.match import reachable
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.resolution.outcomes import PassedThrough

# draft-kunze-ark-42, "Three Requirements of ARKs" and "Overview of The HTTP URL Mapping Protocol (THUMP)".
INFLECTIONS = frozenset({"info", "info=", "?", "?="})
"""The queries that ask for metadata: `?info`, and the older `??`, also in the spelling of a gateway.

The oldest, a lone `?`, reaches no function: gateways drop an empty query.
"""

MOST_BASES = 48
"""The number of ARKs above one that are read with it, the nearest ones: a call has a limit."""


def bases_of(identifier: Identifier) -> tuple[str, ...]:
    """Return the ARKs that an ARK may be a part or a variant of, the longest first.

    The name is cut before every slash and dot; at most `MOST_BASES` are tried.

    >>> from ginuri import parse
    >>> bases_of(parse("ark:12345/x8/c3.v2.pdf"))
    ('ark:12345/x8/c3.v2', 'ark:12345/x8/c3', 'ark:12345/x8')
    """
    name = identifier.normal_form
    begin = name.find("/") + 1
    cuts = [at for at, character in enumerate(name) if character in "/." and at > begin > 0]
    return tuple(name[:at] for at in reversed(cuts[-MOST_BASES:]))


def nearest_base(found: Found) -> Registered | None:
    """Return the nearest registered ARK above one."""
    return next((record for base in bases_of(found.identifier) if (record := found.records.get(base))), None)


def answering_base(found: Found) -> Registered | None:
    """Return the nearest registered ARK above one if it answers for it: by its status, or by its location.

    It precedes every rule: the prefix of a rule ends at a namespace, so it is shorter.
    """
    if found.identifier.scheme != "ark":
        return None
    base = nearest_base(found)
    if base is None or not STATUSES[base.status].leads_on:
        return base
    is_located = isinstance(base, Resource) and any(map(_takes_suffix, reachable(base.representations)))
    return base if is_located else None


def pass_through(found: Found, base: Resource, preferences: Preferences) -> PassedThrough | None:
    """Decide the target of an ARK with the suffix of one below it; None if it has none.

    A suffix after a fragment would never reach the server (RFC 3986 §3.5).
    """
    forms = tuple(form for form in reachable(base.representations) if _takes_suffix(form))
    # The target of the suffix may be of any media type: none is refused because the whole is of another.
    chosen = choose(preferences, forms) or choose(
        Preferences(None, preferences.accept_language, preferences.accept_profile), forms
    )
    if chosen is None:
        return None
    suffix = found.identifier.normal_form[len(base.identifier) :]
    address = append_suffix(chosen.location or "", suffix)
    if not is_location(address):  # it may be too long
        return None
    status_code = 303 if (base.kind or Kind.THING) is Kind.THING else 302
    return PassedThrough(found, base, suffix, address, status_code, is_negotiated=len(forms) > 1)


def _takes_suffix(form: Representation) -> bool:
    is_own = not (form.part or form.valid_from)
    return is_own and bool(form.location) and "#" not in (form.location or "")
