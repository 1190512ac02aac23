"""The query of a request: as it was sent where the front door or the edge tells, else built again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hmac import compare_digest
from typing import NamedTuple
from urllib.parse import parse_qsl, quote

_EDGE_SECRET, _EDGE_QUERY, _EDGE_HOST = "x-ginuri-edge", "x-ginuri-query", "x-ginuri-host"
# RFC 3986 §3.4  query = *( pchar / "/" / "?" )
# What separates pairs stays out, and so does `;`, where a REST API would split them again.
_MARKS = "/?:@!$'()*,"
_is_plain = re.compile(rf"[A-Za-z0-9\-._~{_MARKS}]*").fullmatch  # for speed: most of what is sent is plain


class EdgeWord(NamedTuple):
    """What the edge says about a request, where it is the edge that speaks; None where it says nothing."""

    query: str | None = None
    """The raw query."""
    host: str | None = None
    """The host that the client asked."""


def take_edge_word(fields: dict[str, str], secret: str | None) -> EdgeWord:
    """Take the edge's own fields out of the header; give what the edge handed over in them.

    Anybody can send `X-Ginuri-Query` and `X-Ginuri-Host`: they count only beside an `X-Ginuri-Edge` that is
    the secret. What is taken out goes no further, neither into an answer nor into a log.
    """
    claimed, query, host = (fields.pop(name, None) for name in (_EDGE_SECRET, _EDGE_QUERY, _EDGE_HOST))
    if claimed is None or not secret or not compare_digest(_bytes(claimed), _bytes(secret)):
        return EdgeWord()
    return EdgeWord(query if query is None else tidy_query(query), host)


def rebuild_query(parameters: Mapping[str, Sequence[str]]) -> str:
    """Write decoded parameters as a query that decodes to the same, names in the order given.

    What decoding lost stays lost: how the pairs of several names were interleaved, which characters were
    escaped, whether `a` had an equals sign, and that a `;` was no separator.
    """
    return "&".join(
        [f"{_escape(name)}={_escape(value, '=')}" for name, values in parameters.items() for value in values]
    )


def join_query(parameters: Mapping[str, Sequence[str]]) -> str:
    """Write parameters that nobody decoded as the query they were taken from."""
    return tidy_query("&".join(f"{name}={value}" for name, values in parameters.items() for value in values))


def tidy_query(query: str) -> str:
    """Leave a query as it was sent, but for what no URI may have in it: that is escaped."""
    return _escape(query, "=&;+%")


def read_parameters(query: str) -> dict[str, str]:
    """Decode a query (`+` is a space), the last of each name."""
    return dict(parse_qsl(query, keep_blank_values=True))


def read_number(parameters: Mapping[str, str], name: str, *, usual: int, most: int) -> int | None:
    """Read a parameter that is a number from 1 to `most`, in ASCII digits.

    Returns `usual` if it was not sent, and None if it is no such number; an empty value is none.
    """
    text = parameters.get(name)
    if text is None:
        return usual
    # Its length is bounded before it is converted: Python raises for more than 4,300 digits.
    if len(text) > len(str(most)) or not (text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if 1 <= number <= most else None


def whole_query(query: str, *, is_as_sent: bool) -> str:
    """Give a query that is one text and no parameters, such as a URN.

    A gateway takes it for names, and one that was built again has an `=` behind each: it is taken off. An `=`
    that was sent at the end cannot be told from that, nor an escape from what it stood for.
    """
    if is_as_sent:
        return query
    return "&".join(
        each[:-1] if each.endswith("=") and each.count("=") == 1 else each for each in query.split("&")
    )


def _escape(text: str, also: str = "") -> str:
    return text if _is_plain(text) else quote(text, _MARKS + also, errors="surrogatepass")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
