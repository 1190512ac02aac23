"""Patterns of rules: their matches, their literalness, and malformed ones."""

from __future__ import annotations

import time

import pytest

from ginuri.registry.rules.patterns import Pattern, fault_of


@pytest.mark.parametrize(
    ("pattern", "rest", "pieces"),
    [
        ("{county}/{id}/", "cochise/17/", {"county": "cochise", "id": "17"}),
        ("HP_{id}", "HP_17", {"id": "17"}),
        ("{id}.pdf", "map.v1.pdf", {"id": "map.v1"}),
        ("{map}-{sheet}", "DGM-37", {"map": "DGM", "sheet": "37"}),
        ("{map}-{sheet}", "a-b-c", {"map": "a", "sheet": "b-c"}),
        ("{id}", "Do%C3%B1a%20Ana%2F1", {"id": "Do%C3%B1a%20Ana%2F1"}),
        ("a.b/", "a.b/", {}),
        ("(a+)/{id}", "(a+)/1", {"id": "1"}),
        ("", "anything/at/all", {}),
        ("HP_{id:digits}", "HP_0000001", {"id": "0000001"}),
        ("{a:digits}-{b:digits}", "20-15", {"a": "20", "b": "15"}),
        ("201{+rest}", "2019/a/b.owl", {"rest": "9/a/b.owl"}),
        ("{version}/x/{+rest}", "v1/x/a//b", {"version": "v1", "rest": "a//b"}),
        ("v{version}-{+rest}", "v1-a-b/c/", {"version": "1", "rest": "a-b/c/"}),
    ],
)
def test_a_pattern_matches_the_rest_after_the_prefix_and_names_pieces(
    pattern: str, rest: str, pieces: dict[str, str]
) -> None:
    assert Pattern(pattern).match(rest) == {"rest": rest, **pieces}


@pytest.mark.parametrize(
    ("pattern", "rest"),
    [
        ("{county}/{id}/", "cochise/17"),  # a final slash makes another identifier
        ("{county}/{id}", "cochise/17/"),
        ("{county}/{id}", "cochise/17/18"),
        ("{id}", "a/b"),
        ("HP_{id}", "HP_"),  # a named piece matches one character or more
        ("HP_{id}", "hp_17"),  # case matters
        ("HP_{id}", "xHP_17"),
        ("a.b", "axb"),
        ("a.b", "a.b\n"),
        ("{id}", ""),
        ("", ""),  # the prefix itself is not under the prefix
        ("HP_{id:digits}", "HP_17a"),
        ("HP_{id:digits}", "HP_"),
        ("HP_{id:digits}", "HP_%D9%A1"),  # digits are 0 to 9
        ("201{+rest}", "201"),
        ("{version}/{+rest}", "v1/"),
        ("{version}/{+rest}", "v1"),
    ],
)
def test_a_pattern_matches_the_whole_or_not_at_all(pattern: str, rest: str) -> None:
    assert Pattern(pattern).match(rest) is None


@pytest.mark.parametrize(
    ("pattern", "rest"), [("{id}9", "x%A9"), ("{id}A9", "%C3%A9"), ("{a}3{b}", "%C3%A9")]
)
def test_a_named_piece_never_splits_an_escape(pattern: str, rest: str) -> None:
    assert Pattern(pattern).match(rest) is None


def test_a_pattern_is_matched_in_bounded_time() -> None:
    pattern = Pattern("/".join(f"{{a{each}}}-{{b{each}}}" for each in range(3)) + "/x")
    began = time.process_time()

    assert pattern.match("/".join(["-" * 100] * 3) + "/y") is None

    assert time.process_time() - began < 0.1


def test_the_pieces_of_a_pattern_are_named_in_order() -> None:
    assert Pattern("{county}/HP_{id}/").names == ("county", "id")
    assert Pattern("").names == ()
    assert Pattern("{version:digits}/{+rest}").names == ("version",)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("HP_{id}", "{id}"),
        ("map/{id}", "m/{id}"),
        ("map/x", "map/{id}"),
        ("a{x}", "{a}"),
        ("{a}/", "{a}"),
        ("ab/x", "a{b}/x"),
        ("RO_{id:digits}", "RO_{id}"),
        ("a/{b}", "a/{+rest}"),
        ("201{+rest}", "20{+rest}"),
    ],
)
def test_more_literal_characters_make_a_pattern_more_literal(more: str, less: str) -> None:
    assert Pattern(more).literalness > Pattern(less).literalness


@pytest.mark.parametrize("pattern", ["{id}", "{a}-{b}", "{a}/{b}/{c}", "x"])
def test_any_named_piece_is_more_literal_than_a_catch_all(pattern: str) -> None:
    assert Pattern(pattern).literalness > Pattern("").literalness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{a}", "{b}"),
        ("{a}/{b}", "{c}/x"),
        ("HP_{id}", "{id}_17"),
        ("{a}x", "x{b}"),
        ("a{b}", "{c}b"),
        ("{a}-{b}", "{c}"),
        ("same", "same"),
        ("{a}", "x"),
        ("{a:digits}", "{b}"),
        ("{a:digits}", "17"),
        ("20{+rest}", "{a}/{b:digits}"),
        ("a{+rest}", "{b}/{+rest}"),
    ],
)
def test_patterns_overlap_if_one_text_matches_both(one: str, other: str) -> None:
    assert Pattern(one).overlaps(Pattern(other))
    assert Pattern(other).overlaps(Pattern(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{a}/", "{a}"),
        ("HP_{id}", "WELL_{id}"),
        ("{a}/x", "{a}/y"),
        ("{a}.pdf", "{a}.tif"),
        ("{a}", "{a}/{b}"),
        ("x{a}", "x"),
        ("x{a}x", "x"),  # one x cannot be both ends and the piece between
        ("x{a}x", "xx"),
        ("{a:digits}", "x{b}"),
        ("{a:digits}", "{b:digits}/"),
        ("201{+rest}", "202{+rest}"),
        ("a/{+rest}", "a/"),
    ],
)
def test_patterns_without_a_common_match_do_not_overlap(one: str, other: str) -> None:
    assert not Pattern(one).overlaps(Pattern(other))
    assert not Pattern(other).overlaps(Pattern(one))


@pytest.mark.parametrize("pattern", ["{id}", "a/b/", "HP_{id}", ""])
def test_a_pattern_for_everything_overlaps_with_every_pattern(pattern: str) -> None:
    assert Pattern("").overlaps(Pattern(pattern))
    assert Pattern(pattern).overlaps(Pattern(""))


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "{id}",
        "HP_{id}",
        "{county}/{id}/",
        "{map}-{sheet}.pdf",
        "_{_a1}",
        "a:b@c;d=1/{x}",
        "%C3%A9/{x}",
        "{a:digits}",
        "x{+rest}",
    ],
)
def test_a_pattern_of_pieces_and_literals_is_valid(pattern: str) -> None:
    assert fault_of(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("{", "braces"),
        ("{}", "braces"),
        ("{1a}", "braces"),
        ("{a-b}", "braces"),
        ("{+rest}", "To match everything"),
        ("{+rest}/a", "at the end"),
        ("{+rest}/{+rest}", "at the end"),
        ("{a}{+rest}", "Put some text between"),
        ("{+a}", "braces"),
        ("{a:digit}", "braces"),
        ("{rest:digits}", "rest"),
        ("{a}/{a:digits}", "name of its own"),
        ("{a:3}", "braces"),
        ("{a}}", "braces"),
        ("[0-9]+", "braces"),
        ("a b", "braces"),
        ("é", "braces"),
        ("a?b", "braces"),
        ("a#b", "braces"),
        ("%4{id}", "braces"),
        ("{id}\n", "braces"),
        ("{a}/{a}", "name of its own"),
        ("{rest}", "rest"),
        ("{a}{b}", "Put some text between"),
        ("x/{a}{b}/y", "Put some text between"),
        ("{a}-{b}-{c}", "at most 2"),
        ("/a", "empty segments"),
        ("a//b", "empty segments"),
        ("//", "empty segments"),
    ],
)
def test_a_malformed_pattern_is_refused_with_the_reason(pattern: str, why: str) -> None:
    assert why in str(fault_of(pattern))


@pytest.mark.parametrize("pattern", ["%2f{id}", "%41/{id}", "../{id}", "./x", "a/%2E/{id}", "x" * 2_000])
def test_a_pattern_that_matches_no_identifier_has_a_fault(pattern: str) -> None:
    assert fault_of(pattern) is not None
