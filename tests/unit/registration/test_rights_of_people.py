"""Rights by grants and scopes, in examples; a property compares them with brute force."""

from __future__ import annotations

import pytest

from ginuri.registration.authorization import (
    MOST_ADDRESS,
    Grant,
    Right,
    Scope,
    intersect,
    read_grantee,
    read_scope,
    rights_of,
    scope_of,
    write_scope,
)

AZGS, DOC = "uri-gin/azgs/", "uri-gin/azgs/doc/"
JANE, EDITORS = "mailto:jane@example.org", "group:editors"
READ, REGISTER, RETIRE, GRANT = Right
GRANTS = [
    Grant(AZGS, JANE, frozenset({READ}), "2026-12-31"),
    Grant(DOC, EDITORS, frozenset({REGISTER})),
    Grant("uri-gin/", "mailto:joe@example.org", frozenset(Right)),
]


@pytest.mark.parametrize(
    ("name", "people", "day", "rights"),
    [
        (f"{DOC}1", {JANE, EDITORS}, "2026-12-31", {READ, REGISTER}),
        (f"{DOC}1", {JANE, EDITORS}, "2027-01-01", {REGISTER}),
        (f"{DOC}1", {JANE}, "2026-12-31", {READ}),
        (DOC, {EDITORS}, "2026-12-31", {REGISTER}),
        (AZGS, {EDITORS}, "2026-12-31", set()),
        ("uri-gin/azgs2/1", {JANE}, "2026-12-31", set()),
        ("uri-gin/azgs.mapping/1", {JANE}, "2026-12-31", set()),
        ("uri-gin/AZGS/doc/1", {JANE}, "2026-12-31", set()),
        ("uri-gin/azgs%2Fdoc/1", {JANE}, "2026-12-31", set()),
        (f"{AZGS}core/1", {JANE}, "2026-12-31", set()),
        (f"{AZGS}core2/1", {JANE}, "2026-12-31", {READ}),
        (f"{AZGS}1", set(), "2026-12-31", set()),
    ],
)
def test_grants_above_a_name_add_up(name: str, people: set[str], day: str, rights: set[Right]) -> None:
    assert rights_of(people, name, GRANTS, [f"{AZGS}core/"], day) == rights


def test_a_scope_has_grants_below_its_prefix_and_ends_at_delegations() -> None:
    scope = scope_of({JANE, EDITORS}, AZGS, GRANTS, [f"{DOC}x/"], "2026-01-01")

    assert scope == Scope(
        {AZGS: frozenset({READ}), DOC: frozenset({READ, REGISTER}), f"{DOC}x/": frozenset()}
    )
    assert scope.at("uri-gin/azgs.mapping/1", AZGS) == {READ}


def test_an_intersection_has_the_narrower_rights_of_each_prefix() -> None:
    owner = Scope({AZGS: frozenset({READ, REGISTER})})
    token = Scope({DOC: frozenset({REGISTER, RETIRE})})

    assert intersect(owner, token) == Scope({DOC: frozenset({REGISTER})})
    assert intersect(owner, Scope({})) == Scope({})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "r",
        "=uri-gin/azgs",
        "wr=uri-gin/azgs/",
        "q=uri-gin/azgs/",
        "r=uri-gin/b/|r=uri-gin/a/",
        "r=a/|r=a/",
    ],
)
def test_a_malformed_scope_is_none(text: str) -> None:
    assert read_scope(text) is None


def test_a_scope_without_rights_is_written_as_one() -> None:
    assert [write_scope(Scope({})), write_scope(Scope({AZGS: frozenset(Right)}))] == ["-", f"rwxg={AZGS}"]
    assert read_scope("-") == Scope({})


@pytest.mark.parametrize(
    ("text", "grantee"),
    [
        ("mailto:Jane.Doe+x@EXAMPLE.org", "mailto:Jane.Doe+x@example.org"),
        ("jane@localhost", "mailto:jane@localhost"),
        ("group:azgs-editors", "group:azgs-editors"),
        ("group:", None),
        ("mailto:", None),
        ("mailto:jane", None),
        ("mailto:jane@a@b", None),
        ("mailto:jane@example.org?cc=joe@example.org", None),
        ("mailto:jane@example.org,joe@example.org", None),
        ("mailto:jane@example.org\n", None),
        ("MAILTO:jane@example.org", None),
        ("uri-gin/azgs/", None),
        (f"mailto:{'j' * MOST_ADDRESS}@example.org", None),
    ],
)
def test_a_grantee_is_one_person_or_one_group(text: str, grantee: str | None) -> None:
    assert read_grantee(text) == grantee
