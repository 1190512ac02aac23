"""JSON lines: one registration an object, one object a line; a bad line never stops a good one."""

from __future__ import annotations

import codecs
import json
import time
from typing import Any

import pytest

from ginuri.files.json_lines import read_json_lines
from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.registration.rows import Row
from tests.builders import MAP, short

GOOD = json.dumps({"identifier": MAP, "title": "Map"}).encode() + b"\n"


def _read(*lines: bytes) -> list[Row]:
    return list(read_json_lines(lines))


def _broken(row: Row) -> list[tuple[str, str]]:
    assert row.identifier is None or row.findings
    return [(finding.field, finding.rule) for finding in row.findings if finding.level == "refused"]


def test_a_line_is_a_registration() -> None:
    [row] = _read(GOOD)

    assert (row.line, str(row.identifier), short(row.statements), row.findings) == (
        1,
        MAP,
        {("title", ""): "Map"},
        (),
    )


@pytest.mark.parametrize(
    ("line", "field", "rule"),
    [
        (b"{", "", "JSON"),
        (b"map", "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x",}', "", "JSON"),
        (b"{'identifier': 'uri-gin/azgs/doc/x'}", "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x"} {}', "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x", "title": NaN}', "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x", "title": -Infinity}', "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x", "title": "a", "title": "b"}', "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x", "properties": {"a": "1", "a": "1"}}', "", "JSON"),
        (b'{"identifier": "uri-gin/azgs/doc/x", "title": "a\tb"}', "", "JSON"),
        (b"[" * 100_000, "", "JSON"),
        (b'{"a":' * 40_000 + b"1" + b"}" * 40_000, "", "JSON"),
        (b'["uri-gin/azgs/doc/x"]', "", "object"),
        (b'"uri-gin/azgs/doc/x"', "", "object"),
        (b"null", "", "object"),
        (b"17", "", "object"),
        (b'{"identifier": "uri-gin/azgs/doc/x", "title": "caf\xe9"}', "", "UTF-8"),
        (b"\xff\xfe{\x00}\x00", "", "UTF-8"),
        (b"{}", "identifier", "required"),
        (b'{"title": "Map"}', "identifier", "required"),
        (b'{"identifier": null}', "identifier", "required"),
        (b'{"identifier": 17}', "identifier", "required"),
        (b'{"identifier": " "}', "identifier", "required"),
        (b'{"identifier": ["uri-gin/azgs/doc/x"]}', "identifier", "required"),
    ],
)
def test_a_bad_line_is_refused_by_its_number_and_good_ones_kept(line: bytes, field: str, rule: str) -> None:
    before, bad, after = _read(GOOD, line + b"\n", GOOD)

    assert (bad.line, _broken(bad)) == (2, [(field, rule)])
    assert (before.line, before.findings, after.line, after.findings) == (1, (), 3, ())


@pytest.mark.parametrize(
    "text",
    [
        "uri-gin/azgs/doc/a//b",
        "uri-gin/azgs/doc/../b",
        "uri-gin/azgs/doc/a b",
        "uri-gin/azgs/doc/a#b",
        "uri-gin/azgs/doc/%zz",
        "http://resources.usgin.org/assets/uri-gin/azgs/",
        "mailto:maps/azgs",
        "uri-gin/azgs/" + "x" * 1024,
    ],
)
def test_a_malformed_identifier_is_refused_with_the_broken_rule(text: str) -> None:
    [row] = _read(json.dumps({"identifier": text, "title": "Map"}).encode())

    [finding] = row.findings
    assert (finding.level, finding.field) == ("refused", "identifier")
    assert finding.rule
    assert finding.value == text[:200] + ("…" if len(text) > 200 else "")


def test_another_spelling_is_registered_in_its_normal_form() -> None:
    [row] = _read(b'{"identifier": "http://resources.usgin.org/uri-gin/azgs/doc/%41%2f", "title": "Map"}')

    [finding] = row.findings
    assert str(row.identifier) == "uri-gin/azgs/doc/A%2F"
    assert (finding.level, finding.field, finding.rule) == ("warned", "identifier", "normal form")
    assert finding.value == "uri-gin/azgs/doc/%41%2f"


def test_the_host_of_an_identifier_causes_no_remark() -> None:
    [row] = _read(f'{{"identifier": "http://resources.usgin.org/{MAP}"}}'.encode())

    assert (str(row.identifier), row.findings) == (MAP, ())


def test_blank_lines_are_skipped_but_counted() -> None:
    rows = _read(b"\n", b" \t\r\n", GOOD, b"\n", GOOD.rstrip() + b"\r\n", GOOD.rstrip())

    assert [(row.line, row.findings) for row in rows] == [(3, ()), (5, ()), (6, ())]


def test_a_byte_order_mark_is_removed_only_from_the_first_line() -> None:
    first, second = _read(codecs.BOM_UTF8 + GOOD, codecs.BOM_UTF8 + GOOD)

    assert first.findings == ()
    assert _broken(second) == [("", "JSON")]


def test_a_line_has_at_most_256_kib() -> None:
    empty = b'{"identifier": "uri-gin/azgs/doc/x", "title": ""}\n'
    longest = empty.replace(b'""', b'"' + b"x" * (256 * 1024 - len(empty)) + b'"')

    fits, too_long, two_megabytes = _read(longest, longest.replace(b"xx", b"xxx", 1), b"x" * 2_000_000)

    assert len(longest) == MOST_LINE_BYTES
    assert _broken(fits) == [("title", "plain text")]
    assert _broken(too_long) == [("", "length")]
    assert _broken(two_megabytes) == [("", "length")]
    assert len(two_megabytes.findings[0].value) < 300


@pytest.mark.parametrize(
    "made", ['{{"identifier": {0}1{1}}}', '{{"identifier": "uri-gin/azgs/", "title": {0}1{1}}}']
)
def test_any_depth_of_nesting_is_handled(made: str) -> None:
    for depth in (10, 100, 300, *range(700, 1_000, 3), 2_000):
        rows = _read(made.format("[" * depth, "]" * depth).encode(), GOOD)

        assert _broken(rows[0]), depth
        assert rows[1].findings == ()


def test_a_syntax_error_is_pointed_at_within_its_line() -> None:
    *_, row = _read(GOOD, GOOD, b'{"identifier" "uri-gin/azgs/"}')

    [finding] = row.findings
    assert "line 1" not in str(finding.message)
    assert "15" in str(finding.message)


@pytest.mark.parametrize(
    "members",
    [
        {f"k{number}": 1 for number in range(15_000)},
        {"properties": {f"k{number}": {} for number in range(15_000)}},
    ],
)
def test_a_line_full_of_mistakes_gets_a_short_report(members: dict[str, Any]) -> None:
    line = json.dumps({"identifier": MAP, **members}).encode()
    started = time.process_time()

    [row] = _read(line)

    assert _broken(row)
    assert sum(len(str(finding.message)) for finding in row.findings) < 100_000
    assert time.process_time() - started < 1


def test_control_characters_are_never_repeated() -> None:
    members = {"identifier": MAP, "\x1b[2J": "\x1b[2J", "title": {"\x1b]0;": "x"}, "properties": {"\x07": {}}}

    [row] = _read(json.dumps(members).encode())

    said = "".join(
        finding.field + finding.rule + finding.value + str(finding.message) for finding in row.findings
    )
    assert len(row.findings) >= 3
    assert said.isprintable()


def test_half_a_character_is_refused_and_can_be_written_into_a_report() -> None:
    lines = [
        b'{"identifier": "uri-gin/azgs/doc/x", "title": "\\ud800"}',
        b'{"identifier": "uri-gin/azgs/doc/x", "\\ud800": "x"}',
        b'{"identifier": "uri-gin/azgs/doc/x", "properties": {"\\ud800": "x"}}',
        b'{"identifier": "uri-gin/azgs/doc/\\ud800"}',
    ]

    rows = _read(*lines)

    assert all(_broken(row) for row in rows)
    for row in rows:
        for finding in row.findings:
            assert (finding.field + finding.rule + finding.value + str(finding.message)).encode()
