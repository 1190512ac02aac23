"""Every value that a template fills into an identifier is one segment of it, and can be read back."""

from __future__ import annotations

from unicodedata import normalize
from urllib.parse import unquote

from hypothesis import assume, given
from hypothesis import strategies as st

from ginuri.files.mapping.templates import read_template
from ginuri.identifiers import parse

_TEXTS = st.text(
    st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=60
)


@given(_TEXTS)
def test_a_value_is_one_segment_with_the_same_text(value: str) -> None:
    assume(value.strip(".") and value != "-" and not value.startswith(("uri-gin", "/", "http")))
    template = read_template("identifier", "uri-gin/azgs/well/{ID}")
    assert template is not None

    made = template.fill({"ID": value})

    assert isinstance(made, str)
    identifier = parse(made)
    assert (len(identifier.segments), identifier.normal_form) == (3, made)
    assert unquote(identifier.segments[-1]) == normalize("NFC", value)
