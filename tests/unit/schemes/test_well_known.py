"""The well-known schemes: facts of the file, and the names that are recognized."""

from __future__ import annotations

import json

import pytest

from ginuri.schemes.catalogue import known_schemes
from ginuri.schemes.recognition import recognize
from tests.example_registry import EXAMPLES

LINES = [
    json.loads(line) for scheme in known_schemes().values() for line in scheme.registrations.splitlines()
]
NAMES = {
    f"{line['identifier']}{test['path']}": test["target"] for line in LINES for test in line.get("tests", ())
}
"""The tests that the file states: names, and where they resolve."""


def test_every_well_known_scheme_states_its_facts() -> None:
    for line in LINES:
        if line["record"] == "rule":
            assert line.keys() >= {"title", "location", "tests"}
        else:
            assert line.keys() >= {"title", "description", "homepage", "grammar"}
            assert line["properties"]["source"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_a_well_known_scheme_is_recognized(name: str) -> None:
    known = recognize(name)

    assert known is not None
    assert (known.identifier, known.location, known.is_bare) == (name, NAMES[name], False)


@pytest.mark.parametrize(
    ("text", "identifier", "location"),
    [
        ("DOI:10.1000/ABC", "doi:10.1000/abc", "https://doi.org/10.1000/abc"),
        ("/doi:10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("http://a.example/doi:10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("orcid:0000-0002-1694-233x", "orcid:0000-0002-1694-233X", "https://orcid.org/0000-0002-1694-233X"),
        ("doi:nothing", "doi:nothing", None),
        ("doi:", "doi:", None),
        ("urn:nbn:xx:1", "urn:nbn:xx:1", None),
        ("10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("/10.1000/ABC", "doi:10.1000/abc", "https://doi.org/10.1000/abc"),
        ("https://doi.org/10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("0000-0002-1825-0097", "orcid:0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097"),
    ],
)
def test_another_spelling_of_a_well_known_name_is_recognized(
    text: str, identifier: str, location: str | None
) -> None:
    known = recognize(text)

    assert known is not None
    assert (known.identifier, known.location) == (identifier, location)


@pytest.mark.parametrize(
    "text", ["uri-gin/azgs/doc/1", "chebi:15377", "2101.00001", "12376099", "10.1/182", "wells", "", "a b"]
)
def test_any_other_text_is_no_well_known_name(text: str) -> None:
    assert recognize(text) is None


def test_the_examples_have_the_registrations_of_two_well_known_schemes() -> None:
    schemes = known_schemes()
    registered = (EXAMPLES / "_host" / "well-known.jsonl").read_text(encoding="utf-8")

    assert registered == schemes["doi:"].registrations + schemes["orcid:"].registrations
