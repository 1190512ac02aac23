"""Callers of the interface for stewards: their tokens, and what these may."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.access.secrets import token_id
from ginuri.access.tokens import MOST_USES
from ginuri.registration.authorization import Grant, Right
from tests.api_service import AZGS, HOST, JANE, WRITING, ApiService

ROUTES = [
    ("GET", "/api/me"),
    ("GET", "/api/uploads"),
    ("POST", f"/api/uploads?folder={AZGS}&name=a.csv"),
    ("GET", "/api/uploads/uri-gin%2Fazgs%2Fa.csv/v1"),
    ("GET", "/api/uploads/uri-gin%2Fazgs%2Fa.csv/v1/rows"),
    ("GET", "/api/uploads/uri-gin%2Fazgs%2Fa.csv/v1/refused"),
    ("POST", "/api/uploads/uri-gin%2Fazgs%2Fa.csv/v1/undo"),
    ("GET", "/api/records/uri-gin%2Fazgs%2F1"),
    ("PUT", "/api/records/uri-gin%2Fazgs%2F1"),
    ("PATCH", "/api/records/uri-gin%2Fazgs%2F1"),
    ("GET", "/api/records/uri-gin%2Fazgs%2F1/history"),
    ("POST", "/api/identifiers"),
    ("GET", "/api/tokens"),
    ("POST", "/api/tokens"),
    ("DELETE", "/api/tokens/0"),
    ("GET", "/api/nothing"),
]


@pytest.fixture
def service() -> ApiService:
    return ApiService()


def test_me_shows_what_the_token_and_its_owner_may(service: ApiService) -> None:
    service.secret = service.token(
        AZGS, "uri-gin/usgin/", rights=[Right.READ, Right.REGISTER], options=["many"]
    )
    answer = service.ask("GET", "/api/me").json

    assert answer["owner"] == JANE
    assert answer["token"] == {
        "id": token_id(service.secret),
        "name": "test",
        "expires": "2027-03-31T12:00:00.000Z",
        "folders": [AZGS, "uri-gin/usgin/"],
        "rights": ["read", "register"],
        "options": ["many"],
    }
    assert answer["folders"] == [
        {"folder": AZGS, "may": ["read", "register"]},
        {"folder": "uri-gin/usgin/", "may": []},
    ]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_needs_a_valid_token(service: ApiService, method: str, path: str) -> None:
    unknown = ApiService().secret
    expired, revoked = service.token(days=1), service.token()
    service.tokens.revoke(token_id(revoked), service.now)
    service.pass_time(days=2)

    for secret, words in (
        (None, "Send a token"),
        ("gin_nonsense", "does not exist"),
        (unknown, "does not exist"),
        (expired, "has expired"),
        (revoked, "was revoked"),
    ):
        answer = service.ask(method, path, token=secret or "")
        assert (answer.status, answer.problem) == (401, "no-valid-token")
        assert words in answer.json["detail"]
        [challenge] = answer.headers["WWW-Authenticate"]
        assert challenge.startswith('Bearer realm="ginuri"')
        assert ("invalid_token" in challenge) is (secret is not None)


@pytest.mark.parametrize(
    "written", ["Basic abc", "Bearer", "Bearer  ", "gin_abc", "Bearer a b", "Bearer\tgin_a"]
)
def test_a_malformed_authorization_is_none(service: ApiService, written: str) -> None:
    assert service.ask("GET", "/api/me", Authorization=written).status == 401


def test_the_scheme_of_the_authorization_is_in_any_case(service: ApiService) -> None:
    assert service.ask("GET", "/api/me", Authorization=f"bEaReR {service.secret}").status == 200


def test_too_many_uses_are_refused_for_the_rest_of_a_minute(service: ApiService) -> None:
    service.pass_time(seconds=20)
    for _ in range(MOST_USES):
        service.tokens.use(token_id(service.secret), service.now)
    answer = service.ask("GET", "/api/me")

    assert (answer.status, answer.problem) == (429, "too-many-requests")
    assert answer.headers["Retry-After"] == ["40"]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_token_in_an_address_is_refused(service: ApiService, method: str, path: str) -> None:
    separator = "&" if "?" in path else "?"
    for further in (
        f"{separator}access_token={service.secret}",
        f"{separator}x={service.secret}",
        f"{separator}token=",
        f"{separator}a={service.secret[:30]}",
    ):
        answer = service.ask(method, f"{path}{further}")
        assert (answer.status, answer.problem) == (400, "token-in-an-address")
    assert service.ask("GET", f"/api/{service.secret}").problem == "token-in-an-address"


def test_an_unknown_token_takes_the_calls_of_a_known_one(service: ApiService) -> None:
    asked: list[str] = []

    class Counted:
        def use(self, *arguments: Any) -> Any:
            asked.append("use")
            return service.tokens.use(*arguments)

    service.configure(tokens=Counted())
    service.ask("GET", "/api/me")
    service.ask("GET", "/api/me", token=ApiService().secret)

    assert asked == ["use", "use"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (HOST, 200),
        ("IDS.example", 200),
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("d111.cloudfront.net", 200),
        ("other.example", 421),
        ("cloudfront.net.example", 421),
        ("", 421),
    ],
)
def test_only_the_canonical_host_has_the_interface(service: ApiService, host: str, status: int) -> None:
    assert service.ask("GET", "/api/me", Host=host).status == status


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/",
        "/api/me/",
        "/api//me",
        "/api/uploads/a/b/",
        "/api/uploads//b",
        "/api/./me",
        "/api/nothing",
        "/api/records/a/b",
        "/api/uploads/a/b/c",
        "/API/me",
    ],
)
def test_a_path_without_a_route_is_not_found(service: ApiService, path: str) -> None:
    assert service.ask("GET", path).problem == "not-found"
    assert service.ask("OPTIONS", path).problem == "not-found"


def test_a_wrong_method_is_answered_with_the_right_ones(service: ApiService) -> None:
    wrong = service.ask("DELETE", "/api/records/a")
    options = service.ask("OPTIONS", "/api/uploads", token="")

    assert (wrong.status, wrong.problem) == (405, "method-not-allowed")
    assert wrong.headers["Allow"] == ["GET, HEAD, PUT, PATCH, OPTIONS"]
    assert (options.status, options.headers["Allow"]) == (204, ["GET, HEAD, POST, OPTIONS"])


def test_head_is_answered_like_get(service: ApiService) -> None:
    assert service.ask("HEAD", "/api/me").headers == service.ask("GET", "/api/me").headers
    assert service.ask("HEAD", "/api/identifiers").status == 405


def test_problems_are_in_the_language_of_the_client(service: ApiService) -> None:
    answer = service.ask("GET", "/api/nothing", Accept_Language="es")

    assert answer.headers["Content-Language"] == ["es"]
    assert answer.json["status"] == 404
    assert answer.json["findings"] == []


def test_a_registry_that_is_down_is_a_problem(service: ApiService) -> None:
    service.is_down = True
    answer = service.ask("GET", "/api/me")

    assert (answer.status, answer.problem) == (503, "unavailable")
    assert answer.headers["Retry-After"] == ["5"]


def test_a_token_makes_a_narrower_one(service: ApiService) -> None:
    service.secret = service.token(options=["many", "snapshot"])
    wanted = {
        "name": "CI",
        "folders": ["uri-gin/azgs/well/"],
        "rights": ["read"],
        "options": ["many"],
        "days": 7,
    }
    answer = service.ask("POST", "/api/tokens", wanted)

    assert answer.status == 201
    made = service.ask("GET", "/api/me", token=answer.json["token"]).json
    assert made["folders"] == [{"folder": "uri-gin/azgs/well/", "may": ["read"]}]
    listed = service.ask("GET", "/api/tokens").json["tokens"]
    assert {each["name"] for each in listed} == {"test", "CI"}
    assert answer.json["token"] not in service.ask("GET", "/api/tokens").body.decode()


def test_a_token_has_by_default_all_folders_and_rights_of_its_maker(service: ApiService) -> None:
    made = service.ask("POST", "/api/tokens", {"days": 1}).json

    assert (made["folders"], made["rights"], made["options"]) == ([AZGS], ["read", "register", "retire"], [])


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"folders": ["uri-gin/usgin/"]}, "missing-right"),
        ({"folders": ["uri-gin/"]}, "missing-right"),
        ({"options": ["many"]}, "missing-right"),
        ({"days": 365}, "missing-right"),
        ({"folders": []}, "malformed-request"),
        ({"folders": ["uri-gin/azgs"]}, "malformed-request"),
        ({"rights": ["grant"]}, "malformed-request"),
        ({"rights": ["everything"]}, "malformed-request"),
        ({"days": 366}, "malformed-request"),
        ({"owner": "mailto:b@example.org"}, "malformed-request"),
    ],
)
def test_a_wider_token_is_refused(service: ApiService, wanted: dict[str, Any], problem: str) -> None:
    assert service.ask("POST", "/api/tokens", {"days": 1, **wanted}).problem == problem
    assert len(service.tokens.of(JANE)) == 1


def test_a_request_for_a_token_is_not_repeated(service: ApiService) -> None:
    answer = service.ask("POST", "/api/tokens", {"days": 1}, Idempotency_Key="k1")

    assert answer.problem == "malformed-request"


def test_a_token_is_revoked_at_once(service: ApiService) -> None:
    other = service.token()
    answer = service.ask("DELETE", f"/api/tokens/{token_id(other)}")

    assert (answer.status, answer.body) == (204, b"")
    assert service.ask("GET", "/api/me", token=other).status == 401


def test_a_token_revokes_itself_and_no_wider_one(service: ApiService) -> None:
    narrow = service.token(rights=[Right.READ])
    wide = f"/api/tokens/{token_id(service.secret)}"

    assert service.ask("DELETE", wide, token=narrow).problem == "missing-right"
    assert service.ask("DELETE", f"/api/tokens/{token_id(narrow)}", token=narrow).status == 204


def test_tokens_of_other_people_are_not_found(service: ApiService) -> None:
    other = service.token(owner="mailto:b@example.org")

    assert service.ask("DELETE", f"/api/tokens/{token_id(other)}").problem == "not-found"
    assert len(service.ask("GET", "/api/tokens").json["tokens"]) == 1


def test_a_grant_that_ends_ends_the_rights_of_its_tokens(service: ApiService) -> None:
    service.grants[:] = [Grant(AZGS, JANE, WRITING, "2027-03-01")]
    assert service.ask("GET", "/api/uploads").status == 200
    assert service.ask("GET", "/api/me").json["folders"][0]["may"]

    service.pass_time(days=1)
    assert service.ask("GET", "/api/me").json["folders"] == [{"folder": AZGS, "may": []}]


@pytest.mark.parametrize(
    ("path", "error"),
    [("/api/uploads?folder=uri-gin/usgin/", "insufficient_scope"), ("/api/me?token=a", "invalid_request")],
)
def test_a_refusal_of_a_valid_token_names_its_error(service: ApiService, path: str, error: str) -> None:
    assert service.ask("GET", path).headers["WWW-Authenticate"] == [f'Bearer realm="ginuri", error="{error}"']


@pytest.mark.parametrize("stated", ["application/json", "APPLICATION/JSON; charset=utf-8"])
def test_a_media_type_is_in_any_case(service: ApiService, stated: str) -> None:
    made = service.ask("POST", "/api/tokens", {"days": 1}, Content_Type=stated)

    assert made.status == 201
    assert made.headers["Location"] == [f"/api/tokens/{made.json['id']}"]
