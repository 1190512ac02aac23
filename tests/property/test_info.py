"""Properties of every `info:` identifier: normal form, equality, and the case of a namespace."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.registry.model import LetterCase, Namespace
from ginuri.registry.rules.namespaces import normalize_case

_PLAIN = "aZ09-._~!$&'()*+,;=:@/"
_PIECES = st.sampled_from(_PLAIN) | st.integers(0, 255).flatmap(
    lambda byte: st.sampled_from([f"%{byte:02X}", f"%{byte:02x}"])
)
_NAMESPACES = st.from_regex(r"[A-Za-z][A-Za-z0-9+.\-]{0,5}", fullmatch=True)
INFO = st.builds(
    lambda scheme, namespace, pieces: f"{scheme}:{namespace}/{''.join(pieces)}",
    st.sampled_from(["info", "INFO", "Info"]),
    _NAMESPACES,
    st.lists(_PIECES, max_size=12),
)
"""Well-formed identifiers in any spelling."""
CASES = st.sampled_from(list(LetterCase))


def _section_5(uri: str) -> str:
    """RFC 4452 §5 a to d, step by step, without code of the tested module."""
    scheme, _, rest = uri.partition(":")
    namespace, _, name = rest.partition("/")
    unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    plain = {f"%{ord(each):02X}": each for each in unreserved}
    upper = re.sub("%[0-9A-Fa-f]{2}", lambda escape: escape[0].upper(), name)
    undone = re.sub("%[0-9A-F]{2}", lambda escape: plain.get(escape[0], escape[0]), upper)
    return f"{scheme.lower()}:{namespace.lower()}/{undone}"


@given(INFO)
def test_the_normal_form_follows_the_steps_of_the_source(text: str) -> None:
    assert str(parse(text)) == _section_5(text)


@given(INFO)
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    identifier = parse(text)

    assert parse(str(identifier)) == identifier
    assert parse(str(identifier)).is_normal


@given(INFO, INFO)
def test_two_names_are_equal_exactly_if_the_steps_of_the_source_agree(one: str, other: str) -> None:
    assert (parse(one) == parse(other)) == (_section_5(one) == _section_5(other))


@given(INFO, st.text(_PLAIN, min_size=1, max_size=3))
def test_a_longer_text_is_another_identifier(text: str, more: str) -> None:
    assert parse(text) != parse(text + more)


def _namespace(text: str, case: LetterCase) -> Namespace:
    return Namespace(identifier=f"info:{parse(text).name_authority}/", modified="2026-01-01", case=case)


@given(INFO, CASES)
def test_the_case_of_a_namespace_keeps_the_normal_form_normal(text: str, case: LetterCase) -> None:
    namespace, name = _namespace(text, case), str(parse(text))
    written = normalize_case(namespace, name)

    assert normalize_case(namespace, written) == written
    assert parse(written).normal_form == written
    assert parse(written).name_authority == parse(text).name_authority


@given(INFO, INFO, CASES)
def test_ignoring_case_equates_only_names_that_differ_in_case(one: str, other: str, case: LetterCase) -> None:
    namespace = _namespace(one, case)
    names = [namespace.identifier + str(parse(each)).partition("/")[2] for each in (one, other)]
    same = normalize_case(namespace, names[0]) == normalize_case(namespace, names[1])

    if case is LetterCase.SENSITIVE:
        assert same == (names[0] == names[1])
    else:
        assert same == (names[0].lower() == names[1].lower())
