"""Suggestions for a text that is being typed: one read of the index, and one of the registry."""

from __future__ import annotations

from ginuri.descriptions.html.ruler import divide_uri
from ginuri.identifiers import Identifier, parse
from ginuri.registry.model import ResourceType
from ginuri.registry.ports import Found, ManyFinder
from ginuri.search.beginnings import MOST_CANDIDATES, titles_with
from ginuri.search.index_reader import IndexReader
from ginuri.search.searcher import Searcher
from ginuri.web.request import Request
from ginuri.web.search.leads import read_identifier
from ginuri.web.search.requests import MOST_ASKED, UnreadableParameter, too_long
from ginuri.web.search.suggestions import Piece, Suggestions


def suggest(
    request: Request, searcher: Searcher, finder: ManyFinder, canonical_host: str
) -> Suggestions | UnreadableParameter:
    """Read the text as an identifier, else as words, and find completions. Raises RegistryUnavailable."""
    text = request.parameters.get("q", "")
    if len(text) > MOST_ASKED:
        return too_long(text)
    reading = read_identifier(text)
    error = None if reading is None or isinstance(reading, Identifier) else reading.words
    identifier = _known(reading, finder, request) if isinstance(reading, Identifier) else None
    index = searcher.index()
    names = [] if index is None or error else _candidates(index, text, identifier)
    # One call for all of them, and the ancestors of the identifier.
    asked = [*([identifier] if identifier else ()), *map(parse, names)]
    several = finder.find_many(asked, request.moment) if asked else []
    pieces = _pieces(several[0], canonical_host) if identifier else []
    records = [found.record for found in several[bool(identifier) :] if found.record is not None]
    return Suggestions(text, identifier, pieces, error, records)


def _known(identifier: Identifier, finder: ManyFinder, request: Request) -> Identifier | None:
    """Return an identifier unless its scheme is unknown: "wells:springs" is two words."""
    if not identifier.is_of_registered_scheme:
        return identifier
    return identifier if finder.find(identifier, request.moment).has_registered_root else None


def _candidates(index: IndexReader, text: str, identifier: Identifier | None) -> list[str]:
    if identifier is None:
        return titles_with(index, text)
    return index.names_with(identifier.normal_form, MOST_CANDIDATES)


def _pieces(found: Found, canonical_host: str) -> list[Piece]:
    identifier = found.identifier
    types = {name for name in identifier.ancestors if isinstance(found.records.get(name), ResourceType)}
    return [
        Piece(part.name, part.text, part.is_identity)
        for part in divide_uri(identifier, found.cited(canonical_host), types)
        if part.text
    ]
