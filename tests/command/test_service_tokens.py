"""The token for a service, from the environment or from the keyring."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator

import keyring
import pytest
from click import ClickException
from click.testing import CliRunner
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import PasswordDeleteError

from ginuri.cli.access.keep import forget_command, keep_command
from ginuri.cli.access.service_token import find_token, forget_token, keep_token, make_client
from tests import terminal
from tests.http_answers import Answered, Asked, answering

SERVICE = "https://id.example.org"


class MemoryKeyring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError


@pytest.fixture(autouse=True)
def memory_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    monkeypatch.delenv("GINURI_TOKEN", raising=False)
    before, memory = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(memory)
    yield memory
    keyring.set_keyring(before)


def test_a_token_is_kept_for_its_service_only(memory_keyring: MemoryKeyring) -> None:
    keep_token(SERVICE, "gin_one")

    assert find_token(SERVICE) == "gin_one"
    assert list(memory_keyring.kept) == [("ginuri", SERVICE)]
    with pytest.raises(ClickException, match=r"There is no token for https://other\.example\.org"):
        find_token("https://other.example.org")


def test_the_variable_goes_before_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_token(SERVICE, "gin_one")
    monkeypatch.setenv("GINURI_TOKEN", " gin_two\n")

    assert find_token(SERVICE) == "gin_two"


def test_a_token_is_forgotten_once() -> None:
    keep_token(SERVICE, "gin_one")

    assert (forget_token(SERVICE), forget_token(SERVICE)) == (True, False)
    with pytest.raises(ClickException, match="Set GINURI_TOKEN, or keep one in the keyring"):
        find_token(SERVICE)


def test_a_machine_without_a_keyring_needs_the_variable() -> None:
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]

    with pytest.raises(ClickException, match="There is no token"):
        find_token(SERVICE)
    with pytest.raises(
        ClickException, match=r"The keyring of this machine cannot be used: .* Set GINURI_TOKEN"
    ):
        keep_token(SERVICE, "gin_one")


def test_keeping_a_token_needs_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)

    with pytest.raises(ClickException, match=r"pip install 'ginuri\[keyring\]'"):
        keep_token(SERVICE, "gin_one")
    with pytest.raises(ClickException, match="There is no token"):
        find_token(SERVICE)


def test_an_address_without_tls_gets_no_token() -> None:
    with pytest.raises(ClickException, match="A token is only sent over https://"):
        make_client("http://id.example.org", "gin_one", "en")


ME = {
    "owner": "mailto:jane@example.org",
    "token": {"id": "a1b2c3d4e5f6a7b8", "name": "", "expires": "2027-05-01T00:00:00.000Z"},
    "folders": [],
}


def _me(asked: Asked) -> Answered:
    known = asked.headers["authorization"] == "Bearer gin_one"
    return Answered(200 if known else 401, json.dumps(ME if known else {"title": "Unauthorized"}).encode())


def test_a_token_from_standard_input_is_checked_and_kept(memory_keyring: MemoryKeyring) -> None:
    with answering(_me) as service:
        result = CliRunner().invoke(keep_command, ["--service", f"{service}/"], input="gin_one\n")

    assert result.exit_code == 0, result.output
    assert "a1b2c3d4e5f6 of mailto:jane@example.org, until 2027-05-01" in result.output
    assert memory_keyring.kept == {("ginuri", service): "gin_one"}
    assert "gin_one" not in result.output


def test_an_unknown_token_is_not_kept(memory_keyring: MemoryKeyring) -> None:
    with answering(_me) as service:
        result = CliRunner().invoke(keep_command, ["--service", service], input="gin_two\n")

    assert (result.exit_code, memory_keyring.kept) == (2, {})
    assert "The token was not kept: 401 Unauthorized" in result.output


def test_the_command_forgets_a_token_once() -> None:
    keep_token(SERVICE, "gin_one")

    results = [CliRunner().invoke(forget_command, ["--service", SERVICE]) for _ in range(2)]

    assert [result.exit_code for result in results] == [0, 1]
    assert "There is no token for https://id.example.org" in results[1].output


def test_a_token_that_is_typed_at_a_terminal_is_not_shown() -> None:
    environment = {**os.environ, "LANGUAGE": "en", "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    with answering(_me) as service:
        command = [sys.executable, "-m", "ginuri.cli", "token", "keep", "--service", service]
        code, seen = terminal.answering(command, environment, {"Token: ": "gin_one"})

    assert (code, "Kept for" in seen, "gin_one" in seen) == (0, True, False), seen
