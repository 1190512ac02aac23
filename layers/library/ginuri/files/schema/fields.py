"""The fields of a registration and their types: the public interface (docs/reference/registrations.md)."""

from __future__ import annotations

from collections.abc import Container
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict

from ginuri.files.schema.answer_tests import TEST_FIELDS, AnswerTestFields
from ginuri.files.schema.query_arguments import QueryArguments
from ginuri.files.schema.values import (
    Contact,
    Day,
    Featured,
    FileName,
    FullDate,
    Homepage,
    HostName,
    HostNames,
    IdentifierText,
    Language,
    Location,
    MediaTypes,
    MediaTypeText,
    PatternText,
    PropertyValue,
    Quality,
    Receiver,
    RedirectCode,
    Reference,
    Relation,
    Rights,
    Roles,
    Service,
    Spatial,
    StatusCode,
    Targets,
    Text,
    Texts,
    ThemeColor,
    Triples,
    Uri,
    one_of,
)
from ginuri.identifiers import Kind
from ginuri.registry.model import Captures, Dereference, LetterCase, RecordType, Status

# The kinds of named resources (W3C, Cool URIs for the Semantic Web, §3).
_KINDS = {"non-information resource": "thing", "information resource": "document"}


class _StrictModel(BaseModel):
    # Values seldom repeat, so caching them would waste memory.
    model_config = ConfigDict(extra="forbid", frozen=True, cache_strings="keys")


class RepresentationFields(_StrictModel):
    """One representation, identified by `part`, or by media type, language and profile."""

    part: Text | None = None
    identifier: IdentifierText | None = None
    media_type: MediaTypeText | None = None
    language: Language | None = None
    profile: Uri | None = None
    quality: Quality | None = None
    role: Roles | None = None
    location: Location | None = None
    file: FileName | None = None
    status_code: RedirectCode | None = None
    valid_from: Day | None = None
    title: Texts = None
    status: Annotated[Literal["valid", "retired"], one_of(("valid", "retired"))] = "valid"


class LinkFields(_StrictModel):
    """A further typed link; a null address clears all of its relation."""

    rel: Relation
    href: Reference | None
    type: MediaTypeText | None = None
    title: Text | None = None
    hreflang: Language | None = None


class ServiceFields(_StrictModel):
    """A service for the identifiers of a type or a namespace."""

    href: Service
    title: Text | None = None
    type: MediaTypeText | None = None


class DocumentationFields(_StrictModel):
    """A link to the documentation of a namespace."""

    href: Uri
    title: Text | None = None
    type: MediaTypeText | None = None


class RegistrationFields(_StrictModel):
    """One registration: absent fields keep their values, null clears a field."""

    record: Annotated[RecordType, one_of(RecordType)] | None = None
    identifier: IdentifierText
    title: Texts = None
    description: Texts = None
    kind: Annotated[Kind, one_of(Kind, _KINDS)] | None = None
    status: Annotated[Status, one_of(Status)] | None = None
    successor: IdentifierText | None = None
    reason: Text | None = None
    requested_by: Text | None = None
    until: FullDate | None = None
    representations: list[RepresentationFields] | None = None
    location: Location | None = None
    status_code: StatusCode | None = None
    media_type: MediaTypeText | None = None
    stands_for: Targets | None = None
    pattern: PatternText | None = None
    ignore_case: bool | None = None
    captures: Annotated[Captures, one_of(Captures)] | None = None
    pass_query: bool | None = None
    document: Location | None = None
    document_of: Location | None = None
    dereference: Annotated[Dereference, one_of(Dereference)] | None = None
    canonical_media_type: MediaTypeText | None = None
    default_media_type: MediaTypeText | None = None
    valid_media_types: MediaTypes | None = None
    broader: IdentifierText | None = None
    definition: Text | None = None
    services: list[ServiceFields] | None = None
    part_of: IdentifierText | None = None
    spatial: Spatial | None = None
    trusted_hosts: HostNames | None = None
    homepage: Homepage | None = None
    contact: Contact | None = None
    syntax: Annotated[Literal["strict", "lenient"], one_of(("strict", "lenient"))] | None = None
    answered_by: HostName | None = None
    fallback: HostName | None = None
    query_arguments: QueryArguments | None = None
    pages: bool | None = None
    featured: Featured | None = None
    theme_color: ThemeColor | None = None
    to: Receiver | None = None
    valid_from: FullDate | None = None
    may: Rights | None = None
    valid_until: FullDate | None = None
    specification: Uri | None = None
    authority: IdentifierText | None = None
    registrant: Text | None = None
    grammar: Text | None = None
    normalization: Text | None = None
    case: Annotated[LetterCase, one_of(LetterCase)] | None = None
    documentation: list[DocumentationFields] | None = None
    links: list[LinkFields] | None = None
    triples: Triples | None = None
    properties: dict[Text, PropertyValue] | None = None
    tests: list[AnswerTestFields] | None = None


REPRESENTATION_FIELDS = tuple(RepresentationFields.model_fields)
NESTED_FIELDS = {
    "representations": REPRESENTATION_FIELDS,
    "links": tuple(LinkFields.model_fields),
    "services": tuple(ServiceFields.model_fields),
    "documentation": tuple(DocumentationFields.model_fields),
    "tests": TEST_FIELDS,
}
"""The fields of the objects in a list, by the field with the list."""
ALIASES = {"id": "identifier", "uri": "identifier", "target": "location", "url": "location", "label": "title"}
"""Other accepted names of fields."""


def stated_of(fields: BaseModel, *, without: Container[str] = ()) -> list[str]:
    """List the stated fields in a fixed order, so that an upload always writes the same bytes."""
    return [
        name for name in type(fields).model_fields if name in fields.model_fields_set and name not in without
    ]


def plain_value(value: Any) -> Any:  # noqa: ANN401  JSON has values of any type
    """Convert a checked value to plain JSON, with stated fields only."""
    if isinstance(value, BaseModel):
        return {name: plain_value(getattr(value, name)) for name in stated_of(value)}
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value
