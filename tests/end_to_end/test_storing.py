"""`ginuri upload FILE --as …` beside the running stack: stored and registered in one step, and never lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.stack import Stack
from tests.end_to_end.commands import run_ginuri
from tests.end_to_end.uploading import upload

MAP = "uri-gin/kept/map/M1/"
PART = f"{MAP}image.pdf"
ALONE = "uri-gin/kept/report.pdf"
TABLE = "uri-gin/kept/wells.csv"


def _ginuri(stack: Stack, folder: Path, *arguments: str) -> Any:
    ran = run_ginuri(stack, folder, *arguments, "--json")
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


def _store(stack: Stack, folder: Path, content: bytes, name: str, *arguments: str) -> Any:
    (folder / "file").write_bytes(content)
    return _ginuri(stack, folder, "upload", str(folder / "file"), "--as", name, *arguments)


@pytest.fixture(scope="module")
def kept(empty_stack: Stack) -> Stack:
    """A stack with an authority and a thing."""
    stack = empty_stack
    upload(
        stack, "_host/kept.jsonl", b'{"record": "authority", "identifier": "uri-gin/kept/", "title": "K"}\n'
    )
    upload(stack, "uri-gin/kept/m.jsonl", json.dumps({"identifier": MAP, "title": "Map"}).encode() + b"\n")
    return stack


def _get(stack: Stack, name: str) -> httpx.Response:
    return httpx.get(f"{stack.service}/{name}", timeout=30)


def test_a_file_becomes_a_part_of_the_resource_above_it(kept: Stack, tmp_path: Path) -> None:
    report = _store(kept, tmp_path, b"%PDF one", PART, "--title", "The map")

    assert [each["identifier"] for each in report["verdicts"]] == [MAP]
    answer = _get(kept, PART)
    assert (answer.status_code, answer.content) == (200, b"%PDF one")
    assert answer.headers["Content-Type"] == "application/pdf"


def test_a_file_without_a_resource_above_it_is_registered_by_itself(kept: Stack, tmp_path: Path) -> None:
    report = _store(kept, tmp_path, b"%PDF", ALONE, "--title", "Report", "--media-type", "application/x-r")
    again = _store(kept, tmp_path, b"%PDF 2", ALONE, "--media-type", "application/x-r")

    assert [each["verdict"] for each in (*report["verdicts"], *again["verdicts"])] == [
        "registered",
        "changed",
    ]
    assert (_get(kept, ALONE).content, _get(kept, ALONE).headers["Content-Type"]) == (
        b"%PDF 2",
        "application/x-r",
    )


def test_a_table_stored_as_content_is_not_read_as_a_registry(kept: Stack, tmp_path: Path) -> None:
    _store(kept, tmp_path, b"a,b\n1,2\n", TABLE)

    assert _get(kept, TABLE).content == b"a,b\n1,2\n"


def test_a_new_version_keeps_the_old_one_and_lost_ones_are_404(kept: Stack, tmp_path: Path) -> None:
    name = f"{MAP}plan.pdf"
    for body in (b"%PDF one", b"%PDF two"):
        _store(kept, tmp_path, body, name)

    told = _ginuri(kept, tmp_path, "history", MAP)
    files = [
        field["to"]
        for change in told["changes"]
        for field in change["fields"]
        if field["field"][1:] == ["part plan.pdf", "file"]
    ]
    s3 = kept.client("s3")

    def content(version: str) -> bytes:
        return s3.get_object(Bucket=kept.content_bucket, Key=name, VersionId=version)["Body"].read()

    assert [content(each["version"]) for each in files] == [b"%PDF one", b"%PDF two"]
    s3.delete_object(Bucket=kept.content_bucket, Key=name, VersionId=files[1]["version"])
    assert _get(kept, name).status_code == 404
