"""The client over real HTTP, against a server that answers as the test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

import pytest

from ginuri.client import (
    Client,
    ConditionFailed,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    RegistrationRefused,
    Report,
    ReportMissing,
    ServiceError,
    ServiceUnreachable,
    TooManyRequests,
    Waiting,
)
from ginuri.client.connection import ATTEMPTS
from ginuri.client.options import is_stored
from ginuri.files.formats import READABLE, reader_for
from ginuri.files.options import REGISTRATIONS, UploadOptions, write_options
from ginuri.identifiers.errors import GinuriError
from tests.http_answers import Answered, Asked, answering

LOST = Answered(None)
FOLDER = "uri-gin/azgs/"
KEY, VERSION = "uri-gin/azgs/wells.csv", "v1"
FINDING = {
    "level": "refused",
    "field": "location",
    "rule": "url",
    "value": "x",
    "message": "This is no URL.",
    "line": 2,
    "column": None,
    "suggestion": None,
}


def report(refused: int = 0, **members: object) -> dict[str, Any]:
    verdict = {
        "lines": [2],
        "identifier": "uri-gin/azgs/1",
        "verdict": "refused" if refused else "registered",
        "findings": [FINDING] if refused else [],
        "changes": [],
        "more_changes": 0,
    }
    return {
        "upload": {"bucket": "b", "key": KEY, "version": VERSION, "put": "2026-11-27T10:00:00.000Z"},
        "dry_run": False,
        "is_complete": True,
        "counts": {
            "registered": 1 - refused,
            "changed": 0,
            "unchanged": 0,
            "refused": refused,
            "warned": 0,
        },
        "verdicts": [verdict],
        "refused_lines": None,
        **members,
    }


def as_json(status: int, document: object, **headers: str) -> Answered:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answered(status, json.dumps(document).encode(), named)


ACCEPTED = as_json(202, {"key": KEY, "version": VERSION, "state": "waiting", "report": "/api/…"})


class Service:
    """A service with prepared answers, and what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answered | Callable[[Asked], Answered]] = []
        self.asked: list[Asked] = []
        self.pauses: list[float] = []
        self.address = ""

    def answer(self, asked: Asked) -> Answered:
        self.asked.append(asked)
        answer = self.answers.pop(0)
        return answer(asked) if callable(answer) else answer

    @property
    def client(self) -> Client:
        client = Client(self.address, "gin_secret", sleep=self.pauses.append)
        self.open.callback(client.close)
        return client

    def __enter__(self) -> Self:
        self.open = ExitStack()
        self.address = self.open.enter_context(answering(self.answer))
        return self

    def __exit__(self, *_exception: object) -> None:
        self.open.close()
        assert not self.answers


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def query_of(asked: Asked) -> Mapping[str, str]:
    return dict(parse_qsl(urlsplit(asked.target).query, keep_blank_values=True))


@pytest.mark.parametrize("address", ["http://id.example.org", "ftp://127.0.0.1", "id.example.org", "http://"])
def test_a_token_is_sent_only_over_tls_or_to_this_machine(address: str) -> None:
    with pytest.raises(ValueError, match="A token is only sent over https"):
        Client(address, "gin_secret")


@pytest.mark.parametrize(
    "address", ["https://id.example.org/", "http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost"]
)
def test_a_client_takes_safe_addresses(address: str) -> None:
    assert Client(address, "gin_secret").service == address.rstrip("/")


def test_the_token_is_in_a_header_and_not_in_the_address(service: Service) -> None:
    service.answers = [
        as_json(
            200,
            {
                "owner": "mailto:jane@example.org",
                "token": {"id": "a1", "name": "notebook", "expires": "2027-01-01", "folders": [FOLDER]},
                "folders": [{"folder": FOLDER, "may": ["read", "register"]}],
            },
        )
    ]

    me = service.client.me()

    [asked] = service.asked
    assert (asked.target, asked.headers["authorization"]) == ("/api/me", "Bearer gin_secret")
    assert (me.owner, me.token.name) == ("mailto:jane@example.org", "notebook")
    assert me.folders[0].may == {"read", "register"}


def test_an_upload_states_its_options_by_their_metadata_names(service: Service) -> None:
    service.answers = [as_json(200, report())]

    done = service.client.upload(
        b"id,title\n",
        FOLDER,
        name="wells.csv",
        dry_run=True,
        many=False,
        reason="ñ & more",
        strict_tests=True,
    )

    [asked] = service.asked
    stated = {"dry-run": "true", "reason": "ñ & more", "strict-tests": "true"}
    assert query_of(asked) == {"folder": FOLDER, "name": "wells.csv", **stated}
    assert (asked.body, asked.headers["prefer"]) == (b"id,title\n", "wait=10")
    assert (done.key, done.version, done.is_refused) == (KEY, VERSION, False)
    assert list(done.identifiers) == ["uri-gin/azgs/1"]


def test_a_notebook_shows_what_a_report_counts() -> None:
    shown = repr(Report(report(refused=1)))

    assert shown.startswith(f"Report({KEY!r}, {VERSION!r}, {{")
    assert "'refused': 1" in shown


def test_a_report_has_the_findings_that_it_groups(service: Service) -> None:
    grouped = report(refused=1, finding_groups=[{"finding": {**FINDING, "line": 7}, "count": 1}])
    service.answers = [as_json(200, grouped)]

    found = service.client.report(KEY, VERSION)

    assert [finding.line for finding in found.findings] == [2, 7]
    assert list(found.identifiers) == []


def test_a_report_that_takes_longer_is_waited_for(service: Service) -> None:
    waiting = as_json(202, {"state": "waiting", "progress": {"percent": 10}})
    service.answers = [ACCEPTED, waiting, as_json(200, report(refused=1))]

    done = service.client.upload(b"", FOLDER, name="wells.csv")

    assert service.asked[1].target == "/api/uploads/uri-gin%2Fazgs%2Fwells.csv/v1"
    assert [finding.line for finding in done.findings] == [2]
    assert len(service.pauses) == 1


def test_a_report_that_takes_too_long_is_missing(service: Service) -> None:
    waiting = as_json(202, {"state": "waiting", "progress": None})
    service.answers = [waiting, waiting]
    client = service.client

    with pytest.raises(ReportMissing, match=r"uri-gin/azgs/wells.csv#v1: There is no report yet \(waiting\)"):
        client.report(KEY, VERSION)
    assert client.look(KEY, VERSION) == Waiting("waiting")


@pytest.mark.parametrize(
    "found",
    [
        as_json(202, {"state": "given up", "progress": None}),
        as_json(
            200,
            report(
                is_complete=False,
                unfinished={"part": "1", "tries": 5, "is_given_up": True, "reason": "-", "way_out": "Ask."},
            ),
        ),
    ],
    ids=["state", "report"],
)
def test_an_upload_that_was_given_up_is_not_waited_for(service: Service, found: Answered) -> None:
    service.answers = [found]

    with pytest.raises(ReportMissing):
        service.client.report(KEY, VERSION, wait=60)
    assert service.pauses == []


def test_a_lost_write_is_repeated_with_the_same_idempotency_key(service: Service) -> None:
    service.answers = [LOST, LOST, as_json(200, report())]

    service.client.put("uri-gin/azgs/1", {"title": "One"})

    keys = {asked.headers["idempotency-key"] for asked in service.asked}
    assert (len(service.asked), len(keys)) == (3, 1)
    assert {asked.body for asked in service.asked} == {b'{"title": "One"}'}


def test_a_lost_write_without_a_key_is_not_repeated(service: Service) -> None:
    service.answers = [LOST]

    with pytest.raises(ServiceUnreachable, match="does not answer"):
        service.client.submit(b"", FOLDER, name="wells.csv")
    assert len(service.asked) == 1


def test_a_stored_file_keeps_its_name_and_is_sent_again(service: Service) -> None:
    service.answers = [LOST, as_json(200, report())]

    service.client.upload(b"%PDF", FOLDER, name="map.pdf")

    assert [query_of(asked)["name"] for asked in service.asked] == ["map.pdf", "map.pdf"]
    assert "idempotency-key" not in service.asked[0].headers


@pytest.mark.parametrize("suffix", [*READABLE, ".pdf", ".file", ".xml"])
@pytest.mark.parametrize("options", [UploadOptions(), UploadOptions(read_as=REGISTRATIONS)], ids=["", "read"])
def test_the_client_knows_which_files_are_read(suffix: str, options: UploadOptions) -> None:
    name = f"wells{suffix}"

    assert is_stored(name, write_options(options)) is (reader_for(name, options) is None)


def test_a_lost_read_is_repeated_until_the_last_attempt(service: Service) -> None:
    service.answers = [LOST] * ATTEMPTS

    with pytest.raises(ServiceUnreachable):
        service.client.me()
    assert len(service.pauses) == ATTEMPTS - 1
    assert service.pauses == sorted(service.pauses)


def test_a_server_that_is_away_is_tried_again() -> None:
    with answering(lambda _: LOST) as address:
        pass
    pauses: list[float] = []
    client = Client(address, "gin_secret", sleep=pauses.append)

    with pytest.raises(ServiceUnreachable, match="refused"):
        client.submit(b"", FOLDER, name="wells.csv")
    assert len(pauses) == ATTEMPTS - 1


def test_a_busy_service_is_asked_again_after_the_time_it_states(service: Service) -> None:
    problem = {"title": "Too many requests", "status": 429}
    service.answers = [as_json(429, problem, Retry_After="7"), ACCEPTED]

    service.client.submit(b"", FOLDER, name="wells.csv")

    assert service.pauses == [7]


def test_requests_share_an_open_connection(service: Service) -> None:
    service.answers = [as_json(200, {"tokens": []}) for _ in range(3)]
    client = service.client

    for _ in range(3):
        client.tokens()

    assert len({asked.port for asked in service.asked}) == 1


def test_a_connection_that_the_server_closes_is_not_used_again(service: Service) -> None:
    service.answers = [as_json(200, {"tokens": []}, Connection="close"), as_json(200, {"tokens": []})]
    client = service.client

    assert (client.tokens(), client.tokens()) == ([], [])
    assert len({asked.port for asked in service.asked}) == 2


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ServiceError),
        (401, NotAuthenticated),
        (403, NotAllowed),
        (404, NotFound),
        (412, ConditionFailed),
        (422, RegistrationRefused),
    ],
)
def test_an_error_carries_the_problem_and_its_findings(
    service: Service, status: int, error: type[ServiceError]
) -> None:
    problem = {
        "type": "about:blank",
        "title": "Not as it should be",
        "status": status,
        "detail": "See the findings.",
        "findings": [FINDING],
    }
    service.answers = [as_json(status, problem)]

    with pytest.raises(error) as raised:
        service.client.patch("uri-gin/azgs/1", {"location": "x"})

    assert type(raised.value) is error
    assert isinstance(raised.value, GinuriError)
    assert str(raised.value) == (
        f"{status} Not as it should be. See the findings.\nline 2: location: This is no URL."
    )
    assert raised.value.findings[0].rule == "url"
    assert raised.value.status == status


def test_an_error_without_a_problem_document_has_the_phrase_of_its_status(service: Service) -> None:
    service.answers = [Answered(418, b"<html>"), Answered(599, b"")]
    client = service.client

    with pytest.raises(ServiceError, match="418 I'm a Teapot"):
        client.me()
    with pytest.raises(ServiceError, match="599 Unknown status"):
        client.me()


def test_too_many_requests_are_an_error_after_all_attempts(service: Service) -> None:
    service.answers = [as_json(429, {"title": "Too many requests"}, Retry_After="1")] * ATTEMPTS

    with pytest.raises(TooManyRequests):
        service.client.me()


def test_a_registration_refused_after_the_wait_is_an_error_as_well(service: Service) -> None:
    service.answers = [ACCEPTED, as_json(200, report(refused=1))]

    with pytest.raises(RegistrationRefused) as raised:
        service.client.put("uri-gin/azgs/1", {"location": "x"})

    assert [finding.message for finding in raised.value.findings] == ["This is no URL."]
    assert raised.value.problem.document["report"] == "/api/uploads/uri-gin%2Fazgs%2Fwells.csv/v1"


@pytest.mark.parametrize(
    ("stated", "sent"),
    [({"if_match": '"a1"'}, ("if-match", '"a1"')), ({"is_new": True}, ("if-none-match", "*"))],
)
def test_a_condition_is_sent_as_its_header(
    service: Service, stated: Mapping[str, Any], sent: tuple[str, str]
) -> None:
    service.answers = [as_json(200, report())]

    service.client.put("uri-gin/azgs/1", {"title": "One"}, **stated, wait=3, idempotency_key="mine")

    [asked] = service.asked
    assert (asked.method, asked.target) == ("PUT", "/api/records/uri-gin%2Fazgs%2F1")
    assert asked.headers[sent[0]] == sent[1]
    assert (asked.headers["prefer"], asked.headers["idempotency-key"]) == ("wait=3", "mine")


def test_a_record_is_read_with_its_entity_tag_and_history(service: Service) -> None:
    change = {"put": "2026-11-27T10:00:00.000Z", "upload": KEY, "version": "v1", "line": 2, "changes": []}
    service.answers = [
        as_json(200, {"identifier": "uri-gin/azgs/1", "etag": '"a1"', "registration": {"title": "One"}}),
        as_json(200, {"identifier": "uri-gin/azgs/1", "history": [change]}),
    ]
    client = service.client

    record, [first] = client.record("uri-gin/azgs/1"), client.history("uri-gin/azgs/1")

    assert (record.etag, record.registration) == ('"a1"', {"title": "One"})
    assert (first.upload, first.line, first.principal) == (KEY, 2, "")


def test_uploads_are_listed_page_by_page(service: Service) -> None:
    upload = {"key": KEY, "put": "2026-11-27T10:00:00.000Z", "state": "waiting", "counts": None}
    pages = [[{**upload, "version": f"v{number}"}] for number in range(3)]
    service.answers = [as_json(200, {"uploads": page, "next": f"after{at}"}) for at, page in enumerate(pages)]

    listed = list(service.client.uploads(FOLDER, last=3))

    assert [each.version for each in listed] == ["v0", "v1", "v2"]
    assert [query_of(asked).get("after") for asked in service.asked] == [None, "after0", "after1"]


def test_rows_are_read_until_the_last_page(service: Service) -> None:
    rows = [
        {"line": 2, "cells": ["a"], "verdict": "refused", "findings": [FINDING]},
        {"line": 3, "value": {}},
    ]
    service.answers = [as_json(200, {"rows": rows[:1], "next": 3}), as_json(200, {"rows": rows[1:]})]

    first, second = service.client.rows(KEY, VERSION)

    assert (first.value, first.findings[0].rule, second.value, second.verdict) == (["a"], "url", {}, "")
    assert query_of(service.asked[1])["start"] == "3"


def test_refused_lines_are_none_where_nothing_was_refused(service: Service) -> None:
    service.answers = [Answered(200, b"id\nx\n"), as_json(404, {"title": "Not found"})]
    client = service.client

    assert (client.refused(KEY, VERSION), client.refused(KEY, VERSION)) == (b"id\nx\n", None)


def test_an_upload_is_undone_by_another(service: Service) -> None:
    service.answers = [as_json(200, report())]

    service.client.undo(KEY, VERSION, dry_run=True)

    assert service.asked[0].target == "/api/uploads/uri-gin%2Fazgs%2Fwells.csv/v1/undo?dry-run=true"


NAMES = ["uri-gin/azgs/8f4", "uri-gin/azgs/9g5"]
MINTED = {"identifiers": NAMES, "upload": {"key": KEY, "version": VERSION}}


def test_minted_identifiers_are_asked_for_until_they_are_registered(service: Service) -> None:
    service.answers = [as_json(202, MINTED), as_json(201, MINTED)]

    minted = service.client.mint(FOLDER, "eedk", 2, registration={"title": "Core"})

    assert minted.identifiers == tuple(NAMES)
    wanted = {"prefix": FOLDER, "template": "eedk", "count": 2, "registration": {"title": "Core"}}
    assert [json.loads(asked.body) for asked in service.asked] == [wanted, wanted]
    assert len({asked.headers["idempotency-key"] for asked in service.asked}) == 1


def test_identifiers_that_are_not_registered_in_time_are_missing(service: Service) -> None:
    service.answers = [as_json(202, MINTED)]

    with pytest.raises(ReportMissing, match="The names are not registered yet"):
        service.client.mint(FOLDER, wait=0)


def signed_report(service: Service) -> Callable[[Asked], Answered]:
    return lambda _: Answered(307, headers={"Location": f"{service.address}/signed?X-Amz-Signature=1"})


def test_a_large_report_is_read_from_its_signed_link_without_the_token(service: Service) -> None:
    service.answers = [signed_report(service), as_json(200, report())]

    assert service.client.report(KEY, VERSION).counts["registered"] == 1
    assert service.asked[1].target == "/signed?X-Amz-Signature=1"
    assert "authorization" not in service.asked[1].headers


def test_a_stored_file_is_read_from_the_service_or_its_signed_link(service: Service) -> None:
    service.answers = [Answered(200, b"%PDF"), signed_report(service), Answered(200, b"%PDF")]
    client = service.client

    assert b"".join(client.file("uri-gin/azgs/map.pdf", "v1")) == b"%PDF"
    assert b"".join(client.file("uri-gin/azgs/map.pdf", "v1")) == b"%PDF"
    assert service.asked[0].target == "/api/files/uri-gin%2Fazgs%2Fmap.pdf/v1"


def test_a_stored_file_that_cannot_be_read_is_an_error(service: Service) -> None:
    service.answers = [as_json(404, {"title": "Not found"}), LOST]
    client = service.client

    with pytest.raises(NotFound):
        client.file("uri-gin/azgs/map.pdf", "v1")
    with pytest.raises(ServiceUnreachable):
        client.file("uri-gin/azgs/map.pdf", "v1")


def test_a_stored_file_that_ends_early_is_an_error(service: Service) -> None:
    service.answers = [Answered(200, b"%PDF", is_cut=True)]

    with pytest.raises(ServiceUnreachable):
        list(service.client.file("uri-gin/azgs/map.pdf", "v1"))


def test_records_are_read_page_by_page_or_by_name(service: Service) -> None:
    first, second = ({"identifier": f"uri-gin/azgs/{number}"} for number in (1, 2))
    service.answers = [
        as_json(200, {"records": [first], "next": "uri-gin/azgs/1"}),
        as_json(200, {"records": [second], "next": None}),
        as_json(200, {"records": [first], "left": ["uri-gin/azgs/2"]}),
        as_json(200, {"records": [second], "left": []}),
    ]
    client = service.client

    assert list(client.records(FOLDER, form="names")) == [first, second]
    names = ["uri-gin/azgs/1", "uri-gin/azgs/2"]
    assert client.read_records(names, with_history=True) == [first, second]
    assert query_of(service.asked[1])["after"] == "uri-gin/azgs/1"
    asked = [json.loads(each.body) for each in service.asked[2:]]
    assert asked == [{"names": names, "history": True}, {"names": names[1:], "history": True}]


def test_tokens_are_made_listed_and_revoked(service: Service) -> None:
    facts = {"id": "a1", "name": "ci", "folders": [FOLDER], "rights": ["register"], "expires": "2027-01-01"}
    service.answers = [
        as_json(201, {**facts, "token": "gin_new"}),
        as_json(200, {"tokens": [facts]}),
        Answered(204),
    ]
    client = service.client

    made = client.create_token("ci", [FOLDER], ["register"], options=["many"], days=30)
    listed = client.tokens()
    client.revoke_token("a1")

    assert (made.secret, made.facts) == ("gin_new", listed[0])
    assert "gin_new" not in repr(made)
    assert service.asked[2].target == "/api/tokens/a1"


LARGE = b"x" * 4_000_000


def signing(service: Service) -> Callable[[Asked], Answered]:
    """Return the answer with an address for one object, on the same server."""

    def answer(_: Asked) -> Answered:
        url = f"{service.address}/signed/{KEY}?X-Amz-Signature=1"
        headers = {"If-None-Match": "*", "x-amz-meta-may": "1"}
        return as_json(201, {"key": KEY, "put": {"url": url, "headers": headers, "expires": ""}})

    return answer


def test_a_large_file_is_put_to_a_signed_address_without_the_token(service: Service) -> None:
    arrived = Answered(200, headers={"x-amz-version-id": "v7"})
    service.answers = [signing(service), LOST, arrived]

    submitted = service.client.submit(BytesIO(LARGE), FOLDER, name="wells.csv", idempotency_key="mine")

    asked, _, put = service.asked
    assert query_of(asked)["size"] == str(len(LARGE))
    assert (put.method, put.target) == ("PUT", f"/signed/{KEY}?X-Amz-Signature=1")
    assert (put.body, put.headers["if-none-match"]) == (LARGE, "*")
    assert "authorization" not in put.headers
    assert (submitted.key, submitted.version) == (KEY, "v7")


def test_a_large_file_that_arrived_already_is_found_in_the_list(service: Service) -> None:
    upload = {"key": KEY, "version": "v7", "put": "", "state": "waiting"}
    service.answers = [signing(service), Answered(412), as_json(200, {"uploads": [upload], "next": None})]

    assert service.client.submit(LARGE, FOLDER, name="wells.csv").version == "v7"


def test_a_large_file_that_arrived_and_is_not_listed_is_an_error(service: Service) -> None:
    service.answers = [signing(service), Answered(412), as_json(200, {"uploads": [], "next": None})]

    with pytest.raises(ServiceUnreachable, match="is not listed yet"):
        service.client.submit(LARGE, FOLDER, name="wells.csv")


def test_a_large_file_that_is_not_accepted_is_an_error(service: Service) -> None:
    service.answers = [signing(service), Answered(403, b"<Code>AccessDenied</Code>")]

    with pytest.raises(ServiceUnreachable, match="403 <Code>AccessDenied"):
        service.client.submit(LARGE, FOLDER, name="wells.csv")


def test_a_store_that_does_not_answer_is_an_error(service: Service) -> None:
    service.answers = [signing(service), *[LOST] * (ATTEMPTS - 1), Answered(503)]
    with pytest.raises(ServiceUnreachable, match="503"):
        service.client.submit(LARGE, FOLDER, name="wells.csv")

    service.answers = [signing(service), *[LOST] * ATTEMPTS]
    with pytest.raises(ServiceUnreachable, match="does not answer"):
        service.client.submit(LARGE, FOLDER, name="wells.csv")


def test_a_service_without_signed_addresses_takes_a_large_file_itself(service: Service) -> None:
    service.answers = [as_json(400, {"title": "Send the file itself"}), ACCEPTED]

    service.client.submit(LARGE, FOLDER, name="wells.csv")

    assert service.asked[1].body == LARGE


def test_another_refusal_of_a_large_file_is_an_error(service: Service) -> None:
    service.answers = [as_json(403, {"title": "Not allowed"})]

    with pytest.raises(NotAllowed):
        service.client.submit(LARGE, FOLDER, name="wells.csv")


def test_a_path_is_uploaded_under_the_name_of_its_file(service: Service, tmp_path: Path) -> None:
    (tmp_path / "wells.csv").write_bytes(b"id\n")
    service.answers = [ACCEPTED]

    with service.client as client:
        client.submit(tmp_path / "wells.csv", FOLDER)

    assert (query_of(service.asked[0])["name"], service.asked[0].body) == ("wells.csv", b"id\n")
