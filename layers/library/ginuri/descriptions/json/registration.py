"""A description as JSON: the record with the fields of a registration (docs/reference/registrations.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ginuri.descriptions.description import (
    CANONICAL_FORM,
    Description,
    FormatDescription,
    Link,
    Member,
    Reference,
    Register,
)
from ginuri.descriptions.json.indented import write_indented
from ginuri.registry.model import (
    Captures,
    Delegation,
    NameAuthority,
    Namespace,
    Prefix,
    RecordType,
    Registered,
    Resource,
    Rule,
    Scheme,
    StoredFile,
    Texts,
)
from ginuri.registry.reading import RECORD_TYPES

_WORDS = {"titles": "title", "descriptions": "description", "roles": "role"}
_STATED_FALSE = {"pages"}
"""The fields that are written although they are false."""
_WRITTEN_APART = {
    "identifier",
    "status",
    "kind",
    "representations",
    "links",
    "modified",
    "opened",
    "rules",
    "delegation",
    "size",
}


def write_json(description: Description) -> bytes:
    """Write a description as JSON, in UTF-8."""
    return write_indented(_document(description)).encode()


def record_type(record: Registered) -> RecordType:
    """Return the type of a record."""
    if isinstance(record, Prefix) and not record.rules:  # a prefix without rules is in use as a delegation
        return RecordType.DELEGATION
    return RECORD_TYPES[type(record)]


def _document(description: Description) -> dict[str, Any]:
    record = description.record
    is_unregistered = description.identifier.is_namespaced and not description.is_registered
    document: dict[str, Any] = {
        "record": str(record_type(record)),
        "identifier": record.identifier,
        "uri": description.uri,
        "status": str(record.status),
        **({"registered": False} if is_unregistered else {}),
        **({"kind": str(description.kind)} if description.kind is not None else {}),
        **dict(_stated(record, _WRITTEN_APART)),
    }
    resource = record if isinstance(record, Resource) else None
    named_links = resource.links.items() if resource else ()
    lists = {
        "representations": [_representation(form) for form in description.forms],
        "links": [{"rel": rel, **link} for rel, links in named_links for link in links],
        "services": [_service(service) for service in description.services] if resource else [],
        "rules": [_rule(rule) for rule in record.rules],
    }
    document |= {name: members for name, members in lists.items() if members}
    if description.next_rules is not None:
        document["next_rules"] = description.next_rules
    if record.delegation is not None and record.delegation.is_in_use:
        document["delegation"] = dict(_stated(record.delegation, {"to"})) | _handed_to(record.delegation)
    if description.is_registered:
        document["modified"] = record.modified
    return document | dict(_write_neighbours(description))


def _write_neighbours(description: Description) -> Iterator[tuple[str, Any]]:
    """Yield the members that a registration does not have: relatives, lists, and missing fields."""
    if description.identifier.scheme:
        yield "up", description.above
    named: tuple[tuple[str, tuple[Reference, ...]], ...] = (
        ("schemes", description.schemes),
        ("registers", description.registers),
        ("narrower", description.narrower),
        ("authority_opened", (description.opens,) if description.opens else ()),
    )
    yield from ((name, [reference.uri for reference in several]) for name, several in named if several)
    if description.register is not None:
        yield "members", summarize_members(description.register)
    if description.distrusted:
        yield "distrusted_host", description.distrusted
    if isinstance(description.record, Scheme) and description.record.authoritative_host:
        yield "authoritative_host", description.record.authoritative_host
    if description.missing:
        yield "not_registered", list(description.missing)


def _handed_to(delegation: Delegation) -> dict[str, Any]:
    days = [
        {"to": to or None} | ({"valid_from": day} if day else {}) for day, to in sorted(delegation.to.items())
    ]
    return {"to": days} if days else {}


def _representation(form: FormatDescription) -> dict[str, Any]:
    quality = form.representation.quality
    return {
        **dict(_stated(form.representation, {"quality"})),
        **({"quality": quality} if quality != 1 else {}),
        **({"uri": form.name} if form.name else {}),
    }


def _service(service: Link) -> dict[str, Any]:
    # RFC 4452 §1: what a namespace discloses "SHALL NOT be regarded as authoritative".
    return {
        "href": service.target.uri or service.target.title.text,
        **({"title": service.title.text} if service.title is not None else {}),
        **({"type": service.media_type} if service.media_type else {}),
        "authoritative": False,
    }


def _rule(rule: Rule) -> dict[str, Any]:
    members = {
        "status_code": rule.status_code,
        "kind": None if rule.answer.kind is None else str(rule.answer.kind),
        "ignore_case": True if rule.pattern.ignore_case else None,
        "captures": str(Captures.SHORTEST) if rule.pattern.is_lazy else None,
        "pass_query": True if rule.pass_query else None,
        "document": rule.document,
        "document_of": rule.document_of,
        "representations": [dict(_stated(form, {"quality"})) for form in rule.answer.representations] or None,
    }
    return {
        "pattern": rule.pattern.text,
        **dict(_stated(rule.answer, _WRITTEN_APART)),
        **{name: value for name, value in members.items() if value is not None},
    }


def _stated(value: Any, apart: set[str]) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  any dataclass
    for field in fields(value):
        stated = getattr(value, field.name)
        if field.name not in apart and (stated or (stated is False and field.name in _STATED_FALSE)):
            yield _WORDS.get(field.name, field.name), _plain(field.name, stated)


def _plain(name: str, value: Any) -> Any:  # noqa: ANN401  any JSON
    if name in {"titles", "descriptions"}:
        return _texts(value)
    if isinstance(value, StoredFile):
        return {"length": value.length, "sha256": value.sha256, "stored": value.stored}
    if isinstance(value, frozenset):
        return sorted(value)
    return value


def summarize_members(register: Register) -> dict[str, Any]:
    """Return the members of a page, and the path of the next one."""
    return {
        **({"register": register.name} if register.name is not None else {}),
        "list": register.address,
        **canonical_form(register),
        "members": [_member(member) for member in register.members],
        # A path, which contains the cursor: clients need not build it.
        "next": register.next,
    }


def canonical_form(register: Register) -> dict[str, str]:
    """Return the canonical form of the members, by the name that all formats of lists give it."""
    stated = register.canonical_media_type
    return {CANONICAL_FORM: stated} if stated else {}


def _member(member: Member) -> dict[str, Any]:
    record = member.record
    members: dict[str, Any] = {
        "identifier": record.identifier,
        "uri": member.named.uri,
        "record": str(record_type(record)),
        "status": str(record.status),
        "about": member.about,
        **({"title": _texts(record.titles)} if record.titles else {}),
        **({"broader": member.broader.uri} if member.broader is not None else {}),
    }
    if isinstance(record, NameAuthority) and member.services:
        members["services"] = record.services
    if isinstance(record, Scheme) and record.authoritative_host:
        members["authoritative_host"] = record.authoritative_host
    if isinstance(record, Namespace):  # RFC 4452 §3.2: the register makes all of it discoverable
        members |= dict(_stated(record, {*members, *_WRITTEN_APART, "titles"}))
    return members


def _texts(texts: Texts) -> str | Mapping[str, str]:
    """Return texts in the form of a registration: a single one without a language as a string."""
    return texts[""] if list(texts) == [""] else texts


def write_register_json(register: Register) -> bytes:
    """Write a page of a list as JSON, in UTF-8."""
    document = {"identifier": register.identifier, "uri": register.uri, **summarize_members(register)}
    return write_indented(document).encode()
