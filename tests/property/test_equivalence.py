"""Equivalence of names, scheme by scheme: normal forms, the laws of an equivalence, different names."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.identifiers.comparison.equivalence import compare, compare_names
from ginuri.identifiers.comparison.names import read_name
from tests.property.schemes import SCHEMES, Scheme

of_every_scheme: Callable[..., Callable[..., None]] = pytest.mark.parametrize("scheme", SCHEMES, ids=str)


@of_every_scheme
@given(data=st.data())
def test_the_normal_form_is_idempotent(scheme: Scheme, data: st.DataObject) -> None:
    name = read_name(data.draw(scheme.texts()))

    again = read_name(str(name))

    assert again == name
    assert str(again) == str(name)


@of_every_scheme
@given(data=st.data())
def test_a_printed_identifier_is_read_back_the_same(scheme: Scheme, data: st.DataObject) -> None:
    identifier = read_name(data.draw(scheme.texts())).identifier
    if identifier is None:
        assert scheme.name == "any other URI"
        return

    assert parse(str(identifier)) == identifier
    assert parse(str(identifier)).is_normal
    assert all(parse(above).normal_form == above for above in identifier.ancestors)
    assert all(str(identifier).startswith(above) for above in identifier.ancestors)


@of_every_scheme
@given(data=st.data())
def test_everything_is_the_same_as_itself(scheme: Scheme, data: st.DataObject) -> None:
    text = data.draw(scheme.texts())

    comparison = compare(text, text)

    assert comparison.is_same
    assert comparison.remarks == ()


@of_every_scheme
@given(data=st.data())
def test_two_spellings_are_the_same_in_both_directions(scheme: Scheme, data: st.DataObject) -> None:
    body = data.draw(scheme.bodies)
    one, other = (data.draw(scheme.rewritten(body, is_same=True)) for _ in range(2))

    there, back = compare(one, other), compare(other, one)

    assert there.is_same
    assert back.is_same
    assert hash(there.one) == hash(there.other)
    assert all(each.is_same and each.why and each.one != each.other for each in there.remarks)
    assert {each.piece for each in there.remarks} == {each.piece for each in back.remarks}


@of_every_scheme
@given(data=st.data())
def test_names_that_the_source_distinguishes_are_never_equal(scheme: Scheme, data: st.DataObject) -> None:
    body = data.draw(scheme.bodies)
    one = data.draw(scheme.rewritten(body, is_same=True))
    other = data.draw(scheme.rewritten(body, is_same=False))

    there, back = compare(one, other), compare(other, one)

    assert not there.is_same
    assert not back.is_same
    assert there.remarks, "a difference is told"
    assert all(not each.is_same and each.why for each in there.remarks)
    assert {each.piece for each in there.remarks} == {each.piece for each in back.remarks}


@of_every_scheme
@given(data=st.data())
def test_equivalence_is_transitive(scheme: Scheme, data: st.DataObject) -> None:
    body = data.draw(scheme.bodies)
    written = [read_name(data.draw(scheme.rewritten(body, is_same=data.draw(st.booleans())))) for _ in "abc"]
    one, other, third = written

    if compare_names(one, other).is_same and compare_names(other, third).is_same:
        assert compare_names(one, third).is_same


@given(data=st.data())
def test_no_name_of_one_scheme_is_a_name_of_another(data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(SCHEMES))[:2]

    assert not compare(data.draw(one.texts()), data.draw(other.texts())).is_same
