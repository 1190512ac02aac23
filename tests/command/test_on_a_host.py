"""Names that are bound to a host: every command accepts the folder of a host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command.conftest import Served
from tests.steward import Steward, line

HOST = (
    line("http://purl.example.org/", record="host", title="A PURL server", contact="purl@example.org")
    + line("http://purl.example.org/net/", record="authority", title="A domain", contact="net@example.org")
    + line("http://id.example/", record="host", title="Another host")
)
FOLDER, ROOT, NET = "purl.example.org/net/", "http://purl.example.org/", "//purl.example.org/net/"
OLD, NEW = "https://old.example/", "https://new.example/"
EXACT, DOTTED, PREFIX, GONE, CHAIN = (
    f"{NET}{each}" for each in ("map", "map.pdf", "wells/", "lost", "chart")
)


def _full(identifier: str) -> str:
    return f"http:{identifier}"


LINES = (
    line(_full(EXACT), location=f"{OLD}map", contact="jane@example.org")
    + line(_full(DOTTED), location=f"{OLD}map.pdf", status_code=301)
    + line(
        _full(PREFIX),
        record="rule",
        location=f"{OLD}wells/{{+rest}}",
        status_code=302,
        contact="wells@example.org",
    )
    + line(_full(NET), record="rule", pattern="HP_{id}", location=f"{OLD}hp{{?id}}")
    + line(_full(GONE), status="retired", reason="It was a mistake.")
    + line(_full(CHAIN), record="alias", stands_for=_full(EXACT), status_code=302)
    + line(
        _full(f"{NET}stored/"),
        representations=[{"part": "a.csv", "media_type": "text/csv", "file": "a.csv.file"}],
    )
)
KEY = f"{FOLDER}purls.jsonl"


@pytest.fixture
def hosted(served: Served) -> Served:
    """Return a stack in which a host, a domain of it and some names in the domain are registered."""
    served.begin_with("purl.example.org", lambda: _set_up(served))
    return served


def _set_up(served: Served) -> None:
    served.put("_host/hosts.jsonl", HOST)
    served.put(f"{FOLDER}a.csv.file", "a,b\n")
    report = served.report(served.put(KEY, LINES))
    assert [each["findings"] for each in report["verdicts"] if each["verdict"] == "refused"] == []


def _counts(served: Served, name: str) -> dict[str, int]:
    return {each: number for each, number in served.report(name)["counts"].items() if number}


def test_a_file_is_judged_without_a_stack(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "purls.jsonl"
    file.write_text(LINES)

    for under in ("purl.example.org/net", "http://purl.example.org/net/", "purl.example.org/"):
        result = served.run("validate", str(file), "--under", under)
        assert "7 registered" in result.stdout, result.output


def test_a_file_is_tried_out_uploaded_and_listed(hosted: Served, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    file.write_text(line(_full(f"{NET}more"), location=f"{OLD}more") + line(f"{ROOT}other/x", location=OLD))

    tried = hosted.run("upload", str(file), "--under", "http://purl.example.org/net", "--dry-run")
    assert "2 identifiers in 2 rows: 1 refused, 1 registered" in tried.stdout
    assert "Upload this to the folder purl.example.org/other/" in tried.stdout
    assert hosted.values(f"{NET}more") is None
    done = hosted.run("upload", str(file), "--under", FOLDER, "--yes")
    assert (done.exit_code, hosted.values(f"{NET}more") is None) == (1, False)
    told = [
        json.loads(each) for each in hosted.run("uploads", "--under", FOLDER, "--json").stdout.splitlines()
    ]
    assert [each["key"] for each in told if not each["stored"]] == [f"{FOLDER}more.jsonl"] * 2 + [KEY]


def test_an_exported_folder_makes_the_same_registry_in_an_empty_stack(hosted: Served, tmp_path: Path) -> None:
    before = tmp_path / "taken"
    assert hosted.run("export", "--to", str(before), "--files").exit_code == 0
    assert sorted(each.relative_to(before).as_posix() for each in before.rglob("*") if each.is_file()) == [
        "_host/export.jsonl",
        "purl.example.org/export.jsonl",
        f"{FOLDER}a.csv.file",
        "uri-gin/azgs/export.jsonl",
    ]
    lines = [json.loads(each) for each in (before / "purl.example.org/export.jsonl").read_text().splitlines()]
    assert {each["identifier"] for each in lines} == {
        _full(name) for name in (EXACT, DOTTED, PREFIX, NET, GONE, CHAIN, f"{NET}stored/")
    }
    fresh = Steward()
    for file in (f"{FOLDER}a.csv.file", "_host/export.jsonl", "purl.example.org/export.jsonl"):
        taken = fresh.upload(file, (before / file).read_bytes())
        assert taken.refused == {}

    assert (
        "".join(fresh.exported("purl.example.org/")) == (before / "purl.example.org/export.jsonl").read_text()
    )


def test_export_explains_how_to_load_its_output(hosted: Served, tmp_path: Path) -> None:
    file = tmp_path / "net.jsonl"

    result = hosted.run("export", "--under", "http://purl.example.org/net/", "--output", str(file))

    assert f"ginuri upload {file} --under {FOLDER}" in result.stderr
    assert "1 stored file is named, not written" in result.stderr
    assert "of them is not under" not in result.stderr
    loaded = hosted.run("upload", str(file), "--under", FOLDER, "--yes", "--json")
    assert json.loads(loaded.stdout)["counts"] | {"warned": 0} == {
        "registered": 0,
        "changed": 0,
        "unchanged": 7,
        "refused": 0,
        "warned": 0,
    }


def test_locations_move_from_the_folder_of_the_domain(hosted: Served) -> None:
    hosted.put("purl.example.org/flat.jsonl", line(f"{ROOT}flat", location=f"{OLD}flat"))
    before = {name: hosted.values(name) for name in (EXACT, DOTTED, PREFIX, NET, "//purl.example.org/flat")}

    result = hosted.run("relocate", "--from", OLD, "--to", NEW, "--many", "--yes")

    assert result.exit_code == 0, result.output
    assert hosted.said()[-1][0] == "purl.example.org/relocate.jsonl"
    for name, values in before.items():
        assert hosted.values(name) == json.loads(json.dumps(values).replace(OLD, NEW))


def test_locations_move_under_a_prefix_of_a_host_only(hosted: Served) -> None:
    result = hosted.run(
        "relocate", "--from", OLD, "--to", NEW, "--under", f"{FOLDER}wells/", "--many", "--yes"
    )

    assert result.exit_code == 0, result.output
    assert hosted.said()[-1][0] == f"{FOLDER}wells/relocate.jsonl"
    assert NEW in json.dumps(hosted.values(PREFIX))
    assert OLD in json.dumps(hosted.values(EXACT))


def test_an_upload_is_listed_and_undone(hosted: Served) -> None:
    name = hosted.put(
        f"{FOLDER}later.jsonl", line(_full(EXACT), location=f"{NEW}map") + line(_full(f"{NET}new"))
    )

    told = hosted.run("history", "http://purl.example.org/net/map", "--json")
    assert [each["upload"] for each in json.loads(told.stdout)["changes"]] == [KEY, f"{FOLDER}later.jsonl"]
    undone = hosted.run("rollback", name, "--yes")

    assert undone.exit_code == 0, undone.output
    assert hosted.said()[-1][0] == f"{FOLDER}rollback-later.jsonl"
    assert f"{OLD}map" in json.dumps(hosted.values(EXACT))
    assert (hosted.values(f"{NET}new") or {})["status"] == "reserved"


def test_a_host_with_registered_names_is_not_undone(hosted: Served) -> None:
    name = hosted.put("_host/more.jsonl", line("http://more.example/", record="host"))
    hosted.put("more.example/x.jsonl", line("http://more.example/x", location=OLD))

    result = hosted.run("rollback", name, "--yes")

    assert "//more.example/: //more.example/x is registered under it." in result.stdout
    assert result.exit_code == 1


def test_a_snapshot_of_a_domain_retires_missing_names(hosted: Served, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_text(
        line(_full(EXACT), location=f"{OLD}map") + line(f"{ROOT}net/wells/", record="rule", location=OLD)
    )
    hosted.put("purl.example.org/flat.jsonl", line(f"{ROOT}flat", location=f"{OLD}flat"))

    result = hosted.run(
        "upload",
        str(file),
        "--under",
        FOLDER,
        "--snapshot",
        "http://purl.example.org/net/",
        "--many",
        "--yes",
    )

    assert result.exit_code == 0, result.output
    assert (hosted.values(DOTTED) or {})["status"] == "retired"
    assert "status" not in (hosted.values(EXACT) or {})
    assert "status" not in (hosted.values("//purl.example.org/flat") or {})
    assert "status" not in (hosted.values("//purl.example.org/") or {})


def test_a_file_is_stored_and_registered_under_a_name_of_the_host(hosted: Served, tmp_path: Path) -> None:
    file = tmp_path / "scan.pdf"
    file.write_bytes(b"%PDF-1.4")

    result = hosted.run("upload", str(file), "--as", "http://purl.example.org/net/scan.pdf", "--yes")

    assert result.exit_code == 0, result.output
    assert hosted.said()[-1][0] == f"{FOLDER}scan.pdf.jsonl"
    form: Any = (hosted.values(f"{NET}scan.pdf") or {})["representations"]
    [stored] = form.values()
    assert stored["file"]["key"] == f"{FOLDER}scan.pdf"


def test_a_rule_that_loops_is_refused_and_one_that_returns_is_warned(hosted: Served) -> None:
    hosted.put(
        "id.example/rules.jsonl", line("http://id.example/", record="rule", location=f"{OLD}{{+rest}}")
    )
    leads = [f"{ROOT}net/0/{{+rest}}", "https://id.example/a/{+rest}", "https://other.example/{+rest}"]
    name = hosted.put(
        f"{FOLDER}more.jsonl",
        "".join(line(f"{ROOT}net/{n}/", record="rule", location=each) for n, each in enumerate(leads)),
    )

    verdicts = [
        (each["verdict"], each["findings"][0]["rule"] if each["findings"] else "")
        for each in hosted.report(name)["verdicts"]
    ]
    assert verdicts == [("refused", "itself"), ("registered", "leads back"), ("registered", "")]


def test_a_location_that_loops_is_refused_and_one_that_returns_warned(hosted: Served) -> None:
    name = hosted.put(
        f"{FOLDER}more.jsonl",
        line(f"{ROOT}net/loop", location="https://PURL.example.org/net/loop")
        + line(f"{ROOT}net/back", location=_full(EXACT)),
    )

    loop, back = hosted.report(name)["verdicts"]
    assert (loop["verdict"], loop["findings"][0]["rule"]) == ("refused", "itself")
    assert (back["verdict"], back["findings"][0]["rule"]) == ("registered", "leads back")


def test_a_handed_over_domain_is_registered_only_from_the_receivers_folder(
    hosted: Served,
) -> None:
    hosted.put(
        f"{FOLDER}delegations.jsonl", line(f"{ROOT}net/azgs/", record="delegation", to="uri-gin/azgs/")
    )
    purl = line(f"{ROOT}net/azgs/x", location=OLD)

    own, others = (hosted.put(f"{folder}purls.jsonl", purl) for folder in (FOLDER, "uri-gin/azgs/"))

    assert _counts(hosted, own)["refused"] == 1
    assert (
        "Upload this to the folder uri-gin/azgs/"
        in hosted.report(own)["verdicts"][0]["findings"][0]["message"]
    )
    assert _counts(hosted, others)["registered"] == 1
