"""The values of each field of the public interface: accepted and refused ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ginuri.files.schema.statements import read_statements
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Level
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST
from tests.builders import short

WELL = "uri-gin/azgs/doc/well"


def _read(given: Mapping[str, Any]) -> Row:
    return read_statements(1, {"identifier": WELL, **given})


def _states(given: Mapping[str, Any]) -> dict[Path, Any]:
    row = _read(given)
    assert row.findings == ()
    return {path: value for path, value in short(row.statements).items() if path[-1] not in {FIRST, "status"}}


def _broken(given: Mapping[str, Any]) -> list[str]:
    row = _read(given)
    assert all(str(finding.message) and finding.rule for finding in row.findings)
    return [finding.field for finding in row.findings if finding.level is Level.REFUSED]


@pytest.mark.parametrize(
    ("field", "given", "stated"),
    [
        ("record", "resource-type", "resource-type"),
        ("kind", "thing", "thing"),
        ("reason", " Typing error. ", "Typing error."),
        ("successor", "http://resources.usgin.org/uri-gin/azgs/doc/b", "uri-gin/azgs/doc/b"),
        ("dereference", "content", "content"),
        ("canonical_media_type", "Application/RDF+XML", "application/rdf+xml"),
        ("default_media_type", "text/html;charset=UTF-8", "text/html;charset=UTF-8"),
        ("valid_media_types", ["Image/PNG", "image/png", "image/*"], ["image/png", "image/*"]),
        ("valid_media_types", "text/html, image/png|image/*", ["text/html", "image/png", "image/*"]),
        (
            "valid_media_types",
            "application/gml+xml ; version=3.2 text/plain; charset=utf-8",
            ["application/gml+xml; version=3.2", "text/plain; charset=utf-8"],
        ),
        ("broader", "uri-gin/azgs/doc/%41/", "uri-gin/azgs/doc/A/"),
        ("definition", "A hole in the ground.", "A hole in the ground."),
        ("part_of", "uri-gin/azgs/doc/", "uri-gin/azgs/doc/"),
        (
            "trusted_hosts",
            ["Resources.USGIN.org", "a.example:8080"],
            ["resources.usgin.org", "a.example:8080"],
        ),
        ("trusted_hosts", "a.example; b.example", ["a.example", "b.example"]),
        ("homepage", "https://azgs.arizona.edu/", "https://azgs.arizona.edu/"),
        ("contact", "maps@azgs.example", "maps@azgs.example"),
        ("contact", "mailto:maps@azgs.example", "mailto:maps@azgs.example"),
        ("contact", "https://azgs.example/contact", "https://azgs.example/contact"),
        ("syntax", "strict", "strict"),
        ("answered_by", "Resources.USGIN.org", "resources.usgin.org"),
        ("specification", "https://a.example/spec", "https://a.example/spec"),
        ("authority", "uri-gin/usgin/", "uri-gin/usgin/"),
        (
            "services",
            [{"href": "https://a.example/wms", "title": "Map service"}],
            [{"href": "https://a.example/wms", "title": "Map service"}],
        ),
    ],
)
def test_a_field_is_normalized_to_one_spelling(field: str, given: Any, stated: Any) -> None:
    assert _states({field: given}) == {(field,): stated}


def test_fields_are_stated_in_one_order() -> None:
    given = {
        "title": "t",
        "reason": "r",
        "kind": "thing",
        "definition": "d",
        "syntax": "strict",
        "status": "valid",
    }
    form = {"part": ".pdf", "media_type": "text/html", "language": "de", "quality": 1, "status_code": 301}

    one = _read({**given, "representations": [form]})
    other = _read({"representations": [dict(reversed(form.items()))], **dict(reversed(given.items()))})

    assert list(one.statements) == list(other.statements)
    assert [path[0] for path in short(one.statements)][:4] == ["title", "kind", "status", "reason"]


@pytest.mark.parametrize("status", ["reserved", "valid", "superseded", "retired"])
def test_an_identifier_has_one_of_four_statuses(status: str) -> None:
    assert short(_read({"status": status}).statements) == {("status",): status}


@pytest.mark.parametrize(
    ("given", "stated"),
    [
        ({"title": "Well"}, {("title", ""): "Well"}),
        ({"title": 17}, {("title", ""): "17"}),
        ({"title": {"en": "Well", "de-AT": None}}, {("title", "en"): "Well", ("title", "de-AT"): None}),
        ({"description": {"": "Deep."}}, {("description", ""): "Deep."}),
        ({"properties": {"depth": 17.5, "type": ["a", "b"], "x": None}}, None),
        (
            {
                "links": [
                    {"rel": "up", "href": "https://a.example/1"},
                    {"rel": "up", "href": "https://a.example/2"},
                ]
            },
            {
                ("links", "up"): [
                    {"rel": "up", "href": "https://a.example/1"},
                    {"rel": "up", "href": "https://a.example/2"},
                ]
            },
        ),
    ],
)
def test_a_field_with_names_is_stated_name_by_name(
    given: Mapping[str, Any], stated: dict[Path, Any] | None
) -> None:
    properties = {
        ("properties", "depth"): "17.5",
        ("properties", "type"): ["a", "b"],
        ("properties", "x"): None,
    }

    assert _states(given) == (stated or properties)


@pytest.mark.parametrize(
    "field",
    [
        "title",
        "description",
        "status",
        "successor",
        "reason",
        "kind",
        "representations",
        "dereference",
        "canonical_media_type",
        "valid_media_types",
        "pattern",
        "broader",
        "definition",
        "services",
        "part_of",
        "trusted_hosts",
        "homepage",
        "contact",
        "syntax",
        "answered_by",
        "specification",
        "authority",
        "links",
        "properties",
    ],
)
def test_null_clears_a_field(field: str) -> None:
    assert short(_read({field: None}).statements) == {(field,): None}


@pytest.mark.parametrize(
    ("field", "empty"),
    [
        ("title", {}),
        ("links", []),
        ("properties", {}),
        ("representations", []),
        ("services", []),
        ("trusted_hosts", []),
    ],
)
def test_an_empty_list_or_object_clears_like_null(field: str, empty: Any) -> None:
    assert short(_read({field: empty}).statements) in ({(field,): None}, {(field,): []})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("record", "map"),
        ("record", "prefix"),
        ("title", ""),
        ("title", "  "),
        ("title", True),
        ("title", ["Well"]),
        ("title", {"de_AT": "Brunnen"}),
        ("title", {"deutschland": "Brunnen"}),
        ("title", {"de": ""}),
        ("description", {"en": {"x": "y"}}),
        ("kind", "map"),
        ("status", "deleted"),
        ("successor", "map"),
        ("successor", ["uri-gin/azgs/doc/b"]),
        ("reason", {}),
        ("dereference", "both"),
        ("canonical_media_type", "html"),
        ("default_media_type", "text/"),
        ("default_media_type", "text/html\r\nX-Evil: 1"),
        ("valid_media_types", ["text/html", "html"]),
        ("valid_media_types", "text/html; image"),
        ("broader", "uri-gin/a b/"),
        ("services", [{"title": "no address"}]),
        ("services", {"href": "https://a.example/"}),
        ("part_of", "uri-gin/azgs//"),
        ("trusted_hosts", ["http://a.example/"]),
        ("trusted_hosts", ["a b"]),
        ("homepage", "www.azgs.example"),
        ("homepage", "mailto:maps@azgs.example"),
        ("contact", "the survey"),
        ("contact", "a@b@c d"),
        ("syntax", "loose"),
        ("answered_by", "http://a.example"),
        ("specification", "page 7"),
        ("authority", "usgin"),
        ("links", [{"rel": "up"}]),
        ("links", [{"href": "https://a.example/"}]),
        ("links", [{"rel": "up one", "href": "https://a.example/"}]),
        ("links", [{"rel": "up", "href": "a.html"}]),
        ("links", [{"rel": "up", "href": "https://a.example/", "hreflang": "de_DE"}]),
        ("links", [{"rel": "up", "href": "https://a.example/", "target": "_blank"}]),
        ("properties", ["a"]),
        ("properties", {"a": {"b": "c"}}),
        ("properties", {"": "c"}),
        ("properties", {"a": True}),
        ("representations", {"media_type": "text/html"}),
        ("representations", ["https://a.example/"]),
        ("stands_for", "map"),
        ("stands_for", ["uri-gin/azgs/doc/b", "map"]),
        ("stands_for", {"": "uri-gin/azgs/doc/b"}),
        ("pattern", "{a}{a}"),
        ("pattern", "[0-9"),
        ("ignore_case", "sometimes"),
        ("captures", "all"),
        ("pattern", ["{a}"]),
        ("pass_query", "sometimes"),
        ("status_code", 200),
        ("status_code", 500),
    ],
)
def test_a_value_that_a_field_cannot_have_is_refused_under_its_name(field: str, value: Any) -> None:
    broken = _broken({field: value})

    assert broken
    assert {name.partition(".")[0] for name in broken} == {field}


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
    ],
)
def test_an_address_that_a_browser_would_run_is_refused(href: str) -> None:
    assert _broken({"links": [{"rel": "up", "href": href}]}) == ["links.0.href"]
    assert _broken({"services": [{"href": href}]}) == ["services.0.href"]
    assert _broken({"contact": href}) == ["contact"]
    assert _broken({"specification": href}) == ["specification"]
    assert _broken({"homepage": href}) == ["homepage"]
    assert _broken({"location": href}) == ["location"]


@pytest.mark.parametrize(
    "location",
    [
        "ftp://a.example/well.pdf",
        "a.example/well.pdf",
        "//a.example/well.pdf",
        "/well.pdf",
        "https://",
        "https:///well.pdf",
        "https://a.example/a well.pdf",
        "https://a.example/brünnen.pdf",
        "https://a.example/%zz",
        "https://user:secret@a.example/",
        "https://a.example/\r\nX-Evil: 1",
        "https://a.example/" + "x" * 2_000,
        "https://a.example:port/",
    ],
)
def test_a_bad_url_is_no_location(location: str) -> None:
    assert _broken({"location": location}) == ["location"]
    assert _broken({"representations": [{"location": location}]}) == ["representations.0.location"]


@pytest.mark.parametrize("name", ["colour", "Title", "namespace"])
def test_a_field_that_is_not_known_is_refused_by_name(name: str) -> None:
    [finding] = _read({name: "x"}).findings

    assert (finding.field, finding.rule, finding.value) == (name, "unknown field", "x")
    assert "properties" in str(finding.message)


@pytest.mark.parametrize("name", ["valid_from", "mediatype", "format"])
def test_an_unknown_field_of_a_representation_is_refused_by_name(name: str) -> None:
    assert _broken({"representations": [{"location": "https://a.example/", name: "x"}]}) == [
        f"representations.0.{name}"
    ]


@pytest.mark.parametrize(("name", "meant"), [("titel", "title"), ("locaton", "location"), ("licence", None)])
def test_common_mistakes_are_understood(name: str, meant: str | None) -> None:
    [finding] = _read({name: "x"}).findings

    assert (f"Did you mean {meant}?" in str(finding.message)) is (meant is not None)


def test_a_field_that_is_given_under_two_names_is_refused() -> None:
    assert _broken({"title": "a", "label": "b"}) == ["title"]
    assert _broken({"location": "https://a.example/", "url": "https://b.example/"}) == ["location"]


# Representations.


def _form(key: str, **values: Any) -> dict[Path, Any]:
    return {("representations", key, name): value for name, value in values.items()}


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"part": "a.pdf", "media_type": "application/pdf", "location": "https://a.example/"}, "part a.pdf"),
        ({"media_type": "Text/HTML", "location": "https://a.example/"}, "form text/html  "),
        ({"media_type": "text/html", "language": "de", "file": "a.html"}, "form text/html de "),
        ({"profile": "https://a.example/p", "location": "https://a.example/"}, "form   https://a.example/p"),
        ({"location": "https://a.example/"}, "form   "),
    ],
)
def test_representations_match_by_part_else_by_media_type_language_and_profile(
    given: Mapping[str, Any], key: str
) -> None:
    [(_, found)] = {path[:2] for path in short(_read({"representations": [given]}).statements)}

    assert found == key


@pytest.mark.parametrize(
    ("given", "stated"),
    [
        ({"role": "canonical"}, {"role": ["canonical"]}),
        ({"role": ["default", "canonical"]}, {"role": ["default", "canonical"]}),
        ({"quality": 0}, {"quality": 0.0}),
        ({"quality": 1}, {"quality": 1.0}),
        ({"status_code": 301}, {"status_code": 301}),
        ({"identifier": f"http://a.example/{WELL}"}, {"identifier": WELL}),
        ({"location": "http://a.example/"}, {"location": "http://a.example/", "file": None}),
        ({"file": "maps/a.pdf"}, {"file": "maps/a.pdf", "location": None}),
        ({"location": None}, {"location": None}),
    ],
)
def test_a_form_is_stated_field_by_field(given: Mapping[str, Any], stated: Mapping[str, Any]) -> None:
    assert _states({"representations": [given]}) == _form("form   ", **stated)


def test_a_form_has_its_own_title() -> None:
    assert _states({"representations": [{"part": ".pdf", "title": {"de": "Karte"}}]}) == {
        ("representations", "part .pdf", "part"): ".pdf",
        ("representations", "part .pdf", "title", "de"): "Karte",
    }


def test_a_retired_form_is_removed_and_a_restated_one_returns() -> None:
    place = ("representations", "part .pdf", "status")

    retired = _read({"representations": [{"part": ".pdf", "status": "retired"}]})
    stated = _read({"representations": [{"part": ".pdf"}]})

    assert (short(retired.statements)[place], short(stated.statements)[place]) == ("retired", "valid")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("part", ""),
        ("identifier", "map"),
        ("media_type", "pdf"),
        ("language", "german!"),
        ("profile", "profile"),
        ("quality", -0.1),
        ("quality", 1.1),
        ("quality", "high"),
        ("quality", True),
        ("role", "main"),
        ("role", ["canonical", "main"]),
        ("location", "ftp://a.example/"),
        ("file", "/maps/a.pdf"),
        ("file", "../a.pdf"),
        ("file", "maps//a.pdf"),
        ("file", "maps/./a.pdf"),
        ("file", "x" * 2_000),
        ("file", "maps/a\n.pdf"),
        ("file", {"key": "uri-gin/usgin/secret.pdf"}),
        ("status_code", 200),
        ("status_code", 404),
        ("status_code", "often"),
        ("status_code", True),
        ("status", "superseded"),
        ("title", {"german!": "x"}),
    ],
)
def test_a_value_that_a_form_cannot_have_is_refused_under_its_name(field: str, value: Any) -> None:
    broken = _broken({"representations": [{"media_type": "text/html"}, {field: value}]})

    assert broken
    assert all(name.startswith(f"representations.1.{field}") for name in broken)


def test_a_form_is_stored_here_or_located_elsewhere() -> None:
    both = {"part": ".pdf", "location": "https://a.example/", "file": "a.pdf"}

    assert _broken({"representations": [both]}) == ["file"]


def test_location_status_code_and_media_type_are_short_for_one_form() -> None:
    short = {"location": "https://a.example/", "status_code": 303, "media_type": "text/html"}

    assert _states(short) == _states({"representations": [short]})


def test_a_form_in_short_fields_comes_before_the_others() -> None:
    row = _read({"location": "https://a.example/", "representations": [{"part": ".pdf"}, {"part": ".png"}]})

    ordinals = {path[1]: value for path, value in short(row.statements).items() if path[-1] == FIRST}
    assert ordinals == {"form   ": 0, "part .pdf": 1, "part .png": 2}


def test_two_forms_of_one_registration_that_are_the_same_form_are_refused() -> None:
    twice = [{"media_type": "text/html", "location": f"https://{host}.example/"} for host in "ab"]

    assert _broken({"representations": twice})


# Aliases.


@pytest.mark.parametrize(
    ("given", "stated"),
    [
        ("uri-gin/azgs/doc/b", ["uri-gin/azgs/doc/b"]),
        (["uri-gin/azgs/doc/b", "uri-gin/azgs/doc/c/"], ["uri-gin/azgs/doc/b", "uri-gin/azgs/doc/c/"]),
        ("uri-gin/azgs/doc/b uri-gin/azgs/doc/c/", ["uri-gin/azgs/doc/b", "uri-gin/azgs/doc/c/"]),
        ("http://resources.usgin.org/uri-gin/azgs/doc/%41", ["uri-gin/azgs/doc/A"]),
    ],
)
def test_an_alias_has_one_target_or_several(given: Any, stated: list[str]) -> None:
    assert _states({"record": "alias", "stands_for": given})["stands_for",] == stated


@pytest.mark.parametrize("name", ["uri-gin/azgs/doc/a,b", "uri-gin/azgs/doc/a;v=1"])
def test_the_target_of_an_alias_may_contain_commas_and_semicolons(name: str) -> None:
    assert _states({"record": "alias", "stands_for": name})["stands_for",] == [name]


def test_an_alias_has_each_target_once() -> None:
    twice = ["uri-gin/azgs/doc/b", "http://a.example/uri-gin/azgs/doc/%62"]

    assert _states({"record": "alias", "stands_for": twice})["stands_for",] == ["uri-gin/azgs/doc/b"]


def test_the_target_of_an_alias_is_no_host() -> None:
    assert _broken({"record": "alias", "stands_for": "http://resources.usgin.org/"})


@pytest.mark.parametrize("status_code", [301, 302, "302"])
def test_the_status_code_of_an_alias_belongs_to_itself(status_code: Any) -> None:
    stated = _states({"record": "alias", "stands_for": "uri-gin/azgs/doc/b", "status_code": status_code})

    assert stated["status_code",] == int(status_code)
    assert not any(path[0] == "representations" for path in stated)


# Rules and delegations.


def _rule(pattern: str = "", **given: Any) -> Row:
    stated = {"pattern": pattern} if pattern else {}
    return read_statements(1, {"identifier": "uri-gin/azgs/doc/", "record": "rule", **stated, **given})


def _refused(row: Row) -> list[str]:
    return [finding.field for finding in row.findings if finding.level is Level.REFUSED]


@pytest.mark.parametrize("pattern", ["", "{county}/{id}/"])
def test_the_fields_of_a_rule_are_stated_under_its_pattern(pattern: str) -> None:
    row = _rule(pattern, title="Old maps", location="https://a.example/{+rest}", pass_query=True)

    assert {path[:2] for path in short(row.statements)} == {("rules", pattern)}
    place = ("rules", pattern)
    assert short(row.statements)[*place, "title", ""] == "Old maps"
    assert short(row.statements)[*place, "pass_query"] is True
    assert (
        short(row.statements)[*place, "representations", "form   ", "location"] == "https://a.example/{+rest}"
    )


@pytest.mark.parametrize("given", ["true", "True", "1", True])
def test_a_cell_may_pass_on_the_query(given: Any) -> None:
    assert (
        short(_rule(location="https://a.example/", pass_query=given).statements)["rules", "", "pass_query"]
        is True
    )


@pytest.mark.parametrize("status_code", [404, 410, "410"])
def test_a_rule_itself_states_that_nothing_exists(status_code: Any) -> None:
    row = _rule("{id}", status_code=status_code)

    assert row.findings == ()
    assert short(row.statements)["rules", "{id}", "status_code"] == int(status_code)


@pytest.mark.parametrize("status_code", [301, 302, 303, 307, 308])
def test_the_form_of_a_rule_states_its_redirect(status_code: int) -> None:
    row = _rule(location="https://a.example/", status_code=status_code)

    assert short(row.statements)["rules", "", "representations", "form   ", "status_code"] == status_code


@pytest.mark.parametrize(
    ("pattern", "location"),
    [
        ("", "https://a.example/{+rest}"),
        ("{county}/{id}/", "https://a.example/{county}{?id}"),
        ("{county}/{id}/", "https://a.example/{id}{/county}#{+rest}"),
        ("HP_{id}", "https://a.example:8080/hp{?id,rest}"),
        ("HP_{id}", "https://a.example{/id}"),
        ("HP_{id}", "https://a.example{?id}"),
        ("HP_{id}", "https://a.example/hp"),
    ],
)
def test_a_template_may_use_the_names_in_its_pattern(pattern: str, location: str) -> None:
    assert _rule(pattern, location=location).findings == ()


@pytest.mark.parametrize(
    ("pattern", "location"),
    [
        ("", "https://a.example/{id}"),
        ("{id}", "https://a.example/{county}"),
        ("{id}", "https://a.example/{id"),
        ("{id}", "https://a.example/{id*}"),
        ("{id}", "https://a.example/{id:3}"),
        ("{id}", "ftp://a.example/{id}"),
        ("{id}", "/x/{id}"),
        ("{id}", "{+rest}"),
        ("{id}", "https://a.example/a b/{id}"),
    ],
)
def test_a_template_with_unknown_variables_is_refused(pattern: str, location: str) -> None:
    assert _refused(_rule(pattern, location=location)) == ["location"]


@pytest.mark.parametrize(
    "location",
    [
        "https://{id}/",
        "https://{+id}",
        "https://{id}.example/",
        "https://a.example{id}",
        "https://a.example{+rest}",
        "https://a.example{.id}/",
        "https://a.example{;id}/",
        "https://a.example:{id}/",
        "https{+rest}",
        "http{id}://a.example/",
    ],
)
def test_a_template_names_its_own_host(location: str) -> None:
    assert _refused(_rule("{id}", location=location)) == ["location"]


def test_only_a_rule_has_a_template_and_a_pattern() -> None:
    assert _broken({"location": "https://a.example/{+rest}"}) == ["location"]
    assert _broken({"pattern": "{id}"}) == ["pattern"]
    assert _broken({"record": "alias", "stands_for": "uri-gin/azgs/doc/b", "pattern": "{id}"}) == ["pattern"]


def _delegation(**given: Any) -> Row:
    return read_statements(1, {"identifier": "uri-gin/azgs/doc/", "record": "delegation", **given})


def test_a_delegation_is_stated_separately_from_the_record_of_its_prefix() -> None:
    row = _delegation(answered_by="Maps.example.org", title={"de": "Karten"})

    assert short(row.statements) == {
        ("delegation", "answered_by"): "maps.example.org",
        ("delegation", "title", "de"): "Karten",
    }


def test_clearing_the_answering_host_ends_a_delegation() -> None:
    row = _delegation(answered_by=None)

    assert (short(row.statements), row.findings) == ({("delegation", "answered_by"): None}, ())


@pytest.mark.parametrize(
    ("given", "stated"),
    [
        ({"to": "uri-gin/usgin/"}, {("to",): None, ("to", ""): "uri-gin/usgin/"}),
        (
            {"to": "http://a.example/uri-gin/usgin/", "valid_from": "2027-01-01"},
            {("to", "2027-01-01"): "uri-gin/usgin/"},
        ),
        ({"to": None}, {("to",): None, ("to", ""): ""}),
        ({"to": None, "valid_from": "2027-01-01"}, {("to", "2027-01-01"): ""}),
    ],
)
def test_a_prefix_is_handed_over_immediately_or_from_a_day(
    given: dict[str, Any], stated: dict[Path, Any]
) -> None:
    row = _delegation(**given)

    assert (short(row.statements), row.findings) == (
        {("delegation", *path): value for path, value in stated.items()},
        (),
    )


@pytest.mark.parametrize("day", ["1 January 2027", "2027-02-30", "prospective"])
def test_a_malformed_day_begins_no_delegation(day: str) -> None:
    assert _refused(_delegation(to="uri-gin/usgin/", valid_from=day)) == ["valid_from"]


def test_only_a_delegation_to_an_authority_may_begin_on_a_day() -> None:
    assert _refused(_delegation(answered_by="a.example", valid_from="2027-01-01")) == ["valid_from"]


@pytest.mark.parametrize("host", ["https://maps.example.org", "maps example", "maps.example.org/x", ""])
def test_a_delegation_to_an_invalid_host_is_refused(host: str) -> None:
    assert _refused(_delegation(answered_by=host)) == ["answered_by"]


def test_an_empty_delegation_is_refused() -> None:
    assert _refused(_delegation()) == ["answered_by"]


def test_a_delegation_has_no_pattern() -> None:
    assert _refused(_delegation(answered_by="maps.example.org", pattern="{id}")) == ["pattern"]
