"""The table of the formats of descriptions and lists; links, labels, paths and preferences follow from it.

A new format is a row here, its writer in `ginuri.descriptions.writer`, its routes, and `openapi.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ginuri.frozen import Frozen
from ginuri.identifiers import Kind
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.service_paths import ERC, LINKSET, LINKSET_TEXT, LINKSET_TYPES, PAGE
from ginuri.registry.model import Registered, Representation, Resource, ResourceType
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.resolution.negotiation.preferences import read_media_ranges

HTML, JSON_LD, JSON, GEOJSON, CSV = PAGE, "jsonld", "json", "geojson", "csv"
"""The extensions of the formats that other modules name."""


class Format(Frozen):
    """A format of descriptions, of lists, or of both."""

    extension: str
    media_type: str
    quality: float
    """The preference among formats that a client accepts equally; the rows are in this order."""
    label: Message
    writer: str
    """The name of its function in `ginuri.descriptions.writer`."""
    is_described: bool = True
    is_listed: bool = False
    parameters: str = ""
    """The parameters of the media type in a response."""

    @property
    def is_linkset(self) -> bool:
        """Whether it contains links only (RFC 9264)."""
        return self.writer == "linkset"

    @property
    def is_citation(self) -> bool:
        """Whether it is for reference managers."""
        return self.writer == "citation"


_UTF_8 = "; charset=utf-8"
_called = partial(message, "{name}")  # a name that is the same in every language
_ROWS = (
    Format(HTML, "text/html", 1.0, message("Web page"), "page", is_listed=True),
    Format(JSON_LD, "application/ld+json", 0.9, _called(name="JSON-LD"), "rdf", is_listed=True),
    Format("ttl", "text/turtle", 0.88, _called(name="Turtle"), "rdf", is_listed=True),
    Format("rdf", "application/rdf+xml", 0.86, _called(name="RDF/XML"), "rdf", is_listed=True),
    Format("nt", "application/n-triples", 0.84, _called(name="N-Triples"), "rdf", is_listed=True),
    Format(JSON, "application/json", 0.8, _called(name="JSON"), "json", is_listed=True),
    Format("bib", "application/x-bibtex", 0.78, _called(name="BibTeX"), "citation", parameters=_UTF_8),
    Format(
        "ris", "application/x-research-info-systems", 0.76, _called(name="RIS"), "citation", parameters=_UTF_8
    ),
    Format("csl", "application/vnd.citationstyles.csl+json", 0.74, _called(name="CSL-JSON"), "citation"),
    Format(GEOJSON, "application/geo+json", 0.3, _called(name="GeoJSON"), "geojson", is_listed=True),
    Format(ERC, "text/plain", 0.2, _called(name="ERC"), "erc", parameters=_UTF_8),
    # RFC 7111 and RFC 4180 §3: the parameters of text/csv
    Format(
        CSV,
        "text/csv",
        0.2,
        _called(name="CSV"),
        "csv",
        is_described=False,
        is_listed=True,
        parameters=f"{_UTF_8}; header=present",
    ),
    # A linkset is given only to clients that ask for one.
    Format(LINKSET, LINKSET_TYPES[LINKSET], 0.1, message("Linkset"), "linkset"),
    Format(LINKSET_TEXT, LINKSET_TYPES[LINKSET_TEXT], 0.1, message("Linkset as text"), "linkset"),
)
FORMATS: Mapping[str, Format] = {row.extension: row for row in _ROWS if row.is_described}
"""The formats of descriptions by extension."""
COMMON_FORMATS = {extension: row for extension, row in FORMATS.items() if not row.is_citation}
"""The formats of every description, also of those that are not cited."""
CANONICAL_MEDIA_TYPE = FORMATS["rdf"].media_type
"""The canonical form of descriptions.

USGIN URI Policies 1.1, tables 1 and 2: the canonical form of a collection is "xml file containing metadata
record", and the "normative representation of this register is SKOS rdf document".
"""
LIST_FORMATS: Mapping[str, Format] = {row.extension: row for row in _ROWS if row.is_listed}
_OFFERED = {row.extension: Representation(media_type=row.media_type, quality=row.quality) for row in _ROWS}
_CITATION_TYPES = {row.media_type for row in _ROWS if row.is_citation}


def is_cited(record: Registered) -> bool:
    """Return whether a record has a citation: a resource or a resource type whose title is not hidden."""
    return isinstance(record, Resource | ResourceType) and not STATUSES[record.status].is_hidden


def formats_of(record: Registered) -> Mapping[str, Format]:
    """Return the formats of the description of a record."""
    return FORMATS if is_cited(record) else COMMON_FORMATS


def choose_format(accept: str | None, formats: Mapping[str, Format]) -> Format | None:
    """Choose the format for an Accept header; None if none is acceptable."""
    chosen = choose(Preferences(accept=accept), [_OFFERED[extension] for extension in formats])
    return next((row for row in formats.values() if _OFFERED[row.extension] is chosen), None)


def leads_to_description(accept: str | None, kind: Kind) -> bool:
    """Return whether a client that accepts none of the forms is redirected to the description.

    A thing has its description in any format. A document is not its description, but a client that names a
    format of reference managers wants nothing else than its citation.
    """
    if kind is Kind.THING:
        return choose_format(accept, FORMATS) is not None
    named = {f"{each.type}/{each.subtype}" for each in read_media_ranges(accept or "") if each.q}
    return not named.isdisjoint(_CITATION_TYPES)
