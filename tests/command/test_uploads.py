"""`ginuri uploads`: the uploads, the newest first, and their results."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload, page_key, report_key, write_unfinished
from ginuri.files.reports.summary import Uploader, summarize, summary_key, write_summary
from tests.aws import new_bucket

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PUT = "2011-08-25T17:29:00.123Z"
COUNTS = {"registered": 2, "changed": 0, "unchanged": 1, "refused": 0, "warned": 1}
WELLS, MAPS = "uri-gin/azgs/wells.csv", "uri-gin/usgin/maps (é).csv"


@dataclass
class _Stack:
    s3: S3Client
    environment: dict[str, str]

    def put(self, key: str, options: UploadOptions | None = None) -> str:
        return self.s3.put_object(
            Bucket="handed", Key=key, Body=b"x", Metadata=write_options(options or UploadOptions())
        )["VersionId"]

    def put_later(self, key: str) -> str:
        """Upload a file once another second has begun: S3 dates versions to the second."""
        time.sleep(1.01 - time.time() % 1)
        return self.put(key)

    def report(
        self, key: str, version: str, options: UploadOptions | None = None, *, is_stored: bool = False
    ) -> None:
        summary = summarize(PUT, COUNTS, options or UploadOptions(), is_stored=is_stored)
        if options and options.submitter:
            uploader = Uploader("AROAEXAMPLE:api", "mailto:jane@example.org", "ab" * 32)
            summary = replace(summary, uploader=uploader)
        self._write(summary_key(key, version), write_summary(summary))
        self._write(report_key(key, version), b"{}")

    def report_without_summary(self, key: str, version: str) -> None:
        self._write(report_key(key, version), b"{}")

    def _write(self, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket="told", Key=key, Body=body)

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["uploads", *arguments], env=self.environment, prog_name="ginuri")


@pytest.fixture
def stack(endpoint: str, tmp_path: Path) -> Iterator[_Stack]:
    session = boto3.Session("testing", "testing", region_name="us-east-1")
    s3 = session.client("s3", endpoint_url=endpoint)
    for bucket in ("handed", "told"):
        new_bucket(s3, bucket)
    where = tmp_path / "stack.json"
    told = {"service": "http://127.0.0.1:8000", "endpoint": endpoint, "region": "us-east-1"}
    access = {"access_key": "testing", "secret_key": "testing"}
    where.write_text(json.dumps({**told, **access, "uploads_bucket": "handed", "reports_bucket": "told"}))
    yield _Stack(s3, {LOCAL_STACK_VARIABLE: str(where), "GINURI_STACK": ""})
    for bucket in ("handed", "told"):
        for each in s3.list_object_versions(Bucket=bucket).get("Versions", []):
            s3.delete_object(Bucket=bucket, Key=each["Key"], VersionId=each["VersionId"])
        s3.delete_bucket(Bucket=bucket)
    s3.close()


def test_an_upload_is_listed_with_counts_submitter_and_reason(stack: _Stack) -> None:
    options = UploadOptions(submitter="Jané", reason="The new server")
    version = stack.put(MAPS, options)
    stack.report(MAPS, version, options)

    result = stack.run()

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{PUT}  {MAPS}#{version}",
        "  by jane@example.org, stated submitter: Jané: The new server",
        "  1 warned, 2 registered, 1 unchanged",
        "  to read: http://127.0.0.1:8000/reports/uri-gin/usgin/maps%20%28%C3%A9%29.csv/"
        + page_key("", version).removeprefix("/"),
    ]


def test_uploads_prints_json(stack: _Stack) -> None:
    version = stack.put(WELLS, UploadOptions(is_dry_run=True, reason="r"))
    stack.report(WELLS, version, UploadOptions(is_dry_run=True, reason="r"))

    result = stack.run("--json")

    assert json.loads(result.stdout) == {
        "put": PUT,
        "key": WELLS,
        "version": version,
        "identity": None,
        "principal": None,
        "token": None,
        "submitter": None,
        "reason": "r",
        "dry_run": True,
        "stored": False,
        "counts": COUNTS,
        "unfinished": None,
        "state": "complete",
        "report": f"s3://told/{report_key(WELLS, version)}",
    }


def test_every_version_is_an_upload_and_the_newest_is_first(stack: _Stack) -> None:
    versions = [stack.put(WELLS), stack.put_later(MAPS), stack.put_later(WELLS)]

    listed = [json.loads(line)["version"] for line in stack.run("--json").stdout.splitlines()]

    assert listed == versions[::-1]


def test_uploads_lists_the_last_uploads_of_one_folder(stack: _Stack) -> None:
    for key in (WELLS, MAPS, "uri-gin/azgs/older.csv"):
        stack.put(key)
    last = stack.put_later(WELLS)

    result = stack.run("--under", "http://resources.usgin.org/uri-gin/azgs", "--last", "1", "--json")

    assert [json.loads(line)["version"] for line in result.stdout.splitlines()] == [last]


def test_an_upload_without_a_report_is_listed_with_its_metadata(stack: _Stack) -> None:
    stack.put(WELLS, UploadOptions(is_dry_run=True, submitter="Jane"))

    result = stack.run()

    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == ["  stated submitter: Jane", "  dry run: no report yet"]
    assert json.loads(stack.run("--json").stdout)["report"] is None


def test_a_report_without_a_summary_is_not_considered_missing(stack: _Stack) -> None:
    stack.report_without_summary(WELLS, stack.put(WELLS))

    assert "  reported; the counts are in the report" in stack.run().stdout.splitlines()


def test_an_upload_with_an_error_report_is_listed_as_unfinished(stack: _Stack) -> None:
    version = stack.put(WELLS)
    body = write_unfinished(Upload("handed", WELLS, version, PUT), "part 1 of step 2", 5, "the table is away")
    stack.s3.put_object(Bucket="told", Key=report_key(WELLS, version), Body=body)

    told = stack.run().stdout

    way_out = (
        "A part of it (part 1 of step 2) failed 5 times and is kept: the table is away. Remove the cause, "
        "then run `ginuri redrive` to finish it."
    )
    assert told.splitlines()[1:] == [f"  not finished. {way_out}"]
    assert json.loads(stack.run("--json").stdout)["unfinished"]["part"] == "part 1 of step 2"


def test_an_upload_that_only_stores_a_file_is_listed_as_stored(stack: _Stack) -> None:
    stack.report("uri-gin/azgs/map.pdf", stack.put("uri-gin/azgs/map.pdf"), is_stored=True)

    assert stack.run().stdout.splitlines()[1:] == ["  stored, for registrations to name"]


def test_uploads_prints_no_control_characters(stack: _Stack) -> None:
    stack.put(WELLS, UploadOptions(reason="\x1b[2J"))

    assert "\x1b" not in stack.run().stdout


def test_a_folder_without_uploads_exits_with_1(stack: _Stack) -> None:
    result = stack.run("--under", "uri-gin/azgs/")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "Nothing was uploaded under uri-gin/azgs/." in result.stderr


def test_uploads_of_a_missing_bucket_exit_2(stack: _Stack) -> None:
    where = Path(stack.environment[LOCAL_STACK_VARIABLE])
    where.write_text(where.read_text().replace("handed", "nowhere"))

    assert stack.run().exit_code == 2
