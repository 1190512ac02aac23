"""Can a reference manager read the citations of a page unchanged?"""

from __future__ import annotations

import json

import pytest

from ginuri.descriptions.citation import (
    Citation,
    cite,
    write_bibtex,
    write_csl,
    write_ris,
    write_sentence,
)
from ginuri.descriptions.composer import compose
from ginuri.registry.model import NameAuthority, Registered, Resource
from ginuri.resolution.descriptions.decision import Describe
from tests.builders import MAP, PUT, find, resource

URI = f"http://resources.example.org/{MAP}"
FULL = Citation(
    "Geologic map", URI, ("Hayes, P. T.", "Arizona Geological Survey"), "2005", "AZGS", "Dataset", "en"
)
BARE = Citation("Geologic map", URI)


def cited(record: Registered) -> Citation:
    authority = NameAuthority(
        identifier="uri-gin/azgs/", modified=PUT.format(0), titles={"en": "Arizona Geological Survey"}
    )
    found = find(record.identifier, record, authority)
    return cite(
        compose(Describe(found.identifier, record, found, "resources.example.org", "html", negotiated=False))
    )


def stated(**properties: str | list[str]) -> Resource:
    return resource(titles={"en": "Geologic map"}, properties=properties)


def test_a_reference_names_creators_year_title_publisher_and_uri() -> None:
    assert cited(
        stated(creator=["Hayes, P. T.", "Raup, R. B."], issued="1968-05", publisher="USGS", type="Dataset")
    ) == Citation("Geologic map", URI, ("Hayes, P. T.", "Raup, R. B."), "1968", "USGS", "Dataset", "en")


def test_without_a_publisher_the_name_authority_is_the_publisher() -> None:
    assert cited(stated()) == Citation(
        "Geologic map", URI, publisher="Arizona Geological Survey", language="en"
    )


def test_a_creator_who_publishes_is_named_once() -> None:
    assert write_sentence(Citation("A survey", URI, publisher="A survey")) == f"A survey. {URI}"


@pytest.mark.parametrize(
    ("date", "year"),
    [("2005", "2005"), ("May 1968", "1968"), ("12345", ""), ("n. d.", ""), ("10/1999", "1999")],
)
def test_a_year_is_shown_only_if_a_date_has_one(date: str, year: str) -> None:
    citation = cited(stated(date=date))

    assert citation.year == year


def test_the_sentence_leaves_out_unregistered_fields() -> None:
    assert write_sentence(BARE) == f"Geologic map. {URI}"
    assert write_sentence(FULL) == (
        f"Hayes, P. T. & Arizona Geological Survey (2005). Geologic map. AZGS. {URI}"
    )


def test_bibtex_keeps_an_organization_whole_and_a_person_in_parts() -> None:
    assert write_bibtex(FULL) == (
        "@misc{DGM37-HuachucaMountainNv1.1,\n"
        "  title = {{Geologic map}},\n"
        "  author = {Hayes, P. T. and {Arizona Geological Survey}},\n"
        "  year = {2005},\n"
        "  publisher = {AZGS},\n"
        f"  url = {{{URI}}}\n}}\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("100% & more", r"100\% \& more"),
        ("a_b #1 $2", r"a\_b \#1 \$2"),
        ("un}balanced{", r"un\}balanced\{"),
        ("back\\slash", r"back\textbackslash{}slash"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("two\nlines", "two lines"),
        ("Geología", "Geología"),
    ],
)
def test_no_text_breaks_out_of_a_field_of_bibtex(text: str, written: str) -> None:
    assert f"  title = {{{{{written}}}}}," in write_bibtex(Citation(text, URI))


def test_two_organizations_in_one_name_are_not_two_authors_in_bibtex() -> None:
    assert "author = {{Smith and Sons, Ltd.}}" in write_bibtex(
        Citation("A map", URI, ("Smith and Sons, Ltd.",))
    )


def test_a_key_of_bibtex_is_plain() -> None:
    assert write_bibtex(Citation("A", "http://example.org/uri-gin/a/b,{c}%20/")).startswith("@misc{b--c--20,")


def test_ris_has_one_tag_per_line_and_an_end() -> None:
    assert write_ris(FULL).splitlines() == [
        "TY  - DATA",
        "TI  - Geologic map",
        "AU  - Hayes, P. T.",
        "AU  - Arizona Geological Survey",
        "PY  - 2005",
        "PB  - AZGS",
        "LA  - en",
        f"UR  - {URI}",
        "ER  - ",
    ]


@pytest.mark.parametrize("text", ["a\nER  - ", "a\r\nER  - ", "a\u2028ER  - ", "a\x0bER  - "])
def test_no_text_begins_a_new_line_in_ris(text: str) -> None:
    assert write_ris(Citation(text, URI)).splitlines()[1] == "TI  - a ER -"


def test_csl_json_is_a_list_of_one_item() -> None:
    assert json.loads(write_csl(FULL)) == [
        {
            "id": URI,
            "type": "dataset",
            "title": "Geologic map",
            "author": [{"family": "Hayes", "given": "P. T."}, {"literal": "Arizona Geological Survey"}],
            "issued": {"date-parts": [[2005]]},
            "publisher": "AZGS",
            "language": "en",
            "URL": URI,
        }
    ]
    assert json.loads(write_csl(BARE)) == [
        {"id": URI, "type": "document", "title": "Geologic map", "URL": URI}
    ]
