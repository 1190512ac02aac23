"""The edge rewrites preferences to one spelling: the decision is the same for both spellings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.i18n.translation import page_language
from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.languages import choose_text, read_languages
from ginuri.resolution.negotiation.negotiation import (
    Preferences,
    choose,
    drop_refused_profiles,
    find_acceptable,
    weigh_media_types,
)
from ginuri.resolution.negotiation.pages import prefers_page
from ginuri.resolution.negotiation.preferences import read_media_ranges, read_profiles
from infra.local.edge.function import ViewerFunction, ViewerRequest
from tests.builders import representation
from tests.property.strategies import HEADER_TEXTS

Headers = Mapping[str, str]

TESTS = Path(__file__).parents[1]
CODE = TESTS.parent.joinpath("functions/edge/function.js").read_text(encoding="utf-8")
NAMES = ("accept", "accept-language", "accept-profile")
TYPES = ("text/html", "text/turtle", "text/html;level=1", "text/html;charset=utf-8", "application/ld+json")
OFFERED = tuple(
    representation(media_type, part=str(place), language=language, quality=quality, profile=profile)
    for place, (media_type, language, quality, profile) in enumerate(
        [
            *product(TYPES, [None, "en", "en-GB", "es"], [1.0], [None]),
            ("text/html", "de", 0.5, "https://a.example/p"),
            ("text/turtle", None, 0.7, "https://b.example/P"),
            ("text/turtle", "fr", 1.0, "https://a.example/p"),
            (None, "es-MX", 0.4, None),
            (None, None, 1.0, None),
        ]
    )
)
FEW = (OFFERED[0], OFFERED[9], OFFERED[-3])
OPEN = (OFFERED[4], OFFERED[9], OFFERED[-1])
TEXTS = [
    dict.fromkeys(tags, "") for tags in (["en", "es"], ["de", ""], ["en-GB", "es-MX", "fr"], ["zh-Hant"])
]

USUAL_WEIGHTS = st.sampled_from(["0", "0.", "0.0", ".5", "0.5", "0.50", "0.501", "0.0000001", "1", "1.000"])
WEIGHTS = st.sampled_from(["2", "", "high", '"0.5"', "-1", "1e-7", "0.1234567891"])
BLANKS = st.sampled_from(["", "", "", " ", "\t", "  "])
CASES: tuple[Callable[[str], str], ...] = (str, str, str.lower, str.upper, str.title)
USUAL_PARAMETERS = st.sampled_from(["level=1", "level = 2", "charset=UTF-8", "a=1", "v=b3", ""])
PARAMETERS = st.sampled_from(['a="x, y"', 'charset="utf-8"', "x", "=1", "level=1=2"])
USUAL_RANGES = st.sampled_from(["text/html", "text/*", "*/*", "*/html", "application/ld+json", "text/turtle"])
RANGES = st.sampled_from(["*", "text", "text/html/x", "/", "a b/c"])
USUAL_LANGUAGES = st.sampled_from(["en", "en-GB", "es", "de", "fr", "*", "es-MX", "zh-Hant"])
LANGUAGES = st.sampled_from(["overlyLong", "x y", "*-CH", "e1", "-"])
USUAL_PROFILES = st.sampled_from(["<https://a.example/p>", "<https://b.example/P>", "<a;b>", "< c d>"])
PROFILES = st.sampled_from(["<https://c.example/?a,b>", "https://a.example/p", '<">', "<>", "<a>b"])


def _lists(
    names: st.SearchStrategy[str], parameters: st.SearchStrategy[str], weights: st.SearchStrategy[str]
) -> st.SearchStrategy[str]:
    """Return lists of names with parameters, in any case and with blanks in every allowed place."""
    parameter = st.builds(
        lambda before, after, text, case: f"{before};{after}{case(text)}",
        BLANKS,
        BLANKS,
        parameters | weights.map("q={}".format),
        st.sampled_from(CASES),
    )
    element = st.builds(
        lambda before, name, parameters, case, after: f"{before}{case(name)}{''.join(parameters)}{after}",
        BLANKS,
        names,
        st.lists(parameter, max_size=3),
        st.sampled_from(CASES),
        BLANKS,
    )
    return st.builds(
        lambda elements, times: ",".join(elements * times),
        st.lists(element, max_size=6),
        st.sampled_from([1, 1, 1, 1, 2, 30]),
    )


def _headers(usual: st.SearchStrategy[str], unusual: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return headers, most of them well-formed, some with one malformed element, and a few random ones."""
    plain = _lists(usual, USUAL_PARAMETERS, USUAL_WEIGHTS)
    mixed = _lists(usual | unusual, USUAL_PARAMETERS | PARAMETERS, USUAL_WEIGHTS | WEIGHTS)
    return plain | plain | mixed | HEADER_TEXTS


SENT = st.fixed_dictionaries(
    {},
    optional={
        "accept": _headers(USUAL_RANGES, RANGES),
        "accept-language": _headers(USUAL_LANGUAGES, LANGUAGES),
        "accept-profile": _headers(USUAL_PROFILES, PROFILES),
    },
)


def _request(headers: Headers, path: str = "/uri-gin/") -> ViewerRequest:
    return ViewerRequest("GET", path, "", (("host", "a.example"), *headers.items()))


def _preferences(request: ViewerRequest) -> dict[str, str]:
    return {name: value for name, value in request.headers if name in NAMES}


_rewrite = ViewerFunction(CODE)


def _decisions(headers: Headers) -> Iterator[Any]:
    """Return ginuri's decisions for these headers, in each place that reads them."""
    accept, language, profile = (headers.get(name) for name in NAMES)
    preferences = Preferences(accept, language, profile)
    for offered in (OFFERED, FEW, OPEN):
        yield _part(choose(preferences, offered))
        yield [(form.part, weight) for form, weight in find_acceptable(accept, offered)]
        yield [form.part for form in drop_refused_profiles(profile, offered)]
    yield [prefers_page(preferences, form, (form,)) for form in OFFERED]
    yield weigh_media_types(accept or "", TYPES)
    yield {
        (media_range.type, media_range.subtype)
        for media_range in read_media_ranges(accept or "")
        if not media_range.is_anything
    }
    languages = read_languages(language)
    yield page_language(languages)
    yield [choose_text(texts, languages) for texts in TEXTS]
    yield _wanted(profile)
    yield _refused(profile)


def _wanted(profile: str | None) -> list[str]:
    """Return the wanted profiles in the order of their trial; their q has no further effect."""
    return [name for name, q in read_profiles(profile or "") if q]


def _refused(profile: str | None) -> set[str]:
    return {name for name, q in read_profiles(profile or "") if not q}


def _part(chosen: Representation | None) -> str | None:
    return chosen.part if chosen else None


def _assert_decided_alike(headers: Headers) -> None:
    written = _rewrite(_request(headers))

    assert list(_decisions(headers)) == list(_decisions(_preferences(written)))
    assert _rewrite(written) == written


@given(SENT)
@example({"accept": "text/html,*/*"})
@example({"accept": "text/html;q=0,text/html;q=0.1"})
@example({"accept": "text/html;q=.1;level=1;q=.9"})
@example({"accept": "*/*;q=0.5"})
@example({"accept": "*/*;level=1"})
@example({"accept": "text/html;level=1;q=0.5,text/html,*/*;q=0.8"})
@example({"accept": "text/html;q=0.8,*/*;q=0.80"})
@example({"accept": "text/turtle,*/*;q=0,*/*;q=0.5"})
@example({"accept": "text/turtle,*/*;q=0"})
@example({"accept": "*/*;q=0"})
@example({"accept": "text/html;level=1;charset=utf-8"})
@example({"accept": "a/b," * 150 + "text/html"})
@example({"accept": "a/b," * 300})
@example({"accept": ",".join(f"a/b;q=.{place:03}" for place in range(73))})
@example({"accept": "x/y;q=0.0000001,text/html;q=0"})
@example({"accept-language": "es-MX,*;q=0.5,*;q=0"})
@example({"accept-language": "es;q=1;q=0.1,en;q=0.5"})
@example({"accept-profile": "<https://b.example/P>;q=0.5,<https://a.example/p>"})
@example({"accept-profile": "<https://a.example/p>;q=0"})
@example({"accept-profile": "<https://b.example/P>;q=0,<https://a.example/p>;q=0.0"})
@example({"accept-profile": "<https://a.example/p>;q=0,<https://b.example/P>,<https://a.example/p>;q=.1"})
@example({"accept-profile": "<https://c.example/>;q=0,<https://a.example/p>;q=0.000000001"})
@example({"accept": "text/html;level=1;q=0,*/*", "accept-profile": "<https://a.example/p>;q=0"})
@example({"accept": "text/html;level=1;x=1,text/html;level=1;q=0.5,text/html;q=0"})
@example({"accept": "text/turtle;charset=utf-8,*/*;q=0.1"})
def test_the_normalized_headers_lead_to_the_same_decision(headers: Headers) -> None:
    _assert_decided_alike(headers)


@pytest.mark.parametrize("name", ["media-types-sample.jsonl", "languages-sample.jsonl"])
def test_the_normalized_recorded_headers_lead_to_the_same_decision(shared_data: Path, name: str) -> None:
    for line in shared_data.joinpath("negotiation", name).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        headers = {field.lower(): value for field, value in case["headers"] if field.lower() in NAMES}
        offered = [
            representation(
                form["type"], part=form["id"], language=form.get("lang"), quality=float(form["qs"] or 1)
            )
            for form in case["variants"]
        ]
        written = _preferences(_rewrite(_request(headers)))

        both = [Preferences(*(each.get(header) for header in NAMES)) for each in (headers, written)]
        assert _part(choose(both[0], offered)) == _part(choose(both[1], offered)), case
        _assert_decided_alike(headers)


@cache
def _deployed() -> ViewerFunction:
    """Return the function before profiles with q=0 were refusals: edge and origin are deployed separately."""
    return ViewerFunction(TESTS.joinpath("data/deployed_edge_function.js").read_text(encoding="utf-8"))


def _rewrite_as_deployed(request: ViewerRequest) -> ViewerRequest:
    return _deployed()(request)


@given(SENT)
@example({"accept-profile": "<https://b.example/P>;q=0.5,<https://a.example/p>"})
def test_the_deployed_edge_writes_the_same_without_refused_profiles(headers: Headers) -> None:
    old, new = _rewrite_as_deployed(_request(headers)), _rewrite(_request(headers))

    profiles = _preferences(new).pop("accept-profile", "")
    assert old == new or _refused(profiles)


@given(SENT)
@example({"accept-profile": "<https://a.example/p>;q=0"})
@example({"accept-profile": "<https://a.example/p>,<https://b.example/P>;q=0"})
def test_an_origin_behind_the_deployed_edge_decides_without_refused_profiles(headers: Headers) -> None:
    written = _preferences(_rewrite_as_deployed(_request(headers)))

    if written.get("accept-profile") == headers.get("accept-profile"):
        without = headers
    else:
        wanted = _wanted(headers.get("accept-profile"))
        without = {**headers, "accept-profile": ",".join(map("<{}>".format, wanted))}
    assert list(_decisions(written)) == list(_decisions(without))


@given(SENT)
@example({"accept-profile": "<https://a.example/p>;q=0"})
@example({"accept-profile": "<https://a.example/p>;q=0,<https://b.example/P>;q=0.5,<https://c.example/>"})
def test_the_deployed_origin_reads_the_same_from_either_edge(headers: Headers) -> None:
    old, new = (_preferences(write(_request(headers))) for write in (_rewrite_as_deployed, _rewrite))

    # The deployed origin drops profiles with q=0, and uses the first offered one of the others.
    assert _wanted(new.pop("accept-profile", "")) == _wanted(old.pop("accept-profile", ""))
    assert new == old
