"""An upload through the API ends like one to the bucket, but for the uploader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginuri.identifiers.roots import folder_to_prefix
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.authorization import Grant
from tests.api_service import JANE, WRITING, ApiService
from tests.example_registry import EXAMPLES, in_order
from tests.steward import Steward

IDENTITY = "api"
UPLOADER = {"identity", "principal", "token"}


@cache
def _files() -> tuple[Path, ...]:
    return tuple(in_order(EXAMPLES.rglob("*")))


def _folder(path: Path) -> str:
    return f"{path.relative_to(EXAMPLES).parent.as_posix()}/"


def _service() -> ApiService:
    folders = sorted({_folder(path) for path in _files()})
    tops = tuple(each for each in folders if not any(each.startswith(top) for top in folders if top != each))
    service = ApiService(Steward(), [Grant(folder_to_prefix(top), JANE, WRITING) for top in tops])
    service.steward.identity, service.steward.api_identity = f"{IDENTITY}:session", IDENTITY
    service.secret = service.token(*tops)
    return service


def _upload_by_api(files: tuple[Path, ...]) -> ApiService:
    service = _service()
    for path in files:
        service.pass_time(seconds=1)
        target = f"/api/uploads?folder={quote(_folder(path))}&name={quote(path.name)}"
        answer = service.ask("POST", target, path.read_bytes(), Prefer="wait=10")
        assert answer.status == 200, answer
    return service


def _upload_directly(files: tuple[Path, ...]) -> Steward:
    steward = Steward()
    steward.day = "2027-01-01"
    for path in files:
        steward.upload(path.relative_to(EXAMPLES).as_posix(), path.read_bytes())
    return steward


def _reports(steward: Steward) -> Mapping[str, Any]:
    """Return every file beside a report; of JSON, without the uploader and the time of processing."""
    reports: dict[str, Any] = {}
    for key, body in steward.files.reports.items():
        if not key.endswith(".json"):
            reports[key] = body
            continue
        members = json.loads(body)
        reports[key] = {
            name: value for name, value in members.items() if name not in {*UPLOADER, "processed"}
        }
    return reports


def _assert_alike(files: tuple[Path, ...]) -> None:
    by_api, directly = _upload_by_api(files).steward, _upload_directly(files)

    assert dict(by_api.memory.standing("")) == dict(directly.memory.standing(""))
    histories = [sorted(each.memory.histories(""), key=str) for each in (by_api, directly)]
    assert histories[0] == histories[1]
    own, other = _reports(by_api), _reports(directly)
    assert {key for key in own if key.endswith(".json")} == {key for key in other if key.endswith(".json")}
    assert {key: own[key] for key in own if key.endswith(".json")} == {
        key: other[key] for key in other if key.endswith(".json")
    }


def test_the_examples_through_the_api_end_like_those_in_the_bucket() -> None:
    _assert_alike(_files())


@settings(max_examples=3)  # each registers all hosts twice
@given(st.data())
def test_any_files_in_any_order_end_like_those_in_the_bucket(data: st.DataObject) -> None:
    hosts = [path for path in _files() if _folder(path) == HOST_FOLDER]
    others = st.sampled_from([path for path in _files() if path not in hosts])
    # Without their authorities, files would wait for them.
    _assert_alike((*hosts, *data.draw(st.lists(others, min_size=1, max_size=8, unique=True))))


@pytest.mark.parametrize("name", ["principal", "token"])
def test_the_reports_of_the_api_name_the_owner_of_the_token(name: str) -> None:
    service = _upload_by_api(_files()[:2])
    token = service.tokens.of(JANE)[-1]
    reports = [
        json.loads(body)
        for key, body in service.steward.files.reports.items()
        if key.endswith("summary.json")
    ]

    assert reports
    assert {report[name] for report in reports} == {JANE if name == "principal" else token.id}
