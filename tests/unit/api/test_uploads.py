"""Uploads through the interface for stewards: what is put, what is answered, and what is refused."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from ginuri.files.reports.report import Upload, report_key, write_unfinished
from ginuri.files.reports.summary import summary_key
from ginuri.registration.authorization import Right
from tests.api_service import AZGS, JANE, ApiService, uploads_of
from tests.steward import line

WELL = line("uri-gin/azgs/well/1").encode()
UPLOAD = f"/api/uploads?folder={AZGS}&name=wells.jsonl"


@pytest.fixture
def service() -> ApiService:
    return ApiService()


def _upload(service: ApiService, body: bytes = WELL, query: str = "", **headers: str) -> Any:
    answer = service.ask("POST", f"{UPLOAD}{query}", body, Prefer="wait=5", **headers)
    assert answer.status == 200, answer
    return answer.json


def test_an_upload_is_answered_with_the_address_of_its_report(service: ApiService) -> None:
    answer = service.ask("POST", UPLOAD, WELL)

    report = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{answer.json['version']}"
    assert answer.status == 202
    assert answer.json == {
        "key": f"{AZGS}wells.jsonl",
        "version": answer.json["version"],
        "state": "waiting",
        "report": report,
    }
    assert answer.headers["Location"] == [report]
    assert answer.headers["Cache-Control"] == ["no-store"]
    assert answer.headers["X-Content-Type-Options"] == ["nosniff"]


def test_an_upload_waits_for_its_report_as_preferred(service: ApiService) -> None:
    answer = service.ask("POST", UPLOAD, WELL, Prefer="wait=5")

    assert answer.status == 200
    assert answer.headers["Preference-Applied"] == ["wait=5"]
    assert answer.json["counts"]["registered"] == 1


def test_an_upload_states_its_principal_and_its_scope(service: ApiService) -> None:
    service.ask("POST", f"{UPLOAD}&reason=New%20wells&dry-run=true&only-new=true", WELL)

    [token] = service.tokens.of(JANE)
    assert service.metadata() == {
        "dry-run": "true",
        "reason": "New wells",
        "language": "en",
        "only-new": "true",
        "principal": JANE,
        "may": f"rwx={AZGS}",
        "token": token.id,
    }


def test_the_language_of_a_report_is_that_of_the_client(service: ApiService) -> None:
    service.ask("POST", UPLOAD, WELL, Accept_Language="es-MX, es;q=0.9, en;q=0.5")
    assert service.metadata()["language"] == "es"

    service.ask("POST", f"{UPLOAD}&language=en", WELL, Accept_Language="es")
    assert service.metadata()["language"] == "en"


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("folder=uri-gin/azgs&name=a.csv", "malformed-request"),
        ("folder=uri-gin/azgs/../usgin/&name=a.csv", "malformed-request"),
        ("folder=uri-gin/azgs/%2e%2e/usgin/&name=a.csv", "malformed-request"),
        ("folder=uri-gin//azgs/&name=a.csv", "malformed-request"),
        ("folder=uri-gin/AZGS/&name=a.csv", "missing-right"),
        ("folder=uri-gin/azgs2/&name=a.csv", "missing-right"),
        ("folder=uri-gin/usgin/&name=a.csv", "missing-right"),
        ("folder=_host/&name=a.csv", "missing-right"),
        ("folder=uri-gin/&name=a.csv", "missing-right"),
        ("folder=nonsense&name=a.csv", "malformed-request"),
        ("folder=uri-gin/azgs/&name=x/a.csv", "malformed-request"),
        ("folder=uri-gin/azgs/&name=..", "malformed-request"),
        ("folder=uri-gin/azgs/&name=a%0Ab.csv", "malformed-request"),
        (f"folder=uri-gin/azgs/&name={'a' * 900}.csv", "malformed-request"),
        ("folder=uri-gin/azgs/", "malformed-request"),
        ("name=a.csv", "malformed-request"),
        ("folder=uri-gin/azgs/&name=a.csv&dryrun=true", "malformed-request"),
        ("folder=uri-gin/azgs/&name=a.csv&dry-run=1", "malformed-request"),
        ("folder=uri-gin/azgs/&name=a.csv&reason=a%0Ab", "malformed-request"),
        (f"folder=uri-gin/azgs/&name=a.csv&reason={'a' * 2000}", "malformed-request"),
        ("folder=uri-gin/azgs/&name=a.csv&correction=true", "malformed-request"),
        ("folder=uri-gin/azgs/&name=a.csv&correction=true&reason=why", "missing-right"),
        ("folder=uri-gin/azgs/&name=a.csv&many=true", "missing-right"),
        ("folder=uri-gin/azgs/&name=a.csv&snapshot=uri-gin/azgs/", "missing-right"),
    ],
)
def test_an_upload_is_refused_before_it_is_put(service: ApiService, query: str, problem: str) -> None:
    before = list(uploads_of(service))
    answer = service.ask("POST", f"/api/uploads?{query}", WELL)

    assert answer.problem == problem, answer
    assert list(uploads_of(service)) == before


def test_a_token_with_options_states_them(service: ApiService) -> None:
    service.secret = service.token(options=("correction", "many", "snapshot"))
    service.ask("POST", f"{UPLOAD}&correction=true&reason=why&many=true&snapshot={AZGS}", WELL)

    stated = service.metadata()
    assert (stated["correction"], stated["many"], stated["snapshot"]) == ("true", "true", AZGS)


def test_a_form_around_a_file_is_refused(service: ApiService) -> None:
    answer = service.ask("POST", UPLOAD, WELL, Content_Type="multipart/form-data; boundary=a")

    assert (answer.status, answer.problem) == (415, "media-type")
    assert answer.headers["Accept"] == ["application/octet-stream"]


def test_an_empty_or_large_body_is_refused(service: ApiService) -> None:
    service.configure(most_bytes=10)

    assert service.ask("POST", UPLOAD).problem == "malformed-request"
    assert service.ask("POST", UPLOAD, WELL).problem == "too-large"


def test_a_repeated_request_gives_the_same_upload(service: ApiService) -> None:
    first = service.ask("POST", UPLOAD, WELL, Idempotency_Key="k1")
    again = service.ask("POST", UPLOAD, WELL, Idempotency_Key="k1", Prefer="wait=1")
    other = service.ask("POST", UPLOAD, WELL, Idempotency_Key="k2")

    assert first.status == other.status == 202
    assert again.json["upload"]["key"] == first.json["key"] != other.json["key"]
    assert len([key for key in uploads_of(service) if key == first.json["key"]]) == 1


def test_a_repeated_key_with_another_request_is_refused(service: ApiService) -> None:
    service.ask("POST", UPLOAD, WELL, Idempotency_Key="k1")

    assert service.ask("POST", UPLOAD, WELL + WELL, Idempotency_Key="k1").problem == "reused-key"
    assert service.ask("POST", f"{UPLOAD}&dry-run=true", WELL, Idempotency_Key="k1").problem == "reused-key"
    assert service.ask("POST", UPLOAD, WELL, Idempotency_Key="a b").problem == "malformed-request"


def test_the_keys_of_two_people_are_independent(service: ApiService) -> None:
    service.grants += [type(service.grants[0])(AZGS, "mailto:b@example.org", frozenset(Right))]
    other = service.token(owner="mailto:b@example.org")
    first = service.ask("POST", UPLOAD, WELL, Idempotency_Key="k1")
    second = service.ask("POST", UPLOAD, WELL + b"\n", other, Idempotency_Key="k1")

    assert first.json["key"] != second.json["key"]


def test_two_requests_with_one_key_at_once_put_one_upload(service: ApiService) -> None:
    service.place.races = True
    answer = service.ask("POST", UPLOAD, WELL, Idempotency_Key="k1")

    assert answer.status == 202
    assert len([key for key in uploads_of(service) if key == answer.json["key"]]) == 1


def test_a_large_file_is_put_by_the_client(service: ApiService) -> None:
    answer = service.ask("POST", f"{UPLOAD}&size=5000000")

    assert answer.status == 201
    assert answer.json == {
        "key": f"{AZGS}wells.jsonl",
        "put": {
            "url": f"https://bucket.invalid/{AZGS}wells.jsonl",
            "headers": {"If-None-Match": "*"},
            "expires": 300,
        },
    }
    [(key, length, metadata, seconds)] = service.place.presigned
    assert (key, length, seconds) == (f"{AZGS}wells.jsonl", 5_000_000, 300)
    assert metadata["may"] == f"rwx={AZGS}"


def test_a_large_file_gets_a_new_name_if_its_own_is_taken(service: ApiService) -> None:
    _upload(service)
    renamed = service.ask("POST", f"{UPLOAD}&size=5000000").json["key"]
    service.ask("POST", f"/api/uploads?folder={AZGS}&name=map.pdf", b"%PDF")
    stored = service.ask("POST", f"/api/uploads?folder={AZGS}&name=map.pdf&size=5000000")

    assert renamed.startswith(AZGS)
    assert renamed.endswith("-wells.jsonl")
    assert stored.problem == "conflict"


@pytest.mark.parametrize("size", ["0", "x", "-1", "99999999999", "1.5"])
def test_a_size_that_is_no_length_is_refused(service: ApiService, size: str) -> None:
    assert service.ask("POST", f"{UPLOAD}&size={size}").problem == "malformed-request"


def test_a_size_is_not_stated_with_a_body_or_on_one_machine(service: ApiService) -> None:
    assert service.ask("POST", f"{UPLOAD}&size=5", WELL).problem == "malformed-request"
    service.configure(presigner=None)
    assert service.ask("POST", f"{UPLOAD}&size=5").problem == "malformed-request"


def test_a_report_is_read_by_its_address(service: ApiService) -> None:
    address = service.ask("POST", UPLOAD, WELL).json["report"]
    waiting = service.ask("GET", address)
    done = service.ask("GET", address, Prefer="wait=1")

    assert (waiting.status, waiting.json) == (202, {"state": "waiting", "progress": None})
    assert waiting.headers["Retry-After"] == ["1"]
    assert done.status == 200
    assert done.json == service.ask("GET", address).json
    assert done.json["counts"]["registered"] == 1


def test_an_unknown_upload_has_no_report(service: ApiService) -> None:
    key = quote(f"{AZGS}none.csv", safe="")

    for path in ("", "/refused", "/rows"):
        assert service.ask("GET", f"/api/uploads/{key}/v9{path}").problem == "not-found"
    assert service.ask("POST", f"/api/uploads/{key}/v9/undo").problem == "not-found"


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("uri-gin/usgin/wells.csv", "missing-right"),
        ("uri-gin/azgs2/wells.csv", "missing-right"),
        ("uri-gin/azgs/../usgin/wells.csv", "malformed-request"),
        ("uri-gin//azgs/wells.csv", "malformed-request"),
        ("uri-gin/azgs/", "malformed-request"),
        ("wells.csv", "malformed-request"),
    ],
)
def test_reports_of_other_folders_are_not_read(service: ApiService, key: str, problem: str) -> None:
    path = f"/api/uploads/{quote(key, safe='')}/v1"

    for method, further in (("GET", ""), ("GET", "/rows"), ("GET", "/refused"), ("POST", "/undo")):
        assert service.ask(method, f"{path}{further}").problem == problem


def test_a_report_too_large_for_an_answer_is_linked(
    service: ApiService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginuri.api.routes.reports.LARGEST_BODY", 100)
    service.configure(link=lambda key: f"https://reports.invalid/{key}")
    refused = line("uri-gin/usgin/well/1").encode() * 2
    address = service.ask("POST", UPLOAD, refused).json["report"]
    service.place.process()

    for further, suffix in (("", ".json"), ("/refused", ".refused.jsonl")):
        answer = service.ask("GET", f"{address}{further}")
        assert answer.status == 307
        assert answer.headers["Location"][0].endswith(suffix)


def test_refused_lines_are_a_file(service: ApiService) -> None:
    refused = line("uri-gin/usgin/well/1").encode()
    report = _upload(service, WELL + refused)
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{report['upload']['version']}/refused"
    answer = service.ask("GET", address)

    assert answer.body == refused
    assert answer.headers["Content-Disposition"][0].endswith('.refused.jsonl"')

    whole = _upload(service)
    none = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{whole['upload']['version']}/refused"
    assert service.ask("GET", none).status == 204


def test_refused_lines_are_not_known_before_the_report(service: ApiService) -> None:
    answer = service.ask("GET", service.ask("POST", UPLOAD, WELL).json["report"] + "/refused")

    assert (answer.status, answer.json["state"]) == (202, "waiting")


def test_rows_of_json_lines_have_values_and_verdicts(service: ApiService) -> None:
    body = WELL + b"\n" + line("uri-gin/usgin/well/1").encode() + b"{nonsense\n"
    report = _upload(service, body)
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{report['upload']['version']}/rows"
    rows = service.ask("GET", address).json
    page = service.ask("GET", f"{address}?start=1&most=1").json

    assert [(row["line"], row["verdict"]) for row in rows["rows"]] == [
        (1, "registered"),
        (3, "refused"),
        (4, "refused"),
    ]
    assert rows["rows"][0]["value"] == json.loads(WELL)
    assert rows["rows"][1]["findings"][0]["rule"] == "folder"
    assert rows["rows"][2]["value"] == "{nonsense"
    assert rows["next"] is None
    assert (len(page["rows"]), page["next"]) == (1, 3)
    assert [row["line"] for row in service.ask("GET", f"{address}?start=3").json["rows"]] == [3, 4]


def test_rows_of_a_table_have_cells(service: ApiService) -> None:
    table = b'identifier,title\nuri-gin/azgs/well/1,Well\n\nuri-gin/usgin/well/2,"Two\nlines"\n'
    report = service.ask("POST", f"/api/uploads?folder={AZGS}&name=wells.csv", table, Prefer="wait=2").json
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.csv/{report['upload']['version']}/rows"
    rows = service.ask("GET", address).json["rows"]

    assert rows[0]["cells"] == {"identifier": "uri-gin/azgs/well/1", "title": "Well"}
    assert [(row["line"], row["verdict"]) for row in rows] == [(2, "registered"), (4, "refused")]
    assert service.ask("GET", f"{address}?most=1001").problem == "malformed-request"


@pytest.mark.parametrize(
    "written", [b'{"a": "\\ud800"}', b'{"a": NaN}', b'{"a": 1e999}', b'{"a": 1, "a": 2}']
)
def test_a_row_without_a_value_in_json_is_a_text(service: ApiService, written: bytes) -> None:
    report = service.ask("POST", f"/api/uploads?folder={AZGS}&name=a.jsonl", written, Prefer="wait=2").json
    address = f"/api/uploads/{quote(AZGS, safe='')}a.jsonl/{report['upload']['version']}/rows"

    assert service.ask("GET", address).json["rows"][0]["value"] == written.decode()


def test_a_heading_that_is_no_text_is_readable(service: ApiService) -> None:
    table = b"identifier,title,n\xff\nuri-gin/azgs/well/1,Well,1\n"
    report = service.ask("POST", f"/api/uploads?folder={AZGS}&name=a.csv", table, Prefer="wait=2").json
    address = f"/api/uploads/{quote(AZGS, safe='')}a.csv/{report['upload']['version']}/rows"

    assert "n\ufffd" in service.ask("GET", address).json["rows"][0]["cells"]


def test_a_stored_file_has_no_rows(service: ApiService) -> None:
    report = service.ask("POST", f"/api/uploads?folder={AZGS}&name=map.pdf", b"%PDF", Prefer="wait=2").json
    address = f"/api/uploads/{quote(AZGS, safe='')}map.pdf/{report['upload']['version']}/rows"

    assert service.ask("GET", address).problem == "not-found"


def test_uploads_are_listed_newest_first(service: ApiService) -> None:
    _upload(service)
    _upload(service, line("uri-gin/usgin/well/1").encode(), "&reason=Second&submitter=Ann")
    service.ask("POST", UPLOAD, WELL)
    listed = service.ask("GET", f"/api/uploads?folder={AZGS}&last=2").json
    rest = service.ask("GET", f"/api/uploads?last=100&after={listed['next']}").json

    waiting, second = listed["uploads"]
    assert (waiting["state"], waiting["counts"]) == ("waiting", None)
    assert (second["state"], second["counts"]["refused"]) == ("complete", 1)
    assert (second["reason"], second["submitter"], second["dry_run"]) == ("Second", "Ann", False)
    assert listed["next"] == 2
    assert rest["next"] is None
    assert [each["key"] for each in rest["uploads"]] == [f"{AZGS}wells.jsonl", f"{AZGS}1-types.jsonl"]


def test_uploads_are_listed_by_state(service: ApiService) -> None:
    _upload(service)
    service.ask("POST", UPLOAD, WELL)
    waiting = service.ask("GET", "/api/uploads?state=waiting").json["uploads"]
    complete = service.ask("GET", "/api/uploads?state=complete&last=1").json

    assert [each["state"] for each in waiting] == ["waiting"]
    assert [each["state"] for each in complete["uploads"]] == ["complete"]
    assert complete["next"] == 2
    assert service.ask("GET", "/api/uploads?state=done").problem == "malformed-request"
    assert service.ask("GET", "/api/uploads?state=").problem == "malformed-request"


def test_uploads_of_other_folders_are_not_listed(service: ApiService) -> None:
    service.steward.upload("uri-gin/usgin/wells.jsonl", line("uri-gin/usgin/well/1"))
    keys = {each["key"] for each in service.ask("GET", "/api/uploads").json["uploads"]}

    assert all(key.startswith(AZGS) for key in keys)
    assert service.ask("GET", "/api/uploads?folder=uri-gin/usgin/").problem == "missing-right"


def test_an_undo_restores_the_previous_values(service: ApiService) -> None:
    report = _upload(service)
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{report['upload']['version']}/undo"
    tried = service.ask("POST", f"{address}?dry-run=true", Prefer="wait=2")
    before = service.steward.values("uri-gin/azgs/well/1")
    undone = service.ask("POST", address, Prefer="wait=2", Idempotency_Key="u1")
    again = service.ask("POST", address, Prefer="wait=2", Idempotency_Key="u1")

    assert tried.json["dry_run"]
    assert before
    assert before["title"] == {"": "Well"}
    assert undone.json["counts"]["changed"] == 1
    assert again.json == undone.json
    after = service.steward.values("uri-gin/azgs/well/1")
    assert after
    assert after["status"] == "reserved"
    assert service.ask("POST", address).problem == "conflict"


def test_a_dry_run_is_not_undone(service: ApiService) -> None:
    report = _upload(service, query="&dry-run=true")
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{report['upload']['version']}/undo"

    assert service.ask("POST", address).problem == "conflict"


def test_an_undone_type_with_names_below_stays(service: ApiService) -> None:
    [types] = [version for key, version in service.steward.files.uploads if key == f"{AZGS}1-types.jsonl"]
    _upload(service, line("uri-gin/azgs/doc/map/1").encode())
    address = f"/api/uploads/{quote(f'{AZGS}1-types.jsonl', safe='')}/{types}/undo"

    assert service.ask("POST", address).problem == "conflict"


def test_an_undo_restores_stored_files_under_the_same_token(service: ApiService) -> None:
    store = f"/api/uploads?folder={AZGS}&name=map.pdf"
    with_file = line(
        "uri-gin/azgs/doc/map/1", representations=[{"file": "map.pdf", "media_type": "application/pdf"}]
    )
    service.ask("POST", store, b"%PDF first", Prefer="wait=2")
    _upload(service, with_file.encode())
    service.ask("POST", store, b"%PDF second", Prefer="wait=2")
    second = _upload(service, with_file.encode())
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.jsonl/{second['upload']['version']}/undo"
    undone = service.ask("POST", address, Prefer="wait=2")

    assert undone.status == 200, undone
    [(key, metadata)] = service.place.restored
    assert (key, metadata["principal"]) == (f"{AZGS}map.pdf", JANE)


def _give_up(service: ApiService, key: str, version: str, *, is_given_up: bool) -> None:
    upload = Upload("uploads", key, version, "2027-01-01T00:00:00.000Z")
    body = write_unfinished(upload, "rows 1", 5, "it broke", is_given_up=is_given_up)
    service.steward.files.report(report_key(key, version), body)


def test_an_upload_that_was_given_up_has_a_report(service: ApiService) -> None:
    sent = service.ask("POST", UPLOAD, WELL).json
    service.place.unprocessed.clear()
    _give_up(service, sent["key"], sent["version"], is_given_up=False)
    assert service.ask("GET", sent["report"], Prefer="wait=1").status == 202

    _give_up(service, sent["key"], sent["version"], is_given_up=True)
    answer = service.ask("GET", sent["report"])
    assert answer.status == 200
    assert answer.json["unfinished"]["is_given_up"]
    assert service.ask("POST", f"{sent['report']}/undo").problem == "unavailable"
    assert (
        service.ask("GET", "/api/uploads?state=given%20up").json["uploads"][0]["version"] == sent["version"]
    )


def test_an_upload_is_complete_once_its_summary_is_written(service: ApiService) -> None:
    sent = service.ask("POST", UPLOAD, WELL).json
    service.ask("GET", sent["report"], Prefer="wait=2")
    reports = service.steward.files.reports
    summary = reports.pop(summary_key(sent["key"], sent["version"]))

    assert service.ask("GET", sent["report"]).json["state"] == "waiting"
    reports[summary_key(sent["key"], sent["version"])] = summary
    assert service.ask("GET", sent["report"]).status == 200


def test_a_file_that_cannot_be_read_has_no_rows(service: ApiService) -> None:
    report = service.ask("POST", f"/api/uploads?folder={AZGS}&name=a.xlsx", b"no zip", Prefer="wait=2").json
    address = f"/api/uploads/{quote(AZGS, safe='')}a.xlsx/{report['upload']['version']}/rows"

    assert service.ask("GET", address).problem == "conflict"


def test_rows_have_the_columns_of_the_file_despite_a_mapping(service: ApiService) -> None:
    table = b"uri,label,note\nuri-gin/azgs/well/1,Well,x\nuri-gin/azgs/well/2,\xff,y,z\n"
    target = f"/api/uploads?folder={AZGS}&name=wells.csv&map=identifier%3Duri%2Ctitle%3Dlabel"
    report = service.ask("POST", target, table, Prefer="wait=2").json
    address = f"/api/uploads/{quote(AZGS, safe='')}wells.csv/{report['upload']['version']}/rows"
    rows = service.ask("GET", address).json["rows"]

    assert rows[0]["cells"] == {"uri": "uri-gin/azgs/well/1", "label": "Well", "note": "x"}
    assert rows[1]["cells"]["label"] == "\N{REPLACEMENT CHARACTER}"


def test_a_segment_that_is_no_text_is_refused(service: ApiService) -> None:
    for segment in ("%FF", "a%00b", "%0A"):
        assert service.ask("GET", f"/api/uploads/{segment}/v1").problem == "malformed-request"
        assert service.ask("GET", f"/api/records/{segment}").problem == "malformed-request"


def test_a_wait_is_at_most_ten_seconds(service: ApiService) -> None:
    service.configure(sleep=lambda seconds: setattr(service, "seconds", service.seconds + seconds))
    sent = service.ask("POST", UPLOAD, WELL, Prefer="wait=600")

    assert sent.status == 202
    assert 9.5 <= service.seconds <= 10.5


@pytest.mark.parametrize(
    ("preferred", "seconds"),
    [
        ("wait=3", 3),
        ("respond-async, wait=3", 3),
        ("WAIT = 3", 3),
        ("wait=x", 0),
        ("", 0),
        ("waiting=3", 0),
        ('return=minimal; a="b,wait=9", wait="3"', 3),
        ("wait=3, wait=5", 3),
        ('a="b,wait=9,', 0),
        ('a="b\\",wait=9,\\"", wait=3; b', 3),
        ("wait=1.5", 0),
        ("wait=99999999999999999999", 10),
        ("wait=0000000003", 3),
    ],
)
def test_a_preference_states_seconds(service: ApiService, preferred: str, seconds: int) -> None:
    service.configure(sleep=lambda left: setattr(service, "seconds", service.seconds + left))
    service.ask("POST", UPLOAD, WELL, Prefer=preferred)

    assert abs(service.seconds - seconds) < 0.6
