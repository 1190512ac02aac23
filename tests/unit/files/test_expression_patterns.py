"""Regular expressions become patterns that match the same names."""

from __future__ import annotations

import random

import pytest

from ginuri.files.expressions.examples import examples
from ginuri.files.expressions.expansion import Note
from ginuri.files.expressions.intersection import intersect
from ginuri.files.expressions.splitting import split_pattern
from ginuri.files.expressions.syntax import compile_expression
from ginuri.files.expressions.templates import Example, find_template
from ginuri.files.expressions.translation import Translation, translate
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

EQUAL = [
    (r"^x($|/.*)$", ("x", "x/[{+rest}]")),
    ("^(.*)$", ("", "{+rest}")),
    ("^$", ("",)),
    ("^foo", ("foo[{+rest}]",)),
    (r"^a\.(ttl|owl|rdf)$", ("a.{id:ttl|owl|rdf}",)),
    (r"^([^/]+)/?$", ("{id}[/]",)),
    (r"^([a-zA-Z-_0-9]+)(/?)$", ("{id:[A-Za-z0-9_-]}[/]",)),
    (r"^doc/(\d{4})-([A-Z]{2,3})/?$", ("doc/{part1:digits(4)}-{part2:upper(2,3)}[/]",)),
    ("^(a|b/c)?x$", ("x", "ax", "b/cx")),
    ("^[Ff]oo/(.+)$", ("{id:[Ff](1)}oo/{+rest}",)),
    (r"^v(\w+)(?:/(terms|shapes))?$", ("v{part1:word}[/{part2:terms|shapes}]",)),
    ("^([[:alpha:]]+)_([[:xdigit:]]+)$", ("{part1:letters}_{part2:hex}",)),
    (r"^([^.]+)\.html$", ("{id:[A-Za-z0-9_~!$&'()*+,;=:@/-]}.html",)),
    ("^[^ab/]+x?$", ("{id:[A-Zc-z0-9._~!$&'()*+,;=:@-]}[x]",)),
    ("^a/*b$", ("ab", "a/b")),
    (r"^ns(#.*)?$", ("ns",)),
    (r"^(.*)\.ttl$", ("[{+rest}].ttl",)),
    ("^v([0-9])[.]x[-]{2}[/]?$", ("v{id:digits(1)}.x--[/]",)),
]
NOTED = [
    ("foo$", ("foo",), {Note.ANCHORED}),
    (r"\.ttl$", ("[{+rest}].ttl",), set()),
    (r"^a.ttl$", ("a.ttl",), {Note.DOT}),
    (r"^(\d+(\.\d+)?)$", ("{part1:digits}[.{part2:digits}]",), set()),
    ("^(ab)*c$", ("c", "abc", "ababc", "abababc"), {Note.LIMITED}),
]


@pytest.mark.parametrize(("expression", "patterns"), EQUAL)
def test_an_expression_becomes_these_patterns(expression: str, patterns: tuple[str, ...]) -> None:
    assert translate(expression) == Translation(patterns, frozenset())


@pytest.mark.parametrize(("expression", "patterns", "notes"), NOTED)
def test_a_difference_from_the_expression_is_noted(
    expression: str, patterns: tuple[str, ...], notes: set[Note]
) -> None:
    assert translate(expression) == Translation(patterns, frozenset(notes))


@pytest.mark.parametrize(("expression", "_"), EQUAL)
def test_patterns_match_the_names_that_the_expression_matches(
    expression: str,
    _: tuple[str, ...],
) -> None:
    translated = translate(expression)
    assert isinstance(translated, Translation)

    original = compile_expression(expression)
    for name in _names(translated.patterns):
        assert _match_any(translated.patterns, name) == bool(original.search(name)), name


def _names(patterns: tuple[str, ...]) -> list[str]:
    """Return names that match, and others with a character added, removed or replaced."""
    draw = random.Random(7)  # noqa: S311  no secret
    names = [name for pattern in patterns for name in _examples(pattern)]
    for name in list(names):
        for _ in range(40):
            at = draw.randrange(len(name) + 1)
            names.append(name[:at] + draw.choice("aZ7._-/x~") + name[at + draw.randrange(2) :])
            names.append(name[:at] + name[at + 1 :])
    return [name for name in names if not name.startswith("/") and "//" not in name]


def _examples(pattern: str) -> list[str]:
    return list(examples(pattern, 12)) if "{" in pattern or "[" in pattern else [pattern]


def _match_any(patterns: tuple[str, ...], name: str) -> bool:
    return any(_match(pattern, name) for pattern in patterns)


def _match(pattern: str, name: str) -> bool:
    if "{" not in pattern and "[" not in pattern:
        return name == pattern
    return Pattern("" if pattern == ALL_THE_REST else pattern).match(name) is not None


@pytest.mark.parametrize(
    ("expression", "matched", "others"),
    [
        ("^x(?!-)(.+)/$", ["xa/", "xab/"], ["x-/", "x-a/"]),
        ("^x(?!-)(.*)$", ["x", "xa"], ["x-", "x-a"]),
        ("^x(?![0-9])[0-9a-c]{2}$", ["xa1"], ["x1a"]),
        ("^x(?=[a-c])[b-z]$", ["xb"], ["xa", "xd"]),
        ("^x(?!a)(abc|bcd)$", ["xbcd"], ["xabc"]),
        ("^x(?!a)(abc|bcd|cde)$", ["xbcd", "xcde"], ["xabc"]),
        ("^x(?!a)(?!b)[a-c]$", ["xc"], ["xa", "xb"]),
        ("^x(?!/)(/y)?z$", ["xz"], ["x/yz"]),
        ("^x(?!a|b)y$", ["xy"], ["xay"]),
        ("^x(?!a)$", ["x"], ["xa"]),
        ("^x(?!a)", ["x", "xb"], ["xa"]),
    ],
)
def test_a_look_ahead_of_one_character_narrows_the_next_item(
    expression: str, matched: list[str], others: list[str]
) -> None:
    found = translate(expression)

    assert isinstance(found, Translation)
    assert all(_match_any(found.patterns, name) for name in matched)
    assert not any(_match_any(found.patterns, name) for name in others)


def test_a_look_ahead_that_excludes_all_texts_has_no_pattern() -> None:
    found = translate("^x(?=a)$")

    assert isinstance(found, Translation)
    assert found.patterns == ()


def test_an_expression_after_a_slash_loses_it() -> None:
    assert translate("^/def/x($|/.*)$", after_slash=True) == Translation(
        ("def/x", "def/x/[{+rest}]"), frozenset()
    )
    assert translate("^def/x$", after_slash=True) == Translation((), frozenset())


def test_an_expression_may_ignore_case() -> None:
    assert translate("(?i)^foo$") == translate("^foo$", ignore_case=True)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("^(?!ab)c$", "look ahead"),
        (r"^(a)\1$", r"\1"),
        ("^(a", "not closed"),
        ("^[a", "not closed"),
        ("^(" + "|".join(f"{number}/x" for number in range(70)) + ")$", "more than 64"),
        ("^(" + "|".join(f"w{number}" for number in range(40)) + ")$", "more than 32 words"),
        ("^a{1,300}$", "at most 255"),
        ("a^b", "^"),
    ],
)
def test_an_expression_beyond_patterns_has_a_reason(expression: str, reason: str) -> None:
    assert reason in str(translate(expression))


@pytest.mark.parametrize(
    ("one", "other", "common"),
    [
        ("doc/{+rest}", "[{+id}].ttl", ("doc/.ttl", "doc/{+rest}.ttl")),
        ("{a}/{b}", "{+rest}.html", ("{id}/.html", "{part1}/{part2}.html")),
        ("{id:digits(4)}", "a{+rest}", ()),
        ("{a:[A-Za-z](2,5)}", "{b:upper(3,)}", ("{id:upper(3,5)}",)),
        ("{id:ttl|owl}", "{x:[a-z]}", ("ttl", "owl")),
        ("{a}[/]", "x[{+rest}]", ("x/", "x{id}/", "x{id}", "x")),
    ],
)
def test_two_patterns_have_their_common_names_in_patterns(
    one: str, other: str, common: tuple[str, ...]
) -> None:
    assert intersect(one, other) == common
    for name in _names((one, other)):
        assert _match_any(common, name) == (_match(one, name) and _match(other, name)), name


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("x[/]{id:a|b}", ["x{id:a|b}", "x/{id:a|b}"]),
        ("x{id:a|b}", ["xa", "xb"]),
        ("x-{+rest}", ["x-{id}", "x-{id}/", "x-{id}/{+rest}", "x-/", "x-/{+rest}"]),
        ("[{id:digits}][{+rest}]", ["", "{+rest}", "{id:digits}[{+rest}]"]),
        ("a[/]/b", ["a/b"]),
        ("{id:digits}", []),
        ("{+rest}/{id:[a-z-]}/", ["{part1}/{part2:[a-z-]}/", "{part1}/{+part2}/{part3:[a-z-]}/"]),
    ],
)
def test_a_pattern_is_split_by_options_words_and_slashes(pattern: str, parts: list[str]) -> None:
    assert split_pattern(pattern) == parts


def test_a_template_is_found_from_examples() -> None:
    examples = [
        Example({"id": "7", "ext": "ttl"}, "https://b.example/7/ttl.ttl"),
        Example({"id": "12", "ext": "owl"}, "https://b.example/12/owl.ttl"),
    ]

    assert find_template(examples) == "https://b.example/{+id}/{+ext}.ttl"


def test_examples_without_a_common_template_have_none() -> None:
    assert find_template([Example({"id": "a"}, "https://b.example/A"), Example({"id": "b"}, "/b")]) is None


def test_an_absent_piece_is_nothing_in_a_location() -> None:
    examples = [Example({"rest": "a/b"}, "https://b.example/xa/b"), Example({}, "https://b.example/x")]

    assert find_template(examples) == "https://b.example/x{+rest}"
