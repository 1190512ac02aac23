"""The answers to requests: the rows of docs/reference/answers.md, through the whole flow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import MAP, rest_event
from tests.functional import (
    test_ark,
    test_embargoes,
    test_fallbacks,
    test_hosts_without_pages,
    test_known_schemes,
    test_neighbours,
    test_query_arguments,
    test_registered_schemes,
    test_unregistered_scheme,
    test_versions,
)
from tests.resolving import Service

DOCUMENT = "uri-gin/azgs/doc/report"
PDF, HTML, TURTLE = "application/pdf", "text/html", "text/turtle"
CITATIONS = (
    "application/x-bibtex",
    "application/x-research-info-systems",
    "application/vnd.citationstyles.csl+json",
)
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class _Away:
    """A registry that does not answer."""

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        raise RegistryUnavailable(f"{len(names)} names were asked for in vain", retry_after=7)

    def near(self, folded: str) -> Sequence[str]:
        raise RegistryUnavailable(f"{folded} was asked for in vain", retry_after=7)

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        raise RegistryUnavailable(f"{container} was asked for in vain: {name}, {is_after}", retry_after=7)


class _Forgetful(MemoryRegistry):
    """A registry whose index does not answer."""

    def near(self, folded: str) -> Sequence[str]:
        raise RegistryUnavailable(f"{folded} was asked for in vain", retry_after=7)


@pytest.fixture
def service() -> Service:
    return Service()


def _location(media_type: str, part: str | None = None, **fields: Any) -> dict[str, Any]:
    place = {"location": f"https://data.azgs.example/{part or media_type}", "media_type": media_type}
    return place | ({"part": part} if part else {}) | fields


# -- malformed identifiers, and other spellings


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/uri-gin/azgs/doc/100%", "must be followed by two hexadecimal digits"),
        ("/uri-gin/azgs//doc", "segment 3"),
        ("/uri-gin/azgs/../etc", "segment 3"),
        ("/uri-gin/azgs/doc/%2e%2E/x", "segment 4"),
        ("/uri-gin/" + "x" * 1100, "at most 1024 bytes"),
        ("/purl/50%", "must be followed by two hexadecimal digits"),
    ],
)
def test_a_malformed_identifier_gets_the_faulty_segment_and_the_reason(
    service: Service, path: str, why: str
) -> None:
    answered = service.ask(path)

    assert answered.status == 400
    assert why in answered.problem["detail"]


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("/uri-gin/azgs/doc/a%2Db", "/uri-gin/azgs/doc/a-b"),
        ("/uri-gin/azgs/doc/a%2fb/", "/uri-gin/azgs/doc/a%2Fb/"),
        ("/uri%2Dgin/azgs/", "/uri-gin/azgs/"),
    ],
)
def test_another_spelling_redirects_to_the_normal_form_for_a_day(
    service: Service, path: str, normal: str
) -> None:
    answered = service.ask(path)

    assert answered.status == 301
    assert answered.headers["Location"] == normal
    assert answered.headers["Cache-Control"] == "max-age=86400, stale-if-error=86400"
    assert service.ask(normal).status != 301


@pytest.mark.functions
@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("layer=1&layer=2", "layer=1&layer=2"),
        ("title=Geologic+map", "title=Geologic%20map"),
        ("a=%0D%0ASet-Cookie:%20b=c", "a=%0D%0ASet-Cookie:%20b=c"),
        ("x=%23%22%3C%5C", "x=%23%22%3C%5C"),
    ],
)
def test_the_query_is_kept_in_the_redirect_to_the_normal_form(
    service: Service, query: str, kept: str
) -> None:
    answered = service.ask("/uri-gin/azgs/doc/%61", query=query)

    assert (answered.status, answered.headers["Location"]) == (301, f"/uri-gin/azgs/doc/a?{kept}")


PURLS = "purl.example.org"


@pytest.mark.parametrize("path", ["/a%2Db/%7e", "/authority/azgs/", "//authority/%61", "/net/registry/x%2D"])
@pytest.mark.parametrize("host", ["evil.example", "purl.example.org.evil.example", "purl.example.org:81"])
def test_no_request_redirects_to_an_unregistered_host(service: Service, path: str, host: str) -> None:
    service.register(f"//{PURLS}/", record="host")

    answered = service.ask(path, Host=host)

    assert (answered.status, "Location" in answered.headers) == (404, False)


def test_a_name_bound_to_a_host_redirects_to_normal_form_at_once(service: Service) -> None:
    service.register(f"//{PURLS}/", record="host")
    before = service.registry.calls

    answered = service.ask("/a%2Db/%7e", query="x=1", Host=PURLS)

    assert (answered.status, answered.headers["Location"]) == (301, f"http://{PURLS}/a-b/~?x=1")
    assert service.registry.calls - before == 1


# -- namespaces


@pytest.fixture
def namespaces(service: Service) -> Service:
    """The namespaces pmid, where case matters, and doi, where it does not."""
    service.register("info:", record="scheme", title={"en": "The info scheme"})
    service.register("info:pmid/", record="namespace", title={"en": "PubMed"})
    service.register("info:doi/", record="namespace", case="upper")
    return service


def test_another_case_redirects_if_the_namespace_ignores_case(
    namespaces: Service,
) -> None:
    answered = namespaces.ask("/info:doi/10.1000/a%2Fb")
    asked = namespaces.ask("/info:doi/10.1000/a%2Fb", query="x=1")

    assert (answered.status, answered.headers["Location"]) == (301, "/info:doi/10.1000/A%2FB")
    assert asked.headers["Location"] == "/info:doi/10.1000/A%2FB?x=1"
    assert namespaces.ask("/info:doi/10.1000/A%2FB").status == 303
    assert namespaces.ask("/info:pmid/a").status == 303


def test_an_unregistered_name_of_a_namespace_redirects_to_its_description(
    namespaces: Service,
) -> None:
    answered = namespaces.ask("/info:pmid/12376099")

    assert (answered.status, answered.headers["Location"]) == (303, "/about/info:pmid/12376099")


def test_an_unknown_namespace_redirects_to_the_register(namespaces: Service) -> None:
    answered = namespaces.ask("/info:nobody/1")

    assert answered.status == 404
    assert "/about/info:" in [each["href"] for each in answered.problem["advice"]]


# -- another host answers


def test_the_host_that_answers_for_the_authority_gets_the_redirect(service: Service) -> None:
    service.register("uri-gin/azgs/", 1, answered_by="id.azgs.example")
    service.register(MAP, status="retired")

    away, there = (
        service.ask(f"/{MAP}", Host="resources.usgin.org"),
        service.ask(f"/{MAP}", Host="ID.azgs.example"),
    )

    assert away.status == 307
    assert away.headers["Location"] == f"http://id.azgs.example/{MAP}"
    assert there.status == 410


DOCS = "uri-gin/azgs/doc/"


@pytest.mark.parametrize("path", [f"/{DOCS}", f"/{DOCS}none/at/all", f"/{MAP}"])
def test_names_under_a_delegated_prefix_redirect_to_its_host(service: Service, path: str) -> None:
    service.register(DOCS, record="resource-type")
    service.register(DOCS, 1, delegation={"answered_by": "maps.example.org"})
    service.register(MAP, status="retired")

    answered = service.ask(path, Host="resources.usgin.org")

    assert (answered.status, answered.headers["Location"]) == (307, f"http://maps.example.org{path}")
    asked = service.ask(path, query="x=1", Host="resources.usgin.org")
    assert asked.headers["Location"] == f"http://maps.example.org{path}?x=1"


def test_the_receiving_host_answers_for_its_delegated_prefix(service: Service) -> None:
    service.register(DOCS, delegation={"answered_by": "maps.example.org"})
    service.register(MAP, status="retired")

    assert service.ask(f"/{MAP}", Host="maps.example.org").status == 410


@pytest.mark.functions
def test_a_delegation_takes_one_call_without_looking_for_other_spellings(service: Service) -> None:
    service.register(DOCS, delegation={"answered_by": "maps.example.org"})
    before = service.registry.calls

    assert service.ask(f"/{DOCS}none").status == 307
    assert service.registry.calls - before == 1


def test_the_canonical_host_is_never_redirected_to_itself(
    service: Service,
) -> None:
    service.register("uri-gin/azgs/", 1, answered_by="id.azgs.example")
    service.register(DOCS, delegation={"answered_by": "Resources.USGIN.org"})

    assert service.ask(f"/{DOCS}none", Host="abc123.execute-api.us-east-1.amazonaws.com").status == 404
    assert service.ask("/uri-gin/azgs/none", Host="resources.usgin.org").status == 307


def test_an_ended_delegation_redirects_nobody(service: Service) -> None:
    service.register(DOCS, delegation={"answered_by": "maps.example.org"})
    service.register(DOCS, 1, delegation={"answered_by": None})

    answered = service.ask(f"/{DOCS}")

    assert answered.status == 404
    assert [each["href"] for each in answered.problem["advice"]][:1] == ["/about/uri-gin/azgs/"]


# -- lifecycle


def test_a_retired_identifier_is_gone_with_title_reason_and_successor(service: Service) -> None:
    service.register(
        MAP, title={"en": "The map"}, status="retired", reason="superseded", successor="uri-gin/azgs/x/"
    )

    answered = service.ask(f"/{MAP}")

    assert answered.status == 410
    assert "The map" in answered.problem["detail"]
    assert "superseded" in answered.problem["detail"]
    assert {each["href"] for each in answered.problem["advice"]} == {"/uri-gin/azgs/x/", f"/about/{MAP}"}
    assert answered.linked("successor-version") == ["/uri-gin/azgs/x/"]


def test_a_withheld_identifier_is_unavailable_for_legal_reasons(service: Service) -> None:
    service.register(MAP, title={"en": "The map"}, status="withheld", reason="By order of a court.")

    answered = service.ask(f"/{MAP}")

    assert answered.status == 451
    assert "By order of a court." in answered.problem["detail"]
    assert "The map" not in answered.content.decode()


def test_a_retired_form_is_gone_while_its_record_remains(service: Service) -> None:
    forms = [_location(PDF, "map.pdf"), _location(HTML, "map.html")]
    service.register(MAP, title={"en": "The map"}, representations=forms)
    service.register(MAP, 1, representations=[{"part": "map.pdf", "status": "retired"}])

    answered = service.ask(f"/{MAP}map.pdf")

    assert answered.status == 410
    assert "a representation of The map" in answered.problem["detail"]
    assert service.ask(f"/{MAP}map.html").status == 302
    assert service.ask(f"/{MAP}").headers["Location"] == f"/{MAP}map.html"


def test_a_reserved_identifier_is_explained_with_the_authoritys_contact(service: Service) -> None:
    service.register(MAP, status="reserved")

    answered = service.ask(f"/{MAP}")

    assert answered.status == 404
    assert "is reserved" in answered.problem["detail"]
    assert "mailto:maps@azgs.example" in {each["href"] for each in answered.problem["advice"]}
    assert answered.headers["Cache-Control"] == "max-age=30"


# -- descriptions


@pytest.mark.parametrize(
    ("identifier", "record"),
    [("uri-gin/", "scheme"), ("uri-gin/azgs/", "authority"), ("uri-gin/azgs/doc/", "resource-type")],
)
def test_schemes_authorities_and_resource_types_redirect_to_their_descriptions(
    service: Service, identifier: str, record: str
) -> None:
    service.register(identifier, 1, record=record)

    answered = service.ask(f"/{identifier}")

    assert answered.status == 303
    assert answered.headers["Location"] == f"/about/{identifier}"
    assert answered.linked("describedby") == [f"/about/{identifier}"]


def test_an_unregistered_register_redirects_to_its_description(service: Service) -> None:
    service.register("uri-gin/azgs/", record="authority")

    answered = service.ask("/uri-gin/azgs/register/resourceType/")

    assert answered.status == 303
    assert answered.headers["Location"] == "/about/uri-gin/azgs/register/resourceType/"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("registry/resourceType", "register/resourceType/"),
        ("registry/resourceType/", "register/resourceType/"),
        ("registry/uriScheme", "register/uriScheme/"),
        ("registry/lithology/", "register/lithology/"),
        ("registry/lithology/a%2Fb", "register/lithology/a%2Fb"),
    ],
)
def test_the_spelling_registry_redirects_to_the_register(service: Service, name: str, meant: str) -> None:
    answered = service.ask(f"/uri-gin/azgs/{name}")

    assert (answered.status, answered.headers["Location"]) == (302, f"/uri-gin/azgs/{meant}")


@pytest.mark.parametrize("registered", ["registry/", "registry/resourceType/"])
def test_a_registered_identifier_spelled_registry_does_not_lead_to_the_register(
    service: Service, registered: str
) -> None:
    service.register(f"uri-gin/azgs/{registered}", title={"en": "Our registry"})

    answered = service.ask("/uri-gin/azgs/registry/resourceType/")

    assert "/register/" not in answered.headers.get("Location", "")


def test_the_spelling_registry_without_a_register_leads_nowhere(service: Service) -> None:
    for path in ("/uri-gin/nobody/registry/resourceType/", "/uri-gin/azgs/registry/", "/uri-gin/registry/x/"):
        assert service.ask(path).status == 404


def test_the_special_name_of_an_authority_leads_to_it(service: Service) -> None:
    answered = service.ask("/uri-gin/authority/azgs/")

    assert answered.status == 302
    assert answered.headers["Location"] == "/uri-gin/azgs/"


def test_a_thing_without_representations_leads_to_its_description(service: Service) -> None:
    service.register("uri-gin/azgs/person/StephenRichard/", title={"": "Stephen Richard"})

    answered = service.ask("/uri-gin/azgs/person/StephenRichard/")

    assert answered.status == 303
    assert answered.headers["Location"] == "/about/uri-gin/azgs/person/StephenRichard/"


# -- a thing and its document


@pytest.fixture
def paired(service: Service) -> Service:
    service.rule("uri-gin/azgs/id/", document="http://resources.usgin.org/uri-gin/azgs/info/{+rest}")
    service.rule("uri-gin/azgs/info/", document_of="http://resources.usgin.org/uri-gin/azgs/id/{+rest}")
    service.register(
        "uri-gin/azgs/id/7",
        title={"": "Seven"},
        successor="uri-gin/azgs/id/9",
        status="superseded",
        representations=[_location(PDF, ".pdf"), _location(TURTLE, ".ttl")],
    )
    service.register("uri-gin/azgs/id/8", title={"": "Eight"})
    return service


@pytest.mark.parametrize("accept", [PDF, TURTLE, "*/*", "image/png"])
def test_a_thing_under_a_rule_leads_to_its_document(paired: Service, accept: str) -> None:
    answered = paired.ask("/uri-gin/azgs/id/7", Accept=accept)

    assert (answered.status, answered.headers["Location"]) == (303, "/uri-gin/azgs/info/7")
    assert answered.linked("describedby") == ["/about/uri-gin/azgs/id/7", "/uri-gin/azgs/info/7"]


@pytest.mark.parametrize(("accept", "part"), [(PDF, ".pdf"), (TURTLE, ".ttl"), ("*/*", ".pdf")])
def test_a_document_about_a_thing_has_the_forms_of_its_record(
    paired: Service, accept: str, part: str
) -> None:
    answered = paired.ask("/uri-gin/azgs/info/7", Accept=accept)

    assert (answered.status, answered.headers["Location"]) == (302, f"/uri-gin/azgs/info/7{part}")
    assert answered.linked("describes") == ["/uri-gin/azgs/id/7"]
    named = paired.ask(f"/uri-gin/azgs/info/7{part}")
    assert (named.status, named.linked("describes")) == (302, ["/uri-gin/azgs/id/7"])


# RFC 6892; RFC 9110 §15.4.4: what a thing redirects to is descriptive of it
@pytest.mark.parametrize(
    ("name", "status"),
    [("mapImageFile.pdf", 302), ("mapImageFile", 302), ("notes.html", 200), ("1997-06-01", 302)],
)
def test_a_form_of_a_thing_has_a_link_to_the_thing(service: Service, name: str, status: int) -> None:
    service.register(
        MAP,
        representations=[
            _location(PDF, "mapImageFile.pdf"),
            {"part": "notes.html", "media_type": HTML, "file": service.store("notes.html", b"<p>Notes</p>")},
            _location("image/png", valid_from="1997-06-01"),
        ],
    )
    answered = service.ask(f"/{MAP}{name}")

    assert (answered.status, answered.linked("describes")) == (status, [f"/{MAP}"])


def test_a_thing_has_no_link_to_itself(service: Service) -> None:
    service.register(MAP, representations=[_location(PDF, "mapImageFile.pdf"), _location(HTML)])

    assert service.ask(f"/{MAP}").linked("describes") == []


@pytest.mark.parametrize(
    ("fields", "targets"),
    [
        ({}, []),
        ({"kind": "thing"}, [f"/{DOCUMENT}"]),
        ({"links": {"describes": [{"href": f"http://resources.usgin.org/{MAP}"}]}}, [f"/{MAP}"]),
    ],
)
def test_a_form_of_a_document_has_the_link_that_its_document_states(
    service: Service, fields: dict[str, Any], targets: list[str]
) -> None:
    service.register(DOCUMENT, representations=[_location(PDF, ".pdf")], **fields)

    assert service.ask(f"/{DOCUMENT}.pdf").linked("describes") == targets


def test_a_name_below_an_ark_is_no_form_of_it(service: Service) -> None:
    service.register("ark:12345/", record="namespace")
    service.register("ark:12345/x8", representations=[_location(PDF, ".pdf"), _location(HTML)])

    assert service.ask("/ark:12345/x8.pdf").linked("describes") == ["/ark:12345/x8"]
    below = service.ask("/ark:12345/x8/c3")
    assert (below.status, below.linked("describes")) == (303, [])


def test_the_document_about_a_thing_without_forms_is_its_description(paired: Service) -> None:
    assert paired.ask("/uri-gin/azgs/id/8").headers["Location"] == "/uri-gin/azgs/info/8"

    answered = paired.ask("/uri-gin/azgs/info/8")

    assert (answered.status, answered.headers["Location"]) == (303, "/about/uri-gin/azgs/id/8")


@pytest.mark.parametrize("name", ["id/9", "info/9", "id/7.pdf", "info/"])
def test_a_pair_of_rules_does_not_answer_for_unregistered_names(paired: Service, name: str) -> None:
    assert paired.ask(f"/uri-gin/azgs/{name}").status == (303 if name.endswith("/") else 404)


def test_a_registered_document_precedes_the_one_about_a_thing(paired: Service) -> None:
    paired.register(
        "uri-gin/azgs/info/7", title={"": "About seven"}, representations=[_location(PDF, ".html")]
    )

    assert paired.ask("/uri-gin/azgs/info/7").headers["Location"] == "/uri-gin/azgs/info/7.html"
    assert paired.ask("/uri-gin/azgs/id/7").headers["Location"] == "/uri-gin/azgs/info/7"


def test_a_retired_thing_and_its_document_are_gone(paired: Service) -> None:
    paired.register("uri-gin/azgs/id/7", 9, status="retired")

    assert {paired.ask(f"/uri-gin/azgs/{name}").status for name in ("id/7", "info/7")} == {410}


# -- a thing


def test_a_thing_leads_to_the_representation_that_was_negotiated(service: Service) -> None:
    service.register(MAP, representations=[_location(PDF, "map.pdf"), _location(TURTLE, "map.ttl")])

    answered = service.ask(f"/{MAP}", Accept="text/turtle, application/pdf;q=0.5")

    assert answered.status == 303
    assert answered.headers["Location"] == f"/{MAP}map.ttl"
    assert answered.headers["Vary"] == "Accept, Accept-Language, Accept-Profile"
    assert answered.linked("alternate") == [f"/{MAP}map.pdf", f"/{MAP}map.ttl"]
    assert answered.linked("cite-as") == [f"http://resources.usgin.org/{MAP}"]


def test_a_thing_without_an_acceptable_form_leads_to_its_description(service: Service) -> None:
    service.register(MAP, representations=[_location(PDF, "map.pdf")])

    answered = service.ask(f"/{MAP}", Accept="application/ld+json")

    assert answered.status == 303
    assert answered.headers["Location"] == f"/about/{MAP}"
    assert "Accept" in answered.headers["Vary"]


def test_a_browser_gets_the_page_of_a_thing_with_data_only(service: Service) -> None:
    service.register(MAP, representations=[_location(TURTLE, "map.ttl")])

    page = service.ask(f"/{MAP}", Accept=BROWSER)
    data = service.ask(f"/{MAP}", Accept=f"{TURTLE}, */*;q=0.1")

    assert (page.status, page.headers["Location"]) == (303, f"/about.html/{MAP}")
    assert "Accept" in page.headers["Vary"]
    assert page.linked("alternate") == [f"/{MAP}map.ttl"]
    assert (data.status, data.headers["Location"]) == (303, f"/{MAP}map.ttl")


def test_a_location_without_a_media_type_precedes_the_page(service: Service) -> None:
    service.register(MAP, representations=[{"location": "https://data.example/map"}])

    answered = service.ask(f"/{MAP}", Accept=BROWSER)

    assert (answered.status, answered.headers["Location"]) == (303, "https://data.example/map")


def test_a_default_without_a_media_type_suits_clients_of_no_other_form(service: Service) -> None:
    default = {"location": "https://data.example/map", "role": ["default"]}
    service.register(MAP, representations=[default, _location(TURTLE, "map.ttl")])

    data, other, any_form = (
        service.ask(f"/{MAP}", Accept=accept) for accept in (TURTLE, "image/png", "text/html, */*;q=0.8")
    )

    assert data.headers["Location"] == f"/{MAP}map.ttl"
    assert other.headers["Location"] == any_form.headers["Location"] == "https://data.example/map"


def test_the_redirect_follows_weight_and_registered_quality(service: Service) -> None:
    forms = [_location(PDF, "map.pdf", quality=0.3), _location(TURTLE, "map.ttl", quality=1.0)]
    service.register(MAP, representations=forms)

    answered = service.ask(f"/{MAP}", Accept="application/pdf, text/turtle;q=0.4")

    assert answered.headers["Location"] == f"/{MAP}map.ttl"


def test_an_identifier_is_cited_on_the_first_host_that_its_authority_trusts(service: Service) -> None:
    service.register("uri-gin/", record="scheme", trusted_hosts=["uri-gin.example"])
    service.register(MAP, representations=[_location(PDF, "map.pdf")])
    assert service.ask(f"/{MAP}").linked("cite-as") == [f"http://uri-gin.example/{MAP}"]

    service.register("uri-gin/azgs/", 1, trusted_hosts=["id.azgs.example", "resources.usgin.org"])

    assert service.ask(f"/{MAP}").linked("cite-as") == [f"http://id.azgs.example/{MAP}"]
    assert service.ask(f"/{MAP}map.pdf").linked("canonical") == [f"http://id.azgs.example/{MAP}map.pdf"]


# -- a document


def test_a_document_redirects_to_the_representation_that_was_negotiated(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF, ".pdf"), _location(HTML, ".html")])

    answered = service.ask(f"/{DOCUMENT}", Accept=BROWSER)

    assert answered.status == 302
    assert answered.headers["Location"] == f"/{DOCUMENT}.html"
    assert "Accept" in answered.headers["Vary"]


def test_a_document_that_dereferences_to_content_is_given_with_its_content_location(service: Service) -> None:
    forms = [
        _location(HTML, ".html"),
        {"part": ".pdf", "media_type": PDF, "file": service.store("a.pdf", b"%PDF")},
    ]
    service.register("uri-gin/azgs/doc/", record="resource-type", dereference="content")
    service.register(DOCUMENT, representations=forms)

    answered = service.ask(f"/{DOCUMENT}", Accept=PDF)

    assert answered.status == 200
    assert answered.content == b"%PDF"
    assert answered.headers["Content-Type"] == PDF
    assert answered.headers["Content-Location"] == f"/{DOCUMENT}.pdf"
    assert "Accept" in answered.headers["Vary"]


def test_the_part_before_its_first_dot_is_also_a_document(service: Service) -> None:
    service.register(
        MAP, representations=[_location(PDF, "mapImageFile.pdf"), _location("image/tiff", "mapImageFile.tif")]
    )

    answered = service.ask(f"/{MAP}mapImageFile", Accept="image/*")

    assert answered.status == 302
    assert answered.headers["Location"] == f"/{MAP}mapImageFile.tif"


def test_a_document_without_an_acceptable_form_lists_the_existing_ones(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF, ".pdf"), _location(HTML, ".html")])

    answered = service.ask(f"/{DOCUMENT}", Accept="image/png")

    assert answered.status == 406
    assert [each["href"] for each in answered.problem["advice"]] == [f"/{DOCUMENT}.pdf", f"/{DOCUMENT}.html"]
    assert answered.linked("alternate") == [f"/{DOCUMENT}.pdf", f"/{DOCUMENT}.html"]


@pytest.mark.parametrize("citation", CITATIONS)
@pytest.mark.parametrize("identifier", [MAP, DOCUMENT])
def test_a_client_that_asks_for_a_citation_is_led_to_the_description(
    service: Service, identifier: str, citation: str
) -> None:
    service.register(identifier, representations=[_location(PDF, ".pdf"), _location(HTML, ".html")])

    answered = service.ask(f"/{identifier}", Accept=citation)

    assert answered.status == 303
    assert answered.headers["Location"] == f"/about/{identifier}"
    assert answered.headers["Vary"] == "Accept, Accept-Language, Accept-Profile"


@pytest.mark.parametrize("citation", CITATIONS)
@pytest.mark.parametrize("identifier", [MAP, DOCUMENT])
@pytest.mark.parametrize("accept", ["{}", "{}, application/pdf;q=0.5"])
def test_a_registered_form_comes_before_the_citation(
    service: Service, identifier: str, citation: str, accept: str
) -> None:
    service.register(identifier, representations=[_location(PDF, ".pdf"), _location(citation, ".cited")])

    answered = service.ask(f"/{identifier}", Accept=accept.format(citation))

    assert answered.headers["Location"] == f"/{identifier}.cited"


@pytest.mark.parametrize("citation", CITATIONS)
@pytest.mark.parametrize("identifier", [MAP, DOCUMENT])
def test_any_acceptable_form_comes_before_the_citation(
    service: Service, identifier: str, citation: str
) -> None:
    service.register(identifier, representations=[_location(PDF, ".pdf")])

    answered = service.ask(f"/{identifier}", Accept=f"{citation}, */*;q=0.1")

    assert answered.headers["Location"] == f"/{identifier}.pdf"


@pytest.mark.parametrize(("status", "code"), [("retired", 410), ("withheld", 451), ("reserved", 404)])
def test_a_status_without_an_answer_comes_before_the_citation(
    service: Service, status: str, code: int
) -> None:
    service.register(DOCUMENT, status=status, representations=[_location(PDF, ".pdf")])

    assert service.ask(f"/{DOCUMENT}", Accept="application/x-bibtex").status == code


def test_a_bad_accept_header_is_ignored(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF, ".pdf"), _location(HTML, ".html")])

    answered = service.ask(f"/{DOCUMENT}", Accept="text/html;q=very, ;;,\x00", Accept_Language="\xff")

    assert answered.status == 302
    assert answered.headers["Location"] == f"/{DOCUMENT}.pdf"


def test_an_unavailable_language_falls_back_to_the_default(service: Service) -> None:
    forms = [
        _location(HTML, ".de.html", language="de"),
        _location(HTML, ".en.html", language="en", role=["default"]),
    ]
    service.register(DOCUMENT, representations=forms)

    assert service.ask(f"/{DOCUMENT}", Accept_Language="fr").headers["Location"] == f"/{DOCUMENT}.en.html"
    assert service.ask(f"/{DOCUMENT}", Accept_Language="de").headers["Location"] == f"/{DOCUMENT}.de.html"


# -- a representation


def test_a_stored_representation_is_given_with_its_registered_media_type(service: Service) -> None:
    file = service.store("files/map.pdf", b"%PDF-1.4\xff")
    service.register(
        MAP, representations=[{"part": "map.pdf", "media_type": PDF, "file": file, "language": "en"}]
    )

    answered = service.ask(f"/{MAP}map.pdf", Accept="text/html")

    assert answered.status == 200
    assert answered.content == b"%PDF-1.4\xff"
    assert answered.headers["Content-Type"] == PDF
    assert answered.headers["Content-Language"] == "en"
    assert answered.headers["Content-Location"] == f"/{MAP}map.pdf"
    assert answered.headers["ETag"] == f'"{"ab" * 32}"'
    assert "Vary" not in answered.headers


@pytest.mark.functions
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_stored_representation_too_large_to_send_redirects_to_a_signed_link(
    service: Service, method: str
) -> None:
    file = service.store("files/map.tif", b"", length=50_000_000)
    service.register(MAP, representations=[{"part": "map.tif", "media_type": "image/tiff", "file": file}])

    answered = service.ask(f"/{MAP}map.tif", method)

    assert answered.status == 307
    assert f"method={method}" in answered.headers["Location"]


@pytest.mark.parametrize("length", [4, 50_000_000])
def test_the_first_byte_of_a_file_comes_with_the_total_length(service: Service, length: int) -> None:
    file = service.store("files/map.tif", b"II*\x00", length=length)
    service.register(MAP, representations=[{"part": "map.tif", "media_type": "image/tiff", "file": file}])

    answered = service.ask(f"/{MAP}map.tif", Range="bytes=0-0")

    assert (answered.status, answered.content) == (206, b"I")
    assert answered.headers["Content-Range"] == f"bytes 0-0/{length}"


def test_a_lost_stored_representation_is_not_found(service: Service) -> None:
    file = service.store("files/map.pdf", b"%PDF")
    service.content.files.clear()
    service.register(MAP, representations=[{"part": "map.pdf", "media_type": PDF, "file": file}])

    assert service.ask(f"/{MAP}map.pdf").status == 404


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_representation_elsewhere_is_redirected_to_with_its_status(service: Service, status: int) -> None:
    service.register(MAP, representations=[_location(PDF, "map.pdf", status_code=status)])

    answered = service.ask(f"/{MAP}map.pdf")

    assert answered.status == status
    assert answered.headers["Location"] == "https://data.azgs.example/map.pdf"


def test_a_representation_elsewhere_redirects_with_302_by_default(service: Service) -> None:
    service.register(MAP, representations=[_location(PDF, "map.pdf")])

    assert service.ask(f"/{MAP}map.pdf").status == 302


# -- an alias


def test_an_alias_of_one_target_redirects_permanently_for_a_minute(service: Service) -> None:
    service.register(DOCUMENT, record="alias", stands_for=[MAP])

    answered = service.ask(f"/{DOCUMENT}", Accept=PDF)

    assert answered.status == 301
    assert answered.headers["Location"] == f"/{MAP}"
    assert answered.headers["Cache-Control"] == "max-age=60, stale-if-error=86400"


def test_an_alias_that_may_move_redirects_with_302(service: Service) -> None:
    service.register("uri-gin/azgs/doc/current", record="alias", stands_for=[MAP], status_code=302)

    answered = service.ask("/uri-gin/azgs/doc/current")

    assert answered.status == 302
    assert answered.headers["Location"] == f"/{MAP}"


def test_an_alias_with_several_targets_lists_them(service: Service) -> None:
    service.register(DOCUMENT, record="alias", stands_for=[MAP, "uri-gin/azgs/doc/b"])

    answered = service.ask(f"/{DOCUMENT}")

    assert answered.status == 300
    assert "Location" not in answered.headers
    assert [each["href"] for each in answered.choices] == [f"/{MAP}", "/uri-gin/azgs/doc/b"]


def test_an_alias_that_is_retired_is_gone(service: Service) -> None:
    service.register(DOCUMENT, record="alias", stands_for=[MAP], status="retired")

    assert service.ask(f"/{DOCUMENT}").status == 410


# -- under a rule

OLD = "uri-gin/azgs/old/"


def test_a_name_under_a_rule_is_answered_by_it(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/maps/{+rest}")

    answered = service.ask(f"/{OLD}cochise/17%20a")

    assert answered.status == 302
    assert answered.headers["Location"] == "https://data.azgs.example/maps/cochise/17%20a"
    assert answered.linked("cite-as") == [f"http://resources.usgin.org/{OLD}cochise/17%20a"]


def test_the_named_pieces_of_a_pattern_fill_the_template(service: Service) -> None:
    service.rule(OLD, "{county}/HP_{id}", location="https://data.azgs.example/{id}{?county}")

    assert (
        service.ask(f"/{OLD}do%C3%B1a;ana/HP_17").headers["Location"]
        == "https://data.azgs.example/17?county=do%C3%B1a%3Bana"
    )
    assert service.ask(f"/{OLD}cochise/17").status == 404


def test_under_a_rule_a_thing_answers_303_and_a_document_its_status(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/{+rest}", form=301)

    assert service.ask(f"/{OLD}17/").status == 303
    assert service.ask(f"/{OLD}17").status == 301


def test_the_longest_prefix_wins(service: Service) -> None:
    service.rule(OLD, "{a}/{b}/", location="https://data.azgs.example/short")
    service.rule(f"{OLD}map/", location="https://data.azgs.example/long", number=1)

    assert service.ask(f"/{OLD}map/17/").headers["Location"] == "https://data.azgs.example/long"
    assert service.ask(f"/{OLD}well/17/").headers["Location"] == "https://data.azgs.example/short"


def test_a_rule_of_a_shorter_prefix_answers_the_remaining_names(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/short")
    service.rule(f"{OLD}map/", "HP_{id}", location="https://data.azgs.example/long", number=1)

    assert service.ask(f"/{OLD}map/17").headers["Location"] == "https://data.azgs.example/short"


@pytest.mark.parametrize(
    ("name", "where"), [("HP_17", "literal"), ("17", "named"), ("a/b", "rest"), ("HP_", "named")]
)
def test_among_equal_prefixes_the_most_literal_pattern_wins(service: Service, name: str, where: str) -> None:
    for number, (pattern, leads) in enumerate((("", "rest"), ("{id}", "named"), ("HP_{id}", "literal"))):
        service.rule(OLD, pattern, location=f"https://data.azgs.example/{leads}", number=number)

    assert service.ask(f"/{OLD}{name}").headers["Location"] == f"https://data.azgs.example/{where}"


def test_a_rule_may_match_only_digits_and_is_then_more_literal(service: Service) -> None:
    service.rule(OLD, "RO_{id}", location="https://data.azgs.example/any/{id}")
    service.rule(OLD, "RO_{id:digits}", location="https://data.azgs.example/digits/{id}", number=1)

    assert service.ask(f"/{OLD}RO_0002202").headers["Location"] == "https://data.azgs.example/digits/0002202"
    assert service.ask(f"/{OLD}RO_HOM1").headers["Location"] == "https://data.azgs.example/any/HOM1"


def test_a_pattern_may_end_in_a_catch_all(service: Service) -> None:
    service.rule(OLD, "{version}/{+rest}", location="https://data.azgs.example/v{version}/{+rest}")

    assert service.ask(f"/{OLD}1/a/b.owl").headers["Location"] == "https://data.azgs.example/v1/a/b.owl"
    assert service.ask(f"/{OLD}1").status == 404


def test_a_rule_may_state_the_kind_of_its_names(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/{+rest}", form=301, kind="document")

    answered = service.ask(f"/{OLD}cochise/")

    assert (answered.status, answered.headers["Location"]) == (301, "https://data.azgs.example/cochise/")


def test_a_registered_name_comes_before_every_rule(service: Service) -> None:
    service.rule("uri-gin/azgs/doc/", location="https://elsewhere.example/{+rest}")
    service.register(MAP, representations=[_location(PDF, "map.pdf")])
    service.register("uri-gin/azgs/doc/x", status="retired")

    assert service.ask(f"/{MAP}").headers["Location"] == f"/{MAP}map.pdf"
    assert service.ask(f"/{MAP}map.pdf").headers["Location"] == "https://data.azgs.example/map.pdf"
    assert service.ask(f"/{MAP}map").headers["Location"] == f"/{MAP}map.pdf"
    assert service.ask("/uri-gin/azgs/doc/x").status == 410
    assert service.ask("/uri-gin/azgs/doc/y").headers["Location"] == "https://elsewhere.example/y"


def test_a_rule_does_not_match_its_own_prefix(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/{+rest}")

    assert service.ask(f"/{OLD}").status == 303
    assert service.ask(f"/{OLD}").headers["Location"] == f"/about/{OLD}"


@pytest.mark.parametrize(
    ("location", "query", "where"),
    [
        ("https://data.azgs.example/{+rest}", "layer=1&layer=2", "17?layer=1&layer=2"),
        ("https://data.azgs.example/{+rest}?a=b", "layer=1", "17?a=b&layer=1"),
        ("https://data.azgs.example/{+rest}", "", "17"),
        ("https://data.azgs.example/{+rest}#top", "layer=1", "17?layer=1#top"),
    ],
)
def test_a_rule_may_pass_on_the_query(service: Service, location: str, query: str, where: str) -> None:
    service.rule(OLD, location=location, pass_query=True)

    answered = service.ask(f"/{OLD}17", query=query)

    assert answered.headers["Location"] == f"https://data.azgs.example/{where}"


def test_a_query_is_dropped_unless_the_rule_passes_it_on(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/{+rest}")

    assert service.ask(f"/{OLD}17", query="layer=1").headers["Location"] == "https://data.azgs.example/17"


def test_a_rule_may_answer_that_nothing_exists(service: Service) -> None:
    service.rule(OLD, location="https://data.azgs.example/{+rest}")
    service.rule(f"{OLD}map/", status_code=404, title="No maps", reason="None were drawn.", number=1)

    answered = service.ask(f"/{OLD}map/17")

    assert answered.status == 404
    assert answered.problem["title"] == "No maps"
    assert "None were drawn." in answered.problem["detail"]
    assert answered.headers["Cache-Control"] == "max-age=30"


def test_a_rule_with_status_404_comes_before_other_spellings(service: Service) -> None:
    service.rule(OLD, status_code=404)
    service.register(f"{OLD}HP_17", representations=[_location(PDF)])

    assert service.ask(f"/{OLD}hp_17").status == 404


def test_a_rule_may_answer_that_everything_is_gone(service: Service) -> None:
    service.rule(OLD, status_code=410, title="The old maps", reason="Withdrawn.", successor=MAP)

    answered = service.ask(f"/{OLD}17")

    assert answered.status == 410
    assert "The old maps" in answered.problem["detail"]
    assert "Withdrawn." in answered.problem["detail"]
    assert f"/{MAP}" in {each["href"] for each in answered.problem["advice"]}


def test_a_rule_may_reserve_the_names_under_it(service: Service) -> None:
    service.rule(OLD, status="reserved", title="Maps to come")

    answered = service.ask(f"/{OLD}17")

    assert answered.status == 404
    assert "is reserved" in answered.problem["detail"]


def test_a_rule_never_leads_to_a_forbidden_location(service: Service) -> None:
    service.rule(OLD, location="javascript:{+rest}")

    answered = service.ask(f"/{OLD}alert(1)")

    assert "javascript" not in answered.headers.get("Location", "")


# -- another spelling of a registered name


@pytest.mark.parametrize(
    "other",
    ["uri-gin/azgs/doc/REPORT", f"{DOCUMENT}/", "uri-gin/AZGS/Doc/report", "uri-gin/azgs%2Fdoc/report"],
)
def test_the_only_other_spelling_gets_a_redirect_as_brief_as_a_404(service: Service, other: str) -> None:
    service.register(DOCUMENT, representations=[_location(PDF)])

    answered = service.ask(f"/{other}")

    assert answered.status == 302
    assert answered.headers["Location"] == f"/{DOCUMENT}"
    assert answered.headers["Cache-Control"] == "max-age=30"
    assert service.ask(f"/{other}", query="a=1").headers["Location"] == f"/{DOCUMENT}?a=1"


def test_several_other_spellings_are_listed(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF)])
    service.register(f"{DOCUMENT}/", title={"": "The report"})

    answered = service.ask("/uri-gin/azgs/doc/Report")

    assert answered.status == 300
    assert {each["href"] for each in answered.choices} == {f"/{DOCUMENT}", f"/{DOCUMENT}/"}
    assert answered.headers["Cache-Control"] == "max-age=30"


@pytest.mark.functions
@pytest.mark.parametrize(
    ("part", "registered"),
    [
        ("mapImageFile.PDF", "mapImageFile.pdf"),
        ("MAPIMAGEFILE", "mapImageFile"),
        ("mapimagefile.pdf/", "mapImageFile.pdf"),
        ("mapImageFile%2Epdf%2F", "mapImageFile.pdf"),
        ("OLD.tif", "old.tif"),
    ],
)
def test_a_part_in_other_capitals_gets_an_equally_brief_redirect(
    service: Service, part: str, registered: str
) -> None:
    service.register(MAP, representations=[_location(PDF, "mapImageFile.pdf")])
    service.register(MAP, 1, representations=[_location(PDF, "old.tif")])
    service.register(MAP, 2, representations=[{"part": "old.tif", "status": "retired"}])
    before = service.registry.calls

    answered = service.ask(f"/{MAP}{part}".replace("%2E", "."))

    assert (answered.status, answered.headers["Location"]) == (302, f"/{MAP}{registered}")
    assert answered.headers["Cache-Control"] == "max-age=30"
    assert service.registry.calls - before == 2


def test_an_extension_in_other_capitals_is_found_too(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF, ".pdf")])

    assert service.ask(f"/{DOCUMENT}.PDF").headers["Location"] == f"/{DOCUMENT}.pdf"


def test_several_parts_in_other_capitals_are_listed(service: Service) -> None:
    service.register(MAP, representations=[_location(PDF, "a.pdf"), _location(PDF, "A.pdf")])
    service.register(f"{MAP}a.PDF/", title={"": "A record"})

    answered = service.ask(f"/{MAP}A.PDF")

    assert answered.status == 300
    assert {each["href"] for each in answered.choices} == {
        f"/{MAP}a.PDF/",
        f"/{MAP}a.pdf",
        f"/{MAP}A.pdf",
    }


@pytest.mark.parametrize("name", [f"{MAP}mapImageFile.PDF", f"{MAP}mapImageFile.PDF/", f"{MAP}old.TIF/"])
def test_no_spelling_reveals_a_part_of_a_withheld_identifier(service: Service, name: str) -> None:
    service.register(MAP, representations=[_location(PDF, "mapImageFile.pdf"), _location(PDF, "old.tif")])
    service.register(MAP, 1, status="withheld", representations=[{"part": "old.tif", "status": "retired"}])

    assert "Location" not in service.ask(f"/{name}").headers


@pytest.mark.parametrize("harvested", [".", ",", ")", ";", ").", "'"])
def test_trailing_punctuation_gets_advice(service: Service, harvested: str) -> None:
    service.register(DOCUMENT, representations=[_location(PDF)])

    answered = service.ask(f"/{DOCUMENT}{harvested}")

    assert answered.status == 404
    assert answered.problem["advice"][0]["href"] == f"/{DOCUMENT}"
    assert "Did you mean" in answered.problem["advice"][0]["title"]


def test_a_registered_name_is_never_considered_another_spelling(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF)])
    service.register("uri-gin/azgs/doc/Report", status="retired")

    assert service.ask("/uri-gin/azgs/doc/Report").status == 410


def test_a_rule_answers_before_other_spellings(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF)])
    service.rule("uri-gin/azgs/doc/", location="https://elsewhere.example/{+rest}")

    assert service.ask("/uri-gin/azgs/doc/REPORT").headers["Location"] == "https://elsewhere.example/REPORT"


@pytest.mark.functions
def test_an_unavailable_index_answers_with_a_time_to_retry() -> None:
    service = Service(_Forgetful())
    service.register(DOCUMENT, representations=[_location(PDF)])

    assert service.ask(f"/{DOCUMENT}").status == 302
    assert service.ask(f"/{DOCUMENT}s").status == 503


@pytest.mark.parametrize("name", ["%00", "map%1B%5B2J", "%C2%9Bmap", "%E2%80%AE"])
def test_a_page_about_an_unregistered_name_has_no_control_characters(service: Service, name: str) -> None:
    answer = service.ask(f"/uri-gin/azgs/{name}", Accept="text/html")

    assert answer.status == 404
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", answer.content.decode())


@pytest.mark.functions
def test_other_spellings_are_looked_for_only_if_nothing_is_registered(service: Service) -> None:
    service.register(DOCUMENT, representations=[_location(PDF)])
    before = service.registry.calls

    service.ask(f"/{DOCUMENT}")
    assert service.registry.calls - before == 1

    service.ask(f"/{DOCUMENT}s")
    assert service.registry.calls - before == 3


# -- anything else


def test_an_unregistered_name_gets_the_nearest_ancestor_and_a_contact(service: Service) -> None:
    service.register("uri-gin/azgs/doc/", record="resource-type", title={"en": "Documents"})

    answered = service.ask("/uri-gin/azgs/doc/map/none/")

    assert answered.status == 404
    assert [(each["rel"], each["href"]) for each in answered.problem["advice"]] == [
        ("up", "/about/uri-gin/azgs/doc/"),
        ("author", "mailto:maps@azgs.example"),
        ("search", "/search?q=none&authority=uri-gin%2Fazgs%2F"),
    ]
    assert answered.headers["Cache-Control"] == "max-age=30"


@pytest.mark.parametrize(
    "path", ["/uri_gin/usgin/dlio/194", "//uri-gin/azgs/", "/favicon.ico", "/wp-login.php"]
)
def test_an_unknown_scheme_gets_the_known_ones(service: Service, path: str) -> None:
    answered = service.ask(path)

    assert answered.status == 404
    assert [each["href"] for each in answered.problem["advice"]] == ["/"]


@pytest.mark.parametrize("path", ["/uri-gin/", "/uri-gin/azgs/", "/urn:", "/info:pmid/1", "/uri-rock/x"])
def test_without_a_registered_scheme_the_front_page_names_the_known_ones(path: str) -> None:
    finder = RememberingFinder(MemoryRegistry(), lambda: 0.0)
    answers = IdentifierResponses(MemoryContentStore(), "resources.usgin.org")

    answered = Answer(write_gateway(answer(read_request(rest_event(path)), finder, answers).response, "GET"))

    assert answered.status == 404
    assert "not registered here yet" in answered.problem["detail"]
    assert HOST_FOLDER in answered.problem["detail"]
    assert [each["href"] for each in answered.problem["advice"]] == ["/"]


def test_a_browser_gets_advice_as_a_page(service: Service) -> None:
    answered = service.ask("/uri-gin/azgs/doc/map/none/", Accept=BROWSER)

    assert answered.status == 404
    assert answered.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b'href="mailto:maps@azgs.example"' in answered.content


def test_x_and_x_slash_and_x_dot_ext_are_distinguished(service: Service) -> None:
    service.register("uri-gin/azgs/doc/x", representations=[_location(PDF)])
    service.register("uri-gin/azgs/doc/x/", title={"en": "Thing"})
    service.register("uri-gin/azgs/doc/x.ext", status="retired")

    assert service.ask("/uri-gin/azgs/doc/x").status == 302
    assert service.ask("/uri-gin/azgs/doc/x/").status == 303
    assert service.ask("/uri-gin/azgs/doc/x.ext").status == 410


# -- methods


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "get"])
def test_another_method_gets_the_allowed_ones(service: Service, method: str) -> None:
    answered = service.ask(f"/{MAP}", method)

    assert answered.status == 405
    assert answered.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_a_script_of_another_origin_may_ask_for_the_options(service: Service) -> None:
    answered = service.ask(f"/{MAP}", "OPTIONS", Origin="https://viewer.example")

    assert answered.status == 204
    assert answered.headers["Access-Control-Allow-Origin"] == "*"
    assert answered.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert answered.content == b""


def test_head_returns_the_headers_of_get_without_the_body(service: Service) -> None:
    file = service.store("files/map.pdf", b"%PDF")
    service.register(MAP, representations=[{"part": "map.pdf", "media_type": PDF, "file": file}])

    for path in (f"/{MAP}", f"/{MAP}map.pdf", "/uri-gin/azgs/none", "/uri-gin//", "/uri-gin/a%2Db", "/"):
        get, head = service.ask(path), service.ask(path, "HEAD")
        assert (head.status, head.headers, head.content) == (get.status, get.headers, b"")


# -- an unavailable registry


def test_an_unavailable_registry_answers_with_a_time_to_retry() -> None:
    finder = RememberingFinder(_Away(), lambda: 0.0)

    answered = answer(
        read_request(rest_event(f"/{MAP}")),
        finder,
        IdentifierResponses(MemoryContentStore(), "resources.usgin.org"),
    )

    away = Answer(write_gateway(answered.response, "GET"))
    assert away.status == 503
    assert away.headers["Retry-After"] == "7"
    assert away.headers["Cache-Control"] == "no-store"


def test_answers_that_need_no_registry_work_while_it_is_unavailable() -> None:
    finder = RememberingFinder(_Away(), lambda: 0.0)
    answers = IdentifierResponses(MemoryContentStore(), "resources.usgin.org")

    for path, method, status in (
        ("/uri-gin//", "GET", 400),
        ("/uri-gin/a%2Db", "GET", 301),
        ("/x", "PUT", 405),
    ):
        assert answer(read_request(rest_event(path, method)), finder, answers).response.status == status


def _costly_rules(service: Service, prefix: str) -> None:
    """Register the 250 rules that a prefix may have, of patterns that no first or last letter decides."""
    patterns = (f"{{a}}-{{b}}x{{n:digits(1,{number + 1})}}" for number in range(250))
    service.rules(prefix, patterns, location="https://a.example/{a}")


def test_a_name_among_all_rules_of_its_prefix_is_matched(service: Service) -> None:
    _costly_rules(service, "uri-gin/azgs/")

    answered = service.ask(f"/uri-gin/azgs/{'a-' * 400}x12")

    assert (answered.status, answered.headers["Location"]) == (302, "https://a.example/a")


def test_a_name_whose_rules_take_too_long_to_match_is_503(service: Service) -> None:
    _costly_rules(service, "uri-gin/azgs/")
    _costly_rules(service, "uri-gin/azgs/a/")

    answered = service.ask(f"/uri-gin/azgs/a/{'a-' * 400}")

    assert (answered.status, answered.headers["Retry-After"]) == (503, "300")
    assert "The rules for this identifier take too long to match" in answered.content.decode()


def test_costly_rules_of_a_host_keep_a_name_from_its_scheme(service: Service) -> None:
    service.register("//id.example/", record="host", title="Host")
    service.register("doi:", record="scheme", title="DOI")
    _costly_rules(service, "//id.example/")
    _costly_rules(service, "//id.example/doi:10.1000/")

    answered = service.ask(f"/doi:10.1000/{'a-' * 400}", Host="id.example")

    assert answered.status == 503
    assert "The rules for this identifier take too long to match" in answered.content.decode()


# -- the table in the documentation


def test_the_documented_table_names_these_tests() -> None:
    table = (Path(__file__).parents[2] / "docs" / "reference" / "answers.md").read_text(encoding="utf-8")

    named = set(re.findall(r"`(test_[a-z0-9_]+)`", table))

    assert named
    assert {
        name
        for name in named
        if name not in globals()
        and not any(
            hasattr(module, name)
            for module in (
                test_ark,
                test_embargoes,
                test_fallbacks,
                test_hosts_without_pages,
                test_known_schemes,
                test_neighbours,
                test_registered_schemes,
                test_query_arguments,
                test_unregistered_scheme,
                test_versions,
            )
        )
    } == set()
