"""Conditional requests (RFC 9110 §13): send the response, or answer 304 or 412.

Conditions apply to responses that would be a 200 or 206 (§13.2.1); redirects and errors ignore them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from ginuri.frozen import Frozen
from ginuri.registry.http_dates import read_http_date

# RFC 9110 §8.8.3  entity-tag = [ weak ] opaque-tag   ; weak = %s"W/"
#                  opaque-tag = DQUOTE *etagc DQUOTE   ; etagc = %x21 / %x23-7E / obs-text
_ENTITY_TAG = re.compile(r'(?P<weak>W/)?(?P<opaque>"[\x21\x23-\x7e\x80-\xff]*")')
# RFC 9110 §5.6.1  #element: commas separate, except inside quotes; an unclosed quote includes the rest
_ELEMENT = re.compile(r'(?:[^,"]|"[^"]*(?:"|\Z))+')
_READING = frozenset({"GET", "HEAD"})
_SELECTING_NOTHING = frozenset({"CONNECT", "OPTIONS", "TRACE"})


class Selected(Frozen):
    """The selected representation, with the properties that conditions and ranges depend on."""

    etag: str
    """Its strong entity tag, with its quotes, as in the `ETag` header."""
    modified: datetime | None
    """The modification date with time zone; if None, conditions with a date are ignored."""
    length: int
    """The length in bytes."""

    @property
    def last_modified(self) -> datetime | None:
        """The date of `Last-Modified`, in whole seconds; None if there is no such header."""
        return self.modified.astimezone(UTC).replace(microsecond=0) if self.modified else None


class Proceed(Frozen):
    """Respond as if there were no conditions (but see `range_holds`)."""


class NotModified(Frozen):
    """The client has the current version: 304."""


class PreconditionFailed(Frozen):
    """The current version is not the one that the client expects: 412."""


Outcome = Proceed | NotModified | PreconditionFailed


def evaluate(method: str, headers: Mapping[str, str], selected: Selected) -> Outcome:
    """Evaluate the preconditions of a request in the order of RFC 9110 §13.2.2; field names in lower case."""
    # §13.2.1: no conditions on methods that select no representation
    if method in _SELECTING_NOTHING:
        return Proceed()
    if not _is_as_expected(headers, selected):
        return PreconditionFailed()
    if not _is_news(method, headers, selected):
        return NotModified() if method in _READING else PreconditionFailed()
    return Proceed()


def range_holds(headers: Mapping[str, str], selected: Selected) -> bool:
    """Return whether If-Range lets a Range apply (RFC 9110 §13.1.5); an invalid If-Range does not."""
    condition = headers.get("if-range")
    # Strong comparison, or the exact date: parts of two versions must never be combined. Dates are strong
    # validators (§8.8.2.2), since each is sent with an entity tag, which clients must prefer.
    if condition is None or condition == selected.etag:
        return True
    return selected.last_modified is not None and read_http_date(condition) == selected.last_modified


def _is_as_expected(headers: Mapping[str, str], selected: Selected) -> bool:
    match = headers.get("if-match")
    # §13.2.2 step 1, §13.1.1: strong comparison; `*` is any representation, and there is one
    if match is not None:
        return match == "*" or selected.etag in _tags(match, weak=False)
    # step 2, §13.1.4: only without If-Match, and with a date on either side
    since, modified = headers.get("if-unmodified-since"), selected.last_modified
    unmodified_since = read_http_date(since) if since else None
    return unmodified_since is None or modified is None or modified <= unmodified_since


def _is_news(method: str, headers: Mapping[str, str], selected: Selected) -> bool:
    none_match = headers.get("if-none-match")
    # §13.2.2 step 3, §13.1.2: weak comparison; `*` is any representation, and there is one
    if none_match is not None:
        return none_match != "*" and selected.etag not in _tags(none_match, weak=True)
    # step 4, §13.1.3: only without If-None-Match, only for GET and HEAD, and with a date on either side
    since, modified = headers.get("if-modified-since"), selected.last_modified
    modified_since = read_http_date(since) if since and method in _READING else None
    return modified_since is None or modified is None or modified > modified_since


def _tags(header: str, *, weak: bool) -> Iterator[str]:
    """Yield the opaque tags of a list of entity tags, the weak ones only if `weak`; skip invalid ones."""
    for element in _ELEMENT.findall(header):
        tag = _ENTITY_TAG.fullmatch(element.strip(" \t"))
        if tag and (weak or not tag["weak"]):
            yield tag["opaque"]
