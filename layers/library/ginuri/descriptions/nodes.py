"""Values as JSON-LD nodes: references, texts with their language, media types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ginuri.core.model import Texts
from ginuri.descriptions.description import Named, Text

Node = dict[str, Any]
Statement = tuple[str, Any]
"""A property, written with a prefix of `vocabulary.PREFIXES`, and its value."""


def node(uri: str | None, statements: Iterable[Statement]) -> Node:
    """Gather statements about one thing, named or not; what is stated once stands without a list."""
    gathered: dict[str, list[Any]] = {}
    for name, value in statements:
        values = gathered.setdefault(name, [])
        if value not in values:
            values.append(value)
    told = {name: values[0] if len(values) == 1 else values for name, values in gathered.items()}
    return {"@id": uri, **told} if uri else told


def reference(named: Named) -> Node | str:
    """Refer to something, by its title as well where it is registered; mere words stay words."""
    if named.uri is None:
        return named.title.text
    label = {} if named.identifier is None else {"dcterms:title": text_value(named.title)}
    return {"@id": named.uri, **label}


def texts(name: str, stated: Texts) -> Iterator[Statement]:
    """State a text in each of its languages."""
    return ((name, text_value(Text(text, language))) for language, text in stated.items())


def text_value(text: Text) -> Node | str:
    """Write a text, with its language where that is known."""
    return {"@value": text.text, "@language": text.language} if text.language else text.text


def typed(value: str, datatype: str) -> Node:
    """Write a value of a datatype of XML Schema."""
    return {"@value": value, "@type": f"xsd:{datatype}"}


def media_type(text: str) -> Node:
    """Refer to a media type as IANA registers it; parameters are no part of that."""
    return {"@id": f"https://www.iana.org/assignments/media-types/{text.partition(';')[0]}"}
