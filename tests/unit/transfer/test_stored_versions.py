"""The versions of stored files in the texts of items."""

from __future__ import annotations

import json
from dataclasses import asdict

from ginuri.registry.model import StoredFile
from ginuri.registry.record.items import items_of
from ginuri.registry.record.record import Record, apply
from ginuri.transfer.stored_versions import replace_versions
from tests.builders import MAP, stamp, stated

FILE = StoredFile('uri-gin/azgs/"é".pdf', "v1", 4, "ef" * 32, "2011-08-25T17:30:00Z")
OTHER = StoredFile("uri-gin/azgs/other.pdf", "v1", 4, "ab" * 32, "2011-08-25T17:30:00Z")
NEW = {(FILE.key, "v1"): 'a"new\\one'}


def _files(*files: StoredFile) -> list[dict[str, object]]:
    return [{"part": f".{number}", "file": asdict(file)} for number, file in enumerate(files)]


def test_a_record_names_the_new_version_of_its_file() -> None:
    values = {"title": {"en": '{"key":"x"}'}, "representations": _files(FILE, OTHER)}
    now, *_ = items_of(apply(Record(MAP, {}), stated(values), stamp()))

    body = json.loads(replace_versions(now, NEW)["body"])

    pinned = [form["file"] for form in body["representations"].values()]
    assert pinned == [{**asdict(FILE), "version": 'a"new\\one'}, asdict(OTHER)]
    assert body["title"] == {"en": '{"key":"x"}'}


def test_displaced_files_have_their_new_versions_as_well() -> None:
    first = apply(Record(MAP, {}), stated({"representations": _files(FILE)}), stamp())
    second = apply(first.after, stated({"representations": _files(OTHER)}), stamp(1))
    _, past, _ = items_of(second)

    assert past is not None
    assert json.dumps('a"new\\one') in replace_versions(past, NEW)["stamps"]


def test_a_text_that_looks_like_a_stored_file_stays() -> None:
    title = json.dumps(asdict(FILE), separators=(",", ":"))
    now, *_ = items_of(apply(Record(MAP, {}), stated({"title": {"en": title}}), stamp()))

    assert replace_versions(now, NEW) == now
