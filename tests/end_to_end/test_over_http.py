"""The client and the command over HTTP, with the running stack and with the server of one machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ginuri.cli.main import main
from ginuri.client import Client, ConditionFailed, NotAllowed, RegistrationRefused
from infra.local.stack import Stack
from infra.local.steward import add_steward
from tests.served_folder import serving
from tests.stacks import settle_folder

AZGS = "uri-gin/azgs/"
LARGE = b"%PDF" + bytes(3_200_000)
GRANT = {"record": "grant", "identifier": AZGS, "to": "mailto:jane@example.org", "may": ["read", "register"]}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server on this machine, and a token."""
    folder = tmp_path_factory.mktemp("machine") / "registry"
    settle_folder(folder)
    (folder.parent / "grant.jsonl").write_text(f"{json.dumps(GRANT)}\n", encoding="utf-8")
    _ginuri(
        "upload", str(folder.parent / "grant.jsonl"), "--under", "_host/", "--registry", str(folder), "--yes"
    )
    made = ("--for", "jane@example.org", "--folder", AZGS, "--registry", str(folder), "--json")
    secret = json.loads(_ginuri("token", "create", *made))["token"]
    with serving(folder, "--workers", "1") as machine:
        yield f"http://127.0.0.1:{machine.port}", secret


@pytest.fixture(params=["stack", "one machine"])
def place(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The address of a service, and a token."""
    if request.param == "stack":
        running: Stack = request.getfixturevalue("stack")
        return running.service, add_steward(running)
    served: tuple[str, str] = request.getfixturevalue("served")
    return served


@pytest.fixture
def client(place: tuple[str, str]) -> Iterator[Client]:
    with Client(*place) as client:
        yield client


def _ginuri(*arguments: str, **environment: str) -> str:
    result = CliRunner().invoke(main, arguments, env={"LANGUAGE": "en", **environment}, prog_name="ginuri")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_an_identifier_is_registered_changed_and_undone_over_http(client: Client) -> None:
    name = "uri-gin/azgs/doc/over-http"
    client.put(name, {"title": "One"})
    record = client.record(name)
    changed = client.patch(name, {"title": "Two"}, if_match=record.etag)
    with pytest.raises(ConditionFailed):
        client.patch(name, {"title": "Three"}, if_match=record.etag)
    with pytest.raises(RegistrationRefused):
        client.patch(name, {"location": "nowhere"})
    with pytest.raises(NotAllowed):
        client.put("uri-gin/usgin/over-http", {"title": "One"})
    undone = client.undo(changed.key, changed.version)

    assert client.record(name).registration["title"] == "One"
    assert {change.principal for change in client.history(name)} == {client.me().owner}
    assert undone.counts["changed"] == 1


def test_a_large_file_is_stored_and_read_over_http(client: Client) -> None:
    client.upload(LARGE, AZGS, name="over-http.pdf", store=True)
    line = {"identifier": "uri-gin/azgs/doc/over-http.pdf", "representations": [{"file": "over-http.pdf"}]}
    report = client.upload(json.dumps(line).encode(), AZGS, name="over-http.jsonl")
    [values] = (
        each["values"]
        for each in client.records(AZGS, form="values")
        if each["identifier"] == line["identifier"]
    )
    [form] = values["representations"].values()

    assert not report.is_refused
    assert b"".join(client.file(form["file"]["key"], form["file"]["version"])) == LARGE


def test_the_command_uploads_and_exports_over_http(place: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "over.csv").write_text("identifier,title\nuri-gin/azgs/doc/over,Over\n", encoding="utf-8")
    named = dict(zip(("GINURI_SERVICE", "GINURI_TOKEN"), place, strict=True))

    _ginuri("upload", str(tmp_path / "over.csv"), "--under", AZGS, "--yes", **named)
    _ginuri("export", "--under", AZGS, "--to", str(tmp_path / "all"), **named)

    lines = (tmp_path / "all/uri-gin/azgs/export.jsonl").read_text(encoding="utf-8").splitlines()
    assert {"identifier": "uri-gin/azgs/doc/over", "title": "Over"} in map(json.loads, lines)
    assert "uri-gin/azgs/over.csv#" in _ginuri("uploads", "--last", "5", **named)
