"""Past uploads can be restored: `ginuri history` and `ginuri export` beside the running stack."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from infra.local.stack import Stack
from tests.end_to_end.commands import run_ginuri
from tests.end_to_end.uploading import upload

AUTHORITY = b'{"record": "authority", "identifier": "uri-gin/past/", "title": "Survey"}\n'
DOC = "uri-gin/past/doc/a"


def _ginuri(stack: Stack, folder: Path, *arguments: str) -> bytes:
    ran = run_ginuri(stack, folder, *arguments)
    assert ran.exit_code == 0, ran.output
    return ran.stdout_bytes


@pytest.fixture(scope="module")
def uploads(empty_stack: Stack) -> Sequence[Any]:
    """Return two uploads with the location of a document."""
    upload(empty_stack, "_host/past.jsonl", AUTHORITY)
    lines = [
        json.dumps({"identifier": DOC, "title": "A", "location": f"https://a.example/{number}"})
        for number in (1, 2)
    ]
    return [upload(empty_stack, "uri-gin/past/docs.jsonl", f"{line}\n".encode())["upload"] for line in lines]


def test_every_upload_that_changed_an_identifier_is_listed(
    empty_stack: Stack, uploads: Sequence[Any], tmp_path: Path
) -> None:
    told = json.loads(_ginuri(empty_stack, tmp_path, "history", DOC, "--json"))

    assert [each["version"] for each in told["changes"]] == [each["version"] for each in uploads]
    assert [each["put"] for each in told["changes"]] == [each["put"] for each in uploads]
    assert told["changes"][1]["fields"] == [
        {
            "field": ["representations", "form   ", "location"],
            "from": "https://a.example/1",
            "to": "https://a.example/2",
        }
    ]


def test_the_current_answer_matches_todays_history(
    empty_stack: Stack, uploads: Sequence[Any], tmp_path: Path
) -> None:
    today = uploads[1]["put"][:10]
    told = json.loads(_ginuri(empty_stack, tmp_path, "history", DOC, "--at", today, "--json"))

    assert told["answer"]["leads_to"] == "https://a.example/2"
    assert told["record"]["title"] == {"": "A"}


@pytest.mark.usefixtures("uploads")
def test_loading_an_export_changes_nothing(empty_stack: Stack, tmp_path: Path) -> None:
    authorities = _ginuri(empty_stack, tmp_path, "export", "--under", "_host/")
    past = _ginuri(empty_stack, tmp_path, "export", "--under", "uri-gin/past/")

    counts = upload(empty_stack, "uri-gin/past/again.jsonl", past)["counts"]

    assert AUTHORITY in authorities
    assert (counts["unchanged"], counts["registered"], counts["changed"], counts["refused"]) == (1, 0, 0, 0)
    assert _ginuri(empty_stack, tmp_path, "export", "--under", "uri-gin/past/") == past
