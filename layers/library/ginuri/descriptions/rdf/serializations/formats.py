"""The RDF writers, by the extension of their format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ginuri.descriptions.rdf.nodes import Graph
from ginuri.descriptions.rdf.serializations.json_ld import write_json_ld
from ginuri.descriptions.rdf.serializations.rdf_xml import write_rdf_xml
from ginuri.descriptions.rdf.serializations.triples import write_n_triples
from ginuri.descriptions.rdf.serializations.turtle import write_turtle

RDF_WRITERS: Mapping[str, Callable[[Graph], bytes]] = {
    "jsonld": write_json_ld,
    "ttl": write_turtle,
    "rdf": write_rdf_xml,
    "nt": write_n_triples,
}
