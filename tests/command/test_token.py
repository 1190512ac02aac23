"""`ginuri token`: an operator creates, lists and revokes access tokens, and each change is logged."""

from __future__ import annotations

import getpass
import json
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginuri.access.creation import WantedToken, make_token
from ginuri.access.operators import OperatedTokens
from ginuri.access.secrets import is_well_formed, token_id
from ginuri.access.tokens import Refusal, Refused, Token
from ginuri.cli.access.operators import OperatorTokens
from ginuri.cli.aws_stack import read_local_stack
from ginuri.cli.folder_stack import open_folder
from ginuri.cli.main import main
from ginuri.cli.ports import Stack
from ginuri.registration.authorization import Right
from infra.local.aws.clients import Account
from tests.aws import new_access_table, new_table
from tests.stacks import MemoryStack, settle_folder
from tests.steward import settled

Run = Callable[..., Result]
JANE = "mailto:jane@example.org"
CREATE = ("create", "--for", "jane@example.org", "--folder", "uri-gin/azgs")
OPERATORS = {
    "memory": "olga",
    "folder": f"{getpass.getuser()}@{socket.gethostname()}",
    "aws": "arn:aws:sts::123456789012:user/moto",
}
"""The identity of the operator of each stack."""


@pytest.fixture(params=["memory", "folder", "aws"])
def stack(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stack]:
    if request.param == "memory":
        yield MemoryStack(settled())
    elif request.param == "folder":
        settle_folder(tmp_path / "registry")
        with open_folder(tmp_path / "registry") as folder:
            yield folder
    else:
        account: Account = request.getfixturevalue("account")
        client = account.client("dynamodb")
        access = {"endpoint": account.endpoint, "region": "us-east-1"}
        keys = {"access_key": "testing", "secret_key": "testing", "service": "http://127.0.0.1:8000"}
        tables = {"registry_table": new_table(client), "access_table": new_access_table(client)}
        yield read_local_stack({**access, **keys, **tables})


@pytest.fixture
def run(stack: Stack) -> Run:
    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["token", *arguments], obj=lambda _: stack, prog_name="ginuri")

    return invoke


@pytest.fixture
def store(stack: Stack) -> OperatedTokens:
    tokens = stack.tokens
    assert isinstance(tokens, OperatorTokens)
    return tokens.store


def _listed(run: Run, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("list", "--json", *arguments).stdout.splitlines()]


def test_a_created_token_is_printed_alone_and_can_be_used(run: Run, store: OperatedTokens) -> None:
    result = run(*CREATE, "--name", "nightly", "--option", "many", "--days", "7")

    assert result.exit_code == 0, result.output
    secret = result.stdout.removesuffix("\n")
    assert is_well_formed(secret)
    used = store.use(token_id(secret), datetime.now(UTC))
    assert isinstance(used, Token)
    assert (used.owner, used.folders, used.name) == (JANE, ("uri-gin/azgs/",), "nightly")
    assert used.rights == {Right.READ, Right.REGISTER}
    assert used.options == {"many"}
    assert isinstance(store.use(used.id, datetime.now(UTC) + timedelta(days=7, minutes=1)), Refused)


def test_the_creation_of_a_token_is_logged_with_the_operator(
    run: Run, request: pytest.FixtureRequest
) -> None:
    run(*CREATE)

    [token], [event] = _listed(run), _listed(run, "--log")

    assert token["created_by"] == event["operator"]
    assert token["created_by"] == OPERATORS[request.node.callspec.params["stack"]]
    assert (event["deed"], event["token"], event["owner"]) == ("created", token["id"], JANE)


def test_a_list_has_no_secret(run: Run) -> None:
    secret = run(*CREATE).stdout.strip()

    listed = run("list").stdout + run("list", "--json").stdout + run("list", "--log").stdout

    assert token_id(secret)[:12] in listed
    assert secret not in listed


def test_a_list_describes_what_a_token_may(run: Run) -> None:
    run(*CREATE, "--may", "read", "--option", "snapshot")

    [line] = run("list").stdout.splitlines()

    assert line[12:].startswith("  mailto:jane@example.org  —  uri-gin/azgs/  read,snapshot  until ")
    assert line.endswith(", never used")


def test_a_list_for_a_person_has_only_their_tokens(run: Run) -> None:
    run(*CREATE)
    run("create", "--for", "john@example.org", "--folder", "uri-gin/azgs/")

    assert [token["owner"] for token in _listed(run, "--for", "jane@example.org")] == [JANE]
    assert len(_listed(run)) == 2


@pytest.mark.parametrize("name", ["whole identifier", "its beginning", "the secret"])
def test_a_token_is_revoked_by_each_of_its_names(run: Run, store: OperatedTokens, name: str) -> None:
    secret = run(*CREATE).stdout.strip()
    names = {
        "whole identifier": token_id(secret),
        "its beginning": token_id(secret)[:8],
        "the secret": secret,
    }

    result = run("revoke", names[name])

    assert result.exit_code == 0, result.output
    assert "  revoked 20" in result.stdout
    assert store.use(token_id(secret), datetime.now(UTC)) == Refused(Refusal.REVOKED)
    assert [event["deed"] for event in _listed(run, "--log")] == ["created", "revoked"]


def test_all_tokens_of_a_person_are_revoked(run: Run) -> None:
    run(*CREATE)
    run(*CREATE)
    run("create", "--for", "john@example.org", "--folder", "uri-gin/azgs/")

    assert run("revoke", "--for", "jane@example.org").exit_code == 0

    assert [bool(token["revoked"]) for token in _listed(run, "--for", "jane@example.org")] == [True, True]
    assert [bool(token["revoked"]) for token in _listed(run, "--for", "john@example.org")] == [False]


@pytest.mark.parametrize("name", ["0123456789ab", "", "gin_"])
def test_an_unknown_or_short_name_revokes_no_token(run: Run, name: str) -> None:
    run(*CREATE)

    result = run("revoke", name)

    assert result.exit_code == 1
    assert "names no token of this registry" in result.stderr
    assert [token["revoked"] for token in _listed(run)] == [""]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("create", "--folder", "uri-gin/azgs/"), "names no person"),
        (("create", "--for", "group:editors", "--folder", "uri-gin/azgs/"), "names no person"),
        ((*CREATE, "--may", "grant"), "'grant' is not one of 'read', 'register', 'retire'"),
        ((*CREATE, "--days", "366"), "366 is not in the range 1<=x<=365"),
        (("create", "--for", "jane@example.org"), "Missing option '--folder'"),
    ],
)
def test_a_token_that_may_not_be_is_refused(run: Run, arguments: tuple[str, ...], reason: str) -> None:
    result = run(*arguments)

    assert result.exit_code == 2
    assert reason in result.output
    assert result.stdout == ""
    assert _listed(run) == _listed(run, "--log") == []


def test_an_expired_token_is_listed_as_expired(run: Run, store: OperatedTokens) -> None:
    wanted = WantedToken(JANE, ("uri-gin/azgs/",), frozenset({Right.READ}), days=1)
    store.add(make_token(wanted, "olga", datetime.now(UTC) - timedelta(days=2))[1])

    [line] = run("list").stdout.splitlines()

    assert "  read  expired 20" in line


def test_a_used_token_is_listed_with_its_last_use(run: Run, store: OperatedTokens) -> None:
    secret = run(*CREATE).stdout.strip()
    store.use(token_id(secret), datetime.now(UTC))

    assert ", last used 20" in run("list").stdout


def test_a_new_token_as_json_has_its_secret_once(run: Run) -> None:
    created = json.loads(run(*CREATE, "--json").stdout)

    assert token_id(created.pop("token")) == created["id"]
    assert _listed(run) == [created]
