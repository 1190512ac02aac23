"""Who may do what below /api, over HTTP on the running stack: every route, for every kind of caller."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from ginuri.access.creation import RIGHTS, WantedToken, make_token
from ginuri.access.secrets import make_secret, token_id
from ginuri.aws.dynamodb.access.tokens import DynamoTokens
from ginuri.registration.authorization import Right
from infra.local.stack import Stack
from infra.local.steward import add_steward
from tests.end_to_end.uploading import upload
from tests.steward import SETTLED

FOLDER, OTHER, NARROW = "uri-gin/azgs/", "uri-gin/usgin/", "uri-gin/azgs/stewards/narrow/"
STEWARD, READER = "mailto:table@example.org", "mailto:reader@example.org"
STRANGER = "mailto:stranger@example.org"
RECORD = "uri-gin%2Fazgs%2Fdoc%2F"
MINE = json.dumps({"identifier": "uri-gin/azgs/stewards/well/mine", "title": "Well"})
LINE = json.dumps({"identifier": "uri-gin/azgs/stewards/well/1", "title": "Well"})
MINT = json.dumps({"prefix": "uri-gin/azgs/stewards/", "registration": {"title": "Sample"}})
SCHEMATHESIS = f"""
hooks = "tokens"
[dictionaries.identifiers]
values = ["uri-gin/azgs/doc/", "uri-gin/azgs/stewards/drawn"]
[dictionaries.folders]
values = ["{FOLDER}"]
[parameters]
"path.identifier" = {{ dictionary = "identifiers", probability = 0.7 }}
"query.folder" = {{ dictionary = "folders", probability = 0.7 }}
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 400, 403, 404, 409, 412, 422]
[checks.negative_data_rejection]
expected-statuses = [400, 403, 404, 405, 406, 413, 415, 422]
"""
TOKENS = """
import itertools
import schemathesis

SECRETS = itertools.cycle({secrets!r})

@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers["Authorization"] = "Bearer " + next(SECRETS)
    if case.method == "DELETE" and "id" in (case.path_parameters or {{}}):
        case.path_parameters = {{"id": "0" * 64}}
"""
"""A token may be used 600 times a minute only, and must not revoke itself."""
CALLERS = ("nobody", "unknown", "expired", "revoked", "stranger", "other", "narrow", "reader", "steward")


@dataclass(frozen=True)
class Row:
    """A route, and the statuses for its callers: those without a valid token get 401."""

    method: str
    path: str
    body: str = ""
    stranger: int = 403
    other: int = 403
    narrow: int = 403
    reader: int = 403
    steward: int = 202

    def expected(self) -> Mapping[str, int]:
        known = {name: getattr(self, name) for name in ("stranger", "other", "narrow", "reader", "steward")}
        return dict.fromkeys(CALLERS[:4], 401) | known


def _for_readers(method: str, path: str, **others: int) -> Row:
    statuses = {"reader": 200, "steward": 200, **others}
    return Row(method, path, reader=statuses["reader"], steward=statuses["steward"])


def _for_all(method: str, path: str, body: str = "", status: int = 200) -> Row:
    return Row(method, path, body, *[status] * 5)


ROWS = (
    _for_all("GET", "/api/me"),
    _for_all("HEAD", "/api/me"),
    _for_all("GET", "/api/tokens"),
    _for_all("POST", "/api/tokens", '{"days": 1}', 201),
    _for_all("DELETE", f"/api/tokens/{'0' * 64}", status=404),
    _for_all("GET", "/api/uploads"),
    _for_readers("GET", f"/api/uploads?folder={FOLDER}"),
    Row("GET", f"/api/uploads?folder={OTHER}", other=200, reader=403, steward=403),
    Row("POST", f"/api/uploads?folder={FOLDER}&name=table.jsonl&dry-run=true", LINE),
    Row("POST", f"/api/uploads?folder={FOLDER}&name=table.jsonl&dry-run=true&size=9", steward=201),
    Row("POST", f"/api/uploads?folder={FOLDER}&name=table.jsonl&dry-run=true&many=true", LINE, steward=403),
    Row("POST", "/api/uploads?folder=_host/&name=table.jsonl&dry-run=true", LINE, steward=403),
    _for_readers("GET", "/api/uploads/{key}/{version}"),
    _for_readers("GET", "/api/uploads/{key}/{version}/rows"),
    _for_readers("GET", "/api/uploads/{key}/{version}/refused", reader=204, steward=204),
    Row("POST", "/api/uploads/{key}/{version}/undo?dry-run=true"),
    _for_readers("GET", f"/api/records/{RECORD}"),
    _for_readers("GET", f"/api/records/{RECORD}/history"),
    _for_readers("GET", f"/api/records?under={FOLDER}&form=names"),
    _for_all("POST", "/api/records", '{"names": ["uri-gin/azgs/doc/"]}'),
    Row("PUT", f"/api/records/{RECORD}?dry-run=true", '{"record": "resource-type", "title": "Map"}'),
    Row("PATCH", f"/api/records/{RECORD}?dry-run=true", '{"title": "Map"}'),
    Row("POST", "/api/identifiers?dry-run=true", MINT, steward=200),
    _for_readers("GET", "/api/files/uri-gin%2Fazgs%2Fnone.pdf/v1", reader=307, steward=307),
)


@dataclass(frozen=True)
class Asking:
    """The running stack, with a secret for each caller."""

    client: httpx.Client
    secrets: Mapping[str, str]
    key: str = ""
    version: str = ""
    """Of an upload that no other follows."""

    def ask(self, method: str, path: str, caller: str = "steward", **sent: Any) -> httpx.Response:
        secret = self.secrets[caller]
        headers = {"Content-Type": "application/json", **sent.pop("headers", {})}
        headers |= {"Authorization": f"Bearer {secret}"} if secret else {}
        path = path.replace("{key}", self.key).replace("{version}", self.version)
        return self.client.request(method, path, headers=headers, follow_redirects=False, **sent)


@pytest.fixture(scope="module")
def asking(empty_stack: Stack) -> Iterator[Asking]:
    stack = empty_stack
    for key, body in SETTLED.items():
        assert upload(stack, key, body.encode())["counts"]["refused"] == 0
    tokens, now = DynamoTokens(stack.client("dynamodb"), stack.access_table), datetime.now(UTC)

    def make(owner: str, folder: str = FOLDER, made: datetime = now) -> str:
        secret, token = make_token(WantedToken(owner, (folder,), frozenset(RIGHTS), days=7), "test", made)
        tokens.add(token)
        return secret

    secrets = {
        "nobody": "",
        "unknown": make_secret(),
        "expired": make(STEWARD, made=now - timedelta(days=8)),
        "revoked": make(STEWARD),
        "stranger": make(STRANGER),
        "other": make(STEWARD, OTHER),
        "narrow": make(STEWARD, NARROW),
        "reader": make(READER),
        "steward": add_steward(stack, STEWARD),
    }
    add_steward(stack, STEWARD, OTHER)
    add_steward(stack, READER, may=[Right.READ])
    tokens.revoke(token_id(secrets["revoked"]), now)
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        asking = Asking(client, secrets)
        waited = {"Prefer": "wait=20"}
        put = asking.ask(
            "POST", f"/api/uploads?folder={FOLDER}&name=mine.jsonl", content=MINE, headers=waited
        )
        assert put.status_code == 200, put.text
        mine = put.json()["upload"]
        yield replace(asking, key=quote(mine["key"], safe=""), version=mine["version"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path.partition('?')[0]}")
def test_every_caller_gets_the_status_of_the_table(asking: Asking, row: Row) -> None:
    got = {caller: asking.ask(row.method, row.path, caller, content=row.body.encode()) for caller in CALLERS}

    assert {caller: answer.status_code for caller, answer in got.items()} == row.expected()
    for answer in got.values():
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/api/uploads/uri-gin%2Fazgs%2F..%2Fusgin%2F1-types.jsonl/v",
        "/api/uploads/uri-gin%2Fazgs%2F%252e%252e%2Fusgin%2F1-types.jsonl/v",
        "/api/uploads/uri-gin%2F%2Fazgs%2F1-types.jsonl/v",
        "/api/uploads/uri-gin%2FAZGS%2F1-types.jsonl/v",
        "/api/uploads/uri-gin%2Fazgs2%2F1-types.jsonl/v",
        "/api/uploads/uri-gin/azgs/1-types.jsonl/v",
        "/api/uploads/../uploads/uri-gin%2Fusgin%2F1-types.jsonl/v",
        "/api/records/uri-gin%2Fusgin%2Fdoc%2F",
        "/api/records/uri-gin%2Fazgs%2F..%2Fusgin%2Fdoc%2F",
        "/api/records/uri-gin%2FAZGS%2Fdoc%2F",
        "/api/uploads?folder=uri-gin/azgs/../usgin/",
        "/api/uploads?folder=uri-gin/azgs/%2e%2e/usgin/",
        "/api/uploads?folder=uri-gin//azgs/",
        "/api/uploads?folder=uri-gin/",
    ],
)
def test_no_spelling_leads_out_of_a_folder(asking: Asking, empty_stack: Stack, path: str) -> None:
    # httpx would normalize the path.
    connection = http.client.HTTPConnection(empty_stack.service.removeprefix("http://"), timeout=30)
    headers = {"Authorization": f"Bearer {asking.secrets['steward']}"}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()

    assert answer.status in {400, 403, 404}


@pytest.mark.parametrize("path", ["/api/me?access_token={}", "/api/me?x={}", "/api/{}", "/api/records/{}"])
def test_a_secret_in_an_address_is_refused_and_not_logged(
    asking: Asking, empty_stack: Stack, path: str
) -> None:
    secret = asking.secrets["steward"]

    assert asking.ask("GET", path.format(secret), "nobody").status_code == 400
    assert asking.ask("GET", path.format(secret)).status_code == 400
    assert not [line for line in empty_stack.log("ApiFunction") if secret[:30] in line]


def test_a_change_ends_in_the_history_with_its_owner(asking: Asking) -> None:
    path = "/api/records/uri-gin%2Fazgs%2Fstewards%2Fchanged"
    first = asking.ask("PUT", path, json={"title": "One"}, headers={"Prefer": "wait=10"})
    tag = asking.ask("GET", path).headers["ETag"]
    stale = {"Prefer": "wait=10", "If-Match": '"another"'}
    refused = asking.ask("PATCH", path, json={"title": "Two"}, headers=stale)
    again = asking.ask("PATCH", path, json={"title": "Two"}, headers={**stale, "If-Match": tag})
    new = asking.ask(
        "PUT", path, json={"title": "Three"}, headers={"Prefer": "wait=10", "If-None-Match": "*"}
    )
    history = asking.ask("GET", f"{path}/history").json()["history"]

    assert (first.status_code, refused.status_code, again.status_code, new.status_code) == (
        200,
        412,
        200,
        412,
    )
    assert refused.json()["findings"]
    assert [(step["principal"], step["line"]) for step in history] == [(STEWARD, 1)] * 2


def test_new_names_are_given_once(asking: Asking) -> None:
    key = {"Idempotency-Key": "end-to-end"}
    wanted = {"prefix": "uri-gin/azgs/stewards/", "count": 20, "registration": {"title": "Sample"}}
    first = asking.ask("POST", "/api/identifiers", json=wanted, headers=key)
    again = asking.ask("POST", "/api/identifiers", json=wanted, headers=key)
    other = asking.ask("POST", "/api/identifiers", json=wanted)

    assert first.status_code == other.status_code == 201
    assert again.json() == first.json()
    assert len({*first.json()["identifiers"], *other.json()["identifiers"]}) == 40


def test_a_large_file_is_put_once_by_its_client(asking: Asking) -> None:
    body = "".join(
        json.dumps({"identifier": f"uri-gin/azgs/stewards/large/{number}", "title": "Well"}) + "\n"
        for number in range(3)
    ).encode()
    signed = asking.ask("POST", f"/api/uploads?folder={FOLDER}&name=large.jsonl&size={len(body)}").json()
    put = httpx.put(signed["put"]["url"], content=body, headers=signed["put"]["headers"])
    again = httpx.put(signed["put"]["url"], content=body, headers=signed["put"]["headers"])
    key = signed["key"].replace("/", "%2F")
    report = asking.ask(
        "GET", f"/api/uploads/{key}/{put.headers['x-amz-version-id']}", headers={"Prefer": "wait=10"}
    )

    assert (put.status_code, again.status_code) == (200, 412)
    assert report.json()["principal"] == STEWARD
    assert report.json()["counts"]["registered"] == 3


def test_only_the_canonical_host_takes_tokens(asking: Asking) -> None:
    answer = asking.ask("GET", "/api/me", headers={"Host": "purl.example.org"})

    assert answer.status_code == 421


def test_schemathesis_finds_only_documented_answers_to_a_steward(
    asking: Asking, empty_stack: Stack, tmp_path: Path
) -> None:
    secrets = [add_steward(empty_stack, STEWARD) for _ in range(3)]
    (tmp_path / "schemathesis.toml").write_text(SCHEMATHESIS, encoding="utf-8")
    (tmp_path / "tokens.py").write_text(TOKENS.format(secrets=secrets), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", "--no-color", "--generation-deterministic"),
        *("--suppress-health-check=filter_too_much", "--include-path-regex=^/api/", "--max-examples=3"),
        "--exclude-checks=missing_required_header,ignored_auth",  # the tokens are added afterwards
        f"{asking.client.base_url}/openapi.json",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603  our own choice

    assert ran.returncode == 0, ran.stdout
