"""The principal of an upload: authenticated by the store, or pinned by the API, and never by anyone else."""

from __future__ import annotations

import pytest

from ginuri.files.reports.report import Upload
from ginuri.ingest.principals import Principal, principal_of, write_principal
from ginuri.registration.authorization import Right, Scope, write_scope
from ginuri.registration.verdicts import Finding

API = "AROAJQABLZS4A3QDU576Q"
SCOPE = Scope({"uri-gin/azgs/": frozenset({Right.READ, Right.REGISTER})})
PINNED = {"principal": "mailto:jane@example.org", "may": write_scope(SCOPE), "token": "ab" * 32}


def _put_by(identity: str) -> Upload:
    return Upload("uploads", "uri-gin/azgs/wells.csv", "v1", "2027-01-01T00:00:00.000Z", identity)


def test_the_metadata_of_an_upload_by_the_api_are_its_principal() -> None:
    principal = principal_of(_put_by(f"{API}:ginuri-api"), {**PINNED, "reason": "New"}, API)

    assert principal == Principal("mailto:jane@example.org", SCOPE, "ab" * 32)


@pytest.mark.parametrize(
    ("identity", "api"),
    [
        ("AIDAJDPLRKLG7UEXAMPLE", API),
        ("AROAJQABLZS4A3QDU5760:ginuri-api", API),
        (f"AIDA:{API}:ginuri-api", API),
        (f"{API}X:ginuri-api", API),
        (API, API),
        (f"{API.lower()}:ginuri-api", API),
        ("", API),
        (":session", ""),
        ("local:jane", "api"),
    ],
)
def test_the_metadata_of_any_other_upload_only_limit_it(identity: str, api: str) -> None:
    assert principal_of(_put_by(identity), PINNED, api) == Principal(identity, SCOPE)


@pytest.mark.parametrize("may", [{}, {"may": ""}, {"may": "everything"}])
def test_any_other_upload_without_a_scope_may_do_everything(may: dict[str, str]) -> None:
    stated = {"principal": PINNED["principal"], "token": PINNED["token"]} | may

    assert principal_of(_put_by("local:jane"), stated, "api") == Principal("local:jane")


@pytest.mark.parametrize(
    "changed",
    [
        {"principal": ""},
        {"principal": "jane"},
        {"principal": "mailto:"},
        {"principal": "mailto:jane doe@example.org"},
        {"principal": f"mailto:{'j' * 501}"},
        {"may": ""},
        {"may": "everything"},
        {"token": ""},
        {"token": "gin_secret"},
    ],
)
def test_an_upload_by_the_api_without_complete_metadata_is_refused(changed: dict[str, str]) -> None:
    principal = principal_of(_put_by(f"{API}:ginuri-api"), PINNED | changed, API)

    assert isinstance(principal, Finding)
    assert (principal.level, principal.rule) == ("refused", "principal")


@pytest.mark.parametrize("missing", PINNED)
def test_an_upload_by_the_api_needs_all_of_its_metadata(missing: str) -> None:
    stated = {name: value for name, value in PINNED.items() if name != missing}

    assert isinstance(principal_of(_put_by(f"{API}:ginuri-api"), stated, API), Finding)


def test_a_principal_is_written_as_the_metadata_it_was_read_from() -> None:
    principal = principal_of(_put_by(f"{API}:ginuri-api"), PINNED, API)

    assert isinstance(principal, Principal)
    assert write_principal(principal) == PINNED
    assert write_principal(Principal("AIDAJDPLRKLG7UEXAMPLE")) == write_principal(None) == {}
