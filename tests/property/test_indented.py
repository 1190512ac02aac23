"""JSON with a member a line equals the output of the standard library, for any document."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ginuri.descriptions.json.indented import write_indented

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(TEXTS, inner),
)


@given(DOCUMENTS)
def test_a_document_equals_the_output_of_the_standard_library(document: Any) -> None:
    assert write_indented(document) == json.dumps(document, ensure_ascii=False, indent=1)
