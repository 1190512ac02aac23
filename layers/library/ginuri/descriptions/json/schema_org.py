"""A description in schema.org, for search engines, in the head of its page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ginuri.descriptions.description import Description, FormatDescription, Reference
from ginuri.registry.metadata.geometry import Geometry, bounds_of, is_box, is_point, positions_of
from ginuri.registry.model import Texts

_FORMS = {"Dataset": ("distribution", "DataDownload")}
_FORM = ("encoding", "MediaObject")
_WORKS = {
    "AudioObject",
    "Collection",
    "CreativeWork",
    "Dataset",
    "ImageObject",
    "MediaObject",
    "SoftwareSourceCode",
    "VideoObject",
}
"""The subclasses of schema:CreativeWork: only these have encodings, authors, dates and licences."""
_PROPERTIES = {
    "creator": "creator",
    "issued": "datePublished",
    "created": "dateCreated",
    "license": "license",
    "spatial": "spatialCoverage",
    "temporal": "temporalCoverage",
    "subject": "keywords",
}
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
"""HTML, §4.12.1.3: no text may end the script element, or begin another."""


def write_schema_org(description: Description) -> str:
    """Write the content of the JSON-LD script element, without a remote context."""
    document = {
        "@context": {"@vocab": "https://schema.org/"},
        "@id": description.uri,
        "@type": description.nature,
        "identifier": description.uri,
        "url": description.uri,
        "name": _texts(description.record.titles) or description.title.text,
        **dict(_particulars(description)),
    }
    return json.dumps(document, ensure_ascii=False).translate(_ESCAPES)


def _particulars(description: Description) -> Iterator[tuple[str, Any]]:
    if description.record.descriptions:
        yield "description", _texts(description.record.descriptions)
    if description.spatial is not None:
        yield "spatialCoverage", {"@type": "Place", "geo": _geo(description.spatial)}
    if description.nature not in _WORKS:
        return
    if description.authority is not None and "publisher" not in description.record.properties:
        yield "publisher", {"@type": "Organization", **_named(description.authority)}
    if description.part_of is not None:
        yield "isPartOf", _named(description.part_of)
    # The geometry is more precise than the name of the place.
    skipped = {"spatial"} if description.spatial is not None else set()
    yield from (
        (_PROPERTIES[name], [_named(value) if value.uri else value.title.text for value in values])
        for name, values in description.properties.items()
        if name in _PROPERTIES.keys() - skipped
    )
    licences = [{"@id": link.target.uri} for link in description.links if link.relation == "license"]
    if licences:
        yield "license", licences
    if description.forms:
        name, type_ = _FORMS.get(description.nature, _FORM)
        yield name, [{"@type": type_, **_form(form)} for form in description.forms]


def _geo(geometry: Geometry) -> Mapping[str, Any]:
    if is_point(geometry):
        ((longitude, latitude),) = positions_of(geometry)
        return {"@type": "GeoCoordinates", "latitude": latitude, "longitude": longitude}
    # https://schema.org/box: the south-western corner, then the north-eastern, latitude first
    west, south, east, north = bounds_of(geometry)
    shape = {"@type": "GeoShape", "box": f"{south} {west} {north} {east}"}
    if geometry["type"] in {"LineString", "Polygon"} and not is_box(geometry):
        positions = list(positions_of(geometry))
        if geometry["type"] == "Polygon":
            positions = positions[: len(geometry["coordinates"][0])]  # GeoShape has no holes
        name = "line" if geometry["type"] == "LineString" else "polygon"
        shape[name] = " ".join(f"{latitude} {longitude}" for longitude, latitude in positions)
    return shape


def _form(form: FormatDescription) -> Mapping[str, Any]:
    representation, file = form.representation, form.representation.file
    members = {
        "contentUrl": {"@id": form.leads_to},
        "name": _texts(representation.titles),
        "encodingFormat": representation.media_type,
        "inLanguage": representation.language,
        "contentSize": f"{file.length} B" if file else None,
        "sha256": file.sha256 if file else None,
    }
    return {name: value for name, value in members.items() if value}


def _named(named: Reference) -> Mapping[str, Any]:
    uri = {"@id": named.uri} if named.uri else {}
    return {**uri, "name": named.title.text} if named.identifier or not uri else uri


def _texts(texts: Texts) -> Any:  # noqa: ANN401  any JSON
    values = [{"@value": text, "@language": tag} if tag else text for tag, text in texts.items()]
    return values[0] if len(values) == 1 else values
