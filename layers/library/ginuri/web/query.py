"""Reads the parameters of a query, or a query that is one text without parameters."""

from __future__ import annotations

from collections.abc import Container, Mapping

LANGUAGE = "lang"
"""The parameter of a page that chooses its language."""


def read_parameters(query: str) -> dict[str, str]:
    """Decode a query (`+` is a space); of repeated names, the last counts."""
    if not query:
        return {}
    from urllib.parse import parse_qsl

    return dict(parse_qsl(query, keep_blank_values=True))


def drop_parameters(query: str, names: Container[str]) -> str:
    """Return a query without the parameters of these names, otherwise unchanged."""
    if not query:
        return query
    return "&".join(pair for pair in query.split("&") if _name(pair) not in names)


def keep_parameters(query: str, names: Container[str]) -> str:
    """Return a query with only the parameters of these names, unchanged."""
    return "&".join(pair for pair in query.split("&") if _name(pair) in names)


def _name(pair: str) -> str:
    from urllib.parse import unquote_plus

    return unquote_plus(pair.partition("=")[0])


def read_number(parameters: Mapping[str, str], name: str, *, usual: int, most: int) -> int | None:
    """Read a parameter that is a number from 1 to `most`, in ASCII digits.

    Returns `usual` if it is absent or empty, and None for any other value.
    """
    text = parameters.get(name)
    if not text:
        return usual
    # Its length is limited before it is converted: Python raises for more than 4,300 digits.
    if len(text) > len(str(most)) or not (text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if 1 <= number <= most else None


def whole_query(query: str, *, is_as_sent: bool) -> str:
    """Return a query that is one text without parameters, such as a URN.

    A gateway reads such a query as names, and a rebuilt query has an `=` after each name, which is removed.
    An `=` that the client sent at the end, or an escape, cannot be distinguished from a rebuilt one.
    """
    if is_as_sent:
        return query
    return "&".join(
        pair[:-1] if pair.endswith("=") and pair.count("=") == 1 else pair for pair in query.split("&")
    )
