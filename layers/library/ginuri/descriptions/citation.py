"""Citations: as a sentence, and in the formats of reference managers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ginuri.descriptions.description import Description
from ginuri.descriptions.json.indented import write_indented
from ginuri.registry.model import Namespace

_DATES = ("issued", "date", "created", "modified")
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
# Class of the DCMI Type Vocabulary → RIS TY, CSL 1.0.2 type
_NATURES = {
    "Collection": ("AGGR", "collection"),
    "Dataset": ("DATA", "dataset"),
    "Image": ("FIGURE", "graphic"),
    "MovingImage": ("VIDEO", "motion_picture"),
    "Software": ("COMP", "software"),
    "Sound": ("SOUND", "song"),
    "StillImage": ("FIGURE", "graphic"),
}
_ANYTHING = ("GEN", "document")
_BIBTEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
} | {character: f"\\{character}" for character in "#$%&_"}


@dataclass(frozen=True, slots=True)
class Citation:
    """The fields of a citation; unregistered ones are empty."""

    title: str
    uri: str
    authors: tuple[str, ...] = ()
    year: str = ""
    publisher: str = ""
    nature: str = ""
    """Its class in the DCMI Type Vocabulary."""
    language: str = ""


def cite(description: Description) -> Citation:
    """Return the citation of a record that `is_cited`."""
    stated = {name: [value.title.text for value in values] for name, values in description.properties.items()}
    publisher = next(iter(stated.get("publisher", ())), "")
    if not publisher and description.authority:
        steward = description.steward
        named = steward.registrant if isinstance(steward, Namespace) else None
        publisher = named or description.authority.title.text
    years = (_YEAR.search(day) for name in _DATES for day in stated.get(name, ()))
    return Citation(
        title=description.title.text,
        uri=description.uri,
        authors=tuple(stated.get("creator", ())),
        year=next((found[0] for found in years if found), ""),
        publisher=publisher,
        nature=next(iter(stated.get("type", ())), ""),
        language=description.title.language,
    )


def write_sentence(citation: Citation) -> str:
    """Write a citation as a sentence.

    >>> write_sentence(Citation("A map", "http://example.org/x", ("Hayes, P.",), "2005", "A survey"))
    'Hayes, P. (2005). A map. A survey. http://example.org/x'
    """
    year = f"({citation.year})" if citation.year else ""
    # The page of an organization does not name the same organization as its publisher.
    publisher = citation.publisher if citation.publisher != citation.title else ""
    if citation.authors:
        parts = [f"{_join(citation.authors)} {year}".strip(), citation.title, publisher]
    else:
        parts = [f"{citation.title} {year}".strip(), publisher]
    return " ".join([*(part if part.endswith(".") else f"{part}." for part in parts if part), citation.uri])


def write_bibtex(citation: Citation) -> str:
    """Write a BibTeX entry."""
    fields = {
        "title": f"{{{_bibtex(citation.title)}}}",
        "author": " and ".join(map(_bibtex_name, citation.authors)),
        "year": citation.year,
        "publisher": _bibtex(citation.publisher),
        # The url package reads a URI verbatim; a URI contains no braces or spaces.
        "url": citation.uri,
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@misc{{{_key(citation)},\n" + ",\n".join(lines) + "\n}\n"


def write_ris(citation: Citation) -> str:
    """Write a RIS record: one tag and one text per line, so line breaks in texts become spaces."""
    lines = [
        ("TY", _NATURES.get(citation.nature, _ANYTHING)[0]),
        ("TI", citation.title),
        *(("AU", author) for author in citation.authors),
        ("PY", citation.year),
        ("PB", citation.publisher),
        ("LA", citation.language),
        ("UR", citation.uri),
    ]
    tagged = [f"{tag}  - {_one_line(text)}" for tag, text in lines if text]
    return "\n".join([*tagged, "ER  - "]) + "\n"


def write_csl(citation: Citation) -> str:
    """Write a CSL-JSON item, in a list as the schema requires."""
    item = {
        "id": citation.uri,
        "type": _NATURES.get(citation.nature, _ANYTHING)[1],
        "title": citation.title,
        "author": [_csl_name(author) for author in citation.authors],
        "issued": {"date-parts": [[int(citation.year)]]} if citation.year else None,
        "publisher": citation.publisher,
        "language": citation.language,
        "URL": citation.uri,
    }
    return write_indented([{name: value for name, value in item.items() if value}]) + "\n"


def _join(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{'; '.join(names[:-1])} & {names[-1]}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _bibtex(text: str) -> str:
    return "".join(_BIBTEX.get(character, character) for character in _one_line(text))


def _bibtex_name(name: str) -> str:
    # A name without a comma, or with "and", may be an organization; braces keep it in one piece.
    family, comma, given = _bibtex(name).partition(",")
    return f"{family},{given}" if comma and " and " not in name else f"{{{_bibtex(name)}}}"


def _key(citation: Citation) -> str:
    # A key may contain neither a comma nor a brace, and old BibTeX reads ASCII only.
    return re.sub(r"[^A-Za-z0-9._:-]", "-", citation.uri.rstrip("/").rpartition("/")[2])


def _csl_name(name: str) -> dict[str, str]:
    family, comma, given = name.partition(",")
    return (
        {"family": family.strip(), "given": given.strip()} if comma and given.strip() else {"literal": name}
    )


CITATION_WRITERS = {"bib": write_bibtex, "ris": write_ris, "csl": write_csl}
"""The writers by the extension of their format."""
