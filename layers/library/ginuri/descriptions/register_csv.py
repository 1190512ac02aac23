"""A page of a list as CSV (RFC 4180), for spreadsheets: one row per member, and no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ginuri.descriptions.description import Member, Register, Text
from ginuri.descriptions.json.registration import record_type
from ginuri.descriptions.labels import choose_label
from ginuri.files.tables.formulas import guard
from ginuri.registry.lists.registers import NAME_AUTHORITIES, NAMESPACES, URI_SCHEMES
from ginuri.registry.metadata.geometry import write_wkt
from ginuri.registry.model import Registered

_COLUMNS = (
    *("identifier", "uri", "record", "status", "title", "language", "broader", "definition", "spatial"),
    "canonical_form",
)
# RFC 4452 §3.2: the fields that the register of namespaces makes discoverable. USGIN URI Policies 1.1,
# "nameAuthority" and "Meta-resource identifiers": the services of authorities, the host of each scheme.
_FURTHER = {
    NAME_AUTHORITIES: ("homepage", "contact", "services"),
    NAMESPACES: (
        *("registrant", "contact", "homepage", "grammar", "normalization", "case"),
        *("specification", "services", "documentation"),
    ),
    URI_SCHEMES: ("homepage", "grammar", "normalization", "case", "specification", "authoritative_host"),
}


def write_register_csv(register: Register) -> bytes:
    """Write a page of a list as CSV, in UTF-8; the Link header has the next page."""
    further = _FURTHER.get(register.name or "", ())
    form = register.canonical_media_type or ""
    rows = ((*_row(member), form, *_further(member.record, further)) for member in register.members)
    return b"".join(guard(_line(row), ",") for row in ((*_COLUMNS, *further), *rows))


def _further(record: Registered, columns: tuple[str, ...]) -> Iterator[str]:
    for name in columns:
        stated = getattr(record, name, None) or ""
        yield stated if isinstance(stated, str) else " ".join(link["href"] for link in stated)


def _row(member: Member) -> tuple[str, ...]:
    record = member.record
    title = choose_label(record.titles) or Text("")
    return (
        record.identifier,
        member.named.uri or "",
        str(record_type(record)),
        str(record.status),
        title.text,
        title.language,
        (member.broader.uri or "") if member.broader else "",
        getattr(record, "definition", None) or "",
        write_wkt(spatial) if (spatial := getattr(record, "spatial", None)) else "",
    )


def _line(row: tuple[str, ...]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(row)
    return written.getvalue().encode()
