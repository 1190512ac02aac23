"""An export registers the same records elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ginuri.registry.record.rule_records import merge_rules
from tests.steward import Steward, line, settled

pytestmark = pytest.mark.untraced

EXAMPLES = Path(__file__).parents[2] / "layers/library/ginuri/examples"
FOLDERS = ("_host/", *(f"{path.name}/" for path in sorted(EXAMPLES.iterdir()) if path.name != "_host"))
PINNED = {"version", "stored"}
"""The members of a stored file that are new wherever it is stored."""


def _export(steward: Steward, folder: str) -> str:
    return "".join(steward.exported(folder))


def _loaded(steward: Steward, *folders: str) -> Steward:
    """Load the exports of folders into a fresh registry, beside the files of the old one."""
    fresh = Steward()
    for (key, _), body in steward.files.uploads.items():
        if not key.endswith((".jsonl", ".csv")):
            # Files in a format for registrations have another name beside an export.
            fresh.put(f"{key}.file" if key.endswith(".ttl") else key, body)
    for folder in folders:
        report = fresh.upload(f"{folder}export.jsonl", _export(steward, folder))
        assert report.refused == {}
    return fresh


def _held(steward: Steward) -> dict[str, Any]:
    return {name: _unpinned(values) for name, values in merge_rules(steward.memory.standing("")).items()}


def _unpinned(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: {
                each: it.removesuffix(".file") if each == "key" else it
                for each, it in inner.items()
                if each not in PINNED
            }
            if name == "file"
            else _unpinned(inner)
            for name, inner in value.items()
        }
    return value


@pytest.fixture(scope="module")
def examples() -> Steward:
    """Return a steward who has uploaded the examples, in their order."""
    steward = Steward()
    registries = (".jsonl", ".csv", ".ttl")
    files = sorted(path for path in EXAMPLES.rglob("*") if path.is_file())
    files.sort(key=lambda path: (path.suffix in registries, "_host" not in path.parts))
    for path in files:
        steward.upload(str(path.relative_to(EXAMPLES)), path.read_bytes())
    return steward


def test_the_exported_examples_load_as_the_same_registry(examples: Steward) -> None:
    fresh = _loaded(examples, *FOLDERS)

    assert len(_held(fresh)) > 50
    assert _held(fresh) == _held(examples)


@pytest.mark.parametrize("folder", ["_host/", "uri-gin/", "uri-gin/azgs/"])
def test_exporting_again_gives_the_same_bytes(examples: Steward, folder: str) -> None:
    fresh = _loaded(examples, *FOLDERS)

    assert _export(fresh, folder) == _export(examples, folder)


def test_an_export_has_the_records_that_its_folder_may_register() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/rules.jsonl", line("uri-gin/azgs/", record="rule", status_code=410))
    steward.upload("uri-gin/azgs/docs.jsonl", line("uri-gin/azgs/doc/a"))

    assert _export(steward, "_host/").splitlines() == [
        '{"record": "scheme", "identifier": "uri-gin/", "title": "The scheme"}',
        '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}',
        '{"record": "authority", "identifier": "uri-gin/usgin/", "title": "Network"}',
    ]
    assert _export(steward, "uri-gin/azgs/").splitlines() == [
        '{"record": "rule", "identifier": "uri-gin/azgs/", "title": "Well", "status_code": 410}',
        '{"record": "resource-type", "identifier": "uri-gin/azgs/doc/", "title": "Document"}',
        '{"identifier": "uri-gin/azgs/doc/a", "title": "Well"}',
    ]
    assert _export(steward, "uri-gin/usgin/") == ""
    assert _export(steward, "uri-gin/azgs/doc/") == '{"identifier": "uri-gin/azgs/doc/a", "title": "Well"}\n'


EVERYTHING = (
    line(
        "uri-gin/azgs/doc/a",
        title={"en": "A", "de": "\u00c4"},
        status="retired",
        reason="Old.",
        successor="uri-gin/azgs/doc/b",
    )
    + line(
        "uri-gin/azgs/doc/b",
        representations=[
            {"media_type": "text/html", "valid_from": day, "location": "https://a.example/"}
            for day in ("1991-02-01", "prospective")
        ],
    )
    + line(
        "uri-gin/azgs/doc/c",
        representations=[
            {"part": ".pdf", "location": "https://a.example/c.pdf"},
            {"part": ".tif", "location": "https://a.example/c.tif"},
        ],
    )
    + line(
        "uri-gin/azgs/doc/d",
        links=[{"rel": "license", "href": "https://a.example/by"}],
        properties={"depth": "90", "subject": ["a", "b"]},
    )
    + line("uri-gin/azgs/doc/current", record="alias", stands_for="uri-gin/azgs/doc/b", status_code=302)
    + line("uri-gin/azgs/old/", record="rule", location="https://a.example/{+rest}", pass_query=True)
    + line("uri-gin/azgs/old/", record="rule", pattern="HP_{id}", status_code=410, reason="Gone.")
    + line("uri-gin/azgs/old/", record="delegation", answered_by="old.example.org")
    + line("uri-gin/azgs/lent/", record="delegation", answered_by="lent.example.org")
    + line("uri-gin/azgs/doc/nothing", title="Cleared later")
)
LATER = (
    line("uri-gin/azgs/doc/c", representations=[{"part": ".tif", "status": "retired"}])
    + line("uri-gin/azgs/lent/", record="delegation", answered_by=None)
    + line("uri-gin/azgs/doc/nothing", title=None)
    + line("uri-gin/azgs/doc/d", links=[{"rel": "license", "href": None}])
)


def test_changed_retired_cleared_and_ended_values_are_exported() -> None:
    steward = settled()
    assert steward.upload("uri-gin/azgs/all.jsonl", EVERYTHING).refused == {}
    assert steward.upload("uri-gin/azgs/later.jsonl", LATER).refused == {}

    fresh = _loaded(steward, "_host/", "uri-gin/azgs/")

    assert _held(fresh) == _held(steward)
    assert fresh.values("uri-gin/azgs/doc/nothing") == {}
    assert _export(fresh, "uri-gin/azgs/") == _export(steward, "uri-gin/azgs/")


def test_the_name_of_a_retired_part_stays_reserved() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/all.jsonl", EVERYTHING)
    steward.upload("uri-gin/azgs/later.jsonl", LATER)

    fresh = _loaded(steward, "_host/", "uri-gin/azgs/")

    held = fresh.values("uri-gin/azgs/doc/c")
    assert held is not None
    assert held["retired_parts"] == {".tif": True}


def test_a_host_is_exported_as_registered() -> None:
    steward = settled()
    steward.upload("_host/hosts.jsonl", line("http://resources.usgin.org/", record="host"))

    assert '"identifier": "http://resources.usgin.org/"' in _export(steward, "_host/")
    assert _held(_loaded(steward, "_host/", "uri-gin/")) == _held(steward)
