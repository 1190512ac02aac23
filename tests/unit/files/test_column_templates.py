"""Templates of mappings: the columns they read, and the escapes of their values."""

from __future__ import annotations

import pytest

from ginuri.files.mapping.columns import read_columns
from ginuri.files.mapping.templates import CLEARED, ColumnTemplate, read_template
from ginuri.identifiers import parse
from ginuri.registration.verdicts import Finding


def _template(field: str, text: str) -> ColumnTemplate:
    template = read_template(field, text)
    assert template is not None
    return template


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("uri-gin/azgs/well/{ID}", ["ID"]),
        ("POINT({lon} {lat})", ["lon", "lat"]),
        ("{County}: {Name} ({ County })", ["County", "Name"]),
        ("{+Path}", ["Path"]),
        ("{{literal}} {Name}", ["Name"]),
        ("{Name {{en}}}", ["Name {en}"]),
    ],
)
def test_a_template_lists_the_columns_it_reads(text: str, columns: list[str]) -> None:
    assert list(_template("title", text).columns) == columns


@pytest.mark.parametrize("text", ["Name", "{{Name}}", "a{b", "a}b", "{}", "{ }", "{a{b}}"])
def test_a_text_without_a_column_in_braces_is_no_template(text: str) -> None:
    assert read_template("title", text) is None


@pytest.mark.parametrize(
    ("text", "value", "made"),
    [
        ("uri-gin/azgs/well/{ID}", "17", "uri-gin/azgs/well/17"),
        ("uri-gin/azgs/well/{ID}", "A/17 b?#%é", "uri-gin/azgs/well/A%2F17%20b%3F%23%25%C3%A9"),
        ("uri-gin/azgs/well/{ID}", "e\u0301", "uri-gin/azgs/well/%C3%A9"),
        ("uri-gin/azgs/well/{ID}", "\ufeffA\u00a017\u200b", "uri-gin/azgs/well/A%2017"),
        ("uri-gin/azgs/well/{ID}", "a:b=c+d@e,(f)", "uri-gin/azgs/well/a:b=c+d@e,(f)"),
        ("uri-gin/azgs/{ID}", "Max Planck", "uri-gin/azgs/Max%20Planck"),
        ("uri-gin/azgs/{+ID}", "map/M 1%2F2", "uri-gin/azgs/map/M%201%2F2"),
        ("uri-gin/azgs/well/{ID}", "uri-gin/azgs/well/17", "uri-gin/azgs/well/17"),
        ("uri-gin/azgs/{+ID}", "http://resources.usgin.org/uri-gin/azgs/map/1", "uri-gin/azgs/map/1"),
        ("doi:{ID}", "https://doi.org/10.1/x", "doi:10.1/x"),
        ("doi:{ID}", "10.1/x y", "doi:10.1/x%20y"),
        ("{ID}", "uri-gin/azgs/well/17", "uri-gin/azgs/well/17"),
    ],
)
def test_a_value_is_escaped_for_its_place_in_an_identifier(text: str, value: str, made: str) -> None:
    assert _template("identifier", text).fill({"ID": value}) == made
    assert parse(made).normal_form == made


@pytest.mark.parametrize(
    "value",
    [
        "10.5066/P9ABC",
        "doi:10.5066/P9ABC",
        "DOI 10.5066/P9ABC",
        "DOI: 10.5066/P9ABC",
        "https://doi.org/10.5066/P9ABC",
        "http://dx.doi.org/10.5066/P9ABC",
        "doi.org/10.5066/P9ABC",
        "info:doi/10.5066/P9ABC",
    ],
)
def test_the_prefix_of_a_doi_is_not_doubled(value: str) -> None:
    assert (
        _template("location", "https://doi.org/{DOI}").fill({"DOI": value}) == "https://doi.org/10.5066/P9ABC"
    )


@pytest.mark.parametrize(
    ("text", "value", "made"),
    [
        ("https://doi.org/{x}", "10.1002/(A)1:1<1::B>2", "https://doi.org/10.1002/(A)1:1%3C1::B%3E2"),
        ("https://doi.org/{x}", "https://doi.org/10.1/a%3Cb", "https://doi.org/10.1/a%3Cb"),
        ("https://hdl.handle.net/{x}", "hdl:20.500.1/2", "https://hdl.handle.net/20.500.1/2"),
        ("https://example.org/{x}.pdf", "maps/a b#1", "https://example.org/maps/a%20b%231.pdf"),
        ("https://example.org/?id={x}", "a&b=c+d/e", "https://example.org/?id=a%26b%3Dc%2Bd/e"),
        ("https://example.org/{+x}", "a?b=c&d", "https://example.org/a?b=c&d"),
        ("https://example.org/{x}", "http://example.org/a", "https://example.org/a"),
        ("{x}", "https://example.org/?a=b", "https://example.org/?a=b"),
    ],
)
def test_a_value_is_escaped_for_its_place_in_a_web_address(text: str, value: str, made: str) -> None:
    assert _template("location", text).fill({"x": value}) == made


@pytest.mark.parametrize("field", ["identifier", "location"])
@pytest.mark.parametrize("value", ["", "  ", "https://doi.org/"])
def test_an_empty_value_refuses_the_row(field: str, value: str) -> None:
    finding = _template(field, "https://doi.org/{DOI}").fill({"DOI": value})

    assert isinstance(finding, Finding)
    assert (finding.field, finding.rule, finding.column) == (field, "empty", "DOI")


@pytest.mark.parametrize(
    "value", ["Total", "Max", "Summe: 3", "Total wells: 3", "[-]", "---", "合計", "Quelle: AZGS"]
)
def test_a_word_for_a_total_or_a_unit_is_a_doubt(value: str) -> None:
    finding = _template("identifier", "uri-gin/azgs/{ID}").doubt({"ID": value})

    assert isinstance(finding, Finding)
    assert (finding.field, finding.rule, finding.value) == ("identifier", "no name", value)


def test_an_optional_field_with_an_empty_value_states_nothing() -> None:
    assert _template("spatial", "POINT({lon} {lat})").fill({"lon": "-110", "lat": ""}) is None


def test_a_cleared_value_clears_an_optional_field_only() -> None:
    assert _template("spatial", "POINT({lon} {lat})").fill({"lon": "-110", "lat": "-"}) == CLEARED
    assert isinstance(_template("identifier", "uri-gin/azgs/{ID}").fill({"ID": "-"}), Finding)


@pytest.mark.parametrize(
    ("lon", "lat", "made"),
    [("-110.3", "31.5", "POINT(-110.3 31.5)"), ("\N{MINUS SIGN}110,3", "31,5", "POINT(-110.3 31.5)")],
)
def test_numbers_of_a_place_may_have_a_decimal_comma(lon: str, lat: str, made: str) -> None:
    assert _template("spatial", "POINT({lon} {lat})").fill({"lon": lon, "lat": lat}) == made


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("34°12'30\"N", "34.208333333"),
        ("34 12 30 N", "34.208333333"),
        ("34° 12.5' N", "34.208333333"),
        ("N34°12'30\"", "34.208333333"),
        ("34° 12\N{PRIME} 30,5\N{DOUBLE PRIME} S", "-34.208472222"),
        ("34:12:30", "34.208333333"),
        ("-34 12", "-34.2"),
        ("34.5° S", "-34.5"),
        ("34.5 n", "34.5"),
        ("about 34", "about 34"),
    ],
)
def test_a_coordinate_is_read_as_decimal_degrees(text: str, degrees: str) -> None:
    assert (
        _template("spatial", "POINT({lon} {lat})").fill({"lon": "-1", "lat": text}) == f"POINT(-1 {degrees})"
    )


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("34°12'N 110°45'W", "-110.75 34.2"),
        ("110°45'W, 34°12'N", "-110.75 34.2"),
        ("N34 12 W110 45", "-110.75 34.2"),
        ("34.2N; 110.75W", "-110.75 34.2"),
        ("-110.75 34.2", "-110.75 34.2"),
        ("Tucson", "Tucson"),
    ],
)
def test_a_pair_of_coordinates_is_a_longitude_and_a_latitude(text: str, pair: str) -> None:
    assert _template("spatial", "POINT({where})").fill({"where": text}) == f"POINT({pair})"


@pytest.mark.parametrize(
    ("template", "text", "words"),
    [
        ("POINT({at} {x})", "110°75'W", "below 60"),
        ("POINT({at} {x})", "110°45'60\"W", "below 60"),
        ("POINT({at} {x})", "110.5°45'W", "below 60"),
        ("POINT({at} {x})", "34°12'N", "the longitude comes first"),
        ("POINT({at} {x})", "-110°45'W", "not both"),
        ("POINT({at} {x})", "W110°45'W", "not both"),
        ("POINT({at} {x})", "110°45'O", "Write E or W"),
        ("POINT({at})", "34°12' 110°45'", "need the letters"),
        ("POINT({at})", "34°12', 110°45'W", "need the letters"),
        ("POINT({at})", "34°12'N 35°12'N", "need the letters"),
        ("POINT({at})", "34°72'N 110°45'W", "below 60"),
    ],
)
def test_a_coordinate_that_is_not_clear_refuses_its_row(template: str, text: str, words: str) -> None:
    finding = _template("spatial", template).fill({"at": text, "x": "31.5"})

    assert isinstance(finding, Finding)
    assert (finding.field, finding.rule, finding.value, finding.column) == ("spatial", "degrees", text, "at")
    assert words in str(finding.message)


def test_texts_are_filled_in_as_they_are() -> None:
    template = _template("title", "{Name} ({{{County}}})")

    assert template.fill({"Name": "Well 1/2 & é", "County": "Cochise"}) == "Well 1/2 & é ({Cochise})"


def test_a_column_may_be_part_of_several_fields() -> None:
    mapping = read_columns("identifier=uri-gin/azgs/well/{ID},title=Well {ID},properties.id=ID")

    assert not isinstance(mapping, Finding)
    assert ({*mapping.fields}, {*mapping.read}) == ({"identifier", "title", "properties.id"}, {"ID"})
