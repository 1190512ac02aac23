"""The tokens that can be created, and those that are wider than the one they are created with."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ginuri.access.creation import WantedToken, faults_of, make_token
from ginuri.access.memory_tokens import MemoryTokens
from ginuri.access.secrets import token_id
from ginuri.access.tokens import MOST_USES, Refused, Token
from ginuri.registration.authorization import Right, Scope

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
WANTED = WantedToken(
    "mailto:jane@example.org",
    ("uri-gin/azgs/",),
    frozenset({Right.READ, Right.REGISTER}),
    frozenset({"many"}),
    name="nightly",
)


def _faults(wanted: WantedToken, used: Token | None = None) -> list[str]:
    return [str(fault) for fault in faults_of(wanted, used, NOW)]


def _make(wanted: WantedToken = WANTED) -> Token:
    return make_token(wanted, "olga", NOW)[1]


def test_a_new_token_is_identified_by_its_secret() -> None:
    secret, token = make_token(WANTED, "olga", NOW)

    assert token.id == token_id(secret)
    assert (token.created, token.expires) == ("2026-11-27T12:00:00.000Z", "2027-02-25T12:00:00.000Z")
    assert (token.created_by, token.last_used, token.revoked) == ("olga", "", "")


def test_a_token_within_all_limits_has_no_fault() -> None:
    assert _faults(WANTED) == []
    assert _faults(replace(WANTED, folders=("uri-gin/", "id.example/doc/", "urn:isbn/"), days=365)) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"owner": "jane@example.org"}, "names no person"),
        ({"owner": "group:editors"}, "names no person"),
        ({"owner": "mailto:jane"}, "names no person"),
        ({"owner": "mailto:jane@example.org,john@example.org@x"}, "names no person"),
        ({"folders": ()}, "1 to 20 folders"),
        ({"folders": tuple(f"uri-gin/a{number}/" for number in range(21))}, "1 to 20 folders"),
        ({"folders": ("uri-gin/azgs",)}, "is no folder. Write uri-gin/azgs/."),
        ({"folders": ("URI-GIN/azgs/",)}, "is no folder. Write uri-gin/azgs/."),
        ({"folders": ("uri-gin/azgs/../usgs/",)}, "is no folder"),
        ({"folders": ("uri-gin/%61zgs/",)}, "is no folder. Write uri-gin/azgs/."),
        ({"folders": ("",)}, "is no folder"),
        ({"folders": ("_host/",)}, "is no folder"),
        ({"rights": frozenset()}, "rights read, register, retire"),
        ({"rights": frozenset({Right.READ, Right.GRANT})}, "rights read, register, retire"),
        ({"options": frozenset({"force"})}, "options of a token are correction, many, snapshot"),
        ({"days": 0}, "1 to 365 days"),
        ({"days": 366}, "1 to 365 days"),
        ({"name": "n" * 101}, "at most 100 characters"),
        ({"name": "a\nb"}, "all of them visible"),
    ],
)
def test_a_wrong_part_of_a_token_has_a_fault(change: dict[str, Any], fault: str) -> None:
    [found] = _faults(replace(WANTED, **change))

    assert fault in found


def test_a_token_creates_an_equal_one() -> None:
    assert _faults(WANTED, _make()) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"owner": "mailto:john@example.org"}, "its own owner only, mailto:jane@example.org"),
        ({"folders": ("uri-gin/azgs/", "uri-gin/azgs2/")}, "does not reach the folder uri-gin/azgs2/"),
        ({"folders": ("uri-gin/",)}, "does not reach the folder uri-gin/"),
        ({"rights": frozenset({Right.READ, Right.RETIRE})}, "lacks the rights retire"),
        ({"options": frozenset({"many", "correction"})}, "lacks the options correction"),
        ({"days": 91}, "expires before, on 2027-02-25"),
    ],
)
def test_a_token_creates_no_wider_one(change: dict[str, Any], fault: str) -> None:
    [found] = _faults(replace(WANTED, **change), _make())

    assert fault in found


def test_a_token_covers_the_folders_below_its_own() -> None:
    token = _make(replace(WANTED, folders=("uri-gin/azgs/", "id.example/doc/")))

    assert token.covers("uri-gin/azgs/wells/")
    assert not token.covers("uri-gin/azgs2/")
    assert token.scope == Scope({"uri-gin/azgs/": token.rights, "//id.example/doc/": token.rights})


def test_a_token_has_600_uses_in_a_minute() -> None:
    store, token = MemoryTokens(), _make()
    store.add(token)
    outcomes = [store.use(token.id, NOW + timedelta(milliseconds=use)) for use in range(MOST_USES + 1)]

    assert sum(isinstance(outcome, Token) for outcome in outcomes) == 600
    assert isinstance(outcomes[-1], Refused)
