"""A text in a code page is registered as people wrote it, once the upload states the code page."""

from __future__ import annotations

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.ingest.collaborators import Limits
from tests.steward import LINES, TABLE, settled

STATED = write_options(UploadOptions(encoding="Windows-1252"))


@pytest.mark.parametrize(
    ("key", "content"),
    [
        (TABLE, "identifier;title\r\nuri-gin/azgs/doc/1;Übersicht\r\nuri-gin/azgs/doc/ 2;Größe\r\n"),
        (
            LINES,
            (
                '{"identifier": "uri-gin/azgs/doc/1", "title": "Übersicht"}\n\n'
                '{"identifier": "uri-gin/azgs/doc/ 2", "title": "Größe"}\n'
            ),
        ),
    ],
)
def test_refused_rows_are_in_the_code_page_of_the_file(key: str, content: str) -> None:
    steward = settled()
    steward.limits = Limits(cut_seconds=0, chunk_rows=1, task_rows=1)

    report = steward.upload(key, content.encode("cp1252"), **STATED)

    assert steward.values("uri-gin/azgs/doc/1") == {"title": {"": "Übersicht"}}
    assert report.refused == {(3,): [("identifier", "pchar")]}
    assert report.refused_lines is not None
    refused = report.refused_lines.decode("cp1252")
    assert refused.endswith(content.splitlines(keepends=True)[-1])
    assert "Übersicht" not in refused


def test_a_byte_that_is_no_character_is_refused_in_its_cell() -> None:
    table = b"identifier,title\nuri-gin/azgs/doc/1,\xdcbersicht\nuri-gin/azgs/doc/2,\x81\xfc\n"

    report = settled().upload(TABLE, table, **STATED)

    [finding] = report.verdicts[-1].findings
    assert (report.refused, finding["column"]) == ({(3,): [("title", "UTF-8")]}, "title")
    assert report.refused_lines == b"identifier,title\nuri-gin/azgs/doc/2,\x81\xfc\n"


@pytest.mark.parametrize(
    ("key", "encoding", "message"),
    [
        (TABLE, "klingon", "There is no code page 'klingon' in the list: utf-8, windows-1250, "),
        ("uri-gin/azgs/x.xlsx", "cp437", "Only a text has a code page (.csv, .tsv, .jsonl"),
        ("uri-gin/azgs/x.ttl", "cp437", "Only a text has a code page (.csv, .tsv, .jsonl"),
    ],
)
def test_a_wrong_code_page_refuses_the_file(key: str, encoding: str, message: str) -> None:
    report = settled().upload(key, "x", **write_options(UploadOptions(encoding=encoding)))

    [[finding]] = [verdict.findings for verdict in report.verdicts]
    assert (report.counts, finding["rule"]) == ({"refused": 1}, "encoding")
    assert finding["message"].startswith(message)
