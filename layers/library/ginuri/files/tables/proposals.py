"""Proposes fields for columns with other names: by synonyms, by similarity, and by the words in a name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Sequence

from ginuri.files.schema.fields import ALIASES
from ginuri.files.schema.values import fold_word
from ginuri.registry.metadata.fields import AS_JSON, FIELDS

# Names that people give to columns, in English and Spanish, by field.
_SYNONYMS = {
    "identifier": "persistent identifier, persistent id, persistent uri, persistent url, pid, puri, purl, "
    "guid, iri, urn, ark, handle, permalink, uri identifier, identificador, identificador persistente",
    "title": "name, full name, display name, caption, heading, título, nombre, denominación",
    "description": "abstract, summary, details, descripción, resumen",
    "location": "link, web link, hyperlink, web address, address, href, web page, landing page, redirect, "
    "redirect to, download, target url, target uri, points to, resolves to, enlace, dirección, destino",
    "media_type": "format, file format, mime type, mime, content type, file type, formato, tipo de archivo",
    "language": "lang, idioma, lengua",
    "status": "state, life cycle, estado",
    "successor": "replaced by, is replaced by, superseded by, replacement, sustituido por, sucesor",
    "reason": "reason for change, change note, motivo, razón",
    "record": "record type, tipo de registro",
    "contact": "e-mail, email address, contact email, correo, correo electrónico, contacto",
    "homepage": "web site, sitio web",
    "file": "file name, filename, archivo, fichero",
    "valid_from": "valid since, effective date, effective from, válido desde",
    "until": "embargo, embargoed until, embargo ends, available from, embargado hasta, disponible desde",
    "part_of": "collection, parent, member of, belongs to, is part of, colección",
    "spatial": "geometry, wkt, coordinates, bounding box, extent, coordenadas",
    "stands_for": "alias of, same as, alias de",
}
_FIELDS = {fold_word(name): field for field, names in _SYNONYMS.items() for name in names.split(",")} | {
    fold_word(name): ALIASES.get(name, name) for name in (*FIELDS, *ALIASES) if name not in AS_JSON
}
_LEAST_SIMILARITY = 0.84
# The longest name of a column that is compared, in characters.
_LONGEST = 60
# The most columns to compare: each is compared with all synonyms.
_MOST_COMPARED = 50
_WORD = re.compile(r"[^\W_]+")


def propose_fields(names: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    """Propose a column for each field that none of them has; each column is proposed once.

    >>> propose_fields(["Well ID", "Name", "Web link", "Depth"], ())
    {'title': 'Name', 'location': 'Web link', 'identifier': 'Well ID'}
    """
    proposed: dict[str, str] = {}
    candidates = [name for name in names if name.strip() and len(name) <= _LONGEST][:_MOST_COMPARED]
    for guess in (_same, _similar, _of_words):
        for name in candidates:
            field = guess(name)
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
