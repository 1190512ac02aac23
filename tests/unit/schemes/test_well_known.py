"""The well-known schemes: facts of the file, and the names that are recognized."""

from __future__ import annotations

import json

import pytest

from ginuri.schemes.catalogue import known_schemes
from ginuri.schemes.recognition import recognize
from tests.example_registry import EXAMPLES

SWH = "swh:1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2"
# A name of each scheme, as its source has it.
LOCATIONS = {
    "doi:10.1000/182": "https://doi.org/10.1000/182",
    "doi:10.1000.10/123": "https://doi.org/10.1000.10/123",
    "hdl:20.500.12345/abc": "https://hdl.handle.net/20.500.12345/abc",
    "orcid:0000-0002-1694-233X": "https://orcid.org/0000-0002-1694-233X",
    "isni:0000000121032683": "https://isni.org/isni/0000000121032683",
    "ror:03yrm5c26": "https://ror.org/03yrm5c26",
    "igsn:AU1234": "https://hdl.handle.net/10273/AU1234",
    "igsn:10.21384/AU1234": "https://doi.org/10.21384/AU1234",
    "raid:10.12345/abc123": "https://raid.org/10.12345/abc123",
    "raid:102.100.100/1": "https://raid.org/102.100.100/1",
    "arxiv:1501.00001v1": "https://arxiv.org/abs/1501.00001v1",
    "arxiv:hep-th/9901001": "https://arxiv.org/abs/hep-th/9901001",
    "ark:13030/tf5p30086k": "https://n2t.net/ark:13030/tf5p30086k",
    SWH: f"https://archive.softwareheritage.org/{SWH}",
    f"{SWH};origin=https://a.example/x": f"https://archive.softwareheritage.org/{SWH};origin=https://a.example/x",
    "pmid:12376099": "https://pubmed.ncbi.nlm.nih.gov/12376099/",
    "lccn:n78890351": "https://lccn.loc.gov/n78890351",
    "lccn:2002022641": "https://lccn.loc.gov/2002022641",
    "gnd:118540238": "https://d-nb.info/gnd/118540238",
    "issn:0317-8471": "https://portal.issn.org/resource/ISSN/0317-8471",
    "wikidata:Q42": "https://www.wikidata.org/entity/Q42",
    "info:doi/10.1000/182": "https://doi.org/10.1000/182",
    "info:hdl/2027/mdp.39015": "https://hdl.handle.net/2027/mdp.39015",
    "urn:nbn:at:at-ubg:3-13": "https://resolver.obvsg.at/urn:nbn:at:at-ubg:3-13",
    "urn:nbn:ch:bel-1": "https://nbn-resolving.org/urn:nbn:ch:bel-1",
    "urn:nbn:cz:nk-004hvy": "https://resolver.nkp.cz/web/urn:nbn:cz:nk-004hvy",
    "urn:nbn:de:101:1-200910131091": "https://nbn-resolving.org/urn:nbn:de:101:1-200910131091",
    "urn:nbn:fi-fe20042357": "https://urn.fi/urn:nbn:fi-fe20042357",
    "urn:nbn:hr:162:276509": "https://urn.nsk.hr/urn:nbn:hr:162:276509",
    "urn:nbn:hu-6982": "https://nbn.urn.hu/resolver/urn:nbn:hu-6982",
    "urn:nbn:it:unifi-3903": "https://nbn.depositolegale.it/urn:nbn:it:unifi-3903",
    "urn:nbn:nl:ui:12-85062": "https://www.persistent-identifier.nl/urn:nbn:nl:ui:12-85062",
    "urn:nbn:no-nb_digibok_1": "https://urn.nb.no/urn:nbn:no-nb_digibok_1",
    "urn:nbn:se:su:diva-1278": "https://urn.kb.se/resolve?urn=urn:nbn:se:su:diva-1278",
    "urn:nbn:si:FSD:MAG-1": "https://nbn.si/urn:nbn:si:FSD:MAG-1",
    "urn:issn:0317-8471": "https://portal.issn.org/resource/ISSN/0317-8471",
    "urn:ietf:rfc:2648": "https://www.rfc-editor.org/info/rfc2648",
    "urn:ogc:def:crs:EPSG::4326": "http://www.opengis.net/def/crs/EPSG/0/4326",
    "urn:ogc:def:crs:EPSG:6.9:4326": "http://www.opengis.net/def/crs/EPSG/6.9/4326",
}


def test_every_well_known_scheme_states_its_facts() -> None:
    for scheme in known_schemes().values():
        record, *rules = map(json.loads, scheme.registrations.splitlines())
        assert {"title", "description", "homepage", "specification", "grammar"} - record.keys() <= {
            "specification"
        }
        assert record["properties"]["source"]
        assert rules
        assert all(rule["title"] for rule in rules)


def test_every_rule_of_a_well_known_scheme_has_an_example() -> None:
    used = {known.scheme.name for name in LOCATIONS if (known := recognize(name))}
    located = {LOCATIONS[name].split("/")[2] for name in LOCATIONS}

    assert used == {scheme.name for scheme in known_schemes().values()}
    assert located == {
        rule.location.split("/")[2] for scheme in known_schemes().values() for rule in scheme.rules
    }


@pytest.mark.parametrize("name", LOCATIONS)
def test_a_name_of_a_well_known_scheme_is_recognized(name: str) -> None:
    known = recognize(name)

    assert known is not None
    assert (known.identifier, known.location, known.is_bare) == (name, LOCATIONS[name], False)


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
