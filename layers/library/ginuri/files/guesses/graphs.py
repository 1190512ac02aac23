"""Guesses into which folder the subjects of an RDF file belong."""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.files.formats import is_packed, suffix_of
from ginuri.files.guesses.tables import count_folders
from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.packing import unpack


def find_folder_of_subjects(name: str, body: bytes) -> Mapping[str, int]:
    """Return the folder of at least half of the subjects that are identifiers, with their number.

    Raises UnreadableFile.
    """
    # RDF is optional.
    from ginuri.files.rdf.graphs import read_graph

    content = b"".join(unpack([body], MOST_WHOLE_BYTES)) if is_packed(name) else body
    graph = read_graph(suffix_of(name), content)
    folders = count_folders(subject for subject in graph if isinstance(subject, str))
    return {folder: number for folder, number in folders.items() if 2 * number >= sum(folders.values())}
