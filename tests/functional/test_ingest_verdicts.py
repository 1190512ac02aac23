"""Every line gets its verdict by its number, a bad one never stops a good one, and none is lost."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Iterator

import pytest

from ginuri.files.lines import MOST_BYTES, MOST_HELD_BYTES, MOST_ROWS, MOST_WHOLE_BYTES
from ginuri.memory import MemoryRegistry, MemoryUploads
from ginuri.registry.content import UploadHead
from tests.spreadsheets import made, written
from tests.steward import LINES, TABLE, Steward, line, settled

WELL = "uri-gin/azgs/doc/well"
GOOD = "uri-gin/azgs/doc/good"

BAD_TABLE = (
    b"identifier,title,status,location,part\n"
    b"uri-gin/azgs/doc/1,First,,https://a.example/1,\n"
    b"uri-gin/azgs/doc/2,A wrong status,deleted,https://a.example/2,\n"
    b"uri-gin/usgin/doc/3,Another authority,,https://a.example/3,\n"
    b"uri-gin/azgs/doc/4,A bad URL,,htp:/a.example/4,\n"
    b"uri-gin/azgs/doc/5,Not \xff UTF-8,,https://a.example/5,\n"
    b"uri-gin/azgs/doc/6," + b"x" * 2_000_000 + b",,https://a.example/6,\n"
    b"uri-gin/azgs/doc/7,One title,,https://a.example/7,\n"
    b"uri-gin/azgs/doc/8,Good,,https://a.example/8,\n"
    b"uri-gin/azgs/doc/7,Another title,,https://a.example/7,\n"
    b"uri-gin/azgs/doc/9,A cell too many,,https://a.example/9,,x\n"
    b'uri-gin/azgs/doc/10,"A quote that stays open,,https://a.example/10,\n'
    b"uri-gin/azgs/doc/11,A comma, in a title,,https://a.example/11,\n"
    b",No identifier,,https://a.example/12,\n"
    b"uri-gin/azgs//13,No identifier either,,https://a.example/13,\n"
    b"uri-gin/azgs/doc/14,A part out of place,,https://a.example/14,map.pdf\n"
    b"uri-gin/azgs/doc/15,Last,,https://a.example/15,\n"
)
BAD_ROWS = {
    (3,): [("status", "enum")],
    (4,): [("identifier", "folder")],
    (5,): [("location", "value_error")],
    (6,): [("title", "UTF-8")],
    (7,): [("", "CSV")],
    (8, 10): [("title", "one value")],
    (11,): [("", "cells")],
    (12,): [("", "CSV")],
    (13,): [("", "cells")],
    (14,): [("identifier", "required")],
    (15,): [("identifier", "segment-nz")],
    (16,): [("part", "place")],
}


def test_a_table_with_every_mistake_keeps_its_good_rows() -> None:
    steward = settled()

    report = steward.upload(TABLE, BAD_TABLE)

    assert report.refused == BAD_ROWS
    assert report.counts == {"registered": 3, "refused": len(BAD_ROWS)}
    held = [number for number in range(20) if steward.values(f"uri-gin/azgs/doc/{number}")]
    assert held == [1, 8, 15]


def test_every_refusal_names_its_value_and_the_remedy() -> None:
    findings = {
        each.lines: each.findings
        for each in settled().upload(TABLE, BAD_TABLE).verdicts
        if each.verdict == "refused"
    }

    assert all(len(finding["message"]) > 20 for each in findings.values() for finding in each)
    assert findings[3,][0]["value"] == "deleted"
    assert "superseded" in findings[3,][0]["message"]
    assert "uri-gin/usgin/" in findings[4,][0]["message"]
    assert findings[5,][0]["value"] == "htp:/a.example/4"
    assert "UTF-8" in findings[6,][0]["message"]
    assert "262,144" in findings[7,][0]["message"]
    assert "(8)" in findings[8, 10][0]["message"]
    assert "(10)" in findings[8, 10][0]["message"]
    assert "quotation mark" in findings[12,][0]["message"]


def test_json_lines_with_every_mistake_keep_their_good_lines() -> None:
    steward = settled()
    lines = [
        line(f"{GOOD}1").encode(),
        line(WELL, status="deleted").encode(),
        line("uri-gin/usgin/doc/3").encode(),
        line(WELL, location="htp:/a.example/4").encode(),
        b'{"identifier": "uri-gin/azgs/doc/5", "title": "Not \xff UTF-8"}\n',
        line(WELL, title="x" * 2_000_000).encode(),
        line(f"{WELL}7", title="One").encode(),
        b"\n",
        line(f"{GOOD}2").encode(),
        line(f"{WELL}7", title="Another").encode(),
        b'{"identifier": "uri-gin/azgs/doc/11", "title": "a", "title": "b"}\n',
        b'{"identifier": "uri-gin/azgs/doc/12", "title": NaN}\n',
        b'["uri-gin/azgs/doc/13"]\n',
        b"[" * 100_000 + b"\n",
        line(f"{WELL}15", to=GOOD).encode(),
        line(f"{WELL}16", record="rule").encode(),
        line("uri-gin/azgs/doc/17/", record="authority").encode(),
        line(f"{WELL}18", homepage="https://a.example/").encode(),
        b'{"title": "No identifier"}\n',
        line(f"{GOOD}3").encode().strip(),
    ]

    report = steward.upload(LINES, b"".join(lines))

    assert {numbers: broken[0] for numbers, broken in report.refused.items()} == {
        (2, 4): ("status", "enum"),
        (3,): ("identifier", "folder"),
        (5,): ("", "UTF-8"),
        (6,): ("", "length"),
        (7, 10): ("title", "one value"),
        (11,): ("", "JSON"),
        (12,): ("", "JSON"),
        (13,): ("", "object"),
        (14,): ("", "JSON"),
        (15,): ("to", "resource"),
        (16,): ("identifier", "rule"),
        (17,): ("record", "folder"),
        (18,): ("homepage", "resource"),
        (19,): ("identifier", "required"),
    }
    assert (report.counts["registered"], report.counts["refused"]) == (3, 14)
    assert all(steward.values(f"{GOOD}{number}") for number in (1, 2, 3))


def test_every_line_has_a_verdict() -> None:
    report = settled().upload(TABLE, BAD_TABLE)

    told = [number for each in report.verdicts for number in each.lines]
    assert sorted(told) == list(range(2, 18))


@pytest.mark.parametrize("heading", ["name,title,status", "title", "identifier^title"])
def test_a_table_without_an_identifier_column_registers_nothing(heading: str) -> None:
    report = settled().upload(TABLE, f"{heading}\n{WELL}\n{WELL}2\n")

    assert report.refused == {(1,): [("identifier", "heading")]}
    assert "identifier" in report.verdicts[0].findings[0]["message"]


# Refused lines, corrected and uploaded again.


def test_the_refused_lines_form_a_file_to_correct_and_upload_again() -> None:
    steward = settled()
    report = steward.upload(TABLE, BAD_TABLE)
    assert report.refused_lines is not None

    corrected = report.refused_lines
    for wrong, right in {
        b"deleted": b"retired",
        b"usgin": b"azgs",
        b"htp:/": b"https://",
        b"\xff": "ÿ".encode(),
        b"x" * 2_000_000: b"Shorter",
        b"Another title": b"One title",
        b",,x\n": b",\n",
        b'"A quote': b"A quote",
        b"A comma, in a title": b"No comma in it",
        b"\n,No": b"\nuri-gin/azgs/doc/12,No",
        b"azgs//13": b"azgs/doc/13",
        b",map.pdf": b",.pdf",
    }.items():
        assert wrong in corrected
        corrected = corrected.replace(wrong, right)
    again = steward.upload(TABLE, corrected)

    assert again.refused == {}
    assert again.refused_lines is None
    assert again.counts == {"registered": len(BAD_ROWS)}


def test_uncorrected_refused_lines_are_refused_again() -> None:
    steward = settled()
    first = steward.upload(TABLE, BAD_TABLE)
    assert first.refused_lines is not None

    second = steward.upload(TABLE, first.refused_lines)

    assert list(second.refused.values()) == list(first.refused.values())
    assert second.refused_lines == first.refused_lines


def test_an_upload_without_refusals_has_no_refused_rows() -> None:
    report = settled().upload(LINES, line(WELL))

    assert (report.whole["refused_lines"], report.refused_lines) == (None, None)


def test_the_report_names_the_file_of_refused_lines() -> None:
    steward = settled()

    report = steward.upload(LINES, "{\n" + line(WELL))

    assert steward.files.reports[report.whole["refused_lines"]] == b"{\n"


# Files that are refused as a whole.


def _whole(steward: Steward, key: str, content: bytes) -> tuple[str, str]:
    report = steward.upload(key, content)
    [verdict] = report.verdicts
    [finding] = verdict.findings
    assert (verdict.lines, verdict.verdict, report.refused_lines) == ((1,), "refused", None)
    assert report.counts == {"refused": 1}
    return finding["rule"], finding["message"]


@pytest.mark.parametrize("key", [LINES, TABLE])
def test_an_empty_file_is_refused(key: str) -> None:
    rule, _ = _whole(settled(), key, b"")

    assert rule == "empty"


def test_a_file_outside_of_any_folder_is_refused() -> None:
    rule, message = _whole(settled(), "wells.csv", f"identifier,title\n{WELL},Well\n".encode())

    assert rule == "folder"
    assert "_host/" in message


def test_a_name_too_long_for_a_stamp_is_refused() -> None:
    rule, message = _whole(settled(), f"uri-gin/azgs/{'wells' * 200}.jsonl", line(WELL).encode())

    assert rule == "name"
    assert "800 bytes" in message


class _Claiming(MemoryUploads):
    """Reports a greater length of uploads than they have."""

    claim = 0

    def head(self, key: str, version: str) -> UploadHead | None:
        head = super().head(key, version)
        return head and head._replace(size=self.claim)


@pytest.mark.parametrize(
    ("key", "most"), [(LINES, MOST_BYTES), (TABLE, MOST_BYTES), ("uri-gin/azgs/wells.xlsx", MOST_WHOLE_BYTES)]
)
def test_an_oversized_file_is_refused_before_it_is_read(key: str, most: int) -> None:
    steward, files = settled(), _Claiming()
    steward.files = files
    files.claim = most + 1

    rule, message = _whole(steward, key, b"x")

    assert rule == "size"
    assert f"{most:,} bytes. Split it" in message


@pytest.mark.parametrize("key", [LINES, TABLE])
def test_a_line_without_an_end_is_not_read_to_its_end(key: str) -> None:
    files = _Metered()
    steward = settled()
    steward.files = files

    rule, message = _whole(steward, key, b"x" * (2 * MOST_HELD_BYTES))

    assert rule == "length"
    assert "16,777,216 bytes" in message
    assert files.chunks * 4_096 < 1.1 * MOST_HELD_BYTES


class _Metered(MemoryUploads):
    """Counts the bytes that are read of an upload."""

    chunks = 0

    def read(self, key: str, version: str) -> Iterator[bytes]:
        for chunk in super().read(key, version):
            self.chunks += 1
            yield chunk


@pytest.mark.untraced
def test_a_compressed_file_with_too_many_lines_is_read_to_the_limit() -> None:
    files = _Metered()
    steward = settled()
    steward.files = files

    rule, message = _whole(steward, f"{LINES}.gz", gzip.compress(b"\n" * MOST_ROWS) * 10)

    assert rule == "size"
    assert "2,000,000 lines. Split it into several files." in message
    assert files.chunks == 1


def test_an_upload_of_a_deleted_version_is_refused_and_not_retried() -> None:
    steward = settled()
    upload = steward.put(LINES, line(WELL))
    steward.files.uploads.clear()

    report = steward.deliver(upload)

    assert report.refused == {(1,): [("", "uploaded")]}


@pytest.mark.parametrize("key", [LINES, TABLE])
def test_a_compressed_file_gets_the_report_of_the_plain_one(key: str) -> None:
    content = "".join((line(WELL), "{\n")) if key == LINES else f"id,title\n{WELL},Well\n-,Well\n"
    unpacked, packed = settled(), settled()

    heard = packed.upload(f"{key}.gz", gzip.compress(content.encode()))

    plain = unpacked.upload(key, content)
    assert heard.whole["verdicts"] == plain.whole["verdicts"]
    assert (heard.counts, packed.values(WELL)) == (plain.counts, unpacked.values(WELL))
    assert (heard.refused_lines, plain.counts["refused"]) == (plain.refused_lines, 1)


def test_refused_lines_of_a_compressed_file_come_back_uncompressed() -> None:
    report = settled().upload(f"{TABLE}.gz", gzip.compress(f"id,title\n{WELL},Well\n-,Well\n".encode()))

    assert report.whole["refused_lines"] == f"{TABLE}.gz/v3.refused.csv"
    assert report.refused_lines == b"id,title\n-,Well\n"


@pytest.mark.parametrize("key", [LINES, TABLE])
@pytest.mark.parametrize(
    ("content", "rule", "way_out"),
    [
        (b"id,title\n", "gzip", "without .gz"),
        (gzip.compress(b"id,title\n" * 99)[:-9], "gzip", "Upload it again"),
        (gzip.compress(b""), "empty", "empty"),
        (gzip.compress(b"x" * (MOST_HELD_BYTES + 1)), "length", "16,777,216 bytes. Is this a text"),
    ],
    ids=["not packed", "cut off", "nothing", "bomb"],
)
def test_a_damaged_compressed_file_is_refused_as_a_whole(
    key: str, content: bytes, rule: str, way_out: str
) -> None:
    told, message = _whole(settled(), f"{key}.gz", content)

    assert told == rule
    assert way_out in message


# Spreadsheets.


@pytest.mark.parametrize("packed", [False, True])
def test_a_spreadsheet_is_a_table_with_its_row_numbers(*, packed: bool) -> None:
    steward = settled()
    content = written(
        [
            ["Identifier", "Title", "location", "properties.depth", "media_type", "valid_from", None],
            [WELL, "Huérfano", "https://a.example/1", 90.0, "text/html", dt.date(1997, 6, 1)],
            [],
            [f"{WELL}2", "Well", "htp://a.example/2", 1.5],
            [WELL, None, "https://a.example/3", None, "text/csv"],
            ["uri-gin/usgin/doc/x", "Elsewhere"],
        ]
    )

    report = steward.upload(
        "uri-gin/azgs/wells.xlsx.gz" if packed else "uri-gin/azgs/wells.xlsx",
        gzip.compress(content) if packed else content,
    )

    held = steward.values(WELL) or {}
    assert report.refused == {(4,): [("location", "value_error")], (6,): [("identifier", "folder")]}
    assert [each.lines for each in report.verdicts if each.verdict == "registered"] == [(2, 5)]
    assert (held["title"], held["properties"]) == ({"": "Huérfano"}, {"depth": "90"})
    assert "form text/html   1997-06-01" in held["representations"]


def test_the_refused_rows_of_a_spreadsheet_come_back_as_csv() -> None:
    steward = settled()
    rows = [["id", "title", "location"], [WELL, "Well"], [f"{WELL}2", 'Huérfano, "deep"\nor not', "htp://a"]]

    report = steward.upload("uri-gin/azgs/wells.xlsx", written(rows))

    assert report.whole["refused_lines"] == "uri-gin/azgs/wells.xlsx/v3.refused.csv"
    assert report.refused_lines is not None
    corrected = report.refused_lines.replace(b"htp://a", b"https://a.example/")
    assert corrected.decode("utf-8-sig").startswith("id,title,location\r\n")
    assert steward.upload(TABLE, corrected).counts == {"registered": 1}
    assert (steward.values(f"{WELL}2") or {})["title"] == {"": 'Huérfano, "deep" or not'}


def test_a_row_that_is_too_long_is_refused_alone() -> None:
    cell = '<row><c t="inlineStr"><is><t>{}</t></is></c><c t="inlineStr"><is><t>{}</t></is></c></row>'
    rows = (("id", "title"), (WELL, "x" * 2_000_000), (f"{WELL}2", "Well"))

    report = settled().upload("uri-gin/azgs/wells.xlsx", made("".join(cell.format(*each) for each in rows)))

    assert report.refused == {(2,): [("", "CSV")]}
    assert report.counts == {"registered": 1, "refused": 1}


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"id,title\n", "xlsx"),
        (written([["id"], ["=1+1"]]), "formula"),
        (made(f"<row>{'<c/>' * 20_000_000}</row>"), "size"),
        (made(), "empty"),
    ],
)
def test_an_unreadable_spreadsheet_is_refused_as_a_whole(content: bytes, rule: str) -> None:
    told, _ = _whole(settled(), "uri-gin/azgs/wells.xlsx", content)

    assert told == rule


# A wrong encoding.


def test_a_wrong_encoding_is_reported_once_for_the_file() -> None:
    steward = settled()
    rows = "".join(f"{WELL}{number},Huérfano {number}\n" for number in range(2_000))
    table = f"id,title\n{GOOD},Good\n{rows}".encode("windows-1252")

    report = steward.upload(TABLE, table)

    [(lines, broken)] = report.refused.items()
    [finding] = report.verdicts[-1].findings
    assert (report.counts, lines, broken) == (
        {"registered": 1, "refused": 1},
        tuple(range(3, 2_003)),
        [("title", "UTF-8")],
    )
    assert "2,000 lines" in finding["message"]
    assert "in Windows-1252 it would be 'Huérfano 0'" in finding["message"]
    assert "CSV UTF-8" in finding["message"]
    assert report.refused_lines == table.replace(f"{GOOD},Good\n".encode(), b"")


def test_json_lines_in_a_wrong_encoding_are_reported_once() -> None:
    lines = "".join(line(f"{WELL}{number}", title="Huérfano") for number in range(3))

    report = settled().upload(LINES, lines.encode("windows-1252"))

    assert report.refused == {(1, 2, 3): [("", "UTF-8")]}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("key", [LINES, TABLE])
def test_a_file_in_its_declared_encoding_is_read(key: str, encoding: str) -> None:
    steward = settled()
    content = line(WELL, title="Huérfano") if key == LINES else f"id,title\n{WELL},Huérfano\n-,x\n"
    mark = "\ufeff" if encoding == "utf-16-be" else ""

    report = steward.upload(key, (mark + content).encode(encoding))

    assert report.counts["registered"] == 1
    assert (steward.values(WELL) or {})["title"] == {"": "Huérfano"}
    assert report.refused_lines == (None if key == LINES else "\ufeffid,title\n-,x\n".encode())


@pytest.mark.parametrize("key", [LINES, TABLE, f"{TABLE}.gz"])
@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("id,title\n".encode("utf-16-le"), "UTF-8"),
        ("id,title\n".encode("utf-32"), "UTF-8"),
        (gzip.compress(b"id,title\n"), "UTF-8"),
        ("id,title\n".encode("utf-16")[:-1], "UTF-16"),
        ("id,title\n".encode("utf-16") + b"\x00\xd8\x00\x00", "UTF-16"),
    ],
    ids=["UTF-16 without a mark", "UTF-32", "gzip by another name", "half a character", "half a pair"],
)
def test_a_binary_file_is_refused_as_a_whole(key: str, content: bytes, rule: str) -> None:
    packed = gzip.compress(content) if key.endswith(".gz") else content

    told, message = _whole(settled(), key, packed)

    assert told == rule
    assert "CSV UTF-8" in message


# Limits of a record.


def test_a_record_has_at_most_64_kilobytes() -> None:
    steward = settled()

    report = steward.upload(
        LINES, line(WELL, description="x" * 63_000) + line(f"{WELL}2", description="x" * 64_000)
    )

    assert report.refused == {(2,): [("", "size")]}
    assert "64,000 are allowed" in report.verdicts[1].findings[0]["message"]


def test_a_record_keeps_its_limit_over_many_uploads() -> None:
    steward = settled()
    counts = [
        steward.upload(LINES, line(WELL, properties={f"p{number}": "x" * 20_000})).counts
        for number in range(4)
    ]

    assert counts == [{"registered": 1}, {"changed": 1}, {"changed": 1}, {"refused": 1}]
    assert "p2" in str(steward.values(WELL))


def test_cleared_fields_count_towards_the_size_of_a_record() -> None:
    cleared = {f"property {number}": None for number in range(10_000)}

    report = settled().upload(LINES, line(WELL, properties=cleared))

    assert report.refused == {(1,): [("", "size")]}


def test_representations_are_counted_with_those_already_registered() -> None:
    steward = settled()
    forms = [{"part": f".{number}", "location": "https://a.example/"} for number in range(201)]

    report = steward.upload(
        LINES, line(WELL, representations=forms[:200]) + line(f"{WELL}2", representations=forms)
    )
    again = steward.upload(LINES, line(WELL, representations=forms[200:]))

    assert report.refused == {(2,): [("representations", "size")]}
    assert again.refused == {(1,): [("representations", "size")]}


# The largest record of the registry.


def _overfull() -> Steward:
    """Return a steward with a record that files with long names made as large as the table allows."""
    steward = settled(MemoryRegistry(most_item_bytes=15_000))
    for number in range(15):
        key = f"uri-gin/azgs/{number:03d}{'n' * 700}.jsonl"
        report = steward.upload(key, line(f"{WELL}1", properties={f"p{number}": "x"}))
        assert "refused" not in report.counts
    return steward


def test_a_line_that_makes_its_record_too_large_is_refused_alone() -> None:
    steward = _overfull()
    text = "".join(line(f"{WELL}{n}", properties={f"q{p}": "y" * 300 for p in range(20)}) for n in (1, 2))

    preview = steward.try_out(LINES, text)
    report = steward.upload(LINES, text)

    assert preview.refused == report.refused == {(1,): [("", "size")]}
    assert report.counts == {"refused": 1, "registered": 1}
    assert "file with a shorter name" in report.verdicts[0].findings[-1]["message"]
    assert len((steward.values(f"{WELL}1") or {})["properties"]) == 15


def test_one_file_may_restate_a_record_of_the_largest_size() -> None:
    steward = _overfull()
    properties = {f"p{number}": "another" for number in range(15)}

    report = steward.upload(LINES, line(f"{WELL}1", properties=properties))

    assert report.counts == {"changed": 1}
