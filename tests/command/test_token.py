"""`ginuri token`: an operator creates, lists and revokes access tokens, and each change is logged."""

from __future__ import annotations

import getpass
import json
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

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
from ginuri.registry.ports import UploadRegistry
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import OF_GRANTS, RECORD_FIRST, Key, Statements
from infra.local.aws.clients import Account
from tests.aws import new_access_table, new_table
from tests.stacks import MemoryStack, settle_folder
from tests.steward import settled

Run = Callable[..., Result]
JANE = "mailto:jane@example.org"
JOHN = "mailto:john@example.org"
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


def grant(
    stack: Stack,
    to: str,
    *rights: str,
    prefix: str = "uri-gin/azgs/",
    until: str = "",
    upload: str = "_host/grants.jsonl",
) -> None:
    """Register a grant."""
    name = record_of_grants(prefix)
    value = {"may": list(rights), **({"valid_until": until} if until else {})}
    registry = cast("UploadRegistry", _operator(stack).registry)
    held = registry.read([name]).get(name, Record(name, {}))
    stamp = Stamp(f"2026-11-01T12:00:{held.revision:02d}.000Z", upload, f"v{held.revision}", 1)
    statements = Statements({RECORD_FIRST: "grant", Key(OF_GRANTS, None, to): value})
    registry.write(apply(held, statements, stamp))


def _operator(stack: Stack) -> OperatorTokens:
    tokens = stack.tokens
    assert isinstance(tokens, OperatorTokens)
    return tokens


@pytest.fixture
def run(stack: Stack) -> Run:
    """Run a command on a stack in which two people have grants."""
    for person in (JANE, JOHN):
        grant(stack, person, "read", "register")

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["token", *arguments], obj=lambda _: stack, prog_name="ginuri")

    return invoke


@pytest.fixture
def store(stack: Stack) -> OperatedTokens:
    return _operator(stack).store


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
        ((*CREATE, "--folder", "_host/"), "'_host/' is no folder"),
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


GRANT = '{"record": "grant", "identifier": "uri-gin/azgs/", "to": "mailto:ann@example.org", "may": '
"""The beginning of the example in a refusal."""


def _create_for_ann(run: Run, *arguments: str) -> Result:
    return run("create", "--for", "ann@example.org", "--folder", "uri-gin/azgs/", *arguments)


def test_a_person_without_a_grant_gets_no_token(run: Run) -> None:
    result = _create_for_ann(run)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "No grant from _host/ gives mailto:ann@example.org the right read, register on" in result.stderr
    assert f'{GRANT}["read", "register"]}}' in result.stderr
    assert _listed(run, "--log") == []


def test_a_grant_on_the_folder_above_is_enough(run: Run, stack: Stack) -> None:
    grant(stack, "mailto:ann@example.org", "read", "register", prefix="uri-gin/")

    assert _create_for_ann(run).exit_code == 0


@pytest.mark.parametrize(
    ("rights", "others"),
    [
        (["register"], {}),
        (["read", "register"], {"upload": "uri-gin/azgs/grants.jsonl"}),
        (["read", "register"], {"until": "2026-11-02"}),
        (["read", "register"], {"prefix": "uri-gin/azgs/wells/"}),
        (["read", "register"], {"prefix": "uri-gin/usgin/"}),
    ],
    ids=["too little", "from a folder", "ended", "on a part of the folder", "on another folder"],
)
def test_another_grant_is_not_enough(
    run: Run, stack: Stack, rights: list[str], others: dict[str, str]
) -> None:
    grant(stack, "mailto:ann@example.org", *rights, **others)

    result = _create_for_ann(run)

    assert result.exit_code == 2
    assert "No grant from _host/ gives mailto:ann@example.org" in result.stderr


def test_grants_from_the_host_add_up(run: Run, stack: Stack) -> None:
    grant(stack, "mailto:ann@example.org", "read", prefix="uri-gin/")
    grant(stack, "mailto:ann@example.org", "register", "retire")

    assert _create_for_ann(run, "--may", "read", "--may", "retire").exit_code == 0


def test_an_address_is_read_in_its_normal_form(run: Run) -> None:
    result = run("create", "--for", "jane@EXAMPLE.org", "--folder", "uri-gin/azgs/")

    assert result.exit_code == 0, result.output
    assert [token["owner"] for token in _listed(run, "--for", "jane@Example.org")] == [JANE]
