"""The reason of a snapshot, in the language of the reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ginuri.registry.texts.reasons import not_listed, read_reason
from tests.example_registry import Descriptions
from tests.front import Front
from tests.resolving import Service
from tests.steward import LINES, line, settled

DOC = "uri-gin/azgs/doc/"
REASON = f"Not listed in the snapshot of {DOC} of 2011-08-25"
FORMER = f"not in what is handed in as all there is under {DOC}"


def _retired(**options: str) -> Service:
    steward = settled()
    steward.upload(LINES, line(f"{DOC}1") + line(f"{DOC}2"))
    steward.upload(LINES, line(f"{DOC}1"), snapshot=DOC, **options)
    return Service(steward.memory)


def test_an_identifier_missing_from_a_snapshot_has_the_reason_of_the_catalogue() -> None:
    service = _retired()

    answer = service.ask(f"/{DOC}2")

    assert answer.status == 410
    assert f"Reason: {REASON}" in answer.problem["detail"]
    assert json.loads(Descriptions(service.registry).write("json", f"{DOC}2"))["reason"] == REASON


def test_the_reason_of_the_upload_comes_before_that_of_the_catalogue() -> None:
    answer = _retired(reason="the annual review").ask(f"/{DOC}2")

    assert "Reason: the annual review" in answer.problem["detail"]


@pytest.mark.parametrize("reason", [REASON, FORMER])
@pytest.mark.parametrize("page", ["", "about.html/", "explain/"])
def test_a_page_has_the_reason_in_the_language_of_the_reader(reason: str, page: str, tmp_path: Path) -> None:
    service = _retired()
    service.register(f"{DOC}3", status="retired", reason=reason)

    answer = Front(service.registry, tmp_path).ask(
        f"/{page}{DOC}3", headers={"Accept": "text/html", "Accept-Language": "es"}
    )

    assert "No figura en" in answer.content.decode()
    assert "isted in" not in answer.content.decode()


def test_any_other_reason_is_shown_as_stated() -> None:
    assert read_reason("sold") == "sold"
    assert read_reason(f"{REASON}, he said") == f"{REASON}, he said"
    assert str(read_reason(REASON)) == str(not_listed(DOC, "2011-08-25")) == REASON
