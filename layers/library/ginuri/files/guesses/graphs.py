"""Guesses into which folder the subjects of an RDF file belong."""

from __future__ import annotations

from collections.abc import Mapping

from ginuri.files.formats import suffix_of, unpacked
from ginuri.files.guesses.tables import count_folders


def find_folder_of_subjects(name: str, body: bytes) -> Mapping[str, int]:
    """Return the folder of at least half of the subjects that are identifiers, with their number.

    Raises UnreadableFile.
    """
    # RDF is optional.
    from ginuri.files.rdf.graphs import read_graph

    graph = read_graph(suffix_of(name), unpacked(name, body))
    folders = count_folders(subject for subject in graph if isinstance(subject, str))
    return {folder: number for folder, number in folders.items() if 2 * number >= sum(folders.values())}
