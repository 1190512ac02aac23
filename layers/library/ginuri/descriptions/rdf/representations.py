"""The representations of a resource as DCAT distributions, and its versions."""

from __future__ import annotations

from itertools import pairwise

from ginuri.descriptions.description import Description, FormatDescription
from ginuri.descriptions.labels import refer_elsewhere
from ginuri.descriptions.rdf.nodes import Statements, literal, media_type, node, reference, term, texts, typed
from ginuri.identifiers import Kind
from ginuri.registry.version_names import is_day
from ginuri.resolution.versions.timeline import timeline_of_record


def describe_representations(description: Description, *, is_dataset: bool) -> Statements:
    """Yield the statements about the representations, those of a version on that version."""
    holds = "dcat:distribution" if is_dataset else "dcterms:hasFormat"
    undated = (form for form in description.forms if not form.representation.valid_from)
    yield from ((holds, node(form.name, _form(form))) for form in undated)
    timeline = timeline_of_record(
        description.uri,
        description.kind or Kind.DOCUMENT,
        (form.representation for form in description.forms),
    )
    before = {later: earlier for earlier, later in pairwise(timeline.dated)}
    for day in timeline.days:
        revised = timeline.version(before[day]) if day in before else None
        yield "dcterms:hasVersion", node(timeline.version(day), _version(description, day, revised))


def _version(description: Description, day: str, revised: str | None) -> Statements:
    yield "rdf:type", term("foaf:Document")
    yield "dcterms:isVersionOf", node(description.uri)
    if is_day(day):
        yield "dcterms:valid", typed(day, "date")
    if revised is not None:
        yield "prov:wasRevisionOf", node(revised)
    for form in description.forms:
        representation = form.representation
        if representation.valid_from == day:
            # Without a part, it has the name of the version, which is a different resource from its forms.
            has_name = representation.part or representation.identifier
            yield "dcterms:hasFormat", node(form.name if has_name else None, _form(form))


def _form(form: FormatDescription) -> Statements:
    representation, file = form.representation, form.representation.file
    yield "rdf:type", term("dcat:Distribution")
    yield from texts("dcterms:title", representation.titles)
    if representation.media_type:
        yield media_type(representation.media_type)
    if representation.language:
        yield "dcterms:language", literal(representation.language)
    if representation.profile:
        yield "dcterms:conformsTo", reference(refer_elsewhere(representation.profile))
    if representation.valid_from and is_day(representation.valid_from):
        yield "dcterms:valid", typed(representation.valid_from, "date")
    if representation.location:
        yield "dcat:accessURL", node(form.leads_to)
    if file is not None:
        yield "dcat:downloadURL", node(form.leads_to)
        yield "dcat:byteSize", typed(str(file.length), "nonNegativeInteger")
        yield "spdx:checksum", node(None, _checksum(file.sha256))


def _checksum(sha256: str) -> Statements:
    yield "rdf:type", term("spdx:Checksum")
    yield "spdx:algorithm", term("spdx:checksumAlgorithm_sha256")
    yield "spdx:checksumValue", typed(sha256, "hexBinary")
