"""The rules of validation, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ginuri import parse
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.registration.checks.judging_context import JudgingContext
from ginuri.registration.checks.representations import MOST_REPRESENTATIONS
from ginuri.registration.rows import Registration
from ginuri.registration.validation import judge
from ginuri.registration.verdicts import Finding, Level
from ginuri.registry.model import NameAuthority, ResourceType
from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST
from tests.builders import MAP, PUT, changed, keyed

AZGS = "uri-gin/azgs/"
WELL = "uri-gin/azgs/doc/well"
AUTHORITY = NameAuthority(identifier=AZGS, modified=PUT.format(0))
TYPE = ResourceType(identifier=f"{AZGS}doc/", modified=PUT.format(0))
STRICT = NameAuthority(identifier=AZGS, modified=PUT.format(0), syntax="strict")


def _judge(
    identifier: str, statements: Mapping[Path, Any] | None = None, *, titled: bool = True, **context: Any
) -> list[Finding]:
    title: dict[Path, Any] = {("title", ""): "Well"} if titled else {}
    stated = keyed({**title, **(statements or {})})
    values = {"folder": AZGS, "before": None, "authority": AUTHORITY, "types": [TYPE], **context}
    return list(judge(Registration(parse(identifier), stated, (7,)), JudgingContext(**values)))


def _broken(
    identifier: str, statements: Mapping[Path, Any] | None = None, **context: Any
) -> list[tuple[str, str, str]]:
    found = _judge(identifier, statements, **context)
    return [
        (finding.field, finding.rule, finding.value) for finding in found if finding.level is Level.REFUSED
    ]


def _warned(
    identifier: str, statements: Mapping[Path, Any] | None = None, **context: Any
) -> list[tuple[str, str]]:
    found = _judge(identifier, statements, **context)
    return [(finding.field, finding.rule) for finding in found if finding.level is Level.WARNED]


def _record(kind: str) -> dict[Path, Any]:
    return {("record",): kind}


def _form(part: str | None = None, **values: Any) -> dict[Path, Any]:
    place = ("representations", f"part {part}" if part else "form")
    named = {"part": part, **values} if part else values
    return {(*place, FIRST): 0, **{(*place, name): value for name, value in named.items()}}


def _registered(**values: Any) -> Record:
    return changed(WELL, **values).after


def test_a_resource_under_a_known_authority_and_type_may_be_registered() -> None:
    assert _judge(WELL) == []


@pytest.mark.parametrize("path", [("title", "en"), ("representations", "part a", "title", "")])
def test_a_title_over_a_thousand_characters_is_a_warning(path: Path) -> None:
    assert ("title", "length") not in _warned(WELL, {path: "a" * 1_000})
    assert ("title", "length") in _warned(WELL, {path: "a" * 1_001})


def test_the_title_of_a_rule_may_also_be_too_long() -> None:
    rule = {("rules", "", "location"): "https://e.org/", ("rules", "", "title", "en"): "a" * 1_001}

    assert ("title", "length") in _warned(AZGS, rule, titled=False)


# The folder.


@pytest.mark.parametrize(
    ("identifier", "folder"),
    [
        ("uri-gin/usgin/doc/x", AZGS),
        ("uri-gin/azgs.mapping/doc/x", AZGS),
        ("uri-gin/AZGS/doc/x", AZGS),
        ("uri-gin/azgs/doc/x", "uri-gin/azgs/doc/map/"),
        ("uri-gin/azgs/document", "uri-gin/azgs/doc/"),
        ("uri-gin/azgs/doc/x", "elsewhere/"),
        ("uri-gin/azgs/doc/", "uri-gin/azgs/doc/"),
    ],
)
def test_only_identifiers_under_the_folder_may_be_registered_from_it(identifier: str, folder: str) -> None:
    assert ("identifier", "folder", identifier) in _broken(identifier, folder=folder)


def test_an_upload_to_the_wrong_folder_gets_the_right_one() -> None:
    [finding] = _judge("uri-gin/usgin/doc/x")

    assert "uri-gin/usgin/" in str(finding.message)


@pytest.mark.parametrize("identifier", [WELL, "uri-gin/azgs/doc/map/", "uri-gin/azgs/doc/map/x/y/z"])
def test_all_identifiers_under_the_folder_may_be_registered_from_it(identifier: str) -> None:
    assert _broken(identifier, folder="uri-gin/azgs/doc/") == []


@pytest.mark.parametrize(
    ("kind", "identifier"), [("scheme", "uri-gin/"), ("host", "http://a.example/"), ("authority", AZGS)]
)
def test_schemes_hosts_and_authorities_have_their_own_folder(kind: str, identifier: str) -> None:
    assert _broken(identifier, _record(kind), folder=HOST_FOLDER, authority=None) == []
    assert ("record", "folder", kind) in _broken(identifier, _record(kind), folder=AZGS)


@pytest.mark.parametrize("kind", ["resource", "resource-type"])
def test_other_records_may_not_come_from_that_folder(kind: str) -> None:
    identifier = "uri-gin/azgs/doc/"

    assert _broken(identifier, _record(kind), folder=HOST_FOLDER) == [("identifier", "folder", identifier)]


def test_an_unregistered_authority_has_no_identifiers() -> None:
    identifier = "uri-gin/nobody/doc/x"

    assert _broken(identifier, folder="uri-gin/nobody/", authority=None) == [
        ("identifier", "name authority", identifier)
    ]


# The spelling of its identifier.


@pytest.mark.parametrize(
    ("kind", "identifier", "broken"),
    [
        ("scheme", AZGS, ("identifier", "scheme")),
        ("scheme", "http://a.example/", ("record", "host")),
        ("host", "uri-gin/", ("record", "host")),
        ("authority", "uri-gin/", ("identifier", "authority")),
        ("authority", "uri-gin/azgs", ("identifier", "authority")),
        ("authority", "uri-gin/azgs/party/", ("identifier", "authority")),
    ],
)
def test_a_record_of_the_host_folder_needs_its_own_identifier_syntax(
    kind: str, identifier: str, broken: tuple[str, str]
) -> None:
    found = _broken(identifier, _record(kind), folder=HOST_FOLDER, authority=None)

    assert found == [(*broken, str(parse(identifier)))]


@pytest.mark.parametrize(
    ("kind", "identifier", "broken"),
    [
        ("resource-type", "uri-gin/azgs/doc", ("identifier", "resource-type")),
        ("resource-type", "uri-gin/azgs/doc/map", ("identifier", "resource-type")),
        ("resource-type", AZGS, ("identifier", "resource-type")),
        ("resource", AZGS, ("identifier", "resource")),
    ],
)
def test_an_authority_registers_only_below_itself(
    kind: str, identifier: str, broken: tuple[str, str]
) -> None:
    assert (*broken, identifier) in _broken(identifier, _record(kind))


# Allowed values.


@pytest.mark.parametrize(
    ("kind", "identifier", "field"),
    [
        ("scheme", "uri-gin/", "broader"),
        ("scheme", "uri-gin/", "representations"),
        ("host", "http://a.example/", "specification"),
        ("authority", AZGS, "representations"),
        ("authority", AZGS, "dereference"),
        ("authority", AZGS, "specification"),
        ("resource-type", "uri-gin/azgs/doc/", "representations"),
        ("resource-type", "uri-gin/azgs/doc/", "part_of"),
        ("resource-type", "uri-gin/azgs/doc/", "homepage"),
        ("alias", WELL, "representations"),
        ("alias", WELL, "kind"),
        ("alias", WELL, "part_of"),
        ("resource", WELL, "stands_for"),
        ("resource", WELL, "pass_query"),
        ("resource", WELL, "broader"),
        ("resource", WELL, "homepage"),
        ("resource", WELL, "syntax"),
    ],
)
def test_a_field_that_a_record_does_not_have_is_refused_by_name(
    kind: str, identifier: str, field: str
) -> None:
    folder = HOST_FOLDER if kind in {"scheme", "host", "authority"} else AZGS
    known: dict[Path, Any] = {("stands_for",): [MAP]} if kind == "alias" else {}
    found = _judge(identifier, {**_record(kind), **known, (field,): None}, folder=folder)

    [finding] = [finding for finding in found if finding.level is Level.REFUSED]
    assert (finding.field, finding.rule) == (field, kind)
    assert "title" in str(finding.message)


@pytest.mark.parametrize(
    ("kind", "identifier", "fields"),
    [
        ("scheme", "uri-gin/", "trusted_hosts homepage contact syntax answered_by specification authority"),
        ("host", "http://a.example/", "trusted_hosts homepage contact syntax answered_by"),
        ("authority", AZGS, "trusted_hosts homepage contact syntax answered_by services"),
        (
            "resource-type",
            "uri-gin/azgs/doc/",
            "dereference canonical_media_type default_media_type broader definition services syntax pattern",
        ),
        ("resource", WELL, "kind representations dereference part_of links"),
    ],
)
def test_every_record_has_the_fields_of_the_interface(kind: str, identifier: str, fields: str) -> None:
    common = "title description status successor reason properties"
    folder = AZGS if "resource" in kind else HOST_FOLDER

    stated: dict[Path, Any] = {(field,): None for field in f"{fields} {common}".split()}

    assert _broken(identifier, {**_record(kind), **stated}, folder=folder) == []


@pytest.mark.parametrize(("registered", "stated"), [("resource-type", "resource"), (None, "resource-type")])
def test_an_identifier_keeps_the_type_it_was_registered_with(registered: str | None, stated: str) -> None:
    before = changed(MAP, **({"record": registered} if registered else {"title": {"": "Map"}})).after

    assert ("record", "never reused", stated) in _broken(MAP, _record(stated), before=before)


def test_the_type_need_not_be_restated() -> None:
    before = changed(MAP, record="resource-type").after

    assert _broken(MAP, {("definition",): "A map."}, before=before) == []


def test_clearing_the_type_is_refused() -> None:
    before = changed(AZGS, record="authority", homepage="https://azgs.example/").after

    found = _broken(AZGS, {("record",): None}, folder=HOST_FOLDER, authority=None, before=before)

    assert [field for field, _, _ in found] == ["record"]


# The status.


@pytest.mark.parametrize("status", ["superseded", "retired"])
def test_a_superseded_or_retired_record_may_name_its_successor(status: str) -> None:
    assert _judge(WELL, {("status",): status, ("successor",): "uri-gin/azgs/doc/other"}) == []


@pytest.mark.parametrize("status", [None, "valid", "reserved"])
def test_other_records_have_no_successor(status: str | None) -> None:
    stated: dict[Path, Any] = {("status",): status, ("successor",): "uri-gin/azgs/doc/other"}

    assert _broken(WELL, stated) == [("successor", "status", "uri-gin/azgs/doc/other")]


def test_the_status_may_have_been_stated_before() -> None:
    stated: dict[Path, Any] = {("successor",): "uri-gin/azgs/doc/other"}

    assert _broken(WELL, stated, before=_registered(status="superseded")) == []
    assert _broken(WELL, stated, before=_registered(status="valid")) != []


def test_a_superseded_record_should_name_its_successor() -> None:
    assert _warned(WELL, {("status",): "superseded"}) == [("successor", "status")]
    assert _warned(WELL, {("status",): "retired"}) == []


# Strict syntax.


@pytest.mark.parametrize(
    "identifier", ["uri-gin/azgs/doc/a+b", "uri-gin/azgs/doc/T=3", "uri-gin/azgs/doc/a:b"]
)
def test_an_identifier_that_the_abnf_does_not_allow_is_warned_about(identifier: str) -> None:
    [finding] = _judge(identifier)

    assert (finding.level, finding.field) == (Level.WARNED, "identifier")
    assert finding.value in identifier


def test_an_authority_may_hold_its_identifiers_to_the_abnf() -> None:
    [finding] = _judge("uri-gin/azgs/doc/a+b", authority=STRICT)

    assert finding.level is Level.REFUSED
    assert _judge("uri-gin/azgs/doc/ab", authority=STRICT) == []


# Parts and files.


@pytest.mark.parametrize(
    ("identifier", "part"),
    [
        (MAP, "mapImageFile.pdf"),
        (MAP, "NCGMP09.shp.zip"),
        (MAP, "legend"),
        (WELL, ".pdf"),
        (WELL, ".shp.zip"),
    ],
)
def test_a_part_is_appended_to_the_identifier(identifier: str, part: str) -> None:
    assert _broken(identifier, _form(part, location="https://a.example/")) == []


@pytest.mark.parametrize(
    ("identifier", "part", "rule"),
    [
        (MAP, ".pdf", "place"),
        (WELL, "image.pdf", "place"),
        (WELL, "pdf", "place"),
        (MAP, "a/b.pdf", "normal form"),
        (MAP, "a%2db.pdf", "normal form"),
        (MAP, "a%41.pdf", "normal form"),
        (MAP, "a b.pdf", "*"),
        (MAP, "a#b.pdf", "*"),
        (MAP, "..", "*"),
        (WELL, ".1.2.3.4.5.6.7.8.9", "dots"),
    ],
)
def test_a_part_that_makes_no_identifier_is_refused(identifier: str, part: str, rule: str) -> None:
    found = _broken(identifier, _form(part, location="https://a.example/"))

    assert [(field, value) for field, _, value in found] == [("part", part)]
    assert rule in {"*", found[0][1]}


def test_a_file_stored_for_a_thing_needs_a_part() -> None:
    file = {"key": "uri-gin/azgs/map.pdf"}

    assert _broken(MAP, _form(file=file)) == [("file", "part", MAP)]
    assert _broken(MAP, _form("map.pdf", file=file)) == []
    assert _broken(MAP, {**_form(file=file), ("kind",): "document"}) == []
    assert _broken(WELL, _form(file=file)) == []
    assert _broken(WELL, {**_form(file=file), ("kind",): "thing"}) == [("file", "part", WELL)]
    assert _broken(WELL, _form(file=file), before=_registered(kind="thing")) == [("file", "part", WELL)]


def _forms(number: int) -> dict[Path, Any]:
    return {("representations", f"part {index}", "part"): f"{index}" for index in range(number)}


@pytest.mark.parametrize(
    ("identifier", "form", "warned"),
    [
        ("ark:12345/x8", {"location": "https://a.example/x#8"}, [("location", "fragment")]),
        ("ark:12345/x8", {"location": "https://a.example/x"}, []),
        ("ark:12345/x8", {"part": ".pdf", "location": "https://a.example/x#8"}, []),
        ("ark:12345/x8", {"valid_from": "1997-06-01", "location": "https://a.example/x#8"}, []),
        (WELL, {"location": "https://a.example/x#8"}, []),
    ],
)
def test_a_fragment_in_the_location_of_an_ark_is_warned_about(
    identifier: str, form: dict[str, str], warned: list[tuple[str, str]]
) -> None:
    folder = "ark:12345/" if identifier.startswith("ark:") else AZGS

    assert _warned(identifier, _form(**form), folder=folder) == warned


@pytest.mark.parametrize(
    ("identifier", "form", "kind", "warned"),
    [
        ("ark:12345/x8", {"status_code": 302}, None, [("status_code", "thing")]),
        ("ark:12345/x8", {"status_code": 301}, "thing", [("status_code", "thing")]),
        ("ark:12345/x8", {"status_code": 303}, None, []),
        ("ark:12345/x8", {}, None, []),
        ("ark:12345/x8", {"status_code": 302}, "document", []),
        ("ark:12345/x8", {"status_code": 302, "part": ".pdf"}, None, []),
        ("ark:12345/x8", {"status_code": 302, "valid_from": "1997-06-01"}, None, []),
        (MAP, {"status_code": 302}, None, []),
    ],
)
def test_a_status_code_of_an_ark_that_becomes_303_is_warned_about(
    identifier: str, form: dict[str, Any], kind: str | None, warned: list[tuple[str, str]]
) -> None:
    folder = "ark:12345/" if identifier.startswith("ark:") else AZGS
    stated = _form(location="https://a.example/x", **form) | {("kind",): kind}

    assert _warned(identifier, stated, folder=folder) == warned


def test_a_record_has_at_most_two_hundred_representations() -> None:
    assert MOST_REPRESENTATIONS == 200
    assert _broken(MAP, _forms(200)) == []
    assert _broken(MAP, _forms(201)) == [("representations", "size", "201")]


def test_registered_representations_count_towards_the_limit() -> None:
    before = changed(MAP, representations=[{"part": "held.pdf", "status": "valid"}]).after

    assert _broken(MAP, _forms(200), before=before) == [("representations", "size", "201")]


# Aliases and rules.


def test_the_target_of_an_alias_is_another_identifier() -> None:
    def stands_for(*targets: str) -> list[tuple[str, str, str]]:
        return _broken(WELL, {**_record("alias"), ("stands_for",): [*targets] or None})

    assert stands_for(MAP) == []
    assert stands_for(MAP, "uri-gin/azgs/doc/x") == []
    assert [rule for _, rule, _ in stands_for()] == ["required"]
    assert [rule for _, rule, _ in stands_for(MAP, WELL)] == ["itself"]


def test_the_target_of_an_alias_may_be_stated_earlier() -> None:
    before = _registered(record="alias", stands_for=[MAP])

    assert _broken(WELL, before=before) == []
    assert [rule for _, rule, _ in _broken(WELL, {("stands_for",): None}, before=before)] == ["required"]


@pytest.mark.parametrize(
    ("status_code", "broken"), [(301, 0), (302, 0), (None, 0), (303, 1), (404, 1), (410, 1)]
)
def test_an_alias_answers_301_or_302(status_code: int | None, broken: int) -> None:
    stated = {**_record("alias"), ("stands_for",): [MAP], ("status_code",): status_code}

    assert [rule for _, rule, _ in _broken(WELL, stated)] == ["alias"] * broken


@pytest.mark.parametrize(("registered", "stated"), [("resource", "alias"), ("alias", "resource")])
def test_a_resource_never_becomes_an_alias_or_the_reverse(registered: str, stated: str) -> None:
    before = _registered(record=registered, **({"stands_for": [MAP]} if registered == "alias" else {}))
    known: dict[Path, Any] = {("stands_for",): [MAP]} if stated == "alias" else {}

    assert ("record", "never reused", stated) in _broken(WELL, {**_record(stated), **known}, before=before)


RULE: dict[Path, Any] = {
    ("rules", "{id}", "representations", "form   ", "location"): "https://a.example/{id}"
}


def test_a_rule_may_be_registered_on_a_prefix_under_a_known_authority() -> None:
    assert _judge("uri-gin/azgs/old/", RULE, titled=False) == []
    assert [rule for _, rule, _ in _broken("uri-gin/azgs/old/", RULE, titled=False, authority=None)] == [
        "name authority"
    ]


@pytest.mark.parametrize(
    "field", ["title", "description", "status", "successor", "reason", "properties", "contact"]
)
def test_a_rule_has_the_fields_that_every_record_has(field: str) -> None:
    stated = {**RULE, ("rules", "{id}", field): None}

    assert _broken("uri-gin/azgs/old/", stated, titled=False) == []


@pytest.mark.parametrize("field", ["dereference", "part_of", "links", "homepage", "stands_for"])
def test_a_rule_has_no_fields_of_other_records(field: str) -> None:
    [(name, rule, _)] = _broken("uri-gin/azgs/old/", {**RULE, ("rules", "{id}", field): None}, titled=False)

    assert (name, rule) == (field, "rule")


def test_a_record_beside_a_rule_is_judged_as_any_other() -> None:
    stated = {**RULE, **_record("resource-type"), ("homepage",): "https://a.example/"}

    assert [field for field, _, _ in _broken("uri-gin/azgs/old/", stated)] == ["homepage"]


DELEGATION: dict[Path, Any] = {("delegation", "answered_by"): "maps.example.org"}


@pytest.mark.parametrize(
    ("prefix", "folder"), [("uri-gin/azgs/old/", AZGS), (AZGS, AZGS), ("uri-gin/azgs/a/", "uri-gin/azgs/a/")]
)
def test_a_prefix_may_be_delegated_from_a_folder_that_covers_it(prefix: str, folder: str) -> None:
    assert _judge(prefix, DELEGATION, titled=False, folder=folder) == []


@pytest.mark.parametrize(
    ("prefix", "folder"),
    [
        ("uri-gin/usgin/old/", AZGS),
        (AZGS, "uri-gin/azgs/old/"),
        ("uri-gin/", AZGS),
        ("http://a.example/", AZGS),
        (AZGS, HOST_FOLDER),
    ],
)
def test_a_prefix_is_not_delegated_from_any_other_folder(prefix: str, folder: str) -> None:
    identifier = str(parse(prefix))

    assert _broken(prefix, DELEGATION, titled=False, folder=folder) == [("identifier", "folder", identifier)]


def test_a_prefix_of_an_unregistered_authority_is_not_delegated() -> None:
    found = _broken("uri-gin/azgs/old/", DELEGATION, titled=False, authority=None)

    assert [rule for _, rule, _ in found] == ["name authority"]


def test_only_a_prefix_is_delegated() -> None:
    [finding] = _judge(WELL, DELEGATION, titled=False)

    assert (finding.field, finding.rule, finding.value) == ("identifier", "prefix", WELL)
    assert str(finding.message).endswith(f" {WELL}/.")


@pytest.mark.parametrize("field", ["title", "description", "properties"])
def test_a_delegation_may_have_an_explanation(field: str) -> None:
    stated = {**DELEGATION, ("delegation", field, ""): "x"}

    assert _judge("uri-gin/azgs/old/", stated, titled=False) == []


@pytest.mark.parametrize(
    "field", ["representations", "kind", "reason", "successor", "trusted_hosts", "syntax"]
)
def test_a_delegation_has_no_fields_of_other_records(field: str) -> None:
    stated = {**DELEGATION, ("delegation", field): None}

    [(name, rule, _)] = _broken("uri-gin/azgs/old/", stated, titled=False)

    assert (name, rule) == (field, "delegation")


def test_retiring_a_delegation_is_refused_with_the_way_to_end_it() -> None:
    stated = {**DELEGATION, ("delegation", "status"): "retired"}

    messages = [str(finding.message) for finding in _judge("uri-gin/azgs/old/", stated, titled=False)]

    assert any("clear `answered_by`" in message for message in messages)


def test_a_first_delegation_names_its_host() -> None:
    titled: dict[Path, Any] = {("delegation", "title", ""): "Cores"}
    registered = changed("uri-gin/azgs/old/", delegation={"answered_by": "maps.example.org"}).after

    assert [finding[:2] for finding in _broken("uri-gin/azgs/old/", titled, titled=False)] == [
        ("answered_by", "required")
    ]
    assert _broken("uri-gin/azgs/old/", titled, titled=False, before=registered) == []


def test_a_record_beside_a_delegation_is_judged_as_any_other() -> None:
    stated = {**DELEGATION, **_record("resource-type"), ("homepage",): "https://a.example/"}

    assert [field for field, _, _ in _broken("uri-gin/azgs/old/", stated)] == ["homepage"]


def test_a_delegated_prefix_may_still_get_any_record() -> None:
    registered = changed("uri-gin/azgs/old/", delegation={"answered_by": "maps.example.org"}).after

    assert _broken("uri-gin/azgs/old/", _record("resource-type"), before=registered) == []


# Advice.


def test_a_missing_title_is_a_warning() -> None:
    assert _warned(WELL, titled=False) == [("title", "missing")]
    assert _warned(WELL, {("title", "de"): None}, titled=False) == [("title", "missing")]
    assert _warned(WELL, {("title", "de"): "Brunnen"}, titled=False) == []


def test_a_title_may_have_been_stated_before() -> None:
    assert _warned(WELL, titled=False, before=_registered(title={"en": "Well"})) == []


def test_a_missing_resource_type_is_a_warning() -> None:
    assert _warned(WELL, types=[]) == [("identifier", "resource type")]
    assert _warned("uri-gin/azgs/doc/", _record("resource-type"), types=[]) == []


def test_all_findings_are_reported_at_once() -> None:
    stated = {("successor",): WELL, ("homepage",): "https://a.example/", **_form("image.pdf")}

    fields = [field for field, _, _ in _broken("uri-gin/usgin/doc/x", stated, titled=False)]

    assert fields == ["identifier", "homepage", "successor", "part"]


# -- warnings


@pytest.mark.parametrize("name", ["doc/AUX", "doc/lpt1/", "con.d/x", "doc/x.prn", "doc/" + "x" * 65])
def test_a_name_invalid_as_a_file_somewhere_is_a_warning(name: str) -> None:
    assert _warned(f"uri-gin/azgs/{name}") == [("identifier", "file name")]


@pytest.mark.parametrize("name", ["doc/" + "x" * 64, "doc/auxiliary", "doc/com10", "doc/console.pdf"])
def test_a_name_valid_as_a_file_everywhere_gets_no_warning(name: str) -> None:
    assert _warned(f"uri-gin/azgs/{name}") == []


def test_a_part_invalid_as_a_file_somewhere_is_a_warning() -> None:
    place = ("representations", "part nul.pdf")
    part: dict[Path, Any] = {
        (*place, FIRST): 0,
        (*place, "part"): "nul.pdf",
        (*place, "location"): "https://example.org/",
    }

    assert _warned(MAP, part) == [("part", "file name")]


def test_a_host_that_the_authority_does_not_trust_is_warned_about() -> None:
    trusting = NameAuthority(identifier=AZGS, modified=PUT.format(0), trusted_hosts=["resources.usgin.org"])

    assert _warned("http://other.example/uri-gin/azgs/doc/x", authority=trusting) == [
        ("identifier", "trusted host")
    ]
    assert _warned("http://Resources.USGIN.org/uri-gin/azgs/doc/x", authority=trusting) == []
    assert _warned("uri-gin/azgs/doc/x", authority=trusting) == []
    assert _warned("http://other.example/uri-gin/azgs/doc/x") == []
