"""The rows of an uploaded file with their verdicts: the cells of a table, or the value of a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from ginuri.api.exchanges import UploadName
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import Kind, Problem
from ginuri.files.formats import heading_reader, read_lines, reader_for
from ginuri.files.json_lines import read_json
from ginuri.files.lines import split_lines
from ginuri.files.mapping.stored_mapping import read_reference
from ginuri.files.options import UploadOptions, read_options
from ginuri.files.reports.listed_uploads import find_last_attempt
from ginuri.files.reports.report import report_key
from ginuri.files.tables.cells import read_cells
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding

ROWS, MOST_ROWS = 200, 1_000
"""The number of rows of an answer: the usual one, and the most."""
_VERDICTS, _END = b'"verdicts": [', b" ],"


def list_rows(using: ApiCollaborators, upload: UploadName, start: int, most: int) -> Mapping[str, Any]:
    """List the rows from a line on, up to a number. Raises Problem if the upload has no report yet."""
    last = find_last_attempt(using.reports, upload.key, upload.version)
    chunks = using.reports.report(report_key(upload.key, last))
    if chunks is None or using.files.head(upload.key, upload.version) is None:
        raise Problem(
            Kind.NOT_FOUND, message("There is no report on this upload yet, so its rows have no verdict.")
        )
    try:
        rows = list(islice((row for row in _read_rows(using, upload) if row["line"] >= start), most + 1))
    except UnreadableFile as error:
        raise Problem(
            Kind.CONFLICT, message("The file is unreadable: {reason}", reason=error.reason)
        ) from error
    shown, following = rows[:most], rows[most:]
    verdicts = _verdicts(chunks, {row["line"] for row in shown})
    return {
        "rows": [{**row, **_judged(verdicts.get(row["line"]), row["line"])} for row in shown],
        "next": following[0]["line"] if following else None,
    }


def _judged(verdict: Mapping[str, Any] | None, line: int) -> Mapping[str, Any]:
    if verdict is None:
        return {"verdict": None, "findings": []}
    findings = [each for each in verdict["findings"] if each["line"] in {None, line}]
    return {"identifier": verdict["identifier"], "verdict": verdict["verdict"], "findings": findings}


def _read_rows(using: ApiCollaborators, upload: UploadName) -> Iterator[dict[str, Any]]:
    options = _without_mapping(read_options(using.reports.metadata(upload.key, upload.version)))
    if reader_for(upload.key, options) is None:
        raise Problem(Kind.NOT_FOUND, message("This file is stored, and has no rows."))
    lines = read_lines(upload.key, using.files.read(upload.key, upload.version), options)
    heading = heading_reader(upload.key, options)
    if heading is None:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield {"line": number, "value": _value(line)}
        return
    rows = read_cells(lines, heading)
    _, names = next(rows, (1, []))
    columns = [] if isinstance(names, Finding) else [_readable(name.strip()) for name in names]
    for number, cells in rows:
        if isinstance(cells, Finding):
            yield {"line": number, "cells": {}}
        elif any(cell.strip() for cell in cells):
            named = dict(zip(columns, map(_readable, cells), strict=False))
            yield {"line": number, "cells": named}


def _without_mapping(options: UploadOptions) -> UploadOptions:
    # A stored mapping decides what columns mean; the cells are the same without it.
    return replace(options, columns="") if read_reference(options.columns) else options


def _value(line: bytes) -> Any:  # noqa: ANN401  a line of JSON has any value
    try:
        value = read_json(line.decode("utf-8-sig"))
        # Infinite numbers, and halves of surrogate pairs, are in no answer.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return line.decode(errors="replace").rstrip("\r\n")
    return value


def _readable(cell: str) -> str:
    return cell.encode(errors="surrogateescape").decode(errors="replace")


def _verdicts(chunks: Iterator[bytes], wanted: set[int]) -> dict[int, Mapping[str, Any]]:
    """Read the verdicts on lines from a report, which has one verdict on a line of its own."""
    found: dict[int, Mapping[str, Any]] = {}
    is_within = False
    for line in map(bytes.rstrip, split_lines(chunks)):
        if not is_within:
            is_within = line.endswith(_VERDICTS)
        elif line == _END:
            break
        else:
            verdict = json.loads(line.strip().removesuffix(b","))
            found |= {number: verdict for number in verdict["lines"] if number in wanted}
    return found
