"""Writes the report on an upload as JSON: the verdict on every line, and the refused lines as a file."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

from ginuri.files.options import UploadOptions, report_language
from ginuri.files.reports.finding_groups import FindingGroups
from ginuri.files.reports.scope import ReportScope, scope_members
from ginuri.files.reports.summary import NOBODY, Uploader, uploader_members
from ginuri.files.reports.verdict_lines import MOST_DETAIL_BYTES, VerdictWriter, write_groups, write_verdict
from ginuri.files.tables.cells import MOST_ROW_LINES, MOST_TITLE_ROWS, HeadingTest, find_heading
from ginuri.files.tables.formulas import guard
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.verdicts import Outcome, Verdict, shown

# The format of refused lines when they are not lines of the file.
_REFUSED = {
    **dict.fromkeys((".xlsx", ".xlsm", ".ods"), ".csv"),
    **dict.fromkeys((".ttl", ".rdf", ".jsonld", ".nt", ".json", ".geojson"), ".jsonl"),
}


_NO_OPTIONS = UploadOptions()


@dataclass(frozen=True, slots=True)
class Upload:
    """One object version in the uploads bucket."""

    bucket: str
    key: str
    version: str
    put: str
    """When it was put, RFC 3339 in UTC with milliseconds."""
    identity: str = ""
    """Who put it, as the store authenticated them; empty if that is not known."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.key[self.key.rfind("/") + 1 :]

    @property
    def folder(self) -> str:
        """Its folder in the bucket."""
        return self.key[: self.key.rfind("/") + 1]

    @property
    def prefix(self) -> str:
        """The prefix of the identifiers that may be registered from its folder."""
        return folder_to_prefix(self.folder)


def report_key(key: str, version: str) -> str:
    """Return the key of the report on an upload."""
    return f"{key}/{version}.json"


def page_key(key: str, version: str, other_language: str = "") -> str:
    """Return the key of the report as a page, in the language of the report or in another."""
    return f"{key}/{version}.{other_language}.html" if other_language else f"{key}/{version}.html"


def refused_key(key: str, version: str) -> str:
    """Return the key of the refused lines of an upload, to be corrected and uploaded again."""
    plain = key.removesuffix(key[-3:]) if key.lower().endswith(".gz") else key
    suffix = plain[plain.rfind(".") :]
    return f"{key}/{version}.refused{_REFUSED.get(suffix.lower(), suffix)}"


def repaired_key(key: str, version: str) -> str:
    """Return the key of the uploaded file with the corrections of its report."""
    plain = key.removesuffix(key[-3:]) if key.lower().endswith(".gz") else key
    return f"{key}/{version}.repaired{key[plain.rfind('.') :]}"


def count(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """Count verdicts by outcome; `warned` counts every verdict with a warning."""
    verdicts = list(verdicts)
    outcomes = Counter(str(verdict.outcome) for verdict in verdicts)
    return {str(outcome): outcomes[str(outcome)] for outcome in Outcome if outcome is not Outcome.WARNED} | {
        "warned": sum(verdict.is_warned for verdict in verdicts)
    }


def write_report(  # noqa: PLR0913, PLR0917  the parts of a report
    upload: Upload,
    options: UploadOptions,
    verdicts: Iterable[Verdict],
    counts: Mapping[str, int],
    scope: ReportScope,
    refused: str | None = None,
    groups: FindingGroups | None = None,
    most_bytes: int = MOST_DETAIL_BYTES,
    further: Mapping[str, Any] = MappingProxyType({}),
    repeated: Collection[str] = (),
    close: Callable[[], Mapping[str, Any]] = dict,
    uploader: Uploader = NOBODY,
) -> Iterator[bytes]:
    """Write the report on a registry file in pieces; for a dry run, with the expected changes.

    `verdicts` come in the order of the file, `counts` are their counts, and `refused` is the key of the
    refused lines. `scope` is read after the last verdict, so that it may be counted meanwhile. `groups` are
    the findings that the verdicts already leave out, and `most_bytes` limits the findings in the verdicts.
    `repeated` are the marks of warnings that are the same for several rows. `further` are further members,
    and `close` returns the last ones, after all verdicts. `uploader` is who uploaded it.
    """
    language = report_language(options)
    given = {"submitter": options.submitter, "reason": options.reason}
    head = _write(
        {
            "upload": _members_of(upload),
            **uploader_members(uploader),
            **{name: text for name, text in given.items() if text},
            "language": language,
            "dry_run": options.is_dry_run,
            "is_complete": True,
            "counts": counts,
            "refused_lines": refused,
            **further,
        }
    )
    yield head.removesuffix(b"\n}") + b',\n "verdicts": ['
    between = b"\n"
    writer = VerdictWriter(most_bytes, language, repeated)
    for verdict in verdicts:
        yield between + b"  " + writer.write(verdict)
        between = b",\n"
    for group in groups or ():
        writer.groups.merge(group)
    between = b'\n ],\n "finding_groups": [\n'
    for line in write_groups(chain(writer.warnings, writer.groups), language):
        yield between + b"  " + line
        between = b",\n"
    yield b"\n ],\n" + _write({**scope_members(scope), **close()}).removeprefix(b"{\n")


def write_unfinished(  # noqa: PLR0913  the contents of a report
    upload: Upload,
    part: str,
    tries: int,
    reason: str,
    *,
    is_given_up: bool = True,
    uploader: Uploader = NOBODY,
) -> bytes:
    """Write the report on an upload with a part that failed too often to be retried automatically.

    The upload may still complete until its last try has failed.
    """
    unfinished = {
        "part": part,
        "tries": tries,
        "is_given_up": is_given_up,
        "reason": shown(reason),
    }
    return _write(
        {
            "upload": _members_of(upload),
            **uploader_members(uploader),
            "dry_run": False,
            "is_complete": False,
            "counts": count(()),
            "refused_lines": None,
            "unfinished": {**unfinished, "way_out": str(way_out_of(unfinished))},
            "verdicts": [],
        }
    )


def way_out_of(unfinished: Mapping[str, Any]) -> Message:
    """Return the advice for finishing an upload, from the failed part in its report."""
    return message(
        "A part of it ({part}) failed {tries} times and is kept: {reason} Remove the cause, then run "
        "`ginuri redrive` to finish it.",
        part=str(unfinished["part"]),
        tries=str(unfinished["tries"]),
        reason=f"{shown(unfinished['reason']).removesuffix('.')}.",
    )


def write_stored(
    upload: Upload,
    options: UploadOptions = _NO_OPTIONS,
    verdicts: Sequence[Verdict] = (),
    uploader: Uploader = NOBODY,
) -> bytes:
    """Write the report on a stored file, with the verdicts on the whole file."""
    language = report_language(options)
    return _write(
        {
            "upload": _members_of(upload),
            **uploader_members(uploader),
            "dry_run": False,
            "is_complete": True,
            "counts": count(verdicts),
            "stored": True,
            "language": language,
            "verdicts": [json.loads(write_verdict(verdict, language)) for verdict in verdicts],
            "refused_lines": None,
        }
    )


def write_refused(lines: Iterable[bytes], marks: LineMarks, heading: HeadingTest | None) -> Iterator[bytes]:
    """Write the refused lines unchanged; in a table after the lines up to its heading.

    `lines` are all lines of the file; a row over several lines is kept whole. Formulas in a table are
    guarded.
    """
    if not marks.any_refused:
        return
    rest = iter(lines)
    if heading is None:
        yield from (_with_line_end(row) for _, row in _rows_to_keep(rest, marks, 0))
        return
    head = list(islice(rest, MOST_ROW_LINES * MOST_TITLE_ROWS))
    line, separator = find_heading(head, heading)
    for number, row in _rows_to_keep(chain(head, rest), marks, line):
        # The byte order mark is not part of the first cell.
        mark = codecs.BOM_UTF8 if number == 1 and row.startswith(codecs.BOM_UTF8) else b""
        yield mark + guard(_with_line_end(row).removeprefix(mark), separator)


def _rows_to_keep(lines: Iterable[bytes], marks: LineMarks, heading: int) -> Iterator[tuple[int, bytes]]:
    """Yield the rows up to the heading and the refused ones, with their line numbers."""
    row: list[bytes] = []
    first, is_kept = 1, bool(heading)
    for number, line in enumerate(lines, start=1):
        if number == heading or marks.begins(number):
            if row:
                yield first, b"".join(row)
            row, first = [], number
            is_kept = number <= heading or marks.is_refused(number)
        if is_kept:
            row.append(line)
    if row:
        yield first, b"".join(row)


def _with_line_end(row: bytes) -> bytes:
    return row if row.endswith((b"\n", b"\r")) else row + b"\n"


class LineMarks:
    """One byte for each line: whether a row begins there, and whether it was refused."""

    _BEGINS, _REFUSED = 1, 2

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        self._lines = bytearray()
        self.any_refused = False
        for verdict in verdicts:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        """Mark the lines of a verdict."""
        is_refused = verdict.outcome is Outcome.REFUSED
        self.any_refused |= is_refused and bool(verdict.lines)
        for number in verdict.lines:
            if number >= len(self._lines):
                self._lines.extend(bytes(number + 1 - len(self._lines) + len(self._lines) // 2))
            self._lines[number] |= self._BEGINS | (self._REFUSED if is_refused else 0)

    def begins(self, number: int) -> bool:
        """Return whether a row begins in a line."""
        return number < len(self._lines) and bool(self._lines[number])

    def is_refused(self, number: int) -> bool:
        """Return whether the row that begins in a line was refused."""
        return number < len(self._lines) and bool(self._lines[number] & self._REFUSED)


def _members_of(upload: Upload) -> Mapping[str, str]:
    return {name: value for name, value in asdict(upload).items() if name != "identity"}


def _write(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, indent=1).encode()
