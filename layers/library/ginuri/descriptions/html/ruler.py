"""The named parts of an identifier's URI. Source: "USGIN URI syntax"."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ginuri.descriptions.description import Description
from ginuri.identifiers import Identifier
from ginuri.identifiers.grammars.gin import divide
from ginuri.identifiers.messages import translatable
from ginuri.identifiers.service_paths import description_path


@dataclass(frozen=True, slots=True)
class UriPart:
    """One part of a URI; the texts of all parts, concatenated, are the URI."""

    name: str
    text: str
    href: str | None = None
    is_identity: bool = True
    """False for the host, unless it is part of the identifier."""


def parts_of_uri(description: Description) -> tuple[UriPart, ...]:
    """Divide the URI of the described identifier into its parts, with links to its ancestors."""
    above = (description.scheme, description.authority)
    named = {reference.identifier for reference in above if reference and reference.identifier}
    known = named | description.type_paths
    return divide_uri(description.identifier, description.uri, description.type_paths, known)


def divide_uri(
    identifier: Identifier,
    uri: str,
    type_paths: AbstractSet[str] = frozenset(),
    known: AbstractSet[str] = frozenset(),
) -> tuple[UriPart, ...]:
    """Divide the URI of an identifier into its parts, with links to those of its ancestors that are known.

    `type_paths` has the registered resource types above it.
    """
    root = identifier.root
    if identifier.is_bound:
        path = UriPart(translatable("path"), identifier.normal_form[len(root) :])
        return UriPart(translatable("host"), f"http:{root}", description_path(root)), path
    host = uri.removesuffix(identifier.normal_form if identifier.scheme else "")
    pieces = _pieces(identifier, type_paths, known)
    return (UriPart(translatable("host"), host, "/", is_identity=False), *pieces)


def step_up(description: Description) -> tuple[UriPart, ...]:
    """Return the registered ancestors of an identifier, from the scheme down, each as its last segment."""
    registered = {
        reference.identifier for reference in (description.scheme, description.authority) if reference
    } | description.type_paths
    above = (name for name in description.identifier.ancestors if name in registered)
    return tuple(UriPart("", name.rstrip("/").rpartition("/")[2], description_path(name)) for name in above)


def _pieces(
    identifier: Identifier, type_paths: AbstractSet[str], known: AbstractSet[str]
) -> Iterator[UriPart]:
    if not identifier.scheme:
        return
    end = 0
    for name, text in (
        _namespaced(identifier) if identifier.is_namespaced else _divided(identifier, type_paths)
    ):
        if text:
            start, end = end, min(end + len(text) + 1, len(identifier.normal_form))
            above = identifier.normal_form[:end]
            is_linked = above in known and above != identifier.normal_form
            yield UriPart(
                name, identifier.normal_form[start:end], description_path(above) if is_linked else None
            )


def _namespaced(identifier: Identifier) -> tuple[tuple[str, str | None], ...]:
    # RFC 4452 §4.1: only the namespace defines what a slash in the name means.
    namespace = identifier.name_authority
    begin = len(identifier.root) + (0 if namespace is None else len(namespace) + 1)
    rest = identifier.normal_form[begin:]
    return (
        (translatable("scheme"), identifier.scheme),
        (translatable("namespace"), namespace),
        (translatable("name"), rest),
    )


def _divided(identifier: Identifier, type_paths: AbstractSet[str]) -> tuple[tuple[str, str | None], ...]:
    division = divide(identifier, type_paths)
    return (
        (translatable("scheme"), identifier.scheme),
        (translatable("name authority"), identifier.name_authority),
        (translatable("resource path"), "/".join(division.resource_path)),
        (translatable("resource-specific string"), division.resource_specific_string),
        (translatable("representation part"), division.representation_part),
    )
