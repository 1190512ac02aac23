"""Patterns of rules: their matches, their precedence, and malformed ones."""

from __future__ import annotations

import time

import pytest

from ginuri.registry.rules.patterns import Pattern


@pytest.mark.parametrize(
    ("pattern", "rest", "pieces"),
    [
        ("{county}/{id}/", "cochise/17/", {"county": "cochise", "id": "17"}),
        ("HP_{id}", "HP_17", {"id": "17"}),
        ("{id}.pdf", "map.v1.pdf", {"id": "map.v1"}),
        ("{map}-{sheet}", "DGM-37", {"map": "DGM", "sheet": "37"}),
        ("{map}-{sheet}", "a-b-c", {"map": "a-b", "sheet": "c"}),
        ("{id}", "Do%C3%B1a%20Ana%2F1", {"id": "Do%C3%B1a%20Ana%2F1"}),
        ("a.b/", "a.b/", {}),
        ("(a+)/{id}", "(a+)/1", {"id": "1"}),
        ("", "anything/at/all", {}),
        ("HP_{id:digits}", "HP_0000001", {"id": "0000001"}),
        ("{a:digits}-{b:digits}", "20-15", {"a": "20", "b": "15"}),
        ("201{+rest}", "2019/a/b.owl", {"rest": "9/a/b.owl"}),
        ("{version}/x/{+rest}", "v1/x/a//b", {"version": "v1", "rest": "a//b"}),
        ("v{version}-{+rest}", "v1-a-b/c/", {"version": "1-a", "rest": "b/c/"}),
        ("HP_{id:digits(7)}", "HP_0000001", {"id": "0000001"}),
        ("chebi:{id:digits}", "chebi:24867", {"id": "24867"}),
        ("[CHEBI:]{id:digits}", "CHEBI:24867", {"id": "24867"}),
        ("[CHEBI:]{id:digits}", "24867", {"id": "24867"}),
        ("block/{year:2000|2010|2020}/{id}", "block/2010/a", {"year": "2010", "id": "a"}),
        ("releases/{+version}/bds.owl", "releases/v1/2/bds.owl", {"version": "v1/2"}),
        ("onto/{version:[0-9.]}[/]", "onto/1.2/", {"version": "1.2"}),
        ("{id:[A-Za-z0-9_-]}[{+rest}]", "a_b-c/x#y", {"id": "a_b-c", "rest": "/x#y"}),
        ("{naan:alnum(5)}/{+rest}", "12345/x/y", {"naan": "12345", "rest": "x/y"}),
        ("{a:upper(1,3)}{b:alnum}", "ABCDE1", {"a": "ABC", "b": "DE1"}),
        ("{a:upper(2,)}{b}", "ABCd", {"a": "ABC", "b": "d"}),
        ("{x:ab|abc}{y}", "abcd", {"x": "ab", "y": "cd"}),  # the first word, as in a regular expression
        ("{x:[^a-z]}z", "A-Z:z", {"x": "A-Z:"}),
        ("{x:[A-Z/]}", "A/B", {"x": "A/B"}),
        ("{a}[-{b:digits}].pdf", "map-12.pdf", {"a": "map-12"}),
        ("{a:letters}[-{b:digits}].pdf", "map-12.pdf", {"a": "map", "b": "12"}),
        ("{h:hex(4)}-{w:word}", "0aF9-a_1", {"h": "0aF9", "w": "a_1"}),
    ],
)
def test_a_pattern_matches_the_rest_after_the_prefix_and_names_pieces(
    pattern: str, rest: str, pieces: dict[str, str]
) -> None:
    assert Pattern(pattern).match(rest) == {"rest": rest, "all": rest, **pieces}


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
        ("HP_{id:digits(7)}", "HP_000001"),
        ("HP_{id:digits(7)}", "HP_00000001"),
        ("{a:upper(1,3)}", "ABCD"),
        ("{x:ab|abc}", "abcd"),
        ("{x:[^a-z]}", "A/B"),  # an inverted class never takes a slash
        ("{x:[^a]}", "%20"),  # nor an escape
        ("{x:alnum}", "caf%C3%A9"),
        ("onto[/]", "onto//"),
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


def test_an_absent_option_leaves_its_pieces_out() -> None:
    assert Pattern("X[/{+rest}]").match("X") == {"all": "X"}
    assert Pattern("{a:letters}[-{b:digits}]").match("map") == {"rest": "map", "all": "map", "a": "map"}


def test_a_pattern_may_ignore_case_but_its_pieces_keep_it() -> None:
    pattern = Pattern("Chebi:{id:[a-f0-9]}[/{kind:Pdf|Owl}]", ignore_case=True)

    assert pattern.match("CHEBI:A1/OWL") == {
        "rest": "CHEBI:A1/OWL",
        "all": "CHEBI:A1/OWL",
        "id": "A1",
        "kind": "OWL",
    }
    assert pattern.match("chebi:g1") is None
    assert Pattern("caf%C3%A9/{id}", ignore_case=True).match("CAF%C3%A9/x") is not None


def test_a_stored_pattern_keeps_its_shortest_pieces() -> None:
    lazy = Pattern("v{version}-{+rest}", is_lazy=True).match("v1-a-b")

    assert lazy == {"all": "v1-a-b", "version": "1", "rest": "a-b"}


@pytest.mark.parametrize("end", ["x", "{z:digits}"])
def test_hostile_pieces_are_matched_in_linear_time(end: str) -> None:
    pattern = Pattern("".join(f"{{a{each}}}x" for each in range(12)) + end)
    began = time.process_time()

    pattern.match("x" * 1_022 + "1")

    assert time.process_time() - began < 0.05


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
        ("{a}{b:digits}/x", "{a}[/]{b}"),
        ("{a}", "{a}{b}"),
        ("ab", "ab[c]"),
        ("{a:2000|2010}", "{a:digits(4)}"),
        ("{a:digits(4)}", "{a:digits}"),
        ("{a:upper}", "{a:letters}"),
        ("{a}", "{+a}"),
        ("{a:[A-Z]}", "{a:[A-Z/]}"),
    ],
)
def test_the_narrower_of_two_patterns_has_precedence(more: str, less: str) -> None:
    assert Pattern(more).precedence > Pattern(less).precedence


def test_letters_of_options_and_words_are_no_literal_characters() -> None:
    assert Pattern("a[bcd]").precedence[0] == Pattern("a{x:bcd|efg}").precedence[0] == 1


@pytest.mark.parametrize("pattern", ["{id}", "{a}-{b}", "{a}/{b}/{c}", "x", "{+a}/x"])
def test_any_pattern_has_precedence_over_none(pattern: str) -> None:
    assert Pattern(pattern).precedence > Pattern("").precedence


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        ("{county}/HP_{id:digits(3)}[/]", "county/HP_001/"),
        ("{a:upper(2)}-{b:[x-z]}", "AA-x"),
        ("{y:2000|2010}/{+rest}", "2000/rest"),
        ("", "rest"),
    ],
)
def test_an_example_matches_its_pattern(pattern: str, example: str) -> None:
    assert Pattern(pattern).example() == example
    assert Pattern(pattern).match(example)
