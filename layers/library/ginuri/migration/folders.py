"""The folders that registrations are uploaded to."""

from __future__ import annotations

from ginuri.identifiers import parse
from ginuri.identifiers.roots import prefix_to_folder
from ginuri.identifiers.stewards import HOST_FOLDER, folder_of
from ginuri.migration.entries import Registration

_HOST_RECORDS = {"scheme", "host", "namespace", "authority"}
_OF_PREFIX = {"rule", "delegation"}


def folder_for(line: Registration) -> str:
    """Return the folder that a registration may be uploaded to.

    >>> folder_for({"record": "rule", "identifier": "ark:12345/"}), folder_for({"identifier": "info:pmid/1"})
    ('_host/', 'info:pmid/')
    >>> folder_for({"record": "rule", "identifier": "http://a.example/doc/"})
    'a.example/'
    """
    record, identifier = line.get("record"), parse(line["identifier"])
    if record in _HOST_RECORDS or (
        record == "rule" and identifier.is_namespaced and identifier.is_terminated
    ):
        return HOST_FOLDER
    if identifier.is_bound:
        return prefix_to_folder(identifier.root)
    # A rule answers for the names below its prefix.
    below = parse(f"{line['identifier']}x") if record in _OF_PREFIX else identifier
    folder = folder_of(below)
    return folder if folder == HOST_FOLDER else prefix_to_folder(folder)
