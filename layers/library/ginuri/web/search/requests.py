"""The parameters of a search, parsed and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from ginuri.identifiers import read_identifier
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.service_paths import SEARCH
from ginuri.registry.model import RecordType, Status
from ginuri.registry.texts.plain_text import plain
from ginuri.search.searcher import SearchQuery
from ginuri.web.query import read_number

MOST_LISTED, PAGE = 100, 20
TYPES = tuple(record_type for record_type in RecordType if record_type is not RecordType.GRANT)
"""The types of the records that a search finds; grants are not public."""
"""Results on a page: the maximum, and the default."""
MOST_PAGES = 10_000
"""The last page: a search counts no more matches than this, and a page has at least one."""
MOST_ASKED = 1_000
"""Characters of a query."""
AUTHORITY, TYPE, STATUS = FILTERS = ("authority", "type", "status")
"""The parameters that filter results."""
_WIDTH = 60


@dataclass(frozen=True, slots=True)
class UnreadableParameter:
    """A parameter has an invalid value."""

    detail: Words


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search request."""

    question: SearchQuery
    parameters: Mapping[str, str]
    """The query from the client, for links to other pages."""
    page: int
    most: int

    @property
    def filters(self) -> Mapping[str, str]:
        """The filters as sent."""
        return {name: self.parameters[name] for name in FILTERS if name in self.parameters}

    def asking(self, text: str) -> SearchRequest:
        """Return the same request with another text."""
        question = replace(self.question, text=text)
        return replace(self, question=question, parameters={**self.parameters, "q": text})

    def without_filters(self) -> SearchRequest:
        """Return the first page of the same text, without filters."""
        kept = {name: value for name, value in self.parameters.items() if name not in FILTERS}
        return SearchRequest(SearchQuery(self.question.text), kept, 1, self.most)

    def path(self, **changes: str | int | None) -> str:
        """Return the path of this search with other parameters; None removes one.

        Returns to the first page unless `page` is among the changes.
        """
        changed = {name: value for name, value in {**self.parameters, **changes}.items() if value is not None}
        query = urlencode(changed, errors="replace")
        return f"/{SEARCH}?{query}" if query else f"/{SEARCH}"


def read_search(parameters: Mapping[str, str]) -> SearchRequest | UnreadableParameter:
    """Read the parameters of a search, without control characters, as a page shows them."""
    parameters = {name: plain(value, has_lines=False) for name, value in parameters.items()}
    text = parameters.get("q", "")
    if len(text) > MOST_ASKED:
        return too_long(text)
    status, kind = parameters.get(STATUS, ""), parameters.get(TYPE, "")
    if status and status not in set(Status):
        detail = "status={status} is not one of {known}."
        return UnreadableParameter(message(detail, status=shorten(status), known=", ".join(Status)))
    is_path = "/" in kind
    if kind and not is_path and kind not in TYPES:
        detail = "type={type} is neither a resource type, such as uri-gin/azgs/doc/, nor one of {known}."
        return UnreadableParameter(message(detail, type=shorten(kind), known=", ".join(TYPES)))
    under = _prefix(parameters.get(AUTHORITY, ""))
    if is_path:
        if not _prefix(kind).startswith(under):
            detail = "type={type} is not a resource type of authority={authority}."
            return UnreadableParameter(message(detail, type=shorten(kind), authority=shorten(under)))
        under = _prefix(kind)
    numbers = {}
    for name, usual, most in (("page", 1, MOST_PAGES), ("most", PAGE, MOST_LISTED)):
        number = read_number(parameters, name, usual=usual, most=most)
        if number is None:
            detail = "{name}={value} is not a number from 1 to {most}."
            value = shorten(parameters[name])
            return UnreadableParameter(message(detail, name=name, value=value, most=f"{most:,}"))
        numbers[name] = number
    question = SearchQuery(
        text,
        under,
        RecordType(kind) if kind and not is_path else None,
        Status(status) if status else None,
    )
    sent = {name: parameters[name] for name in ("q", *FILTERS, "most") if parameters.get(name)}
    return SearchRequest(question, sent, numbers["page"], numbers["most"])


def too_long(text: str) -> UnreadableParameter:
    """Return the message for a text of more than `MOST_ASKED` characters."""
    detail = "q has {number} characters; the limit is {most}."
    return UnreadableParameter(message(detail, number=f"{len(text):,}", most=f"{MOST_ASKED:,}"))


def shorten(text: str) -> str:
    """Cut a text to the width of a line."""
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def _prefix(text: str) -> str:
    # Text copied from an address bar starts with a host; a copied path starts with a slash.
    ended = text if not text or text.endswith("/") else f"{text}/"
    if text.startswith("//") or "://" in text:
        named = read_identifier(ended)
        if named is not None:
            # "http://host/" means the whole registry, "//host/" the identifiers bound to the host.
            return named.normal_form if named.scheme or text.startswith("//") else ""
    return ended.partition("://")[2].partition("/")[2] if "://" in ended else ended.lstrip("/")
