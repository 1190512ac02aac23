"""What was decided to be described → the bytes of the format that was decided on."""

from __future__ import annotations

from ginuri.core.describing import Describe
from ginuri.core.service_paths import LINKSET, LINKSET_TEXT
from ginuri.descriptions.composing import compose
from ginuri.descriptions.linksets import gather_links
from ginuri.descriptions.page import Frame, PageWriter
from ginuri.descriptions.rdf_description import describe_in_rdf
from ginuri.descriptions.rdf_formats import RDF_WRITERS
from ginuri.descriptions.registration_json import write_json
from ginuri.web.linksets import write_linkset, write_linkset_text


class DescriptionWriter:
    """Writes descriptions in every format; another format is another line here, and in `core.describing`."""

    def __init__(self, frame: Frame) -> None:
        self._writers = {"html": PageWriter(frame).write, "json": write_json}
        self._linksets = {LINKSET: write_linkset, LINKSET_TEXT: write_linkset_text}

    def write(self, outcome: Describe) -> bytes:
        """Write a description in the format of its extension."""
        if outcome.extension in self._linksets:
            return self._linksets[outcome.extension](gather_links(outcome))
        if outcome.extension in RDF_WRITERS:
            return RDF_WRITERS[outcome.extension](describe_in_rdf(compose(outcome)))
        return self._writers[outcome.extension](compose(outcome))
