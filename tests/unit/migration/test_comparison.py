"""The comparison of the answers of two resolvers: the cause of each difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.causes import Comparison
from ginuri.migration.verification.comparison import BothAnswers, SideAnswer, compare_answers

HOST = "purl.example.org"
URI = f"http://{HOST}/net/a?x=1"


def to(location: str, status: int = 302) -> ResolverAnswer:
    """Return a redirect."""
    return ResolverAnswer(status, location)


def content(media_type: str | None = None) -> ResolverAnswer:
    """Return content."""
    return ResolverAnswer(200, media_type=media_type)


MISSING, GONE, REFUSED, UNACCEPTABLE = (ResolverAnswer(status) for status in (404, 410, 403, 406))
PLACE = to("https://a.example/x")
CASES: dict[str, tuple[ResolverAnswer, ResolverAnswer, str]] = {
    "the same": (PLACE, PLACE, "same"),
    "another status of the class": (to("https://a.example/x", 303), to("https://a.example/x", 301), "same"),
    "another spelling": (to("HTTPS://A.example:443/%7ex"), to("https://a.example/~x"), "same"),
    "no path": (to("https://a.example"), to("https://a.example/"), "same"),
    "relative": (to("/net/x"), to(f"http://{HOST}/net/x"), "same"),
    "relative to the scheme": (to(f"//{HOST}/net/x"), to(f"http://{HOST}:80/net/x"), "same"),
    "gone and unknown": (GONE, MISSING, "same"),
    "not acceptable": (UNACCEPTABLE, UNACCEPTABLE, "same"),
    "content": (content(), content("text/html"), "same"),
    "content of a type": (content("text/html"), content("text/html"), "same"),
    "unknown": (MISSING, ResolverAnswer(400), "known to neither"),
    "another place": (PLACE, to("https://a.example/y"), "other target"),
    "another host": (PLACE, to("https://b.example/x"), "other target"),
    "unreadable": (PLACE, to("https://[a/x"), "other target"),
    "no query": (PLACE, to("https://a.example/x?x=1"), "lost query"),
    "no further query": (to("https://a.example/x?y"), to("https://a.example/x?y&x=1"), "lost query"),
    "a query": (to("https://a.example/x?x=1"), PLACE, "added query"),
    "a further query": (to("https://a.example/x?x=1&y"), to("https://a.example/x?y"), "added query"),
    "another query": (to("https://a.example/?x"), to("https://a.example/?y"), "other query"),
    "a fragment": (to("https://a.example/x#y"), PLACE, "other fragment"),
    "http for https": (to("http://a.example/x"), PLACE, "scheme of the target"),
    "http for https on its own host": (
        to(f"http://{HOST}/x"),
        to(f"https://{HOST}/x"),
        "scheme of the target",
    ),
    "a final slash": (to("https://a.example/x/"), PLACE, "final slash"),
    "a capital": (to("https://a.example/X"), PLACE, "letter case"),
    "an escaped slash": (to("https://a.example/x%2Fy"), to("https://a.example/x/y"), "escapes"),
    "an escaped escape": (to("https://a.example/x%2520y"), to("https://a.example/x%20y"), "escapes"),
    "a circle": (to("/net/a?x=1"), PLACE, "redirects to itself"),
    "https first": (PLACE, to(f"https://{HOST}/net/a?x=1"), "redirects to itself"),
    "content for a redirect": (content(), PLACE, "other kind of answer"),
    "a choice": (ResolverAnswer(300), PLACE, "other kind of answer"),
    "content of another type": (content("text/html"), content("text/turtle"), "other media type"),
    "no such form": (UNACCEPTABLE, PLACE, "not acceptable here"),
    "no such form there": (PLACE, UNACCEPTABLE, "not acceptable there"),
    "missing": (MISSING, PLACE, "only there"),
    "retired": (GONE, content(), "only there"),
    "forbidden": (REFUSED, content(), "only there"),
    "new": (PLACE, MISSING, "only here"),
    "a fallback": (to("http://legacy.example/net/a?x=1", 307), PLACE, "falls back"),
    "a fallback for nothing": (to("http://legacy.example/net/a?x=1", 307), MISSING, "known to neither"),
    "a host that both lead to": (
        to("http://b.example/net/a?x=1", 307),
        to("http://b.example/net/a?x=1"),
        "same",
    ),
    "another host for good": (to("http://b.example/net/a?x=1", 301), PLACE, "other target"),
    "no answer": (PLACE, ResolverAnswer(error="refused"), "error there"),
    "a server error": (ResolverAnswer(503), PLACE, "error here"),
    "too many requests": (PLACE, ResolverAnswer(429), "error there"),
    "no answers": (ResolverAnswer(500), ResolverAnswer(429), "error at both"),
}


def _both(
    ours: ResolverAnswer, theirs: ResolverAnswer, accept: str | None = None, scheme: str = "http"
) -> BothAnswers:
    return BothAnswers(
        accept, SideAnswer(URI, ours), SideAnswer(f"{scheme}{URI.removeprefix('http')}", theirs)
    )


@pytest.mark.parametrize("case", CASES)
def test_each_pair_of_answers_has_a_cause(case: str) -> None:
    ours, theirs, cause = CASES[case]

    assert compare_answers([_both(ours, theirs)]) == [cause]


def test_every_cause_occurs_in_a_case() -> None:
    elsewhere = {
        Comparison.OTHER_FORM,
        Comparison.OTHER_STATUS,
        Comparison.DETOUR_HERE,
        Comparison.DETOUR_THERE,
    }

    assert {case[2] for case in CASES.values()} == set(Comparison) - elsewhere


@pytest.mark.parametrize(
    ("ours", "theirs", "cause"),
    [
        (to("https://a.example/x", 301), PLACE, "other status"),
        (GONE, MISSING, "other status"),
        (REFUSED, MISSING, "other status"),
        (MISSING, MISSING, "known to neither"),
        (to("http://legacy.example/net/a?x=1", 307), MISSING, "known to neither"),
        (PLACE, PLACE, "same"),
        (to("https://a.example/y", 301), PLACE, "other target"),
    ],
)
def test_statuses_are_compared_exactly_on_demand(
    ours: ResolverAnswer, theirs: ResolverAnswer, cause: str
) -> None:
    assert compare_answers([_both(ours, theirs)], strict=True) == [cause]


def test_the_target_of_another_header_is_another_form() -> None:
    page, turtle, other = (to(f"https://a.example/{name}") for name in ("page", "x.ttl", "other"))

    found = compare_answers(
        [
            _both(page, page),
            _both(page, turtle, "text/turtle"),
            _both(turtle, page, "text/html"),
            _both(other, page, "text/csv"),
        ]
    )

    assert found == ["same", "other form", "other form", "other form"]
    assert compare_answers([_both(page, turtle), _both(other, page)]) == ["other form", "other form"]
    assert compare_answers([_both(other, turtle), _both(page, page)]) == ["other target", "same"]


def test_targets_on_their_own_host_agree_over_http_and_https() -> None:
    over_https = _both(to("/net/x"), to(f"https://{HOST}/net/x"), scheme="https")
    downgraded = _both(to("/net/x"), to(f"http://{HOST}/net/x"), scheme="https")

    assert compare_answers([over_https]) == ["same"]
    assert compare_answers([downgraded]) == ["scheme of the target"]


@pytest.mark.parametrize(
    ("end", "cause"),
    [
        (PLACE, "one more redirect here"),
        (MISSING, "other target"),
        (to("https://a.example/y"), "other target"),
    ],
)
def test_a_detour_within_the_host_to_the_same_end_is_recognised(end: ResolverAnswer, cause: str) -> None:
    both = _both(to("/net/A"), PLACE)
    turned = BothAnswers(None, replace(both.there, uri=URI), replace(both.here, end=end))

    assert compare_answers([replace(both, here=replace(both.here, end=end))]) == [cause]
    assert compare_answers([turned]) == [cause.replace("here", "there")]


def test_a_detour_to_content_is_recognised() -> None:
    both = _both(to("/net/A"), content())

    assert compare_answers([replace(both, here=replace(both.here, end=content()))]) == [
        "one more redirect here"
    ]
