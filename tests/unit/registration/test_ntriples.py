"""Triples about one thing, as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.texts.ntriples import BlankNode, Literal, Term, group, read_triples, write_term

X, P = "http://example.org/x", "http://example.org/p"
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_LITERALS = st.one_of(
    st.builds(Literal, _TEXTS),
    st.builds(Literal, _TEXTS, st.sampled_from(["en", "pt-BR"])),
    st.builds(Literal, _TEXTS, st.just(""), st.just("http://www.w3.org/2001/XMLSchema#date")),
)


def _line(term: Term) -> str:
    return f"{write_term(X)} {write_term(P)} {write_term(term)} ."


@given(
    st.one_of(_LITERALS, st.just(X), st.builds(BlankNode, st.from_regex("[A-Za-z0-9]{1,9}", fullmatch=True)))
)
def test_written_triples_are_read_back_the_same(term: Term) -> None:
    assert list(read_triples(_line(term))) == [(X, P, term)]


def test_a_character_outside_names_is_escaped() -> None:
    assert write_term("http://example.org/a b<c>") == "<http://example.org/a%20b%3Cc%3E>"


def test_triples_are_grouped_by_subject() -> None:
    text = f'<{X}> <{P}> _:b0 .\n_:b0 <{P}> "deep" .\n<{X}> <{P}> "flat" .'

    assert group(read_triples(text)) == {
        X: [(P, BlankNode("b0")), (P, Literal("flat"))],
        BlankNode("b0"): [(P, Literal("deep"))],
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Line 1 is not a triple"),
        (f"<{X}> <{P}> <{X}>", "Line 1 is not a triple"),
        (f"<{X}> <{P}> <relative> .", "Line 1 is not a triple"),
        (f'<{X}> <{P}> "a\\ud800" .', "Line 1 is not a triple"),
        (f'<{X}> "p" <{X}> .', "Line 1 is not a triple"),
        (f"<{X}> <{P}> <{X}> .\n\n", "Line 2 is not a triple"),
        (f"<{X}> <{P}> <{X}> .\n<{P}> <{P}> <{X}> .", "Line 2 is not about the subject"),
        (f"<{X}> <{P}> <{X}> .\n_:b0 <{P}> <{X}> .", "Line 2 is not about the subject"),
        (f"_:b0 <{P}> <{X}> .", "Line 1 is not about the subject"),
    ],
)
def test_a_malformed_or_foreign_triple_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        list(read_triples(text))
