"""Relative references: what they mean beside a base (RFC 3986 §5.2, strictly).

docs/explanation/decisions/0019-references-are-resolved-by-uritools.md says why by a library, and which.
"""

from __future__ import annotations

from uritools import urijoin

from ginuri.identifiers.grammars.generic import split


def resolve_reference(reference: str, base: str) -> str:
    """Give the URI that a reference means beside a base. Raises MalformedIdentifier for a base that is none.

    Whether the reference, and so the URI, is well-formed is for its reader to say.

    >>> resolve_reference("../g", "magic://a/b/c//d/e/f")
    'magic://a/b/c//d/g'
    """
    split(base)
    target: str = urijoin(base, reference, strict=True)
    return target
