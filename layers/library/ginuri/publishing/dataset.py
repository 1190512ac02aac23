"""The whole registry as a dataset (DCAT 3, VoID), in every format of RDF."""

from __future__ import annotations

from ginuri.descriptions.description import Text
from ginuri.descriptions.rdf.nodes import (
    Node,
    Value,
    literal,
    media_type,
    node,
    term,
    text_value,
    typed,
)
from ginuri.descriptions.rdf.serializations.formats import RDF_WRITERS
from ginuri.identifiers.service_paths import DATASET, OPENSEARCH, REGISTRY
from ginuri.published.publications import Publication

_NOTE = (
    "Each line is a registration in the format of docs/reference/registrations.md, and can be uploaded again."
)


def write_dataset(extension: str, publication: Publication, host: str) -> bytes:
    """Describe a publication in the RDF format of an extension, with the URIs of `host`."""
    home = f"http://{host}/"
    dataset = node(
        f"{home}{REGISTRY}",
        [
            ("rdf:type", term("dcat:Dataset")),
            ("rdf:type", term("void:Dataset")),
            ("dcterms:title", text_value(Text(f"All that is registered at {host}", "en"))),
            ("dcterms:description", text_value(Text(_NOTE, "en"))),
            ("dcterms:modified", typed(publication.made, "dateTime")),
            ("dcterms:accrualPeriodicity", node("http://purl.org/cld/freq/daily")),
            ("void:entities", typed(str(publication.records), "integer")),
            ("void:uriSpace", literal(home)),
            ("void:openSearchDescription", node(f"{home}{OPENSEARCH}")),
            ("void:rootResource", node(home)),
            ("foaf:homepage", node(home)),
            ("void:dataDump", node(f"{home}{DATASET}")),
            ("dcat:distribution", _distribution(publication, home)),
        ],
    )
    return RDF_WRITERS[extension]((dataset,))


def _distribution(publication: Publication, home: str) -> Node:
    file = publication.files[DATASET]
    checksum: list[tuple[str, Value]] = [
        ("rdf:type", term("spdx:Checksum")),
        ("spdx:algorithm", term("spdx:checksumAlgorithm_sha256")),
        ("spdx:checksumValue", typed(file.sha256, "hexBinary")),
    ]
    return node(
        f"{home}{DATASET}",
        [
            ("rdf:type", term("dcat:Distribution")),
            ("dcterms:title", text_value(Text("JSON lines, packed", "en"))),
            ("dcterms:modified", typed(publication.made, "dateTime")),
            ("dcat:downloadURL", node(f"{home}{DATASET}")),
            media_type("application/jsonl"),
            ("dcat:compressFormat", media_type("application/gzip")[1]),
            ("dcat:byteSize", typed(str(file.length), "nonNegativeInteger")),
            ("spdx:checksum", node(None, checksum)),
        ],
    )
