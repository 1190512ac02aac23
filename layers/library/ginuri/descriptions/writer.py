"""Outcome → the bytes of the description in the negotiated format."""

from __future__ import annotations

from ginuri.descriptions.composer import compose, title_of
from ginuri.descriptions.register import compose_register
from ginuri.identifiers.service_paths import LINKSET_TEXT
from ginuri.resolution.descriptions.decision import Describe, DrawQrCode, ListMembers
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS


class DescriptionWriter:
    """Writes descriptions and lists; every writer that the table of formats names is a case here."""

    def write(self, outcome: Describe | DrawQrCode) -> bytes:
        """Write a description, or a page of a list, in the format of its extension, or a QR code as SVG."""
        match outcome:
            case DrawQrCode(uri):
                from ginuri.descriptions.html.qr_code import draw_qr_code

                return draw_qr_code(uri)
            case ListMembers():
                return _write_list(outcome, LIST_FORMATS[outcome.extension].writer)
            case Describe():
                return _write_description(outcome, FORMATS[outcome.extension].writer)


def _write_description(outcome: Describe, writer: str) -> bytes:  # noqa: PLR0911  one case a writer
    match writer:
        case "page":
            from ginuri.descriptions.html.page import write_page

            return write_page(compose(outcome))
        case "json":
            from ginuri.descriptions.json.registration import write_json

            return write_json(compose(outcome))
        case "geojson":
            from ginuri.descriptions.json.geojson import write_feature

            return write_feature(compose(outcome))
        case "rdf":
            from ginuri.descriptions.rdf.description import describe_in_rdf
            from ginuri.descriptions.rdf.serializations.formats import RDF_WRITERS

            return RDF_WRITERS[outcome.extension](describe_in_rdf(compose(outcome)))
        case "citation":
            from ginuri.descriptions.citation import CITATION_WRITERS, cite

            return CITATION_WRITERS[outcome.extension](cite(compose(outcome))).encode(errors="replace")
        case "erc":
            from ginuri.descriptions.erc import write_erc

            return write_erc(compose(outcome))
        case "linkset":
            from ginuri.descriptions.linksets import gather_links
            from ginuri.web.linksets import write_linkset, write_linkset_text

            write = write_linkset_text if outcome.extension == LINKSET_TEXT else write_linkset
            return write(gather_links(outcome))
        case _:
            raise LookupError(writer)


def _write_list(outcome: ListMembers, writer: str) -> bytes:
    register = compose_register(outcome, title_of(outcome))
    match writer:
        case "page":
            from ginuri.descriptions.html.page import write_list_page

            return write_list_page(register)
        case "json":
            from ginuri.descriptions.json.registration import write_register_json

            return write_register_json(register)
        case "geojson":
            from ginuri.descriptions.json.geojson import write_features

            return write_features(register)
        case "rdf":
            from ginuri.descriptions.rdf.register import describe_register_in_rdf
            from ginuri.descriptions.rdf.serializations.formats import RDF_WRITERS

            return RDF_WRITERS[outcome.extension](describe_register_in_rdf(register))
        case "csv":
            from ginuri.descriptions.register_csv import write_register_csv

            return write_register_csv(register)
        case _:
            raise LookupError(writer)
