"""Reading the parameters of a query, and what is one text and no parameters."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl


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
        pair[:-1] if pair.endswith("=") and pair.count("=") == 1 else pair for pair in query.split("&")
    )
