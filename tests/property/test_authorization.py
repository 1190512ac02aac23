"""Rights, compared with brute force: every prefix of a name, every grant, every day."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ginuri.registration.authorization import (
    NO_RIGHTS,
    Grant,
    Right,
    Scope,
    intersect,
    read_scope,
    rights_of,
    scope_of,
    write_scope,
)

_STEPS = ["azgs", "azgs2", "azgs.mapping", "AZGS", "a", "a%2Fb", "doc", ""]
_ROOTS = ["uri-gin/", "//id.example/", "urn:isbn:", "doi:10.1000/"]
_PEOPLE = ["mailto:jane@example.org", "mailto:Jane@example.org", "group:editors", "mailto:joe@example.org"]
_DAYS = [f"2026-12-{day:02d}" for day in range(29, 32)] + ["2027-01-01", "2027-01-02"]
_RIGHTS = st.frozensets(st.sampled_from(Right))
_PREFIXES = st.builds(
    lambda root, steps: root + "".join(f"{step}/" for step in steps if step),
    st.sampled_from(_ROOTS),
    st.lists(st.sampled_from(_STEPS), max_size=3),
)
_NAMES = st.builds(str.__add__, _PREFIXES, st.sampled_from([*_STEPS, "azgs2/x", "azgs:x"]))
_GRANTS = st.builds(Grant, _PREFIXES, st.sampled_from(_PEOPLE), _RIGHTS, st.sampled_from(["", *_DAYS]))
_HANDED = st.frozensets(_PREFIXES, max_size=2)
_SCOPES = st.dictionaries(_PREFIXES, _RIGHTS, max_size=4).map(Scope)


def _prefixes_of(name: str) -> set[str]:
    """Every beginning of a name that ends in a slash or a colon, one character after the other."""
    return {name[:end] for end in range(1, len(name) + 1) if name[end - 1] in "/:"}


def _by_brute_force(
    people: frozenset[str], name: str, grants: list[Grant], handed_over: frozenset[str], day: str
) -> set[Right]:
    beginnings, allowed = _prefixes_of(name), set[Right]()
    for right in Right:
        for grant in grants:
            is_current = grant.valid_until in {"", *(each for each in _DAYS if each >= day)}
            if grant.to in people and grant.prefix in beginnings and is_current and right in grant.may:
                allowed.add(right)
    return set() if beginnings & handed_over else allowed


@given(
    st.frozensets(st.sampled_from(_PEOPLE), max_size=2),
    _NAMES,
    st.lists(_GRANTS, max_size=6),
    _HANDED,
    st.sampled_from(_DAYS),
)
def test_rights_are_those_of_a_comparison_of_every_prefix(
    people: frozenset[str], name: str, grants: list[Grant], handed_over: frozenset[str], day: str
) -> None:
    expected = _by_brute_force(people, name, grants, handed_over, day)
    assert rights_of(people, name, grants, handed_over, day) == expected


@given(
    st.frozensets(st.sampled_from(_PEOPLE), max_size=2),
    _PREFIXES,
    _NAMES,
    st.lists(_GRANTS, max_size=6),
    _HANDED,
    st.sampled_from(_DAYS),
)
def test_a_scope_has_the_rights_of_each_name_in_its_folder(  # noqa: PLR0913, PLR0917  all that is drawn
    people: frozenset[str],
    prefix: str,
    name: str,
    grants: list[Grant],
    handed_over: frozenset[str],
    day: str,
) -> None:
    scope = scope_of(people, prefix, grants, handed_over, day)
    inside = prefix + name
    assert scope.at(inside, prefix) == rights_of(people, inside, grants, handed_over, day)
    judged = name if name.startswith(prefix) else prefix  # a name elsewhere has the rights of the folder
    assert scope.at(name, prefix) == rights_of(people, judged, grants, handed_over, day)


@given(_SCOPES, _SCOPES, _NAMES, _PREFIXES)
def test_the_intersection_of_scopes_allows_what_both_allow(
    one: Scope, other: Scope, name: str, prefix: str
) -> None:
    both = intersect(one, other)
    assert both.at(name, prefix) == one.at(name, prefix) & other.at(name, prefix)
    assert intersect(other, one) == both
    assert intersect(both, both) == both


@given(_SCOPES)
def test_a_written_scope_is_read_as_the_same_scope(scope: Scope) -> None:
    written = write_scope(scope)
    assert written.isascii()
    assert written.isprintable()
    assert read_scope(written) == scope


@given(st.text("rwxg=|-/:a ä", max_size=20))
def test_only_the_text_of_a_scope_is_read_as_one(text: str) -> None:
    scope = read_scope(text)
    assert scope is None or write_scope(scope) == text


@given(_NAMES, _PREFIXES)
def test_an_empty_scope_allows_nothing(name: str, prefix: str) -> None:
    assert Scope({}).at(name, prefix) == NO_RIGHTS


@given(_NAMES, st.frozensets(st.sampled_from(_PEOPLE), max_size=2))
def test_grants_without_a_final_separator_grant_nothing(name: str, people: frozenset[str]) -> None:
    grants = [Grant(name.rstrip("/:"), to, frozenset(Right)) for to in _PEOPLE]
    assert rights_of(people, name, grants, (), _DAYS[0]) == NO_RIGHTS
