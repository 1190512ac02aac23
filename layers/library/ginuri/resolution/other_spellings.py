"""Other spellings of an unregistered identifier: of a registered one, or of a part of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.identifiers import Identifier
from ginuri.identifiers.comparison.folding import fold_writing
from ginuri.registry.ports import Found
from ginuri.registry.version_names import documents_above


def find_other_spellings(found: Found, near: Sequence[str]) -> tuple[str, ...]:
    """Return the names that differ from an identifier only in case, escapes or the final slash.

    Parts have no records and are in no index: they are compared with the parts of the found records.
    """
    name = found.identifier.normal_form
    meant = fold_writing(name)
    names = dict.fromkeys((*near, *_name_parts(found)))
    return tuple(other for other in names if other != name and fold_writing(other) == meant)


def _name_parts(found: Found) -> Iterator[str]:
    for holder in _holders(found.identifier):
        record = found.resource(holder)
        if record is None:
            continue
        parts = [part for form in record.representations for part in (form.part, form.stem) if part]
        yield from (f"{holder}{part}" for part in (*parts, *sorted(record.retired_parts)))


def _holders(identifier: Identifier) -> tuple[str, ...]:
    """Return the names that an identifier may be a part of."""
    documents = (document for document, _ in documents_above(identifier))
    return (*identifier.stems, *identifier.ancestors[-1:], *documents)
