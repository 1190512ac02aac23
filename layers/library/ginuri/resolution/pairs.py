"""A thing and the document about it, from one record: `…/id/school/78` and `…/doc/school/78`.

Two rules connect the prefixes: `document` on that of the things, `document_of` on that of the documents. The
thing is registered; its forms are those of the document, under the document's name. Cool URIs for the
Semantic Web, "303 URIs forwarding to One Generic Document".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ginuri.frozen import replace
from ginuri.identifiers import Identifier, Kind, parse, read_identifier
from ginuri.identifiers.roots import printable_name
from ginuri.registry.model import Prefix, Registered, Representation, Resource, Rule
from ginuri.registry.ports import Found
from ginuri.registry.rules.templates import expand
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.rules_above import rules_above


def pair_all(
    several: Sequence[Found],
    holders: Mapping[Identifier, Sequence[str]],
    find_names: Callable[[Sequence[str]], Mapping[str, Registered]],
) -> list[Found]:
    """Pair the records found for several identifiers, after finding the things of documents.

    `holders` are the names that may answer for each identifier.
    """
    things = [thing_names(found, holders[found.identifier]) for found in several]
    records = find_names(list(dict.fromkeys(thing for named in things for thing in named.values())))
    return [
        pair(replace(found, records={**records, **found.records}), holders[found.identifier], thing_by_name)
        for found, thing_by_name in zip(several, things, strict=True)
    ]


def thing_names(found: Found, names: Sequence[str]) -> dict[str, str]:
    """Map each name without a record of its own to its thing."""
    paired = {
        name: _other(name, found, lambda rule: rule.document_of)
        for name in names
        if isinstance(found.records.get(name), Prefix | None)
    }
    return {name: thing for name, thing in paired.items() if thing is not None}


def pair(found: Found, names: Sequence[str], things: Mapping[str, str]) -> Found:
    """Add the documents about things, and link the things among these names to their documents."""
    records = dict(found.records)
    for name, thing in things.items():
        record = found.records.get(thing)
        if isinstance(record, Resource) and not _leads_itself(record):
            records[name] = _document(name, record, found)
    for name in names:
        record = found.records.get(name)
        if isinstance(record, Resource) and name not in things:
            document = _other(name, found, lambda rule: rule.document)
            records[name] = record if document is None else _thing(record, document)
    return replace(found, records=records)


def _other(name: str, found: Found, template_of: Callable[[Rule], str | None]) -> str | None:
    for prefix, rules in rules_above(name, found.records):
        for rule in rules:
            template = template_of(rule)
            pieces = rule.pattern.match(name[len(prefix) :]) if template else None
            if template and pieces is not None:
                return _read(expand(template, pieces))
    return None


def _read(text: str) -> str | None:
    identifier = read_identifier(text)  # None if it is longer than an identifier may be
    return identifier.normal_form if identifier else None


def _leads_itself(record: Resource) -> bool:
    """Return whether the forms of a thing are separate documents, to which it leads itself."""
    return any(form.identifier for form in record.representations)


def _thing(record: Resource, document: str) -> Resource:
    if STATUSES[record.status].is_hidden:
        return record
    if _leads_itself(record):
        return replace(record, kind=Kind.THING)
    links = {**record.links, "describedby": [{"href": printable_name(document)}]}
    forms = (Representation(identifier=document),)
    return replace(record, kind=Kind.THING, representations=forms, retired_parts=(), links=links)


def _document(name: str, thing: Resource, found: Found) -> Resource:
    if not thing.representations:
        # The thing has only its description.
        return replace(thing, kind=Kind.THING)
    types = Found(parse(thing.identifier), found.records).resource_types
    policies = (thing.dereference, *(resource_type.dereference for resource_type in types))
    # The other fields are true of the thing, not of the document about it.
    return replace(
        thing,
        identifier=name,
        kind=Kind.DOCUMENT,
        dereference=next((policy for policy in policies if policy), None),
        descriptions={},
        properties={},
        part_of=None,
        spatial=None,
        triples=None,
        links={"describes": [{"href": printable_name(thing.identifier)}]},
    )
