"""URI templates: the examples of RFC 6570 about texts, and the treatment of an identifier's escapes."""

from __future__ import annotations

import pytest

from ginuri.registry.rules.templates import expand, variables

# RFC 6570 §3.2  the variables of its examples, without lists and without those that are undefined
VALUES = {
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
}


@pytest.mark.parametrize(
    ("template", "expanded"),
    [
        # §3.2.2 Simple String Expansion: {var}
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("{x,y}", "1024,768"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("?{x,empty}", "?1024,"),
        ("?{x,undef}", "?1024"),
        ("?{undef,y}", "?768"),
        # §3.2.3 Reserved Expansion: {+var}
        ("{+var}", "value"),
        ("{+hello}", "Hello%20World!"),
        ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("O{+empty}X", "OX"),
        ("O{+undef}X", "OX"),
        ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("up{+path}{var}/here", "up/foo/barvalue/here"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"),
        ("{+path,x}/here", "/foo/bar,1024/here"),
        # §3.2.4 Fragment Expansion: {#var}
        ("{#var}", "#value"),
        ("{#hello}", "#Hello%20World!"),
        ("{#half}", "#50%25"),
        ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        # §3.2.5 Label Expansion with Dot-Prefix: {.var}
        ("{.who}", ".fred"),
        ("{.who,who}", ".fred.fred"),
        ("{.half,who}", ".50%25.fred"),
        ("X{.var}", "X.value"),
        ("X{.empty}", "X."),
        ("X{.undef}", "X"),
        # §3.2.6 Path Segment Expansion: {/var}
        ("{/who}", "/fred"),
        ("{/who,who}", "/fred/fred"),
        ("{/half,who}", "/50%25/fred"),
        ("{/who,dub}", "/fred/me%2Ftoo"),
        ("{/var}", "/value"),
        ("{/var,empty}", "/value/"),
        ("{/var,undef}", "/value"),
        ("{/var,x}/here", "/value/1024/here"),
        # §3.2.7 Path-Style Parameter Expansion: {;var}
        ("{;who}", ";who=fred"),
        ("{;half}", ";half=50%25"),
        ("{;empty}", ";empty"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"),
        ("{;v,bar,who}", ";v=6;who=fred"),
        ("{;x,y}", ";x=1024;y=768"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;x,y,undef}", ";x=1024;y=768"),
        # §3.2.8 Form-Style Query Expansion: {?var}
        ("{?who}", "?who=fred"),
        ("{?half}", "?half=50%25"),
        ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,y,undef}", "?x=1024&y=768"),
        # §3.2.9 Form-Style Query Continuation: {&var}
        ("{&who}", "&who=fred"),
        ("{&half}", "&half=50%25"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="),
        ("{&x,y,undef}", "&x=1024&y=768"),
    ],
)
def test_a_template_expands_as_the_examples_of_rfc_6570_do(template: str, expanded: str) -> None:
    assert expand(template, VALUES) == expanded


@pytest.mark.parametrize(
    ("template", "expanded"),
    [
        ("{id}", "a%20b%2Fc"),
        ("{+id}", "a%20b%2Fc"),
        ("{?id}", "?id=a%20b%2Fc"),
    ],
)
def test_an_escape_in_an_identifier_stays_unchanged(template: str, expanded: str) -> None:
    assert expand(template, {"id": "a%20b%2Fc"}) == expanded


def test_a_value_that_resembles_an_expression_is_not_expanded() -> None:
    assert expand("https://example.org/{a}{b}", {"a": "{b}", "b": "x"}) == "https://example.org/%7Bb%7Dx"


def test_characters_outside_ascii_are_escaped_as_utf8() -> None:
    assert expand("{county}", {"county": "Doña Ana"}) == "Do%C3%B1a%20Ana"


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("https://example.org/", set()),
        ("https://example.org/{+rest}", {"rest"}),
        ("https://example.org/{county}/{id}{?id,rest}", {"county", "id", "rest"}),
    ],
)
def test_the_variables_of_a_template_are_known_by_name(template: str, names: set[str]) -> None:
    assert variables(template) == names


@pytest.mark.parametrize(
    "template",
    [
        "{",
        "}",
        "{}",
        "{a",
        "a}",
        "{{a}}",
        "{a}}",
        "{a,}",
        "{,a}",
        "{a b}",
        "{a-b}",
        "{a\n}",
        "{=a}",  # §2.2  reserved for extensions
        "{|a}",
        "{a:3}",  # §2.4.1  prefixes are left out
        "{a*}",  # §2.4.2  lists are left out
    ],
)
def test_a_malformed_template_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="Write names in braces as in"):
        variables(template)
