"""Outcome → the bytes of the description in the negotiated format."""

from __future__ import annotations

from collections.abc import Callable

from ginuri.descriptions.composer import compose, title_of
from ginuri.descriptions.description import Register
from ginuri.descriptions.erc import write_erc
from ginuri.descriptions.html.page import ListPageWriter, PageWriter
from ginuri.descriptions.html.qr_code import draw_qr_code
from ginuri.descriptions.json.register import write_register_json
from ginuri.descriptions.json.registration import write_json
from ginuri.descriptions.linksets import gather_links
from ginuri.descriptions.rdf.description import describe_in_rdf
from ginuri.descriptions.rdf.formats import RDF_WRITERS
from ginuri.descriptions.rdf.register import describe_register_in_rdf
from ginuri.descriptions.register import compose_register
from ginuri.descriptions.register_csv import write_register_csv
from ginuri.identifiers.service_paths import ERC, LINKSET, LINKSET_TEXT
from ginuri.resolution.description_decision import Describe, DrawQrCode, ListMembers
from ginuri.resolution.description_paths import CSV
from ginuri.web.linksets import write_linkset, write_linkset_text


class DescriptionWriter:
    """Writes descriptions in every format; a new one is a line here and in `resolution.description_paths`."""

    def __init__(self) -> None:
        self._writers = {"html": PageWriter().write, "json": write_json, ERC: write_erc}
        self._lists: dict[str, Callable[[Register], bytes]] = {
            "html": ListPageWriter().write,
            "json": write_register_json,
            CSV: write_register_csv,
        }
        self._linksets = {LINKSET: write_linkset, LINKSET_TEXT: write_linkset_text}

    def write(self, outcome: Describe | DrawQrCode) -> bytes:
        """Write a description, or a page of a list, in the format of its extension, or a QR code as SVG."""
        if isinstance(outcome, DrawQrCode):
            return draw_qr_code(outcome.uri)
        if isinstance(outcome, ListMembers):
            return self._write_list(compose_register(outcome, title_of(outcome)), outcome.extension)
        if outcome.extension in self._linksets:
            return self._linksets[outcome.extension](gather_links(outcome))
        if outcome.extension in RDF_WRITERS:
            return RDF_WRITERS[outcome.extension](describe_in_rdf(compose(outcome)))
        return self._writers[outcome.extension](compose(outcome))

    def _write_list(self, register: Register, extension: str) -> bytes:
        if extension in RDF_WRITERS:
            return RDF_WRITERS[extension](describe_register_in_rdf(register))
        return self._lists[extension](register)
