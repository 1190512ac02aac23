"""Equal URNs, for every URN: RFC 8141 §3.1 implemented a second time, and more slowly."""

from __future__ import annotations

import re
import string
from collections.abc import Callable

from hypothesis import assume, example, given
from hypothesis import strategies as st

from ginuri import MalformedIdentifier, parse
from ginuri.identifiers.roots import folder_to_prefix, prefix_to_folder

_ALPHANUM = string.ascii_letters + string.digits
_ESCAPES = st.tuples(
    st.just("%"), st.sampled_from("123456789aBcDeF"), st.sampled_from("0123456789abCDEf")
).map("".join)
_PIECES = st.sampled_from([*_ALPHANUM, *"-._~!$&'()*+,;=:@"]) | _ESCAPES
NIDS = st.builds(
    lambda first, middle, last: first + middle + last,
    st.sampled_from(_ALPHANUM),
    st.text(f"{_ALPHANUM}-", max_size=6),
    st.sampled_from(_ALPHANUM),
).filter(lambda nid: nid.lower() != "urn")
NAMES = st.builds(
    lambda first, rest: first + "".join(rest), _PIECES, st.lists(_PIECES | st.just("/"), max_size=8)
)
COMPONENTS = st.sampled_from(["", "?+r", "?=q/?", "#f", "#", "?+r?=q#f", "?=%41"])
URNS = st.builds("{}:{}:{}{}".format, st.sampled_from(["urn", "URN", "uRn"]), NIDS, NAMES, COMPONENTS)


_CHANGES: list[Callable[[str], str]] = [
    str,
    str.upper,
    str.lower,
    str.swapcase,
    lambda name: f"{name}/",
    lambda name: f"{name}%2f",
]


def _assigned(urn: str) -> str:
    return re.split("[?#]", urn, maxsplit=1)[0]


def _means(urn: str) -> tuple[str, list[str]]:
    """Return the parts that RFC 8141 §3.1 compares: no components; scheme, NID and escapes without case."""
    _, nid, name = _assigned(urn).split(":", 2)
    head, *escaped = name.split("%")
    return nid.casefold(), [head, *(f"{each[:2].upper()} {each[2:]}" for each in escaped)]


@st.composite
def _pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Return two URNs, the second often the first in another spelling, or nearly."""
    one = draw(URNS)
    scheme, nid, name = _assigned(one).split(":", 2)
    change = draw(st.sampled_from(_CHANGES))
    nearly = f"{scheme.swapcase()}:{nid.swapcase()}:{change(name)}"
    return one, draw(st.sampled_from([nearly, nearly + draw(COMPONENTS)]) | URNS)


@given(_pairs())
@example(("urn:foo:a%2c", "urn:foo:a%2C"))
@example(("urn:foo:a,", "urn:foo:a%2C"))
@example(("urn:foo:%2D", "urn:foo:-"))
@example(("urn:foo:a", "urn:foo:a/"))
def test_two_urns_are_equal_exactly_if_they_mean_the_same(pair: tuple[str, str]) -> None:
    one, other = pair

    assert (parse(one) == parse(other)) is (_means(one) == _means(other))
    assert (parse(one) == parse(other)) is (str(parse(one)) == str(parse(other)))


@given(URNS)
def test_the_normal_form_of_a_urn_is_idempotent(urn: str) -> None:
    identifier = parse(urn)

    assert parse(str(identifier)) == identifier
    assert str(parse(str(identifier))) == str(identifier)
    assert parse(str(identifier)).is_normal


@given(URNS)
def test_escapes_of_a_urn_are_kept_and_none_is_added(urn: str) -> None:
    name = _assigned(urn)

    assert len(str(parse(urn))) == len(name)
    assert str(parse(urn)).count("%") == name.count("%")
    assert str(parse(urn)).lower() == name.lower()


@given(st.lists(URNS, min_size=3, max_size=3))
def test_equivalence_is_reflexive_symmetric_and_transitive(urns: list[str]) -> None:
    one, other, third = map(parse, urns)

    assert one == parse(urns[0])
    assert (one == other) is (other == one)
    assert (one == third) or not (one == other and other == third)
    assert (hash(one) == hash(other)) or one != other


@given(URNS)
def test_every_strict_urn_is_a_lenient_one(urn: str) -> None:
    try:
        identifier = parse(urn, strict=True)
    except MalformedIdentifier:
        return

    assert parse(urn) == identifier


@given(URNS)
def test_a_urn_belongs_to_its_namespace_and_has_a_folder(urn: str) -> None:
    identifier = parse(urn)
    assume(identifier.segments)

    assert identifier.ancestors[:2] == ("urn:", f"urn:{identifier.name_authority}:")
    assert all(str(identifier).startswith(each) for each in identifier.ancestors)
    namespace = identifier.ancestors[1]
    assert folder_to_prefix(prefix_to_folder(namespace)) == namespace
