"""The resolution of relative references against a base (RFC 3986 §5.2, strictly).

See docs/explanation/decisions/0019-references-are-resolved-by-uritools.md for the choice of the library.
"""

from __future__ import annotations

from uritools import urijoin

from ginuri.identifiers.grammars.generic import split


def resolve_reference(reference: str, base: str) -> str:
    """Resolve a reference against a base. Raises MalformedIdentifier if the base is not a URI.

    The reference, and so the URI, need not be well-formed.

    >>> resolve_reference("../g", "magic://a/b/c//d/e/f")
    'magic://a/b/c//d/g'
    """
    split(base)
    target: str = urijoin(base, reference, strict=True)
    return target
