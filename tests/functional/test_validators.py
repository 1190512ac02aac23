"""Every description, list and published file has an entity tag, and a client that sends it gets a 304."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers.roots import printable_name
from ginuri.identifiers.service_paths import TIMEMAP_TYPES
from ginuri.registry.record.rule_records import merge_rules
from ginuri.resolution.descriptions.formats import COMMON_FORMATS, FORMATS, LIST_FORMATS
from tests.answers import Answer
from tests.example_registry import examples
from tests.front import Front
from tests.property.strategies import HEADER_TEXTS

ANOTHER = '"another"'
DATASET = "/registry.jsonl.gz"
STORED = (DATASET, "/feed.atom", "/sitemaps/1.xml.gz")
AUTHORITY, VERSIONED = (
    "uri-gin/azgs/",
    "http://stategeothermaldata.org/uri-gin/aasg/xmlschema/thermalconductivity/schema",
)
PAGE, TURTLE = {"Accept": "text/html"}, {"Accept": "text/turtle"}
# One of every kind of generated or published document.
DOCUMENTS = [
    "/",
    "/about",
    *(f"/about.{extension}/{AUTHORITY}" for extension in COMMON_FORMATS),
    *(f"/about.{extension}/{VERSIONED}" for extension, row in FORMATS.items() if row.is_citation),
    f"/about/{AUTHORITY}",
    f"/members/{AUTHORITY}",
    *(f"/members.{extension}/{AUTHORITY}" for extension in LIST_FORMATS),
    "/openapi.json",
    "/opensearch.xml",
    "/registry",
    "/robots.txt",
    "/search?q=arizona",
    "/sitemap.xml",
    *STORED,
    f"/uri-res/N2Ns?{AUTHORITY}",
]
# RFC 9110 §15.4.5; the media type, because the gateway would add another.
SHARED = ("ETag", "Cache-Control", "Content-Location", "Content-Type", "Vary")


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """Everything under `examples/`, published."""
    return Front(examples(), tmp_path_factory.mktemp("published"))


def ask(front: Front, target: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> Answer:
    path, _, query = target.partition("?")
    return front.ask(path, method, query, headers)


FORMS = [
    *(f"/{kind}/" for kind in ("about", "members", "qr.svg", "timemap")),
    *(f"/about.{extension}/" for extension in FORMATS),
    *(f"/members.{extension}/" for extension in LIST_FORMATS),
    *(f"/timemap.{extension}/" for extension in TIMEMAP_TYPES),
]


def assert_it_is_validated(
    front: Front, target: str, headers: Mapping[str, str] | None = None, first: Answer | None = None
) -> None:
    """Check the answers to a target; `first` is that to HEAD, if it was asked before."""
    sent = dict(headers or {})
    first, again = first or ask(front, target, "HEAD", sent), ask(front, target, headers=sent)
    tag = first.headers["ETag"]
    known = ask(front, target, headers={**sent, "If-None-Match": f"{ANOTHER}, W/{tag}"})
    other = ask(front, target, "HEAD", {**sent, "If-None-Match": ANOTHER})
    assert (first.status, again.status, again.headers) == (200, 200, first.headers), target
    assert tag.startswith('"'), target
    assert (known.status, known.content) == (304, b""), target
    assert [known.headers.get(each) for each in SHARED] == [first.headers.get(each) for each in SHARED]
    assert (other.status, other.headers) == (200, first.headers), target


@pytest.mark.parametrize("target", DOCUMENTS)
@pytest.mark.parametrize("headers", [{}, PAGE])
@pytest.mark.untraced
def test_a_document_of_any_kind_has_a_tag_and_is_revalidated(
    front: Front, target: str, headers: Mapping[str, str]
) -> None:
    assert_it_is_validated(front, target, headers)


@pytest.mark.parametrize("target", DOCUMENTS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.untraced
def test_an_unexpected_version_of_a_document_is_refused_with_its_tag(
    front: Front, target: str, method: str
) -> None:
    tag = ask(front, target).headers["ETag"]

    refused = ask(front, target, method, {"If-Match": ANOTHER})

    assert (refused.status, refused.headers["ETag"]) == (412, tag)
    assert refused.headers["Cache-Control"] == "no-store"
    assert ask(front, target, method, {"If-Match": f"{ANOTHER}, {tag}"}).status == 200


@pytest.mark.untraced
def test_every_document_about_an_example_has_a_tag_and_is_revalidated(front: Front) -> None:
    # Every name except those of one long table in one form each, so that each form is tried with many names.
    names = [
        name for name in sorted(merge_rules(front.registry.standing(""))) if "/thermalspring/" not in name
    ]
    asked = [f"{form}{printable_name(name)}" for form, name in zip(cycle(FORMS), names, strict=False)]
    asked += [f"{form}{VERSIONED}" for form in FORMS]  # an identifier without versions has no TimeMap
    heads = {path: ask(front, path, "HEAD") for path in asked}
    given = {path: head for path, head in heads.items() if head.status == 200}

    for path, head in given.items():
        assert_it_is_validated(front, path, first=head)
    for name in front.publication.sitemaps:
        assert_it_is_validated(front, f"/{name}")
    assert {path[1:].partition("/")[0] for path in given} == {form.strip("/") for form in FORMS}


@pytest.mark.parametrize(
    ("target", "preferences"),
    [
        (
            f"/about/{AUTHORITY}",
            [{"Accept": form.media_type} for form in COMMON_FORMATS.values()] + [{"Accept-Language": "es"}],
        ),
        (f"/members/{AUTHORITY}", [{"Accept": form.media_type} for form in LIST_FORMATS.values()]),
        (f"/about.html/{AUTHORITY}", [{"Accept-Language": "en"}, {"Accept-Language": "es"}]),
        ("/registry", [PAGE, TURTLE, {}]),
        ("/search?q=arizona", [PAGE, {}]),
    ],
)
def test_variants_of_one_document_have_different_tags(
    front: Front, target: str, preferences: list[Mapping[str, str]]
) -> None:
    answers = [ask(front, target, headers=each) for each in preferences]

    assert {answer.status for answer in answers} == {200}
    assert len({answer.headers["ETag"] for answer in answers}) == len(answers)


@pytest.mark.parametrize("target", DOCUMENTS)
@pytest.mark.untraced
def test_only_published_files_have_a_modification_date(front: Front, target: str) -> None:
    answer = ask(front, target)
    modified = "Fri, 26 Aug 2011 12:00:00 GMT"
    later = ask(front, target, headers={"If-Modified-Since": "Sat, 27 Aug 2011 12:00:00 GMT"})
    earlier = ask(front, target, headers={"If-Unmodified-Since": "Thu, 25 Aug 2011 12:00:00 GMT"})

    is_published = target in STORED
    assert answer.headers.get("Last-Modified") == (modified if is_published else None)
    assert (later.status, earlier.status) == ((304, 412) if is_published else (200, 200))


@pytest.mark.parametrize(
    ("target", "method", "status"),
    [
        ("/about/uri-gin/azgs/none", "GET", 404),
        ("/about/uri-gin//", "GET", 400),
        (f"/about/{AUTHORITY}", "DELETE", 405),
        ("/members/uri-gin/azgs/none/", "GET", 404),
        ("/search?page=0", "GET", 400),
        ("/sitemaps/999.xml.gz", "GET", 404),
        (f"/explain/{AUTHORITY}", "GET", 200),
        (f"/about/{AUTHORITY}", "OPTIONS", 204),
    ],
)
def test_answers_that_are_never_cached_have_no_tag(
    front: Front, target: str, method: str, status: int
) -> None:
    for headers in ({}, {"If-None-Match": "*"}, {"If-Match": ANOTHER}):
        answer = ask(front, target, method, headers)

        assert answer.status == status
        assert not answer.headers.keys() & {"ETag", "Last-Modified"}


def test_a_list_of_look_ups_has_no_tag(front: Front) -> None:
    answer = front.ask("/resolve", "POST", headers={"If-None-Match": "*"}, body=json.dumps([AUTHORITY]))

    assert answer.status == 200
    assert "ETag" not in answer.headers


@given(
    st.sampled_from(DOCUMENTS),
    st.sampled_from(["GET", "HEAD"]),
    st.dictionaries(
        st.sampled_from(
            ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"]
        ),
        HEADER_TEXTS | st.sampled_from(["*", ANOTHER, "bytes=0-3", "bytes=99999999-", "bytes=-0"]),
    ),
)
def test_no_condition_causes_an_error_or_a_partial_answer(
    front: Front, target: str, method: str, headers: Mapping[str, str]
) -> None:
    whole, answer = ask(front, target), ask(front, target, method, headers)

    assert answer.status in ({200, 206, 304, 412, 416} if target in STORED else {200, 304, 412})
    assert answer.headers["ETag"] == whole.headers["ETag"]
    if answer.status == 200 and method == "GET":
        assert answer.content == whole.content
    if answer.status == 304:
        assert {name.lower() for name in headers} & {"if-none-match", "if-modified-since"}
        assert answer.content == b""


@pytest.mark.functions
def test_a_range_of_the_data_set_is_read_without_the_rest(front: Front) -> None:
    whole = ask(front, DATASET)
    before = front.store.bytes_read

    answer = ask(front, DATASET, headers={"Range": "bytes=10-29"})

    assert (answer.status, answer.content) == (206, whole.content[10:30])
    assert front.store.bytes_read - before == 20
    assert answer.headers["Content-Range"] == f"bytes 10-29/{len(whole.content)}"
    unlike = {"Content-Range"}
    assert {name: it for name, it in answer.headers.items() if name not in unlike} == whole.headers
    assert whole.headers["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize("target", STORED)
def test_an_interrupted_download_resumes_where_it_ended(front: Front, target: str) -> None:
    whole = ask(front, target)
    half = len(whole.content) // 2
    validators = [whole.headers["ETag"], whole.headers["Last-Modified"]]

    rest = [
        ask(front, target, headers={"Range": f"bytes={half}-", "If-Range": validator})
        for validator in validators
    ]
    other = ask(front, target, headers={"Range": f"bytes={half}-", "If-Range": ANOTHER})

    assert [answer.status for answer in rest] == [206, 206]
    assert {whole.content[:half] + answer.content for answer in rest} == {whole.content}
    assert (other.status, other.content) == (200, whole.content)
    assert gzip.decompress(whole.content) if target.endswith(".gz") else whole.content


@pytest.mark.parametrize("target", STORED)
def test_a_416_for_published_files_has_the_length_and_is_not_stored(front: Front, target: str) -> None:
    length = len(ask(front, target).content)

    answer = ask(front, target, headers={"Range": f"bytes={length}-"})

    assert (answer.status, answer.headers["Content-Range"]) == (416, f"bytes */{length}")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.problem["status"] == 416


def test_documents_made_for_each_request_have_no_ranges(front: Front) -> None:
    answer = ask(front, f"/about/{AUTHORITY}", headers={"Range": "bytes=0-3"})

    assert answer.status == 200
    assert "Accept-Ranges" not in answer.headers
