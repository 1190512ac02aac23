"""Every query decodes to the same after it is rebuilt, and is valid in a header."""

from __future__ import annotations

from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st

from ginuri.web.events import join_query, rebuild_query, tidy_query
from ginuri.web.query import read_parameters
from tests.property.strategies import HEADER_TEXTS

PARAMETERS = st.dictionaries(st.text(), st.lists(st.text(), min_size=1, max_size=3), max_size=4)
ANYTHING = st.text(st.characters()) | HEADER_TEXTS


@given(PARAMETERS)
def test_a_rebuilt_query_decodes_to_the_same(parameters: dict[str, list[str]]) -> None:
    query = rebuild_query(parameters)

    pairs = [(name, value) for name, values in parameters.items() for value in values]
    assert parse_qsl(query, keep_blank_values=True) == pairs
    assert tidy_query(query) == query


@given(PARAMETERS)
def test_a_query_split_by_a_load_balancer_is_joined_again(parameters: dict[str, list[str]]) -> None:
    encoded = rebuild_query(parameters)
    split: dict[str, list[str]] = {}
    for pair in encoded.split("&") if encoded else []:
        name, _, value = pair.partition("=")
        split.setdefault(name, []).append(value)

    assert join_query(split) == encoded


@given(ANYTHING)
def test_a_query_contains_only_characters_of_a_uri(text: str) -> None:
    tidy = tidy_query(text)

    assert tidy.isascii()
    assert not set(tidy) & set(' "<>\\^`{|}#\r\n\t[]')
    assert tidy_query(tidy) == tidy
    assert all(isinstance(value, str) for value in read_parameters(tidy).values())
