"""The report on an upload: what became of every line, as JSON, and the refused lines as a file."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any

from ginuri.files.options import UploadOptions
from ginuri.files.tables.cells import MOST_ROW_LINES, heading_number
from ginuri.files.tables.delimited import table_separator
from ginuri.files.tables.formulas import guard
from ginuri.i18n.catalogue import ENGLISH
from ginuri.identifiers.messages import Message, as_data, from_data, message
from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, shown
from ginuri.registry.record.differences import Difference, FieldChange

_REFUSED = {".xlsx": ".csv", **dict.fromkeys((".ttl", ".rdf", ".jsonld", ".nt"), ".jsonl")}
"""How refused lines are written where they are not lines of the file itself."""


@dataclass(frozen=True, slots=True)
class Upload:
    """One object version in the uploads bucket."""

    bucket: str
    key: str
    version: str
    put: str
    """When it was put, RFC 3339 in UTC with milliseconds."""

    @property
    def folder(self) -> str:
        """Where it stands in the bucket."""
        return self.key[: self.key.rfind("/") + 1]

    @property
    def prefix(self) -> str:
        """The identifier prefix that may be registered from there."""
        return folder_to_prefix(self.folder)


def report_key(key: str, version: str) -> str:
    """Give where the report on an upload is written."""
    return f"{key}/{version}.json"


def page_key(key: str, version: str, language: str = ENGLISH) -> str:
    """Give where the report is written as a page to read, one a language."""
    return f"{key}/{version}.html" if language == ENGLISH else f"{key}/{version}.{language}.html"


def progress_key(key: str, version: str) -> str:
    """Give where it is told how far an upload is, while it is taken in."""
    return f"{key}/{version}.progress.json"


def write_progress(done: int, of: int, waits_for: Sequence[str] = ()) -> bytes:
    """Write how many rows of how many have their verdict; of 0 while nobody knows how many there are.

    `waits_for` are the identifiers that must be registered first, by another upload.
    """
    return _write({"done": done, "of": of, **({"waits_for": waits_for} if waits_for else {})})


def refused_key(key: str, version: str) -> str:
    """Give where the refused lines of an upload are written, to be corrected and uploaded again."""
    plain = key.removesuffix(key[-3:]) if key.lower().endswith(".gz") else key
    suffix = plain[plain.rfind(".") :]
    return f"{key}/{version}.refused{_REFUSED.get(suffix.lower(), suffix)}"


def count(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """Count verdicts by outcome, and in `warned` all that carry a warning."""
    verdicts = list(verdicts)
    outcomes = Counter(str(verdict.outcome) for verdict in verdicts)
    counts = {str(outcome): outcomes[str(outcome)] for outcome in Outcome if outcome is not Outcome.WARNED}
    return {**counts, "warned": sum(verdict.is_warned for verdict in verdicts)}


def write_report(
    upload: Upload,
    options: UploadOptions,
    verdicts: Iterable[Verdict],
    counts: Mapping[str, int],
    refused: str | None = None,
) -> Iterator[bytes]:
    """Write the report on a registry file, piece by piece; of a dry run, what would become of it.

    `verdicts` come in the order of the file, `counts` is what they amount to, and `refused` where the refused
    lines are.
    """
    said = {"submitter": options.submitter, "reason": options.reason}
    head = _write(
        {
            "upload": asdict(upload),
            **{name: text for name, text in said.items() if text},
            "dry_run": options.is_dry_run,
            "is_complete": True,
            "counts": counts,
            "refused_lines": refused,
        }
    )
    yield head.removesuffix(b"\n}") + b',\n "verdicts": ['
    between = b"\n"
    for verdict in verdicts:
        yield between + b"  " + write_verdict(verdict)
        between = b",\n"
    yield b"\n ]\n}"


def write_unfinished(
    upload: Upload, part: str, tries: int, reason: str, *, is_given_up: bool = True
) -> bytes:
    """Write the report on an upload of which a part failed so often that it is not tried again by itself.

    It is given up when its last try has failed as well; until then it may still come to a report.
    """
    unfinished = {
        "part": part,
        "tries": tries,
        "is_given_up": is_given_up,
        "reason": shown(reason),
    }
    return _write(
        {
            "upload": asdict(upload),
            "dry_run": False,
            "is_complete": False,
            "counts": count(()),
            "refused_lines": None,
            "unfinished": {**unfinished, "way_out": str(way_out_of(unfinished))},
            "verdicts": [],
        }
    )


def way_out_of(unfinished: Mapping[str, Any]) -> Message:
    """Say what finishes an upload, from what its report says of the part that stopped it."""
    return message(
        "A part of it ({part}) failed {tries} times and is kept: {reason} Remove the cause, then run "
        "`ginuri redrive` to finish it.",
        part=str(unfinished["part"]),
        tries=str(unfinished["tries"]),
        reason=f"{shown(unfinished['reason']).removesuffix('.')}.",
    )


def write_stored(upload: Upload) -> bytes:
    """Write the report on a file that is stored for registrations to name."""
    return _write(
        {
            "upload": asdict(upload),
            "dry_run": False,
            "is_complete": True,
            "counts": count(()),
            "stored": True,
            "verdicts": [],
            "refused_lines": None,
        }
    )


def write_refused(lines: Iterable[bytes], marks: LineMarks, *, has_heading: bool) -> Iterator[bytes]:
    """Write the refused lines as they were, below the heading where there is one.

    `lines` are those of the file; a row over several lines is kept whole. Where there is a heading it is a
    table, and what a spreadsheet would compute in it is guarded.
    """
    if not marks.any_refused:
        return
    further = iter(lines)
    head = list(islice(further, MOST_ROW_LINES))
    if not has_heading:
        yield from (_ended(row) for _, row in _kept(chain(head, further), marks, 0))
        return
    separator = table_separator(head)
    for number, row in _kept(chain(head, further), marks, heading_number(head[0]) if head else 1):
        # A byte order mark is no part of the first cell.
        mark = codecs.BOM_UTF8 if number == 1 and row.startswith(codecs.BOM_UTF8) else b""
        yield mark + guard(_ended(row).removeprefix(mark), separator)


def _kept(lines: Iterable[bytes], marks: LineMarks, heading: int) -> Iterator[tuple[int, bytes]]:
    """Give the rows to keep, with the number of the first line: all to the heading, then what was refused."""
    begun: list[bytes] = []
    first, is_kept = 1, bool(heading)
    for number, line in enumerate(lines, start=1):
        if number == heading or marks.begins(number):
            if begun:
                yield first, b"".join(begun)
            begun, first = [], number
            is_kept = number <= heading or marks.is_refused(number)
        if is_kept:
            begun.append(line)
    if begun:
        yield first, b"".join(begun)


def _ended(row: bytes) -> bytes:
    return row if row.endswith((b"\n", b"\r")) else row + b"\n"


class LineMarks:
    """What became of each line: whether a row begins there, and whether it was refused. One byte a line."""

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
        """Tell whether a row begins in a line."""
        return number < len(self._lines) and bool(self._lines[number])

    def is_refused(self, number: int) -> bool:
        """Tell whether the row that begins in a line was refused."""
        return number < len(self._lines) and bool(self._lines[number] & self._REFUSED)


def write_verdict(verdict: Verdict) -> bytes:
    """Write a verdict as one line of JSON."""
    written = {
        "lines": list(verdict.lines),
        "identifier": verdict.identifier,
        "verdict": str(verdict.outcome),
        "findings": [_write_finding(finding) for finding in verdict.findings],
        "changes": [
            {"field": shown(change.field), "before": text_of(change.before), "after": text_of(change.after)}
            for change in verdict.difference.changes
        ],
        "more_changes": verdict.difference.untold,
    }
    return json.dumps(written, ensure_ascii=False).encode()


def read_verdict(line: bytes) -> Verdict:
    """Read a verdict as a report has it: what changed is text by then."""
    written = json.loads(line)
    return Verdict(
        Outcome(written["verdict"]),
        tuple(written["lines"]),
        written["identifier"],
        tuple(map(_read_finding, written["findings"])),
        Difference(tuple(FieldChange(**change) for change in written["changes"]), written["more_changes"]),
    )


def message_of(finding: Mapping[str, Any]) -> Message:
    """Give the message of a finding in a report, to be written in any language."""
    return from_data(finding if "template" in finding else {"template": finding["message"]})


def _write_finding(finding: Finding) -> Mapping[str, Any]:
    return {
        "level": str(finding.level),
        "field": finding.field,
        "rule": finding.rule,
        "value": finding.value,
        "message": str(finding.message),
        **(as_data(finding.message) if finding.message.values else {}),
    }


def _read_finding(written: Mapping[str, Any]) -> Finding:
    return Finding(
        Level(written["level"]), written["field"], written["rule"], written["value"], message_of(written)
    )


def text_of(value: Any) -> str | None:  # noqa: ANN401  any field's value
    """Give a value as a report repeats it: cut, as text; None for nothing."""
    if value is None or isinstance(value, str):
        return None if value is None else shown(value)
    return shown(json.dumps(value, ensure_ascii=False))


def _write(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, indent=1).encode()
