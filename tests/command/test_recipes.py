"""The recipes of the guides for registering over HTTP, run against the interface."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import segno
import yaml

from infra.docs import FOLDER
from infra.docs.blocks import Block, is_like, read_blocks, read_commands
from tests.api_over_http import serving
from tests.api_service import ApiService
from tests.http_answers import Answered, answering

GUIDES = FOLDER / "how-to"
DOCUMENTED = "https://id.example.org"
_MARK = "\x1e"


@pytest.fixture
def service() -> ApiService:
    service = ApiService()
    service.steward.day = "2026-01-01"  # the plan of `ginuri apply` is made with the clock of this machine
    return service


@pytest.fixture
def address(service: ApiService) -> Iterator[str]:
    with serving(service) as address:
        yield address


@pytest.fixture
def environment(service: ApiService, address: str) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    kept = {"PATH": path, "LANG": "C.UTF-8", "HOME": os.environ.get("HOME", "/")}
    return {**kept, "GINURI_SERVICE": address, "GINURI_TOKEN": service.secret}


def _blocks(page: str) -> list[Block]:
    return list(read_blocks(GUIDES / page))


def _files(page: str) -> dict[str, str]:
    return {block.title: block.body for block in _blocks(page) if block.is_file}


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  the commands of our own pages
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("page", ["work-over-http.md", "register-with-curl.md"])
def test_the_commands_of_a_guide_print_the_documented_output(
    page: str, tmp_path: Path, address: str, environment: dict[str, str]
) -> None:
    if not shutil.which("curl"):
        pytest.skip("needs curl")
    for name, content in _files(page).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    blocks = [block for block in _blocks(page) if block.title == "runs in a test of its own"]
    commands = [command for block in blocks for command in read_commands(block)]
    setting, *commands = commands
    script = "".join(f"printf '{_MARK}'\n{command.text}\n" for command in commands)

    _, *outputs = _run(["bash", "-c", script], tmp_path, environment).stdout.split(_MARK)

    assert setting.text.startswith("export GINURI_SERVICE=https://id.example.org GINURI_TOKEN=")
    assert len(outputs) == len(commands)
    for command, output in zip(commands, outputs, strict=True):
        expected = [line.replace(DOCUMENTED, address) for line in command.printed]
        assert not expected or is_like(output.splitlines(), expected), f"{command.text}\n{output}"


def test_a_notebook_tries_a_table_registers_it_and_changes_it(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    cells = "\n".join(
        block.body for block in _blocks("register-from-a-notebook.md") if block.language == "python"
    )

    ran = _run([sys.executable, "-c", f"{cells}\nclient.close()"], tmp_path, environment)

    lines = ran.stdout.splitlines()
    assert ran.returncode == 0, ran.stdout
    assert lines[0] == "mailto:jane@example.org uri-gin/azgs/"
    assert any("contradict" in line.lower() or "title" in line for line in lines[1:3])
    assert "uri-gin/azgs/doc/sample/1" in ran.stdout
    assert "changed meanwhile: Coarse-grained, two micas" in lines
    assert any(line.startswith("location") for line in lines)
    assert lines[-1].endswith(" 1")


def test_an_action_registers_the_files_of_each_push(
    service: ApiService, tmp_path: Path, environment: dict[str, str]
) -> None:
    [workflow] = _files("register-from-a-github-action.md").values()
    [job] = yaml.safe_load(workflow)["jobs"].values()
    steps = {step["name"]: step for step in job["steps"] if "run" in step}
    folder = tmp_path / "files/registrations/uri-gin/azgs"
    folder.mkdir(parents=True)
    table = folder / "reports.csv"
    push = {**environment, "GITHUB_SHA": "0a1b", "GITHUB_ACTOR": "jane", "GITHUB_STEP_SUMMARY": "summary.md"}
    codes = []
    for row in ("A", "A", "B", "B\nuri-gin/usgin/x,X"):
        table.write_text(f"identifier,title\nuri-gin/azgs/doc/1,{row}\n", encoding="utf-8")
        codes.append(_run(["bash", "-ec", steps["Register"]["run"]], tmp_path, push).returncode)
        assert _run(["bash", "-ec", steps["Summary"]["run"]], tmp_path, push).returncode == 0

    uploads = [key for key, _ in service.steward.files.uploads if key.endswith("reports.csv")]
    assert (codes, len(uploads)) == ([0, 0, 0, 1], 2)
    assert {"reason": "commit 0a1b", "submitter": "jane"}.items() <= service.metadata().items()
    assert "uri-gin/usgin/x" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for step in job["steps"] if "uses" in step)


def test_a_nightly_sync_uploads_only_a_changed_spreadsheet(
    service: ApiService, tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "sync.py").write_text(_files("sync-a-spreadsheet.md")["sync.py"], encoding="utf-8")
    good = "ID,Name,Link\nuri-gin/azgs/doc/s1,Granite,https://example.org/s1\n"
    sheets = [good, good, good.replace("Granite", "Gneiss"), good.replace("https:", "file:")]
    nights = []
    for sheet in sheets:
        content = sheet.encode()
        with answering(lambda _, content=content: Answered(200, content)) as spreadsheet:  # type: ignore[misc]
            nights.append(
                _run([sys.executable, "sync.py"], tmp_path, {**environment, "SHEET_URL": spreadsheet})
            )

    assert [night.returncode for night in nights] == [0, 0, 0, 1], [night.stdout for night in nights]
    assert nights[0].stdout == nights[1].stdout
    assert "{'changed': 1}" in nights[2].stdout
    assert "location" in nights[3].stdout
    assert len([key for key, _ in service.steward.files.uploads if "/api-" in key]) == 3


def test_fifty_labels_have_the_codes_of_fifty_registered_identifiers(
    service: ApiService, address: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "labels.py").write_text(_files("print-labels.md")["labels.py"], encoding="utf-8")

    first, again = (_run([sys.executable, "labels.py"], tmp_path, environment) for _ in range(2))

    page = (tmp_path / "labels.html").read_text(encoding="utf-8")
    names = re.findall(r"<figcaption>(uri-gin/azgs/doc/core/\w{7})</figcaption>", page)
    registered = service.steward.memory.members("uri-gin/azgs/doc/core/").names
    codes = [segno.make(f"{address}/{name}", error="m", micro=False) for name in names]
    assert (first.returncode, again.stdout) == (0, first.stdout), first.stdout
    assert sorted(names) == list(registered)
    assert len(set(names)) == 50
    assert all(code.svg_inline(scale=3, border=2) in page for code in codes)
