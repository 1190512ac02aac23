"""`ginuri export`: its files and its exit codes."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ginuri.cli.options import read_moment
from ginuri.files.formats import SUFFIXES
from tests.command.conftest import DOC, Kept, Served
from tests.functional.test_export import EVERYTHING, LATER
from tests.steward import Steward, line


@pytest.fixture
def filled(kept: Kept) -> Kept:
    """Return a table with an authority, two documents and a stored file."""
    file = {"key": "uri-gin/azgs/a.pdf", "version": "v1", "length": 1, "sha256": "ab", "stored": "2011-08-25"}
    kept.state("2011-08-25", "uri-gin/azgs/", record="authority", title={"": "Survey"})
    kept.state("2011-08-25", "uri-gin/azgs/doc/b", title={"": "\u00c4lter"})
    kept.state("2011-08-26", "uri-gin/azgs/doc/b", title={"": "J\u00fcnger"})
    kept.state("2011-08-25", representations=[{"part": ".pdf", "file": file}])
    return kept


LINES = [
    {"identifier": DOC, "representations": [{"part": ".pdf", "file": "a.pdf"}]},
    {"identifier": "uri-gin/azgs/doc/b", "title": "J\u00fcnger"},
]


def test_export_prints_the_current_values_in_order_of_identifiers(filled: Kept) -> None:
    result = filled.run("export", "--under", "http://resources.usgin.org/uri-gin/azgs")

    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == LINES
    assert "1 stored file is named, not written" in result.stderr


def test_export_writes_a_file_and_explains_how_to_load_it(filled: Kept, tmp_path: Path) -> None:
    file = tmp_path / "azgs.jsonl"

    result = filled.run("export", "--under", "uri-gin/azgs/", "--output", str(file))

    assert (result.exit_code, result.stdout) == (0, "")
    assert [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] == LINES
    assert f"2 lines; load them: ginuri upload {file} --under uri-gin/azgs/" in result.stderr


def test_records_of_the_host_are_exported_separately(filled: Kept) -> None:
    result = filled.run("export", "--under", "_host")

    assert result.stdout == '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}\n'
    assert result.stderr == ""


def test_a_stored_file_outside_the_prefix_is_reported(filled: Kept) -> None:
    result = filled.run("export", "--under", "uri-gin/azgs/doc/")

    assert result.exit_code == 0
    assert (
        " of them is not under uri-gin/azgs/doc/ (uri-gin/azgs/a.pdf): export a shorter prefix"
        in result.stderr
    )


def test_an_empty_registry_exports_nothing(filled: Kept) -> None:
    result = filled.run("export", "--under", "uri-gin/usgin/")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "nothing is registered under uri-gin/usgin/" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--under", "azgs"],
        ["--under", ""],
        ["--under", "uri-gin/azgs/", "more"],
        ["--under", "uri-gin/azgs/", "--csv"],
        ["--under", "uri-gin/azgs/", "--files"],
        ["--to", "taken", "--output", "taken.jsonl"],
        ["--to", "taken", "--history"],
        ["--format", "apache", "--history"],
        ["--format", "nginx"],
        ["--under", "uri-gin/azgs/", "--since", "2011-08-26"],
        ["--format", "apache", "--since", "yesterday"],
    ],
)
def test_a_misused_export_exits_with_2(kept: Kept, arguments: list[str]) -> None:
    assert kept.run("export", *arguments).exit_code == 2


def _ruled(served: Served, *arguments: str) -> tuple[int, list[str], list[str]]:
    result = served.run("export", "--format", "apache", *arguments)
    targets = re.findall(r'^RewriteRule \^ "?([^ "]+)', result.stdout, re.MULTILINE)
    return result.exit_code, targets, result.stderr.splitlines()


@pytest.mark.parametrize(
    ("seconds", "expected"), [(None, {"old", "new"}), (-60, {"old", "new"}), (0, {"new"}), (1, set())]
)
def test_rewrite_rules_are_exported_since_a_moment(
    served: Served, seconds: int | None, expected: set[str]
) -> None:
    for name in ("old", "new"):
        written = line(f"uri-gin/azgs/doc/x-{name}", location=f"https://a.example/{name}")
        served.put(f"uri-gin/azgs/{name}.jsonl", written)
    history = json.loads(served.run("history", "uri-gin/azgs/doc/x-new", "--json").stdout)
    put = datetime.fromisoformat(history["changes"][0]["put"])
    since = [] if seconds is None else ["--since", (put + timedelta(seconds=seconds)).isoformat()]

    code, targets, said = _ruled(served, "--under", "uri-gin/azgs/", *since)

    assert {target.rpartition("/")[2] for target in targets} == expected
    assert (code, said) == (0, [f"names: {len(expected)}, rules: 0, not expressed: 0"])


def test_a_day_begins_at_midnight_utc() -> None:
    cases = {
        "2026-11-01": "2026-11-01T00:00:00.000Z",
        "2026-11-01T08:00": "2026-11-01T08:00:00.000Z",
        "2026-11-01T08:00:00.0014+02:00": "2026-11-01T06:00:00.001Z",
    }

    assert {written: read_moment(written) for written in cases} == cases


def test_answers_without_a_rewrite_rule_are_counted_by_reason(served: Served, tmp_path: Path) -> None:
    served.put("uri-gin/azgs/files/a.pdf", b"%PDF")
    lines = [
        line("uri-gin/azgs/doc/a", representations=[{"part": ".pdf", "file": "files/a.pdf"}]),
        line("uri-gin/azgs/doc/b", title="B"),
        line("uri-gin/azgs/doc/c", title="C"),
    ]
    served.put("uri-gin/azgs/all.jsonl", "".join(lines))

    code, targets, said = _ruled(served, "--under", "uri-gin/azgs/", "--output", str(tmp_path / "a.conf"))

    assert (code, targets) == (1, [])
    assert said == [
        "names: 0, rules: 0, not expressed: 4",
        "uri-gin/azgs/doc/a and 1 other: Its file is stored in this registry.",
        "uri-gin/azgs/doc/b and 1 other: It leads to its description, which only this registry has.",
    ]
    assert (tmp_path / "a.conf").read_text().startswith("# Include this file in a virtual host")


MORE = (
    line("uri-gin/azgs/doc/reserved", status="reserved")
    + line(
        "uri-gin/azgs/doc/s",
        representations=[{"part": ".pdf", "file": "files/a.pdf", "title": {"de": "Plan"}}],
    )
    + line("uri-gin/azgs/doc/dash", title="-", description="two\nlines")
    + line("uri-gin/azgs/", record="rule", pattern="x{id}", location="https://a.example/{id}")
    + line("uri-gin/azgs/authority/azgs.mapping/")
)
SUB = line("uri-gin/azgs.mapping/", record="authority") + line(
    "uri-gin/azgs.mapping/map/1/", location="https://a.example/1"
)
CGI = line("uri-gin/cgi/", record="authority")
HANDED = (
    line("uri-gin/azgs/core/", record="delegation", title="-", to="uri-gin/usgin/")
    + line("uri-gin/azgs/core/", record="delegation", title="-", to="uri-gin/cgi/", valid_from="2127-01-01")
    + line("uri-gin/azgs/later/", record="delegation", to="uri-gin/cgi/", valid_from="2127-01-01")
    + line("uri-gin/azgs/lent/", record="delegation", to="uri-gin/cgi/")
    + line("uri-gin/azgs/lent/a", location="https://a.example/a")
)
RECEIVED = (
    line("uri-gin/azgs/core/", record="resource-type")
    + line("uri-gin/azgs/core/1/", representations=[{"part": "a.csv", "file": "core.csv.file"}])
    + line("uri-gin/azgs/core/photo/", record="delegation", to="uri-gin/cgi/")
)
WITHIN = line("uri-gin/azgs/core/photo/1", location="https://a.example/1")
VOCABULARY = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://r.org/uri-gin/azgs/> .
<http://r.org/uri-gin/azgs/lith/> a skos:ConceptScheme ; skos:prefLabel "Lithology"@en .
:rock skos:inScheme <http://r.org/uri-gin/azgs/lith/> ; skos:prefLabel "rock"@en .
"""


@pytest.fixture
def full(served: Served) -> Served:
    """Return a stack with a record of every kind."""
    served.begin_with("every kind of record", lambda: _fill(served))
    return served


def _fill(served: Served) -> None:
    served.put(
        "_host/hosts.jsonl", line("http://resources.usgin.org/", record="host", trusted_hosts=["a.example"])
    )
    served.put("uri-gin/azgs/files/a.pdf", b"%PDF")
    served.put("_host/cgi.jsonl", CGI)
    served.put("uri-gin/usgin/core.csv.file", b"depth\n90\n")
    uploads = [
        served.put(f"uri-gin/azgs/{number}.jsonl", each)
        for number, each in enumerate((EVERYTHING, LATER, MORE, SUB, HANDED))
    ]
    uploads.append(served.put("uri-gin/azgs/lith.ttl", VOCABULARY))
    uploads.append(served.put("uri-gin/usgin/received.jsonl", RECEIVED))
    uploads.append(served.put("uri-gin/cgi/within.jsonl", WITHIN))
    assert {served.report(each)["counts"]["refused"] for each in uploads} == {0}


def _written(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def _loaded(files: dict[str, bytes]) -> Steward:
    """Load a folder into an empty registry: stored files, then the records of hosts, then the rest."""
    steward = Steward()
    for key in sorted(files, key=lambda key: (key.endswith(SUFFIXES), not key.startswith("_host/"), key)):
        assert steward.upload(key, files[key]).refused == {}
    return steward


@pytest.mark.parametrize("form", [(), ("--csv",)])
@pytest.mark.untraced
def test_an_exported_folder_makes_the_same_registry_elsewhere(
    full: Served, tmp_path: Path, form: tuple[str, ...]
) -> None:
    result = full.run("export", "--to", str(tmp_path / "taken"), "--files", *form)
    plain = full.run("export", "--to", str(tmp_path / "plain"))

    files = _written(tmp_path / "taken")
    fresh = _loaded(files)
    lines = _written(tmp_path / "plain")
    assert (result.exit_code, plain.exit_code) == (0, 0)
    assert "3 stored files written, 0 missing" in result.stderr
    assert files["uri-gin/azgs/files/a.pdf"] == b"%PDF"
    assert files["uri-gin/azgs/lith.ttl.file"] == VOCABULARY.encode()
    assert sorted(lines) == [
        f"{folder}export.jsonl" for folder in ("_host/", "uri-gin/azgs.mapping/", "uri-gin/azgs/")
    ]
    for key, body in lines.items():
        assert "".join(fresh.exported(key.removesuffix("export.jsonl"))) == body.decode()


def test_values_without_a_table_column_are_written_as_json_lines(full: Served, tmp_path: Path) -> None:
    result = full.run("export", "--to", str(tmp_path / "taken"), "--under", "uri-gin/azgs/", "--csv")

    assert "lines that a table cannot express are in export-rest.jsonl" in result.stderr
    assert sorted(_written(tmp_path / "taken")) == [
        "uri-gin/azgs/export-rest.jsonl",
        "uri-gin/azgs/export.csv",
        "uri-gin/azgs/handed-over.jsonl",
    ]
    assert b"uri-gin/azgs/doc/dash" in _written(tmp_path / "taken")["uri-gin/azgs/export-rest.jsonl"]


def test_a_missing_stored_file_is_reported_and_the_rest_is_exported(full: Served, tmp_path: Path) -> None:
    bucket = full.buckets["content"]
    for each in full.s3.list_object_versions(Bucket=bucket)["Versions"]:
        full.s3.delete_object(Bucket=bucket, Key=each["Key"], VersionId=each["VersionId"])

    result = full.run("export", "--to", str(tmp_path / "taken"), "--files")

    assert result.exit_code == 1
    assert "uri-gin/azgs/doc/s: uri-gin/azgs/files/a.pdf could not be exported" in result.stderr
    assert "uri-gin/azgs/export.jsonl" in _written(tmp_path / "taken")


@pytest.mark.untraced
def test_a_non_empty_folder_is_not_written_to(full: Served, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine").touch()

    assert full.run("export", "--to", str(tmp_path / "taken")).exit_code == 2
    assert list(_written(tmp_path / "taken")) == ["mine"]


def test_the_full_history_is_exported_with_its_stamps(filled: Kept) -> None:
    result = filled.run("export", "--under", "uri-gin/azgs/doc/", "--history")
    everything = filled.run("export", "--history")

    told = [json.loads(line) for line in result.stdout.splitlines() if "doc/b" in line]
    assert [each["value"] for each in told] == ["\u00c4lter", "J\u00fcnger"]
    assert told[1] == {
        "identifier": "uri-gin/azgs/doc/b",
        "put": "2011-08-26T12:00:00.000Z",
        "upload": "uri-gin/azgs/docs.csv",
        "version": "v 2011-08-26",
        "line": 7,
        "field": ["title", ""],
        "value": "J\u00fcnger",
    }
    assert result.stdout in everything.stdout
    assert len(everything.stdout.splitlines()) > len(told)
