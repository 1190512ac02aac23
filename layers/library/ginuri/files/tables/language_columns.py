"""Columns with a text in one language: `title_es`, `title (es)`, `Titel (de)`."""

from __future__ import annotations

import re

from ginuri.files.schema.fields import ALIASES
from ginuri.files.schema.values import fold_word
from ginuri.registry.metadata.fields import PER_LANGUAGE

# ISO 639-1, set 1 of the codes for languages
_CODES = frozenset(
    re.findall(
        "[a-z]+",
        """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id
    ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu
    lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu
    rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr
    ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """,
    )
)
# Codes that have another meaning after the name of a column: `title_id`, `title_no`.
_OTHER_WORDS = frozenset(("as", "id", "is", "no", "nr", "or", "to"))
_TAG = r"(?P<tag>[A-Za-z]{2}(?:[-_][A-Za-z]{2})?)"
_IN_BRACKETS = re.compile(rf"(?P<name>.*\S)\s*(?:\(\s*{_TAG}\s*\)|\[\s*{_TAG.replace('tag', 'tag2')}\s*\])")
_AFTER_MARK = re.compile(rf"(?P<name>.*?[^\W_])[_\-.:\s]+{_TAG}")
_TEXTS = {fold_word(name): name for name in PER_LANGUAGE} | {
    fold_word(name): field for name, field in ALIASES.items() if field in PER_LANGUAGE
}


def language_field(heading: str) -> str | None:
    """Return the field of a heading that is a field and a language; None for any other.

    >>> [language_field(name) for name in ("title_es", "Title (pt-BR)", "title_id", "Titel (de)")]
    ['title@es', 'title@pt-BR', None, None]
    """
    name, tag = split_language(heading)
    field = _TEXTS.get(fold_word(name)) if tag else None
    return f"{field}@{tag}" if field else None


def split_language(heading: str) -> tuple[str, str]:
    """Return the name and the language tag of a heading; an empty tag without one.

    >>> split_language("Titel (de)"), split_language("nombre_pt_BR"), split_language("title_no")
    (('Titel', 'de'), ('nombre', 'pt-BR'), ('title_no', ''))
    """
    if found := _IN_BRACKETS.fullmatch(heading):
        tag, is_clear = found["tag"] or found["tag2"], True
    elif found := _AFTER_MARK.fullmatch(heading):
        tag, is_clear = found["tag"], False
    else:
        return heading, ""
    language, _, region = tag.replace("_", "-").partition("-")
    code = language.lower()
    if code not in _CODES or (not is_clear and not region and code in _OTHER_WORDS):
        return heading, ""
    return found["name"], f"{code}-{region.upper()}" if region else code
