"""The literal beginnings of patterns, by which rules are stored and found."""

from __future__ import annotations

import pytest

from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import MOST_PREFIXES, add_cuts
from ginuri.registry.rules.beginnings import (
    MOST_CUTS,
    beginning_of,
    cover_of,
    record_of_rule,
    records_above,
)
from tests.builders import stamp

HOST, OBO = "//id.example/", "//id.example/obo/"


@pytest.mark.parametrize(
    ("prefix", "pattern", "beginning"),
    [
        (OBO, "HP_{id}", "hp_"),
        (OBO, "hp_{id}", "hp_"),
        (HOST, "obo/HP_{id}", "obo/hp_"),
        (OBO, "HP{id}", ""),
        (OBO, "{id}_x", ""),
        (OBO, "", ""),
        (OBO, "releases/v1.{+rest}", "releases/v1."),
        (OBO, "releases/v1{+rest}", "releases/"),
        (OBO, "HP_0001[/]", "hp_"),
        (OBO, "[CHEBI:]{id}", ""),
        (OBO, "{kind:HP_|DO_}{id}", ""),
        (OBO, "log/x", "log/"),
        (OBO, "a%2Fb_{id}", "a%2fb_"),
        ("urn:isbn:", "0-{rest}", "0-"),
        ("doi:", "10.1000/{+rest}", "10.1000/"),
        ("ark:", "12345/x8{+rest}", "12345/"),
        ("ark:12345/", "x8-c_3:v{version}", ""),
        ("uri-gin/", "azgs.maps/{+rest}", "azgs.maps/"),
    ],
)
def test_a_beginning_ends_after_the_last_cut_of_the_literal_text(
    prefix: str, pattern: str, beginning: str
) -> None:
    assert beginning_of(prefix, pattern) == beginning


def test_rules_that_may_match_one_name_share_a_record() -> None:
    assert (
        record_of_rule(HOST, "obo/HP_{id}") == record_of_rule(OBO, "HP_{id}") == "rules //id.example/obo/hp_"
    )
    assert record_of_rule(OBO, "{id}") == OBO


def test_the_cuts_of_a_prefix_count_for_its_rules() -> None:
    deep = f"{HOST}{'a/' * (MOST_CUTS - 1)}"

    assert beginning_of(deep, "b_c-{id}") == "b_"
    assert beginning_of(f"{deep}b/", "c-{id}") == ""


def test_a_name_is_looked_up_by_its_first_cuts() -> None:
    name = f"{HOST}{'a.' * 40}"

    assert len(records_above(name, HOST, None)) == MOST_CUTS
    assert records_above(f"{HOST}a-B/c:1", HOST, None) == [
        f"rules {HOST}{beginning}" for beginning in ("a-", "a-b/", "a-b/c:")
    ]
    assert records_above("ark:12345/x8-c_3.v1", "ark:", None) == [
        "rules ark:12345/",
        "rules ark:12345/x8-c_3.",
    ]
    assert records_above(HOST, HOST, None) == []


def test_only_cuts_that_occur_under_a_prefix_are_looked_up() -> None:
    name = f"{OBO}a-b_c.d"

    assert records_above(name, HOST, {OBO: "_"}) == [f"rules {OBO}a-b_"]
    assert records_above(name, HOST, {HOST: "/", f"{HOST}x/": "-"}) == [f"rules {OBO}"]
    assert records_above(name, HOST, {"": "."}) == [f"rules {OBO}a-b_c."]
    assert records_above(name, HOST, {f"{OBO}a-b/": "_"}) == []
    assert records_above(name, HOST, {}) == []


def test_the_record_of_the_cuts_is_of_no_rule() -> None:
    assert cover_of(HOST) == f"rules {HOST}"
    assert cover_of(HOST) not in records_above(f"{HOST}obo/x", HOST, None)


def test_the_cuts_of_many_prefixes_are_stored_together() -> None:
    prefixes = [f"{HOST}{number}/" for number in range(MOST_PREFIXES + 5)]

    change = add_cuts(Record(cover_of(HOST), {}), [(prefix, "a_{id}") for prefix in prefixes], stamp())

    assert change is not None
    cuts = change.after.values()["cuts"]
    assert isinstance(cuts, dict)
    assert len(cuts) == MOST_PREFIXES + 1
    assert " _" in cuts
    assert add_cuts(change.after, [(prefixes[-1], "b_{id}")], stamp(1)) is None
