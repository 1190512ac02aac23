"""Records with the grants on a prefix: one field for each receiver.

Their names are no identifiers, like those of records with rules, and they are in no index. No request to
dereference reads them.
"""

from __future__ import annotations

from ginuri.registry.rules.beginnings import STORED

GRANTS = "grants "
"""The beginning of the names of records with grants; the space makes them no identifiers."""
_APART = (STORED, GRANTS)


def record_of_grants(prefix: str) -> str:
    """Return the name of the record with the grants on a prefix.

    >>> record_of_grants("uri-gin/azgs/")
    'grants uri-gin/azgs/'
    """
    return f"{GRANTS}{prefix}"


def prefix_of_grants(name: str) -> str:
    """Return the prefix of a record with grants; any other name stays as it is."""
    return name.removeprefix(GRANTS)


def is_grant_record(name: str) -> bool:
    """Return whether a name is that of a record with grants."""
    return name.startswith(GRANTS)


def is_apart(name: str) -> bool:
    """Return whether a name is that of a record with rules, cuts or grants, rather than an identifier."""
    return name.startswith(_APART)
