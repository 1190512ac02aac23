"""Decision → HTTP answer: the headers of every kind of answer."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

import pytest

from ginuri import MalformedIdentifier, UnknownScheme, parse
from ginuri.identifiers import Kind
from ginuri.identifiers.messages import message
from ginuri.memory import MemoryContentStore
from ginuri.registry.model import NameAuthority, Status, StoredFile
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Choices,
    ContentLost,
    Decision,
    Embargoed,
    FallenBack,
    Give,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NoSuchTitle,
    NoSuchVersion,
    NotAcceptable,
    NotNormal,
    NotRegistered,
    Options,
    PassedThrough,
    Reserved,
    Retired,
    RuledOut,
    SeeDescription,
    SeeMetadata,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
    Unavailable,
    UnreadableMoment,
    Withheld,
    WrittenOtherwise,
)
from ginuri.resolution.versions.timeline import Timeline
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request
from ginuri.web.response import LARGEST_BODY, LARGEST_EVENT, LARGEST_HEADERS, Response, write_gateway
from tests.answers import Answer
from tests.builders import MAP, PUT, find, representation, resource, stored
from tests.line_breaks import unbroken

IT = parse(MAP)
PDF = representation("application/pdf", part="map.pdf")
OFFERED = (
    PDF,
    representation("image/x-survey", location="https://a.b/d", language="de"),
    representation(None, location="https://a.b/c"),
)
AZGS = NameAuthority(
    identifier="uri-gin/azgs/",
    modified="",
    titles={"": "Arizona Geological Survey"},
    contact="maps@azgs.example",
)
MALFORMED = MalformedIdentifier(
    "uri-gin//", message("a segment must not be empty"), rule="segment-nz", segment=2
)

TIMELINE = Timeline(MAP, Kind.THING, ("1997-06-01", "2005-01-15"))
EVERY_DECISION: list[tuple[Decision, int]] = [
    (Malformed(MALFORMED), 400),
    (NotNormal(IT), 301),
    (AnsweredElsewhere(IT, "id.azgs.example"), 307),
    (FallenBack(find(MAP), "legacy.example.net", "uri-gin/"), 307),
    (Retired(find(MAP), resource()), 410),
    (Withheld(find(MAP, AZGS), resource()), 451),
    (Reserved(find(MAP, AZGS), resource()), 404),
    (Embargoed(find(MAP, AZGS), resource()), 403),
    (SeeDescription(find(MAP), resource()), 303),
    (SeeRepresentation(find(MAP), resource(), PDF, "https://a.b/c", 302, (PDF,)), 302),
    (SeeMetadata(find(MAP), resource()), 303),
    (PassedThrough(find(MAP), resource(), "/c3", "https://a.b/c/c3", 303), 303),
    (Give(find(MAP), resource(), representation("application/pdf", file=stored()), f"/{MAP}"), 200),
    (NotAcceptable(find(MAP), resource(), (PDF,)), 406),
    (SeeVersion(find(MAP), resource(), TIMELINE, f"{MAP}current", 303), 303),
    (NoSuchVersion(find(MAP), resource(), TIMELINE), 404),
    (UnreadableMoment(find(MAP), resource(), TIMELINE), 400),
    (StandsFor(find(MAP), "uri-gin/azgs/doc/map/DGM38/", 302), 302),
    (WrittenOtherwise(find(MAP), "uri-gin/AZGS/doc/map/DGM38/"), 302),
    (Choices(find(MAP), ("uri-gin/azgs/a/", "uri-gin/azgs/b/")), 300),
    (ContentLost("maps/image.pdf"), 404),
    (RuledOut(find(MAP), resource()), 404),
    (NotRegistered(find(MAP, AZGS)), 404),
    (NoSuchTitle(find(AZGS.identifier, AZGS), AZGS, "Geology"), 404),
    (
        NoSuchScheme(
            UnknownScheme("x/y", message("no such URI scheme"), rule="URIscheme", value="x", segment=1)
        ),
        404,
    ),
    (NoSuchHost(parse("//evil.example/x")), 404),
    (MethodNotAllowed("POST"), 405),
    (Options(), 204),
    (Unavailable(5), 503),
]


def _write(decision: Decision, *, method: str = "GET", accept: str | None = None) -> Response:
    file = stored()
    answers = IdentifierResponses(
        MemoryContentStore({(file.key, file.version): b"hello world"}), "resources.usgin.org"
    )
    return answers.write(decision, Request(method, f"/{MAP}", preferences=Preferences(accept)))


def _headers(decision: Decision, **how: str) -> dict[str, str]:
    return dict(_write(decision, **how).headers)


def _given(**fields: object) -> Give:
    return Give(
        find(MAP), resource(), representation("application/pdf", **{"file": stored(), **fields}), f"/{MAP}"
    )


@pytest.mark.parametrize(("decision", "status"), EVERY_DECISION)
def test_every_decision_has_its_status(decision: Decision, status: int) -> None:
    assert _write(decision).status == status


def test_the_table_has_every_decision() -> None:
    assert {type(decision) for decision, _ in EVERY_DECISION} == set(Decision.__args__)


@pytest.mark.parametrize(("decision", "status"), EVERY_DECISION)
def test_headers_are_unique_and_contain_only_allowed_characters(decision: Decision, status: int) -> None:
    headers = _write(decision).headers

    assert len({name.lower() for name, _ in headers}) == len(headers), status
    assert all(value.isascii() and value.isprintable() for _, value in headers)


@pytest.mark.parametrize(("decision", "status"), EVERY_DECISION)
def test_every_answer_may_be_read_from_any_origin(decision: Decision, status: int) -> None:
    assert _headers(decision)["Access-Control-Allow-Origin"] == "*", status


# 404 short, 301 at most a day, all others a minute; an unavailable registry is not cached.
@pytest.mark.parametrize(
    ("status", "kept"),
    [
        (200, "max-age=60"),
        (301, "max-age=86400"),
        (302, "max-age=60"),
        (303, "max-age=60"),
        (307, "max-age=60"),
        (400, "max-age=60"),
        (404, "max-age=30"),
        (405, "max-age=60"),
        (406, "max-age=60"),
        (410, "max-age=60"),
        (503, "no-store"),
    ],
)
def test_every_answer_has_its_lifetime(status: int, kept: str) -> None:
    answers = [
        _headers(decision)
        for decision, its in EVERY_DECISION
        if its == status and not isinstance(decision, WrittenOtherwise | PassedThrough | FallenBack)
    ]

    assert {headers["Cache-Control"] for headers in answers} == {kept}


@pytest.mark.parametrize(
    ("decision", "where"),
    [
        (WrittenOtherwise(find(MAP), "uri-gin/AZGS/x/"), "/uri-gin/AZGS/x/"),
        (PassedThrough(find(MAP), resource(), "/c3", "https://a.b/c/c3", 303), "https://a.b/c/c3"),
        (FallenBack(find(MAP), "legacy.example.net", "uri-gin/"), f"http://legacy.example.net/{MAP}"),
    ],
)
def test_a_redirect_for_an_unregistered_identifier_expires_like_a_404(decision: Decision, where: str) -> None:
    headers = _headers(decision)

    assert (headers["Location"], headers["Cache-Control"]) == (where, "max-age=30")


def test_a_redirect_to_this_host_is_relative_to_the_root() -> None:
    assert _headers(NotNormal(IT))["Location"] == f"/{MAP}"
    assert _headers(SeeDescription(find(MAP), resource()))["Location"] == f"/about/{MAP}"


def test_another_host_gets_a_redirect_with_the_same_identifier() -> None:
    assert _headers(AnsweredElsewhere(IT, "id.azgs.example"))["Location"] == f"http://id.azgs.example/{MAP}"


def test_a_negotiated_answer_has_a_vary_header() -> None:
    negotiated = SeeRepresentation(find(MAP), resource(), PDF, "https://a.b/c", 303, (PDF,))

    headers = _headers(negotiated)

    assert headers["Vary"] == "Accept, Accept-Language, Accept-Profile"
    assert f'</{MAP}map.pdf>; rel="alternate"; type="application/pdf"' in headers["Link"]


def test_an_answer_without_negotiation_has_no_vary_header() -> None:
    for decision in (
        SeeRepresentation(find(MAP), resource(), PDF, "https://a.b/c", 302),
        SeeDescription(find(MAP), resource()),
        _given(),
        NotNormal(IT),
    ):
        assert "Vary" not in _headers(decision)


def test_a_description_in_place_of_a_representation_varies() -> None:
    assert "Accept" in _headers(SeeDescription(find(MAP), resource(), negotiated=True))["Vary"]


def test_advice_varies_by_its_format() -> None:
    for decision, status in EVERY_DECISION:
        if status >= 400:
            assert "Accept" in _headers(decision)["Vary"]


def test_stored_content_has_its_registered_headers() -> None:
    response = _write(_given(language="de"))

    assert response.body == b"hello world"
    headers = dict(response.headers)
    assert headers["Content-Type"] == "application/pdf"
    assert headers["Content-Location"] == f"/{MAP}"
    assert headers["Content-Language"] == "de"
    assert headers["ETag"] == f'"{"ab" * 32}"'
    assert headers["Last-Modified"] == "Thu, 25 Aug 2011 17:29:00 GMT"


def test_content_of_unknown_type_is_an_octet_stream() -> None:
    given = Give(find(MAP), resource(), representation(file=stored()), f"/{MAP}")

    assert _headers(given)["Content-Type"] == "application/octet-stream"


def test_a_stored_page_cannot_script_this_origin() -> None:
    given = Give(find(MAP), resource(), representation("text/html", file=stored()), f"/{MAP}")

    headers = _headers(given)

    assert headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert "script" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_content_too_large_for_one_answer_redirects_to_a_signed_link(method: str) -> None:
    given = _given(file=stored(length=LARGEST_BODY + 1))

    response = _write(given, method=method)

    assert response.status == 307
    link = urlsplit(dict(response.headers)["Location"])
    assert link.path == "/maps/image.pdf"
    assert parse_qs(link.query) == {"version": ["v1"], "type": ["application/pdf"], "method": [method]}


def test_content_that_just_fits_is_sent() -> None:
    assert _write(_given(file=stored(length=LARGEST_BODY))).status == 200


def test_the_largest_body_fits_into_the_gateways_limit() -> None:
    headers = (("Link", '"' * (LARGEST_HEADERS - len("Link"))),)  # JSON writes each mark as two characters

    event = write_gateway(Response(HTTPStatus.OK, headers, bytes(LARGEST_BODY)), "GET")

    assert event["statusCode"] == 200
    assert len(json.dumps(event)) <= LARGEST_EVENT


def test_a_response_that_is_too_large_becomes_a_problem_document() -> None:
    event = write_gateway(Response(HTTPStatus.OK, (), bytes(LARGEST_BODY + 1)), "GET")

    problem = Answer(event).problem
    assert (event["statusCode"], problem["status"]) == (503, 503)
    assert "4,500,001 bytes; the limit is 4,500,000" in problem["detail"]


def test_a_head_has_the_status_of_a_too_large_response() -> None:
    event = write_gateway(Response(HTTPStatus.OK, (), bytes(LARGEST_BODY + 1)), "HEAD")

    assert (event["statusCode"], event["body"]) == (503, "")


def test_links_are_dropped_from_oversized_headers() -> None:
    headers = (("Location", "/a" * 3_000), ("Link", "<b>" * 2_000))

    event = write_gateway(Response(HTTPStatus.SEE_OTHER, headers), "GET")

    assert (event["statusCode"], event["multiValueHeaders"]["Location"]) == (303, ["/a" * 3_000])
    assert "Link" not in event["multiValueHeaders"]


def test_a_location_too_long_for_the_headers_is_a_414() -> None:
    headers = (("Location", "a" * LARGEST_HEADERS), ("Link", "<b>"))

    event = write_gateway(Response(HTTPStatus.SEE_OTHER, headers), "GET")

    assert Answer(event).problem["status"] == event["statusCode"] == 414


def test_a_head_request_does_not_read_the_content() -> None:
    lost = StoredFile("lost.pdf", "v1", 11, "ab", PUT.format(0))

    response = _write(_given(file=lost), method="HEAD")

    assert response.status == 200
    assert response.body == b""


@pytest.mark.parametrize(("decision", "status"), EVERY_DECISION)
def test_the_gateway_sends_no_body_to_a_head_request(decision: Decision, status: int) -> None:
    head = write_gateway(_write(decision, method="HEAD"), "HEAD")
    get = write_gateway(_write(decision), "GET")

    assert head["body"] == ""
    assert head["statusCode"] == get["statusCode"] == status
    assert head["multiValueHeaders"] == get["multiValueHeaders"]


def test_the_gateway_accepts_every_byte() -> None:
    response = _write(_given())

    event = write_gateway(response, "GET")

    assert event["isBase64Encoded"] is True
    assert base64.b64decode(event["body"]) == b"hello world"
    assert event["multiValueHeaders"]["Content-Type"] == ["application/pdf"]
    json.dumps(event)


# -- advice


def _problem(decision: Decision) -> tuple[str, dict[str, str]]:
    document = json.loads(_write(decision).body)
    assert document["status"] == _write(decision).status
    return document["detail"], {
        advice["rel"]: advice.get("href", "") for advice in document.get("advice", [])
    }


def test_a_malformed_identifier_gets_segment_and_reason() -> None:
    detail, _ = _problem(Malformed(MALFORMED))

    assert "segment 2" in detail
    assert "a segment must not be empty" in detail


def test_an_unregistered_identifier_gets_similar_names_and_a_contact() -> None:
    detail, advice = _problem(NotRegistered(find(MAP, AZGS)))

    assert detail == f"{MAP} is not registered."
    assert advice == {
        "up": "/about/uri-gin/azgs/",
        "author": "mailto:maps@azgs.example",
        "search": "/search?q=DGM37-HuachucaMountainNv1.1&authority=uri-gin%2Fazgs%2F",
    }


def test_a_contact_may_be_a_page() -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="", contact="https://azgs.example/contact")

    assert _problem(NotRegistered(find(MAP, authority)))[1]["author"] == "https://azgs.example/contact"


def test_a_reserved_identifier_gets_the_authoritys_contact() -> None:
    detail, advice = _problem(Reserved(find(MAP, AZGS), resource(reason="printing")))

    assert "is reserved" in detail
    assert "Reason: printing" in detail
    assert advice["author"] == "mailto:maps@azgs.example"
    assert advice["describedby"] == f"/about/{MAP}"
    assert "up" not in advice  # it is registered


@pytest.mark.parametrize("who", ["https://court.example/orders/7", None])
def test_a_withheld_identifier_is_explained_with_its_requester(who: str | None) -> None:
    record = resource(status=Status.WITHHELD, requested_by=who, reason="By order.")

    detail, advice = _problem(Withheld(find(MAP, AZGS), record))

    requested = f" Requested by: {who}." if who else ""
    assert detail == f"{MAP} is withheld for legal reasons.{requested} Reason: By order."
    assert set(advice) == {"author"}


def test_a_retired_identifier_gets_title_reason_and_successor() -> None:
    record = resource(
        titles={"de": "Karte", "en": "Map"}, reason="replaced", successor="uri-gin/azgs/doc/map/DGM38/"
    )

    detail, advice = _problem(Retired(find(MAP), record))

    assert "Map" in detail
    assert "replaced" in detail
    assert advice == {"successor-version": "/uri-gin/azgs/doc/map/DGM38/", "describedby": f"/about/{MAP}"}


def test_a_missing_reason_is_not_mentioned() -> None:
    for decision in (Retired(find(MAP), resource()), Reserved(find(MAP), resource())):
        assert "Reason" not in _problem(decision)[0]


def test_an_unacceptable_request_lists_the_available_forms() -> None:
    document = json.loads(_write(NotAcceptable(find(MAP), resource(), OFFERED)).body)

    assert document["advice"] == [
        {
            "rel": "alternate",
            "title": "PDF (application/pdf)",
            "href": f"/{MAP}map.pdf",
            "type": "application/pdf",
        },
        {
            "rel": "alternate",
            "title": "image/x-survey, in German",
            "href": "https://a.b/d",
            "type": "image/x-survey",
            "hreflang": "de",
        },
        {"rel": "alternate", "title": "any format", "href": "https://a.b/c"},
    ]


def test_a_page_describes_the_available_forms_in_words() -> None:
    answered = _write(NotAcceptable(find(MAP), resource(), OFFERED), accept="text/html")
    page = unbroken(answered.body.decode())

    assert (
        '<a href="https://a.b/d" rel="alternate" type="image/x-survey" hreflang="de">'
        "image/x-survey, in German</a>" in page
    )
    assert f'<a href="/{MAP}map.pdf" rel="alternate" type="application/pdf">PDF (application/pdf)</a>' in page


# RFC 9264 §4.2: a document that is stored apart from its context has absolute targets.
def test_the_available_forms_are_a_linkset_of_the_cited_identifier() -> None:
    authority = replace(AZGS, trusted_hosts=["id.azgs.example"])
    decision = NotAcceptable(find(MAP, authority), resource(), OFFERED)

    answered = _write(decision, accept="application/linkset+json")

    assert answered.status == 406
    assert dict(answered.headers)["Vary"] == "Accept, Accept-Language, Accept-Profile"
    assert json.loads(answered.body)["linkset"] == [
        {
            "anchor": f"http://id.azgs.example/{MAP}",
            "alternate": [
                {"href": f"http://id.azgs.example/{MAP}map.pdf", "type": "application/pdf"},
                {"href": "https://a.b/d", "type": "image/x-survey", "hreflang": ["de"]},
                {"href": "https://a.b/c"},
            ],
        }
    ]


def test_similar_names_are_a_linkset_too() -> None:
    decision = Choices(find(MAP), ("uri-gin/azgs/a/", "uri-gin/azgs/b/"))

    answered = _write(decision, accept="application/linkset")

    assert answered.status == 300
    assert answered.body.decode("ascii") == (
        '<http://resources.usgin.org/uri-gin/azgs/a/>\n ; rel="alternate"'
        f'\n ; anchor="http://resources.usgin.org/{MAP}"\n, '
        '<http://resources.usgin.org/uri-gin/azgs/b/>\n ; rel="alternate"'
        f'\n ; anchor="http://resources.usgin.org/{MAP}"\n'
    )


@pytest.mark.parametrize(("decision", "status"), EVERY_DECISION)
def test_only_choices_make_a_linkset(decision: Decision, status: int) -> None:
    headers = _headers(decision, accept="application/linkset+json")

    assert (headers.get("Content-Type") == "application/linkset+json") == (status in {300, 406})


def test_other_methods_get_the_list_of_allowed_ones() -> None:
    headers = _headers(MethodNotAllowed("PATCH"))

    assert headers["Allow"] == "GET, HEAD, OPTIONS"


def test_a_503_has_retry_after() -> None:
    assert _headers(Unavailable(7))["Retry-After"] == "7"


def test_options_are_answered_for_scripts_of_any_origin() -> None:
    headers = _headers(Options())

    assert headers["Allow"] == headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "Accept-Profile" in headers["Access-Control-Allow-Headers"]


def _asked(method: str = "GET", **sent: str) -> Response:
    file = stored()
    answers = IdentifierResponses(
        MemoryContentStore({(file.key, file.version): b"hello world"}), "resources.usgin.org"
    )
    headers = {name.replace("_", "-").lower(): value for name, value in sent.items()}
    return answers.write(_given(), Request(method, f"/{MAP}", headers=headers))


ETAG = f'"{stored().sha256}"'


def test_content_that_the_client_has_is_not_sent_again() -> None:
    answer = _asked(if_none_match=ETAG)

    assert (answer.status, answer.body) == (304, b"")
    assert dict(answer.headers)["ETag"] == ETAG


def test_a_304_keeps_its_media_type() -> None:
    assert dict(_asked(if_none_match=ETAG).headers)["Content-Type"] == "application/pdf"


def test_a_failed_condition_is_reported() -> None:
    answer = _asked(if_match='"another"')

    assert answer.status == 412
    assert dict(answer.headers)["ETag"] == ETAG
    assert json.loads(answer.body)["status"] == 412


@pytest.mark.parametrize("asked", [{"if_match": '"another"'}, {"range": "bytes=11-"}])
def test_errors_that_depend_on_request_headers_are_never_cached(asked: dict[str, str]) -> None:
    headers = dict(_asked(**asked).headers)

    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Type"] == "application/problem+json"
    assert "Accept" in headers["Vary"]
    assert "Content-Location" not in headers


def test_a_range_of_the_content_can_be_requested() -> None:
    answer = _asked(range="bytes=6-10")

    assert (answer.status, answer.body) == (206, b"world")
    assert dict(answer.headers)["Content-Range"] == "bytes 6-10/11"


def test_a_range_of_changed_content_gets_the_whole() -> None:
    assert _asked(range="bytes=6-10", if_range='"another"').status == 200
    assert _asked(range="bytes=6-10", if_range=ETAG).status == 206


def test_an_unsatisfiable_range_gets_the_length() -> None:
    answer = _asked(range="bytes=11-")

    assert (answer.status, dict(answer.headers)["Content-Range"]) == (416, "bytes */11")
    assert "11 bytes" in json.loads(answer.body)["detail"]


def test_several_ranges_are_answered_with_200() -> None:
    assert _asked(range="bytes=0-1,4-5").status == 200


def test_content_announces_ranges_and_its_file_name() -> None:
    headers = dict(_asked().headers)

    assert headers["Accept-Ranges"] == "bytes"
    assert headers["Content-Disposition"].startswith('inline; filename="')


def test_content_that_browsers_cannot_show_is_offered_as_a_download() -> None:
    given = Give(find(MAP), resource(), representation("application/zip", file=stored()), f"/{MAP}a%20b.zip")

    assert _headers(given)["Content-Disposition"] == "attachment; filename*=UTF-8''a%20b.zip"
