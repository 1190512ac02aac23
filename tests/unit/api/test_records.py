"""One identifier through the interface for stewards: its registration, its history, and changes to it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from ginuri.files.options import read_options
from ginuri.registration.authorization import Grant, Right
from tests.api_service import AZGS, JANE, WRITING, Answer, ApiService
from tests.steward import line

NAME = "uri-gin/azgs/well/1"
WELL = f"/api/records/{quote(NAME, safe='')}"


@pytest.fixture
def service() -> ApiService:
    service = ApiService()
    service.steward.upload(f"{AZGS}wells.jsonl", line(NAME, reason="new", contact="a@example.org"))
    return service


def _registration(service: ApiService, path: str = WELL) -> Any:
    return service.ask("GET", path).json["registration"]


def _put(service: ApiService, body: object, path: str = WELL, **headers: str) -> Answer:
    return service.ask("PUT", path, body, Prefer="wait=5", **headers)


def test_a_record_is_an_exported_line_with_an_entity_tag(service: ApiService) -> None:
    answer = service.ask("GET", WELL)

    assert answer.json["identifier"] == NAME
    assert answer.json["registration"] == {
        "identifier": NAME,
        "title": "Well",
        "contact": "a@example.org",
        "reason": "new",
    }
    assert answer.json["further"] == []
    assert answer.headers["ETag"] == [answer.json["etag"]]
    assert service.ask("HEAD", WELL).headers["ETag"] == [answer.json["etag"]]


def test_the_rules_of_a_prefix_are_beside_its_record(service: ApiService) -> None:
    prefix = "uri-gin/azgs/doc/"
    service.steward.upload(
        f"{AZGS}rules.jsonl",
        json.dumps({"record": "rule", "identifier": prefix, "location": "https://a.example/{+rest}"}),
    )
    answer = service.ask("GET", f"/api/records/{quote(prefix, safe='')}").json

    assert answer["registration"]["record"] == "resource-type"
    assert [each["record"] for each in answer["further"]] == ["rule"]


@pytest.mark.parametrize(
    ("written", "status"),
    [
        (NAME, 200),
        (f"http://any.example/{NAME}", 200),
        ("uri-gin/azgs/we%6Cl/1", 200),
        ("uri-gin/azgs/well/2", 404),
        ("uri-gin/azgs/WELL/1", 404),
        ("uri-gin/usgin/well/1", 403),
        ("uri-gin/azgs2/well/1", 403),
        ("uri-gin/azgs/../usgin/well/1", 400),
        ("uri-gin/azgs//well/1", 400),
        ("nonsense", 400),
    ],
)
def test_an_identifier_is_one_escaped_segment(service: ApiService, written: str, status: int) -> None:
    path = f"/api/records/{quote(written, safe='')}"

    assert service.ask("GET", path).status == status
    assert service.ask("GET", f"{path}/history").status == status


def test_patch_changes_the_stated_fields_only(service: ApiService) -> None:
    answer = service.ask("PATCH", WELL, {"title": "Spring", "reason": None}, Prefer="wait=5")

    assert answer.status == 200
    assert answer.json["counts"]["changed"] == 1
    changed = _registration(service)
    assert (changed["title"], changed["contact"]) == ("Spring", "a@example.org")
    assert "reason" not in changed


FIRST = {
    "title": {"de": "Brunnen", "en": "Well"},
    "description": "Deep",
    "properties": {"county": "Pima", "depth": "12"},
    "links": [
        {"rel": "license", "href": "https://a.example/l"},
        {"rel": "author", "href": "https://a.example/a"},
    ],
    "representations": [
        {"part": ".pdf", "location": "https://a.example/1.pdf", "media_type": "application/pdf"},
        {"media_type": "text/html", "location": "https://a.example/1"},
    ],
}


@pytest.mark.parametrize(
    "stated",
    [
        {"title": "Spring"},
        {"title": {"de": "Quelle"}, "contact": "b@example.org"},
        {
            "title": "A",
            "properties": {"depth": "13"},
            "links": [{"rel": "author", "href": "https://a.example/b"}],
        },
        {"title": "A", "representations": [{"media_type": "text/html", "location": "https://a.example/2"}]},
        {"title": "A", "representations": [{"part": ".pdf", "location": "https://a.example/2.pdf"}]},
        {"title": "A", "location": "https://a.example/2", "media_type": "text/html"},
        FIRST,
    ],
)
def test_put_leaves_only_what_it_states(service: ApiService, stated: dict[str, Any]) -> None:
    assert _put(service, FIRST).status == 200
    before = _put(ApiService(), {**stated, "identifier": NAME})
    assert before.status == 200
    fresh = ApiService()
    _put(fresh, stated)

    answer = _put(service, stated)

    assert answer.status == 200, answer
    left = _registration(service)
    retired = [form for form in left.get("representations", ()) if form.get("status") == "retired"]
    wanted = _registration(fresh)
    forms = [form for form in left.get("representations", ()) if form not in retired]
    expected = [dict(form) for form in wanted.get("representations", ())]
    if stated["title"] == "A" and "representations" in stated and "part" in stated["representations"][0]:
        expected[0]["media_type"] = "application/pdf"  # the fields of a form that is stated again stay
    assert forms == expected
    others = {name: value for name, value in left.items() if name != "representations"}
    assert others == {name: value for name, value in wanted.items() if name != "representations"}


def test_put_registers_a_new_identifier(service: ApiService) -> None:
    path = f"/api/records/{quote('uri-gin/azgs/well/2', safe='')}"
    answer = _put(service, {"title": "Second"}, path)

    assert answer.json["counts"]["registered"] == 1
    assert _registration(service, path)["title"] == "Second"


def test_a_change_is_answered_at_once_without_a_preference(service: ApiService) -> None:
    answer = service.ask("PATCH", WELL, {"title": "Spring"})

    assert answer.status == 202
    assert answer.json["state"] == "waiting"
    assert answer.json["key"].startswith(f"{AZGS}api-")
    assert answer.headers["Location"] == [answer.json["report"]]


def test_a_refused_change_is_a_problem_with_the_findings(service: ApiService) -> None:
    answer = _put(service, {"location": "ftp://a.example/x"}, Accept_Language="es")

    assert answer.problem == "refused"
    assert answer.status == 422
    [finding] = answer.json["findings"]
    assert finding["rule"]
    assert finding["message"] in answer.json["detail"]
    assert service.ask("GET", answer.json["report"]).json["counts"]["refused"] == 1


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ({"If_None_Match": "{tag}"}, 304),
        ({"If_None_Match": '"a", W/{tag}'}, 304),
        ({"If_None_Match": "*"}, 304),
        ({"If_None_Match": '"a"'}, 200),
        ({"If_Match": "{tag}"}, 200),
        ({"If_Match": "W/{tag}"}, 412),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_record_is_read_on_conditions(
    service: ApiService, method: str, condition: dict[str, str], status: int
) -> None:
    tag = service.ask("GET", WELL).json["etag"]
    answer = service.ask(method, WELL, **{name: value.format(tag=tag) for name, value in condition.items()})

    assert answer.status == status
    assert status == 412 or answer.headers["ETag"] == [tag]
    assert answer.headers["Cache-Control"] == ["no-store"]


@pytest.mark.parametrize(
    ("method", "stated", "status"),
    [
        ("PATCH", "application/merge-patch+json", 200),
        ("PATCH", "Application/JSON; charset=utf-8", 200),
        ("PATCH", "", 200),
        ("PATCH", "text/plain", 415),
        ("PUT", "application/merge-patch+json", 415),
        ("PUT", "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_change_has_a_media_type_of_json(
    service: ApiService, method: str, stated: str, status: int
) -> None:
    answer = service.ask(method, WELL, {"title": "A"}, Prefer="wait=5", Content_Type=stated)

    assert answer.status == status
    accepted = answer.headers.get("Accept-Patch" if method == "PATCH" else "Accept", [""])
    assert ("application/json" in accepted[0]) is (status == 415)
    assert service.ask("OPTIONS", WELL).headers["Accept-Patch"] == [
        "application/json, application/merge-patch+json"
    ]


def test_a_compressed_body_is_refused(service: ApiService) -> None:
    answer = service.ask("PATCH", WELL, {"title": "A"}, Content_Encoding="gzip")

    assert (answer.status, answer.problem) == (415, "media-type")
    assert answer.headers["Accept-Encoding"] == ["identity"]


def test_a_member_that_is_stated_twice_is_named(service: ApiService) -> None:
    answer = service.ask("PATCH", WELL, b'{"title": "A", "title": "B"}')

    assert answer.problem == "malformed-request"
    assert "title" in answer.json["detail"]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"nonsense", b"1", b"[" * 100_000, '{"title": "A"}'.encode("utf-16")]
)
def test_a_registration_is_one_object(service: ApiService, body: bytes) -> None:
    assert service.ask("PUT", WELL, body).problem == "malformed-request"


@pytest.mark.parametrize("written", ["uri-gin/azgs/well/2", "nonsense", 1])
def test_a_registration_names_the_identifier_of_its_path(service: ApiService, written: object) -> None:
    assert service.ask("PUT", WELL, {"identifier": written}).problem == "malformed-request"


def test_conditions_travel_with_the_upload(service: ApiService) -> None:
    tag = service.ask("GET", WELL).json["etag"]
    service.ask("PATCH", f"{WELL}?reason=why&dry-run=true", {"title": "A"}, If_Match=tag, If_None_Match="*")

    stated = read_options(service.metadata())
    assert (stated.if_match, stated.if_none_match) == (tag, "*")
    assert (stated.reason, stated.is_dry_run) == ("why", True)


@pytest.mark.parametrize(
    "parameter", ["name=a", "size=1", "snapshot=x", "store=true", "dates=day-first", "nonsense=1"]
)
def test_a_change_has_no_options_of_files(service: ApiService, parameter: str) -> None:
    assert service.ask("PUT", f"{WELL}?{parameter}", {}).problem == "malformed-request"


@pytest.mark.parametrize(
    ("rights", "status"),
    [
        ({Right.READ}, 403),
        ({Right.REGISTER}, 202),
        ({Right.RETIRE}, 202),
        ({Right.GRANT}, 403),
    ],
)
def test_a_change_needs_the_right_to_register_or_to_retire(
    service: ApiService, rights: set[Right], status: int
) -> None:
    service.grants[:] = [Grant(AZGS, JANE, frozenset(rights))]
    service.secret = service.token(rights=frozenset(Right))

    assert service.ask("PUT", WELL, {"title": "A"}).status == status


def test_a_narrow_token_writes_to_its_own_folder(service: ApiService) -> None:
    service.secret = service.token(AZGS, "uri-gin/azgs/well/")
    service.ask("PATCH", WELL, {"title": "A"})
    assert service.metadata()["may"] == "rwx=uri-gin/azgs/well/"

    service.secret = service.token("uri-gin/azgs/map/")
    assert service.ask("PATCH", WELL, {"title": "A"}).problem == "missing-right"


def test_a_folder_may_be_stated(service: ApiService) -> None:
    assert service.ask("PATCH", f"{WELL}?folder={AZGS}", {"title": "A"}).status == 202
    assert service.ask("PATCH", f"{WELL}?folder=uri-gin/usgin/", {"title": "A"}).problem == "missing-right"


def test_records_above_authorities_are_written_to_the_host_folder(service: ApiService) -> None:
    service.grants.append(Grant("_host/", JANE, WRITING))
    service.secret = service.token(AZGS, "_host/")
    path = f"/api/records/{quote('uri-gin/new/', safe='')}"
    answer = service.ask("PUT", path, {"record": "authority", "title": "New"}, Prefer="wait=5")

    assert answer.status == 200, answer
    assert answer.json["upload"]["key"].startswith("_host/api-")


def test_records_above_authorities_are_read_with_the_host_folder(service: ApiService) -> None:
    service.grants[:] = [Grant("_host/", JANE, WRITING)]
    service.secret = service.token("_host/")

    assert (
        service.ask("GET", f"/api/records/{quote(AZGS, safe='')}").json["registration"]["record"]
        == "authority"
    )
    assert service.ask("GET", WELL).problem == "missing-right"


def test_a_token_of_a_scheme_writes_to_the_folders_of_authorities(service: ApiService) -> None:
    service.grants[:] = [Grant("uri-gin/", JANE, WRITING)]
    service.secret = service.token("uri-gin/")

    assert service.ask("PATCH", WELL, {"title": "A"}).json["key"].startswith(AZGS)


def test_a_prefix_that_was_handed_over_is_not_written(service: ApiService) -> None:
    service.handed_over.append("uri-gin/azgs/well/")

    assert service.ask("PUT", WELL, {"title": "A"}).problem == "missing-right"


def test_a_history_names_uploads_and_changes(service: ApiService) -> None:
    service.ask("PATCH", WELL, {"title": "Spring"}, Prefer="wait=5")
    answer = service.ask("GET", f"{WELL}/history").json

    first, second = answer["history"]
    assert answer["identifier"] == NAME
    assert (first["upload"], first["line"]) == (f"{AZGS}wells.jsonl", 1)
    assert second["changes"] == [{"field": second["changes"][0]["field"], "from": "Well", "to": "Spring"}]
    assert second["changes"][0]["field"][-1] == "title" or "title" in second["changes"][0]["field"]


def test_a_name_without_a_history_is_not_found(service: ApiService) -> None:
    path = f"/api/records/{quote('uri-gin/azgs/well/2', safe='')}/history"

    assert service.ask("GET", path).problem == "not-found"
