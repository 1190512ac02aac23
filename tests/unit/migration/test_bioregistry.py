"""Prefixes of the Bioregistry as rules for compact identifiers."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any
from zipfile import ZipFile

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.bioregistry.conversion import import_bioregistry
from ginuri.migration.bioregistry.identifiers import forms_of
from ginuri.migration.bioregistry.prefixes import DATA, Prefix, read_prefixes
from ginuri.migration.bioregistry.spellings import escape, spell
from ginuri.migration.entries import ConvertedEntry, Outcome
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import expand

H = "http://bio.example.org"
B = "https://b.example"
HP = {"name": "Phenotypes", "uri_format": f"{B}/HP_$1", "pattern": r"^\d{7}$"}


def _outcomes(**prefixes: Mapping[str, Any]) -> list[Outcome]:
    text = json.dumps(prefixes)
    return list(import_bioregistry({"bioregistry.json": text.encode()}, "bio.example.org"))


def _lines(**prefixes: Mapping[str, Any]) -> list[dict[str, Any]]:
    lines = []
    for outcome in _outcomes(**prefixes):
        assert isinstance(outcome, ConvertedEntry)
        lines += [dict(line) for line in outcome.registrations]
    return lines


def _rules(**prefixes: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [line for line in _lines(**prefixes) if line.get("record") == "rule"]


def _read(**stated: Any) -> Prefix:
    [prefix] = read_prefixes("bioregistry.json", json.dumps({"hp": stated}).encode())
    return prefix


def _lead(rule: Mapping[str, Any], path: str) -> str | None:
    found = Pattern(rule["pattern"], ignore_case=rule["ignore_case"]).match(path)
    return None if found is None else expand(rule["location"], found)


def test_a_prefix_is_a_resource_and_a_rule() -> None:
    resource, rule = _lines(hp={**HP, "description": "D", "homepage": B})

    assert resource == {
        "identifier": f"{H}/hp",
        "kind": "thing",
        "title": "Phenotypes",
        "description": "D",
        "links": [{"rel": "about", "href": B}],
    }
    assert rule == {
        "record": "rule",
        "identifier": f"{H}/",
        "title": "Phenotypes",
        "pattern": "hp:[{repeated:hp:|hp_}]{id:digits(7)}",
        "ignore_case": True,
        "location": f"{B}/HP_{{+id}}",
        "status_code": 302,
    }


def test_a_prefix_without_an_address_is_only_described() -> None:
    assert [line.get("record") for line in _lines(hp={"name": "Phenotypes"})] == [None]


def test_a_prefix_without_an_address_has_the_rules_of_its_providers() -> None:
    provider = {"code": "mirror", "uri_format": f"{B}/$1"}

    assert [rule["pattern"] for rule in _rules(hp={"name": "Phenotypes", "providers": [provider]})] == [
        "mirror/hp:[{repeated:hp:|hp_}]{+id}"
    ]


def test_a_provider_with_a_path_of_the_service_is_left_out() -> None:
    [outcome] = _outcomes(hp={**HP, "providers": [{"code": "api", "uri_format": f"{B}/$1"}]})

    assert isinstance(outcome, ConvertedEntry)
    assert [line.get("record") for line in outcome.registrations] == [None, "rule"]
    assert [str(each) for each in outcome.remarks] == [
        "The provider api is left out: /api/ is a path of the service."
    ]


def test_an_address_that_leads_to_the_prefix_itself_is_left_out() -> None:
    [outcome] = _outcomes(hp={"name": "Phenotypes", "uri_format": "https://bio.example.org/hp:$1"})

    assert isinstance(outcome, ConvertedEntry)
    assert [str(each) for each in outcome.remarks] == [
        "https://bio.example.org/hp:$1 leads to the prefix itself."
    ]
    assert [line.get("record") for line in outcome.registrations] == [None]


@pytest.mark.parametrize("name", ["hp:0000001", "HP:0000001", "hp:HP:0000001", "Hp:hp_0000001"])
def test_a_rule_ignores_case_and_a_repeated_prefix(name: str) -> None:
    [rule] = _rules(hp=HP)

    assert _lead(rule, name) == f"{B}/HP_0000001"
    assert _lead(rule, "hp:17") is None


def test_a_repeated_prefix_may_be_stated() -> None:
    stated = {"uri_format": f"{B}/$1", "banana": "GO_REF", "banana_peel": "-"}

    [rule] = _rules(goref=stated)

    assert rule["pattern"] == "goref:[{repeated:GO_REF-|GO_REF_|goref-|goref_}]{+id}"
    assert _lead(rule, "goref:go_ref-7") == f"{B}/7"


def test_a_repeated_prefix_is_left_out_beside_four_options() -> None:
    stated = {"uri_format": f"{B}/$1", "pattern": r"^\d(\.\d)?(-\d)?(_\d)?(~\d)?$"}

    [rule] = _rules(hp=stated)

    assert "repeated" not in rule["pattern"]
    assert _lead(rule, "hp:1.2_3~4") == f"{B}/1.2_3~4"


def test_synonyms_are_further_rules_and_other_names_of_the_resource() -> None:
    resource, alias, *rules = _lines(hp={**HP, "synonyms": ["HPO", "HP", "a:b"]})

    assert resource["properties"] == {"alternative": ["HPO", "HP", "a:b"]}
    assert alias == {
        "record": "alias",
        "identifier": f"{H}/HPO",
        "title": "Phenotypes",
        "stands_for": f"{H}/hp",
    }
    assert [rule["pattern"].partition(":")[0] for rule in rules] == ["hp", "HPO"]


def test_a_prefix_with_a_separator_has_a_rule_for_each_spelling() -> None:
    assert list(spell("kegg.drug", ["KEGG DRUG", "KEGG.Drug"])) == [
        "kegg.drug",
        "KEGG%20DRUG",
        "kegg-drug",
        "kegg_drug",
        "keggdrug",
    ]


def test_a_provider_is_a_rule_with_its_code() -> None:
    providers = [
        {"code": "img", "uri_format": f"{B}/img/$1"},
        {"code": "ftp", "uri_format": "ftp://b.example/$1"},
    ]

    _, rule = _rules(hp={**HP, "providers": providers})

    assert (rule["title"], rule["location"]) == ("Phenotypes (img)", f"{B}/img/{{+id}}")
    assert rule["pattern"] == "img/hp:[{repeated:hp:|hp_}]{id:digits(7)}"


def test_a_prefix_that_is_a_scheme_has_a_rule_on_the_scheme() -> None:
    [outcome] = _outcomes(ark={"uri_format": f"{B}/ark:$1", "synonyms": ["arks"]})

    assert isinstance(outcome, ConvertedEntry)
    *_, rule = outcome.registrations
    assert (rule["identifier"], rule["location"]) == ("ark:", f"{B}/ark:{{+rest}}")
    assert str(outcome.remarks[0]) == "ark: is a scheme on every host. Upload its rule to _host/."


def test_examples_are_tests_of_the_first_rule() -> None:
    stated = {**HP, "example": "0000001", "example_extras": ["0000002#x"], "synonyms": ["hpo"]}

    first, second = _rules(hp=stated)

    assert first["tests"] == [
        {"path": "hp:0000001", "status": 302, "target": f"{B}/HP_0000001"},
        {"path": "hp:0000002", "status": 302, "target": f"{B}/HP_0000002"},
    ]
    assert "tests" not in second


def test_a_deprecated_prefix_is_superseded_by_its_canonical_one() -> None:
    old, *_, new = _lines(
        hp={**HP, "deprecated": True, "has_canonical": "hpo"}, hpo={"name": "New", "has_canonical": "x"}
    )

    assert (old["status"], old["successor"]) == ("superseded", f"{H}/hpo")
    assert "status" not in new


@pytest.mark.parametrize(
    ("uri_format", "why"),
    [("ftp://b.example/$1", "is not a URL that starts with"), (f"{B}/", "has no place for the identifier")],
)
def test_a_prefix_with_an_unusable_address_is_refused(uri_format: str, why: str) -> None:
    [outcome] = _outcomes(hp={"uri_format": uri_format})

    assert not isinstance(outcome, ConvertedEntry)
    assert why in str(outcome.reason)


@pytest.mark.parametrize(
    ("expression", "identifier", "others"),
    [
        (r"^[A-Z]{2}\d+(\.\d+)?$", "AB12.3", ["AB12.", "A1"]),
        (r"^(\d+)|(x\d)$", "x1", ["x", "1x"]),
        ("^AT.G[0-9]{5}$", "AT5G05330", ["AT.G0533"]),
        (r"^\bWP\d+\b$", "WP12", ["WP"]),
        (r"^[\w/.-]+$", "a/b.c-d", ["a:b"]),
        ("", "any/thing", []),
        (r"^\S+$", "any/thing", []),
    ],
)
def test_the_forms_of_an_expression_write_each_identifier_again(
    expression: str, identifier: str, others: list[str]
) -> None:
    found = forms_of(expression)

    matched = [(form, values) for form in found.forms if (values := Pattern(form.pattern).match(identifier))]
    assert [expand(form.template, values) for form, values in matched] == [identifier]
    assert not any(Pattern(form.pattern).match(other) for form in found.forms for other in others)
    assert found.remark is None


@pytest.mark.parametrize(
    ("expression", "examples", "why"),
    [
        ("^(?=ab)b$", (), "cannot look ahead"),
        ("^(a|b1?|c2?3?|d4?5?6?)[ab]?(x|y)z+(e|f9?|g[0-9]?)$", (), "needs more than 8 patterns"),
        ("^[A-Za-z 0-9]+$", ("BeAn%2070563",), "does not match the example BeAn%2070563"),
        (r"^[a-z]+(\[c\])?$", (), "is no type"),
    ],
)
def test_an_expression_without_patterns_takes_any_identifier(
    expression: str, examples: tuple[str, ...], why: str
) -> None:
    found = forms_of(expression, examples)

    assert [form.pattern for form in found.forms] == ["{+id}"]
    assert why in str(found.remark)


def test_an_example_that_breaks_its_expression_changes_nothing() -> None:
    assert forms_of(r"^\d+$", ("x",)).remark is None


def test_an_unfinished_prefix_is_completed_from_other_registries() -> None:
    prefix = _read(
        obofoundry={"name": "N", "prefix": "hp", "preferred_prefix": "HP", "status": "inactive"},
        miriam={
            "prefix": "hp",
            "uri_format": "http://identifiers.org/hp/$1",
            "pattern": "HP:?",
            "examples": ["1"],
            "providers": [{"code": "x", "uri_format": f"{B}/x$1"}, {"code": "", "uri_format": B}],
        },
        n2t={"uri_format": f"{B}/a b[$1]#c#d", "description": "D", "homepage": B},
    )

    assert (prefix.title, prefix.description, prefix.homepage) == ("N", "D", B)
    assert prefix.uri_format == f"{B}/a%20b%5B$1%5D#c%23d"
    assert (prefix.pattern, prefix.examples, prefix.is_deprecated) == ("^HP:$", ["1"], True)
    assert [provider.code for provider in prefix.providers] == ["x"]
    assert list(prefix.repeated) == ["HP:", "HP_"]


@pytest.mark.parametrize(
    ("stated", "uri_format"),
    [
        ({"miriam": {"prefix": "sdy"}}, "https://identifiers.org/sdy:$1"),
        (
            {"ols": {"prefix": "afpo"}, "obofoundry": {"preferred_prefix": "AfPO"}},
            "https://www.ebi.ac.uk/ols/ontologies/afpo/terms?iri=http://purl.obolibrary.org/obo/AfPO_$1",
        ),
        (
            {"ols": {"prefix": "a"}, "rdf_uri_format": f"{B}/$1"},
            f"https://www.ebi.ac.uk/ols/ontologies/a/terms?iri={B}/$1",
        ),
        ({"ols": {"prefix": "a"}}, ""),
    ],
)
def test_a_prefix_without_an_address_leads_to_another_resolver(
    stated: dict[str, Any], uri_format: str
) -> None:
    assert _read(**stated).uri_format == uri_format


def test_a_provider_of_the_prefix_replaces_one_of_its_registries() -> None:
    prefix = _read(
        providers=[{"code": "x", "uri_format": f"{B}/own/$1"}],
        miriam={"providers": [{"code": "x", "uri_format": f"{B}/$1"}]},
    )

    assert [provider.uri_format for provider in prefix.providers] == [f"{B}/own/$1"]


def test_escapes_of_an_identifier_stay_as_they_are() -> None:
    assert escape("a%20b%c [d]") == "a%20b%25c%20%5Bd%5D"


def test_a_prefix_has_the_line_of_its_entry() -> None:
    text = json.dumps({"a": HP, "b": HP}, indent=0)

    *_, last = import_bioregistry({"bioregistry.json": text.encode()})

    assert text.splitlines()[last.place.line - 1].startswith('"b"')
    assert last.place.name == "prefix b"


def test_the_wheel_of_the_package_is_read() -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as wheel:
        wheel.writestr(DATA, json.dumps({"hp": HP}))

    [outcome] = import_bioregistry({"bioregistry.whl": packed.getvalue()})

    assert isinstance(outcome, ConvertedEntry)


def _other_wheel() -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as wheel:
        wheel.writestr("other.py", "")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"hp": 1}', "is not the registry"),
        (b"PK", "is not the package"),
        (_other_wheel(), "is not the package"),
        (b"[", "not valid JSON"),
    ],
)
def test_a_file_of_another_kind_is_unreadable(content: bytes, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why):
        list(import_bioregistry({"a.json": content}))
