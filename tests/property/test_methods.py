"""A cache never uses an answer to one method for another, even with an overridden method."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.answers import Answer
from tests.builders import MAP
from tests.front import Front
from tests.property.strategies import HEADER_TEXTS, IDENTIFIERS
from tests.property.strategies import PATHS as ANY_PATHS
from tests.resolving import Service

AUTHORITY = "uri-gin/azgs/"
GONE, WITHHELD, STORED = f"{AUTHORITY}gone", f"{AUTHORITY}withheld", f"{AUTHORITY}doc/map.html"
PATHS = [
    "/",
    f"/{MAP}",
    f"/{STORED}",
    f"/{GONE}",
    f"/{AUTHORITY}",
    f"/{AUTHORITY}none",
    "/uri-gin//",
    "/uri-gin/%61zgs/",
    f"/about/{AUTHORITY}",
    f"/about.ttl/{MAP}",
    f"/members/{AUTHORITY}",
    f"/explain/{MAP}",
    f"/qr.svg/{MAP}",
    f"/timemap/{MAP}",
    f"/uri-res/N2L?{MAP}",
    f"/uri-res/N2C?{MAP}",
    f"/resolve?uri={MAP}",
    "/resolve",
    "/openapi.json",
    "/robots.txt",
    "/sitemap.xml",
    "/feed.atom",
    "/registry",
    "/registry.jsonl.gz",
    "/search?q=map",
    "/opensearch.xml",
]
METHODS = (
    st.sampled_from(["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", ""]) | st.text()
)
# The gateway passes on names of fields unchanged.
NAMES = st.sampled_from(["X-HTTP-Method-Override", "x-http-method-override", "X-Http-Method-Override"])
CONDITIONS = st.sampled_from([{}, {"If-None-Match": "*"}, {"If-Match": '"another"'}, {"Range": "bytes=0-1"}])
OVERRIDES = st.builds(lambda name, method, others: {**others, name: method}, NAMES, METHODS, CONDITIONS)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """A registration for each kind of answer; published."""
    service = Service()
    form = {"media_type": "text/html", "file": service.store("map.html", b"<h1>Map</h1>")}
    service.register(MAP, title={"en": "Map"}, representations=[{"location": "https://a.example/"}])
    service.register(STORED, representations=[form])
    service.register(GONE, status="retired")
    service.register(WITHHELD, status="withheld")
    return Front(service.registry, tmp_path_factory.mktemp("published"), service.content)


def ask(front: Front, target: str, method: str, headers: dict[str, str]) -> Answer:
    path, _, query = target.partition("?")
    return front.ask(path, method, query, headers, body=f'["{MAP}"]' if method == "POST" else None)


@given(st.sampled_from(PATHS) | ANY_PATHS | IDENTIFIERS.map("/{}".format), METHODS, OVERRIDES)
def test_an_answer_to_an_overridden_method_is_never_cached(
    front: Front, target: str, method: str, headers: dict[str, str]
) -> None:
    assert ask(front, target, method, headers).headers["Cache-Control"] == "no-store"


@given(st.sampled_from(PATHS) | ANY_PATHS, METHODS, st.dictionaries(st.just("Accept"), HEADER_TEXTS))
def test_a_405_is_never_cached(front: Front, target: str, method: str, headers: dict[str, str]) -> None:
    answer = ask(front, target, method, headers)

    assume(answer.status == 405)
    assert answer.headers["Cache-Control"] == "no-store"
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("target", PATHS)
def test_requests_without_an_override_may_be_cached(front: Front, target: str) -> None:
    kept = ask(front, target, "GET", {}).headers["Cache-Control"]
    overridden = ask(front, target, "GET", {"X-HTTP-Method-Override": "GET"})

    assert kept.startswith("max-age=") or target.startswith(("/explain", "/resolve"))
    assert overridden.status == ask(front, target, "GET", {}).status


@given(st.sampled_from(PATHS) | ANY_PATHS | IDENTIFIERS.map("/{}".format), CONDITIONS)
@example(f"/{GONE}", {})
@example(f"/{WITHHELD}", {})
@example(f"/about/{WITHHELD}", {})
@example(f"/{AUTHORITY}none", {})
@example(f"/{AUTHORITY}A-Map", {})
@example("/registry.jsonl.gz", {})
def test_only_a_successful_answer_outlasts_an_error(
    front: Front, target: str, headers: dict[str, str]
) -> None:
    answer = ask(front, target, "GET", headers)

    control = answer.headers["Cache-Control"]
    is_there = answer.status < 400 and answer.status != 307 and control not in {"max-age=30", "no-store"}
    assert control.endswith(", stale-if-error=86400") == is_there


@pytest.mark.parametrize("name", ["X-Method-Override", "X-HTTP-Method", "X-Original-Method"])
def test_headers_that_the_gateway_ignores_change_no_answer(front: Front, name: str) -> None:
    for target in PATHS:
        plain, sent = ask(front, target, "GET", {}), ask(front, target, "GET", {name: "DELETE"})

        assert (sent.status, sent.headers) == (plain.status, plain.headers)
