"""The text after a prefix that is never the normal form of an identifier: a rule for it would never apply."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.identifiers.roots import NAMESPACED, root_of
from ginuri.registry.rules.comparison import CHARACTERS, Language
from ginuri.registry.rules.patterns import Pattern

# draft-kunze-ark-42 §3.2: a normal form has no hyphens, and slashes and periods only inside, one by one.
_NEVER_IN_ARKS = ("{+a}/", "{+a}.", "/{+a}", ".{+a}", "{+a}//{+b}", "{+a}..{+b}", "{+a}/.{+b}", "{+a}./{+b}")
# Names on a host that begin so are identifiers of these schemes, on any host.
_OTHER_SCHEMES = (*(f"{scheme}:{{+a}}" for scheme in NAMESPACED), "uri-{a}/{+b}")


def characters_under(prefix: str) -> str:
    """Return the characters of normal forms under a prefix."""
    return CHARACTERS.replace("-", "") if prefix.startswith("ark:") else CHARACTERS


def never_under(prefix: str) -> Sequence[Language]:
    """Return the texts after a prefix that no identifier has in normal form."""
    if prefix.startswith("ark:"):
        return [Language(Pattern(text)) for text in _NEVER_IN_ARKS]
    if prefix.startswith("//") and prefix == root_of(prefix):
        return [Language(Pattern(text)) for text in _OTHER_SCHEMES]
    return []
