"""The names of versions: `…/X/1997-06-01`, `…/X/current`, `…/X/original`, `…/X/prospective` are documents.

They name versions of the thing `…/X/` or of the document `…/X`; a registered name wins over them.
"""

from __future__ import annotations

import re
from datetime import date

from ginuri.frozen import replace
from ginuri.identifiers.identifier import Identifier, Kind
from ginuri.identifiers.roots import kind_by_syntax

CURRENT, ORIGINAL, PROSPECTIVE = "current", "original", "prospective"
"""The version in force, the first one, and the next one."""
_WORDS = frozenset((CURRENT, ORIGINAL, PROSPECTIVE))
# RFC 3339 §5.6  full-date = date-fullyear "-" date-month "-" date-mday
_FULL_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


def is_day(text: str) -> bool:
    """Return whether a text is a calendar date as in RFC 3339.

    >>> is_day("1997-06-01"), is_day("1997-02-30"), is_day("19970601")
    (True, False, False)
    """
    if re.fullmatch(_FULL_DATE, text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_version_name(segment: str) -> bool:
    """Return whether the last segment of an identifier may name a version."""
    return segment in _WORDS or is_day(segment)


def version_path(name: str, version: str) -> str:
    """Return the identifier of a version.

    >>> version_path("uri-gin/azgs/doc/X/", "1997-06-01"), version_path("uri-gin/azgs/doc/X", "current")
    ('uri-gin/azgs/doc/X/1997-06-01', 'uri-gin/azgs/doc/X/current')
    """
    return f"{name.rstrip('/')}/{version}"


def versioned_by(identifier: Identifier) -> tuple[Identifier, ...]:
    """Return the identifiers that another may be a version of: the thing above it, then the document."""
    *under, last = identifier.segments or ("",)
    if identifier.is_terminated or not under or not is_version_name(last):
        return ()
    thing = identifier.ancestors[-1]
    return tuple(
        replace(
            identifier,
            normal_form=name,
            segments=tuple(under),
            kind=kind_by_syntax(name),
            written=name,
        )
        for name in (thing, thing[:-1])
    )


def documents_above(identifier: Identifier) -> tuple[tuple[str, str | None], ...]:
    """Return the documents above a form, each with the version between them, if any.

    Only names bound to a host have forms below a document; other forms are below a thing.

    >>> from ginuri.identifiers import parse
    >>> documents_above(parse("http://id.example/act/1997-06-01/data.xml"))
    (('//id.example/act/1997-06-01', None), ('//id.example/act', '1997-06-01'))
    """
    if not identifier.is_bound or identifier.kind is not Kind.REPRESENTATION or len(identifier.segments) == 1:
        return ()
    above = identifier.ancestors[-1][:-1]
    *_, version = identifier.segments[:-1]
    if len(identifier.segments) > 2 and is_version_name(version):  # noqa: PLR2004  document, version, form
        return (above, None), (above[: -len(version) - 1], version)
    return ((above, None),)
