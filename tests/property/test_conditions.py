"""For all headers: no condition and no range causes a 5xx, and the parts make up the whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import assert_never

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.registry.http_dates import read_http_date
from ginuri.web.conditional.conditions import (
    NotModified,
    PreconditionFailed,
    Proceed,
    Selected,
    evaluate,
    range_holds,
)
from ginuri.web.conditional.ranges import (
    PartialContent,
    UnsatisfiableRange,
    WholeContent,
    choose_range,
    read_range,
)
from tests.property.strategies import HEADER_TEXTS

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  the zone is the next argument
TAGS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters='"')).map(
    '"{}"'.format
)
DATED = st.builds(Selected, TAGS, MOMENTS, st.integers(0, 5000))
UNDATED = st.builds(Selected, TAGS, st.none(), st.integers(0, 5000))
SELECTIONS = DATED | UNDATED
NEARLY = st.text('bytes=-0123456789, "W/*;SunNovGMT:', max_size=40)
TEXTS = HEADER_TEXTS | NEARLY | st.text() | MOMENTS.map(lambda it: format_datetime(it, usegmt=True)) | TAGS
FIELDS = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range"]
HEADERS = st.dictionaries(st.sampled_from(FIELDS), TEXTS)
METHODS = st.sampled_from(["GET", "HEAD", "POST", "OPTIONS"]) | st.text()


@given(METHODS, HEADERS, SELECTIONS)
def test_any_header_text_has_an_outcome(method: str, headers: dict[str, str], selected: Selected) -> None:
    outcome = evaluate(method, headers, selected)

    match outcome:
        case NotModified():
            assert method in {"GET", "HEAD"}
            assert {"if-none-match", "if-modified-since"} & headers.keys()
        case PreconditionFailed():
            assert {"if-match", "if-none-match", "if-unmodified-since"} & headers.keys()
        case Proceed():
            pass
        case _:
            assert_never(outcome)


@given(METHODS, HEADERS, SELECTIONS)
@example("GET", {"range": "bytes=0-0"}, Selected('""', NOW, 1))
@example("GET", {"range": "bytes=-1"}, Selected('""', NOW, 0))
@example("GET", {"range": f"bytes={'1' * 5000}-"}, Selected('""', NOW, 5))
def test_a_part_is_inside_the_content(method: str, headers: dict[str, str], selected: Selected) -> None:
    extent = choose_range(method, headers, selected)

    match extent:
        case PartialContent(first, last, complete):
            assert 0 <= first <= last < complete == selected.length
            assert extent.length == last - first + 1
        case UnsatisfiableRange(complete):
            assert complete == selected.length
            assert "range" in headers
        case WholeContent():
            pass
        case _:
            assert_never(extent)


def _given(content: bytes, header: str) -> bytes:
    extent = read_range(header, len(content))
    assert isinstance(extent, PartialContent)
    return content[extent.first : extent.last + 1]


@given(st.binary(min_size=1, max_size=300), st.sets(st.integers(1, 299)))
def test_parts_put_together_are_the_whole(content: bytes, cuts: set[int]) -> None:
    edges = [0, *sorted(cut for cut in cuts if cut < len(content)), len(content)]

    ranges = [f"bytes={first}-{after - 1}" for first, after in pairwise(edges)]
    rest = [f"bytes={first}-" for first in edges[:-1]]
    ends = [f"bytes=-{len(content) - first}" for first in edges[:-1]]

    assert b"".join(_given(content, each) for each in ranges) == content
    assert [_given(content, each) for each in rest] == [content[first:] for first in edges[:-1]]
    assert [_given(content, each) for each in ends] == [content[first:] for first in edges[:-1]]


@given(SELECTIONS, st.lists(TAGS, max_size=3), st.sampled_from([", ", ",", " ,\t", ", , "]))
def test_a_returned_tag_matches(selected: Selected, others: list[str], comma: str) -> None:
    tags = comma.join([*others, selected.etag])

    assert evaluate("GET", {"if-none-match": tags}, selected) == NotModified()
    assert evaluate("GET", {"if-none-match": f"W/{selected.etag}"}, selected) == NotModified()
    assert evaluate("GET", {"if-match": tags}, selected) == Proceed()
    assert evaluate("GET", {"if-match": f"W/{selected.etag}"}, selected) == PreconditionFailed()
    assert range_holds({"if-range": selected.etag}, selected)


@given(DATED, st.integers(-3, 3))
def test_a_returned_date_matches(selected: Selected, seconds: int) -> None:
    assert selected.last_modified is not None
    moment = selected.last_modified + timedelta(seconds=seconds)
    told = format_datetime(moment, usegmt=True)

    assert (evaluate("GET", {"if-modified-since": told}, selected) == NotModified()) is (seconds >= 0)
    assert (evaluate("GET", {"if-unmodified-since": told}, selected) == Proceed()) is (seconds >= 0)
    assert range_holds({"if-range": told}, selected) is (seconds == 0)


@given(UNDATED, st.sampled_from(["if-modified-since", "if-unmodified-since"]), TEXTS)
def test_without_a_known_modification_date_no_date_has_an_effect(
    selected: Selected, name: str, text: str
) -> None:
    assert evaluate("GET", {name: text}, selected) == Proceed()
    assert range_holds({"if-range": text}, selected) is (text == selected.etag)


@given(MOMENTS)
def test_all_forms_of_a_date_mean_the_same_moment(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)

    assert read_http_date(format_datetime(moment, usegmt=True)) == moment
    assert read_http_date(moment.ctime()) == moment


@given(st.datetimes(datetime(1976, 11, 22), datetime(2076, 11, 21), timezones=st.just(UTC)))  # noqa: DTZ001  the zone is the next argument
def test_years_of_two_digits_cover_a_hundred_years(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)

    assert read_http_date(moment.strftime("%A, %d-%b-%y %H:%M:%S GMT"), lambda: NOW) == moment


@given(TEXTS)
def test_no_text_fails_as_a_date(text: str) -> None:
    read = read_http_date(text, lambda: NOW)

    assert read is None or read.tzinfo is UTC
