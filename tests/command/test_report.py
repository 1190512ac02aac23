"""`ginuri report` and `ginuri refused`: the results of an upload, fetched from a stack at any time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.files.options import UploadOptions
from ginuri.files.reports.progress import UploadProgress, progress_key, write_progress
from ginuri.files.reports.report import (
    Upload,
    count,
    page_key,
    refused_key,
    report_key,
    write_report,
    write_unfinished,
)
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.summary import Uploader, summarize, summary_key, write_summary
from ginuri.registration.verdicts import Outcome, Verdict, refuse
from tests.aws import new_bucket
from tests.builders import MAP

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PUT = "2011-08-25T17:29:00.123Z"
WELLS = "uri-gin/azgs/wells.csv"
REFUSED = b"identifier,status\nuri-gin/azgs/a,gone\n"
BAD = Verdict(Outcome.REFUSED, (2,), MAP, (refuse("status", "status", "gone", "Unknown."),))
GOOD = Verdict(Outcome.REGISTERED, (3,), MAP)


JANE = Uploader("AROAEXAMPLE:api", "mailto:jane@example.org", "ab" * 32)


@dataclass
class _Stack:
    s3: S3Client
    environment: dict[str, str]

    def put(self, key: str = WELLS) -> str:
        return self.s3.put_object(Bucket="handed", Key=key, Body=b"x")["VersionId"]

    def report(self, version: str, *verdicts: Verdict, is_dry_run: bool = False) -> None:
        upload, options = Upload("handed", WELLS, version, PUT), UploadOptions(is_dry_run=is_dry_run)
        counts, scope = count(verdicts), ReportScope(len(verdicts), len(verdicts))
        refused = refused_key(WELLS, version) if counts["refused"] else None
        self.write(
            report_key(WELLS, version),
            b"".join(write_report(upload, options, verdicts, counts, scope, refused, uploader=JANE)),
        )
        self.write(summary_key(WELLS, version), write_summary(summarize(PUT, counts, options, scope)))
        if refused:
            self.write(refused, REFUSED)

    def write(self, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket="told", Key=key, Body=body)

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env=self.environment, prog_name="ginuri")


@pytest.fixture
def stack(endpoint: str, tmp_path: Path) -> Iterator[_Stack]:
    session = boto3.Session("testing", "testing", region_name="us-east-1")
    s3 = session.client("s3", endpoint_url=endpoint)
    for bucket in ("handed", "told"):
        new_bucket(s3, bucket)
    described = {
        "service": "http://127.0.0.1:8000",
        "endpoint": endpoint,
        "region": "us-east-1",
        "access_key": "testing",
        "secret_key": "testing",
        "uploads_bucket": "handed",
        "reports_bucket": "told",
    }
    where = tmp_path / "stack.json"
    where.write_text(json.dumps(described))
    yield _Stack(s3, {LOCAL_STACK_VARIABLE: str(where), "GINURI_STACK": ""})
    for bucket in ("handed", "told"):
        for stored in s3.list_object_versions(Bucket=bucket).get("Versions", []):
            s3.delete_object(Bucket=bucket, Key=stored["Key"], VersionId=stored["VersionId"])
        s3.delete_bucket(Bucket=bucket)
    s3.close()


def test_the_report_on_the_newest_version_is_printed(stack: _Stack) -> None:
    stack.report(stack.put(), GOOD)
    stack.report(stack.put(), BAD, GOOD)
    stack.put(f"{WELLS}.gz")

    result = stack.run("report", WELLS)

    assert result.exit_code == 1
    assert "2 identifiers in 2 rows: 1 refused, 1 registered" in result.stdout
    assert "  line 2: refused: status (gone): Unknown." in result.stdout
    assert result.stdout.splitlines()[-1] == "  by jane@example.org"


def test_the_report_and_the_refused_rows_are_those_of_the_last_attempt(stack: _Stack) -> None:
    version = stack.put()
    stack.report(version, GOOD)
    stack.report(f"{version}.2", GOOD)
    stack.report(f"{version}.3", BAD, GOOD)

    report, refused = stack.run("report", WELLS), stack.run("refused", WELLS)

    assert (report.exit_code, "1 refused" in report.output) == (1, True)
    assert (refused.exit_code, refused.stdout_bytes) == (0, REFUSED)


def test_another_version_is_named_by_number_or_by_report_address(stack: _Stack) -> None:
    version = stack.put()
    stack.report(version, GOOD)
    stack.report(stack.put(), BAD)
    address = f"http://127.0.0.1:8000/reports/{WELLS}{page_key('', version, 'es')}"

    results = [stack.run("report", name) for name in (f"{WELLS}#{version}", address)]

    assert [result.exit_code for result in results] == [0, 0]
    assert all("1 identifier in 1 row: 1 registered" in result.stdout for result in results)


def test_the_report_on_a_dry_run_is_marked_as_one(stack: _Stack) -> None:
    stack.report(stack.put(), GOOD, is_dry_run=True)

    assert ", dry run: 1 identifier in 1 row" in stack.run("report", WELLS).stdout


def test_a_program_gets_the_unchanged_report(stack: _Stack) -> None:
    version = stack.put()
    stack.report(version, GOOD)

    report = json.loads(stack.run("report", WELLS, "--json").stdout)

    assert (report["upload"]["version"], report["is_complete"]) == (version, True)


@pytest.mark.parametrize(
    ("progress", "sentence"),
    [
        (None, "There is no report on {upload} yet."),
        (
            write_progress(UploadProgress(13.4, 1_200, 9_000, seconds_left=41)),
            "{upload} is being processed: 13 % done, 1,200 of 9,000 rows, about 41 s left.",
        ),
        (
            write_progress(UploadProgress(waits_for=("uri-gin/azgs/", "uri-gin/azgs/doc/"))),
            "{upload} waits until these are registered: uri-gin/azgs/, uri-gin/azgs/doc/",
        ),
    ],
)
def test_before_the_report_the_progress_is_printed(
    stack: _Stack, progress: bytes | None, sentence: str
) -> None:
    version = stack.put()
    if progress:
        stack.write(progress_key(WELLS, version), progress)

    result, machine = stack.run("report", WELLS), stack.run("report", WELLS, "--json")

    assert (result.exit_code, machine.exit_code) == (2, 2)
    assert result.stdout == f"{sentence.format(upload=f'{WELLS}#{version}')}\n"
    assert json.loads(machine.stdout) == {
        "upload": {"key": WELLS, "version": version},
        "is_complete": False,
        "progress": json.loads(progress) if progress else None,
    }


def test_an_abandoned_upload_names_the_command_that_finishes_it(stack: _Stack) -> None:
    version = stack.put()
    upload = Upload("handed", WELLS, version, PUT)
    stack.write(report_key(WELLS, version), write_unfinished(upload, "part 1", 5, "the table is away"))

    result, machine = stack.run("report", WELLS), stack.run("report", WELLS, "--json")

    assert (result.exit_code, machine.exit_code) == (2, 2)
    assert "ginuri redrive" in " ".join(result.stderr.split())
    assert json.loads(machine.stdout)["unfinished"]["part"] == "part 1"


def test_refused_rows_are_written_to_a_file_or_to_standard_output(stack: _Stack, tmp_path: Path) -> None:
    stack.report(stack.put(), BAD, GOOD)
    file = tmp_path / "again.csv"

    result, written = stack.run("refused", WELLS), stack.run("refused", WELLS, "--output", str(file))

    assert (result.exit_code, result.stdout_bytes) == (0, REFUSED)
    assert (written.exit_code, written.stdout, file.read_bytes()) == (0, "", REFUSED)
    assert f"ginuri upload {file} --under uri-gin/azgs/" in written.stderr


def test_an_upload_without_refused_rows_exits_with_1(stack: _Stack) -> None:
    stack.report(stack.put(), GOOD)

    result = stack.run("refused", WELLS)

    assert (result.exit_code, result.stdout) == (1, "")
    assert "There are no refused rows of" in result.stderr


def test_refused_rows_are_missing_before_the_report_exists(stack: _Stack) -> None:
    stack.put()

    assert stack.run("refused", WELLS).exit_code == 2


@pytest.mark.parametrize("command", ["report", "refused"])
def test_a_file_never_uploaded_has_no_report(stack: _Stack, command: str) -> None:
    result = stack.run(command, WELLS)

    assert result.exit_code == 2
    assert f"Nothing was uploaded as {WELLS}." in result.stderr


@pytest.mark.parametrize("name", ["wells.csv", "uri-gin/azgs/", "https://example.org/wells.csv"])
def test_an_invalid_upload_name_is_reported(stack: _Stack, name: str) -> None:
    result = stack.run("report", name)

    assert result.exit_code == 2
    assert "Write the upload as uri-gin/azgs/wells.csv" in " ".join(result.stderr.split())


@pytest.mark.parametrize("command", ["report", "refused"])
def test_a_report_from_a_missing_bucket_exits_2(stack: _Stack, command: str) -> None:
    where = Path(stack.environment[LOCAL_STACK_VARIABLE])
    where.write_text(where.read_text().replace("handed", "nowhere"))

    assert stack.run(command, WELLS).exit_code == 2
