"""A search in the index finds the same records as a scan."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.search.searcher import SearchQuery
from ginuri.search.words import words_of
from tests.publishing import searcher, title

WORDS = st.sampled_from(["map", "mapa", "Águas", "aguas", "agua", "1997", "well", "wells"])
TEXTS = st.lists(WORDS, max_size=4).map(" ".join)
NAMES = st.sampled_from(
    [f"uri-gin/{who}/doc/{what}" for who in ("a", "ab", "b") for what in ("map", "x/", "y")]
)


@example({"uri-gin/a/doc/map": "Águas"}, "map agua map", "")
@example({"uri-gin/a/doc/map": "Águas"}, "agua agua", "")
@given(
    st.dictionaries(NAMES, TEXTS, max_size=9), TEXTS, st.sampled_from(["", "uri-gin/a/", "uri-gin/b/doc/"])
)
def test_a_search_finds_exactly_the_titles_with_every_word(
    titles: dict[str, str], text: str, under: str
) -> None:
    asked = words_of(text)

    with TemporaryDirectory() as folder:
        found = searcher(Path(folder), {name: title(it) for name, it in titles.items()}).search(
            SearchQuery(text, under), 0, 100
        )

    expected = set()
    for name, told in titles.items():
        words = {*words_of(told), *words_of(name)}
        has_last = asked and any(
            it.startswith(asked[-1]) for it in words
        )  # whose last word may be incomplete
        is_listed = not text and under  # without words, a prefix lists all below it
        if name.startswith(under) and (is_listed or (has_last and set(asked[:-1]) <= words)):
            expected.add(name)
    assert found is not None
    assert set(found.names) == expected
