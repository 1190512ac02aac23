"""Reads JSON lines: each line is an object, each object a registration."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ginuri.files.encodings import ENCODING
from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.mapping.columns import NO_MAPPING, ColumnMapping
from ginuri.files.mapping.filled_fields import rename_members
from ginuri.files.repairs.made_fields import correct_made
from ginuri.files.schema.fields import ALIASES
from ginuri.files.schema.statements import read_statements
from ginuri.identifiers.messages import message
from ginuri.registration.positions import Headings, member_of
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, at, refuse, shown

# The most digits of a number; parsing thousands of digits is slow.
_MOST_DIGITS = 1_000


def read_json_lines(
    lines: Iterable[bytes], after: int = 0, mapping: ColumnMapping = NO_MAPPING
) -> Iterator[Row]:
    """Read each line separately, with mapped members renamed.

    Skip blank lines and the lines up to `after`, which were read before. A bad line never stops a good one.
    """
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if number > after and text.strip():
            yield read_json_line(number, text, mapping)


def read_json(text: str) -> Any:  # noqa: ANN401  JSON has values of any type
    """Read JSON (RFC 8259) without NaN or repeated names. Raises ValueError, for deep nesting as well."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer)
    except RecursionError:
        raise ValueError(
            message("The JSON is nested too deep. Look for brackets that are not closed.")
        ) from None


def read_json_line(number: int, line: bytes, mapping: ColumnMapping = NO_MAPPING) -> Row:
    """Read one line; findings have its number."""
    given = _read_line(line)
    row = (
        Row(number, None, findings=(given,))
        if isinstance(given, Finding)
        else _read_object(number, given, mapping)
    )
    return (
        replace(row, findings=tuple(at(finding, number) for finding in row.findings)) if row.findings else row
    )


def _read_line(line: bytes) -> dict[str, Any] | Finding:
    if len(line) > MOST_LINE_BYTES:
        return refuse(
            "",
            "length",
            line[:80].decode(errors="replace"),
            "The line has {length} bytes; at most {most} are allowed.",
            length=len(line),
            most=MOST_LINE_BYTES,
        )
    text = line.decode(errors="replace")
    try:
        given = read_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return refuse(
            "",
            ENCODING,
            text,
            "Byte {byte} of the line is not UTF-8. Save the file as UTF-8.",
            byte=error.start + 1,
        )
    except json.JSONDecodeError as error:
        return refuse(
            "",
            "JSON",
            text,
            "The line is not valid JSON from character {position} on: {reason}",
            position=error.pos + 1,
            reason=error.msg,
        )
    except ValueError as error:
        return refuse("", "JSON", text, error.args[0])
    if not isinstance(given, dict):
        return refuse(
            "",
            "object",
            given,
            "Write one JSON object a line, such as {example}.",
            example='{"identifier": "uri-gin/…"}',
        )
    return given


def _read_object(number: int, given: Mapping[str, Any], mapping: ColumnMapping) -> Row:
    if mapping.is_empty:
        row = read_statements(number, given)
    else:
        mapping = mapping.among(given)
        renamed = rename_members(given, mapping)
        row = read_statements(number, renamed.values)
        if renamed.fault is not None:
            fault, rule = (renamed.fault,), row.rule
            row = Row(number, row.identifier, findings=fault, rule=rule, grantee=row.grantee)
    members = {ALIASES[name]: name for name in ALIASES.keys() & given.keys()}
    members |= {field: name for name, field in mapping.renamed.items() if name in given}
    members |= {template.field: template.text for template in mapping.templates}
    if not (members or row.findings):
        return row
    texts = {name: str(value) for name, value in given.items() if isinstance(value, str | int | float)}
    corrected = [correct_made(finding, mapping.templates, texts, {}) for finding in row.findings]
    findings = tuple(at(finding, number, _member(finding.field, members, given)) for finding in corrected)
    return replace(row, findings=findings, headings=members or None)


def _member(field: str, members: Headings, given: Mapping[str, Any]) -> str:
    member = member_of(field, members)
    is_made = members.get(field) == member
    return member if is_made or member in given or member.partition(".")[0] in given else ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    given = dict(pairs)
    if len(given) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(
            message(
                "The name {name} occurs twice in one object. Keep one of the two.", name=repr(shown(twice))
            )
        )
    return given


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(
            message("A number may have at most {most} digits. Write it as a text.", most=f"{_MOST_DIGITS:,}")
        )
    return int(digits)


def _constant(name: str) -> None:
    raise ValueError(message("{name} is not a number in JSON.", name=name))
