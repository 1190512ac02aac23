"""Do URNs, and the resolution services of RFC 2169, get the right answer?"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email import message_from_bytes
from email.message import Message
from typing import Any
from urllib.parse import parse_qs

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as dereference
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import register, rest_event
from tests.example_registry import EXAMPLES
from tests.steward import Steward

HOST, SECRET = "ids.example.org", "told-to-the-edge"
CITED = "http://resources.usgin.org"
"""The host that identifiers of the scheme are cited on."""
FILES = ("_host/schemes.jsonl", "_host/authorities.jsonl", "_host/urn.jsonl", "uri-gin/cgi/1-types.jsonl")
PAIRS = {
    "urn:cgi:register:CGI:resourceClass": "uri-gin/cgi/register/resourceClass/",
    "urn:cgi:register:CGI:classifierScheme": "uri-gin/cgi/register/classifierScheme/",
    "urn:cgi:resourceClass:featureType": "uri-gin/cgi/resourceClass/featureType/",
    "urn:cgi:resourceClass:serviceType": "uri-gin/cgi/resourceClass/serviceType/",
    "urn:cgi:resourceClass:classifier": "uri-gin/cgi/resourceClass/classifier/",
    "urn:cgi:propertyType:CGI:GeoSciML:2.0:GeologicEvent:eventAge": (
        "uri-gin/cgi/property/geologicEvent.eventAge/"
    ),
    "urn:cgi:classifierScheme:CGI:ConsolidationDegree:200811": (
        "uri-gin/cgi/classifierScheme/consolidationDegree200811/"
    ),
    "urn:cgi:classifier:CGI:ConsolidationDegree:200811:unconsolidated": (
        "uri-gin/cgi/classifier/consolidationDegree200811.unconsolidated/"
    ),
    "urn:cgi:party:CGI:BRGM": "uri-gin/cgi/party/organization/brgm/",
    "urn:cgi:party:CGI:AZGS": "uri-gin/cgi/party/organization/azgs/",
    "urn:cgi:registerItem:CGI:authority:BGS": "uri-gin/cgi/authority/bgs/",
}
"""USGIN URI Policies 1.1, "Mapping to CGI URN", all eleven."""
BGS = "urn:cgi:registerItem:CGI:authority:BGS"
RFC = "urn:ietf:rfc:2141"
SERVICES = ("N2L", "N2Ls", "N2R", "N2Rs", "N2C", "N2Ns")


class Asked:
    """Both functions over the registered URNs of the examples."""

    def __init__(self, registry: MemoryRegistry) -> None:
        self.registry = registry

    def resolve(self, path: str, query: str = "", method: str = "GET", **headers: str) -> Answer:
        """Send a request to the describe function behind an edge, which passes on the query as sent."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        edge = {"X-Ginuri-Edge": SECRET, "X-Ginuri-Query": query}
        return self._describe(rest_event(path, method, {"Host": HOST, **edge, **sent}), method)

    def without_edge(self, path: str, query: str) -> Answer:
        """Send a request to the describe function behind the gateway alone, which decodes the query."""
        pairs = parse_qs(query, keep_blank_values=True)
        event: dict[str, Any] = rest_event(path, "GET", {"Host": HOST})
        event |= {"multiValueQueryStringParameters": pairs}
        return self._describe(
            event | {"queryStringParameters": {name: values[-1] for name, values in pairs.items()}}, "GET"
        )

    def get(self, path: str, **headers: str) -> Answer:
        """Dereference."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answers = IdentifierResponses(MemoryContentStore(), HOST)
        answered = dereference(
            read_request(rest_event(path, "GET", {"Host": HOST, **sent})), self._finder(), answers
        )
        return Answer(write_gateway(answered.response, "GET"))

    def _finder(self) -> RememberingFinder:
        return RememberingFinder(self.registry, time.monotonic)

    def _describe(self, event: Mapping[str, Any], method: str) -> Answer:
        answers = DescriptionResponses(DescriptionWriter().write)
        using = Collaborators(self._finder(), self.registry, self.registry, answers, HOST)
        return Answer(write_gateway(describe(read_request(event, SECRET), using).response, method))


@pytest.fixture(scope="module")
def asked() -> Asked:
    """Return the functions with the examples of URNs, and the identifiers with equivalent CGI URNs."""
    steward = Steward()
    for name in (*FILES, "uri-gin/cgi/urns.csv", "urn:cgi/urns.jsonl", "urn:ietf/rfcs.jsonl"):
        assert "refused" not in steward.upload(name, (EXAMPLES / name).read_bytes()).counts
    return Asked(steward.memory)


def uris(answer: Answer) -> list[str]:
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/uri-list")
    lines = answer.content.decode("ascii").split("\r\n")
    assert lines.pop() == ""  # RFC 2483 §5: every line ends so
    return [line for line in lines if not line.startswith("#")]


# Names


@pytest.mark.parametrize(("urn", "name"), PAIRS.items())
def test_each_urn_of_the_policy_document_leads_to_its_uri(asked: Asked, urn: str, name: str) -> None:
    answer = asked.get(f"/{urn}")

    assert (answer.status, answer.headers["Location"]) == (301, f"/{name}")


@pytest.mark.parametrize(("urn", "name"), PAIRS.items())
def test_each_pair_of_the_policy_document_resolves_both_ways(asked: Asked, urn: str, name: str) -> None:
    uri = f"{CITED}/{name}"

    assert uris(asked.resolve("/uri-res/N2Ns", urn)) == [uri]
    assert uris(asked.resolve("/uri-res/N2Ns", uri)) == [urn]


@pytest.mark.parametrize("written", ["URN:IETF:rfc:2141", "Urn:ietf:rfc:2141", "urn:IETF:rfc:2141"])
def test_another_spelling_of_a_urn_redirects_to_its_normal_form(asked: Asked, written: str) -> None:
    answer = asked.get(f"/{written}")

    assert (answer.status, answer.headers["Location"]) == (301, f"/{RFC}")


def test_a_urn_with_an_excluded_character_gets_its_escape(asked: Asked) -> None:
    answer = asked.get("/urn:ietf:rfc<2141")

    assert answer.status == 400
    assert "segment 3" in answer.problem["detail"]
    assert "write %3C" in answer.problem["detail"]


def test_the_components_of_a_urn_are_removed_for_the_lookup(asked: Asked) -> None:
    answer = asked.resolve("/resolve", "uri=urn%3Aietf%3Arfc%3A2141%3F%2Br%3F%3Dq%23section-5")

    assert (answer.status, answer.headers["Location"]) == (302, f"/{RFC}#section-5")


def test_an_unregistered_urn_of_a_known_namespace_gets_a_contact(asked: Asked) -> None:
    answer = asked.get("/urn:isbn:0451450523")

    assert answer.status == 404
    assert {each["href"] for each in answer.problem["advice"]} == {
        "/about/urn:isbn:",
        "mailto:stewards@example.org",
        "https://openlibrary.org/isbn/0451450523",
        "/search?q=0451450523&authority=urn%3Aisbn%3A",
    }


def test_the_urn_scheme_and_its_namespaces_lead_to_their_descriptions(asked: Asked) -> None:
    for name in ("urn:", "urn:cgi:", "urn:isbn:"):
        answer = asked.get(f"/{name}")

        assert (answer.status, answer.headers["Location"]) == (303, f"/about/{name}")
        assert asked.resolve(f"/about/{name}").status == 200


@pytest.mark.parametrize("extension", ["nt", "html", "json"])
def test_a_urn_that_names_an_alias_is_shown_as_itself(asked: Asked, extension: str) -> None:
    told = asked.resolve(f"/about.{extension}/{PAIRS[BGS]}").content.decode().replace("<wbr>", "")

    other = f"http://{HOST}/{BGS}"
    assert BGS in told
    assert other not in told
    assert (f'<a href="/about/{BGS}">{BGS}</a>' in told) is (extension == "html")


def test_a_namespace_lists_its_urns_by_their_descriptions(asked: Asked) -> None:
    told = asked.resolve("/about.nt/urn:cgi:").content.decode()

    assert f"<http://{HOST}/{BGS}> <http://purl.org/dc/terms/title>" in told


# N2L, N2Ls


def test_n2l_leads_to_one_location(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2L", RFC)

    assert (answer.status, answer.headers["Location"]) == (303, "https://www.rfc-editor.org/rfc/rfc2141.html")
    assert "Accept" in answer.headers["Vary"]


def test_n2l_negotiates_like_the_identifier(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2L", RFC, Accept="text/plain")

    assert answer.headers["Location"] == asked.get(f"/{RFC}", Accept="text/plain").headers["Location"]
    assert asked.resolve("/uri-res/N2L", RFC, Accept="image/png").status == 406


def test_n2l_of_an_alias_leads_to_its_target(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2L", BGS)

    assert (answer.status, answer.headers["Location"]) == (303, f"/{PAIRS[BGS]}")


def test_n2ls_lists_all_locations_beginning_with_that_of_n2l(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2Ls", RFC)

    assert uris(answer) == [f"https://www.rfc-editor.org/rfc/rfc2141.{each}" for each in ("html", "txt")]
    assert answer.content.startswith(f"# {RFC}\r\n".encode())


def test_n2ls_of_an_alias_lists_its_target(asked: Asked) -> None:
    assert uris(asked.resolve("/uri-res/N2Ls", BGS)) == [f"{CITED}/{PAIRS[BGS]}"]


def test_a_browser_gets_a_list_as_a_page(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2Ls", RFC, Accept="text/html,*/*;q=0.8")

    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b'<a href="https://www.rfc-editor.org/rfc/rfc2141.txt">' in answer.content


# N2R, N2Rs, N2C, N2Ns


@pytest.mark.parametrize("name", [RFC, BGS, "urn:cgi:", f"http://{HOST}/{PAIRS[BGS]}"])
def test_n2r_leads_to_the_identifier_itself(asked: Asked, name: str) -> None:
    answer = asked.resolve("/uri-res/N2R", name)

    assert (answer.status, answer.headers["Location"]) == (303, f"/{name.removeprefix(f'http://{HOST}/')}")


def test_n2rs_lists_the_location_of_each_form_with_the_best_last(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2Rs", RFC)

    message = message_from_bytes(
        f"Content-Type: {answer.headers['Content-Type']}\r\n\r\n".encode() + answer.content
    )
    parts = [part for part in message.walk() if part.get_content_type() == "message/external-body"]
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_param("URL") for part in parts] == [
        f"https://www.rfc-editor.org/rfc/rfc2141.{each}" for each in ("txt", "html")
    ]
    phantoms = [part.get_payload(0) for part in parts]
    assert all(isinstance(each, Message) and each["Content-ID"] for each in phantoms)
    assert [str(each["Content-Type"]) for each in phantoms if isinstance(each, Message)] == [
        "text/plain",
        "text/html",
    ]


def test_n2rs_gives_only_acceptable_forms(asked: Asked) -> None:
    only = asked.resolve("/uri-res/N2Rs", RFC, Accept="text/plain")
    none = asked.resolve("/uri-res/N2Rs", RFC, Accept="image/png")

    assert (only.status, only.headers["Location"]) == (303, "https://www.rfc-editor.org/rfc/rfc2141.txt")
    assert none.status == 406


def test_n2rs_leaves_out_forms_with_a_refused_profile() -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    forms = [
        {"media_type": "text/xml", "profile": f"urn:{each}", "location": f"https://example.org/{each}"}
        for each in "ab"
    ]
    register(registry, "urn:foo:x", representations=forms)

    answer = Asked(registry).resolve("/uri-res/N2Rs", "urn:foo:x", Accept_Profile="<urn:a>;q=0")

    assert (answer.status, answer.headers["Location"]) == (303, "https://example.org/b")


def test_n2rs_without_forms_leads_to_the_identifier_itself(asked: Asked) -> None:
    answer = asked.resolve("/uri-res/N2Rs", "urn:cgi:")

    assert (answer.status, answer.headers["Location"]) == (303, "/urn:cgi:")


@pytest.mark.parametrize(("name", "described"), [(RFC, RFC), (BGS, PAIRS[BGS]), ("urn:isbn:", "urn:isbn:")])
def test_n2c_leads_to_the_description_of_the_named_resource(asked: Asked, name: str, described: str) -> None:
    answer = asked.resolve("/uri-res/N2C", name)

    assert (answer.status, answer.headers["Location"]) == (303, f"/about/{described}")


def test_an_identifier_without_other_names_has_an_empty_list(asked: Asked) -> None:
    assert uris(asked.resolve("/uri-res/N2Ns", "urn:ietf:rfc:8141")) == []


def test_another_spelling_is_not_another_name() -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    register(registry, "urn:foo:a123,456", title={"en": "It"})
    asked = Asked(registry)

    answer = asked.resolve("/uri-res/N2Ns", "urn:foo:A123,456")

    assert answer.status == 404  # RFC 2141 §6: URN 4 is equivalent to none of the others
    assert [each["href"] for each in answer.problem["advice"]][:1] == ["/urn:foo:a123,456"]


def test_a_rule_answers_for_urns_under_a_prefix() -> None:
    steward = Steward()
    steward.upload("_host/urn.jsonl", (EXAMPLES / "_host/urn.jsonl").read_bytes())
    rule = {
        "record": "rule",
        "identifier": "urn:ietf:rfc:",
        "pattern": "{number}",
        "title": "RFCs",
        "location": "https://www.rfc-editor.org/rfc/rfc{number}.html",
    }
    assert steward.upload("urn:ietf/rule.jsonl", json.dumps(rule)).counts == {"registered": 1}
    asked = Asked(steward.memory)

    assert (
        asked.get("/urn:ietf:rfc:3986").headers["Location"] == "https://www.rfc-editor.org/rfc/rfc3986.html"
    )
    assert uris(asked.resolve("/uri-res/N2Ls", "urn:ietf:rfc:3986")) == [
        "https://www.rfc-editor.org/rfc/rfc3986.html"
    ]
    assert asked.get("/urn:ietf:bcp:14").status == 404


def test_a_form_does_not_have_the_names_of_its_resource() -> None:
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority")
    register(
        registry,
        "uri-gin/azgs/map/1/",
        properties={"identifier": ["urn:example:1", "DGM 37", "info:lccn/1", "uri-gin/azgs/map/1/"]},
        representations=[{"part": "m.pdf", "location": "https://example.org/m.pdf"}],
    )

    assert uris(Asked(registry).resolve("/uri-res/N2Ns", "uri-gin/azgs/map/1/m.pdf")) == []
    assert uris(Asked(registry).resolve("/uri-res/N2Ns", "uri-gin/azgs/map/1/")) == [
        "urn:example:1",
        "info:lccn/1",
    ]


# The query of a service


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_accepts_any_identifier_in_any_spelling(asked: Asked, service: str) -> None:
    told = asked.resolve(f"/uri-res/{service}", RFC)

    for written in ("URN:ietf:rfc:2141", f"http://{HOST}/{RFC}", f"/{RFC}", f"{RFC}?=q"):
        answer = asked.resolve(f"/uri-res/{service}", written)
        assert (answer.status, answer.headers.get("Location")) == (told.status, told.headers.get("Location"))


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("urn:foo:a%2", 400),
        ("urn:ietf:rfc:9999", 404),
        ("urn:foo:x", 404),
        ("doi:10.1000/182", 404),
    ],
)
def test_each_service_explains_a_malformed_request(
    asked: Asked, service: str, query: str, status: int
) -> None:
    answer = asked.resolve(f"/uri-res/{service}", query)

    assert (answer.status, answer.problem["status"]) == (status, status)


@pytest.mark.parametrize("name", ["N2X", "n2l", "N2L/", "L2Ns", "N2L/urn:isbn:1", "<script>"])
def test_an_unknown_service_gets_the_known_ones(asked: Asked, name: str) -> None:
    answer = asked.resolve(f"/uri-res/{name}", RFC)

    assert answer.status == 404
    assert ", ".join(SERVICES) in answer.problem["detail"]


def test_an_empty_request_gets_an_example(asked: Asked) -> None:
    assert "/uri-res/N2Ns?urn:isbn:0451450523" in asked.resolve("/uri-res/N2Ns").problem["detail"]


def test_a_retired_name_is_gone_but_still_described() -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    register(registry, "urn:foo:old", status="retired", reason="Given twice.")
    register(registry, "urn:foo:older", record="alias", stands_for=["urn:foo:old"])
    asked = Asked(registry)

    for service in ("N2L", "N2R", "N2Rs", "N2Ls", "N2Ns"):
        assert asked.resolve(f"/uri-res/{service}", "urn:foo:old").status == 410
    assert asked.resolve("/uri-res/N2C", "urn:foo:old").headers["Location"] == "/about/urn:foo:old"
    assert uris(asked.resolve("/uri-res/N2Ns", "urn:foo:older")) == ["urn:foo:old"]


def test_a_name_of_another_host_redirects_to_that_host() -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace", answered_by="urn.example")
    asked = Asked(registry)

    for service in ("N2L", "N2C", "N2Ns"):
        answer = asked.resolve(f"/uri-res/{service}", "urn:foo:x")
        assert answer.headers["Location"] == "http://urn.example/urn:foo:x"
    assert uris(asked.resolve("/uri-res/N2Ls", "urn:foo:x")) == ["http://urn.example/urn:foo:x"]


def test_an_alias_of_several_lists_their_locations() -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    register(registry, "urn:foo:both", record="alias", stands_for=["urn:foo:a", "urn:foo:b"])
    asked = Asked(registry)

    listed = uris(asked.resolve("/uri-res/N2Ls", "urn:foo:both"))
    assert listed == [f"http://{HOST}/urn:foo:{each}" for each in "ab"]
    assert {asked.resolve(f"/uri-res/{each}", "urn:foo:both").status for each in SERVICES} == {200, 300}


def test_names_that_form_a_loop_end() -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    register(registry, "urn:foo:a", record="alias", stands_for=["urn:foo:b"])
    register(registry, "urn:foo:b", record="alias", stands_for=["urn:foo:a"])

    assert uris(Asked(registry).resolve("/uri-res/N2Ns", "urn:foo:a")) == ["urn:foo:b"]


@pytest.mark.parametrize(
    "name", ["a%2Cb", "a,b", "a+b", "a=b", "a=", "a==", "a;b", "a&b", "a%20b", "a/b", "a&b="]
)
def test_behind_an_edge_the_query_is_the_unchanged_urn(name: str) -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    register(registry, f"urn:foo:{name}", representations=[{"location": "https://example.org/it"}])

    answer = Asked(registry).resolve("/uri-res/N2L", f"urn:foo:{name}")

    assert (answer.status, answer.headers["Location"]) == (303, "https://example.org/it")


@pytest.mark.parametrize("name", ["a:b,c", "a=b", "a==", "a=b=", "a&b", "a/b", "(a)!*'@$_-.~", "a%20b"])
def test_without_an_edge_a_urn_arrives_if_decoding_loses_nothing(name: str) -> None:
    registry = MemoryRegistry()
    register(registry, "urn:foo:", record="namespace")
    register(registry, f"urn:foo:{name}", representations=[{"location": "https://example.org/it"}])

    answer = Asked(registry).without_edge("/uri-res/N2L", f"urn:foo:{name}")

    assert (answer.status, answer.headers["Location"]) == (303, "https://example.org/it")


def test_only_get_head_and_options_are_answered(asked: Asked) -> None:
    assert asked.resolve("/uri-res/N2L", RFC, "POST").status == 405
    assert asked.resolve("/uri-res/N2L", RFC, "OPTIONS").status == 204
    assert asked.resolve("/uri-res/N2Ls", RFC, "HEAD").content == b""
