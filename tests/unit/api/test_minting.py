"""Minting through the interface for stewards: opaque names, registered once."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers.noid import has_valid_check, read_template
from tests.api_service import AZGS, Answer, ApiService
from tests.steward import line

PREFIX = "uri-gin/azgs/doc/"


@pytest.fixture
def service() -> ApiService:
    return ApiService()


def _mint(service: ApiService, /, count: int = 3, template: str = "eeddeek", **headers: str) -> Answer:
    wanted = {
        "prefix": PREFIX,
        "template": template,
        "count": count,
        "registration": {"title": "Sample", "location": "https://a.example/"},
    }
    return service.ask("POST", "/api/identifiers", wanted, **headers)


def test_minted_names_are_registered(service: ApiService) -> None:
    answer = _mint(service)

    assert answer.status == 201
    names = answer.json["identifiers"]
    assert len({*names}) == 3
    for name in names:
        assert name.startswith(PREFIX)
        assert has_valid_check(name.removeprefix("uri-gin/"))
        values = service.steward.values(name)
        assert values
        assert values["title"] == {"": "Sample"}
    assert answer.json["upload"]["state"] == "complete"


def test_minted_names_are_only_new(service: ApiService) -> None:
    _mint(service)

    assert service.metadata()["only-new"] == "true"


def test_a_client_may_leave_before_the_report(service: ApiService) -> None:
    answer = _mint(service, Prefer="respond-async")

    assert answer.status == 202
    assert len(answer.json["identifiers"]) == 3
    assert answer.json["upload"]["state"] == "waiting"


def test_a_repeated_request_gives_the_same_names(service: ApiService) -> None:
    first = _mint(service, Idempotency_Key="k1").json
    again = _mint(service, Idempotency_Key="k1").json
    other = _mint(service, Idempotency_Key="k2").json

    assert again == first
    assert not {*other["identifiers"]} & {*first["identifiers"]}
    assert _mint(service, 4, Idempotency_Key="k1").problem == "reused-key"


def test_a_name_with_another_fault_is_not_retried(service: ApiService) -> None:
    wanted: dict[str, Any] = {"prefix": PREFIX, "registration": {"location": "ftp://a.example/"}}

    assert service.ask("POST", "/api/identifiers", wanted).problem == "refused"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"template": "ed"}, "malformed-request"),
        ({"template": "xyz"}, "malformed-request"),
        ({"count": 0}, "malformed-request"),
        ({"count": 101}, "malformed-request"),
        ({"count": "3"}, "malformed-request"),
        ({"prefix": "uri-gin/azgs/doc"}, "malformed-request"),
        ({"prefix": "nonsense"}, "malformed-request"),
        ({"prefix": "uri-gin/usgin/doc/"}, "missing-right"),
        ({"registration": {"identifier": "uri-gin/azgs/doc/1"}}, "malformed-request"),
        ({"further": 1}, "malformed-request"),
    ],
)
def test_a_request_for_names_is_checked(service: ApiService, changes: dict[str, Any], problem: str) -> None:
    assert service.ask("POST", "/api/identifiers", {"prefix": PREFIX, **changes}).problem == problem


def test_a_fault_in_the_body_names_the_field(service: ApiService) -> None:
    [finding] = service.ask("POST", "/api/identifiers", {"prefix": PREFIX, "count": 0}).json["findings"]

    assert (finding["field"], finding["rule"]) == ("count", "greater_than_equal")


def test_a_body_that_is_no_json_is_refused(service: ApiService) -> None:
    for body in (b"{", b"\xff", b"[" * 100_000, b"1" * 5_000, b""):
        broken = service.ask("POST", "/api/identifiers", body, content_type="application/json")
        assert broken.problem == "malformed-request", body[:9]
    text = service.ask("POST", "/api/identifiers", b"{}", content_type="text/plain")

    assert (text.status, text.problem) == (415, "media-type")


def test_a_taken_name_is_replaced_by_another(service: ApiService) -> None:
    drawn = _mint(ApiService(), Idempotency_Key="k1").json["identifiers"]
    service.steward.upload(f"{AZGS}taken.jsonl", "".join(line(name) for name in drawn[:2]))
    answer = _mint(service, Idempotency_Key="k1")
    again = _mint(service, Idempotency_Key="k1")

    names = answer.json["identifiers"]
    assert answer.status == 201
    assert len({*names}) == 3
    assert {*names} & {*drawn} == {drawn[2]}
    assert again.json == answer.json


def test_a_template_without_free_names_is_a_conflict(service: ApiService) -> None:
    template = read_template("ddd")
    assert template
    taken = "".join(line(f"{PREFIX}{template.write(number)}") for number in range(template.size))
    service.steward.upload(f"{AZGS}taken.jsonl", taken, many="true")

    answer = _mint(service, template="ddd")
    assert answer.problem == "conflict"
    assert answer.json["findings"]


def test_a_dry_run_registers_no_name(service: ApiService) -> None:
    wanted = {"prefix": PREFIX, "registration": {"title": "Sample"}}
    answer = service.ask("POST", "/api/identifiers?dry-run=true", wanted)

    assert answer.status == 200
    assert service.steward.values(answer.json["identifiers"][0]) is None
    assert service.ask("POST", "/api/identifiers?nonsense=1", wanted).problem == "malformed-request"
