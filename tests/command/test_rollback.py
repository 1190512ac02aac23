"""`ginuri rollback`: restores the values from before an upload, except those changed since."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload, report_key, write_unfinished
from ginuri.registry.rules.beginnings import record_of_beginning
from tests.command.conftest import DOC, Served
from tests.steward import line
from tests.terminal import at_a_terminal

OTHER = "uri-gin/azgs/doc/b"
KEY = "uri-gin/azgs/docs.jsonl"


def _places(where: str, *names: str) -> str:
    return "".join(line(name, location=f"https://{where}.example/x") for name in names)


def _put_twice(served: Served, *names: str) -> str:
    """Register identifiers at one place, then at another; return the name of the second upload."""

    def put() -> str:
        served.put(KEY, _places("one", *names))
        return served.put(KEY, _places("two", *names))

    return served.begin_with(f"two places of {names}", put)


def _location(served: Served, name: str = DOC) -> str:
    [form] = (served.values(name) or {})["representations"].values()
    location: str = form["location"]
    return location


def test_rollback_restores_the_values_and_states_its_reason(served: Served) -> None:
    second = _put_twice(served, DOC, OTHER)

    result = served.run("rollback", second)

    assert (result.exit_code, result.stderr) == (0, "")
    assert [_location(served, name) for name in (DOC, OTHER)] == ["https://one.example/x"] * 2
    assert served.said()[-1] == (
        "uri-gin/azgs/rollback-docs.jsonl",
        write_options(UploadOptions(reason=f"rollback of {second}")),
    )
    assert "2 identifiers in 2 rows: 2 changed" in result.stdout
    assert "to undo it: ginuri rollback 'uri-gin/azgs/rollback-docs.jsonl#" in result.stdout


def test_a_rollback_can_itself_be_undone(served: Served) -> None:
    second = _put_twice(served, DOC)
    undone = json.loads(served.run("rollback", second, "--json").stdout)["report"]["upload"]

    assert served.run("rollback", f"{undone['key']}#{undone['version']}").exit_code == 0
    assert _location(served) == "https://two.example/x"


def test_a_later_change_is_kept_and_reported(served: Served) -> None:
    second = _put_twice(served, DOC, OTHER)
    third = served.put("uri-gin/azgs/later.jsonl", _places("three", DOC))

    result = served.run("rollback", second)

    assert result.exit_code == 1
    assert (_location(served), _location(served, OTHER)) == (
        "https://three.example/x",
        "https://one.example/x",
    )
    assert f"left unchanged: {DOC}: representations.form.location: Changed since" in result.stdout
    assert f"({third}, line 1, " in result.stdout


def test_kept_later_changes_are_printed_as_json(served: Served) -> None:
    second = _put_twice(served, DOC)
    third = served.put("uri-gin/azgs/later.jsonl", _places("three", DOC))

    result = served.run("rollback", second, "--json")

    told = json.loads(result.stdout)
    assert (result.exit_code, told["report"]) == (1, None)
    [skipped] = told["skipped"]
    assert (skipped["identifier"], skipped["verdict"]) == (DOC, "skipped")
    assert skipped["field"] == ["representations", "form   ", "location"]
    assert f"{skipped['since']['upload']}#{skipped['since']['version']}" == third


def test_an_identifier_registered_by_mistake_is_reserved_and_may_be_registered_again(served: Served) -> None:
    first = served.put(KEY, _places("one", DOC))

    assert served.run("rollback", first).exit_code == 0
    assert served.values() == {"status": "reserved", "reason": "registered in error"}

    anew = served.put(KEY, line(DOC, title="Anew", status="valid", reason=None))
    assert served.report(anew)["counts"]["changed"] == 1
    assert served.values() == {"status": "valid", "title": {"": "Anew"}}


def test_a_record_that_others_depend_on_is_not_undone(served: Served) -> None:
    types = served.put("uri-gin/azgs/2.jsonl", line("uri-gin/azgs/well/", record="resource-type"))
    first = served.put(KEY, _places("one", DOC))
    served.put(KEY, json.dumps({"identifier": DOC, "title": {"de": "Brunnen"}}))
    served.put(KEY, line("uri-gin/azgs/well/17/"))

    told, under = served.run("rollback", first), served.run("rollback", types)

    assert (told.exit_code, under.exit_code) == (1, 1)
    assert f"left unchanged: {DOC}: title.de: Changed since by another upload. ({KEY}#" in told.stdout
    assert "left unchanged: uri-gin/azgs/well/: uri-gin/azgs/well/17/ is registered under it." in under.stdout
    assert (served.values() or {})["title"] == {"": "Well", "de": "Brunnen"}


def test_a_type_and_the_records_under_it_are_undone_together(served: Served) -> None:
    both = served.put(KEY, line("uri-gin/azgs/well/", record="resource-type") + line("uri-gin/azgs/well/17/"))

    assert served.run("rollback", both).exit_code == 0
    assert (served.values("uri-gin/azgs/well/") or {})["status"] == "reserved"
    assert (served.values("uri-gin/azgs/well/17/") or {})["status"] == "reserved"


def test_an_undone_handover_returns_the_prefix_to_its_owner(served: Served) -> None:
    lent = "uri-gin/azgs/lent/"
    served.put("_host/cgi.jsonl", line("uri-gin/cgi/", record="authority"))
    served.put(KEY, line(lent, record="delegation", to="uri-gin/cgi/"))
    second = served.put(
        KEY,
        line(lent, record="delegation", to="uri-gin/usgin/")
        + line(lent, record="delegation", to=None, valid_from="2127-01-01"),
    )

    assert served.run("rollback", second).exit_code == 0
    assert (served.values(lent) or {})["delegation"]["to"] == {"": "uri-gin/cgi/"}


def test_undoing_an_upload_ends_its_handover(served: Served) -> None:
    lent = "uri-gin/azgs/lent/"
    begun = served.put(
        KEY, line(lent, record="delegation", to="uri-gin/usgin/", valid_from="2011-01-01", title=None)
    )

    assert served.run("rollback", begun).exit_code == 0
    back = served.report(served.put("uri-gin/azgs/x.jsonl", line(f"{lent}1")))
    assert back["counts"]["registered"] == 1


def test_a_correction_is_undone_by_another_correction(served: Served) -> None:
    served.put(KEY, line(DOC, location="https://one.example/x"))
    held = served.values()
    options = write_options(UploadOptions(is_correction=True, reason="It was never a document."))
    second = served.put(KEY, line(DOC, record="alias", stands_for=OTHER), **options)
    assert (served.values() or {})["record"] == "alias"

    result = served.run("rollback", second)

    assert (result.exit_code, result.stderr) == (0, "")
    assert {**(served.values() or {}), "record": None} == {**(held or {}), "record": None}
    assert (served.values() or {})["record"] == "resource"


def test_undoing_a_snapshot_restores_retired_records_and_their_rules(served: Served) -> None:
    served.put(KEY, _places("one", DOC, OTHER) + line("uri-gin/azgs/doc/", record="rule", status_code=410))
    held = [served.values(name) for name in (DOC, OTHER, "uri-gin/azgs/doc/")]
    snapshot = write_options(UploadOptions(snapshot="uri-gin/azgs/doc/", is_many=True, reason="Closed."))
    second = served.put("uri-gin/azgs/all.jsonl", _places("one", DOC), **snapshot)
    assert (served.values(OTHER) or {})["status"] == "retired"

    result = served.run("rollback", second, "--many")

    assert (result.exit_code, result.stderr) == (0, "")
    assert [served.values(name) for name in (DOC, OTHER, "uri-gin/azgs/doc/")] == held


LITH = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://r.org/uri-gin/azgs/lith/> .
<http://r.org/uri-gin/azgs/lith/> a skos:ConceptScheme ; skos:prefLabel "{0}"@en .
:rock skos:inScheme <http://r.org/uri-gin/azgs/lith/> ; skos:prefLabel "{0}"@en ; skos:altLabel "{0}"@en .
"""
ROCK = "uri-gin/azgs/lith/rock"


def test_a_vocabulary_is_restored_with_its_triples_without_reading_its_file(served: Served) -> None:
    key = "uri-gin/azgs/lith.ttl"
    served.put(key, LITH.format("one"))
    held = served.values(ROCK)
    second = served.put(key, LITH.format("two"))
    assert served.values(ROCK) != held

    result = served.run("rollback", second)

    assert (result.exit_code, result.stderr) == (0, "")
    assert served.values(ROCK) == held
    assert [name for name, _ in served.said()][-2:] == [f"{key}.file", "uri-gin/azgs/rollback-lith.jsonl"]
    assert _content(served, "uri-gin/azgs/lith/") == LITH.format("one").encode()


def test_a_vocabulary_registered_by_mistake_is_reserved(served: Served) -> None:
    first = served.put("uri-gin/azgs/lith.ttl", LITH.format("one"))

    assert served.run("rollback", first).exit_code == 0
    assert (served.values(ROCK) or {})["status"] == "reserved"
    assert "triples" not in (served.values(ROCK) or {})


RULED = "uri-gin/azgs/old/"


def test_rules_and_delegations_are_undone_too(served: Served) -> None:
    served.put(KEY, line(RULED, record="rule", location="https://a.example/{+rest}", status_code=301))
    held = served.values(RULED)
    second = served.put(
        KEY,
        line(RULED, record="rule", status_code=410)
        + line(RULED, record="rule", pattern="HP_{id}", status_code=404)
        + line(RULED, record="delegation", answered_by="old.example.org"),
    )

    result = served.run("rollback", second)

    assert result.exit_code == 0
    assert served.values(RULED) == held


def _standing(served: Served, prefix: str = RULED) -> dict[str, object]:
    """Return the rules of a prefix in records of their own."""
    names = [record_of_beginning(prefix, each) for each in served.registry.beginnings(prefix).names]
    return {name: record.values() for name, record in served.registry.read(names).items()}


def test_rules_stored_by_their_beginnings_are_undone(served: Served) -> None:
    rules = [line(RULED, record="rule", pattern=f"{each}_{{id}}", status_code=410) for each in "abc"]
    served.put(KEY, rules[0] + rules[1])
    held = _standing(served)
    second = served.put(KEY, rules[0].replace("410", "404") + rules[1] + rules[2])

    result = served.run("rollback", second)

    assert (result.exit_code, result.stderr) == (0, "")
    assert "1 identifier in 2 rows: 2 changed" in result.stdout
    assert _standing(served) == {**held, f"rules {RULED}c_": {}}


def test_an_undone_snapshot_restores_rules_stored_by_their_beginnings(served: Served) -> None:
    served.put(KEY, line(DOC) + line(RULED, record="rule", pattern="a_{id}", status_code=410))
    held = _standing(served)
    snapshot = write_options(UploadOptions(snapshot="uri-gin/azgs/", is_many=True))
    second = served.put("uri-gin/azgs/all.jsonl", line(DOC), **snapshot)
    assert _standing(served) == {f"rules {RULED}a_": {}}

    result = served.run("rollback", second, "--many")

    assert result.exit_code == 0
    assert _standing(served) == held


def test_an_alias_keeps_its_target(served: Served) -> None:
    name = "uri-gin/azgs/doc/current"
    served.put(KEY, line(name, record="alias", stands_for=DOC))
    held = served.values(name)
    second = served.put(KEY, line(name, record="alias", stands_for=OTHER, status_code=302))

    assert served.run("rollback", second).exit_code == 0
    assert served.values(name) == held


def _named(name: str = DOC) -> str:
    return line(name, representations=[{"part": ".pdf", "file": "a.pdf"}])


def _content(served: Served, name: str = DOC) -> bytes:
    [form] = (served.values(name) or {})["representations"].values()
    pinned = {"Key": form["file"]["key"], "VersionId": form["file"]["version"]}
    return served.s3.get_object(Bucket=served.buckets["content"], **pinned)["Body"].read()


@pytest.mark.untraced
def test_a_replaced_stored_file_is_restored(served: Served) -> None:
    served.put("uri-gin/azgs/a.pdf", b"one")
    served.put(KEY, _named())
    served.put("uri-gin/azgs/a.pdf", b"two")
    second = served.put(KEY, _named())

    tried = served.run("rollback", second, "--dry-run")
    kept = _content(served)
    result = served.run("rollback", second)

    assert (tried.exit_code, result.exit_code, kept) == (0, 0, b"two")
    assert "restored first: uri-gin/azgs/a.pdf as of" in tried.stdout
    assert _content(served) == b"one"
    upload = result.stdout.partition("ginuri rollback '")[2].partition("'")[0]
    assert served.run("rollback", upload).exit_code == 0
    assert _content(served) == b"two"


def test_undoing_restores_one_of_two_versions_of_a_stored_file(served: Served) -> None:
    for name, body in ((DOC, b"one"), (OTHER, b"two")):
        served.put("uri-gin/azgs/a.pdf", body)
        served.put(KEY, _named(name))
    served.put("uri-gin/azgs/a.pdf", b"three")
    third = served.put(KEY, _named() + _named(OTHER))

    result = served.run("rollback", third)

    assert result.exit_code == 1
    assert f"left unchanged: {OTHER}: Another version of the stored file" in result.stdout
    assert (_content(served), _content(served, OTHER)) == (b"one", b"three")


def test_a_stored_file_of_another_folder_is_reported(served: Served) -> None:
    served.put("uri-gin/azgs/a.pdf", b"one")
    served.put(KEY, _named())
    second = served.put(
        "uri-gin/azgs/doc/docs.jsonl", line(DOC, representations=[{"part": ".pdf", "file": None}])
    )

    result = served.run("rollback", second)

    assert result.exit_code == 1
    assert "The stored file uri-gin/azgs/a.pdf is not in the folder uri-gin/azgs/doc/" in result.stdout


def test_a_dry_run_of_rollback_shows_the_result_and_changes_nothing(served: Served) -> None:
    second = _put_twice(served, DOC)

    result = served.run("rollback", second, "--dry-run")

    assert result.exit_code == 0
    assert "location: https://two.example/x → https://one.example/x" in result.stdout
    assert _location(served) == "https://two.example/x"


@pytest.mark.parametrize(("answer", "code", "place"), [("n", 1, "two"), ("y", 0, "one")])
@pytest.mark.untraced
def test_rollback_on_a_terminal_shows_the_changes_and_asks(
    served: Served, answer: str, code: int, place: str
) -> None:
    second = _put_twice(served, DOC)
    command = [str(Path(sys.executable).with_name("ginuri")), "rollback", second]

    ended, seen = at_a_terminal(command, {**os.environ, **served.environment}, answer)

    assert "location: https://two.example/x → https://one.example/x" in seen.partition("Upload it? [y/N]")[0]
    assert (ended, _location(served)) == (code, f"https://{place}.example/x")


@pytest.mark.parametrize(
    "address",
    ["s3://reports/{key}/{version}.json", "http://127.0.0.1:8000/reports/{key}/{version}.html"],
)
def test_an_upload_may_be_named_by_the_address_of_its_report(served: Served, address: str) -> None:
    key, _, version = _put_twice(served, DOC).partition("#")

    assert served.run("rollback", address.format(key=key, version=version)).exit_code == 0
    assert _location(served) == "https://one.example/x"


def test_an_upload_without_changes_has_nothing_to_undo(served: Served) -> None:
    served.put(KEY, _places("one", DOC))
    again = served.put(KEY, _places("one", DOC))

    result = served.run("rollback", again)

    assert (result.exit_code, result.stdout) == (1, f"{again}: nothing is left to undo\n")


def test_a_name_without_an_upload_is_reported(served: Served) -> None:
    tried = served.put(KEY, _places("one", DOC), **write_options(UploadOptions(is_dry_run=True)))

    assert "was a dry run" in served.run("rollback", tried).stderr
    assert "There is no report" in served.run("rollback", f"{KEY}#none").stderr
    assert served.run("rollback", "wells").exit_code == 2
    stored = served.put("uri-gin/azgs/a.pdf", b"one")
    assert served.run("rollback", stored).exit_code == 2


@pytest.mark.untraced
def test_a_large_rollback_is_compressed(served: Served) -> None:
    many = [f"uri-gin/azgs/doc/{number}" for number in range(30)]
    long = {"description": "x" * 50_000}
    served.put(KEY, "".join(line(name, **long) for name in many))
    second = served.put(
        KEY,
        "".join(line(name, description="y") for name in many),
        **write_options(UploadOptions(is_many=True)),
    )

    refused = served.run("rollback", second)

    assert refused.exit_code == 1
    [why] = [each for each in refused.stdout.splitlines() if "refused (30)" in each]
    assert why.startswith(
        "  the whole upload: refused (30): This upload would change or retire 30 identifiers"
    )
    assert why.endswith("upload it again with --many.")
    assert "to undo it" not in refused.stdout
    assert served.run("rollback", second, "--many").exit_code == 0
    assert served.said()[-1][0] == "uri-gin/azgs/rollback-docs.jsonl.gz"
    assert (served.values(many[-1]) or {})["description"] == {"": "x" * 50_000}


def test_an_unfinished_upload_is_not_undone(served: Served) -> None:
    upload = Upload(served.buckets["uploads"], KEY, "v1", "2011-08-25T17:00:00.000Z")
    body = write_unfinished(upload, "part 1", 5, "the table is away")
    served.s3.put_object(Bucket=served.buckets["reports"], Key=report_key(KEY, "v1"), Body=body)

    result = served.run("rollback", f"{KEY}#v1")

    assert result.exit_code == 2
    assert "is not finished" in result.stderr
    assert "ginuri redrive" in result.stderr
