"""`ginuri history`: the registered values, each with its upload and time, and the answer on a day."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ginuri.cli.stack import LOCAL_STACK_VARIABLE
from ginuri.files.reports.summary import ReportSummary, Uploader, summary_key, write_summary
from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import add_cuts, put_under, raise_revision
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.rules.beginnings import cover_of, record_of_rule
from infra.local.aws.clients import Account
from tests.builders import keyed
from tests.command.conftest import DOC, Kept


@pytest.fixture
def moved(kept: Kept) -> Kept:
    """Return a document that moved, and was retired in the end."""
    place = ("representations", "form   ")
    kept.say(
        "2011-08-25",
        keyed({("title", "en"): "Wells", (*place, "first"): 0, (*place, "location"): "https://a.example/1"}),
        DOC,
    )
    kept.say("2015-03-01", keyed({(*place, "location"): "https://a.example/2"}), DOC)
    kept.state("2019-06-02", status="retired")
    return kept


def test_history_shows_who_changed_each_field_and_when_in_order(moved: Kept) -> None:
    result = moved.run("history", f"http://resources.usgin.org/{DOC}")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        DOC,
        "2011-08-25T12:00:00.000Z  uri-gin/azgs/docs.csv#v 2011-08-25 line 7",
        "  representations.form.location: — → https://a.example/1",
        "  title.en: — → Wells",
        "2015-03-01T12:00:00.000Z  uri-gin/azgs/docs.csv#v 2015-03-01 line 7",
        "  representations.form.location: https://a.example/1 → https://a.example/2",
        "2019-06-02T12:00:00.000Z  uri-gin/azgs/docs.csv#v 2019-06-02 line 7",
        "  status: — → retired",
    ]


def test_history_prints_json(moved: Kept) -> None:
    result = moved.run("history", DOC, "--json")

    told = json.loads(result.stdout)
    assert told["identifier"] == DOC
    assert [each["put"][:10] for each in told["changes"]] == ["2011-08-25", "2015-03-01", "2019-06-02"]
    assert told["changes"][2] == {
        "put": "2019-06-02T12:00:00.000Z",
        "upload": "uri-gin/azgs/docs.csv",
        "version": "v 2019-06-02",
        "line": 7,
        "principal": None,
        "submitter": None,
        "fields": [{"field": ["status"], "from": None, "to": "retired"}],
    }


def test_history_shows_the_principal_of_each_upload(moved: Kept, account: Account) -> None:
    summary = ReportSummary("", {}, submitter="Ana", uploader=Uploader("AROA:api", "mailto:jane@example.org"))
    key, bucket = summary_key("uri-gin/azgs/docs.csv", "v 2015-03-01"), moved.reports_bucket
    account.client("s3").put_object(Bucket=bucket, Key=key, Body=write_summary(summary))

    result, told = moved.run("history", DOC), moved.run("history", DOC, "--json")

    lines = result.stdout.splitlines()
    assert lines[lines.index("2015-03-01T12:00:00.000Z  uri-gin/azgs/docs.csv#v 2015-03-01 line 7") + 1] == (
        "  by jane@example.org, stated submitter: Ana"
    )
    uploaders = [(each["principal"], each["submitter"]) for each in json.loads(told.stdout)["changes"]]
    assert uploaders == [(None, None), ("mailto:jane@example.org", "Ana"), (None, None)]


@pytest.mark.parametrize(
    ("day", "where"),
    [
        ("2011-08-25", "https://a.example/1"),
        ("2015-02-28", "https://a.example/1"),
        ("2019-06-01", "https://a.example/2"),
    ],
)
def test_history_at_a_day_shows_the_values_and_the_location(moved: Kept, day: str, where: str) -> None:
    told, said = moved.run("history", DOC, "--at", day, "--json"), moved.run("history", DOC, "--at", day)

    answer = json.loads(told.stdout)["answer"]
    assert (told.exit_code, said.exit_code) == (0, 0)
    assert json.loads(told.stdout)["record"]["representations"]["form   "]["location"] == where
    assert (answer["outcome"], answer["leads_to"]) == ("SeeRepresentation", where)
    assert f"  representations.form.location: {where}" in said.stdout
    assert f"  leads to: {where}" in said.stdout


def test_an_upload_counts_from_its_own_day(moved: Kept) -> None:
    told = json.loads(moved.run("history", DOC, "--at", "2019-06-02", "--json").stdout)

    assert (told["record"]["status"], told["answer"]["outcome"]) == ("retired", "Retired")


def test_a_day_before_the_first_registration_is_before_the_records(moved: Kept) -> None:
    result = moved.run("history", DOC, "--at", "2011-08-24")

    assert result.exit_code == 1
    assert "before our records, which begin 2011-08-25T12:00:00.000Z" in result.stdout
    assert "answer: NotRegistered" in result.stdout
    told = json.loads(moved.run("history", DOC, "--at", "2011-08-24", "--json").stdout)
    assert (told["record"], told["modified"]) == (None, None)


@pytest.mark.parametrize(
    ("properties", "said"),
    [
        ({"created": "1997-06-01", "issued": "1998"}, "created 1997-06-01"),
        ({"issued": ["second edition", "1998-02"]}, "issued 1998-02"),
        ({"created": "long ago"}, None),
        ({"county": "Cochise"}, None),
    ],
)
def test_a_day_before_the_records_shows_the_date_of_the_document(
    kept: Kept, properties: dict[str, Any], said: str | None
) -> None:
    kept.state("2011-08-25", properties=properties)

    result = kept.run("history", DOC, "--at", "2000-01-01")

    assert result.exit_code == 1
    assert [line.strip() for line in result.stdout.splitlines() if "metadata" in line] == (
        [f"date in its own metadata: {said}"] if said else []
    )
    told = json.loads(kept.run("history", DOC, "--at", "2000-01-01", "--json").stdout)
    assert told["original_date"] == (dict([said.split()]) if said else None)
    assert "metadata" not in kept.run("history", DOC, "--at", "2012-01-01").stdout


def test_the_history_command_exits_1_for_an_unregistered_name(moved: Kept) -> None:
    result = moved.run("history", f"{DOC}/")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [f"{DOC}/", "This identifier was never registered."]


def test_history_applies_the_rule_and_the_delegation_of_the_day(kept: Kept) -> None:
    rule = ("rules", "")
    kept.say(
        "2011-01-01",
        keyed(
            {
                (*rule, "title", ""): "Old",
                (*rule, "representations", "form   ", "first"): 0,
                (*rule, "representations", "form   ", "location"): "https://old.example/{+rest}",
            }
        ),
        "uri-gin/azgs/old/",
    )
    kept.say("2014-01-01", keyed({(*rule, "status"): "retired"}), "uri-gin/azgs/old/")
    kept.say("2016-01-01", keyed({("delegation", "answered_by"): "cores.example.org"}), "uri-gin/azgs/")

    def answer(day: str) -> Any:
        return json.loads(kept.run("history", "uri-gin/azgs/old/17", "--at", day, "--json").stdout)["answer"]

    assert answer("2012-01-01")["leads_to"] == "https://old.example/17"
    assert answer("2015-01-01")["outcome"] == "NotRegistered"
    assert answer("2017-01-01")["leads_to"] == "http://cores.example.org/uri-gin/azgs/old/17"


def test_the_version_in_force_is_that_of_the_requested_day(kept: Kept) -> None:
    forms = [
        {"part": f"{day}.html", "valid_from": day, "location": f"https://a.example/{day}"}
        for day in ("1991-02-01", "2015-06-01")
    ]
    kept.state("2011-01-01", representations=forms)

    def leads_to(day: str) -> Any:
        return json.loads(kept.run("history", DOC, "--at", day, "--json").stdout)["answer"]["leads_to"]

    assert leads_to("2012-01-01") == f"/{DOC}/1991-02-01"
    assert leads_to("2016-01-01") == f"/{DOC}/2015-06-01"


def test_history_prints_no_control_characters_of_stewards(kept: Kept) -> None:
    kept.state("2011-08-25", title={"en": "\x1b[2J"})

    assert (
        "\x1b" not in kept.run("history", DOC).stdout + kept.run("history", DOC, "--at", "2012-01-01").stdout
    )


@pytest.mark.parametrize("arguments", [[], ["azgs"], [DOC, "--at", "yesterday"], [DOC, "--at", "2019-02-30"]])
def test_a_misused_history_exits_with_2(kept: Kept, arguments: list[str]) -> None:
    assert kept.run("history", *arguments).exit_code == 2


def test_an_unreadable_table_is_a_fault_of_the_stack(kept: Kept) -> None:
    file = Path(kept.environment[LOCAL_STACK_VARIABLE])
    file.write_text(json.dumps(json.loads(file.read_text()) | {"registry_table": "nowhere"}))

    result = kept.run("history", DOC)

    assert result.exit_code == 2
    assert "The registry cannot be read: " in result.stderr


def test_history_without_a_stack_explains_how_to_get_one(kept: Kept, tmp_path: Path) -> None:
    kept.environment[LOCAL_STACK_VARIABLE] = str(tmp_path / "none")

    result = kept.run("history", DOC)

    assert result.exit_code == 2
    assert "make serve" in result.stderr


OLD = "uri-gin/azgs/old/"


@pytest.fixture
def ruled(kept: Kept) -> Kept:
    """Return a prefix with two rules in records of their own, one of which changed."""
    days = ("2011-08-25", "HP_{id}", 404), ("2012-08-25", "DO_{id}", 404), ("2015-03-01", "HP_{id}", 410)
    for day, pattern, code in days:
        name = record_of_rule(OLD, pattern)
        kept.say(day, put_under(OLD, keyed({("rules", pattern, "status_code"): code})), name)
        held = kept.registry.read([OLD]).get(OLD, Record(OLD, {}))
        kept.registry.write(
            raise_revision(held, Stamp(f"{day}T12:00:00.000Z", "uri-gin/azgs/docs.csv", "v", 8))
        )
    held = Record(cover_of("uri-gin/"), {})
    cuts = add_cuts(
        held, [(OLD, "HP_{id}")], Stamp("2016-01-01T00:00:00.000Z", "uri-gin/azgs/docs.csv", "v", 8)
    )
    assert cuts is not None
    kept.registry.write(cuts)
    return kept


def test_the_history_of_a_prefix_has_the_rules_stored_by_their_beginnings(ruled: Kept) -> None:
    result = ruled.run("history", OLD)

    assert result.exit_code == 0
    assert [each for each in result.stdout.splitlines() if each.startswith("  ")] == [
        "  rules.HP_{id}.status_code: — → 404",
        "  rules.DO_{id}.status_code: — → 404",
        "  rules.HP_{id}.status_code: 404 → 410",
    ]


@pytest.mark.parametrize(("day", "outcome"), [("2014-01-01", "RuledOut"), ("2015-03-01", "Retired")])
def test_a_name_under_such_a_rule_is_answered_as_on_that_day(ruled: Kept, day: str, outcome: str) -> None:
    result = ruled.run("history", f"{OLD}HP_1", "--at", day, "--json")

    assert json.loads(result.stdout)["answer"]["outcome"] == outcome
