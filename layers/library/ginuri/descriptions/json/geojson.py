"""A description or a page of a list as GeoJSON (RFC 7946), for geographic information systems."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ginuri.descriptions.description import Description, Register
from ginuri.descriptions.json.registration import canonical_form, record_type
from ginuri.descriptions.labels import choose_label
from ginuri.descriptions.references import values_of
from ginuri.identifiers.service_paths import MEMBERS
from ginuri.registry.metadata.geometry import wind_rings
from ginuri.registry.model import Registered, Texts
from ginuri.resolution.descriptions.formats import FORMATS, GEOJSON


def write_feature(description: Description) -> bytes:
    """Write a description as a Feature, in UTF-8; without a place its geometry is null (RFC 7946 §3.2)."""
    return _write(_feature(description.record, description.uri, description.address)).encode()


def write_features(register: Register) -> bytes:
    """Write a page of a list as a FeatureCollection with one feature per line, in UTF-8.

    `name` and `links`, as in GDAL and OGC API Features, and the canonical form are foreign members (RFC 7946
    §6.1).
    """
    features = ",\n".join(
        _write(_feature(member.record, member.named.uri or "", member.about)) for member in register.members
    )
    around = _write(
        {
            "type": "FeatureCollection",
            "name": register.title.text,
            "links": list(_pages(register)),
            **canonical_form(register),
        }
    )
    return f'{around[:-1]},"features":[\n{features}\n]}}'.encode()


def _pages(register: Register) -> Iterator[dict[str, str]]:
    if register.next is not None:
        where = register.next.replace(f"/{MEMBERS}/", f"/{MEMBERS}.{GEOJSON}/", 1)
        yield {"rel": "next", "href": where, "type": FORMATS[GEOJSON].media_type}


def _feature(record: Registered, uri: str, about: str) -> dict[str, Any]:
    spatial = getattr(record, "spatial", None)
    return {
        "type": "Feature",
        "id": uri,
        "geometry": wind_rings(spatial) if spatial else None,
        "properties": {
            "identifier": record.identifier,
            "record": str(record_type(record)),
            "status": str(record.status),
            "about": about,
            **{name: value for name, value in _facts(record) if value},
        },
    }


def _facts(record: Registered) -> Iterator[tuple[str, Any]]:
    """Yield the columns of an attribute table: a text each, and all languages of a title beside it."""
    yield "title", _text(record.titles)
    yield "titles", record.titles if len(record.titles) > 1 else None
    yield "description", _text(record.descriptions)
    yield "reason", record.reason
    yield "successor", record.successor
    yield "stands_for", ", ".join(getattr(record, "stands_for", ()))
    yield "type", ", ".join(values_of(record.properties.get("type", ())))
    yield "authoritative_host", getattr(record, "authoritative_host", None)
    yield "services", ", ".join(service["href"] for service in getattr(record, "services", ()))
    links = getattr(record, "links", {}).get("license", ())
    yield (
        "license",
        ", ".join((*(link["href"] for link in links), *values_of(record.properties.get("license", ())))),
    )
    yield "modified", record.modified


def _text(texts: Texts) -> str | None:
    chosen = choose_label(texts)
    return chosen.text if chosen else None


def _write(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
