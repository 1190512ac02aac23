"""A steward's files against the running stack: large ones, bad ones, one whose ingest is killed half-way."""

from __future__ import annotations

import gzip
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.files.reports.report import Upload
from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import read_record, write_values
from infra.local.coordinates import published
from infra.local.stack import Stack
from tests.spreadsheets import written
from tests.steward import Steward
from tests.terminal import at_a_terminal

ROWS = 330
WIDE = "Cochise" * 2_000
"""A cell with which the rows fill more than one chunk."""
HEADING = "identifier,title,media_type,location,properties.county\n"
AUTHORITY = '{"record": "authority", "identifier": "uri-gin/algs/", "title": "Alabama Geological Survey"}'
TYPE = '{"record": "resource-type", "identifier": "uri-gin/algs/well/", "title": "Well"}'
BAD_EVERY, TWICE_EVERY = 100, 50
SECONDS = 120


def _table() -> str:
    """Write more than one part: every 100th line is bad, the one after every 50th has its second form."""
    lines = [HEADING]
    for number in range(2, ROWS + 1):
        owner = number - 1 if number % TWICE_EVERY == 1 else number
        title = f"Well {owner}"
        form = "text/csv" if owner != number else "text/html"
        scheme = "htp" if number % BAD_EVERY == 0 else "https"
        lines.append(f"uri-gin/algs/well/{owner}/,{title},{form},{scheme}://example.org/{number},{WIDE}\n")
    return "".join(lines)


def _put(stack: Stack, key: str, content: str) -> str:
    version = stack.client("s3").put_object(Bucket=stack.uploads_bucket, Key=key, Body=content.encode())
    return f"{key}/{version['VersionId']}.json"


def _wait_for(what: Callable[[], Any], seconds: float = SECONDS) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)
    return found


def _report(stack: Stack, key: str) -> dict[str, Any]:
    s3 = stack.client("s3")

    def read() -> bytes | None:
        try:
            return s3.get_object(Bucket=stack.reports_bucket, Key=key)["Body"].read()
        except s3.exceptions.NoSuchKey:
            return None

    report: dict[str, Any] = json.loads(_wait_for(read))
    return report


def _names() -> list[str]:
    return list(dict.fromkeys(line.partition(",")[0] for line in _table().splitlines()[1:]))


def _records(stack: Stack) -> dict[str, tuple[str, Record]]:
    """Read the body and every field with its stamp, whatever the revision."""
    client, names, records = stack.client("dynamodb"), _names(), {}
    for start in range(0, len(names), 100):
        keys: Any = [
            {"identifier": {"S": name}, "version": {"S": "now"}} for name in names[start : start + 100]
        ]
        read = client.batch_get_item(RequestItems={stack.registry_table: {"Keys": keys}})
        for item in read["Responses"][stack.registry_table]:
            name, body, stamps = (item[field]["S"] for field in ("identifier", "body", "stamps"))
            records[name] = body, read_record(name, body, stamps, 0)
    return records


def _expected(steward: Steward) -> dict[str, tuple[str, Record]]:
    read = steward.registry.read(_names())
    return {
        name: (write_values(record.values()), replace(record, revision=0)) for name, record in read.items()
    }


def _is_there(stack: Stack, identifier: str) -> bool:
    key: Any = {"identifier": {"S": identifier}, "version": {"S": "now"}}
    return "Item" in stack.client("dynamodb").get_item(TableName=stack.registry_table, Key=key)


@pytest.fixture(scope="module")
def killed(stack: Stack) -> dict[str, Any]:
    """Upload the large table, kill the function half-way, and return the final report."""
    _report(stack, _put(stack, "uri-gin/algs/1-types.jsonl", TYPE))
    key = _put(stack, "uri-gin/algs/wells.csv", _table())
    sample = [f"uri-gin/algs/well/{number}/" for number in range(2, ROWS, ROWS // 50)]
    _wait_for(lambda: any(_is_there(stack, name) for name in sample))
    stack.kill("IngestFunction")
    assert not all(_is_there(stack, name) for name in sample)
    return _report(stack, key)


def _deliveries(stack: Stack, version: str) -> list[str]:
    told = [each for source in stack.sources for each in source.deliveries if version in each.body]
    return ["killed" if each.failure else "taken in" for each in told]


@pytest.fixture(scope="module")
def undisturbed(killed: dict[str, Any]) -> Steward:
    """Return a steward in memory who ingested the same table undisturbed."""
    steward = Steward()
    steward.upload("_host/authorities.jsonl", AUTHORITY)
    steward.upload("uri-gin/algs/1-types.jsonl", TYPE)
    upload = _as_put(killed)
    steward.files.uploads[upload.key, upload.version] = _table().encode()
    steward.deliver(upload)
    steward.work_off()
    return steward


def _as_put(report: dict[str, Any]) -> Upload:
    return Upload(**report["upload"], identity=report["identity"])


def _refused(report: dict[str, Any]) -> list[list[int]]:
    return [verdict["lines"] for verdict in report["verdicts"] if verdict["verdict"] == "refused"]


def test_a_table_cut_into_parts_gets_a_correct_report(killed: dict[str, Any]) -> None:
    bad = [
        [number, number + 1] if number % TWICE_EVERY == 0 and number < ROWS else [number]
        for number in range(BAD_EVERY, ROWS + 1, BAD_EVERY)
    ]

    told = [number for verdict in killed["verdicts"] for number in verdict["lines"]]
    assert _refused(killed) == bad
    assert sorted(told) == list(range(2, ROWS + 1))
    assert killed["counts"] == {
        "registered": len(_names()) - len(bad),
        "changed": 0,
        "unchanged": 0,
        "refused": len(bad),
        "warned": 0,
    }


def test_an_ingest_killed_half_way_completes_on_the_next_delivery(
    stack: Stack, killed: dict[str, Any], undisturbed: Steward
) -> None:
    held, expected = _records(stack), _expected(undisturbed)

    deliveries = _deliveries(stack, killed["upload"]["version"])
    assert deliveries.count("killed") == 1
    assert deliveries.index("killed") < len(deliveries) - 1
    assert deliveries.count("taken in") > 2  # the upload, and more than one part
    assert len(held) == killed["counts"]["registered"]
    assert held == expected
    assert undisturbed.report(_as_put(killed)).whole == killed


@pytest.fixture
def coordinates(stack: Stack, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Return the environment in which the command finds the stack."""
    where = tmp_path / "stack.json"
    with published(stack, where):
        yield {**os.environ, "GINURI_LOCAL_STACK": str(where), "GINURI_STACK": ""}


def _upload(file: Path, environment: dict[str, str], *options: str) -> Result:
    arguments = ["upload", str(file), "--under", "uri-gin/azgs/", *options]
    return CliRunner().invoke(main, arguments, env=environment, prog_name="ginuri")


BAD = (
    b"identifier,title,status,location\n"
    b"uri-gin/azgs/doc/bad/1,First,,https://example.org/1\n"
    b"uri-gin/azgs/doc/bad/2,A wrong status,deleted,https://example.org/2\n"
    b"uri-gin/usgin/doc/bad/3,Another authority,,https://example.org/3\n"
    b"uri-gin/azgs/doc/bad/4,A bad URL,,htp:/example.org/4\n"
    b"uri-gin/azgs/doc/bad/5,Not \xff UTF-8,,https://example.org/5\n"
    b"uri-gin/azgs/doc/bad/6," + b"x" * 2_000_000 + b",,https://example.org/6\n"
    b"uri-gin/azgs/doc/bad/7,One title,,https://example.org/7\n"
    b"uri-gin/azgs/doc/bad/7,Another title,,https://example.org/7\n"
    b"uri-gin/azgs/doc/bad/8,A missing cell,\n"
    b'uri-gin/azgs/doc/bad/9,"A quote that stays open,,https://example.org/9\n'
    b"uri-gin/azgs/doc/bad/10,Last,,https://example.org/10\n"
)


def test_a_bad_table_gets_verdicts_by_line_and_keeps_its_good_lines(
    stack: Stack, coordinates: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "bad.csv").write_bytes(BAD)

    whole = _upload(tmp_path / "bad.csv", coordinates, "--json")

    report = json.loads(whole.stdout)
    assert whole.exit_code == 1
    assert _refused(report) == [[3], [4], [5], [6], [7], [8, 9], [11]]
    assert report["counts"]["registered"] == 3
    assert [_is_there(stack, f"uri-gin/azgs/doc/bad/{number}") for number in range(1, 11)] == [
        number in {1, 8, 10} for number in range(1, 11)
    ]


def test_refused_lines_are_printed_and_can_be_downloaded(coordinates: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_bytes(BAD)

    told = _upload(tmp_path / "bad.csv", coordinates)

    [command] = [line.partition(": ")[2] for line in told.stdout.splitlines() if ": ginuri refused " in line]
    downloaded = tmp_path / "refused.csv"
    arguments = [*shlex.split(command)[1:], "--output", str(downloaded)]
    CliRunner().invoke(main, arguments, env=coordinates, prog_name="ginuri", catch_exceptions=False)
    refused = downloaded.read_bytes()
    assert told.exit_code == 1
    assert "line 3, column status: refused: deleted → retired: " in told.stdout
    assert "line 9, column title: refused" in told.stdout
    assert refused == b"".join(
        line
        for number, line in enumerate(BAD.splitlines(keepends=True), start=1)
        if number not in {2, 10, 12}
    )


def test_a_table_without_identifiers_is_not_uploaded(coordinates: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "wells.csv").write_text("title,location\nWell,https://example.org/\nWell,\n")

    told = _upload(tmp_path / "wells.csv", coordinates)

    assert told.exit_code == 2
    assert "None of the columns has identifiers: 'title', 'location'." in told.stderr
    assert '--map "identifier=…"' in told.stderr


def test_a_missing_stored_file_is_reported_and_an_existing_one_served(
    stack: Stack, coordinates: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "page 1.html").write_text("<p>One")
    (tmp_path / "pages.jsonl").write_text(
        '{"identifier": "uri-gin/azgs/doc/page1", "title": "1", "representations": [{"part": ".html", '
        '"media_type": "text/html", "file": "page 1.html"}]}\n'
        '{"identifier": "uri-gin/azgs/doc/page2", "title": "2", "representations": [{"part": ".html", '
        '"media_type": "text/html", "file": "page 2.html"}]}\n'
    )

    stored = _upload(tmp_path / "page 1.html", coordinates)
    told = _upload(tmp_path / "pages.jsonl", coordinates)

    assert (stored.exit_code, told.exit_code) == (0, 1)
    assert "uri-gin/azgs/page 1.html is stored" in stored.stdout
    assert "line 2, column file: refused (page 2.html)" in told.stdout
    assert _is_there(stack, "uri-gin/azgs/doc/page1")
    assert not _is_there(stack, "uri-gin/azgs/doc/page2")


def test_a_valid_file_exits_with_0(coordinates: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "good.csv").write_text("id,target\nuri-gin/azgs/doc/good/1,https://example.org/\n")

    first, again = (_upload(tmp_path / "good.csv", coordinates) for _ in range(2))

    assert (first.exit_code, again.exit_code) == (0, 0)
    assert "1 registered" in first.stdout
    assert "1 unchanged" in again.stdout


def test_a_dry_run_precedes_the_upload_of_a_file(
    stack: Stack, coordinates: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "types.jsonl").write_text(
        '{"record": "resource-type", "identifier": "uri-gin/azgs/look/", "title": "Look"}\n'
        '{"identifier": "uri-gin/azgs/look/1/", "title": "One", "location": "https://example.org/1"}\n'
    )
    ginuri = Path(sys.executable).with_name("ginuri")
    command = [str(ginuri), "upload", str(tmp_path / "types.jsonl"), "--under", "uri-gin/azgs/"]

    tried = _upload(tmp_path / "types.jsonl", coordinates, "--dry-run")
    was_there = _is_there(stack, "uri-gin/azgs/look/1/")
    declined, _ = at_a_terminal(command, coordinates, "n")
    accepted, _ = at_a_terminal(command, coordinates, "y")
    is_there = _is_there(stack, "uri-gin/azgs/look/1/")
    (tmp_path / "types.jsonl").write_text(
        '{"identifier": "uri-gin/azgs/look/1/", "title": "Uno", "status": "retired"}\n'
    )
    _, seen = at_a_terminal(command, coordinates, "n")

    assert (tried.exit_code, declined, accepted) == (0, 1, 0)
    assert "dry run: 2 identifiers in 2 rows: 2 registered" in tried.stdout
    assert (was_there, is_there) == (False, True)
    assert "uri-gin/azgs/look/1/: status: valid → retired\n" in seen
    assert "uri-gin/azgs/look/1/: title: One → Uno\n" in seen


def test_a_compressed_table_is_uploaded_like_any_other(
    stack: Stack, coordinates: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(BAD.replace(b"/bad/", b"/packed/")))

    told = _upload(tmp_path / "packed.csv.gz", coordinates, "--json")

    report = json.loads(told.stdout)
    assert report["counts"]["registered"] == 3
    assert report["refused_lines"].endswith(".refused.csv")
    assert _is_there(stack, "uri-gin/azgs/doc/packed/10")


def test_a_spreadsheet_is_uploaded_and_its_refused_rows_returned_as_csv(
    stack: Stack, coordinates: dict[str, str], tmp_path: Path
) -> None:
    rows = [
        ["id", "title", "url"],
        ["uri-gin/azgs/doc/sheet/1", "First", "https://example.org/1"],
        ["x", "y"],
    ]
    (tmp_path / "sheet.xlsx").write_bytes(written(rows))

    told = _upload(tmp_path / "sheet.xlsx", coordinates, "--json")

    report = json.loads(told.stdout)
    assert (_refused(report), report["counts"]["registered"]) == ([[3]], 1)
    assert report["refused_lines"].endswith(".refused.csv")
    assert _is_there(stack, "uri-gin/azgs/doc/sheet/1")
