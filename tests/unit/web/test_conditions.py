"""Conditional requests: RFC 9110 §13, row by row."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ginuri.web.conditional.conditions import (
    NotModified,
    Outcome,
    PreconditionFailed,
    Proceed,
    Selected,
    evaluate,
    range_holds,
)

ETAG = '"xyzzy"'
STORED = datetime(1994, 11, 6, 8, 49, 37, 250_000, tzinfo=UTC)
SELECTED = Selected(ETAG, STORED, 1234)
BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT"
SAME = "Sun, 06 Nov 1994 08:49:37 GMT"
AFTER = "Sun, 06 Nov 1994 08:49:38 GMT"


def _evaluate(method: str = "GET", /, **fields: str) -> Outcome:
    return evaluate(method, {name.replace("_", "-"): value for name, value in fields.items()}, SELECTED)


def test_without_conditions_the_answer_is_sent() -> None:
    assert _evaluate() == Proceed()


@pytest.mark.parametrize(
    ("if_match", "outcome"),
    [
        # §13.1.1: its own examples
        ('"xyzzy"', Proceed()),
        ('"xyzzy", "r2d2xxxx", "c3piozzzz"', Proceed()),
        ("*", Proceed()),
        ('"r2d2xxxx", "c3piozzzz"', PreconditionFailed()),
        # §8.8.3.2: strong comparison, a weak tag equals nothing
        ('W/"xyzzy"', PreconditionFailed()),
        ('W/"xyzzy", "xyzzy"', Proceed()),
        # §8.8.3: case matters, quotes are part of it, a comma may be inside
        ('"XYZZY"', PreconditionFailed()),
        ("xyzzy", PreconditionFailed()),
        ('"a,b","xyzzy"', Proceed()),
        ('"a,"xyzzy"', PreconditionFailed()),
        # §5.6.1: empty elements are ignored
        (', ,"xyzzy",', Proceed()),
        ("", PreconditionFailed()),
        ("*, *", PreconditionFailed()),
    ],
)
def test_if_match_requires_one_of_its_tags_by_strong_comparison(if_match: str, outcome: Outcome) -> None:
    assert _evaluate(if_match=if_match) == outcome
    assert _evaluate("HEAD", if_match=if_match) == outcome


@pytest.mark.parametrize(
    ("if_none_match", "outcome"),
    [
        # §13.1.2: its own examples
        ('"xyzzy"', NotModified()),
        ('W/"xyzzy"', NotModified()),
        ('"xyzzy", "r2d2xxxx", "c3piozzzz"', NotModified()),
        ('W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"', NotModified()),
        ("*", NotModified()),
        ('"r2d2xxxx", "c3piozzzz"', Proceed()),
        # §8.8.3: the weakness is written in one way only
        ('w/"xyzzy"', Proceed()),
        ('W/ "xyzzy"', Proceed()),
        # unreadable elements have no effect, unlike their neighbours
        ("xyzzy", Proceed()),
        ('xyzzy, "xyzzy"', NotModified()),
        ('"xyzzy', Proceed()),
        ('"a"b","xyzzy"', Proceed()),
        ('"a" "xyzzy"', Proceed()),
        ("", Proceed()),
        (",,,\t,", Proceed()),
    ],
)
def test_if_none_match_gives_a_304_for_a_known_tag(if_none_match: str, outcome: Outcome) -> None:
    assert _evaluate(if_none_match=if_none_match) == outcome
    assert _evaluate("HEAD", if_none_match=if_none_match) == outcome


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_if_none_match_fails_other_methods(method: str) -> None:
    # §13.2.2 step 3: 412 unless GET or HEAD
    assert _evaluate(method, if_none_match="*") == PreconditionFailed()


@pytest.mark.parametrize(
    ("since", "outcome"),
    [
        (BEFORE, Proceed()),
        (SAME, NotModified()),
        (AFTER, NotModified()),
        ("Sunday, 06-Nov-94 08:49:37 GMT", NotModified()),
        ("Sun Nov  6 08:49:37 1994", NotModified()),
        # §13.1.3: ignored if not a valid HTTP-date, or more than one
        ("yesterday", Proceed()),
        (f"{AFTER}, {AFTER}", Proceed()),
        ("", Proceed()),
    ],
)
def test_if_modified_since_spares_the_client_unchanged_content(since: str, outcome: Outcome) -> None:
    assert _evaluate(if_modified_since=since) == outcome
    assert _evaluate("HEAD", if_modified_since=since) == outcome
    # §13.1.3: ignored if the method is neither GET nor HEAD
    assert _evaluate("POST", if_modified_since=since) == Proceed()


@pytest.mark.parametrize(
    ("since", "outcome"),
    [
        (BEFORE, PreconditionFailed()),
        (SAME, Proceed()),
        (AFTER, Proceed()),
        ("Saturday, 05-Nov-94 08:49:37 GMT", PreconditionFailed()),
        ("Sat Nov  5 08:49:37 1994", PreconditionFailed()),
        # §13.1.4: ignored if not a valid HTTP-date
        ("1994", Proceed()),
        ("", Proceed()),
    ],
)
def test_if_unmodified_since_fails_for_newer_content(since: str, outcome: Outcome) -> None:
    assert _evaluate(if_unmodified_since=since) == outcome


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        # step 1 before 2: If-Unmodified-Since is ignored beside If-Match (§13.1.4)
        ({"if_match": ETAG, "if_unmodified_since": BEFORE}, Proceed()),
        ({"if_match": '"other"', "if_unmodified_since": AFTER}, PreconditionFailed()),
        # steps 1 and 2 before 3 and 4
        ({"if_match": '"other"', "if_none_match": ETAG}, PreconditionFailed()),
        ({"if_match": ETAG, "if_none_match": ETAG}, NotModified()),
        ({"if_match": ETAG, "if_none_match": '"other"'}, Proceed()),
        ({"if_match": "*", "if_modified_since": AFTER}, NotModified()),
        ({"if_unmodified_since": BEFORE, "if_none_match": ETAG}, PreconditionFailed()),
        ({"if_unmodified_since": AFTER, "if_modified_since": AFTER}, NotModified()),
        # step 3 before 4: If-Modified-Since is ignored beside If-None-Match (§13.1.3)
        ({"if_none_match": '"other"', "if_modified_since": AFTER}, Proceed()),
        ({"if_none_match": ETAG, "if_modified_since": BEFORE}, NotModified()),
        ({"if_none_match": "unreadable", "if_modified_since": AFTER}, Proceed()),
        # step 5 decides the range, never the status
        ({"if_range": '"other"', "range": "bytes=0-1"}, Proceed()),
        ({"if_none_match": ETAG, "range": "bytes=0-1"}, NotModified()),
    ],
)
def test_conditions_are_evaluated_in_order(fields: dict[str, str], outcome: Outcome) -> None:
    # §13.2.2
    assert _evaluate("GET", **fields) == outcome


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT"])
def test_methods_that_select_nothing_ignore_conditions(method: str) -> None:
    # §13.2.1
    assert _evaluate(method, if_match='"other"', if_none_match="*") == Proceed()


@pytest.mark.parametrize(
    ("if_range", "holds"),
    [
        # §13.1.5: strong comparison of a tag
        (ETAG, True),
        ('"other"', False),
        ('W/"xyzzy"', False),
        # the very date, earlier or later is another
        (SAME, True),
        ("Sunday, 06-Nov-94 08:49:37 GMT", True),
        (BEFORE, False),
        (AFTER, False),
        # only one tag or one date
        (f'{ETAG}, "other"', False),
        ("*", False),
        ("xyzzy", False),
        ("", False),
    ],
)
def test_if_range_requires_the_same_content(if_range: str, *, holds: bool) -> None:
    assert range_holds({"if-range": if_range}, SELECTED) is holds


def test_a_range_without_if_range_applies() -> None:
    assert range_holds({"range": "bytes=0-1"}, SELECTED)


def test_dates_are_compared_in_any_time_zone() -> None:
    elsewhere = STORED.astimezone(timezone(timedelta(hours=-7)))

    for moment in (STORED, elsewhere):
        selected = Selected(ETAG, moment, 1)
        assert evaluate("GET", {"if-modified-since": SAME}, selected) == NotModified()
        assert evaluate("GET", {"if-unmodified-since": SAME}, selected) == Proceed()
        assert range_holds({"if-range": SAME}, selected)
