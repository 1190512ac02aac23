"""docs/reference/registrations.md leads a steward who has never seen the project: its uploads are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.functional.conftest import Served
from tests.functional.test_command_documented import alike
from tests.functional.test_ingest_documented import examples

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "registrations.md").read_text(encoding="utf-8")
_TRANSCRIPT = re.compile(
    r"^```\n\$ ginuri (?P<command>upload .* --yes|export .*)\n(?P<said>(?:.*\n)*?)```$", re.MULTILINE
)
CGI = '{"record": "authority", "identifier": "uri-gin/cgi/", "title": "CGI"}\n'


@pytest.fixture
def _at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sit down in a folder with the files of the page in it."""
    for key, content in examples().items():
        (tmp_path / Path(key).name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_at_work")
def test_what_the_commands_of_the_guide_say_is_what_the_page_says(served: Served) -> None:
    served.put("_host/cgi.jsonl", CGI)
    transcripts = list(_TRANSCRIPT.finditer(PAGE))

    assert [each["command"].split()[1] for each in transcripts] == [
        "reports.csv",
        "reports-corrected.csv",
        "versions.csv",
        "delegations.jsonl",
        "retired.csv",
        "--under",
    ]
    for each in transcripts:
        said = served.run(*shlex.split(each["command"])).output
        assert alike(said) == alike(each["said"]), each["command"]


def test_the_spreadsheet_of_the_first_file_is_its_csv() -> None:
    section = PAGE.partition("\n## A first file")[2].partition("\n```csv")[0]
    cells = [re.split(r" *\| *", row.strip("| ")) for row in section.splitlines() if row.startswith("| ")]
    rows = [",".join(row) for row in cells]

    assert rows == examples()["uri-gin/azgs/reports.csv"].splitlines()
    assert len(rows) == 10 + 1


def test_every_place_that_the_page_points_to_is_on_it() -> None:
    text = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^a-z -]", "", each.lower()).replace(" ", "-") for each in headings}
    contents, _, _ = text.partition("\n## ")

    assert _led_to(text) <= anchors
    assert anchors - _led_to(contents) == {"registering-identifiers"}


def _led_to(text: str) -> set[str]:
    return set(re.findall(r"\]\(#([^)]*)\)", text))
