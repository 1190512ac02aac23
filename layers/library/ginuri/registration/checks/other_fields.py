"""Refuses fields that a record of a type does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.metadata.fields import FIELDS_OF
from ginuri.registry.model import RecordType


def refuse_other_fields(names: Iterable[str], record_type: RecordType) -> Iterator[Finding]:
    """Refuse each of some fields that a record of a type does not have, once."""
    return (
        refuse(
            name,
            record_type,
            None,
            "A record of type `{record_type}` has no field `{name}`. Its fields are: {fields}.",
            record_type=record_type,
            name=name,
            fields=", ".join(sorted(FIELDS_OF[record_type])),
        )
        for name in dict.fromkeys(names)
        if name not in FIELDS_OF[record_type]
    )
