"""Outcome → the bytes of the description in the negotiated format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.descriptions.composer import compose, title_of
from ginuri.descriptions.register import compose_register
from ginuri.identifiers.service_paths import LINKSET_TEXT, LINKSET_TYPES
from ginuri.resolution.description_decision import Describe, DrawQrCode, ListMembers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ginuri.descriptions.description import Description, Register


class DescriptionWriter:
    """Writes descriptions in every format; a new one is a case here and in `resolution.description_paths`."""

    def write(self, outcome: Describe | DrawQrCode) -> bytes:
        """Write a description, or a page of a list, in the format of its extension, or a QR code as SVG."""
        match outcome:
            case DrawQrCode(uri):
                from ginuri.descriptions.html.qr_code import draw_qr_code

                return draw_qr_code(uri)
            case ListMembers(extension=extension):
                return _list_writer(extension)(compose_register(outcome, title_of(outcome)))
            case Describe(extension=extension) if extension in LINKSET_TYPES:
                return _write_linkset(outcome)
            case Describe(extension=extension):
                return _writer(extension)(compose(outcome))


def _writer(extension: str) -> Callable[[Description], bytes]:
    match extension:
        case "html":
            from ginuri.descriptions.html.page import write_page

            return write_page
        case "json":
            from ginuri.descriptions.json.registration import write_json

            return write_json
        case "geojson":
            from ginuri.descriptions.json.geojson import write_feature

            return write_feature
        case "erc":
            from ginuri.descriptions.erc import write_erc

            return write_erc
        case _:
            from ginuri.descriptions.rdf.description import describe_in_rdf
            from ginuri.descriptions.rdf.formats import RDF_WRITERS

            write = RDF_WRITERS[extension]
            return lambda description: write(describe_in_rdf(description))


def _list_writer(extension: str) -> Callable[[Register], bytes]:
    match extension:
        case "html":
            from ginuri.descriptions.html.page import write_list_page

            return write_list_page
        case "json":
            from ginuri.descriptions.json.register import write_register_json

            return write_register_json
        case "geojson":
            from ginuri.descriptions.json.geojson import write_features

            return write_features
        case "csv":
            from ginuri.descriptions.register_csv import write_register_csv

            return write_register_csv
        case _:
            from ginuri.descriptions.rdf.formats import RDF_WRITERS
            from ginuri.descriptions.rdf.register import describe_register_in_rdf

            write = RDF_WRITERS[extension]
            return lambda register: write(describe_register_in_rdf(register))


def _write_linkset(outcome: Describe) -> bytes:
    from ginuri.descriptions.linksets import gather_links
    from ginuri.web.linksets import write_linkset, write_linkset_text

    write = write_linkset_text if outcome.extension == LINKSET_TEXT else write_linkset
    return write(gather_links(outcome))
