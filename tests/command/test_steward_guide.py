"""The guides for a new steward work: their uploads run, in this order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from infra.docs import FOLDER
from infra.docs.blocks import is_like
from tests.command.conftest import Served
from tests.command.test_documented import alike, transcripts
from tests.functional.test_ingest_documented import examples

TUTORIAL = FOLDER / "tutorials" / "first-ten-rows.md"
PAGES = [
    TUTORIAL,
    *(
        FOLDER / "how-to" / name
        for name in ("publish-versions.md", "delegate-a-prefix.md", "retire-identifiers.md", "export.md")
    ),
]
CGI = '{"record": "authority", "identifier": "uri-gin/cgi/", "title": "CGI"}\n'


@pytest.fixture
def _at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the files of the page into a folder, and change to it."""
    for key, content in examples().items():
        (tmp_path / Path(key).name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_at_work")
def test_the_commands_of_the_guide_print_the_documented_output(served: Served) -> None:
    served.put("_host/cgi.jsonl", CGI)
    run = transcripts(PAGES, r"upload .* --yes|export --under uri-gin/azgs/report/ .*")

    assert [each.text.split()[2] for each in run] == [
        "reports.csv",
        "reports-corrected.csv",
        "versions.csv",
        "delegations.jsonl",
        "retired.csv",
        "--under",
    ]
    for each in run:
        said = served.run(*shlex.split(each.text)[1:]).output
        assert is_like(alike(said), alike("\n".join(each.printed))), each.text


def test_the_spreadsheet_of_the_first_file_equals_its_csv() -> None:
    section = (
        TUTORIAL.read_text(encoding="utf-8").partition("\n## 1. Write the file")[2].partition("\n```csv")[0]
    )
    cells = [re.split(r" *\| *", row.strip("| ")) for row in section.splitlines() if row.startswith("| ")]
    rows = [",".join(row) for row in cells]

    assert rows == examples()["uri-gin/azgs/reports.csv"].splitlines()
    assert len(rows) == 10 + 1
