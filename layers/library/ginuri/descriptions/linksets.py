"""The links of an identifier, its description and its representations, in both directions, for linksets.

They meet FAIR signposting, level 2: the description is the landing page, the representations are its items.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import LINKSET_TYPES, description_path, members_path
from ginuri.registry.model import Representation, Resource
from ginuri.registry.ports import Found
from ginuri.resolution.descriptions.decision import Describe
from ginuri.resolution.descriptions.formats import Format, formats_of
from ginuri.resolution.links import (
    ABOUT_PAGE,
    Link,
    absolute,
    form_address,
    link_form,
    link_identifier,
    link_record,
    link_thing,
)
from ginuri.resolution.match import reachable
from ginuri.resolution.versions.timeline import timeline_of_record
from ginuri.resolution.versions.version_links import link_all_versions, link_timeline
from ginuri.web.linksets import LinkInContext

_INVERSE = {
    "collection": "item",
    "successor-version": "predecessor-version",
    "predecessor-version": "successor-version",
}
# Relations of the identifier that also hold for its landing page and its representations.
_SHARED = {"author", "license"}
# Some relations of a resource to itself carry information; `alternate` does not.
_TO_ITSELF = {"canonical", "cite-as", "original", "timegate"}


def gather_links(outcome: Describe) -> Iterator[LinkInContext]:
    """Yield every link once, in the order of the linkset, with the links of representations last."""
    found = Found(outcome.identifier, {**outcome.found.records, **outcome.listing.records})
    host = outcome.canonical_host
    links = chain(
        _link_from_identifier(outcome, found),
        _link_from_description(outcome, found),
        _link_from_forms(outcome, found),
    )
    seen: set[LinkInContext] = set()
    for relative, link in links:
        anchor, target = absolute(relative, found, host), absolute(link.target, found, host)
        entry = LinkInContext(anchor, link._replace(target=target))
        if entry not in seen and (anchor != target or link.relation in _TO_ITSELF):
            seen.add(entry)
            yield entry


def _link_from_identifier(outcome: Describe, found: Found) -> Iterator[LinkInContext]:
    name, members = outcome.record.identifier, outcome.listing.names
    links = link_identifier(found, outcome.record, _forms(outcome), outcome.canonical_host)
    for link in (*links, *_link_versions(outcome)):
        for relation in link.relation.split():
            yield LinkInContext(outcome.uri, link._replace(relation=relation))
            if relation in _INVERSE:
                yield LinkInContext(link.target, Link(_INVERSE[relation], outcome.uri))
    further = (
        *([Link("up", outcome.above)] if outcome.identifier.scheme else ()),
        *(Link("item", path_of(member)) for member in members),
        *([Link("contents", members_path(name))] if members else ()),
        *(_link_format(name, extension, form) for extension, form in formats_of(outcome.record).items()),
    )
    yield from (LinkInContext(outcome.uri, link) for link in further)


def _link_format(name: str, extension: str, form: Format) -> Link:
    relation = "linkset" if form.is_linkset else "describedby"
    return Link(relation, description_path(name, extension=extension), form.media_type)


def _link_versions(outcome: Describe) -> Iterator[Link]:
    forms = _forms(outcome)
    if not isinstance(outcome.record, Resource) or not any(form.valid_from for form in forms):
        return
    kind = outcome.record.kind or outcome.identifier.kind
    timeline = timeline_of_record(outcome.record.identifier, kind, forms)
    yield from link_timeline(timeline)
    yield from link_all_versions(timeline)


def _link_from_description(outcome: Describe, found: Found) -> Iterator[LinkInContext]:
    page = description_path(outcome.record.identifier)
    links = (
        Link("describes", outcome.uri),
        Link("cite-as", outcome.uri),
        Link("type", ABOUT_PAGE),
        *_shared(outcome, found),
        *(link_form("item", outcome.record, form) for form in _forms(outcome)),
    )
    yield from (LinkInContext(page, link) for link in links)
    for extension, format_ in formats_of(outcome.record).items():
        link = _link_format(outcome.record.identifier, extension, format_)
        yield LinkInContext(page, link)
        if not format_.is_linkset:
            yield LinkInContext(link.target, Link("describes", outcome.uri))
            yield LinkInContext(link.target, Link("canonical", page))


def _link_from_forms(outcome: Describe, found: Found) -> Iterator[LinkInContext]:
    page = description_path(outcome.record.identifier)
    further = [
        *_shared(outcome, found),
        *(
            Link("linkset", description_path(outcome.record.identifier, extension=extension), media_type)
            for extension, media_type in LINKSET_TYPES.items()
        ),
    ]
    described = link_thing(outcome.record, found) if isinstance(outcome.record, Resource) else []
    for form in _forms(outcome):
        address = form_address(outcome.record, form)
        name = address if form.part or form.identifier else outcome.uri
        if absolute(address, found, outcome.canonical_host) == outcome.uri:
            continue  # its address is that of the identifier, whose links are written already
        links = (
            Link("canonical", name),
            Link("cite-as", name),
            Link("collection", page, "text/html"),
            Link("describedby", page),
            *described,
            *further,
        )
        anchors = dict.fromkeys(filter(None, (address, form.location)))
        yield from (LinkInContext(anchor, link) for anchor in anchors for link in links)


def _shared(outcome: Describe, found: Found) -> list[Link]:
    return [link for link in link_record(found, outcome.record) if link.relation in _SHARED]


def _forms(outcome: Describe) -> tuple[Representation, ...]:
    return reachable(outcome.record.representations) if isinstance(outcome.record, Resource) else ()
