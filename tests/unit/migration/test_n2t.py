"""N2T's registry of NAANs and shoulders as namespaces and rules, or the reasons for refusing an entry."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry
from ginuri.migration.n2t import import_n2t

B = "https://b.example"


def _naan(what: str = "12345", url: str = f"{B}/ark:/${{content}}", **fields: Any) -> dict[str, Any]:
    return {
        "what": what,
        "where": B,
        "target": {"url": url, "http_code": 302},
        "when": "2001-03-08T00:00:00+00:00",
        "who": {"name": "A Library", "name_native": None, "acronym": "LIB"},
        "na_policy": {"policy": "(:unkn) unknown", "policy_url": None},
        "rtype": "PublicNAANShoulder" if "/" in what else "PublicNAAN",
        **fields,
    }


def _import(*records: dict[str, Any]) -> list[list[dict[str, Any]] | str]:
    text = json.dumps({"metadata": {}, "data": records}, indent=1)
    return [
        [dict(line) for line in each.registrations] if isinstance(each, ConvertedEntry) else str(each.reason)
        for each in import_n2t({"naan_records.json": text.encode()})
    ]


def _taken(*records: dict[str, Any]) -> list[dict[str, Any]]:
    [lines] = _import(*records)
    assert isinstance(lines, list)
    return lines


def test_a_naan_is_a_namespace_and_a_rule() -> None:
    namespace, rule = _taken(_naan())

    assert namespace == {
        "record": "namespace",
        "identifier": "ark:12345/",
        "title": "A Library",
        "registrant": "A Library",
        "homepage": B,
        "properties": {"alternative": ["LIB"], "created": "2001-03-08"},
    }
    assert rule == {
        "record": "rule",
        "identifier": "ark:12345/",
        "title": "A Library",
        "location": f"{B}/ark:/12345/{{+rest}}",
        "status_code": 302,
        "kind": "document",
        "pass_query": True,
    }


def test_a_shoulder_is_a_rule_that_matches_itself_too() -> None:
    [rule] = _taken(_naan("99999/fk4", target={"url": f"{B}/${{pid}}", "http_code": 303}))

    assert (rule["identifier"], rule["pattern"]) == ("ark:99999/", "fk4[{+rest}]")
    assert (rule["location"], rule["status_code"]) == (f"{B}/ark:99999/fk4{{+rest}}", 303)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("${content}", "12345/x1{+rest}"),
        ("${pid}", "ark:12345/x1{+rest}"),
        ("${value}", "x1{+rest}"),
        ("${suffix}", "{+rest}"),
        ("${scheme}/$prefix", "ark/12345"),
    ],
)
def test_a_variable_of_a_target_is_the_part_it_names(variable: str, text: str) -> None:
    [rule] = _taken(_naan("12345/x1", f"{B}/{variable}"))

    assert rule["location"] == f"{B}/{text}"


def test_identifiers_for_testing_are_tests_of_their_rules() -> None:
    url = f"{B}/10.7280/${{value}}"

    *_, rule = _taken(_naan("b7280", url, test_identifier="ark:/b7280/d1988w"))
    [shoulder] = _taken(_naan("b7280/d1", url, test_identifier="ark:/b7280/d1988w"))

    test = {"path": "d1988w", "status": 302, "target": f"{B}/10.7280/d1988w"}
    assert rule["tests"] == shoulder["tests"] == [test]


def test_identifiers_for_testing_elsewhere_are_left_out() -> None:
    _, rule = _taken(_naan(test_identifier="https://b.example/"))

    assert "tests" not in rule


def test_known_policies_are_described_and_unusable_addresses_left_out() -> None:
    policy = {"policy": "NR, OP", "policy_url": f"{B}/policy"}

    namespace, _ = _taken(_naan(where="www.b.example", when="1970-01-01", na_policy=policy))

    assert namespace["description"] == "Policy: NR, OP"
    assert namespace["documentation"] == [{"href": f"{B}/policy"}]
    assert "homepage" not in namespace
    assert "created" not in namespace["properties"]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (_naan(url="https:///b.example/${content}"), "is not a URL that starts with"),
        (_naan(url=f"{B}/${{shoulder}}"), "has variables that N2T does not have"),
        (_naan("1 2"), "a NAAN consists of"),
    ],
)
def test_a_faulty_entry_is_refused(record: dict[str, Any], why: str) -> None:
    [told] = _import(record)

    assert isinstance(told, str)
    assert why in told


def test_an_entry_has_the_line_of_its_record() -> None:
    text = json.dumps({"data": [_naan(), _naan("12345/x1")]}, indent=0)

    first, second = import_n2t({"a.json": text.encode()})

    lines = text.splitlines()
    assert [lines[each.place.line - 1] for each in (first, second)] == ["{", "{"]
    assert second.place.name == "shoulder 12345/x1"
    assert second.place.line > first.place.line == 3


def test_a_file_with_one_record_is_read_too() -> None:
    [outcome] = import_n2t({"12345.json": json.dumps(_naan()).encode()})

    assert isinstance(outcome, ConvertedEntry)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"metadata": {}}', "a.json is not a registry of N2T: `data` is missing."),
        (b'{"data": [', "not valid JSON"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_file_that_is_no_registry_is_unreadable(content: bytes, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why):
        list(import_n2t({"a.json": content}))
