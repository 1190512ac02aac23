"""Opaque names: their templates, and the check character that notices a wrong one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers.noid import EXTENDED_DIGITS, check_character, has_valid_check, read_template

NAMES = st.text(st.sampled_from(EXTENDED_DIGITS + "/"), min_size=2, max_size=27)


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("13030/xf93gt2", "q"),  # the example of NOID
        ("", "0"),
        ("0", "0"),
        ("z", "z"),
        ("bb", "1"),
        ("/b", "p"),
        ("AEIOUly-_", "0"),  # characters without a value
    ],
)
def test_a_check_character_is_that_of_noid(text: str, character: str) -> None:
    assert check_character(text) == character


@given(NAMES, st.data())
def test_a_wrong_character_is_noticed(name: str, data: st.DataObject) -> None:
    checked = name + check_character(name)
    place = data.draw(st.integers(0, len(checked) - 1))
    other = data.draw(st.sampled_from(EXTENDED_DIGITS))
    wrong = checked[:place] + other + checked[place + 1 :]

    is_same = (EXTENDED_DIGITS.find(checked[place]) + 1 or 1) == EXTENDED_DIGITS.find(other) + 1
    assert has_valid_check(checked)
    assert has_valid_check(wrong) is is_same


@given(NAMES, st.data())
def test_exchanged_neighbours_are_noticed(name: str, data: st.DataObject) -> None:
    checked = name + check_character(name)
    place = data.draw(st.integers(0, len(name) - 2))
    exchanged = checked[:place] + checked[place + 1] + checked[place] + checked[place + 2 :]

    values = [max(EXTENDED_DIGITS.find(character), 0) for character in checked[place : place + 2]]
    assert has_valid_check(exchanged) is (values[0] == values[1])


@pytest.mark.parametrize(
    ("text", "size", "has_check"),
    [
        ("eedk", 29 * 29 * 10, True),
        ("rddd", 1_000, False),
        ("f5.reedeedk", 29**4 * 100, True),
        ("e", 29, False),
        (".ee", 29 * 29, False),
    ],
)
def test_a_template_states_the_characters_of_its_names(text: str, size: int, *, has_check: bool) -> None:
    template = read_template(text)

    assert template
    assert (template.size, template.has_check) == (size, has_check)
    assert len({template.write(number) for number in range(29)}) == 29


@pytest.mark.parametrize(
    "text", ["", "k", "x", "f5", "f5.", "f5.seed", "f5.zeed", "ekd", "f/5.ree", "e" * 65]
)
def test_other_texts_are_no_templates(text: str) -> None:
    assert read_template(text) is None


@given(st.integers(0, 29 * 29 * 10 - 1))
def test_a_name_of_a_template_has_a_valid_check(number: int) -> None:
    template = read_template("w.reedk")
    assert template
    name = template.write(number, "azgs/doc/")

    assert has_valid_check(f"azgs/doc/{name}")
    assert name.startswith("w")
