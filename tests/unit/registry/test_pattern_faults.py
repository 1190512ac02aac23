"""Faults of patterns: each message gives the position, and what to write."""

from __future__ import annotations

import pytest

from ginuri.registry.rules.faults import fault_of


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
        "{a}{b:digits}",
        "{+rest}/a",
        "{a}[{+b}]",
        "{id:[A-Za-z0-9._~!$&'()*+,;=:@/-]}",
        "{id:[^-]}",
        "{id:[-a]}",
        "{a:x|y.z|a:b@c}",
        "{a:digits(255)}[/{b:upper(3,)}]",
    ],
)
def test_a_pattern_of_pieces_and_literals_is_valid(pattern: str) -> None:
    assert fault_of(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "position", "why"),
    [
        ("{", 1, "not closed"),
        ("HP_{id", 4, "not closed"),
        ("{}", 2, "Write a name"),
        ("{1a}", 2, "Write a name"),
        ("{a-b}", 2, "Write a name"),
        ("{+rest}", 1, "leave the pattern out"),
        ("{+rest}/{+rest}", 9, "a name of its own"),
        ("{+a:digits}", 2, "has no type"),
        ("{a:digit}", 4, "digit is no type"),
        ("{rest:digits}", 1, "a name of its own"),
        ("{a}/{a:digits}", 5, "a name of its own"),
        ("{all}", 1, "a name of its own"),
        ("{a:3}", 4, "3 is no type"),
        ("{a:3|}", 6, "a word"),
        ("{a:b c|d}", 4, "a word"),
        ("{a:digits(0,)}", 11, "one character or more"),
        ("{a:digits(5,2)}", 11, "(2,5)"),
        ("{a:digits(256)}", 11, "at most 255"),
        ("{a:[]}", 4, "into the brackets"),
        ("{a:[z-a]}", 5, "a-z"),
        ("{a:[%]}", 4, "is no type"),
        ("{a:[^!-~]}", 4, "No character is left"),
        ("{a}}", 4, "not open"),
        ("[0-9]+]", 7, "not open"),
        ("[a[b]]", 1, "Square brackets"),
        ("[]", 1, "Square brackets"),
        ("[a]", 1, "outside of square brackets"),
        ("a b", 2, "%20"),
        ("é", 1, "cannot contain"),
        ("a?b", 2, "cannot contain"),
        ("%4{id}", 1, "two hexadecimal digits"),
        ("{id}\n", 5, "cannot contain"),
        ("/a", 1, "empty segments"),
        ("a//b", 2, "empty segments"),
        ("a/[b]/c", 1, "matches a//c"),
        ("a[b]/../c", 1, "segments that are"),
        ("%2f{id}", 1, "normal form"),
        ("a/%41", 3, "normal form"),
        ("{id:" + "|".join(f"w{each}" for each in range(33)) + "}", 1, "at most 32 words"),
        ("".join(f"{{p{each}:digits(255)}}" for each in range(8)), 1, "more than 2,000"),
    ],
)
def test_a_malformed_pattern_is_refused_with_its_position(pattern: str, position: int, why: str) -> None:
    fault = str(fault_of(pattern))

    assert fault.startswith(f"Character {position}, ")
    assert why in fault


@pytest.mark.parametrize(
    "pattern", ["../{id}", "./x", "a/%2E/{id}", "x" * 2_000, "{a}" * 17, "[x]" * 5 + "y"]
)
def test_a_pattern_beyond_the_limits_has_a_fault(pattern: str) -> None:
    assert fault_of(pattern) is not None
