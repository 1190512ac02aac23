"""Two columns are taken for degrees only if nothing speaks against it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ginuri.files.guesses.coordinates import Coordinates, judge_coordinates

TUCSON = ("31.51", "-110.34")


@pytest.mark.parametrize(
    ("pairs", "kind"),
    [
        ([TUCSON, ("-33,45", "\u221270,66"), ("", "7"), ("90", "180")], Coordinates.DEGREES),
        ([("-110.34", "31.51"), ("12", "41")], Coordinates.SWAPPED),
        ([("3490123.5", "543210"), ("3490124", "543211")], Coordinates.PROJECTED),
        ([("5.333.210,5", "3.468.001,0")], Coordinates.PROJECTED),
        ([("3 490 123", "543 210")], Coordinates.PROJECTED),
        ([("31°30'15\"N", "110°20'24\"W")], Coordinates.SEXAGESIMAL),
        ([("31° 30\u2032 15.5\u2033 N", "110° 20\u2032 24\u2033 W")], Coordinates.SEXAGESIMAL),
        ([("31 30 15", "-110 20 24")], Coordinates.SEXAGESIMAL),
        ([("31:30:15", "110:20:24")], Coordinates.SEXAGESIMAL),
        ([("N 31.51", "110.34 W")], Coordinates.SEXAGESIMAL),
        ([("Tucson", "Arizona"), TUCSON], Coordinates.UNCLEAR),
        ([("200", "400")], Coordinates.UNCLEAR),
        ([("31.51", "")], Coordinates.UNCLEAR),
        # Swapped rows among others that cannot be swapped.
        ([TUCSON, ("-110.34", "31.51")], Coordinates.UNCLEAR),
        ([("3490123", "543210"), ("3490124", "543211"), TUCSON], Coordinates.PROJECTED),
    ],
)
def test_the_kind_of_coordinates_is_recognised(pairs: Sequence[tuple[str, str]], kind: Coordinates) -> None:
    verdict = judge_coordinates([latitude for latitude, _ in pairs], [longitude for _, longitude in pairs])

    assert verdict.kind is kind
    assert bool(verdict.reasons) is (kind is not Coordinates.DEGREES)


def test_the_reason_counts_the_rows_and_has_samples() -> None:
    verdict = judge_coordinates(["31.5", "-110.3", "-110.4", "x"], ["41", "31.51", "31.52", "y"])

    assert list(map(str, verdict.reasons)) == [
        (
            "In 2 of 4 rows, the latitude is beyond 90° and the longitude is not: the columns seem to be "
            "swapped."
        ),
        "In 1 of 4 rows, the values are no degrees.",
    ]
    assert verdict.samples == [("-110.3", "31.51"), ("-110.4", "31.52")]


def test_zeros_are_a_reason_to_ask() -> None:
    verdict = judge_coordinates(["0", "31.51"], ["0.0", "-110.34"])

    assert (verdict.kind, verdict.samples) == (Coordinates.DEGREES, [("0", "0.0")])
    assert str(verdict.reasons[0]).startswith("In 1 of 2 rows, both values are 0")
