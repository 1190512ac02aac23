"""An upload that keeps failing: given up, reported everywhere, finished by a redrive."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from ginuri.cli.main import main
from infra.local.coordinates import published
from infra.local.stack import Options, Stack, local_stack
from tests.aws import new_bucket
from tests.end_to_end.uploading import put, upload

KEY = "uri-gin/azgs/wells.jsonl"
SECONDS = 60
HOST = b"""\
{"record": "scheme", "identifier": "uri-gin/", "title": "The scheme"}
{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}
{"record": "resource-type", "identifier": "uri-gin/azgs/doc/", "title": "Document"}
"""


def _wells() -> str:
    """Write lines of which one names a stored file."""
    rows: list[dict[str, Any]] = [
        {"identifier": f"uri-gin/azgs/doc/well{number}", "title": "Well"} for number in range(3)
    ]
    form: Any = [{"part": ".pdf", "media_type": "application/pdf", "file": "well.pdf"}]
    rows[1] |= {"representations": form}
    return "".join(json.dumps(row) + "\n" for row in rows)


def _dead(stack: Stack) -> int:
    told = stack.client("sqs").get_queue_attributes(
        QueueUrl=stack.dead_letter_queue, AttributeNames=["ApproximateNumberOfMessages"]
    )
    return int(told["Attributes"]["ApproximateNumberOfMessages"])


def _wait_until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


def _listed(run: Callable[..., Result]) -> Any:
    told = map(json.loads, run("uploads", "--json").stdout.splitlines())
    return next(each for each in told if each["key"] == KEY)


def test_a_failing_upload_is_reported_as_unfinished_until_a_redrive(
    tmp_path: Path,
) -> None:
    environment = {"GINURI_LOCAL_STACK": str(tmp_path / "stack.json"), "GINURI_STACK": ""}
    (tmp_path / "wells.jsonl").write_text(_wells())

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, env=environment, prog_name="ginuri")

    options = Options(logs=tmp_path / "logs", visibility=1)
    with local_stack(options) as stack, published(stack, tmp_path / "stack.json"):
        s3 = stack.client("s3")
        upload(stack, "_host/all.jsonl", HOST)
        put(stack, "uri-gin/azgs/well.pdf", b"%PDF")
        s3.delete_bucket(Bucket=stack.content_bucket)

        given_up = run("upload", str(tmp_path / "wells.jsonl"), "--under", "uri-gin/azgs/", "--yes")
        _wait_until(lambda: _dead(stack) == 1)
        meanwhile, told = _listed(run), run("uploads").stdout
        new_bucket(s3, stack.content_bucket)
        redriven = run("redrive")
        _wait_until(lambda: _listed(run)["counts"] is not None)
        finished = _listed(run)

    assert given_up.exit_code == 2
    assert "is not finished" in given_up.stderr
    assert "NoSuchBucket" in given_up.stderr
    assert "ginuri redrive" in given_up.stderr
    assert (meanwhile["counts"], meanwhile["unfinished"]["is_given_up"]) == (None, True)
    assert "  not finished. A part of it (the upload) failed 5 times" in told
    assert f"{KEY}  (version {meanwhile['version']})" in redriven.stdout
    assert finished["version"] == meanwhile["version"]
    assert finished["unfinished"] is None
    assert finished["counts"]["registered"] == 3
