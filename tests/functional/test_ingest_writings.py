"""A steward who registers another spelling of a registered name gets a warning."""

from __future__ import annotations

import pytest

from ginuri.registration.checks.near_duplicates import MOST_LOOKED_FOR
from ginuri.registry.ports import MOST_FETCHED
from tests.steward import HOST, TYPES, Steward, line, settled

KEY = "uri-gin/azgs/x.jsonl"
WELL = "uri-gin/azgs/doc/Well-1"
OTHERS = [
    "uri-gin/azgs/doc/well-1",
    "uri-gin/azgs/doc/Well-1/",
    "uri-gin/azgs/DOC/Well-1",
    "uri-gin/azgs/doc/Well%2D1",
]
WRITING = ("identifier", "writing")


def _warned(steward: Steward, content: str) -> list[list[tuple[str, str]]]:
    return [
        [each for each in told.warned if each == WRITING] for told in steward.upload(KEY, content).verdicts
    ]


@pytest.mark.parametrize("other", OTHERS[:3])
def test_another_spelling_of_a_registered_name_is_a_warning(other: str) -> None:
    steward = settled()
    steward.upload(KEY, line(WELL))

    report = steward.upload(KEY, line(other))

    assert report.counts == {"registered": 1, "warned": 1}
    [finding] = [each for each in report.verdicts[0].findings if each["rule"] == "writing"]
    assert WELL in finding["message"]


def test_an_update_in_another_spelling_of_the_same_identifier_gets_no_warning() -> None:
    steward = settled()
    steward.upload(KEY, line(WELL))

    assert _warned(steward, line(f"http://a.example/{OTHERS[3]}")) == [[]]


def test_the_later_of_two_spellings_in_one_file_gets_the_warning() -> None:
    assert _warned(settled(), line(WELL) + line("uri-gin/azgs/doc/b") + line(OTHERS[0])) == [
        [],
        [],
        [WRITING],
    ]


def test_the_later_of_two_distant_spellings_in_one_file_is_noticed() -> None:
    between = "".join(line(f"uri-gin/azgs/doc/{number}") for number in range(120))

    warned = _warned(settled(), line(WELL) + between + line(OTHERS[0]))

    assert [bool(each) for each in warned] == [*[False] * 121, True]


def test_a_first_match_among_many_new_names_extends_the_check_to_all() -> None:
    steward = settled()
    wells = [f"uri-gin/azgs/doc/well{number}" for number in range(2 * MOST_FETCHED)]
    steward.upload(KEY, "".join(map(line, wells)))
    new = [f"uri-gin/azgs/doc/new{number}" for number in range(MOST_LOOKED_FOR)]

    others = _warned(steward, "".join(line(well.replace("well", "WELL")) for well in wells))
    hidden = _warned(steward, "".join(map(line, new)) + line(f"{wells[0]}/"))

    # All of the second hundred are looked up, because the first had other spellings.
    assert [bool(each) for each in others[:MOST_LOOKED_FOR]] == [True] * MOST_LOOKED_FOR
    assert [bool(each) for each in others[MOST_FETCHED:]] == [True] * MOST_FETCHED
    assert not any(hidden)


def test_a_registered_identifier_gets_no_second_warning() -> None:
    steward = settled()
    steward.upload(KEY, line(WELL) + line(OTHERS[0]))

    assert _warned(steward, line(WELL, reason="x") + line(OTHERS[0], reason="x")) == [[], []]


def test_a_second_delivery_gets_the_same_warnings() -> None:
    steward = settled()
    upload = steward.put(KEY, line(WELL) + line(OTHERS[0]))
    first = steward.deliver(upload).whole
    steward.files.reports.clear()

    assert steward.deliver(upload).whole == first


def test_a_dry_run_gets_the_same_warnings() -> None:
    steward = settled()
    content = (
        line(WELL) + "".join(line(f"uri-gin/azgs/doc/{number}") for number in range(120)) + line(OTHERS[0])
    )

    assert steward.try_out(KEY, content).whole["verdicts"] == steward.upload(KEY, content).whole["verdicts"]


def test_a_rule_on_a_prefix_does_not_count_as_a_similar_document() -> None:
    steward = settled()
    steward.upload(KEY, line(WELL))

    assert _warned(steward, line(f"{WELL}/", record="rule", location="https://a.example/{+rest}")) == [[]]


def test_names_that_differ_only_in_final_punctuation_get_no_warning() -> None:
    steward = Steward()
    steward.upload("_host/all.jsonl", HOST)
    steward.upload("uri-gin/azgs/1-types.jsonl", TYPES)
    steward.upload(KEY, line("uri-gin/azgs/doc/1."))

    assert _warned(steward, line("uri-gin/azgs/doc/1")) == [[]]
