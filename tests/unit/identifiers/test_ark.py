"""`ark:` identifiers: the examples of draft-kunze-ark-42, a row each."""

from __future__ import annotations

import pytest

from ginuri import Kind, MalformedIdentifier, parse


# §3.1, and the steps of §3.2 one by one
@pytest.mark.parametrize(
    ("text", "normal_form"),
    [
        ("ark:12345/x5-4-xz-321", "ark:12345/x54xz321"),
        ("https://sneezy.dopey.com/ark:12345/x54--xz32-1", "ark:12345/x54xz321"),
        ("ark:12345/x54xz321", "ark:12345/x54xz321"),
        ("ark:12345/x54xz321?info", "ark:12345/x54xz321"),  # step 2
        ("ARK:/12345/x54", "ark:12345/x54"),  # step 3
        ("ark:/B5072/x54", "ark:b5072/x54"),  # step 4
        ("ark:12345/x%7d%2d", "ark:12345/x%7D%2D"),  # step 5
        ("ark:12-345/x54", "ark:12345/x54"),  # step 6
        ("ark:12345/x54/", "ark:12345/x54"),  # step 8
        ("ark:12345//x54./.c2//s4.pdf.", "ark:12345/x54.c2/s4.pdf"),
        ("ark:12345/x54/-/y", "ark:12345/x54/y"),
        ("ark:12345/", "ark:12345/"),
        ("ark:/12345/", "ark:12345/"),
        ("ark:/", "ark:"),
    ],
)
def test_an_ark_is_normalized_step_by_step(text: str, normal_form: str) -> None:
    identifier = parse(text)

    assert identifier.normal_form == normal_form
    assert identifier.kind is Kind.THING
    assert parse(normal_form).is_normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ark:12345/x54", "ark:12345/X54"),  # §3.2: comparisons are case-sensitive
        ("ark:12345/x54_xz_321", "ark:12345/x54xz321"),  # §2.5.1
        ("ark:12345/x54.24", "ark:12345/x54"),  # §2.5.2
        ("ark:12345/x54", "ark:12346/x54"),
        ("ark:12345/x%2F54", "ark:12345/x/54"),
    ],
)
def test_arks_that_differ_after_normalization_are_different(one: str, other: str) -> None:
    assert parse(one) != parse(other)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ark:12345", "Name"),
        ("ark:12345/-", "Name"),
        ("ark:/12345//", "Name"),
        ("ark:/azgs/x54", "NAAN"),
        ("ark:12345/x%5", "pct-encoded"),
        ("ark:12345/x 5", "Name"),
        ("ark:12345/x5#a", "fragment"),
    ],
)
def test_a_malformed_ark_is_refused_with_the_reason(text: str, rule: str) -> None:
    with pytest.raises(MalformedIdentifier) as refused:
        parse(text)

    assert refused.value.rule == rule
    assert refused.value.text[refused.value.position :].startswith(refused.value.value)


def test_the_strict_ark_grammar_allows_seven_other_characters() -> None:
    assert parse("ark:12345/=~*+@_$", strict=True).is_normal
    assert parse("ark:12345/a:b").is_normal
    with pytest.raises(MalformedIdentifier):
        parse("ark:12345/a:b", strict=True)


def test_a_number_is_the_namespace_of_its_arks() -> None:
    identifier = parse("ark:/12345/x54/xz/321")

    assert identifier.ancestors == ("ark:", "ark:12345/", "ark:12345/x54/", "ark:12345/x54/xz/")
    assert (identifier.scheme, identifier.name_authority) == ("ark", "12345")
