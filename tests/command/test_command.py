"""The `ginuri` command: its output and its exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main
from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.files.options import UploadOptions, read_options
from ginuri.files.reports.progress import UploadProgress, progress_key, write_progress
from ginuri.files.reports.report import (
    Upload,
    count,
    report_key,
    write_report,
    write_stored,
)
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.summary import summary_key
from ginuri.registration.verdicts import Outcome, Verdict, refuse, warn
from ginuri.registry.record.differences import Difference, FieldChange
from infra.local.aws.clients import Account
from infra.local.aws.moto_server import MotoServer
from tests.aws import new_bucket
from tests.builders import MAP
from tests.snapshots import Snapshot
from tests.terminal import at_a_terminal

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_BUCKETS = ("uploads", "reports")
GOOD = Verdict(Outcome.REGISTERED, (2,), MAP)
BAD = Verdict(Outcome.REFUSED, (3, 7), MAP, (refuse("title", "one value", "Other", "rows must agree"),))
HEADING = Verdict(Outcome.WARNED, (1,), None, (warn("colour", "unknown column", "colour", "it is no field"),))


def _run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environment, prog_name="ginuri")


# ginuri parse


def test_parse_shows_the_parts_of_an_identifier() -> None:
    result = _run("parse", "http://resources.usgin.org/uri-gin/azgs/doc/map/DGM37/%41.pdf")

    assert result.exit_code == 0
    told = {line[:15].strip(): line[16:] for line in result.stdout.splitlines()}
    assert told == {
        "normal form": "uri-gin/azgs/doc/map/DGM37/A.pdf",
        "written": "uri-gin/azgs/doc/map/DGM37/%41.pdf",
        "host": "resources.usgin.org",
        "scheme": "uri-gin",
        "name authority": "azgs",
        "segments": "azgs / doc / map / DGM37 / A.pdf",
        "kind": "representation",
        "root": "uri-gin/",
        "ancestors": "uri-gin/  uri-gin/azgs/  uri-gin/azgs/doc/  uri-gin/azgs/doc/map/  "
        "uri-gin/azgs/doc/map/DGM37/",
        "folder": "uri-gin/azgs/",
        "cited by": "http://resources.usgin.org/uri-gin/azgs/doc/map/DGM37/A.pdf",
    }


def test_parse_prints_the_parts_as_json() -> None:
    result = _run("parse", "uri-gin/azgs/", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "normal_form": "uri-gin/azgs/",
        "written": "uri-gin/azgs/",
        "host": None,
        "scheme": "uri-gin",
        "name_authority": "azgs",
        "segments": ["azgs"],
        "kind": "thing",
        "root": "uri-gin/",
        "ancestors": ["uri-gin/"],
        "folder": "_host/",
        "cited_by": None,
    }


def test_parse_points_at_the_fault() -> None:
    result = _run("parse", "uri-gin/azgs//b")

    assert (result.exit_code, result.stdout) == (1, "")
    message, text, pointer = result.stderr.splitlines()
    assert "segment 3" in message
    assert text[pointer.index("^") :] == "/b"


def test_parse_reports_a_fault_as_json() -> None:
    result = _run("parse", "uri-gin/azgs//b", "--json")

    error = json.loads(result.stdout)["error"]
    assert (result.exit_code, result.stderr) == (1, "")
    assert (error["text"], error["segment"], error["position"]) == ("uri-gin/azgs//b", 3, 13)
    assert error["rule"]
    assert error["reason"]


def test_strict_follows_the_abnf_to_the_letter() -> None:
    lenient, strict = _run("parse", "uri-gin/azgs/a+b"), _run("parse", "uri-gin/azgs/a+b", "--strict")

    assert (lenient.exit_code, strict.exit_code) == (0, 1)
    assert "'+'" in strict.stderr


@pytest.mark.parametrize(
    "uri", ["mailto:maps@azgs.example", "", "uri-gin/azgs/\x1b[2J", "uri-gin/azgs/\udcff", "-"]
)
def test_parse_accepts_any_text_and_prints_no_control_characters(uri: str) -> None:
    result = _run("parse", "--", uri)

    assert result.exit_code == 1
    assert "\x1b" not in result.output


def test_parse_prints_where_a_well_known_name_resolves() -> None:
    told = json.loads(_run("parse", "--json", "DOI:10.1000/ABC").stdout)
    bare = _run("parse", "10.1000/182")

    assert told["known_as"] == "doi:10.1000/abc (Digital Object Identifiers)"
    assert told["resolves_at"] == "https://doi.org/10.1000/abc"
    assert bare.exit_code == 1
    assert "It looks like doi:10.1000/182 (Digital Object Identifiers)" in bare.stderr
    assert "https://doi.org/10.1000/182" in bare.stderr


def test_help_and_version_are_printed() -> None:
    assert _run("-h").exit_code == _run("upload", "--help").exit_code == 0
    assert "ginuri, version" in _run("--version").stdout


@pytest.mark.parametrize(
    "arguments", [[], ["parse"], ["parse", "a", "b"], ["upload"], ["dissolve"], ["parse", "--hard", "a"]]
)
def test_a_misused_command_exits_with_2(arguments: Sequence[str]) -> None:
    assert _run(*arguments).exit_code == 2


# ginuri upload


@dataclass
class _Stack:
    """The buckets of a stack in moto, and a clerk who answers every upload with a report."""

    s3: S3Client
    where: Path
    environment: dict[str, str]
    answers: list[Verdict] = field(default_factory=list)
    is_silent: bool = False
    _rung: threading.Event = field(default_factory=threading.Event)
    _gone: bool = False

    def clerk(self) -> None:
        """Write the report on each new version, whenever the bell rings; first its progress, then all."""
        told: set[str] = set()
        while self._rung.wait() and not self._gone:
            self._rung.clear()
            for each in self.s3.list_object_versions(Bucket="uploads").get("Versions", []):
                if each["VersionId"] not in told and not self.is_silent:
                    told.add(each["VersionId"])
                    self._report(
                        Upload("uploads", each["Key"], each["VersionId"], "2011-08-25T17:29:00.000Z")
                    )

    def _report(self, upload: Upload) -> None:
        self._write(progress_key(upload.key, upload.version), write_progress(UploadProgress(50, 1, 2)))
        refused = any(each.outcome is Outcome.REFUSED for each in self.answers)
        said = self.s3.head_object(Bucket="uploads", Key=upload.key, VersionId=upload.version)["Metadata"]
        where = "refused.csv" if refused else None
        pieces = write_report(
            upload, read_options(said), self.answers, count(self.answers), ReportScope(), where
        )
        report = b"".join(pieces)
        self._write(
            report_key(upload.key, upload.version),
            report if upload.key.endswith("csv") else write_stored(upload),
        )
        self._write(summary_key(upload.key, upload.version), b"{}")

    def _write(self, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket="reports", Key=key, Body=body)

    def said(self) -> list[dict[str, str]]:
        """Read the metadata of each upload, in order."""
        versions = reversed(self.s3.list_object_versions(Bucket="uploads").get("Versions", []))
        return [
            self.s3.head_object(Bucket="uploads", Key=each["Key"], VersionId=each["VersionId"])["Metadata"]
            for each in versions
        ]

    def ring(self) -> None:
        """Notify the clerk of an upload."""
        self._rung.set()

    def leave(self) -> None:
        """Stop the clerk."""
        self._gone = True
        self._rung.set()

    def uploaded(self) -> dict[str, bytes]:
        """Read the uploaded file."""
        listed = self.s3.list_objects_v2(Bucket="uploads").get("Contents", [])
        return {
            each["Key"]: self.s3.get_object(Bucket="uploads", Key=each["Key"])["Body"].read()
            for each in listed
        }


@pytest.fixture(scope="module")
def empty(account: Account, moto_server: MotoServer) -> Iterator[Snapshot]:
    """Return the empty buckets of a stack."""
    s3 = account.client("s3")
    for bucket in _BUCKETS:
        new_bucket(s3, bucket)
    account.client("sqs").create_queue(QueueName="uploads")
    moto_server.notifier.subscribe("uploads", "uploads")
    snapshot = Snapshot(buckets=_BUCKETS)
    yield snapshot
    snapshot.restore()
    for bucket in _BUCKETS:
        s3.delete_bucket(Bucket=bucket)


@pytest.fixture
def stack(account: Account, moto_server: MotoServer, empty: Snapshot, tmp_path: Path) -> Iterator[_Stack]:
    """Return a stack with a working clerk."""
    empty.restore()
    where = tmp_path / "stack.json"
    where.write_text(
        json.dumps(
            {
                "service": "http://127.0.0.1:8000",
                "endpoint": account.endpoint,
                "region": "us-east-1",
                "access_key": "testing",
                "secret_key": "testing",
                "uploads_bucket": "uploads",
                "reports_bucket": "reports",
            }
        )
    )
    made = _Stack(account.client("s3"), where, {LOCAL_STACK_VARIABLE: str(where), "GINURI_STACK": ""})
    stop_listening = moto_server.doorbell.listen(made.ring)
    clerk = threading.Thread(target=made.clerk)
    clerk.start()
    yield made
    made.leave()
    clerk.join()
    stop_listening()


@pytest.fixture
def table(tmp_path: Path) -> str:
    """Write a registry file."""
    file = tmp_path / "wells (é).csv"
    file.write_text(f"identifier,title\n{MAP},Map\n", encoding="utf-8")
    return str(file)


def test_upload_puts_the_file_into_the_folder_and_prints_the_report(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD]

    result = _run("upload", table, "--under", "uri-gin/azgs/", **stack.environment)

    assert result.exit_code == 0
    assert stack.uploaded() == {"uri-gin/azgs/wells (é).csv": Path(table).read_bytes()}
    assert (
        "uri-gin/azgs/wells (é).csv → the local stack at http://127.0.0.1:8000: 1 registered" in result.stdout
    )
    assert "s3://" not in result.stdout
    page = "to read: http://127.0.0.1:8000/reports/uri-gin/azgs/wells%20%28%C3%A9%29.csv/"
    assert re.search(f"^{re.escape(page)}[^/ ]+[.]html$", result.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("under", "folder"),
    [
        ("uri-gin/azgs", "uri-gin/azgs/"),
        ("http://resources.usgin.org/uri-gin/azgs/doc/", "uri-gin/azgs/doc/"),
        ("uri-gin/%41zgs/", "uri-gin/Azgs/"),
        ("_host/", "_host/"),
        ("_host", "_host/"),
    ],
)
@pytest.mark.untraced
def test_the_folder_may_be_given_in_several_spellings(
    stack: _Stack, table: str, under: str, folder: str
) -> None:
    result = _run("upload", table, "--under", under, **stack.environment)

    assert result.exit_code == 0
    assert list(stack.uploaded()) == [f"{folder}wells (é).csv"]


def test_upload_exits_with_1_and_names_the_refused_lines(stack: _Stack, table: str) -> None:
    stack.answers = [HEADING, GOOD, BAD]

    result = _run("upload", table, "--under", "uri-gin/azgs/", **stack.environment)

    assert result.exit_code == 1
    assert "lines 3, 7: refused: title (Other): rows must agree" in result.stdout
    assert "line 1: warned: colour (colour): it is no field" in result.stdout
    assert "to correct the refused rows: ginuri refused 'uri-gin/azgs/wells (é).csv#" in result.stdout


def test_many_lines_refused_together_are_printed_as_a_range(stack: _Stack, table: str) -> None:
    stack.answers = [
        Verdict(Outcome.REFUSED, range(2, 1_213), None, (refuse("title", "r", "v", "not UTF-8"),))
    ]

    result = _run("upload", table, "--under", "uri-gin/azgs/", **stack.environment)

    assert "lines 2–1212: refused" in result.stdout


def test_long_lists_of_refused_lines_are_cut_and_counted(stack: _Stack, table: str) -> None:
    stack.answers = [
        Verdict(Outcome.REFUSED, (number,), None, (refuse(f"field {number}", "r", "v", "m"),))
        for number in range(2, 200)
    ]

    result = _run("upload", table, "--under", "uri-gin/azgs/", **stack.environment)

    assert "198 refused" in result.stdout
    assert "… and 148 more" in result.stdout
    assert len(result.stdout.splitlines()) < 60


def test_a_reason_that_refuses_the_whole_upload_is_printed_once(stack: _Stack, table: str) -> None:
    many = refuse("", "many", 25, "25 of the identifiers would change; upload it again with --many")
    stopped = refuse("", "many", "", "Nothing of this upload was registered")
    difference = Difference((FieldChange("title", "Well", "Brunnen"),))
    stack.answers = [
        Verdict(Outcome.REFUSED, (), None, (many,)),
        *(
            Verdict(Outcome.REFUSED, (line,), f"uri-gin/azgs/{line}", (stopped,), difference)
            for line in (2, 3)
        ),
    ]

    told = _run("upload", table, "--under", "uri-gin/azgs/", **stack.environment).stdout

    assert "  the whole upload: refused (25): 25 of the identifiers would change" in told
    assert "  uri-gin/azgs/2: title: Well → Brunnen" in told
    assert "Nothing of this upload" not in told


def test_upload_prints_the_whole_report_as_json(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD, BAD]

    result = _run("upload", table, "--under", "uri-gin/azgs/", "--json", **stack.environment)

    report = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert (report["counts"]["registered"], report["counts"]["refused"]) == (1, 1)
    assert [each["lines"] for each in report["verdicts"]] == [[2], [3, 7]]


def test_a_file_of_another_kind_is_stored(stack: _Stack, tmp_path: Path) -> None:
    (tmp_path / "map.pdf").write_bytes(b"%PDF")

    result = _run("upload", str(tmp_path / "map.pdf"), "--under", "uri-gin/azgs/", **stack.environment)

    assert result.exit_code == 0
    assert "uri-gin/azgs/map.pdf is stored" in result.stdout


def test_upload_without_a_report_in_time_prints_where_it_will_be(stack: _Stack, table: str) -> None:
    stack.is_silent = True

    result = _run("upload", table, "--under", "uri-gin/azgs/", "--wait", "1", **stack.environment)

    assert result.exit_code == 2
    assert "http://127.0.0.1:8000/reports/uri-gin/azgs/wells%20%28%C3%A9%29.csv/" in result.stderr


@pytest.mark.parametrize("under", ["azgs", "mailto:maps/", "uri-gin/azgs//x/", "", "/"])
def test_an_invalid_folder_is_refused_before_the_upload_is_sent(
    stack: _Stack, table: str, under: str
) -> None:
    result = _run("upload", table, "--under", under, **stack.environment)

    assert result.exit_code == 2
    assert "--under" in result.stderr
    assert stack.uploaded() == {}


def test_a_missing_file_is_reported_as_missing(stack: _Stack, tmp_path: Path) -> None:
    result = _run("upload", str(tmp_path / "none.csv"), "--under", "uri-gin/azgs/", **stack.environment)

    assert result.exit_code == 2
    assert "none.csv" in result.stderr


def test_upload_without_a_stack_explains_how_to_get_one(table: str, tmp_path: Path) -> None:
    result = _run(
        "upload", table, "--under", "uri-gin/azgs/", **{LOCAL_STACK_VARIABLE: str(tmp_path / "none")}
    )

    assert result.exit_code == 2
    assert "make serve" in result.stderr
    assert "--stack" in result.stderr


@pytest.mark.parametrize("told", ["", "[]", "{}", '{"endpoint": 7}', "null"])
def test_the_leftover_file_of_another_program_is_no_stack(table: str, tmp_path: Path, told: str) -> None:
    (tmp_path / "stack.json").write_text(told)

    result = _run(
        "upload", table, "--under", "uri-gin/azgs/", **{LOCAL_STACK_VARIABLE: str(tmp_path / "stack.json")}
    )

    assert result.exit_code == 2
    assert "make serve" in result.stderr


def test_an_unreadable_report_is_reported_as_a_fault_of_the_stack(stack: _Stack, table: str) -> None:
    told = json.loads(stack.where.read_text())
    stack.where.write_text(json.dumps({**told, "reports_bucket": "nowhere"}))

    result = _run("upload", table, "--under", "uri-gin/azgs/", **stack.environment)

    assert result.exit_code == 2
    assert "NoSuchBucket" in result.stderr


@pytest.fixture
def aws(stack: _Stack, endpoint: str) -> dict[str, str]:
    """Return the environment in which moto is AWS."""
    return {
        **stack.environment,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }


def _deploy(account: Account, name: str, outputs: dict[str, str]) -> None:
    template = {
        "Resources": {"Queue": {"Type": "AWS::SQS::Queue"}},
        "Outputs": {output: {"Value": value} for output, value in outputs.items()},
    }
    account.client("cloudformation").create_stack(StackName=name, TemplateBody=json.dumps(template))


@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_stack_in_aws_is_found_by_its_name(
    stack: _Stack, table: str, account: Account, aws: dict[str, str], how: str
) -> None:
    stack.answers = [GOOD]
    _deploy(account, f"ginuri-{how}", {"UploadsBucket": "uploads", "ReportsBucket": "reports"})
    named = ["--stack", f"ginuri-{how}"] if how == "option" else []

    result = _run(
        "upload", table, "--under", "uri-gin/azgs/", *named, **{**aws, "GINURI_STACK": f"ginuri-{how}"}
    )

    assert result.exit_code == 0
    assert f"→ the stack ginuri-{how}: 1 registered" in result.stdout
    assert re.search(
        r"^to read: ginuri report 'uri-gin/azgs/wells \(é\)\.csv#[^/]+'$", result.stdout, re.MULTILINE
    )


def test_a_stack_of_another_application_is_refused(table: str, account: Account, aws: dict[str, str]) -> None:
    _deploy(account, "shop", {"Orders": "orders"})

    result = _run("upload", table, "--under", "uri-gin/azgs/", "--stack", "shop", **aws)

    assert result.exit_code == 2
    assert "shop is not a stack of ginuri" in result.stderr


def test_a_stack_missing_in_aws_is_reported_as_missing(
    stack: _Stack, table: str, aws: dict[str, str]
) -> None:
    result = _run("upload", table, "--under", "uri-gin/azgs/", "--stack", "none", **aws)

    assert result.exit_code == 2
    assert "none" in result.stderr
    assert stack.uploaded() == {}


# ginuri upload: the preview

CHANGED = Verdict(
    Outcome.CHANGED,
    (4,),
    MAP,
    (),
    Difference(
        (
            FieldChange("title@de", None, "Karte" * 40),
            FieldChange("representations[a.pdf].status", "valid", "retired"),
            FieldChange("reason", "old", None),
        ),
        untold=2,
    ),
)


def test_a_dry_run_is_requested_by_metadata_and_prints_each_field(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD, CHANGED]

    result = _run("upload", table, "--under", "uri-gin/azgs/", "--dry-run", **stack.environment)

    assert result.exit_code == 0
    assert stack.said() == [{"dry-run": "true"}]
    first, *others, page = result.stdout.splitlines()
    assert "dry run: 1 changed, 1 registered" in first
    assert others == [
        "  1 of the changes retires something",
        f"  {MAP}: representations[a.pdf].status: valid → retired",
        f"  {MAP}: title@de: nothing → {'Karte' * 12}…",
        f"  {MAP}: reason: old → nothing",
        "  … and 2 more changed fields",
    ]
    assert page.startswith("to read: http://127.0.0.1:8000/reports/uri-gin/azgs/")


@pytest.mark.untraced
def test_submitter_and_reason_are_sent_with_the_file_and_the_dry_run(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD]
    said = ["--submitter", "Jané", "--reason", "The new server", "--many"]

    _at_a_terminal(stack, "y", "upload", table, "--under", "uri-gin/azgs/", *said)

    tried, uploaded = (read_options(each) for each in stack.said())
    assert uploaded == UploadOptions(is_many=True, submitter="Jané", reason="The new server")
    assert tried == replace(uploaded, is_dry_run=True)


def test_a_report_is_requested_in_the_language_of_the_user_or_another(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD]
    for arguments, language in (
        ([], "es_MX.UTF-8"),
        (["--language", "en"], "es"),
        (["--language", "es"], "en"),
    ):
        _run("upload", table, "--under", "uri-gin/azgs/", *arguments, **stack.environment, LANGUAGE=language)

    assert [said.get("language") for said in stack.said()] == ["es", "en", "es"]
    assert _run("upload", table, "--under", "uri-gin/azgs/", "--language", "tlh").exit_code == 2


def test_the_page_in_the_language_of_the_user_is_named(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD]
    pages = [
        _run(
            "upload",
            table,
            "--under",
            "uri-gin/azgs/",
            "--language",
            "es",
            LANGUAGE=language,
            **stack.environment,
        )
        .stdout.splitlines()[-2]
        .partition(".csv/")[2]
        for language in ("es", "en")
    ]

    assert [page.count(".") for page in pages] == [1, 2]
    assert pages[1].endswith(".en.html")


def test_long_lists_of_changes_are_cut_and_counted(stack: _Stack, table: str) -> None:
    stack.answers = [CHANGED] * 100

    result = _run("upload", table, "--under", "uri-gin/azgs/", "--dry-run", **stack.environment)

    assert "100 of the changes retire something" in result.stdout
    assert "… and 250 more, all in the report" in result.stdout
    assert len(result.stdout.splitlines()) < 60


def test_a_dry_run_with_a_refused_line_exits_with_1(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD, BAD]

    result = _run("upload", table, "--under", "uri-gin/azgs/", "--dry-run", "--json", **stack.environment)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["dry_run"] is True


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("wells.xls", "Save it as an Excel workbook (.xlsx) or as CSV UTF-8 (.csv)"),
        ("wells.NUMBERS", "Save it as an Excel workbook (.xlsx) or as CSV UTF-8 (.csv)"),
        ("wells.txt", "End it in .csv if it is a table, in .jsonl if it is JSON lines"),
        ("wells.txt.gz", "End it in .csv if it is a table, in .jsonl if it is JSON lines"),
        ("wells", "The name of wells does not say what it contains"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--dry-run"], ["--yes"]])
def test_storing_a_possible_registry_file_needs_consent(
    stack: _Stack, tmp_path: Path, name: str, way_out: str, options: list[str]
) -> None:
    (tmp_path / name).write_bytes(b"identifier\n")

    result = _run("upload", str(tmp_path / name), "--under", "uri-gin/azgs/", *options, **stack.environment)

    assert result.exit_code == 1
    assert way_out in result.stderr
    assert "add --store" in result.stderr
    assert stack.uploaded() == {}


_ARRAY = json.dumps([{"identifier": MAP}]).encode()


def _archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("maps.csv", f"identifier,title\n{MAP},Map\n")
    return content.getvalue()


_UNREAD = pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("maps.json", _ARRAY, "JSON is stored unless an option says"),
        (
            "maps.geojson",
            b'{"features": [{"properties": {"uri": "%b"}}]}' % MAP.encode(),
            "JSON is stored",
        ),
        ("maps.zip", _archive(), "maps.zip contains maps.csv"),
    ],
)


@_UNREAD
@pytest.mark.parametrize("options", [[], ["--dry-run"], ["--yes"], ["--json"]])
def test_storing_an_unread_file_with_registrations_needs_consent(  # noqa: PLR0913, PLR0917  a table
    stack: _Stack, tmp_path: Path, name: str, content: bytes, reason: str, options: list[str]
) -> None:
    (tmp_path / name).write_bytes(content)

    result = _run("upload", str(tmp_path / name), "--under", "uri-gin/azgs/", *options, **stack.environment)
    validated = _run("validate", str(tmp_path / name), "--under", "uri-gin/azgs/")

    assert (result.exit_code, validated.exit_code, stack.uploaded()) == (1, 1, {})
    assert reason in result.stderr
    assert reason in validated.stderr
    assert "add --store" in result.stderr


@_UNREAD
def test_an_unread_file_with_registrations_is_stored_with_the_option_store(
    stack: _Stack, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(content)

    result = _run("upload", str(tmp_path / name), "--under", "uri-gin/azgs/", "--store", **stack.environment)

    assert (result.exit_code, list(stack.uploaded())) == (0, [f"uri-gin/azgs/{name}"])
    assert stack.said() == [{"store": "true"}]
    assert reason not in result.stdout


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1)])
def test_storing_registrations_on_a_terminal_needs_confirmation(
    stack: _Stack, tmp_path: Path, answer: str, code: int
) -> None:
    (tmp_path / "maps.json").write_bytes(_ARRAY)

    ended, seen = _at_a_terminal(
        stack, answer, "upload", str(tmp_path / "maps.json"), "--under", "uri-gin/azgs/"
    )

    assert "JSON is stored unless an option says" in seen.partition("Store it as it is? [y/N]")[0]
    assert (ended, stack.said()) == (code, [{"store": "true"}] if answer == "y" else [])


@pytest.mark.parametrize(("name", "key"), [("wells.xls", "wells.xls"), ("wells.csv", "wells.csv.file")])
def test_any_file_is_stored_with_the_option_store(stack: _Stack, tmp_path: Path, name: str, key: str) -> None:
    (tmp_path / name).write_bytes(b"identifier\n")

    result = _run("upload", str(tmp_path / name), "--under", "uri-gin/azgs/", "--store", **stack.environment)

    assert (result.exit_code, list(stack.uploaded())) == (0, [f"uri-gin/azgs/{key}"])


def test_a_dry_run_stores_no_file(stack: _Stack, table: str) -> None:
    result = _run("upload", table, "--under", "uri-gin/azgs/", "--store", "--dry-run", **stack.environment)

    assert (result.exit_code, stack.uploaded()) == (2, {})
    assert "A dry run stores no file" in result.stderr


def test_a_file_that_would_only_be_stored_allows_no_dry_run(stack: _Stack, tmp_path: Path) -> None:
    (tmp_path / "map.pdf").write_bytes(b"%PDF")

    result = _run(
        "upload", str(tmp_path / "map.pdf"), "--under", "uri-gin/azgs/", "--dry-run", **stack.environment
    )

    assert result.exit_code == 2
    assert "map.pdf is not a registry file" in result.stderr
    assert stack.uploaded() == {}


@pytest.mark.parametrize(
    ("answer", "code", "said"), [("y", 0, [{"dry-run": "true"}, {}]), ("n", 1, [{"dry-run": "true"}])]
)
def test_a_dry_run_and_a_question_precede_an_upload_on_a_terminal(
    stack: _Stack, table: str, answer: str, code: int, said: list[dict[str, str]]
) -> None:
    stack.answers = [GOOD, CHANGED]

    ended, seen = _at_a_terminal(stack, answer, "upload", table, "--under", "uri-gin/azgs/")

    assert ended == code
    assert stack.said() == said
    assert f"  {MAP}: reason: old → nothing\n" in seen.partition("Upload it? [y/N]")[0]
    assert ("Nothing was changed." in seen) is (answer == "n")


@pytest.mark.parametrize("how", ["--yes", "--json"])
def test_machines_and_users_with_the_option_yes_are_not_asked(stack: _Stack, table: str, how: str) -> None:
    stack.answers = [GOOD]

    ended, seen = _at_a_terminal(stack, "n", "upload", table, "--under", "uri-gin/azgs/", how)

    assert ended == 0
    assert stack.said() == [{}]
    assert "Upload it?" not in seen


def test_storing_a_file_needs_no_confirmation(stack: _Stack, tmp_path: Path) -> None:
    (tmp_path / "map.pdf").write_bytes(b"%PDF")

    ended, seen = _at_a_terminal(stack, "n", "upload", str(tmp_path / "map.pdf"), "--under", "uri-gin/azgs/")

    assert ended == 0
    assert "is stored" in seen


def _at_a_terminal(stack: _Stack, answer: str, *arguments: str) -> tuple[int, str]:
    command = [str(Path(sys.executable).with_name("ginuri")), *arguments]
    return at_a_terminal(command, {**os.environ, **stack.environment}, answer)


def _ginuri(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("ginuri")
    return subprocess.run(  # noqa: S603  our own command
        [command, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_the_command_is_installed(stack: _Stack, table: str) -> None:
    stack.answers = [GOOD, BAD]

    parsed = _ginuri("parse", "uri-gin/azgs/")
    wrong = _ginuri("parse", "uri-gin//")
    uploaded = _ginuri("upload", table, "--under", "uri-gin/azgs/", "--json", **stack.environment)

    counts: dict[str, Any] = json.loads(uploaded.stdout)["counts"]
    assert (parsed.returncode, wrong.returncode, uploaded.returncode) == (0, 1, 1)
    assert "normal form     uri-gin/azgs/" in parsed.stdout
    assert (counts["registered"], uploaded.stderr) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--under"),
        (("--as", "uri-gin/azgs/map/X/"), "cannot be downloaded"),
        (("--as", "uri-gin/azgs"), "cannot be downloaded"),
        (("--as", "mailto:maps@azgs.example"), "not an identifier"),
        (("--as", "uri-gin/azgs/x.pdf", "--dry-run"), "stores"),
        (("--under", "uri-gin/azgs/", "--correction"), "--reason"),
    ],
)
def test_an_impossible_upload_is_refused_before_it_is_sent(
    table: str, arguments: Sequence[str], told: str
) -> None:
    result = _run("upload", table, *arguments)

    assert result.exit_code == 2
    assert told in result.stderr


def test_options_travel_with_the_upload_as_metadata(stack: _Stack, table: str) -> None:
    asked = ("--correction", "--reason", "A mistake", "--map", "identifier=uri")

    result = _run("upload", table, "--under", "uri-gin/azgs/", *asked, **stack.environment)

    assert result.exit_code == 0
    assert stack.said() == [{"correction": "true", "reason": "A mistake", "map": "identifier=uri"}]
