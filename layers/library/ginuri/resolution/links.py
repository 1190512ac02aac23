"""The typed links of an identifier as values (RFC 8288 §2), for the Link header and the linksets.

FAIR signposting, https://signposting.org/FAIR/, lists the relations that a machine looks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ginuri.identifiers import Identifier, Kind, read_identifier
from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import ABOUT, LINKSET, LINKSET_TYPES, MEMBERS, description_path
from ginuri.registry.model import (
    Host,
    NameAuthority,
    Namespace,
    Registered,
    Representation,
    Resource,
    ResourceType,
    Scheme,
    Status,
)
from ginuri.registry.ports import Found
from ginuri.resolution.decision import leads_to, own_address
from ginuri.resolution.negotiation.preferences import LONGEST_REMEMBERED

_GIN = "uri-gin/"
_FOLLOWED = ("http://", "https://", "urn:", "info:", "mailto:")
_SCHEMA = "https://schema.org/"
ABOUT_PAGE = f"{_SCHEMA}AboutPage"
"""The type of a description."""
_CLASSES: Mapping[type[Registered], str] = {
    Host: "Service",
    NameAuthority: "Organization",
    Namespace: "DefinedTermSet",
    ResourceType: "DefinedTerm",
    Scheme: "DefinedTermSet",
}
_KINDS = {Kind.THING: "Thing", Kind.DOCUMENT: "CreativeWork", Kind.REPRESENTATION: "MediaObject"}
# Most types are of the DCMI Type Vocabulary.
_NATURES = {
    "Collection": "Collection",
    "Dataset": "Dataset",
    "Event": "Event",
    "Image": "ImageObject",
    "MovingImage": "VideoObject",
    "Organization": "Organization",
    "Person": "Person",
    "Service": "Service",
    "Software": "SoftwareSourceCode",
    "Sound": "AudioObject",
    "StillImage": "ImageObject",
    "Text": "CreativeWork",
}
# Dublin Core properties with the meaning of a registered relation.
_PROPERTIES = {
    "license": "license",
    "creator": "author",
    "isPartOf": "collection",
    "replaces": "predecessor-version",
    "isReplacedBy": "successor-version",
}


_STATED_FIRST = frozenset({"successor-version", "type"})


class Link(NamedTuple):
    """A link from the described resource to an absolute URI, or to a path from the root of this host."""

    relation: str
    """Or several, separated by blanks."""
    target: str
    media_type: str | None = None
    language: str | None = None
    profile: str | None = None
    title: str | None = None
    datetime: str | None = None
    """The date of a memento as an HTTP date (RFC 7089 §2.2.4)."""


def link_identifier(
    found: Found, record: Registered, offered: Sequence[Representation], canonical_host: str
) -> list[Link]:
    """Return the links of an identifier, the most needed first."""
    uri = found.cited(canonical_host)
    links = [Link("canonical cite-as", uri), *link_description(found, record, canonical_host)]
    if record.status is Status.WITHHELD:
        # RFC 7725 §4: the link names the entity that implements the block, not the one that requested it.
        links.append(Link("blocked-by", f"http://{canonical_host}/"))
    # Links of a record are not true of each of its forms: these have their own type.
    is_itself = record.identifier == found.identifier.normal_form
    stated = list(dict.fromkeys(link_record(found, record))) if is_itself else []
    links += [link for link in stated if link.relation in _STATED_FIRST]
    links += [link_form("alternate", record, form) for form in offered]
    links += [link for link in stated if link.relation not in _STATED_FIRST]
    if offered and found.query_arguments:
        from ginuri.resolution.query_arguments import link_arguments

        links += link_arguments(found, offered)
    return links


def link_description(found: Found, record: Registered, canonical_host: str) -> tuple[Link, Link]:
    """Return the links to the description of a record."""
    where = description_path(record.identifier)
    linkset = description_path(record.identifier, extension=LINKSET)
    if found.identifier.scheme == "http":
        where, linkset = (page_address(path, found, canonical_host) for path in (where, linkset))
    return Link("describedby", where), Link("linkset", linkset, LINKSET_TYPES[LINKSET])


def page_address(path: str, found: Found, canonical_host: str) -> str:
    """Return the address of a page about an identifier: on the canonical host, if its own has no pages."""
    from ginuri.resolution.reserved_paths import gives_up_paths

    is_elsewhere = gives_up_paths(found.records.get(found.identifier.root), canonical_host)
    return f"http://{canonical_host}{path}" if is_elsewhere else path


def link_thing(record: Resource, found: Found) -> Sequence[Link]:
    """Return the link from each form of a record to its thing, or those to what its document describes.

    RFC 9110 §15.4.4: a thing redirects to a resource that is "descriptive of the target resource"; RFC 6892.
    """
    # Without a registered kind, the syntax shows a thing: by its final slash, or by a scheme without kinds.
    is_thing = record.kind is Kind.THING if record.kind else _is_thing_by_syntax(record, found)
    if is_thing:
        return (Link("describes", path_of(record.identifier)),)
    return [_registered("describes", link) for link in record.links.get("describes", ())]


def _is_thing_by_syntax(record: Resource, found: Found) -> bool:
    return record.identifier.endswith("/") or found.identifier.is_namespaced


def link_record(found: Found, record: Registered) -> Iterator[Link]:
    """Yield the registered links, and those derived from the record."""
    if record.successor:
        yield Link("successor-version", path_of(record.successor))
    yield from _types(found, record)
    if isinstance(record, Resource) and record.part_of:
        yield Link("collection", path_of(record.part_of))
    for name, relation in _PROPERTIES.items():
        if name not in record.properties:
            continue
        for value in _several(record.properties[name]):
            target = _target(value)
            if target is not None:
                yield Link(relation, target)
    if isinstance(record, Resource):
        for relation, links in record.links.items():
            yield from (_registered(relation, link) for link in links)


def link_form(relation: str, record: Registered, form: Representation) -> Link:
    """Return the link to a representation, with its properties as far as they are known."""
    return Link(relation, form_address(record, form), form.media_type, form.language, form.profile)


def form_address(record: Registered, form: Representation) -> str:
    """Return the address of a representation: its own identifier, or its location."""
    return own_address(record, form) or (path_of(record.identifier) if form.file else leads_to(form))


def schema_types(found: Found, record: Registered) -> Iterator[str]:
    """Yield the schema.org classes of a record, by their names."""
    targets = (link.target for link in _types(found, record))
    return (target.removeprefix(_SCHEMA) for target in targets if target.startswith(_SCHEMA))


def absolute(target: str, found: Found, canonical_host: str) -> str:
    """Write a target as an absolute URI: identifiers in their cited form, all else on the canonical host."""
    if not target.startswith("/"):
        return target
    if target.startswith("//"):  # RFC 3986 §4.2: a name bound to a host
        return f"http:{target}"
    if target == "/" or target[1:].startswith((ABOUT, MEMBERS)):
        return f"http://{canonical_host}{target}"
    identifier = _identifier(target)
    return (
        f"http://{canonical_host}{target}"
        if identifier is None
        else Found(identifier, found.records).cited(canonical_host)
    )


def _types(found: Found, record: Registered) -> Iterator[Link]:
    schema_class = _CLASSES.get(type(record))
    if schema_class is not None:
        yield Link("type", _SCHEMA + schema_class)
        return
    natures = _several(record.properties.get("type", ()))
    classes = [_NATURES[nature] for nature in natures if nature in _NATURES]
    kind = (record.kind if isinstance(record, Resource) else None) or found.identifier.kind
    for schema_class in classes or (_KINDS[kind],):
        yield Link("type", _SCHEMA + schema_class)
    yield from (Link("type", nature) for nature in natures if nature.startswith(("http://", "https://")))
    if (typed := found.resource_type) is not None:
        yield Link("type", path_of(typed.identifier))


def _registered(relation: str, link: Mapping[str, str]) -> Link:
    target = _target(link["href"]) or link["href"]
    # RFC 8288 §2.1.1, §3.3: a registered relation is compared without regard to case; an extension is a URI.
    name = relation if ":" in relation else relation.lower()
    return Link(name, target, link.get("type"), link.get("hreflang"), link.get("profile"), link.get("title"))


def _target(text: str) -> str | None:
    return (_target_again if len(text) <= LONGEST_REMEMBERED else _read_target)(text)


def _read_target(text: str) -> str | None:
    """Parse the target of a value; None if it is plain text."""
    # Checking the text is cheaper than an exception.
    is_likely = _GIN in text
    identifier = _identifier(text) if is_likely else None
    if identifier is not None:
        return identifier.path
    return text if text.startswith(_FOLLOWED) and " " not in text else None


_target_again = lru_cache(maxsize=4096)(_read_target)  # Many records have the same few targets.


def _identifier(text: str) -> Identifier | None:
    identifier = read_identifier(text)
    return None if identifier and identifier.is_bound else identifier


def _several(value: str | Sequence[str]) -> Sequence[str]:
    return (value,) if isinstance(value, str) else value
