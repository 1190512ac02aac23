"""Every value that a template fills into an identifier is one segment of it, and can be read back."""

from __future__ import annotations

from unicodedata import normalize
from urllib.parse import unquote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ginuri.files.mapping.templates import read_template
from ginuri.identifiers import parse
from ginuri.registry.metadata.geometry_reader import read_geometry

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


_SIGNS = [
    ("°", "'", '"'),
    ("° ", "\N{PRIME} ", "\N{DOUBLE PRIME} "),
    (" ", " ", " "),
    (":", ":", ""),
    ("\N{MASCULINE ORDINAL INDICATOR}", "\N{RIGHT SINGLE QUOTATION MARK}", "''"),
]


def _print(degrees: int, signs: tuple[str, str, str], letters: str, *, is_first: bool) -> str:
    """Write 10⁻⁷ degrees in degrees, minutes and seconds; the second letter is that of negative ones."""
    minutes, rest = divmod(abs(degrees) * 60, 10**7)
    seconds, fraction = divmod(rest * 60, 10**7)
    numbers = (str(minutes // 60), str(minutes % 60), f"{seconds}.{fraction:07}")
    written = "".join(piece for pair in zip(numbers, signs, strict=True) for piece in pair)
    letter = letters[degrees < 0]
    return f"{letter}{written}" if is_first else f"{written}{letter}"


@given(
    longitude=st.integers(-180 * 10**7, 180 * 10**7),
    latitude=st.integers(-90 * 10**7, 90 * 10**7),
    signs=st.sampled_from(_SIGNS),
    is_first=st.booleans(),
    is_pair=st.booleans(),
)
def test_degrees_minutes_and_seconds_are_the_same_place(
    *, longitude: int, latitude: int, signs: tuple[str, str, str], is_first: bool, is_pair: bool
) -> None:
    lon = _print(longitude, signs, "EW", is_first=is_first)
    lat = _print(latitude, signs, "NS", is_first=is_first)
    template = read_template("spatial", "POINT({both})" if is_pair else "POINT({lon} {lat})")
    assert template is not None

    made = template.fill({"lon": lon, "lat": lat, "both": f"{lat} {lon}"})

    assert isinstance(made, str)
    read = read_geometry(made)["coordinates"]
    assert read == pytest.approx([longitude / 10**7, latitude / 10**7], abs=1e-7)
