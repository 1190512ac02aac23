"""Do registers, lists of members and the special identifiers have the right contents, page by page?"""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.registry.lists.listing import MOST_LISTED, MOST_SHOWN
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import register, rest_event

HOST = "resources.usgin.org"
TYPES = "uri-gin/azgs/register/resourceType/"
AUTHORITIES = "uri-gin/usgin/register/nameAuthority/"
SCHEMES = "uri-gin/usgin/register/uriScheme/"
SET = "uri-gin/azgs/set/lithology/"


@pytest.fixture
def registry() -> MemoryRegistry:
    """A scheme, two authorities and a sub-authority, types, and a collection with parts of both."""
    registry = MemoryRegistry()
    register(
        registry,
        "uri-gin/",
        record="scheme",
        title={"en": "The uri-gin scheme"},
        authority="uri-gin/usgin/",
        trusted_hosts=["resources.usgin.org"],
    )
    register(registry, "uri-gin/usgin/", record="authority", title={"en": "USGIN"})
    register(
        registry, "uri-gin/azgs/", record="authority", title={"en": "AZGS"}, trusted_hosts=["azgs.example"]
    )
    register(registry, "uri-gin/azgs.mapping/", record="authority", title={"en": "Mapping"})
    register(registry, "uri-gin/usgin/doc/", record="resource-type", title={"en": "Document"})
    register(
        registry,
        "uri-gin/azgs/doc/",
        record="resource-type",
        title={"en": "Survey document", "es": "Documento"},
        broader="uri-gin/usgin/doc/",
        definition="=What the survey writes",
    )
    register(
        registry,
        "uri-gin/azgs/doc/map/",
        record="resource-type",
        title={"": "Map"},
        broader="uri-gin/azgs/doc/",
    )
    register(registry, SET, title={"en": "Lithology"})
    register(registry, "uri-gin/azgs/concept/granite/", title={"en": "Granite"}, part_of=SET)
    register(registry, "uri-gin/usgin/concept/gneiss/", title={"en": "Gneiss"}, part_of=SET)
    return registry


def using(registry: MemoryRegistry, canonical_host: str = HOST) -> Collaborators:
    return Collaborators(
        RememberingFinder(registry, time.monotonic),
        registry,
        registry,
        DescriptionResponses(DescriptionWriter().write),
        canonical_host,
    )


def ask(
    registry: MemoryRegistry, path: str, accept: str = "application/json", *, host: str = HOST, **query: str
) -> Answer:
    event = rest_event(path, headers={"Host": host, "Accept": accept}) | {
        "queryStringParameters": query or None
    }
    return Answer(write_gateway(describe(read_request(event), using(registry)).response, "GET"))


def follow(registry: MemoryRegistry, name: str) -> Answer:
    finder = RememberingFinder(registry, time.monotonic)
    answered = resolve(
        read_request(rest_event(f"/{name}")), finder, IdentifierResponses(MemoryContentStore(), HOST)
    )
    return Answer(write_gateway(answered.response, "GET"))


def told(answered: Answer) -> Any:
    assert answered.status == 200
    return json.loads(answered.content)


def names(members: Sequence[Mapping[str, Any]]) -> list[str]:
    return [each["identifier"] for each in members]


@pytest.mark.parametrize("name", [TYPES, AUTHORITIES, SCHEMES, "uri-gin/azgs.mapping/register/resourceType/"])
def test_an_unregistered_register_is_described(registry: MemoryRegistry, name: str) -> None:
    before = registry.calls
    answered = follow(registry, name)

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{name}")
    assert registry.calls - before == 1
    assert ask(registry, f"/about/{name}").status == 200


@pytest.mark.parametrize(
    "name",
    [
        "uri-gin/azgs/register/nameAuthority/",  # the scheme's register is kept by its authority
        "uri-gin/azgs/register/uriScheme/",
        "uri-gin/nobody/register/resourceType/",
        "uri-gin/azgs/register/resourceType",  # a different identifier
        "uri-gin/azgs/register/anything/",
        "uri-gin/azgs/doc/register/resourceType/",
        "uri-gin/azgs/authority/usgin/",
    ],
)
def test_a_name_that_resembles_a_register_is_not_registered(registry: MemoryRegistry, name: str) -> None:
    assert follow(registry, name).status == 404
    assert ask(registry, f"/about/{name}").status == 404
    assert ask(registry, f"/members/{name}").status == 404


@pytest.mark.parametrize(
    ("name", "registered"),
    [
        (TYPES, ["uri-gin/azgs/doc/", "uri-gin/azgs/doc/map/"]),
        (AUTHORITIES, ["uri-gin/azgs.mapping/", "uri-gin/azgs/", "uri-gin/usgin/"]),
        (SCHEMES, ["uri-gin/"]),
    ],
)
@pytest.mark.parametrize("is_registered", [False, True])
def test_a_register_lists_its_members_whether_or_not_it_is_registered(
    registry: MemoryRegistry, name: str, registered: list[str], *, is_registered: bool
) -> None:
    if is_registered:
        register(registry, name, title={"en": "Ours"})

    described = told(ask(registry, f"/about/{name}"))
    listed = told(ask(registry, f"/members/{name}"))

    assert names(described["members"]["members"]) == names(listed["members"]) == registered
    assert (described["title"] == {"en": "Ours"}) is is_registered
    assert listed["next"] is None


def test_a_register_is_a_table_for_clients_that_ask_for_one(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/about/{TYPES}", "text/csv")
    assert (answered.status, answered.headers["Location"]) == (303, f"/members.csv/{TYPES}")

    table = ask(registry, answered.headers["Location"])
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))

    assert table.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert [row["identifier"] for row in rows] == ["uri-gin/azgs/doc/", "uri-gin/azgs/doc/map/"]
    assert rows[0]["broader"] == "http://resources.usgin.org/uri-gin/usgin/doc/"
    assert rows[0]["definition"] == "'=What the survey writes"  # guarded, so that it is no formula
    assert ask(registry, "/about/uri-gin/azgs/", "text/csv").status == 406


def test_a_register_is_a_concept_scheme(registry: MemoryRegistry) -> None:
    document = told(ask(registry, f"/about/{TYPES}", "application/ld+json"))
    uri = f"http://azgs.example/{TYPES}"
    first, second = document["@included"]

    assert document["@id"] == uri
    assert "skos:ConceptScheme" in document["@type"]
    assert document["skos:hasTopConcept"] == {"@id": "http://azgs.example/uri-gin/azgs/doc/"}
    assert [each["skos:inScheme"] for each in (first, second)] == [{"@id": uri}] * 2
    assert first["skos:topConceptOf"] == {"@id": uri}
    assert first["skos:broader"]["@id"] == "http://resources.usgin.org/uri-gin/usgin/doc/"
    assert {"@value": "Documento", "@language": "es"} in first["skos:prefLabel"]
    assert "skos:topConceptOf" not in second
    assert second["skos:broader"]["@id"] == first["@id"]
    assert second["skos:prefLabel"] == "Map"


@pytest.mark.parametrize(
    ("name", "authority"),
    [
        ("uri-gin/authority/azgs/", "uri-gin/azgs/"),
        ("uri-gin/authority/azgs", "uri-gin/azgs/"),
        ("uri-gin/usgin/authority/azgs/", "uri-gin/azgs/"),
        ("uri-gin/azgs/authority/azgs.mapping/", "uri-gin/azgs.mapping/"),
    ],
)
def test_the_special_name_of_an_authority_leads_to_its_description(
    registry: MemoryRegistry, name: str, authority: str
) -> None:
    answered = follow(registry, name)
    described = ask(registry, f"/about/{name}")

    assert (answered.status, answered.headers["Location"]) == (302, f"/{authority}")
    assert (described.status, described.headers["Location"]) == (303, f"/about/{authority}")


def test_a_registered_special_name_shows_the_authority_it_sets_up(registry: MemoryRegistry) -> None:
    name = "uri-gin/azgs/authority/azgs.mapping/"
    register(registry, name, title={"en": "Mapping, set up"})

    assert told(ask(registry, f"/about/{name}"))["authority_opened"] == [
        "http://resources.usgin.org/uri-gin/azgs.mapping/"
    ]
    assert b'href="/about/uri-gin/azgs.mapping/"' in ask(registry, f"/about/{name}", "text/html").content


@pytest.mark.parametrize(
    ("host", "name", "is_warned"),
    [
        ("geon.example", "uri-gin/azgs/", True),
        ("azgs.example", "uri-gin/azgs/", False),
        ("AZGS.example:80", "uri-gin/azgs/", False),
        ("geon.example", "uri-gin/usgin/", False),  # trusts the hosts of its scheme
    ],
)
def test_an_authority_without_trust_in_this_host_gets_a_warning(
    registry: MemoryRegistry, host: str, name: str, *, is_warned: bool
) -> None:
    page = ask(registry, f"/about/{name}", "text/html", host=host).content.decode()
    document = told(ask(registry, f"/about/{name}", host=host))

    assert ("not one of its trusted hosts" in page) is is_warned
    assert ("distrusted_host" in document) is is_warned


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("uri-gin/", ["description", "specification"]),
        ("uri-gin/azgs/", None),
        ("uri-gin/usgin/", ["trusted_hosts"]),
        (
            "uri-gin/azgs/doc/",
            ["canonical_media_type", "default_media_type", "valid_media_types", "pattern", "services"],
        ),
        ("", ["contact"]),
    ],
)
def test_missing_fields_that_the_source_requires_are_listed(
    registry: MemoryRegistry, name: str, missing: list[str] | None
) -> None:
    page = ask(registry, f"/about/{name}", "text/html").content.decode().lower()

    assert told(ask(registry, f"/about/{name}")).get("not_registered") == missing
    assert ("not registered" in page) is (missing is not None)


def test_a_type_lists_its_narrower_types_across_authorities(registry: MemoryRegistry) -> None:
    document = told(ask(registry, "/about/uri-gin/usgin/doc/"))
    page = ask(registry, "/about/uri-gin/usgin/doc/", "text/html").content

    assert document["narrower"] == ["http://azgs.example/uri-gin/azgs/doc/"]
    assert b'<a href="/about/uri-gin/azgs/doc/">' in page


def test_a_collection_lists_its_parts_across_authorities(registry: MemoryRegistry) -> None:
    parts = ["http://azgs.example/uri-gin/azgs/concept/granite/"]
    parts += ["http://resources.usgin.org/uri-gin/usgin/concept/gneiss/"]

    described = told(ask(registry, f"/about/{SET}", "application/ld+json"))
    listed = told(ask(registry, f"/members/{SET}"))

    assert [each["@id"] for each in described["dcterms:hasPart"]] == parts
    assert [each["uri"] for each in listed["members"]] == parts


def test_a_type_is_no_member_of_itself(registry: MemoryRegistry) -> None:
    assert names(told(ask(registry, "/members/uri-gin/azgs/doc/"))["members"]) == ["uri-gin/azgs/doc/map/"]


def _fill(registry: MemoryRegistry, number: int) -> list[str]:
    made = [f"uri-gin/azgs/doc/map/a%20b-{each:04}/" for each in range(number)]
    for name in made:
        register(registry, name, title={"en": name})
    return made


@pytest.mark.parametrize("extension", ["", ".json"])
def test_pages_of_a_list_are_linked_by_next(registry: MemoryRegistry, extension: str) -> None:
    made, path, listed = (
        _fill(registry, 2 * MOST_LISTED + 1),
        f"/members{extension}/uri-gin/azgs/doc/map/",
        [],
    )
    after: dict[str, str] = {}
    for _ in range(4):
        answered = ask(registry, path, **after)
        assert answered.linked("first") == [path]
        listed.append(names(told(answered)["members"]))
        following = answered.linked("next")
        if not following:
            break
        assert following[0].startswith(f"{path}?after=")
        after = {"after": following[0].partition("?after=")[2].replace("%25", "%")}

    assert [len(page) for page in listed] == [MOST_LISTED, MOST_LISTED, 1]
    assert [name for page in listed for name in page] == made


def test_a_page_takes_one_query_and_one_read_for_any_length(registry: MemoryRegistry) -> None:
    collaborators = using(registry)
    _fill(registry, 3 * MOST_LISTED)
    event = rest_event("/members/uri-gin/azgs/", headers={"Host": HOST})
    describe(read_request(event), collaborators)  # remembers the ancestors
    before = registry.calls

    describe(read_request(event), collaborators)

    assert registry.calls - before == 2


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("identifier", ["doc/", "doc/map/"]),
        ("title", ["doc/map/", "doc/"]),
        ("modified", ["doc/map/", "doc/"]),
        ("colour", ["doc/", "doc/map/"]),
    ],
)
@pytest.mark.parametrize("extension", ["json", "csv", "html"])
def test_a_list_of_one_page_is_sorted_as_requested(
    registry: MemoryRegistry, sort: str, order: list[str], extension: str
) -> None:
    register(registry, "uri-gin/azgs/doc/map/", 2, record="resource-type", definition="A drawing.")
    path = f"/members.{extension}/{TYPES}"

    answered = ask(registry, path, sort=sort)

    listed = re.findall('uri-gin/azgs/(doc/(?:map/)?)(?=[",<])', answered.content.decode())
    assert list(dict.fromkeys(listed)) == order
    assert answered.linked("first") == [path]


def test_a_list_of_several_pages_is_in_the_order_of_identifiers(registry: MemoryRegistry) -> None:
    made = _fill(registry, MOST_LISTED + 1)

    answered = ask(registry, "/members.json/uri-gin/azgs/doc/map/", sort="modified")

    assert names(told(answered)["members"]) == made[:MOST_LISTED]


def test_a_page_of_a_sorted_list_shows_its_order_and_position(registry: MemoryRegistry) -> None:
    answered = ask(registry, f"/members/{TYPES}", "text/html", sort="title")

    assert answered.headers["Content-Location"] == f"/members.html/{TYPES}?sort=title"
    assert f'href="/members/{TYPES}?sort=title&amp;lang=es"' in answered.content.decode()
    assert f"/members.csv/{TYPES}?sort=title" in answered.linked("alternate")


def test_the_page_of_a_list_has_its_count_and_a_search(registry: MemoryRegistry) -> None:
    few = ask(registry, "/members/uri-gin/azgs/doc/map/", "text/html").content.decode()
    _fill(registry, MOST_LISTED + 1)
    many = ask(registry, "/members/uri-gin/azgs/doc/map/", "text/html").content.decode()
    of_types = ask(registry, f"/members/{SCHEMES}", "text/html").content.decode()

    assert "This list is empty." in few
    assert "<strong>100 identifiers on this page</strong>" in many
    assert '<input type="hidden" name="authority" value="uri-gin/azgs/doc/map/">' in many
    assert "<strong>1 identifier</strong>" in of_types
    assert 'name="authority"' not in of_types


def test_the_list_of_an_authority_is_grouped_by_type_below_a_filter(registry: MemoryRegistry) -> None:
    _fill(registry, 2)
    register(registry, "uri-gin/azgs/doc/report/1/", title={"en": "Report"})
    for path in ("/members/uri-gin/azgs/", "/about/uri-gin/azgs/"):
        page = ask(registry, path, "text/html").content.decode().partition("<main")[2]
        headings = re.findall('class="group">(.*?)</h[23]>', page)
        plain = [re.sub(r"<[^>]*>", "", heading) for heading in headings]

        assert page.index('<form class="filter"') < page.index('class="group"')
        assert plain[-1].startswith("Resource types")
        assert [heading for heading in plain if heading.endswith(" 2")]
        assert plain == list(dict.fromkeys(plain))


def test_later_pages_of_an_authority_name_the_type_of_their_members(registry: MemoryRegistry) -> None:
    made = _fill(registry, MOST_LISTED + 5)

    page = ask(registry, "/members/uri-gin/azgs/", "text/html", after=made[-3]).content.decode()

    assert '<a href="/about/uri-gin/azgs/doc/map/">' in page.partition("<main")[2]


def test_a_description_shows_the_first_members_and_leads_to_the_list(registry: MemoryRegistry) -> None:
    _fill(registry, MOST_SHOWN + 5)

    answered = ask(registry, "/about/uri-gin/azgs/doc/map/")
    page = ask(registry, "/about/uri-gin/azgs/doc/map/", "text/html").content.decode()

    assert len(told(answered)["members"]["members"]) == MOST_SHOWN
    assert answered.linked("contents") == ["/members/uri-gin/azgs/doc/map/"]
    assert answered.linked("up") == ["/about/uri-gin/azgs/doc/"]
    assert '<a href="/members/uri-gin/azgs/doc/map/">' in page


def test_a_part_links_to_its_collection(registry: MemoryRegistry) -> None:
    answered = ask(registry, "/about/uri-gin/azgs/concept/granite/")

    assert answered.linked("collection") == [f"/about/{SET}"]
    assert answered.linked("up") == ["/about/uri-gin/azgs/"]


@pytest.mark.parametrize(
    ("path", "after", "status"),
    [
        ("/members/uri-gin/nobody/", "", 404),
        ("/members/uri-gin/azgs//", "", 400),
        ("/members/urn-gin/azgs/", "", 404),
        ("/members/uri-gin/azgs/", "not an identifier", 400),
        ("/members/uri-gin/azgs/", "uri-gin/azgs/\ud800", 400),
        ("/members/uri-gin/azgs/", "uri-gin/zzz/", 200),
        ("/members/uri-gin/%61zgs/", "", 301),
    ],
)
def test_an_impossible_list_is_refused_with_the_reason(
    registry: MemoryRegistry, path: str, after: str, status: int
) -> None:
    answered = ask(registry, path, **({"after": after} if after else {}))

    assert answered.status == status
    if status == 301:
        assert answered.headers["Location"] == "/members/uri-gin/azgs/"


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("text/html", "text/html; charset=utf-8"),
        ("application/ld+json", "application/ld+json"),
        ("text/csv", "text/csv; charset=utf-8; header=present"),
        ("application/geo+json", "application/geo+json"),
        ("*/*", "text/html; charset=utf-8"),
        ("image/png", "application/json"),
    ],
)
def test_a_list_is_negotiated(registry: MemoryRegistry, accept: str, media_type: str) -> None:
    answered = ask(registry, "/members/uri-gin/azgs/", accept)

    assert answered.status == 200
    assert answered.headers["Content-Type"] == media_type
    assert answered.headers["Vary"] == "Accept, Accept-Language"
    assert answered.headers["Content-Location"].endswith("/uri-gin/azgs/")
    assert answered.headers["Content-Location"].startswith("/members.")
