"""The identifiers in a file: a registry file, or a list with one per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from ginuri.files.formats import read_lines, reader_for
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import Words, message
from ginuri.migration.verification.requests import IdentifierUses, Use
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, Level
from ginuri.registry.record.statements import OF_RECORD

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line without an identifier that can be requested, and the reasons."""

    line: int
    reasons: Sequence[Words]


def read_identifier_list(
    file: Path, options: UploadOptions, uses: Sequence[Use]
) -> Iterator[IdentifierUses | SkippedLine]:
    """Read the identifiers in a file, each once, in their order, each to be used in these ways.

    Raises UnreadableFile.
    """
    reader = reader_for(file.name, options)
    seen: set[tuple[str | None, str]] = set()
    remarks: list[Finding] = []
    with file.open("rb") as opened:
        chunks = iter(partial(opened.read, _CHUNK), b"")
        lines = opened if reader is None else read_lines(str(file), chunks, options, remarks.append)
        for entry in _listed(lines, uses) if reader is None else _registered(reader(lines), uses):
            if isinstance(entry, IdentifierUses):
                if (entry.host, entry.target) in seen:
                    continue
                seen.add((entry.host, entry.target))
            yield entry
    for remark in remarks:
        yield SkippedLine(1, [remark.message])


def _listed(lines: Iterable[bytes], uses: Sequence[Use]) -> Iterator[IdentifierUses | SkippedLine]:
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig").strip()
            parts = urlsplit(text) if "//" in text else None
        except ValueError as error:
            yield SkippedLine(number, [str(error)])
            continue
        if not text or text.startswith("#"):
            continue
        if parts is not None and parts.netloc and parts.scheme in {"", "http", "https"}:
            query = f"?{parts.query}" if parts.query else ""
            yield IdentifierUses(number, parts.netloc, f"{parts.path or '/'}{query}", uses)
        else:
            yield IdentifierUses(number, None, f"/{text.removeprefix('/')}", uses)


def _registered(rows: Iterable[Row], uses: Sequence[Use]) -> Iterator[IdentifierUses | SkippedLine]:
    for row in rows:
        identifier = row.identifier
        if identifier is None:
            if refused := [finding.message for finding in row.findings if finding.level is Level.REFUSED]:
                yield SkippedLine(row.line, refused)
        elif any(key.place != OF_RECORD for key in row.statements):
            yield SkippedLine(
                row.line,
                [
                    message(
                        "{identifier} is a prefix. List the identifiers that start with it instead.",
                        identifier=str(identifier),
                    )
                ],
            )
        elif identifier.is_bound:
            written = identifier.written.removeprefix(identifier.root)
            yield IdentifierUses(row.line, identifier.root.strip("/"), f"/{written}", uses)
        else:
            yield IdentifierUses(row.line, identifier.host, f"/{identifier.written}", uses)
