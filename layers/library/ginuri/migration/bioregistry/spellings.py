"""The spellings of a prefix that the Bioregistry takes for the same, as literals of patterns.

Source: github.com/biopragmatics/bioregistry, `src/bioregistry/utils.py`, `_norm`: prefixes are compared
without case, blanks, `-`, `_`, `.` and `/`. Case is the rule's `ignore_case`; the separators of a name are
written in each usual way, and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

_SEPARATORS = re.compile(r"[-_./ ]+")
_ESCAPE = re.compile(r"(%[0-9A-Fa-f]{2})|[^%]+|%")
_USUAL = (".", "-", "_", "")
_PCHAR = "-._~!$&'()*+,;=:@/"
"""RFC 3986 §3.3, beside letters, digits and escapes."""


def spell(name: str, synonyms: Sequence[str]) -> Iterator[str]:
    """Yield the spellings of a prefix and its synonyms, those that are stated first.

    >>> list(spell("kegg.drug", ["KEGG DRUG"]))
    ['kegg.drug', 'KEGG%20DRUG', 'kegg-drug', 'kegg_drug', 'keggdrug']
    """
    # A prefix ends at the first colon of a compact identifier.
    stated = [each for each in (name, *synonyms) if ":" not in each]
    varied = (separator.join(_SEPARATORS.split(each)) for each in stated for separator in _USUAL)
    seen: set[str] = set()
    for each in (*stated, *varied):
        if each.lower() not in seen:
            seen.add(each.lower())
            yield literal(each)


def literal(text: str) -> str:
    """Write a text as a literal: other characters than those of paths are escaped."""
    return quote(text, safe=_PCHAR)


def escape(identifier: str) -> str:
    """Escape the characters of an identifier that a path cannot have; escapes stay as they are."""
    return _ESCAPE.sub(lambda found: found[1] or quote(found[0], safe=_PCHAR), identifier)
