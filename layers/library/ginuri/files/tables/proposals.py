"""Proposes fields for columns with other names: by synonyms, by similarity, and by the words in a name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Sequence

from ginuri.files.schema.fields import ALIASES
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.synonyms import SYNONYMS
from ginuri.registry.metadata.fields import AS_JSON, FIELDS

_FIELDS = {fold_word(name): field for field, name in SYNONYMS} | {
    fold_word(name): ALIASES.get(name, name) for name in (*FIELDS, *ALIASES) if name not in AS_JSON
}
_LEAST_SIMILARITY = 0.84
# The longest name of a column that is compared, in characters.
_LONGEST = 60
# The most columns to compare: each is compared with all synonyms.
_MOST_COMPARED = 50
# A word, also one of several that are written together: WellName.
_WORD = re.compile(r"[A-Z]?[a-z]+(?=[A-Z])|[^\W_]+")
# The name of a vocabulary before that of a property: `dc.title`, `dcterms:title`.
_VOCABULARY = re.compile(r"^(?:dc|dcterms|schema|rdfs|skos)[.:](?=\w)", re.IGNORECASE)


def field_of_name(name: str) -> str | None:
    """Return the field that the name of a column is a synonym of, or nearly one.

    >>> field_of_name("Bezeichnung"), field_of_name("dc.title"), field_of_name("Depth")
    ('title', 'title', None)
    """
    bare = _VOCABULARY.sub("", name, count=1)
    return (_same(bare) or _similar(bare)) if name.strip() and len(name) <= _LONGEST else None


def propose_fields(names: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    """Propose a column for each field that none of them has; each column is proposed once.

    >>> propose_fields(["Well ID", "Name", "Web link", "Depth"], ())
    {'title': 'Name', 'location': 'Web link', 'identifier': 'Well ID'}
    """
    proposed: dict[str, str] = {}
    candidates = [name for name in names if name.strip() and len(name) <= _LONGEST][:_MOST_COMPARED]
    for guess in (_same, _similar, _of_words):
        for name in candidates:
            field = guess(_VOCABULARY.sub("", name, count=1))
            if field and field not in {*taken, *proposed} and name not in proposed.values():
                proposed[field] = name
    return proposed


def _same(name: str) -> str | None:
    return _FIELDS.get(fold_word("".join(_WORD.findall(name))))


def _similar(name: str) -> str | None:
    near = difflib.get_close_matches(fold_word(name), _FIELDS, 1, _LEAST_SIMILARITY)
    return _FIELDS[near[0]] if near else None


def _of_words(name: str) -> str | None:
    # The last word has the most meaning: "Well ID"; in "Link to the report" it is the first.
    words = _WORD.findall(name)
    return next(
        (_FIELDS[word] for word in map(fold_word, (*words[-1:], *words[:1])) if word in _FIELDS), None
    )
