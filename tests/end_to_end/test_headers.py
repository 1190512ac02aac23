"""Every header of an answer, over HTTP, against the running stack."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime
from html import escape
from typing import TYPE_CHECKING

import pytest

from tests.builders import read_links
from tests.end_to_end.rows import ACT, AUTHOR, FIRST, LARGE, LICENSE, MAP, NOTE, OLD, PDF, REPORT, ROWS

if TYPE_CHECKING:
    import httpx

IMAGE = f"{MAP}map.pdf"
CITED = "http://id.example.org"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
GONE = f"{ROWS}map/gone/"
NOTHING = f"{ROWS}map/nothing/"
MALFORMED = f"{ROWS}/map"
ANOTHER = '"another"'
LAST = len(PDF) - 1
LASTING = ", stale-if-error=86400"
"""The statuses of answers that a cache may serve while the service fails; advice may not be served."""

# The requests, and the status of each answer: one of every kind.
KINDS = {
    "content": (f"/{IMAGE}", {}, 200),
    "content, negotiated": (f"/{NOTE}", {}, 200),
    "content that is known": (f"/{IMAGE}", {"If-None-Match": "*"}, 304),
    "content that is another": (f"/{IMAGE}", {"If-Match": ANOTHER}, 412),
    "content, too large": (f"/{LARGE}", {}, 307),
    "a thing": (f"/{MAP}", {}, 303),
    "a document": (f"/{REPORT}", {}, 302),
    "a document, nothing acceptable": (f"/{REPORT}", {"Accept": "image/png"}, 406),
    "a form elsewhere": (f"/{ROWS}map/many/to308.txt", {}, 308),
    "under a rule": (f"/{OLD}17", {}, 302),
    "an alias": (f"/{ROWS}map/synonym", {}, 301),
    "an alias of several": (f"/{ROWS}map/either", {}, 300),
    "not in normal form": ("/uri-gin/rows/m%61p/", {}, 301),
    "another host answers": ("/uri-gin/away/1", {}, 307),
    "retired": (f"/{GONE}", {}, 410),
    "retired, for a browser": (f"/{GONE}", {"Accept": BROWSER}, 410),
    "not registered": (f"/{NOTHING}", {}, 404),
    "not registered, for a browser": (f"/{NOTHING}", {"Accept": BROWSER}, 404),
    "malformed": (f"/{MALFORMED}", {}, 400),
    "a timegate": (f"/{ACT}", {}, 302),
    "a timegate, no date": (f"/{ACT}", {"Accept-Datetime": "1997"}, 400),
    "a memento": (f"/{ACT}/{FIRST}", {}, 200),
    "a timemap": (f"/timemap.link/{ACT}", {}, 200),
    "a timemap of what has no versions": (f"/timemap/{MAP}", {}, 404),
    "the host": ("/", {}, 200),
    "a description": (f"/about/{MAP}", {}, 200),
    "a description as JSON-LD": (f"/about.jsonld/{MAP}", {}, 200),
    "a description as Turtle": (f"/about.ttl/{MAP}", {}, 200),
    "a linkset": (f"/about.linkset/{MAP}", {}, 200),
    "a description, not acceptable": (f"/about/{MAP}", {"Accept": "image/png"}, 406),
    "a description of nothing": (f"/about/{NOTHING}", {}, 404),
    "a description of a part": (f"/about/{IMAGE}", {}, 303),
    "an explanation": (f"/explain/{MAP}", {}, 200),
    "an explanation, for a browser": (f"/explain/{MAP}", {"Accept": BROWSER}, 200),
    "an explanation of nothing": ("/explain", {}, 400),
    "a look-up": (f"/resolve?uri={MAP}", {}, 302),
    "the interface": ("/openapi.json", {}, 200),
    "a list": (f"/members/{ROWS}", {}, 200),
    "a list that is known": (f"/members/{ROWS}", {"If-None-Match": "*"}, 304),
    "a description that is known": (f"/about/{MAP}", {"If-None-Match": "*"}, 304),
    "a description that is another": (f"/about/{MAP}", {"If-Match": ANOTHER}, 412),
}  # fmt: skip
_of_every_kind = pytest.mark.parametrize(("path", "headers", "status"), KINDS.values(), ids=KINDS)


def _linked(answer: httpx.Response, relation: str) -> list[str]:
    return [each["href"] for each in read_links(answer.headers["Link"]) if each["rel"] == relation]


# -- every answer


@_of_every_kind
def test_head_has_the_status_and_headers_of_get_without_body(
    asking: httpx.Client, path: str, headers: Mapping[str, str], status: int
) -> None:
    got, headed = asking.get(path, headers=headers), asking.head(path, headers=headers)

    assert got.status_code == headed.status_code == status
    assert headed.content == b""
    # The gateway sets the date and the length; a link is signed for its method.
    unlike = {"date", "content-length"} | ({"location"} if path == f"/{LARGE}" else set())
    told = [{name: it for name, it in each.headers.items() if name not in unlike} for each in (got, headed)]
    assert told[0] == told[1]


@_of_every_kind
def test_scripts_of_any_origin_may_read_every_answer_and_its_headers(
    asking: httpx.Client, path: str, headers: Mapping[str, str], status: int
) -> None:
    answer = asking.get(path, headers={**headers, "Origin": "https://viewer.example"})

    exposed = {name.strip().lower() for name in answer.headers["Access-Control-Expose-Headers"].split(",")}
    # Headers that the Fetch standard exposes anyway, and those for the browser itself.
    safelisted = {"cache-control", "content-language", "content-length", "content-type", "last-modified"}
    for_browsers = {"content-security-policy", "referrer-policy", "x-content-type-options", "vary", "date"}
    own = {name for name in answer.headers if not name.startswith("access-control-")}
    assert answer.status_code == status
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert own - safelisted - for_browsers <= exposed


@pytest.mark.parametrize(
    ("path", "headers", "held"),
    [
        (f"/{IMAGE}", {}, f"max-age=60{LASTING}"),
        (f"/{IMAGE}", {"If-None-Match": "*"}, f"max-age=60{LASTING}"),
        (f"/{IMAGE}", {"Range": "bytes=0-3"}, f"max-age=60{LASTING}"),
        (f"/{IMAGE}", {"Range": "bytes=9999-"}, "no-store"),
        (f"/{IMAGE}", {"If-Match": ANOTHER}, "no-store"),
        (f"/{MAP}", {}, f"max-age=60{LASTING}"),
        (f"/{REPORT}", {}, f"max-age=60{LASTING}"),
        (f"/{REPORT}", {"Accept": "image/png"}, "max-age=60"),
        (f"/{LARGE}", {}, "max-age=60"),
        (f"/{GONE}", {}, "max-age=60"),
        (f"/{MALFORMED}", {}, "max-age=60"),
        (f"/{ROWS}map/synonym", {}, f"max-age=60{LASTING}"),
        (f"/{ROWS}map/either", {}, f"max-age=60{LASTING}"),
        ("/uri-gin/rows/m%61p/", {}, f"max-age=86400{LASTING}"),
        (f"/{NOTHING}", {}, "max-age=30"),
        (f"/{ROWS}doc/REPORT", {}, "max-age=30"),
        (f"/{ROWS}doc/TWIN", {}, "max-age=30"),
        (f"/about/{MAP}", {}, f"max-age=60{LASTING}"),
        (f"/about/{NOTHING}", {}, "max-age=30"),
        ("/about/uri-gin/rows/m%61p/", {}, f"max-age=86400{LASTING}"),
        (f"/about/{MAP}", {"If-None-Match": "*"}, f"max-age=60{LASTING}"),
        (f"/about/{MAP}", {"If-Match": ANOTHER}, "no-store"),
        (f"/explain/{MAP}", {}, "no-store"),
    ],
)
def test_every_answer_is_cached_as_long_as_its_status_allows(
    asking: httpx.Client, path: str, headers: Mapping[str, str], held: str
) -> None:
    assert asking.get(path, headers=headers).headers["Cache-Control"] == held


# -- profiles


def test_a_redirect_names_the_profile_that_was_negotiated(asking: httpx.Client) -> None:
    profile = "https://example.org/302"
    answer = asking.get(f"/{ROWS}map/many/", headers={"Accept-Profile": f"<{profile}>"})
    links = read_links(answer.headers["Link"])

    assert (answer.status_code, answer.headers["Location"]) == (303, f"/{ROWS}map/many/to302.txt")
    assert [link["href"] for link in links if link["rel"] == "profile"] == [profile]
    assert profile in {link.get("formats") for link in links if link["rel"] == "alternate"}


def test_a_refused_profile_is_refused_through_the_edge(asking: httpx.Client) -> None:
    refused = ", ".join(f"<https://example.org/{code}>;q=0" for code in (302, 301))

    first, other = (
        asking.get(f"/{ROWS}map/many/", headers={"Accept": "text/plain", **profiles})
        for profiles in ({}, {"Accept-Profile": refused})
    )

    assert first.headers["Location"] == f"/{ROWS}map/many/to301.txt"
    assert other.headers["Location"] == f"/{ROWS}map/many/to303.txt"


# -- Vary


@pytest.mark.parametrize("name", ["Accept", "Accept-Language", "Accept-Profile"])
@pytest.mark.parametrize(
    "kind",
    ["a thing", "a document", "content, negotiated", "not registered", "a document, nothing acceptable"],
)
@pytest.mark.parametrize("accept", [None, BROWSER])
def test_a_negotiated_answer_varies_even_without_preferences(
    asking: httpx.Client, kind: str, name: str, accept: str | None
) -> None:
    path, headers, status = KINDS[kind]
    asked = {**headers, **({"Accept": accept} if accept and "Accept" not in headers else {})}

    answer = asking.get(path, headers=asked)

    assert answer.status_code == status
    assert name in [each.strip() for each in answer.headers["Vary"].split(",")]


def test_a_timegate_varies_by_the_requested_moment(asking: httpx.Client) -> None:
    assert "Accept-Datetime" in [each.strip() for each in asking.get(f"/{ACT}").headers["Vary"].split(",")]


@pytest.mark.parametrize("path", [f"/about/{MAP}", "/", f"/explain/{MAP}"])
def test_a_description_and_an_explanation_vary_too(asking: httpx.Client, path: str) -> None:
    assert "Accept" in asking.get(path).headers["Vary"]


@_of_every_kind
def test_a_redirect_has_a_short_body_that_links_its_target(
    asking: httpx.Client, path: str, headers: Mapping[str, str], status: int
) -> None:
    answer = asking.get(path, headers=headers)

    if "Location" in answer.headers:
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert f'<a href="{escape(answer.headers["Location"], quote=False)}">' in answer.text
    else:
        assert status not in {301, 302, 303, 307, 308}


@pytest.mark.parametrize("path", [f"/{IMAGE}", f"/about.jsonld/{MAP}", f"/{ROWS}map/synonym"])
def test_answers_without_negotiation_have_no_vary_header(asking: httpx.Client, path: str) -> None:
    assert "Vary" not in asking.get(path).headers


# -- Link


def test_an_identifier_links_its_canonical_address_and_its_citation(asking: httpx.Client) -> None:
    answer = asking.get(f"/{MAP}")

    assert _linked(answer, "canonical") == _linked(answer, "cite-as") == [f"{CITED}/{MAP}"]


def test_an_identifier_is_linked_with_its_description_and_its_linkset(asking: httpx.Client) -> None:
    answer = asking.get(f"/{IMAGE}")

    (linkset,) = [each for each in read_links(answer.headers["Link"]) if each["rel"] == "linkset"]
    assert _linked(answer, "describedby") == [f"/about/{MAP}"]
    assert (linkset["href"], linkset["type"]) == (f"/about.linkset/{MAP}", "application/linkset+json")


@pytest.mark.parametrize("path", [f"/{MAP}", f"/{MAP}map"])
def test_each_form_is_linked_as_an_alternate_with_its_type_and_language(
    asking: httpx.Client, path: str
) -> None:
    links = read_links(asking.get(path).headers["Link"])

    assert [each for each in links if each["rel"] == "alternate"] == [
        {"href": f"/{IMAGE}", "rel": "alternate", "type": "application/pdf", "hreflang": "en"},
        {"href": f"/{MAP}map.ttl", "rel": "alternate", "type": "text/turtle"},
    ]


def test_an_identifier_is_linked_with_its_types_and_its_collection(asking: httpx.Client) -> None:
    answer = asking.get(f"/{MAP}")

    assert _linked(answer, "type") == ["https://schema.org/Dataset", f"/{ROWS}map/"]
    assert _linked(answer, "collection") == [f"/{ROWS}map/"]


def test_an_identifier_links_its_registered_license_and_author(
    asking: httpx.Client,
) -> None:
    answer = asking.get(f"/{MAP}")

    assert (_linked(answer, "license"), _linked(answer, "author")) == ([LICENSE], [AUTHOR])


def test_a_retired_identifier_links_its_successor(asking: httpx.Client) -> None:
    assert _linked(asking.get(f"/{GONE}"), "successor-version") == [f"/{MAP}"]


def test_a_description_links_its_subject_and_its_canonical_address(asking: httpx.Client) -> None:
    answer = asking.get(f"/about/{MAP}")

    assert _linked(answer, "describes") == [f"{CITED}/{MAP}"]
    (canonical,) = _linked(answer, "canonical")
    assert canonical.endswith(f"/about/{MAP}")


# -- content


def test_content_has_its_digest_as_strong_entity_tag(asking: httpx.Client) -> None:
    assert asking.get(f"/{IMAGE}").headers["ETag"] == f'"{hashlib.sha256(PDF).hexdigest()}"'


def test_content_carries_its_modification_date(asking: httpx.Client) -> None:
    answer = asking.get(f"/{IMAGE}")

    age = parsedate_to_datetime(answer.headers["Date"]) - parsedate_to_datetime(
        answer.headers["Last-Modified"]
    )
    assert timedelta(seconds=-1) <= age < timedelta(hours=1)


@pytest.mark.parametrize(("path", "name"), [(f"/{NOTE}", f"/{NOTE}.en.html"), (f"/{IMAGE}", f"/{IMAGE}")])
def test_content_names_its_form_and_its_language(asking: httpx.Client, path: str, name: str) -> None:
    answer = asking.get(path)

    assert answer.headers["Content-Location"] == name
    assert answer.headers["Content-Language"] == "en"
    assert answer.headers["Accept-Ranges"] == "bytes"


def test_stored_content_is_sandboxed_and_never_sniffed(asking: httpx.Client) -> None:
    for path in (f"/{IMAGE}", f"/{NOTE}", f"/{NOTE}.zip"):
        headers = asking.get(path).headers
        policy = [each.strip() for each in headers["Content-Security-Policy"].split(";")]

        assert headers["X-Content-Type-Options"] == "nosniff"
        assert {"sandbox", "default-src 'none'"} <= set(policy)
        assert not [each for each in policy if each.startswith("script-src")]


@pytest.mark.parametrize(
    "path", ["/", f"/about/{MAP}", f"/explain/{MAP}", f"/{NOTHING}", f"/{GONE}", f"/{MALFORMED}"]
)
def test_a_page_runs_no_foreign_script_and_refuses_frames_and_referrers(
    asking: httpx.Client, path: str
) -> None:
    answered = asking.get(path, headers={"Accept": BROWSER})
    headers, host = answered.headers, answered.request.headers["Host"]

    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"].startswith(
        f"default-src 'none'; script-src {host}/assets/; style-src 'self'; "
    )
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]


# -- conditions


def test_a_304_has_the_headers_for_caches_and_its_own_media_type(asking: httpx.Client) -> None:
    whole = asking.get(f"/{NOTE}").headers

    answer = asking.get(f"/{NOTE}", headers={"If-None-Match": f"W/{whole['ETag']}, {ANOTHER}"})

    # RFC 9110 §15.4.5; the media type, because a gateway would add another.
    names = ("ETag", "Cache-Control", "Content-Location", "Vary", "Content-Type")
    assert (answer.status_code, answer.content) == (304, b"")
    assert [answer.headers[name] for name in names] == [whole[name] for name in names]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        f"/about/{MAP}",
        f"/about.ttl/{MAP}",
        f"/about.linkset/{MAP}",
        f"/members/{ROWS}",
        f"/members.csv/{ROWS}",
        f"/timemap/{ACT}",
        f"/uri-res/N2Ns?{MAP}",
        "/openapi.json",
        "/robots.txt",
        "/opensearch.xml",
    ],
)
def test_an_unchanged_description_or_list_is_a_304(asking: httpx.Client, path: str, method: str) -> None:
    whole = asking.get(path).headers

    known = asking.request(method, path, headers={"If-None-Match": f"{ANOTHER}, {whole['ETag']}"})
    other = asking.request(method, path, headers={"If-None-Match": ANOTHER})
    refused = asking.request(method, path, headers={"If-Match": ANOTHER})

    names = ("ETag", "Cache-Control", "Content-Location", "Vary", "Content-Type", "Last-Modified")
    assert (known.status_code, known.content) == (304, b"")
    assert [known.headers.get(name) for name in names] == [whole.get(name) for name in names]
    assert (other.status_code, other.headers["ETag"]) == (200, whole["ETag"])
    assert (refused.status_code, refused.headers["ETag"]) == (412, whole["ETag"])
    assert refused.headers["Cache-Control"] == "no-store"


def test_content_unmodified_since_the_date_is_not_sent_again(asking: httpx.Client) -> None:
    modified = asking.get(f"/{IMAGE}").headers["Last-Modified"]
    before = format_datetime(parsedate_to_datetime(modified) - timedelta(seconds=1), usegmt=True)

    assert asking.get(f"/{IMAGE}", headers={"If-Modified-Since": modified}).status_code == 304
    assert asking.get(f"/{IMAGE}", headers={"If-Modified-Since": before}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_content_of_an_unexpected_version_is_refused_with_its_tag(asking: httpx.Client, method: str) -> None:
    whole = asking.get(f"/{IMAGE}").headers
    before = format_datetime(
        parsedate_to_datetime(whole["Last-Modified"]) - timedelta(seconds=1), usegmt=True
    )

    for condition in ({"If-Match": ANOTHER}, {"If-Unmodified-Since": before}):
        answer = asking.request(method, f"/{IMAGE}", headers=condition)

        assert (answer.status_code, answer.headers["ETag"]) == (412, whole["ETag"])
        assert answer.headers["Content-Type"] == "application/problem+json"
    assert asking.request(method, f"/{IMAGE}", headers={"If-Match": whole["ETag"]}).status_code == 200


def test_a_redirect_ignores_conditions(asking: httpx.Client) -> None:
    # RFC 9110 §13.2.1
    assert asking.get(f"/{MAP}", headers={"If-Match": ANOTHER}).status_code == 303
    assert asking.get(f"/{NOTHING}", headers={"If-None-Match": "*"}).status_code == 404


# -- ranges


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [("bytes=5-9", 5, 9), ("bytes=30-", 30, LAST), ("bytes=-4", LAST - 3, LAST), ("bytes=0-9999", 0, LAST)],
)
def test_a_range_has_its_position_and_the_headers_of_the_whole(
    asking: httpx.Client, asked: str, first: int, last: int
) -> None:
    whole = asking.get(f"/{IMAGE}").headers

    answer = asking.get(f"/{IMAGE}", headers={"Range": asked})

    assert (answer.status_code, answer.content) == (206, PDF[first : last + 1])
    assert answer.headers["Content-Range"] == f"bytes {first}-{last}/{len(PDF)}"
    unlike = {"content-range", "content-length", "date"}
    assert {name: it for name, it in answer.headers.items() if name not in unlike} == {
        name: it for name, it in whole.items() if name not in unlike
    }


def test_a_range_counts_only_if_if_range_names_the_version(asking: httpx.Client) -> None:
    whole = asking.get(f"/{IMAGE}").headers

    def get(condition: str) -> int:
        return asking.get(f"/{IMAGE}", headers={"Range": "bytes=0-3", "If-Range": condition}).status_code

    assert (get(whole["ETag"]), get(whole["Last-Modified"])) == (206, 206)
    assert (get(ANOTHER), get(f"W/{whole['ETag']}"), get("Mon, 01 Jan 2001 00:00:00 GMT")) == (200, 200, 200)


def test_an_unsatisfiable_range_is_a_problem_with_the_length(asking: httpx.Client) -> None:
    answer = asking.get(f"/{IMAGE}", headers={"Range": f"bytes={len(PDF)}-"})

    assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{len(PDF)}")
    assert answer.json()["status"] == 416


def test_a_part_of_content_too_large_for_one_answer_is_sent(asking: httpx.Client) -> None:
    answer = asking.get(f"/{LARGE}", headers={"Range": "bytes=100-199"})

    assert (answer.status_code, answer.content) == (206, b"\0" * 100)


# -- methods


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (f"/{MAP}", "GET, HEAD, OPTIONS"),
        (f"/about/{MAP}", "GET, HEAD, OPTIONS"),
        (f"/explain/{MAP}", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
        ("/", "GET, HEAD, OPTIONS"),
        ("/resolve", "GET, HEAD, POST, OPTIONS"),
    ],
)
def test_options_and_405_list_the_same_methods(asking: httpx.Client, path: str, methods: str) -> None:
    asked = {"Origin": "https://viewer.example", "Access-Control-Request-Method": "GET"}
    options, deleted = asking.options(path, headers=asked), asking.delete(path)

    assert (options.status_code, options.content) == (204, b"")
    assert (options.headers["Allow"], deleted.headers["Allow"]) == (methods, methods)
    assert options.headers["Access-Control-Allow-Methods"] == methods
    assert deleted.status_code == 405


@pytest.mark.parametrize("path", [f"/{IMAGE}", f"/{MAP}", f"/{NOTHING}", f"/about/{MAP}", "/openapi.json"])
@pytest.mark.parametrize(
    ("method", "override", "status"),
    [("GET", "HEAD", None), ("POST", "GET", None), ("GET", "DELETE", 405), ("HEAD", "OPTIONS", 204)],
)
def test_an_overridden_method_is_never_cached(
    asking: httpx.Client, path: str, method: str, override: str, status: int | None
) -> None:
    expected = status or asking.get(path).status_code

    answer = asking.request(method, path, headers={"X-HTTP-Method-Override": override})

    assert (answer.status_code, answer.headers["Cache-Control"]) == (expected, "no-store")
    assert (answer.content == b"") is (override in {"HEAD", "OPTIONS"})


def test_scripts_may_send_all_preferences_and_conditions(asking: httpx.Client) -> None:
    allowed = asking.options(f"/{MAP}").headers["Access-Control-Allow-Headers"]

    asked = "Accept Accept-Language Accept-Profile Range If-Range If-Match If-None-Match If-Modified-Since"
    assert set(asked.split()) <= {each.strip() for each in allowed.split(",")}
